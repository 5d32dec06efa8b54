// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "util/lib/file.h"
#include "util/lib/text.h"

/* The inode number that every kernel gives the first user namespace (PROC_USER_INIT_INO). */
#define FIRST_USER_NS "user:[4026531837]"

static int read_below(const char *root, const char *path, char *buf, size_t size)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return file__read_text(full, buf, size);
}

int access__setting(const char *root, const char *path)
{
	char buf[32], *end;
	long value;

	if (read_below(root, path, buf, sizeof(buf)) <= 0)
		return ACCESS_UNKNOWN;
	value = strtol(buf, &end, 10);
	return end == buf || value <= ACCESS_UNKNOWN || value > INT32_MAX ? ACCESS_UNKNOWN
	                                                                  : (int)value;
}

/* The text behind "NAME:\t" in /proc/self/status, or NULL. */
static const char *status_field(const char *status, const char *name)
{
	const char *at = strstr(status, name);

	return at ? at + strlen(name) : NULL;
}

static void read_status(struct access *access, const char *root)
{
	char status[4096];
	const char *at;

	access->seccomp = ACCESS_UNKNOWN;
	read_below(root, "/proc/self/status", status, sizeof(status));
	at = status_field(status, "\nCapEff:\t");
	if (at)
		access->caps = strtoull(at, NULL, 16);
	at = status_field(status, "\nCapBnd:\t");
	if (at)
		access->bounding = strtoull(at, NULL, 16);
	at = status_field(status, "\nSeccomp:\t");
	if (at && *at >= '0' && *at <= '2')
		access->seccomp = *at - '0';
}

/* "     0      65534          1" -> "0 65534 1" */
static void read_uid_map(struct access *access, const char *root)
{
	char buf[128], *save, *word;

	read_below(root, "/proc/self/uid_map", buf, sizeof(buf));
	buf[strcspn(buf, "\n")] = '\0';
	for (word = strtok_r(buf, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		size_t len = strlen(access->uid_map);

		snprintf(access->uid_map + len, sizeof(access->uid_map) - len, "%s%s",
		         len ? " " : "", word);
	}
}

/* The map alone does not tell: a namespace may map everybody to himself. */
static void read_user_ns(struct access *access, const char *root)
{
	char path[512], name[64];
	ssize_t len;

	read_uid_map(access, root);
	snprintf(path, sizeof(path), "%s/proc/self/ns/user", root);
	len = readlink(path, name, sizeof(name) - 1);
	if (len > 0) {
		name[len] = '\0';
		access->user_ns = strcmp(name, FIRST_USER_NS) != 0;
	} else {
		access->user_ns = access->uid_map[0] && strcmp(access->uid_map, "0 0 4294967295");
	}
}

/* "none [integrity] confidentiality": the one in brackets holds. */
static void read_lockdown(struct access *access, const char *root)
{
	char buf[128], *at;

	read_below(root, "/sys/kernel/security/lockdown", buf, sizeof(buf));
	at = strchr(buf, '[');
	if (!at)
		return;
	at[strcspn(at, "]")] = '\0';
	text__printable(access->lockdown, sizeof(access->lockdown), at + 1);
}

static bool exists_below(const char *root, const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return access(full, F_OK) == 0;
}

/* Hints only: a container is not a thing of the kernel. */
static void read_container(struct access *access, const char *root)
{
	static const struct {
		const char *path, *name;
	} files[] = {
		{ "/.dockerenv", "docker" },
		{ "/run/.containerenv", "podman" },
		{ "/dev/.lxc-boot-id", "lxc" },
	};
	char buf[128];

	if (read_below(root, "/run/systemd/container", buf, sizeof(buf)) > 0) {
		snprintf(access->container, sizeof(access->container),
		         "%.30s (/run/systemd/container)", buf);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(files) && !access->container[0]; i++)
		if (exists_below(root, files[i].path))
			snprintf(access->container, sizeof(access->container), "%s (%s)",
			         files[i].name, files[i].path);
}

static void read_limits(struct access *access)
{
	struct rlimit limit;
	long nr = sysconf(_SC_NPROCESSORS_ONLN);

	access->uid = geteuid();
	access->nr_cpus = nr > 0 ? nr : 1;
	if (!getrlimit(RLIMIT_MEMLOCK, &limit))
		access->memlock = limit.rlim_cur == RLIM_INFINITY ? ~0ull : limit.rlim_cur;
	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		access->files = limit.rlim_cur;
		access->files_hard = limit.rlim_max;
	}
}

void access__read(struct access *access, const char *root)
{
	*access = (struct access){ .uid = 0 };
	access->paranoid = access__setting(root, "/proc/sys/kernel/perf_event_paranoid");
	access->kptr_restrict = access__setting(root, "/proc/sys/kernel/kptr_restrict");
	access->mlock_kb = access__setting(root, "/proc/sys/kernel/perf_event_mlock_kb");
	read_status(access, root);
	read_user_ns(access, root);
	read_lockdown(access, root);
	read_container(access, root);
	read_below(root, "/sys/kernel/security/lsm", access->lsm, sizeof(access->lsm));
	read_limits(access);
}

bool access__has_cap(const struct access *access, enum access_cap cap)
{
	return !access->user_ns && (access->caps >> cap & 1);
}

bool access__may_all(const struct access *access)
{
	return access__has_cap(access, ACCESS_CAP_PERFMON) ||
	       access__has_cap(access, ACCESS_CAP_SYS_ADMIN);
}

u64 access__ring_budget_kb(const struct access *access)
{
	u64 for_all;

	if (access__has_cap(access, ACCESS_CAP_IPC_LOCK) || access->paranoid == -1 ||
	    access->memlock == ~0ull)
		return ~0ull;
	for_all = access->mlock_kb > 0 ? (u64)access->mlock_kb * access->nr_cpus : 0;
	return for_all + access->memlock / 1024;
}
