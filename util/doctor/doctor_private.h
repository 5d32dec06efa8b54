/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the probes, util/doctor/probe_*.c, and the table in doctor.c alone. */
#ifndef PERF_UTIL_DOCTOR_DOCTOR_PRIVATE_H
#define PERF_UTIL_DOCTOR_DOCTOR_PRIVATE_H

#include "util/doctor/doctor.h"

/* Fill the proof; control characters are replaced. */
void finding__prove(struct finding *finding, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* It does not work; the reason was filled before (here, or by refusal.h). */
void finding__fail(struct finding *finding, enum facility_state state);

/* The same with words of its own. @fix may be "": nothing changes it. */
void finding__because(struct finding *finding, enum facility_state state, const char *cause,
                      const char *fix);

/* Below doctor->root: a file's text (-errno), a number, is it there? */
int doctor__read(const struct doctor *doctor, const char *path, char *buf, size_t size);
int doctor__setting(const struct doctor *doctor, const char *path);
bool doctor__exists(const struct doctor *doctor, const char *path);

/* Open a counter as tried, close it: 0 or a negative errno. @pid 0: this process, -1: all. */
int doctor__try(struct doctor *doctor, struct perf_event_attr *attr, pid_t pid);

/* Is even user space of ourselves refused? */
bool doctor__own_refused(struct doctor *doctor);

/* An attr that asks for as little as there is: user space, disabled. */
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

/* ftrace:function, which tracefs lists as @id, on a whole CPU. */
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
