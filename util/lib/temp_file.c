// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/lib/alloc.h"

/* For file systems without O_TMPFILE. */
static int make_and_unlink(const char *base)
{
	char *path = xasprintf("%s/perf-XXXXXX", base);
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

int temp_file__open(struct error *err)
{
	const char *base = getenv("TMPDIR");

	if (!base || base[0] != '/')
		base = "/tmp";
	int fd = open(base, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		fd = make_and_unlink(base);
	if (fd >= 0)
		return fd;
	int ret = error__set(err, -errno, "cannot make a temporary file in", base, NULL);

	error__advise(err, "set TMPDIR to a folder that you may write to");
	return ret;
}
