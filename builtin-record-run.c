// SPDX-License-Identifier: GPL-2.0-or-later
#include "builtin-record-run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "builtin-record.h"
#include "ui/term/diag.h"
#include "ui/text/event_text.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

/* ---- before ---- */

static int start_timer(struct record_run *run, struct error *err)
{
	struct itimerspec spec = { .it_value.tv_sec = run->when.seconds,
		                   .it_interval.tv_sec = run->when.seconds };

	run->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (run->timer < 0 || timerfd_settime(run->timer, 0, &spec, NULL))
		return error__set(err, -errno, "cannot set a timer", NULL, NULL);
	return 0;
}

/*
 * Each occurrence wakes us. On the whole system, as in Linux's perf; for users who may not look
 * there, in what is recorded.
 */
static int open_triggers(struct record_command *c, struct error *err)
{
	struct record_run *run = &c->run;
	struct thread_map all = THREAD_MAP_INIT;
	struct cpu_map cpus = CPU_MAP_INIT;
	int ret = cpu_map__online(&cpus, err);

	thread_map__add(&all, THREAD_ALL);
	for (u32 i = 0; i < run->triggers.nr; i++) {
		struct perf_event_attr *attr = &run->triggers.evsels[i]->attr;

		attr->size = EVSEL_ATTR_SIZE;
		attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
		attr->wakeup_events = 1;
		if (!run->triggers.evsels[i]->user_period)
			attr->sample_period = 1;
	}
	if (!ret)
		ret = evlist__open(&c->recording.found.opener, &run->triggers, &cpus, &all, err);
	if (!ret) {
		ret = rings__map(&run->trigger_rings, &run->triggers, &cpus, &all,
		                 sysconf(_SC_PAGESIZE), err);
	} else if (ret == -EACCES || ret == -EPERM) {
		for (u32 i = 0; i < run->triggers.nr; i++)
			run->triggers.evsels[i]->attr.inherit =
			        c->recording.wish.cpus.cpus[0] != CPU_ANY;
		ret = evlist__open(&c->recording.found.opener, &run->triggers,
		                   &c->recording.wish.cpus, &c->recording.wish.threads, err);
		if (!ret)
			ret = rings__map(&run->trigger_rings, &run->triggers,
			                 &c->recording.wish.cpus, &c->recording.wish.threads,
			                 sysconf(_SC_PAGESIZE), err);
	}
	cpu_map__exit(&cpus);
	thread_map__exit(&all);
	return ret;
}

int record_run__open(struct record_command *c, const int *own, u32 nr, int **events, u32 *nr_events,
                     struct error *err)
{
	struct record_run *run = &c->run;
	u32 nr_triggers;
	int ret = run->when.seconds ? start_timer(run, err) : 0;

	if (!ret && run->triggers.nr)
		ret = open_triggers(c, err);
	if (ret)
		return ret;
	nr_triggers = run->trigger_rings.nr_fds;
	*events = xcalloc(nr + 2 + nr_triggers, sizeof(**events));
	memcpy(*events, own, nr * sizeof(*own));
	if (run->timer >= 0)
		(*events)[nr++] = run->timer;
	if (run->control.fd >= 0)
		(*events)[nr++] = run->control.fd;
	for (u32 i = 0; i < nr_triggers; i++)
		(*events)[nr++] = run->trigger_rings.fds[i].fd;
	*nr_events = nr;
	return 0;
}

void record_run__exit(struct record_run *run)
{
	rings__unmap(&run->trigger_rings);
	evlist__exit(&run->triggers);
	control__exit(&run->control);
	if (run->timer >= 0)
		close(run->timer);
	run->timer = -1;
}

/* ---- --control ---- */

static void warn_control(struct record_command *c, const char *what, const char *subject)
{
	if (c->run.control_warned || c->say.quiet)
		return;
	c->run.control_warned = true;
	diag__say_warning("--control: %s%s%s%s; the recording goes on", what, subject ? " '" : "",
	                  subject ? subject : "", subject ? "'" : "");
}

static void tell(const struct record_command *c, const char *what, const char *name)
{
	if (c->say.quiet)
		return;
	if (name)
		diag__line("Event %s %s", name, what);
	else
		diag__line("Events %s", what);
}

static struct evsel *find_event(struct record_command *c, const char *name)
{
	struct evlist *list = &c->recording.wish.evlist;

	for (u32 i = 0; i < list->nr; i++)
		if (!strcmp(list->evsels[i]->name, name))
			return list->evsels[i];
	return NULL;
}

