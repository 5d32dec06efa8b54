// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two names in a folder change places, over and over, as another user's process does it to somebody
 * who looks at a name and then opens it. It ends with its parent, or by SIGTERM.
 *
 *	flips UID FOLDER NAME NAME	prints how often
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

int main(int argc, char **argv)
{
	int folder = argc == 5 ? open(argv[2], O_PATH | O_DIRECTORY) : -1;
	unsigned long nr = 0;

	signal(SIGTERM, end);
	if (folder < 0 || setgid(atoi(argv[1])) || setuid(atoi(argv[1])) ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL))
		return 2;
	while (!ended) {
		if (renameat2(folder, argv[3], folder, argv[4], RENAME_EXCHANGE)) {
			perror("flips: cannot exchange the names");
			return 1;
		}
		nr++;
	}
	printf("%lu\n", nr);
	return 0;
}
