// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/debuginfod.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_DEBUGINFOD
#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <time.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

struct library {
	debuginfod_client *(*begin)(void);
	void (*end)(debuginfod_client *client);
	int (*find)(debuginfod_client *client, const unsigned char *id, int size, char **path);
	void (*set_progress)(debuginfod_client *client, debuginfod_progressfn_t fn);
	void (*set_data)(debuginfod_client *client, void *data);
};

struct debuginfod {
	struct library library;
	debuginfod_client *client;
	pthread_mutex_t lock; /* what follows changes under it */
	struct debuginfod_progress progress;
	const char *name;           /* of what is being fetched */
	double limit, spent, began; /* seconds */
	bool stopped, cancelled;
	u32 nr_found;
	struct error error;
};

static bool load_library(struct library *library)
{
	/* Stays loaded, because libcurl leaves things behind. */
	void *handle = dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return false;
	*(void **)&library->begin = dlsym(handle, "debuginfod_begin");
	*(void **)&library->end = dlsym(handle, "debuginfod_end");
	*(void **)&library->find = dlsym(handle, "debuginfod_find_debuginfo");
	*(void **)&library->set_progress = dlsym(handle, "debuginfod_set_progressfn");
	*(void **)&library->set_data = dlsym(handle, "debuginfod_set_user_data");
	return library->begin && library->end && library->find && library->set_progress &&
	       library->set_data;
}

/* Whose transfer it is: the library gives its own handle only. */
static struct debuginfod *owner_of(debuginfod_client *client)
{
	void *handle = dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_NOLOAD);
	void *(*get_data)(debuginfod_client * client);

	*(void **)&get_data = dlsym(handle, "debuginfod_get_user_data");
	struct debuginfod *self = get_data ? get_data(client) : NULL;

	dlclose(handle);
	return self;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Called by the library: other values than 0 end the transfer. */
static int on_progress(debuginfod_client *client, long done, long total)
{
	struct debuginfod *self = owner_of(client);

	if (!self)
		return 0;
	struct debuginfod_progress *progress = &self->progress;

	if (self->spent + now() - self->began > self->limit)
		self->stopped = true;
	else if (progress->tell && !progress->tell(progress->ctx, self->name, done > 0 ? done : 0,
	                                           total > 0 ? total : 0))
		self->cancelled = true;
	return self->stopped || self->cancelled;
}

static double limit_of_run(void)
{
	const char *text = getenv("DEBUGINFOD_MAXTIME");
	u64 seconds;

	return text && !text__parse_u64(text, &seconds) && seconds ? seconds : DEBUGINFOD_SECONDS;
}

struct debuginfod *debuginfod__new(const struct debuginfod_progress *progress, struct error *err)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR),
	           *what = "cannot ask a debuginfod server";
	struct library library;

	if (!urls || !urls[strspn(urls, " ")]) {
		error__set(err, -EDESTADDRREQ, what, NULL, "none is named");
		error__advise(err, "--debuginfod=URL, or export DEBUGINFOD_URLS=URL");
		return NULL;
	}
	if (!load_library(&library)) {
		error__set(err, -ENOENT, what, NULL, "%s cannot be loaded", DEBUGINFOD_SONAME);
		error__advise(err, "apt install libdebuginfod1");
		return NULL;
	}
	struct debuginfod *self = xcalloc(1, sizeof(*self));

	self->library = library;
	self->client = library.begin();
	if (!self->client) {
		error__set(err, -ENOMEM, what, NULL, "libdebuginfod does not start");
		free(self);
		return NULL;
	}
	library.set_data(self->client, self);
	library.set_progress(self->client, on_progress);
	pthread_mutex_init(&self->lock, NULL);
	self->limit = limit_of_run();
	if (progress)
		self->progress = *progress;
	return self;
}

void debuginfod__delete(struct debuginfod *self)
{
	if (!self)
		return;
	self->library.end(self->client);
	pthread_mutex_destroy(&self->lock);
	free(self);
}

static void note_failure(struct debuginfod *self, int code)
{
	const char *what = "no debug file from a server for";

	if (self->cancelled || (!self->stopped && (code == -ENOENT || code == -ENOSYS)))
		return; /* nobody has it */
	if (self->stopped) {
		error__set(&self->error, -ETIME, what, self->name,
		           "%u seconds were spent on asking; nothing more is asked",
		           (unsigned)self->limit);
		error__advise(&self->error, "what has come is kept: ask again, or set "
		                            "DEBUGINFOD_MAXTIME=SECONDS");
		return;
	}
	self->stopped = true;
	error__set(&self->error, code, what, self->name, "%s; nothing more is asked",
	           strerror(-code));
	error__advise(&self->error, "DEBUGINFOD_URLS is '%.200s'", getenv(DEBUGINFOD_URLS_ENV_VAR));
}

char *debuginfod__find(struct debuginfod *self, const struct build_id *id, const char *name)
{
	char *path = NULL;

	if (id->size < 2)
		return NULL;
	pthread_mutex_lock(&self->lock);
	if (!self->stopped) {
		self->name = name;
		self->began = now();
		self->cancelled = false;
		int fd = self->library.find(self->client, id->data, id->size, &path);

		self->spent += now() - self->began;
		if (fd >= 0) {
			close(fd);
			self->nr_found++;
		} else {
			path = NULL;
			note_failure(self, fd);
		}
	}
	pthread_mutex_unlock(&self->lock);
	return path;
}

const struct error *debuginfod__error(const struct debuginfod *self)
{
	return &self->error;
}

u32 debuginfod__nr_found(const struct debuginfod *self)
{
	return self->nr_found;
}
#else
struct debuginfod *debuginfod__new(const struct debuginfod_progress *progress, struct error *err)
{
	(void)progress;
	error__set(err, -EOPNOTSUPP, "cannot ask a debuginfod server", NULL,
	           "this perf was built without it");
	error__advise(err, "install libdebuginfod-dev and build again");
	return NULL;
}

void debuginfod__delete(struct debuginfod *self)
{
	(void)self;
}

char *debuginfod__find(struct debuginfod *self, const struct build_id *id, const char *name)
{
	(void)self;
	(void)id;
	(void)name;
	return NULL;
}

const struct error *debuginfod__error(const struct debuginfod *self)
{
	static const struct error none = ERROR_INIT;

	(void)self;
	return &none;
}

u32 debuginfod__nr_found(const struct debuginfod *self)
{
	(void)self;
	return 0;
}
#endif