/* All events, or the one of this name. */
static void turn(struct record_command *c, bool on, const char *name)
{
	struct error err = ERROR_INIT;
	struct evsel *evsel = name ? find_event(c, name) : NULL;

	if (name && !evsel) {
		if (!c->say.quiet)
			diag__line("failed: can't find '%s' event", name);
		return;
	}
	if (evsel)
		on ? evsel__enable(evsel) : evsel__disable(evsel);
	else if (on ? recording__enable(&c->recording, &err)
	            : recording__disable(&c->recording, &err))
		diag__error(&err);
	tell(c, on ? "enabled" : "disabled", name);
}

static void list_events(const struct record_command *c, const char *how)
{
	struct event_text text = { 0 };
	struct out out;

	if (how && strcmp(how, "-v") && strcmp(how, "-g") && strcmp(how, "-F")) {
		fprintf(stderr, "failed: wrong command\n");
		return;
	}
	text.verbose = how && how[1] == 'v';
	text.group = how && how[1] == 'g';
	text.freq = how && how[1] == 'F';
	fflush(stderr);
	out__init(&out, STDERR_FILENO);
	event_text__list(&out, &c->recording.wish.evlist, &text);
	out__flush(&out);
	out__exit(&out);
}

/* True: one more file is wanted. */
static bool obey(struct record_command *c, const struct control_command *command)
{
	bool more = false;

	switch (command->verb) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		turn(c, command->verb == CONTROL_ENABLE, command->argument);
		break;
	case CONTROL_EVLIST:
		list_events(c, command->argument);
		break;
	case CONTROL_SNAPSHOT:
		more = c->run.when.enabled;
		break;
	case CONTROL_STOP:
		c->run.ended = true;
		break;
	case CONTROL_PING:
		break;
	case CONTROL_UNKNOWN:
		warn_control(c, "unknown command", command->text);
		return false;
	}
	return more;
}

static bool read_control(struct record_command *c)
{
	struct control *control = &c->run.control;
	struct control_command command;
	bool more = false;
	int ret;

	if (control->fd < 0)
		return false;
	do {
		ret = control__read(control);
		while (control__next(control, &command)) {
			more |= obey(c, &command);
			ret = command.verb == CONTROL_UNKNOWN ? ret : control__ack(control) ?: ret;
		}
	} while (ret > 0);
	if (ret != -EPIPE && !ret)
		return more;
	if (ret == -EAGAIN) {
		warn_control(c, "nobody reads the answers", NULL);
		return more;
	}
	warn_control(c, ret == -EPIPE ? "the other side is gone" : strerror(-ret), NULL);
	recording__forget_event(&c->recording, control->fd);
	control__exit(control);
	return more;
}

/* ---- several files ---- */

/* Did the events of --switch-output-event occur? What they wrote is thrown away. */
static bool triggered(struct record_run *run)
{
	struct ring_span spans[2];
	bool any = false;

	for (u32 i = 0; i < run->trigger_rings.nr; i++) {
		u64 len = ring__read(&run->trigger_rings.rings[i], spans);

		ring__consume(&run->trigger_rings.rings[i], len);
		any |= len > 0;
	}
	return any;
}

static bool timer_rang(const struct record_run *run)
{
	u64 ticks;

	return run->timer >= 0 && read(run->timer, &ticks, sizeof(ticks)) == sizeof(ticks);
}

static void switch_file(struct record_command *c)
{
	u64 woken = recording__nr_woken(&c->recording);
	int ret = recording__switch(&c->recording, &c->run.trouble);

	if (ret)
		c->run.ended = true;
	if (!ret || !recording__has_file(&c->recording))
		record_messages__switched(&c->recording, &c->say, woken);
}

bool record_run__step(struct record_command *c)
{
	struct record_run *run = &c->run;
	u64 size = recording__size(&c->recording);
	bool more = read_control(c);

	more |= timer_rang(run);
	more |= triggered(run) && run->when.by_signal;
	more |= run->usr2 && run->when.by_signal;
	more |= run->when.size && size >= run->when.size;
	run->usr2 = false;
	if (run->max_size && size >= run->max_size) {
		if (!c->say.quiet)
			fprintf(stderr,
			        "[ perf record: perf size limit reached (%llu KB), stopping session "
			        "]\n",
			        (unsigned long long)run->max_size / 1024);
		run->ended = true;
	}
	if (more && !run->ended)
		switch_file(c);
	return run->ended;
}
