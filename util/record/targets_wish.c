// SPDX-License-Identifier: GPL-2.0-or-later
/* The targets of a recording: from the texts of -p, -t, -u, -C and -a to lists. */
#include <errno.h>
#include <pwd.h>

#include "util/lib/text.h"
#include "util/record/recording.h"

static int find_user(const char *text, u32 *uid, struct error *err)
{
	struct passwd *entry = getpwnam(text);
	u64 number;

	if (entry) {
		*uid = entry->pw_uid;
		return 0;
	}
	if (text__parse_u64(text, &number) || number > UINT32_MAX)
		return error__set(err, -EINVAL, "no such user", text,
		                  "neither a name nor a number");
	*uid = number;
	return 0;
}

static int set_threads(struct recording *recording, const struct targets_wish *wish,
                       struct error *err)
{
	struct thread_map *threads = &recording->wish.threads;
	u32 uid = 0;
	int ret;

	if (wish->pids)
		return thread_map__of_pids(threads, wish->pids, err);
	if (wish->tids)
		return thread_map__of_tids(threads, wish->tids, err);
	if (wish->user) {
		ret = find_user(wish->user, &uid, err);
		return ret ? ret : thread_map__of_user(threads, uid, wish->user, err);
	}
	thread_map__add(threads, recording->wish.config.system_wide ? THREAD_ALL : wish->workload);
	return 0;
}

static int set_cpus(struct recording *recording, const char *text, struct error *err)
{
	struct cpu_map online = CPU_MAP_INIT;
	int ret;

	if (recording->wish.config.per_thread) {
		cpu_map__add(&recording->wish.cpus, CPU_ANY);
		return 0;
	}
	if (!text)
		return cpu_map__online(&recording->wish.cpus, err);
	ret = cpu_map__parse(&recording->wish.cpus, text, err);
	if (!ret)
		ret = cpu_map__online(&online, err);
	if (!ret)
		ret = cpu_map__check_online(&recording->wish.cpus, &online, err);
	cpu_map__exit(&online);
	return ret;
}

int recording__set_targets(struct recording *recording, const struct targets_wish *wish,
                           struct error *err)
{
	struct record_config *config = &recording->wish.config;
	int ret;

	config->attached = wish->pids || wish->tids || wish->user;
	config->system_wide =
	        !config->attached && (wish->all_cpus || wish->cpus || !wish->workload);
	if (config->system_wide)
		config->per_thread = false;
	ret = set_threads(recording, wish, err);
	return ret ? ret : set_cpus(recording, config->attached ? NULL : wish->cpus, err);
}
