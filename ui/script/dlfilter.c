// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/script/dlfilter.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/options/exec_path.h"

#define NAME_WIDTH 36
#define STACK      (256 << 10) /* for the handler, when a filter has used up its own */

typedef int filter_fn(void *data, const struct perf_dlfilter_sample *sample, void *ctx);

enum function { START, EARLY, EVENT, STOP, DESCRIPTION };

static const char *const names[] = {
	[START] = "start", [EARLY] = "filter_event_early",       [EVENT] = "filter_event",
	[STOP] = "stop",   [DESCRIPTION] = "filter_description",
};

struct dlfilter {
	char *name; /* as it was found */
	void *handle;
	int (*start)(void **data, void *ctx);
	int (*stop)(void *data, void *ctx);
	filter_fn *filters[EVENT + 1];
	const char *(*describe)(const char **more);
	void *data;  /* the filter's own */
	bool broken; /* it had a fault: not even unloaded */
	bool started;
};

/* ---- faults */

static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static struct {
	volatile sig_atomic_t inside; /* a filter runs */
	volatile sig_atomic_t signal;
	sigjmp_buf back;
	struct sigaction before[ARRAY_SIZE(faults)];
	stack_t stack, stack_before;
	unsigned nr_open;
} guard;

static void leave(int signal)
{
	if (guard.inside) {
		guard.signal = signal;
		siglongjmp(guard.back, 1);
	}
	/* Not the filter's: the same once more, without us. */
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		if (faults[i] == signal)
			sigaction(signal, &guard.before[i], NULL);
}

static void guard_on(void)
{
	struct sigaction action = { .sa_handler = leave, .sa_flags = SA_ONSTACK | SA_NODEFER };

	if (guard.nr_open++)
		return;
	guard.stack = (stack_t){ .ss_sp = xmalloc(STACK), .ss_size = STACK };
	sigaltstack(&guard.stack, &guard.stack_before);
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		sigaction(faults[i], &action, &guard.before[i]);
}

static void guard_off(void)
{
	if (--guard.nr_open)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		sigaction(faults[i], &guard.before[i], NULL);
	sigaltstack(&guard.stack_before, NULL);
	free(guard.stack.ss_sp);
}

/* A call of a function of a filter. */
struct call {
	enum function function;
	const struct perf_dlfilter_sample *sample;
	void *ctx;
	const char *text, *more; /* what a description is */
};

static int do_call(struct dlfilter *filter, struct call *call)
{
	switch (call->function) {
	case START:
		return filter->start(&filter->data, call->ctx);
	case STOP:
		return filter->stop(filter->data, call->ctx);
	case DESCRIPTION:
		call->text = filter->describe(&call->more);
		return 0;
	default:
		return filter->filters[call->function](filter->data, call->sample, call->ctx);
	}
}

static int guarded(struct dlfilter *filter, struct call *call, struct error *err)
{
	int ret;

	if (filter->broken)
		return -EFAULT;
	/* The mask of signals is not saved, which would be a system call: SA_NODEFER keeps it. */
	if (sigsetjmp(guard.back, 0)) {
		guard.inside = 0;
		filter->broken = true;
		return error__set(err, -EFAULT, "fault in the dlfilter", filter->name,
		                  "%s in its %s()", strsignal(guard.signal), names[call->function]);
	}
	guard.inside = 1;
	ret = do_call(filter, call);
	guard.inside = 0;
	if (ret < 0) {
		error__set(err, ret, "the dlfilter refused", filter->name, "its %s() returned %d",
		           names[call->function], ret);
		return -EINVAL;
	}
	return ret;
}

/* ---- finding, loading */

static char *find(const char *name)
{
	char *path = NULL;

	if (strchr(name, '/'))
		return xstrdup(name);
	path = xasprintf("./%s", name);
	if (!access(path, R_OK))
		return path;
	free(path);
	path = xasprintf("%s/dlfilters/%s", exec_path__dir(NULL), name);
	if (!access(path, R_OK))
		return path;
	free(path);
	return xstrdup(name); /* dlopen() looks where libraries are */
}

static struct dlfilter *load(char *path, int how)
{
	struct dlfilter *filter = xcalloc(1, sizeof(*filter));

