/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What decides whether this process may measure: kernel settings, its capabilities, limits. All is
 * read from /proc and /sys; nothing is tried or changed. From this evidence refusal.h picks the one
 * cause of a refusal, for the errors of every command and for `perf doctor`.
 */
#ifndef PERF_UTIL_EVENT_ACCESS_H
#define PERF_UTIL_EVENT_ACCESS_H

#include <sys/types.h>

#include "util/lib/types.h"

#define ACCESS_UNKNOWN (-100) /* a setting that this kernel lacks, or that cannot be read */

/* Numbers of linux/capability.h; CAP_PERFMON is newer than many of them. */
enum access_cap {
	ACCESS_CAP_IPC_LOCK = 14,
	ACCESS_CAP_SYS_PTRACE = 19,
	ACCESS_CAP_SYS_ADMIN = 21,
	ACCESS_CAP_SYSLOG = 34,
	ACCESS_CAP_PERFMON = 38, /* since 5.8; CAP_SYS_ADMIN does before and after */
	ACCESS_CAP_BPF = 39,
};

struct access {
	int paranoid;          /* kernel.perf_event_paranoid: -1 .. 4 */
	int kptr_restrict;     /* kernel.kptr_restrict: 0 .. 2 */
	int mlock_kb;          /* kernel.perf_event_mlock_kb: of ring memory, for each CPU */
	uid_t uid;             /* effective */
	u64 caps;              /* CapEff: 1 << enum access_cap */
	u64 bounding;          /* CapBnd: what it could ever get */
	int seccomp;           /* 0 none, 1 strict, 2 a filter */
	bool user_ns;          /* its capabilities count in a user namespace only, not for perf */
	char uid_map[40];      /* the first line of /proc/self/uid_map, single blanks */
	char lockdown[24];     /* "none", "integrity", "confidentiality"; "": the kernel has none */
	char container[64];    /* "docker (/.dockerenv)" ...; "": nothing hints at one */
	char lsm[96];          /* the security modules: "capability,yama,apparmor"; "": unknown */
	u32 nr_cpus;           /* online */
	u64 memlock;           /* RLIMIT_MEMLOCK, bytes, ~0: unlimited */
	u64 files, files_hard; /* RLIMIT_NOFILE */
};

/*
 * Read all of it. @root is the prefix of every path: "" for this machine; tests have their own
 * folders. (Limits and the user id always come from the running process.) What cannot be read is
 * ACCESS_UNKNOWN or empty, never an error.
 */
void access__read(struct access *access, const char *root);

/* Does the process have @cap in the initial user namespace, where perf events need it? */
bool access__has_cap(const struct access *access, enum access_cap cap);

/* CAP_PERFMON, or CAP_SYS_ADMIN, which includes it: the paranoid level does not apply. */
bool access__may_all(const struct access *access);

/*
 * Ring memory that this user may lock, all rings together, in KB; ~0 for no limit
 * (CAP_IPC_LOCK, or a paranoid level of -1).
 */
u64 access__ring_budget_kb(const struct access *access);

/* Read a file that holds one small number; ACCESS_UNKNOWN when there is none. */
int access__setting(const char *root, const char *path);

#endif
