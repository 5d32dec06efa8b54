// SPDX-License-Identifier: GPL-2.0-or-later
/* Where perf writes and reads, and what it was built with. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "util/buildid/build_id_cache.h"
#include "util/doctor/doctor_private.h"
#include "util/lib/alloc.h"
#include "util/options/built_in.h"
#include "util/symtab/debuginfod.h"

/* The nearest folder of @path that exists; cuts @path in place. */
static void nearest_existing(char *path)
{
	char *slash;

	while (access(path, F_OK) && errno == ENOENT && (slash = strrchr(path, '/')))
		slash[slash == path] = '\0';
}

/* A file without a name, which goes when it is closed: 0 or a negative errno. */
static int try_new_file(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0 && errno != EOPNOTSUPP && errno != EISDIR)
		return -errno;
	if (fd < 0) /* not every file system has such files */
		return access(dir, W_OK | X_OK) ? -errno : 0;
	close(fd);
	return 0;
}

void probe__build_id_cache(struct doctor *doctor, struct finding *finding)
{
	char *dir = build_id_cache__dir(NULL, NULL);
	char *there = dir ? xstrdup(dir) : NULL;
	char cause[200];
	int ret;

	(void)doctor;
	if (!dir) {
		finding__prove(finding, "neither HOME nor PERF_BUILDID_DIR is set");
		finding__because(finding, FACILITY_ABSENT, "there is no home folder for the cache",
		                 "export PERF_BUILDID_DIR=$(mktemp -d)");
		return;
	}
	nearest_existing(there);
	ret = try_new_file(there);
	if (!ret) {
		finding__prove(finding, "%s may be %s", dir,
		               strcmp(dir, there) ? "made" : "written");
	} else {
		finding__prove(finding, "a new file in %s gives %s", there, strerrorname_np(-ret));
		snprintf(cause, sizeof(cause), "%.150s cannot be written: %s", there,
		         strerror(-ret));
		finding__because(finding, FACILITY_REFUSED, cause,
		                 "export PERF_BUILDID_DIR=$(mktemp -d)");
	}
	free(there);
	free(dir);
}

#define DISK_LOW (16ull << 20) /* a minute of one busy CPU with call chains */

void probe__disk(struct doctor *doctor, struct finding *finding)
{
	struct statvfs fs;
	u64 room;
	int ret = try_new_file(".");

	(void)doctor;
	if (ret) {
		finding__prove(finding, "a new file here gives %s", strerrorname_np(-ret));
		finding__because(finding, FACILITY_REFUSED, "this folder cannot be written",
		                 "cd $(mktemp -d)");
		return;
	}
	if (statvfs(".", &fs)) {
		finding__prove(finding, "statvfs(.) gives %s", strerrorname_np(errno));
		return;
	}
	room = (u64)fs.f_bavail * fs.f_frsize;
	finding__prove(finding, "%llu MB are free in this folder", (unsigned long long)room >> 20);
	if (room < DISK_LOW)
		finding__because(finding, FACILITY_REFUSED, "this folder's disk is full",
		                 "df -h .");
}

void probe__debuginfod(struct doctor *doctor, struct finding *finding)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	(void)doctor;
	finding__prove(finding, "DEBUGINFOD_URLS is %s", urls && *urls ? urls : "not set");
	struct error err = ERROR_INIT;
	struct debuginfod *client = debuginfod__new(NULL, &err);

	if (client)
		finding->state = FACILITY_WORKS;
	else
		finding__because(finding, FACILITY_ABSENT, err.cause, err.advice);
	debuginfod__delete(client);
}

void probe__features(struct doctor *doctor, struct finding *finding)
{
	char text[2][200] = { "", "" };
	const struct built_in *features;
	size_t nr;

	(void)doctor;
	features = built_in__all(&nr);
	for (size_t i = 0; i < nr; i++) {
		char *list = text[built_in__is_on(&features[i])];
		size_t len = strlen(list);

		/* What it stands on may be missing; what it never does is no news. */
		if (features[i].needs)
			snprintf(list + len, sizeof(text[0]) - len, " %s", features[i].name);
	}
	finding__prove(finding, "on:%s; off:%s", text[1][0] ? text[1] : " none",
	               text[0][0] ? text[0] : " none");
}
