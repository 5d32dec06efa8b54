// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/endings.h"

const int endings[ALL_ENDINGS] = { SIGINT,  SIGTERM, SIGQUIT,   SIGHUP,  SIGPIPE, SIGALRM, SIGUSR1,
	                           SIGUSR2, SIGPROF, SIGVTALRM, SIGXCPU, SIGXFSZ, SIGIO,   SIGPWR };

void endings__hold(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (unsigned i = 0; i < ALL_ENDINGS; i++)
		sigaddset(&set, endings[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}
