// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/writer/feature_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arch/arch.h"
#include "util/event/cpu_id.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/reader/reader.h"
#include "util/synthesize/synthesize.h"

#define STRING_STEP        64
#define BUILD_ID_NAME_STEP 64

void feature__put_u32(struct out *out, u32 value)
{
	out__mem(out, &value, sizeof(value));
}

void feature__put_u64(struct out *out, u64 value)
{
	out__mem(out, &value, sizeof(value));
}

/* @s, its NUL and zeros up to a multiple of @step. */
static void put_padded(struct out *out, const char *s, size_t step)
{
	size_t len = strlen(s);
	size_t padded = round_up_u64(len + 1, step);
	char *room = out__room(out, padded);

	memcpy(room, s, len);
	memset(room + len, 0, padded - len);
	out->len += padded;
}

void feature__put_string(struct out *out, const char *s)
{
	feature__put_u32(out, round_up_u64(strlen(s) + 1, STRING_STEP));
	put_padded(out, s, STRING_STEP);
}

static bool write_uname(unsigned feature, struct out *out)
{
	struct utsname name;

	if (uname(&name) < 0)
		return false;
	feature__put_string(out, feature == FEATURE_HOSTNAME    ? name.nodename
	                         : feature == FEATURE_OSRELEASE ? name.release
	                                                        : name.machine);
	return true;
}

static bool write_nrcpus(struct out *out)
{
	long present = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);

	if (present <= 0 || online <= 0)
		return false;
	feature__put_u32(out, present);
	feature__put_u32(out, online);
	return true;
}

static bool write_cpudesc(const struct arch *arch, const char *cpuinfo, struct out *out)
{
	char value[256];

	if (!arch->cpudesc_key || !cpuinfo__value(cpuinfo, arch->cpudesc_key, value, sizeof(value)))
		return false;
	feature__put_string(out, value);
	return true;
}

#define CPUID_SIZE 256 /* four values and the commas between them */

/* "GenuineIntel,6,85,7" */
static bool cpuid_of_lines(const struct arch *arch, const char *cpuinfo, char *id)
{
	char value[CPUID_SIZE / ARRAY_SIZE(arch->cpuid_keys)];
	size_t used = 0;

	for (u32 i = 0; i < ARRAY_SIZE(arch->cpuid_keys) && arch->cpuid_keys[i]; i++) {
		if (!cpuinfo__value(cpuinfo, arch->cpuid_keys[i], value, sizeof(value)))
			return false;
		used += snprintf(id + used, CPUID_SIZE - used, "%s%s", i ? "," : "", value);
	}
	return used > 0;
}

static bool cpuid_of_file(const struct arch *arch, const char *root, char *id)
{
	char *path = xasprintf("%s/%s", root, arch->cpuid_file);
	bool found = file__read_text(path, id, CPUID_SIZE) > 0;

	free(path);
	return found;
}

static bool write_cpu(unsigned feature, const char *root, struct out *out)
{
	const struct arch *arch = arch__here();
	char *path = xasprintf("%s/proc/cpuinfo", root);
	char cpuinfo[4096]; /* the first processor is enough */
	char id[CPUID_SIZE];
	bool ok = file__read_text(path, cpuinfo, sizeof(cpuinfo)) > 0;

	free(path);
	if (!ok)
		return false;
	if (feature == FEATURE_CPUDESC)
		return write_cpudesc(arch, cpuinfo, out);
	ok = arch->cpuid_file ? cpuid_of_file(arch, root, id) : cpuid_of_lines(arch, cpuinfo, id);
	if (ok)
		feature__put_string(out, id);
	return ok;
}

static bool write_total_mem(const char *root, struct out *out)
{
	char *path = xasprintf("%s/proc/meminfo", root);
	char text[256];
	unsigned long long kb;
	bool ok = file__read_text(path, text, sizeof(text)) > 0 &&
	          sscanf(text, "MemTotal: %llu", &kb) == 1;

	free(path);
	if (ok)
		feature__put_u64(out, kb);
	return ok;
}

