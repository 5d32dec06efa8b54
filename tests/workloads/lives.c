// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Processes and threads in all the ways that a profile must tell apart: names changed by prctl,
 * threads that do and do not change theirs, exec, grandchildren, code written at run time and
 * inherited by fork, and, in a pid namespace of its own (`unshare -pf`), pids that are used again.
 *
 *	lives [COUNT]	so many children; each runs for a few milliseconds of CPU
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void burn(int ms)
{
	struct timespec start, now;
	long done;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do {
		for (unsigned long i = 0; i < 20000; i++)
			sink += i * i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		done = (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
	} while (done < ms);
}

static void *thread(void *number)
{
	char name[16];

	burn(1); /* still with the name of who made it */
	snprintf(name, sizeof(name), "thread%d", (int)(intptr_t)number);
	if ((intptr_t)number % 2)
		prctl(PR_SET_NAME, name);
	burn(1);
	return NULL;
}

static void run_threads(int nr)
{
	pthread_t threads[8];

	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

static void in_child(void (*fn)(void))
{
	if (!fork()) {
		fn();
		_exit(0);
	}
	wait(NULL);
}

static void grandchild(void)
{
	prctl(PR_SET_NAME, "grandchild");
	burn(2);
}

static void (*code)(void);

static void run_code(void)
{
	code();
}

/* A loop written at run time, run here and in a child that inherits it. */
static void generate_code(void)
{
#if defined(__x86_64__)
	static const uint8_t loop[] = { 0xb9, 0, 0, 0x20, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return;
	memcpy(memory, loop, sizeof(loop));
	memcpy(&code, &memory, sizeof(code));
	code();
	in_child(run_code);
#else
	in_child(grandchild);
#endif
}

static void live(int number)
{
	char name[16];

	snprintf(name, sizeof(name), "life%d", number % 9);
	switch (number % 5) {
	case 0:
		prctl(PR_SET_NAME, name);
		burn(3);
		break;
	case 1:
		burn(1);
		execl("/proc/self/exe", "lives", "--threads", NULL);
		break;
	case 2:
		run_threads(2);
		in_child(grandchild);
		break;
	case 3:
		prctl(PR_SET_NAME, name);
		burn(1);
		execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done",
		      NULL);
		break;
	case 4:
		generate_code();
		break;
	}
}

/* Ask for the pid of the next child. Refused to all but root of a pid namespace: then any will do.
 */
static void want_pid(int pid)
{
	int fd = getpid() == 1 || getppid() == 1 ? open("/proc/sys/kernel/ns_last_pid", O_WRONLY)
	                                         : -1;

	if (fd < 0)
		return;
	dprintf(fd, "%d", pid - 1);
	close(fd);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100;

	if (argc > 1 && !strcmp(argv[1], "--threads")) {
		run_threads(4);
		return 0;
	}
	for (int i = 0; i < count; i++) {
		want_pid(700 + i % 5 * 10);
		if (!fork()) {
			live(i);
			_exit(0);
		}
		if (i % 3 == 2)
			while (wait(NULL) > 0)
				;
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