	filter->name = path;
	filter->handle = dlopen(path, how | RTLD_LOCAL);
	guard_on();
	if (!filter->handle)
		return filter;
	*(void **)&filter->start = dlsym(filter->handle, names[START]);
	*(void **)&filter->stop = dlsym(filter->handle, names[STOP]);
	*(void **)&filter->describe = dlsym(filter->handle, names[DESCRIPTION]);
	for (unsigned i = EARLY; i <= EVENT; i++)
		*(void **)&filter->filters[i] = dlsym(filter->handle, names[i]);
	return filter;
}

struct dlfilter *dlfilter__open(const char *name, const struct perf_dlfilter_fns *functions,
                                struct error *err)
{
	struct dlfilter *filter = load(find(name), RTLD_NOW);
	struct perf_dlfilter_fns *table = NULL;

	if (filter->handle)
		table = dlsym(filter->handle, "perf_dlfilter_fns");
	if (table)
		*table = *functions;
	if (filter->handle && (filter->start || filter->stop || filter->filters[EARLY] ||
	                       filter->filters[EVENT] || filter->describe))
		return filter;
	if (filter->handle)
		error__set(err, -EINVAL, "cannot use the dlfilter", name,
		           "it has none of the functions of a filter");
	else
		error__set(err, -ENOENT, "cannot load the dlfilter", name, "%s", dlerror());
	error__advise(err, "perf-script(1) says how to make one; perf script --list-dlfilters "
	                   "lists those that are installed");
	dlfilter__close(filter);
	return NULL;
}

void dlfilter__close(struct dlfilter *filter)
{
	if (!filter)
		return;
	guard_off();
	if (filter->handle && !filter->broken)
		dlclose(filter->handle);
	free(filter->name);
	free(filter);
}

/* ---- calls */

bool dlfilter__is_early(const struct dlfilter *filter)
{
	return filter->filters[EARLY];
}

int dlfilter__start(struct dlfilter *filter, void *ctx, struct error *err)
{
	struct call call = { .function = START, .ctx = ctx };

	filter->started = true;
	return filter->start ? guarded(filter, &call, err) : 0;
}

int dlfilter__stop(struct dlfilter *filter, void *ctx, struct error *err)
{
	struct call call = { .function = STOP, .ctx = ctx };

	if (!filter->started || !filter->stop || filter->broken)
		return 0;
	filter->started = false;
	return guarded(filter, &call, err);
}

static int judge(struct dlfilter *filter, enum function function,
                 const struct perf_dlfilter_sample *sample, void *ctx, struct error *err)
{
	struct call call = { .function = function, .sample = sample, .ctx = ctx };

	return filter->filters[function] ? guarded(filter, &call, err) : 0;
}

int dlfilter__early(struct dlfilter *filter, const struct perf_dlfilter_sample *sample, void *ctx,
                    struct error *err)
{
	return judge(filter, EARLY, sample, ctx, err);
}

int dlfilter__event(struct dlfilter *filter, const struct perf_dlfilter_sample *sample, void *ctx,
                    struct error *err)
{
	return judge(filter, EVENT, sample, ctx, err);
}

/* ---- listing */

static int list_one(struct out *out, const char *dir, const char *name, bool long_too,
                    struct error *err)
{
	struct dlfilter *filter = load(xasprintf("%s/%s", dir, name), RTLD_LAZY);
	struct call call = { .function = DESCRIPTION };
	int ret = 0;

	if (filter->handle && filter->describe)
		ret = guarded(filter, &call, err);
	if (!ret && filter->handle &&
	    (filter->describe || filter->filters[EARLY] || filter->filters[EVENT])) {
		out__str(out, "  ");
		out__left(out, name, NAME_WIDTH);
		out__char(out, ' ');
		out__name(out, call.text ? call.text : "");
		out__char(out, '\n');
		if (long_too && call.more) {
			out__fill(out, ' ', NAME_WIDTH + 3);
			out__name(out, call.more);
			out__char(out, '\n');
		}
	}
	dlfilter__close(filter);
	return ret;
}

static int is_object(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 3 && !strcmp(entry->d_name + len - 3, ".so");
}

int dlfilter__list(struct out *out, bool long_too, struct error *err)
{
	char *dir = xasprintf("%s/dlfilters", exec_path__dir(NULL));
	struct dirent **entries = NULL;
	int nr = scandir(dir, &entries, is_object, alphasort), ret = 0;

	out__str(out, "List of available dlfilters:\n");
	for (int i = 0; i < nr; i++) {
		if (!ret)
			ret = list_one(out, dir, entries[i]->d_name, long_too, err);
		free(entries[i]);
	}
	free(entries);
	free(dir);
	return ret;
}