static bool write_cmdline(const struct feature_source *source, struct out *out)
{
	char self[4096];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len <= 0)
		return false;
	self[len] = '\0';
	feature__put_u32(out, 1 + source->nr_words);
	feature__put_string(out, self);
	for (u32 i = 0; i < source->nr_words; i++)
		feature__put_string(out, source->words[i]);
	return true;
}

static bool write_event_desc(const struct evlist *evlist, struct out *out)
{
	feature__put_u32(out, evlist->nr);
	feature__put_u32(out, evlist->evsels[0]->attr.size);
	for (u32 i = 0; i < evlist->nr; i++) {
		const struct evsel *evsel = evlist->evsels[i];

		out__mem(out, &evsel->attr, evlist->evsels[0]->attr.size);
		feature__put_u32(out, evsel->nr_ids);
		feature__put_string(out, evsel->name);
		out__mem(out, evsel->ids, evsel->nr_ids * sizeof(u64));
	}
	return true;
}

static bool write_group_desc(const struct evlist *evlist, struct out *out)
{
	u32 nr = 0;

	for (u32 i = 0; i < evlist->nr; i++)
		nr += evlist->evsels[i]->nr_members > 1;
	if (!nr)
		return false;
	feature__put_u32(out, nr);
	for (u32 i = 0; i < evlist->nr; i++) {
		const struct evsel *evsel = evlist->evsels[i];

		if (evsel->nr_members < 2)
			continue;
		feature__put_string(out, evsel->group_name ? evsel->group_name : "{anon_group}");
		feature__put_u32(out, i);
		feature__put_u32(out, evsel->nr_members);
	}
	return true;
}

#define BUILD_ID_EVENT_NAME 36 /* header 8, pid 4, id 20, length 1, zeros 3 */
#define MISC_BUILD_ID_SIZE  0x8000

static bool write_build_ids(const struct feature_source *source, struct out *out)
{
	for (u32 i = 0; i < source->nr_build_ids; i++) {
		const struct build_id_entry *entry = &source->build_ids[i];
		size_t name = round_up_u64(strlen(entry->name) + 1, BUILD_ID_NAME_STEP);
		u16 head[2] = { entry->cpumode | MISC_BUILD_ID_SIZE, BUILD_ID_EVENT_NAME + name };
		u8 size[4] = { entry->size };

		if (name > 0x8000) /* cannot be said in a 16-bit size; no path is that long */
			continue;
		feature__put_u32(out, 0);
		out__mem(out, head, sizeof(head));
		feature__put_u32(out, entry->pid);
		out__mem(out, entry->id, sizeof(entry->id));
		out__mem(out, size, sizeof(size));
		put_padded(out, entry->name, BUILD_ID_NAME_STEP);
	}
	return source->build_ids_wanted;
}

static bool write_clock(unsigned feature, const struct feature_source *source, struct out *out)
{
	if (!source->clockid_set)
		return false;
	if (feature == FEATURE_CLOCKID) {
		feature__put_u64(out, source->clock_resolution);
		return true;
	}
	feature__put_u32(out, 1); /* version */
	feature__put_u32(out, source->clockid);
	feature__put_u64(out, source->clock_wall_ns);
	feature__put_u64(out, source->clock_ns);
	return true;
}

static bool write_compressed(const struct feature_source *source, struct out *out)
{
	feature__put_u32(out, 0); /* version */
	feature__put_u32(out, 1); /* zstd */
	feature__put_u32(out, source->compression);
	feature__put_u32(out, source->compression_ratio);
	feature__put_u32(out, source->decompressed_max);
	return source->compression != 0;
}

