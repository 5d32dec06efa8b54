// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/endings.h"

const int endings[ENDINGS] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP };

void endings__hold(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (unsigned i = 0; i < ENDINGS; i++)
		sigaddset(&set, endings[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}
