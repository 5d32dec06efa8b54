// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/term/interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct sigaction usual;
static volatile sig_atomic_t left;

static void on_first(int signal)
{
	left = false;
	sigaction(signal, &usual, NULL);
}

void interrupt__leave_first(const char *input)
{
	const struct sigaction action = { .sa_handler = on_first, .sa_flags = SA_RESTART };
	struct stat st;
	bool standard = !strcmp(input, "-");

	if ((standard ? fstat(STDIN_FILENO, &st) : stat(input, &st)) || !S_ISFIFO(st.st_mode))
		return;
	sigaction(SIGINT, NULL, &usual);
	/* Ignored by who started us: it stays so. */
	if (usual.sa_handler == SIG_IGN)
		return;
	left = true;
	sigaction(SIGINT, &action, NULL);
}

void interrupt__back(void)
{
	if (left)
		on_first(SIGINT);
}
