// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/exec_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "util/lib/alloc.h"
#include "util/options/built_in.h"
#include "util/options/debug_settings.h"

static char dir[] = "/tmp/perf-exec-XXXXXX";

static char *program(const char *folder, const char *name, mode_t mode)
{
	char *path = xasprintf("%s/%s", folder, name);
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0700);

	CHECK(fd >= 0);
	CHECK(!fchmod(fd, mode));
	close(fd);
	return path;
}

TEST(exec_path_finds_programs_that_are_safe_to_run)
{
	struct error err = ERROR_INIT;
	char *found, *good, *open_one, *second, *data;

	CHECK(mkdtemp(dir) != NULL);
	char *other = xasprintf("%s/other", dir);

	CHECK(!mkdir(other, 0755));
	CHECK(!chmod(other, 0755));
	good = program(dir, "perf-good", 0755);
	open_one = program(dir, "perf-open", 0777);
	data = program(dir, "perf-data", 0644);
	second = program(other, "perf-second", 0700);

	found = exec_path__find(dir, NULL, "good", &err);
	CHECK_STR(found, good);
	free(found);
	CHECK(!exec_path__find(dir, "relative:/nonexistent::", "second", &err) && !err.code);
	CHECK(!exec_path__find(dir, NULL, "data", &err) && !err.code);
	CHECK(!exec_path__find(dir, NULL, "../perf-good", &err) && !err.code);
	CHECK(!exec_path__find(dir, NULL, "", &err) && !err.code);
	char *path = xasprintf("/nonexistent:%s", other);

	found = exec_path__find(dir, path, "second", &err);
	CHECK_STR(found, second);
	free(found);

	CHECK(!exec_path__find(dir, NULL, "open", &err));
	CHECK_EQ(err.code, -EPERM);
	CHECK_STR(err.subject, open_one);
	CHECK_STR(err.cause, "others may write to it (mode 777)");
	err = (struct error)ERROR_INIT;
	CHECK(!chmod(other, 0777));
	CHECK(!exec_path__find(other, NULL, "second", &err));
	CHECK_STR(err.subject, other);
	err = (struct error)ERROR_INIT;
	CHECK(!chmod(other, 01777)); /* sticky: others cannot replace a file of ours */
	found = exec_path__find(other, NULL, "second", &err);
	CHECK_STR(found, second);
	free(found);
	if (!geteuid()) {
		CHECK(!chown(second, 12345, 0));
		CHECK(!exec_path__find(other, NULL, "second", &err));
		CHECK_STR(err.cause, "it belongs to user 12345");
	}
	unlink(good);
	unlink(open_one);
	unlink(data);
	unlink(second);
	rmdir(other);
	rmdir(dir);
	free(good);
	free(open_one);
	free(data);
	free(second);
	free(path);
	free(other);
}

TEST(exec_path_option_then_environment_then_build)
{
	setenv("PERF_EXEC_PATH", "/env", 1);
	CHECK_STR(exec_path__dir("/option"), "/option");
	CHECK_STR(exec_path__dir(NULL), "/env");
	CHECK_STR(exec_path__dir(""), "/env");
	setenv("PERF_EXEC_PATH", "", 1);
	CHECK(strstr(exec_path__dir(NULL), "perf-core") != NULL);
	unsetenv("PERF_EXEC_PATH");
}

/* What it runs finds perf's programs: its PATH is the exec path, perf's own folder, then the rest.
 */
TEST(exec_path_of_what_is_run)
{
	char folder[] = "/tmp/exec-path-XXXXXX", self[512], said[2048], want[2048];
	const char *argv[] = { "say", "a b", NULL };
	struct error err = ERROR_INIT;
	int status = -1, pipes[2];
	ssize_t len;

	CHECK(mkdtemp(folder) != NULL && !pipe(pipes));
	char *script = program(folder, "perf-say", 0755);
	FILE *file = fopen(script, "w");

	fputs("#!/bin/sh\necho \"$PATH|$0|$1|$#\"\n", file);
	fclose(file);
	pid_t pid = fork();

	if (!pid) {
		dup2(pipes[1], STDOUT_FILENO);
		setenv("PERF_EXEC_PATH", folder, 1);
		setenv("PATH", "/usr/bin:/bin", 1);
		_exit(-exec_path__run(argv, &err));
	}
	close(pipes[1]);
	len = read(pipes[0], said, sizeof(said) - 1);
	said[len > 0 ? len : 0] = '\0';
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[len > 0 ? len : 0] = '\0';
	*strrchr(self, '/') = '\0';
	snprintf(want, sizeof(want), "%s:%s:/usr/bin:/bin|%s|a b|1\n", folder, self, script);
	CHECK_STR(said, want);
	argv[0] = "nosuch";
	CHECK_EQ(exec_path__run(argv, &err), -ENOENT);
	CHECK(!err.code);
	close(pipes[0]);
	unlink(script);
	rmdir(folder);
	free(script);
}

TEST(debug_settings_keys)
{
	struct debug_settings settings = { 0 };
	struct error err = ERROR_INIT;

	CHECK(!debug_settings__parse(&settings, "verbose", &err));
	CHECK_EQ(settings.verbose, 1);
	CHECK(!debug_settings__parse(&settings, "stderr,verbose=3,perf-event-open=2,", &err));
	CHECK(settings.verbose == 3 && settings.event_open == 2);
	CHECK(!debug_settings__parse(&settings, "verbose=0", &err));
	CHECK_EQ(settings.verbose, 0);
	CHECK_EQ(debug_settings__parse(&settings, "verbose,nosuch=1", &err), -EINVAL);
	CHECK_STR(err.subject, "nosuch");
	CHECK_EQ(debug_settings__parse(&settings, "verbose=x", &err), -EINVAL);
	CHECK_EQ(debug_settings__parse(&settings, "data-convert=11", &err), -EINVAL);
	CHECK_STR(err.subject, "data-convert");
	CHECK_EQ(debug_settings__parse(&settings, "verbose=", &err), -EINVAL);
}

TEST(built_in_features_have_names)
{
	size_t nr;
	const struct built_in *all = built_in__all(&nr), *found;

	CHECK(nr > 20);
	for (size_t i = 0; i < nr; i++)
		CHECK(built_in__find(all[i].name, strlen(all[i].name)) == &all[i]);
	found = built_in__find("glibc,lzma", 5);
	CHECK(found && built_in__is_on(found));
	found = built_in__find("HAVE_libelf_SUPPORT", 19);
	CHECK(found && built_in__is_on(found));
	found = built_in__find("libpfm4", 7);
	CHECK(found && !built_in__is_on(found));
	CHECK(!built_in__find("lzm", 3));
	CHECK(!built_in__find("", 0));
	found = built_in__find("lzma", 4);
#ifdef HAVE_LZMA
	CHECK(found && built_in__is_on(found));
#else
	CHECK(found && !built_in__is_on(found));
#endif
}
