// SPDX-License-Identifier: GPL-2.0-or-later
/* Files of maps: by inode, and in the root of another process. */
#include "util/symtab/mapped_file.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

TEST(mapped_file_is_known_by_its_inode)
{
	char *path = xasprintf("%s/file", unit__tmpdir());
	struct dso_inode inode = { 0 };
	struct stat st;

	CHECK_EQ(mapped_file__check(path, &inode), MAPPED_FILE_GONE);
	CHECK_EQ(mapped_file__check(unit__tmpdir(), &inode), MAPPED_FILE_GONE); /* a folder */
	put(path, "x");
	CHECK_EQ(mapped_file__check(path, &inode), MAPPED_FILE_UNKNOWN);
	CHECK_EQ(stat(path, &st), 0);
	inode = (struct dso_inode){ major(st.st_dev), minor(st.st_dev), st.st_ino };
	CHECK_EQ(mapped_file__check(path, &inode), MAPPED_FILE_SAME);
	inode.ino++;
	CHECK_EQ(mapped_file__check(path, &inode),
	         major(st.st_dev) ? MAPPED_FILE_OTHER : MAPPED_FILE_UNKNOWN);
	inode = (struct dso_inode){ 0, 77, st.st_ino }; /* of a layer or subvolume */
	CHECK_EQ(mapped_file__check(path, &inode), MAPPED_FILE_UNKNOWN);
	free(path);
}

/* A child that lives in @root as "/", until it is killed. Its pid, or -1 where that is forbidden.
 */
static pid_t child_in_root(const char *root)
{
	int ready[2];
	char ok = 0;

	CHECK_EQ(pipe(ready), 0);
	pid_t pid = fork();

	if (!pid) {
		if ((!geteuid() || !unshare(CLONE_NEWUSER)) && !chroot(root) && !chdir("/"))
			ok = 1;
		if (write(ready[1], &ok, 1) == 1)
			for (;;)
				pause();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &ok, 1) != 1)
		ok = 0;
	close(ready[0]);
	if (ok)
		return pid;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return -1;
}

static int read_in_root(pid_t pid, const char *path, char *text, size_t size)
{
	int fd = process_root__open(pid, path);

	if (fd < 0)
		return fd;
	ssize_t len = read(fd, text, size - 1);

	text[len > 0 ? len : 0] = '\0';
	close(fd);
	return 0;
}

TEST(mapped_file_of_another_root_is_read_there)
{
	const char *dir = unit__tmpdir();
	char *secret = xasprintf("%s/secret", dir), *root = xasprintf("%s/root", dir);
	char *file = xasprintf("%s/secret", root), *link = xasprintf("%s/link", root);
	char *pipe_path = xasprintf("%s/pipe", root), text[16] = "";

	CHECK_EQ(mkdir(root, 0755), 0);
	put(secret, "ours");
	put(file, "theirs");
	CHECK_EQ(symlink("/secret", link), 0); /* absolute: inside the root */
	CHECK_EQ(mkfifo(pipe_path, 0600), 0);
	CHECK(!process_root__differs(getpid()));
	CHECK(!process_root__differs(-1));
	pid_t pid = child_in_root(root);

	if (pid < 0) {
		unit__skip("needs root or user namespaces");
	} else {
		CHECK(process_root__differs(pid));
		CHECK_EQ(process_root__inner_pid(pid), pid);
		int ret = read_in_root(pid, "/link", text, sizeof(text));

		if (ret != -ENOSYS) {
			CHECK_EQ(ret, 0);
			CHECK_STR(text, "theirs");
			CHECK_EQ(read_in_root(pid, "/../../secret", text, sizeof(text)), 0);
			CHECK_STR(text, "theirs");
			CHECK_EQ(read_in_root(pid, "/pipe", text, sizeof(text)), -EINVAL);
			CHECK_EQ(read_in_root(pid, "/none", text, sizeof(text)), -ENOENT);
			char *found = process_root__path(pid, "/link");

			CHECK_STR(found, "/secret");
			free(found);
			CHECK(!process_root__path(pid, "/pipe") && errno == EINVAL);
			CHECK(!process_root__path(pid, "/none") && errno == ENOENT);
		}
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		CHECK(!process_root__differs(pid));
		CHECK_EQ(process_root__open(pid, "/secret"), -ENOENT);
	}
	free(pipe_path);
	free(link);
	free(file);
	free(root);
	free(secret);
}
