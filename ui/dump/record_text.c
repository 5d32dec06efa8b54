// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/dump/record_text.h"

#include <sys/mman.h>

void record_text__hex(struct out *out, u64 value)
{
	if (value)
		out__str(out, "0x");
	out__hex(out, value, 0);
}

static void print_pair(struct out *out, u32 a, char between, u32 b)
{
	out__sdec(out, (s32)a);
	out__char(out, between);
	out__sdec(out, (s32)b);
}

static bool print_comm(struct out *out, const struct record *r, bool swap)
{
	struct comm_record comm;

	if (comm_record__decode(r, swap, &comm))
		return false;
	out__str(out, comm.exec ? "PERF_RECORD_COMM exec: " : "PERF_RECORD_COMM: ");
	out__name(out, comm.name);
	out__char(out, ':');
	print_pair(out, comm.pid, '/', comm.tid);
	return true;
}

static bool print_task(struct out *out, const struct record *r, bool swap)
{
	struct task_record task;

	if (task_record__decode(r, swap, &task))
		return false;
	out__str(out, r->type == PERF_RECORD_FORK ? "PERF_RECORD_FORK(" : "PERF_RECORD_EXIT(");
	print_pair(out, task.pid, ':', task.tid);
	out__str(out, "):(");
	print_pair(out, task.ppid, ':', task.ptid);
	out__char(out, ')');
	return true;
}

static void print_map_source(struct out *out, const struct mmap_record *map)
{
	out__char(out, ' ');
	if (map->has_build_id) {
		out__char(out, '<');
		for (unsigned i = 0; i < map->build_id_size && i < sizeof(map->build_id); i++)
			out__hex0(out, map->build_id[i], 2);
		out__char(out, '>');
		return;
	}
	out__hex0(out, map->maj, 2);
	out__char(out, ':');
	out__hex0(out, map->min, 2);
	out__char(out, ' ');
	out__dec(out, map->ino, 0);
	out__char(out, ' ');
	out__dec(out, map->ino_generation, 0);
}

static bool print_map(struct out *out, const struct record *r, bool swap)
{
	bool wide = r->type == PERF_RECORD_MMAP2;
	struct mmap_record map;

	if (mmap_record__decode(r, swap, &map))
		return false;
	out__str(out, wide ? "PERF_RECORD_MMAP2 " : "PERF_RECORD_MMAP ");
	print_pair(out, map.pid, '/', map.tid);
	out__str(out, ": [");
	record_text__hex(out, map.start);
	out__char(out, '(');
	record_text__hex(out, map.len);
	out__str(out, ") @ ");
	record_text__hex(out, map.pgoff);
	if (wide)
		print_map_source(out, &map);
	out__str(out, "]: ");
	if (wide) {
		out__char(out, map.prot & PROT_READ ? 'r' : '-');
		out__char(out, map.prot & PROT_WRITE ? 'w' : '-');
		out__char(out, map.prot & PROT_EXEC ? 'x' : '-');
		out__char(out, map.flags & MAP_SHARED ? 's' : 'p');
	} else {
		out__char(out, map.is_data ? 'r' : 'x');
	}
	out__char(out, ' ');
	out__name(out, map.name);
	return true;
}

/* The fields behind the header. */
static struct cursor body_of(const struct record *r, bool swap)
{
	return cursor__make(r->data + RECORD_HEADER_SIZE, r->size - RECORD_HEADER_SIZE, swap);
}

static bool print_switch(struct out *out, const struct record *r, bool swap)
{
	bool leaves = r->misc & PERF_RECORD_MISC_SWITCH_OUT;
	bool wide = r->type == PERF_RECORD_SWITCH_CPU_WIDE;
	struct cursor c = body_of(r, swap);
	const char *way = !leaves                                         ? "IN"
	                  : r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "OUT preempt"
	                                                                  : "OUT";
	u32 pid = wide ? cursor__u32(&c) : 0, tid = wide ? cursor__u32(&c) : 0;

	if (c.failed)
		return false;
	out__str(out, "PERF_RECORD_SWITCH");
	if (wide)
		out__str(out, "_CPU_WIDE");
	out__char(out, ' ');
	out__left(out, way, 11);
	if (wide)
		out__printf(out, "  %s pid/tid: %5d/%-5d", leaves ? "next" : "prev", (s32)pid,
		            (s32)tid);
	return true;
}

