/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prototypes of all tests of `perf test`, by the file of their subject. Their needs: table.c. */
#ifndef PERF_SELFTEST_TESTS_H
#define PERF_SELFTEST_TESTS_H

#include "selftest/selftest.h"

/* counting.c */
enum verdict test_counter_opens(struct selftest *test);
enum verdict test_page_faults(struct selftest *test);
enum verdict test_task_clock(struct selftest *test);
enum verdict test_context_switches(struct selftest *test);
enum verdict test_inherit(struct selftest *test);
enum verdict test_group(struct selftest *test);
enum verdict test_attach(struct selftest *test);

/* sampling.c */
enum verdict test_ring(struct selftest *test);
enum verdict test_lost(struct selftest *test);
enum verdict test_breakpoint_execution(struct selftest *test);
enum verdict test_breakpoint_write(struct selftest *test);

/* sideband.c */
enum verdict test_comm(struct selftest *test);
enum verdict test_mmap(struct selftest *test);
enum verdict test_task(struct selftest *test);

/* kernel.c */
enum verdict test_tracepoint_count(struct selftest *test);
enum verdict test_tracepoint_filter(struct selftest *test);
enum verdict test_tracepoint_fields(struct selftest *test);
enum verdict test_hardware_instructions(struct selftest *test);
enum verdict test_hardware_branches(struct selftest *test);
enum verdict test_hardware_cycles(struct selftest *test);

/* texts.c */
enum verdict test_event_texts(struct selftest *test);
enum verdict test_event_mistakes(struct selftest *test);
enum verdict test_event_sources(struct selftest *test);
enum verdict test_tracepoint_names(struct selftest *test);

/* files.c */
enum verdict test_round_trip(struct selftest *test);
enum verdict test_damage(struct selftest *test);
enum verdict test_build_id_cache(struct selftest *test);

/* names.c */
enum verdict test_symbols(struct selftest *test);
enum verdict test_kallsyms(struct selftest *test);
enum verdict test_vdso(struct selftest *test);
enum verdict test_perf_map(struct selftest *test);
enum verdict test_demangle(struct selftest *test);

/* system.c */
enum verdict test_cpus(struct selftest *test);
enum verdict test_threads(struct selftest *test);
enum verdict test_clocks(struct selftest *test);
enum verdict test_tsc(struct selftest *test);
enum verdict test_time_spans(struct selftest *test);

/* profiles.c */
enum verdict test_thloop(struct selftest *test);
enum verdict test_report(struct selftest *test);
enum verdict test_stat(struct selftest *test);
enum verdict test_noploop(struct selftest *test);
enum verdict test_leafloop(struct selftest *test);
enum verdict test_brstack(struct selftest *test);
enum verdict test_datasym(struct selftest *test);
enum verdict test_inlineloop(struct selftest *test);
enum verdict test_sqrtloop(struct selftest *test);

#endif
