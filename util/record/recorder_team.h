/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several threads that move records (record --threads), each from its own rings to its own files.
 *
 * Each ring has its own file, so the threads share only a count of bytes. The command's thread
 * waits for its own events, for workers to end, and for the size mark.
 *
 *	recorder_team__init()
 *	recorder_team__start()	the workers run
 *	recorder_team__run()	instead of recorder__run(); the workers have ended afterwards
 *	recorder_team__drain()	the rest in the rings; the counters are disabled
 *	recorder_team__exit()	in any case
 */
#ifndef PERF_UTIL_RECORD_RECORDER_TEAM_H
#define PERF_UTIL_RECORD_RECORDER_TEAM_H

#include "util/record/recorder.h"
#include "util/record/thread_masks.h"

struct recorder_worker; /* private */

struct recorder_team {
	struct recorder_worker *workers;
	u32 nr;
	struct rings rest; /* fds of rings without a worker: only watched for their end */
	int wake_fd;       /* the command's thread waits for it, too */
	/* Private. */
	int stop_fd;
	u64 total;                      /* bytes of data in all files; atomic */
	u32 nr_ended;                   /* atomic */
	u32 nr_seen;                    /* the part of nr_ended that is already taken off nr_live */
	bool running, failed, stopping; /* the last two: atomic */
};

#define RECORDER_TEAM_INIT                                                                         \
	{                                                                                          \
		.wake_fd = -1, .stop_fd = -1                                                       \
	}

/*
 * Make a worker for each mask. @files has the rings' destinations, by index of their CPU in @cpus;
 * both it and @masks are borrowed. 0 or a negative errno.
 */
int recorder_team__init(struct recorder_team *team, const struct thread_masks *masks,
                        const struct rings *all, const struct cpu_map *cpus,
                        const struct recorder_file *files, struct error *err);
void recorder_team__exit(struct recorder_team *team); /* ends what still runs */

/* Set these wishes as in struct recorder; before start. */
void recorder_team__set(struct recorder_team *team, u64 flush, u64 size_mark,
                        struct unwritten *unwritten);

int recorder_team__start(struct recorder_team *team, struct error *err);
void recorder_team__stop(struct recorder_team *team); /* if run() will not be called */

/* @main was made with team->rest and waits for team->wake_fd. See recorder__run(). */
int recorder_team__run(struct recorder_team *team, struct recorder *main, bool (*ended)(void *ctx),
                       void *ctx);

int recorder_team__drain(struct recorder_team *team);

u64 recorder_team__nr_woken(const struct recorder_team *team); /* after the workers have ended */

#endif
