// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -Wall -fno-omit-frame-pointer -fno-optimize-sibling-calls */
/*
 * known WHAT N: does something exactly N times and prints what a recording of it must hold.
 *
 *	known getppid N		N calls of getppid		"calls N"
 *	known close N		N calls of close(77), N of close(78), all failing
 *	known forks N		N children, one after another	"forks N"
 *	known threads N		N threads			"forks N"
 *	known exec N		execs itself N times		"exec N+1": perf's is the first
 *	known touch N		N page faults at 0x1000000000, N more at 0x1010000000 in a child,
 *				a page each, by writing its first byte	"faults N"
 *
 *	known wait [REST]	prints "ready", then burns CPU until it is killed; with REST it
 *				sleeps that times 5 ms after each few ms of work
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *nothing(void *arg)
{
	return arg;
}

static void __attribute__((noinline)) calls(long n)
{
	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
	printf("calls %ld\n", n);
}

static void closes(long n)
{
	for (long i = 0; i < n; i++) {
		close(77);
		close(78);
	}
	printf("calls %ld\n", n);
}

static void forks(long n)
{
	for (long i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	printf("forks %ld\n", n);
}

static void threads(long n)
{
	for (long i = 0; i < n; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, nothing, NULL))
			exit(1);
		pthread_join(thread, NULL);
	}
	printf("forks %ld\n", n);
}

static void execs(char **argv, long n)
{
	char left[32], total[32];
	long sum = argv[3] ? atol(argv[3]) : n;

	if (!n) {
		printf("exec %ld\n", sum + 1);
		return;
	}
	snprintf(left, sizeof(left), "%ld", n - 1);
	snprintf(total, sizeof(total), "%ld", sum);
	execl("/proc/self/exe", argv[0], "exec", left, total, NULL);
	exit(1);
}

static char *pages(unsigned long at, long n)
{
	char *p = mmap((void *)at, n * 4096, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (p != (char *)at)
		exit(1);
	madvise(p, n * 4096, MADV_NOHUGEPAGE);
	return p;
}

static void touch(long n)
{
	volatile char *own = pages(0x1000000000, n), *of_child = pages(0x1010000000, n);
	pid_t pid;

	for (long i = 0; i < n; i++)
		own[i * 4096] = 1;
	pid = fork();
	for (long i = 0; !pid && i < n; i++)
		of_child[i * 4096] = 1;
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	printf("faults %ld\n", n);
}

static void burn(long rest)
{
	volatile unsigned long x = 0;

	puts("ready");
	fflush(stdout);
	for (;;) {
		for (int i = 0; i < 3000000; i++)
			x++;
		if (rest)
			usleep(rest * 5000);
	}
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "getppid"))
		calls(n);
	else if (!strcmp(argv[1], "close"))
		closes(n);
	else if (!strcmp(argv[1], "forks"))
		forks(n);
	else if (!strcmp(argv[1], "threads"))
		threads(n);
	else if (!strcmp(argv[1], "exec"))
		execs(argv, n);
	else if (!strcmp(argv[1], "touch"))
		touch(n);
	else if (!strcmp(argv[1], "wait"))
		burn(n);
	else
		return 2;
	return 0;
}
