// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines around the features, and the short features. A feature is printed to memory first: if
 * its section is damaged, one line reports that, and none of its values is shown.
 */
#include "ui/dump/header.h"

#include <time.h>

#include "util/event/attr_fields.h"
#include "util/format/attr_import.h"
#include "util/reader/feature_cursor.h"

#define NSEC_PER_SEC  1000000000ull
#define NSEC_PER_USEC 1000ull

/* "LABEL : STRING" */
static void print_string(const struct header_feature *f, const char *label)
{
	const char *s = cursor__feature_string(f->c);

	out__str(f->out, "# ");
	out__str(f->out, label);
	out__str(f->out, " : ");
	out__name(f->out, s);
	out__char(f->out, '\n');
}

static void hostname(const struct header_feature *f)
{
	print_string(f, "hostname");
}

static void osrelease(const struct header_feature *f)
{
	print_string(f, "os release");
}

static void version(const struct header_feature *f)
{
	print_string(f, "perf version");
}

static void arch(const struct header_feature *f)
{
	print_string(f, "arch");
}

static void cpudesc(const struct header_feature *f)
{
	print_string(f, "cpudesc");
}

static void cpuid(const struct header_feature *f)
{
	print_string(f, "cpuid");
}

static void nrcpus(const struct header_feature *f)
{
	u32 available = cursor__u32(f->c), online = cursor__u32(f->c);

	out__printf(f->out, "# nrcpus online : %u\n# nrcpus avail : %u\n", online, available);
}

static void total_mem(const struct header_feature *f)
{
	out__printf(f->out, "# total memory : %llu kB\n", (unsigned long long)cursor__u64(f->c));
}

/* The words as they can be pasted into a shell, but for blanks (as Linux's perf has it). */
static void cmdline(const struct header_feature *f)
{
	u32 nr = cursor__u32(f->c);

	out__str(f->out, "# cmdline : ");
	for (u32 i = 0; i < nr && !f->c->failed; i++) {
		const char *word = cursor__feature_string(f->c);

		for (const char *p = word; *p; p++) {
			if (*p == '\'')
				out__char(f->out, '\\');
			out__name(f->out, (char[]){ *p, '\0' });
		}
		out__char(f->out, ' ');
	}
	out__char(f->out, '\n');
}

static void attr_field(void *ctx, const char *name, const char *value)
{
	struct out *out = ctx;

	out__str(out, ", ");
	out__str(out, name);
	out__str(out, " = ");
	out__str(out, value);
}

static void event_line(const struct header_feature *f, u32 attr_size)
{
	const u8 *bytes = cursor__bytes(f->c, attr_size);
	u32 nr_ids = cursor__u32(f->c);
	const char *name = cursor__feature_string(f->c);
	const u8 *ids = cursor__bytes(f->c, nr_ids * 8ull);
	struct perf_event_attr attr;

	if (f->c->failed)
		return;
	attr__import(&attr, bytes, attr_size, f->c->swap);
	out__str(f->out, "# event : name = ");
	out__name(f->out, name);
	out__str(f->out, ", ");
	for (u32 i = 0; i < nr_ids; i++)
		out__printf(f->out, "%s%llu", i ? ", " : ", id = { ",
		            (unsigned long long)load_u64(ids + 8ull * i, f->c->swap));
	if (nr_ids)
		out__str(f->out, " }");
	attr__fields(&attr, attr_field, f->out);
	out__char(f->out, '\n');
}

static void event_desc(const struct header_feature *f)
{
	u32 nr = cursor__u32(f->c), attr_size = cursor__u32(f->c);

	for (u32 i = 0; i < nr && !f->c->failed; i++)
		event_line(f, attr_size);
}

static void branch_stack(const struct header_feature *f)
{
	out__str(f->out, "# contains samples with branch stack\n");
}

static void pmu_mappings(const struct header_feature *f)
{
	u32 nr = cursor__u32(f->c);

	out__str(f->out, nr ? "# pmu mappings: " : "# pmu mappings: not available");
	for (u32 i = 0; i < nr && !f->c->failed; i++) {
		u32 type = cursor__u32(f->c);

		out__str(f->out, i ? ", " : "");
		out__name(f->out, cursor__feature_string(f->c));
		out__printf(f->out, " = %u", type);
	}
	out__char(f->out, '\n');
}

/* The events of the groups, by the names that the reader has found. */
static void group_desc(const struct header_feature *f)
{
	const struct evlist *list = perf_data__evlist((struct perf_data *)f->data);
	u32 nr = cursor__u32(f->c);

	for (u32 i = 0; i < nr && !f->c->failed; i++) {
		const char *name = cursor__feature_string(f->c);
		u32 leader = cursor__u32(f->c), members = cursor__u32(f->c);

		if (leader >= list->nr || members > list->nr - leader)
			f->c->failed = true;
		if (f->c->failed || members < 2)
			continue;
		out__str(f->out, "# group: ");
		out__name(f->out, strcmp(name, "{anon_group}") ? name : "");
		for (u32 k = 0; k < members; k++) {
			out__char(f->out, k ? ',' : '{');
			out__name(f->out, list->evsels[leader + k]->name);
		}
		out__str(f->out, "}\n");
	}
}

