// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * landlock: two system calls landlock_add_rule whose arguments are structs, for tools that show
 * arguments. They are made with a descriptor that is none: nothing is restricted, and it does not
 * matter whether this kernel has Landlock.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "selftest/programs.h"
#include "selftest/workloads/workloads.h"

#ifndef __NR_landlock_add_rule
#define __NR_landlock_add_rule 445 /* on all architectures of perf */
#endif

/* The structs of linux/landlock.h, which older headers lack. */
struct path_beneath {
	u64 allowed_access;
	s32 parent_fd;
} __attribute__((packed));

struct net_port {
	u64 allowed_access;
	u64 port;
};

enum { RULE_PATH_BENEATH = 1, RULE_NET_PORT = 2 };

int landlock(int argc, const char **argv, struct error *err)
{
	struct path_beneath path = { .allowed_access = 1 << 2 /* read files */, .parent_fd = 14 };
	struct net_port port = { .allowed_access = 1 << 1 /* connect */, .port = 19 };
	u32 none;

	if (program__count(argc, argv, 0, 0, &none, err))
		return err->code;
	syscall(__NR_landlock_add_rule, -1, RULE_PATH_BENEATH, &path, 0);
	syscall(__NR_landlock_add_rule, -1, RULE_NET_PORT, &port, 0);
	return 0;
}
