/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure [-n RUNS] [-t SECONDS] [-o FILE] COMMAND...
 *
 * Runs COMMAND, one time after the other, with standard output to FILE (default /dev/null) and
 * prints "CPU WALL PEAK STATUS" on its own standard output: user+sys seconds of all runs, elapsed
 * seconds of all runs, the largest resident set of any process in KB, and the last exit status
 * (128 + signal when killed, 124 when the time was up).
 *
 * It is small on purpose: ru_maxrss of a child starts at the size of the process that forked it.
 * As a subreaper it also gets the processes that COMMAND left behind, so their CPU counts.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t time_is_up;
static volatile pid_t group;

static void on_alarm(int sig)
{
	(void)sig;
	time_is_up = 1;
	if (group > 0)
		kill(-group, SIGKILL);
}

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void run_child(char **command, const char *output)
{
	int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int null = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	if (fd < 0 || null < 0 || dup2(fd, 1) < 0 || dup2(null, 0) < 0)
		_exit(126);
	execvp(command[0], command);
	fprintf(stderr, "measure: cannot start '%s': %s\n", command[0], strerror(errno));
	_exit(127);
}

/* Waits for the child and everything it left behind; the child's exit status. */
static int wait_all(pid_t child)
{
	int status = 0, result = 127;

	for (;;) {
		pid_t pid = waitpid(-1, &status, 0);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return result;
		if (pid == child)
			result = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
}

static int run(char **command, const char *output)
{
	pid_t pid = fork();

	if (pid < 0)
		return 127;
	if (!pid)
		run_child(command, output);
	setpgid(pid, pid);
	group = pid;
	return wait_all(pid);
}

int main(int argc, char **argv)
{
	const char *output = "/dev/null";
	int option, runs = 1, limit = 60, status = 0;
	struct sigaction action = { .sa_handler = on_alarm };
	struct rusage use;
	double start;

	while ((option = getopt(argc, argv, "+n:t:o:")) != -1) {
		if (option == 'n')
			runs = atoi(optarg);
		else if (option == 't')
			limit = atoi(optarg);
		else if (option == 'o')
			output = optarg;
		else
			return 2;
	}
	if (optind == argc || runs < 1 || limit < 1)
		return 2;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigaction(SIGALRM, &action, NULL);
	alarm(limit);
	start = now();
	for (int i = 0; i < runs && !time_is_up; i++)
		status = run(argv + optind, output);
	start = now() - start;
	getrusage(RUSAGE_CHILDREN, &use);
	printf("%.6f %.6f %ld %d\n", seconds(use.ru_utime) + seconds(use.ru_stime), start,
	       use.ru_maxrss, time_is_up ? 124 : status);
	return 0;
}