/* Those of call chains (record --call-graph lbr) are not shown as branches. */
static bool write_branch_stack(const struct evlist *evlist)
{
	for (u32 i = 0; i < evlist->nr; i++) {
		const struct perf_event_attr *attr = &evlist->evsels[i]->attr;

		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
		    !(attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
			return true;
	}
	return false;
}

/* Written anew in a copy; the others of the recording are taken as they are. */
static bool is_copied(unsigned feature, const struct feature_source *source)
{
	return feature != FEATURE_BUILD_ID && (feature != FEATURE_CMDLINE || !source->nr_words);
}

static bool copy_section(unsigned feature, const struct feature_source *source, struct out *out)
{
	size_t size = 0;

	/* The copy's data are records in the clear, in one file, at other offsets. */
	if (feature == FEATURE_COMPRESSED || feature == FEATURE_DIR_FORMAT ||
	    feature == FEATURE_AUXTRACE || !perf_data__has_feature(source->copy_from, feature))
		return false;
	const void *bytes = perf_data__feature(source->copy_from, feature, &size);

	out__mem(out, bytes, bytes ? size : 0);
	return bytes || feature == FEATURE_STAT || feature == FEATURE_BRANCH_STACK;
}

bool feature__write(unsigned feature, const struct feature_source *source, struct out *out)
{
	if (source->copy_from && is_copied(feature, source))
		return copy_section(feature, source, out);
	switch (feature) {
	case FEATURE_TRACING_DATA:
		return feature__write_tracing_data(source, out);
	case FEATURE_BUILD_ID:
		return write_build_ids(source, out);
	case FEATURE_HOSTNAME:
	case FEATURE_OSRELEASE:
	case FEATURE_ARCH:
		return write_uname(feature, out);
	case FEATURE_VERSION:
		feature__put_string(out, source->version);
		return true;
	case FEATURE_NRCPUS:
		return write_nrcpus(out);
	case FEATURE_CPUDESC:
	case FEATURE_CPUID:
		return write_cpu(feature, source->root, out);
	case FEATURE_TOTAL_MEM:
		return write_total_mem(source->root, out);
	case FEATURE_CMDLINE:
		return write_cmdline(source, out);
	case FEATURE_EVENT_DESC:
		return write_event_desc(source->evlist, out);
	case FEATURE_CPU_TOPOLOGY:
		return feature__write_cpu_topology(source, out);
	case FEATURE_NUMA_TOPOLOGY:
		return feature__write_numa_topology(source, out);
	case FEATURE_BRANCH_STACK:
		return write_branch_stack(source->evlist);
	case FEATURE_STAT:
		return source->counts;
	case FEATURE_PMU_MAPPINGS:
		return feature__write_pmu_mappings(source, out);
	case FEATURE_GROUP_DESC:
		return write_group_desc(source->evlist, out);
	case FEATURE_CACHE:
		return feature__write_cache(source, out);
	case FEATURE_SAMPLE_TIME:
		feature__put_u64(out, source->first_sample);
		feature__put_u64(out, source->last_sample);
		return true;
	case FEATURE_MEM_TOPOLOGY:
		return feature__write_mem_topology(source, out);
	case FEATURE_CLOCKID:
	case FEATURE_CLOCK_DATA:
		return write_clock(feature, source, out);
	case FEATURE_BPF_PROG_INFO:
		if (source->bpf_code) {
			synth__bpf_code(out, NULL);
			return true;
		}
		feature__put_u32(out, 0);
		return true;
	case FEATURE_BPF_BTF:
		/* Written empty, as 6.1 does on a machine without loaded programs. */
		feature__put_u32(out, 0);
		return true;
	case FEATURE_COMPRESSED:
		return write_compressed(source, out);
	case FEATURE_DIR_FORMAT:
		feature__put_u64(out, 1); /* the version */
		out__mem(out, source->part_sizes, source->nr_parts * sizeof(u64));
		return source->nr_parts > 0;
	case FEATURE_CPU_PMU_CAPS:
		return feature__write_cpu_pmu_caps(source, out);
	case FEATURE_PMU_CAPS:
		return feature__write_pmu_caps(source, out);
	default:
		return false;
	}
}