static void auxtrace(const struct header_feature *f)
{
	out__str(f->out, "# contains AUX area data (e.g. instruction trace)\n");
}

static void stat_data(const struct header_feature *f)
{
	out__str(f->out, "# contains stat data\n");
}

/* Seconds with microseconds, the rest cut off. */
static void seconds(struct out *out, u64 ns)
{
	out__printf(out, "%llu.%06llu", (unsigned long long)(ns / NSEC_PER_SEC),
	            (unsigned long long)(ns % NSEC_PER_SEC / NSEC_PER_USEC));
}

static void sample_time(const struct header_feature *f)
{
	u64 first = cursor__u64(f->c), last = cursor__u64(f->c);

	out__str(f->out, "# time of first sample : ");
	seconds(f->out, first);
	out__str(f->out, "\n# time of last sample : ");
	seconds(f->out, last);
	out__printf(f->out, "\n# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

static void clockid(const struct header_feature *f)
{
	/* The section holds nanoseconds per tick; Linux's perf prints this product. */
	out__printf(f->out, "# clockid frequency: %llu MHz\n",
	            (unsigned long long)cursor__u64(f->c) * 1000);
}

static void dir_format(const struct header_feature *f)
{
	out__printf(f->out, "# directory data version : %llu\n",
	            (unsigned long long)cursor__u64(f->c));
}

static void compressed(const struct header_feature *f)
{
	enum { ZSTD = 1 };

	cursor__u32(f->c); /* version */
	u32 type = cursor__u32(f->c), level = cursor__u32(f->c), ratio = cursor__u32(f->c);

	out__printf(f->out, "# compressed : %s, level = %u, ratio = %u\n",
	            type == ZSTD ? "Zstd" : "Unknown", level, ratio);
}

/* "NAME pmu capabilities: a=1, b=2"; the list stands before the name in the section. */
static void capabilities(const struct header_feature *f, bool named)
{
	struct cursor list = *f->c;
	u32 nr = cursor__u32(&list);

	cursor__u32(f->c);
	for (u32 i = 0; i < nr && !f->c->failed; i++) {
		cursor__feature_string(f->c);
		cursor__feature_string(f->c);
	}
	out__str(f->out, "# ");
	out__name(f->out, named ? cursor__feature_string(f->c) : "cpu");
	out__str(f->out, " pmu capabilities: ");
	if (f->c->failed)
		return;
	for (u32 i = 0; i < nr; i++) {
		out__str(f->out, i ? ", " : "");
		out__name(f->out, cursor__feature_string(&list));
		out__char(f->out, '=');
		out__name(f->out, cursor__feature_string(&list));
	}
	out__str(f->out, nr ? "\n" : "not available\n");
}

static void cpu_pmu_caps(const struct header_feature *f)
{
	capabilities(f, false);
}

static void pmu_caps(const struct header_feature *f)
{
	u32 nr = cursor__u32(f->c);

	for (u32 i = 0; i < nr && !f->c->failed; i++)
		capabilities(f, true);
}

static const char *clock_name(u32 id)
{
	switch (id) {
	case CLOCK_REALTIME:
		return "realtime";
	case CLOCK_MONOTONIC:
		return "monotonic";
	case CLOCK_MONOTONIC_RAW:
		return "monotonic_raw";
	case CLOCK_BOOTTIME:
		return "boottime";
	case CLOCK_TAI:
		return "tai";
	default:
		return "(not found)";
	}
}

static void clock_data(const struct header_feature *f)
{
	u32 format = cursor__u32(f->c), id = cursor__u32(f->c);
	u64 wall = cursor__u64(f->c), clock = cursor__u64(f->c);
	time_t sec = wall / NSEC_PER_SEC;
	char date[64] = "<error>";
	struct tm tm;

	if (format != 1) { /* zeros: recorded without -k */
		out__str(f->out, "# reference time disabled\n");
		return;
	}
	if (localtime_r(&sec, &tm))
		strftime(date, sizeof(date), "%F %T", &tm);
	out__printf(f->out, "# clockid: %s (%u)\n# reference time: %s.%06llu = ", clock_name(id),
	            id, date, (unsigned long long)(wall % NSEC_PER_SEC / NSEC_PER_USEC));
	seconds(f->out, wall);
	out__printf(f->out, " (TOD) = %llu.%09llu (%s)\n",
	            (unsigned long long)(clock / NSEC_PER_SEC),
	            (unsigned long long)(clock % NSEC_PER_SEC), clock_name(id));
}

/* Newer than Linux's perf 6.1. */
static void e_machine(const struct header_feature *f)
{
	u32 machine = cursor__u32(f->c), flags = cursor__u32(f->c);

	out__printf(f->out, "# e_machine : %u, flags 0x%x\n", machine, flags);
}

static void cache_line(const struct header_feature *f)
{
	out__printf(f->out, "# cache line size : %u\n", cursor__u32(f->c));
}

static const struct {
	void (*print)(const struct header_feature *f);
	bool full_only;
} printers[] = {
	[FEATURE_HOSTNAME] = { hostname, false },
	[FEATURE_OSRELEASE] = { osrelease, false },
	[FEATURE_VERSION] = { version, false },
	[FEATURE_ARCH] = { arch, false },
	[FEATURE_NRCPUS] = { nrcpus, false },
	[FEATURE_CPUDESC] = { cpudesc, false },
	[FEATURE_CPUID] = { cpuid, false },
	[FEATURE_TOTAL_MEM] = { total_mem, false },
	[FEATURE_CMDLINE] = { cmdline, false },
	[FEATURE_EVENT_DESC] = { event_desc, false },
	[FEATURE_CPU_TOPOLOGY] = { header__cpu_topology, true },
	[FEATURE_NUMA_TOPOLOGY] = { header__numa_topology, true },
	[FEATURE_BRANCH_STACK] = { branch_stack, false },
	[FEATURE_PMU_MAPPINGS] = { pmu_mappings, false },
	[FEATURE_GROUP_DESC] = { group_desc, false },
	[FEATURE_AUXTRACE] = { auxtrace, false },
	[FEATURE_STAT] = { stat_data, false },
	[FEATURE_CACHE] = { header__caches, true },
	[FEATURE_SAMPLE_TIME] = { sample_time, false },
	[FEATURE_MEM_TOPOLOGY] = { header__memory_nodes, true },
	[FEATURE_CLOCKID] = { clockid, false },
	[FEATURE_DIR_FORMAT] = { dir_format, false },
	[FEATURE_BPF_PROG_INFO] = { header__bpf_programs, false },
	[FEATURE_BPF_BTF] = { header__bpf_btf, false },
	[FEATURE_COMPRESSED] = { compressed, false },
	[FEATURE_CPU_PMU_CAPS] = { cpu_pmu_caps, false },
	[FEATURE_CLOCK_DATA] = { clock_data, false },
	[FEATURE_HYBRID_TOPOLOGY] = { header__hybrid_topology, true },
	[FEATURE_PMU_CAPS] = { pmu_caps, false },
	[FEATURE_E_MACHINE] = { e_machine, false },
	[FEATURE_CLN_SIZE] = { cache_line, false },
};

static void print_feature(struct out *out, const struct perf_data *data, unsigned feature,
                          bool full)
{
	if (feature >= ARRAY_SIZE(printers) || !printers[feature].print)
		return;
	if (printers[feature].full_only && !full) {
		out__printf(out, "# %s info available, use -I to display\n",
		            perf_feature__name(feature));
		return;
	}
	struct cursor c = perf_data__feature_cursor(data, feature);
	struct out text;

	out__init(&text, -1);
	if (!c.failed)
		printers[feature].print(&(struct header_feature){ data, &c, &text });
	if (c.failed)
		out__printf(out, "# %s info is damaged\n", perf_feature__name(feature));
	else
		out__str(out, out__take(&text));
	out__exit(&text);
}

/* Of those that Linux's perf 6.1 knows: files of today would else all "miss" the newest ones. */
static void missing_features(struct out *out, const struct perf_data *data)
{
	out__str(out, "# missing features: ");
	for (unsigned i = FEATURE_TRACING_DATA; i <= FEATURE_PMU_CAPS; i++)
		if (!perf_data__has_feature(data, i))
			out__printf(out, "%s ", perf_feature__name(i));
	out__char(out, '\n');
}

void header__print(struct out *out, const struct perf_data *data, bool full)
{
	const struct perf_data_info *info = perf_data__info(data);
	time_t captured = info->captured;
	char date[32];

	if (!ctime_r(&captured, date))
		strcpy(date, "unknown\n");
	out__str(out, "# ========\n# captured on    : ");
	out__str(out, date);
	bool sections = !perf_data__is_pipe_form(data);
	u64 offset = sections ? info->data_offset : 0;

	out__printf(out,
	            "# header version : 1\n# data offset    : %llu\n# data size      : %llu\n"
	            "# feat offset    : %llu\n",
	            (unsigned long long)offset, (unsigned long long)info->data_size,
	            (unsigned long long)(offset + info->data_size));
	if (!sections) /* the frame ends before what the stream tells */
		out__str(out, "# ========\n#\n");
	for (unsigned i = 0; i < FEATURE_MAX; i++)
		if (perf_data__has_feature(data, i))
			print_feature(out, data, i, full);
	if (!sections)
		return;
	missing_features(out, data);
	out__str(out, "# ========\n#\n");
}
