/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probes (util/doctor/probe_*.c) and their helpers; for them and the table in doctor.c only. */
#ifndef PERF_UTIL_DOCTOR_DOCTOR_PRIVATE_H
#define PERF_UTIL_DOCTOR_DOCTOR_PRIVATE_H

#include "util/doctor/doctor.h"

/* Set the proof; control characters are replaced. */
void finding__prove(struct finding *finding, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Set the state of a facility that does not work; the reason has been set already. */
void finding__fail(struct finding *finding, enum facility_state state);

/* The same, with cause and fix. @fix may be "": nothing changes it. */
void finding__because(struct finding *finding, enum facility_state state, const char *cause,
                      const char *fix);

/* Of a file below doctor->root: read its text (or -errno), read a number, check that it exists. */
int doctor__read(const struct doctor *doctor, const char *path, char *buf, size_t size);
int doctor__setting(const struct doctor *doctor, const char *path);
bool doctor__exists(const struct doctor *doctor, const char *path);

/* Try to open a counter, and close it: 0 or a negative errno. @pid 0: this process, -1: all. */
int doctor__try(struct doctor *doctor, struct perf_event_attr *attr, pid_t pid);

/* Is even counting our own user space refused? */
bool doctor__own_refused(struct doctor *doctor);

/* The attr that needs the fewest rights: user space, disabled. */
struct perf_event_attr doctor__attr(u32 type, u64 config);

void probe__software(struct doctor *doctor, struct finding *finding);
void probe__cpu_counters(struct doctor *doctor, struct finding *finding);
void probe__kernel(struct doctor *doctor, struct finding *finding);
void probe__system_wide(struct doctor *doctor, struct finding *finding);
void probe__other_processes(struct doctor *doctor, struct finding *finding);
void probe__breakpoints(struct doctor *doctor, struct finding *finding);
void probe__tracepoints(struct doctor *doctor, struct finding *finding);
void probe__raw_tracepoints(struct doctor *doctor, struct finding *finding);
void probe__kprobes(struct doctor *doctor, struct finding *finding);
void probe__uprobes(struct doctor *doctor, struct finding *finding);
void probe__sample_filters(struct doctor *doctor, struct finding *finding);

/* ftrace:function, with the tracefs id @id, on a whole CPU. */
void probe__function_event(struct doctor *doctor, struct finding *finding, int id);

void probe__tracefs(struct doctor *doctor, struct finding *finding);
void probe__ftrace(struct doctor *doctor, struct finding *finding);
void probe__kallsyms(struct doctor *doctor, struct finding *finding);
void probe__vmlinux(struct doctor *doctor, struct finding *finding);
void probe__bpf(struct doctor *doctor, struct finding *finding);
void probe__schedstats(struct doctor *doctor, struct finding *finding);
void probe__clocks(struct doctor *doctor, struct finding *finding);

void probe__paranoid(struct doctor *doctor, struct finding *finding);
void probe__capabilities(struct doctor *doctor, struct finding *finding);
void probe__seccomp(struct doctor *doctor, struct finding *finding);
void probe__lockdown(struct doctor *doctor, struct finding *finding);
void probe__user_namespace(struct doctor *doctor, struct finding *finding);
void probe__container(struct doctor *doctor, struct finding *finding);
void probe__ptrace_scope(struct doctor *doctor, struct finding *finding);

void probe__rings(struct doctor *doctor, struct finding *finding);
void probe__open_files(struct doctor *doctor, struct finding *finding);
void probe__sample_rate(struct doctor *doctor, struct finding *finding);
void probe__cpu_time(struct doctor *doctor, struct finding *finding);
void probe__stack_depth(struct doctor *doctor, struct finding *finding);
void probe__nmi_watchdog(struct doctor *doctor, struct finding *finding);

void probe__build_id_cache(struct doctor *doctor, struct finding *finding);
void probe__disk(struct doctor *doctor, struct finding *finding);
void probe__debuginfod(struct doctor *doctor, struct finding *finding);
void probe__features(struct doctor *doctor, struct finding *finding);

#endif
