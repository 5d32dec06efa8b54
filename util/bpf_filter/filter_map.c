// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf_filter/filter_map.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/bpf_filter/bpf_calls.h"
#include "util/lib/file.h"

static u32 own_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
}

/* In clock ticks since boot; 0: there is no such process. */
static u64 start_of(u32 pid)
{
	char path[40], text[1024];
	const char *behind_comm;
	unsigned long long start;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (file__read_text(path, text, sizeof(text)) <= 0)
		return 0;
	behind_comm = strrchr(text, ')'); /* a comm may hold anything, ')' too */
	if (!behind_comm ||
	    sscanf(behind_comm,
	           ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
	           "%llu",
	           &start) != 1)
		return 0;
	return start;
}

void filter_entry__own(struct filter_entry *entry)
{
	entry->owner_pid = getpid();
	entry->owner_start = start_of(entry->owner_pid);
	entry->owner_namespace = own_namespace();
}

bool filter_entry__is_left(const struct filter_entry *entry)
{
	if (!entry->owner_pid || !entry->owner_namespace ||
	    entry->owner_namespace != own_namespace())
		return false;
	/* A process that /proc hides (hidepid) is there for kill(). */
	if (kill(entry->owner_pid, 0) && errno == ESRCH)
		return true;
	u64 start = start_of(entry->owner_pid);

	return start && entry->owner_start && start != entry->owner_start;
}

u32 filter_map__tidy(int map)
{
	struct filter_entry entry;
	u64 key, next;
	u32 nr = 0;
	int more = bpf_call__next_key(map, NULL, &next);

	/* Others change the map meanwhile: the steps are counted. */
	for (u32 step = 0; !more && step < 1u << 16; step++) {
		key = next;
		more = bpf_call__next_key(map, &key, &next);
		if (!bpf_call__lookup(map, &key, &entry) && filter_entry__is_left(&entry))
			nr += !bpf_call__remove(map, &key);
	}
	return nr;
}
