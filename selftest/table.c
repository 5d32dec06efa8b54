// SPDX-License-Identifier: GPL-2.0-or-later
/* All tests, in the order of their numbers: from what everything needs to whole commands. */
#include "selftest/tests.h"

static const struct selftest_case counter_opens[] = {
	{ NULL, test_counter_opens, 0 },
};

static const struct selftest_case software_counters_count_what_happened[] = {
	{ "page faults of this thread", test_page_faults, NEEDS_EVENTS },
	{ "task clock against the thread's CPU clock", test_task_clock, NEEDS_EVENTS },
	{ "context switches", test_context_switches, NEEDS_KERNEL },
	{ "children are counted when inherited", test_inherit, NEEDS_EVENTS },
	{ "a process that runs already", test_attach, NEEDS_EVENTS },
};

static const struct selftest_case group[] = {
	{ NULL, test_group, NEEDS_EVENTS },
};

static const struct selftest_case samples_come_through_the_ring_buffer[] = {
	{ "each one, once, in order", test_ring, NEEDS_EVENTS },
	{ "what does not fit is counted as lost", test_lost, NEEDS_EVENTS },
};

static const struct selftest_case records_about_tasks_and_maps[] = {
	{ "changes of a name", test_comm, NEEDS_EVENTS },
	{ "maps of code", test_mmap, NEEDS_PROGRAM | NEEDS_EVENTS },
	{ "fork, exec and end of a child", test_task, NEEDS_PROGRAM | NEEDS_EVENTS },
};

static const struct selftest_case breakpoints[] = {
	{ "execution of a function", test_breakpoint_execution, NEEDS_EVENTS },
	{ "stores to a variable", test_breakpoint_write, NEEDS_EVENTS },
};

static const struct selftest_case tracepoints[] = {
	{ "each hit is counted", test_tracepoint_count, NEEDS_TRACEPOINTS },
	{ "filters of the kernel", test_tracepoint_filter, NEEDS_TRACEPOINTS },
	{ "fields of samples", test_tracepoint_fields, NEEDS_TRACEPOINTS },
};

static const struct selftest_case hardware_counters[] = {
	{ "instructions of a loop", test_hardware_instructions, NEEDS_EVENTS },
	{ "branches of a loop", test_hardware_branches, NEEDS_EVENTS },
	{ "cycles", test_hardware_cycles, NEEDS_EVENTS },
};

static const struct selftest_case event_texts[] = {
	{ "names, terms, modifiers and groups", test_event_texts, 0 },
	{ "mistakes are refused with a reason", test_event_mistakes, 0 },
	{ "event sources of this machine", test_event_sources, 0 },
	{ "tracepoints of this kernel", test_tracepoint_names, NEEDS_TRACEPOINTS },
};

static const struct selftest_case round_trip[] = {
	{ NULL, test_round_trip, NEEDS_DIR },
};

static const struct selftest_case damage[] = {
	{ NULL, test_damage, NEEDS_DIR },
};

static const struct selftest_case build_id_cache[] = {
	{ NULL, test_build_id_cache, NEEDS_DIR | NEEDS_PROGRAM },
};

static const struct selftest_case symbols[] = {
	{ NULL, test_symbols, NEEDS_NAMES },
};

static const struct selftest_case kallsyms[] = {
	{ NULL, test_kallsyms, 0 },
};

static const struct selftest_case vdso[] = {
	{ NULL, test_vdso, 0 },
};

static const struct selftest_case perf_map[] = {
	{ NULL, test_perf_map, NEEDS_DIR },
};

static const struct selftest_case demangle[] = {
	{ NULL, test_demangle, 0 },
};

static const struct selftest_case cpus[] = {
	{ NULL, test_cpus, 0 },
};

static const struct selftest_case threads[] = {
	{ NULL, test_threads, 0 },
};

static const struct selftest_case clocks[] = {
	{ NULL, test_clocks, NEEDS_EVENTS },
};

static const struct selftest_case tsc[] = {
	{ NULL, test_tsc, NEEDS_EVENTS },
};

static const struct selftest_case time_spans[] = {
	{ NULL, test_time_spans, 0 },
};

static const struct selftest_case stat[] = {
	{ NULL, test_stat, NEEDS_DIR | NEEDS_PROGRAM | NEEDS_EVENTS },
};

static const struct selftest_case report[] = {
	{ NULL, test_report, NEEDS_DIR | NEEDS_EVENTS | NEEDS_NAMES },
};

static const struct selftest_case known_profiles_with_their_callers[] = {
	{ "noploop", test_noploop, NEEDS_DIR | NEEDS_EVENTS | NEEDS_NAMES },
	{ "thloop: two threads", test_thloop, NEEDS_DIR | NEEDS_EVENTS | NEEDS_NAMES },
	{ "leafloop: callers of a leaf function", test_leafloop,
	  NEEDS_DIR | NEEDS_EVENTS | NEEDS_NAMES },
	{ "sqrtloop: a child process", test_sqrtloop, NEEDS_DIR | NEEDS_EVENTS | NEEDS_NAMES },
	{ "brstack: short calls", test_brstack, NEEDS_DIR | NEEDS_EVENTS | NEEDS_NAMES },
	{ "datasym", test_datasym, NEEDS_DIR | NEEDS_EVENTS | NEEDS_NAMES },
	{ "inlineloop: what was inlined is its caller's", test_inlineloop,
	  NEEDS_DIR | NEEDS_EVENTS | NEEDS_NAMES },
};

#define SUITE(about, cases)                                                                        \
	{                                                                                          \
		about, cases, ARRAY_SIZE(cases)                                                    \
	}

static const struct selftest_suite suites[] = {
	SUITE("Counters can be opened", counter_opens),
	SUITE("Software counters count what happened", software_counters_count_what_happened),
	SUITE("A group is counted and read as one", group),
	SUITE("Samples come through the ring buffer", samples_come_through_the_ring_buffer),
	SUITE("Records about tasks and maps", records_about_tasks_and_maps),
	SUITE("Breakpoints", breakpoints),
	SUITE("Tracepoints", tracepoints),
	SUITE("Hardware counters", hardware_counters),
	SUITE("Event texts", event_texts),
	SUITE("perf.data is read as it was written", round_trip),
	SUITE("A damaged perf.data keeps what is good", damage),
	SUITE("Build-id cache", build_id_cache),
	SUITE("Symbols", symbols),
	SUITE("Kernel functions against /proc/kallsyms", kallsyms),
	SUITE("Functions of the vdso", vdso),
	SUITE("Names of code made at run time (perf-PID.map)", perf_map),
	SUITE("Names of C++ and Rust functions", demangle),
	SUITE("CPUs of this machine", cpus),
	SUITE("Threads of a process", threads),
	SUITE("Samples carry the clock that was asked for", clocks),
	SUITE("The TSC as a time of perf", tsc),
	SUITE("Spans of time (--time)", time_spans),
	SUITE("perf stat of a command", stat),
	SUITE("perf record, then report and script", report),
	SUITE("Known profiles, with their callers", known_profiles_with_their_callers),
};

const struct selftest_suite *selftest_suites(u32 *nr)
{
	*nr = ARRAY_SIZE(suites);
	return suites;
}