static bool print_namespaces(struct out *out, const struct record *r, bool swap)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	enum { LINE = 4 }; /* namespaces in one */
	struct cursor c = body_of(r, swap);
	u32 pid = cursor__u32(&c), tid = cursor__u32(&c);
	u64 nr = cursor__u64(&c);

	if (c.failed || nr > cursor__left(&c) / 16)
		return false;
	out__str(out, "PERF_RECORD_NAMESPACES ");
	print_pair(out, pid, '/', tid);
	out__printf(out, " - nr_namespaces: %llu\n\t\t[", (unsigned long long)nr);
	for (u64 i = 0; i < nr; i++) {
		u64 dev = cursor__u64(&c), ino = cursor__u64(&c);

		if (i && i % LINE == 0)
			out__str(out, "\n\t\t ");
		out__printf(out, "%llu/%s: %llu/%#llx%s", (unsigned long long)i,
		            i < ARRAY_SIZE(names) ? names[i] : "UNKNOWN", (unsigned long long)dev,
		            (unsigned long long)ino, i + 1 < nr ? ", " : "]");
	}
	return true;
}

static bool print_ksymbol(struct out *out, const struct record *r, bool swap)
{
	struct ksymbol_record symbol;

	if (ksymbol_record__decode(r, swap, &symbol))
		return false;
	out__printf(out, "PERF_RECORD_KSYMBOL addr %llx len %u type %u flags 0x%x name ",
	            (unsigned long long)symbol.addr, symbol.len, symbol.type, symbol.flags);
	out__name(out, symbol.name);
	return true;
}

static bool print_bpf(struct out *out, const struct record *r, bool swap)
{
	struct cursor c = body_of(r, swap);
	u16 type = cursor__u16(&c), flags = cursor__u16(&c);
	u32 id = cursor__u32(&c);

	if (c.failed)
		return false;
	out__printf(out, "PERF_RECORD_BPF_EVENT type %u, flags %u, id %u", type, flags, id);
	return true;
}

static bool print_cgroup(struct out *out, const struct record *r, bool swap)
{
	struct cursor c = body_of(r, swap);
	u64 id = cursor__u64(&c);
	const char *path = cursor__str(&c, cursor__left(&c));

	if (c.failed)
		return false;
	out__printf(out, "PERF_RECORD_CGROUP cgroup: %llu ", (unsigned long long)id);
	out__name(out, path);
	return true;
}

static bool print_aux(struct out *out, const struct record *r, bool swap)
{
	struct cursor c = body_of(r, swap);
	u64 offset = cursor__u64(&c), size = cursor__u64(&c), flags = cursor__u64(&c);

	if (c.failed)
		return false;
	out__printf(out, "PERF_RECORD_AUX offset: %#llx size: %#llx flags: %#llx [%s%s%s]",
	            (unsigned long long)offset, (unsigned long long)size, (unsigned long long)flags,
	            flags & PERF_AUX_FLAG_TRUNCATED ? "T" : "",
	            flags & PERF_AUX_FLAG_OVERWRITE ? "O" : "",
	            flags & PERF_AUX_FLAG_PARTIAL ? "P" : "");
	return true;
}

static bool print_itrace_start(struct out *out, const struct record *r, bool swap)
{
	struct cursor c = body_of(r, swap);
	u32 pid = cursor__u32(&c), tid = cursor__u32(&c);

	if (c.failed)
		return false;
	out__printf(out, "PERF_RECORD_ITRACE_START pid: %u tid: %u", pid, tid);
	return true;
}

static bool print_hw_id(struct out *out, const struct record *r, bool swap)
{
	struct cursor c = body_of(r, swap);
	u64 id = cursor__u64(&c);

	if (!c.failed)
		out__printf(out, "PERF_RECORD_AUX_OUTPUT_HW_ID hw_id: %#llx",
		            (unsigned long long)id);
	return !c.failed;
}

bool record_text__print(struct out *out, const struct record *r, bool swap)
{
	switch (r->type) {
	case PERF_RECORD_COMM:
		return print_comm(out, r, swap);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return print_task(out, r, swap);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return print_map(out, r, swap);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return print_switch(out, r, swap);
	case PERF_RECORD_NAMESPACES:
		return print_namespaces(out, r, swap);
	case PERF_RECORD_KSYMBOL:
		return print_ksymbol(out, r, swap);
	case PERF_RECORD_BPF_EVENT:
		return print_bpf(out, r, swap);
	case PERF_RECORD_CGROUP:
		return print_cgroup(out, r, swap);
	case PERF_RECORD_AUX:
		return print_aux(out, r, swap);
	case PERF_RECORD_ITRACE_START:
		return print_itrace_start(out, r, swap);
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		return print_hw_id(out, r, swap);
	default:
		return false;
	}
}

void record_text__page_size(struct out *out, u64 size)
{
	static const char units[] = "BKMG";
	unsigned unit = 0;

	if (!size) {
		out__str(out, "N/A");
		return;
	}
	while (unit < 3 && size / 1024 > 1) {
		size /= 1024;
		unit++;
	}
	out__dec(out, size, 0);
	out__char(out, units[unit]);
}
