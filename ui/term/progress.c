// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/term/progress.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/clock.h"
#include "util/lib/workers.h"
#include "util/reader/reader.h"

#define PATIENCE      500 /* ms before the first line */
#define PAUSE         200 /* ms between two of them */
#define USUAL_COLUMNS 80
#define BAR_MAX       40
#define LINE_SIZE     160
#define ERASE         "\r\033[K"

static const int endings[] = { SIGINT, SIGTERM };

static struct {
	bool started;
	pthread_t thread;
	int stop; /* an eventfd */
	struct sigaction before[ARRAY_SIZE(endings)];
	_Atomic(const char *) what;
	_Atomic(const struct perf_data *) data; /* NULL: nobody knows how far it is */
	atomic_bool drawn;
} progress;

/* Where the reading has come to; the thread's own. */
struct meter {
	u64 round; /* the file is read more than once */
	u64 since; /* ms: of this round */
};

static u32 columns(void)
{
	struct winsize size;

	return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col
	                                                               : USUAL_COLUMNS;
}

/* "  43 %  [###    ]  3 s left": what is known of the time once a part has been read. */
static void print_share(char *line, size_t size, double share, u64 spent)
{
	char bar[BAR_MAX + 1], left[32] = "";
	int room = (int)columns() - (int)strlen(line) - 26;

	if (share > 0.02)
		snprintf(left, sizeof(left), "  %.0f s left",
		         spent * (1 - share) / share / 1000 + 0.5);
	room = room < 0 ? 0 : room > BAR_MAX ? BAR_MAX : room;
	for (int i = 0; i < room; i++)
		bar[i] = i < share * room ? '#' : ' ';
	bar[room] = '\0';
	size_t len = strlen(line);

	len += snprintf(line + len, size - len, "  %2.0f %%", 100 * share);
	if (room)
		len += snprintf(line + len, size - len, "  [%s]", bar);
	snprintf(line + len, size - len, "%s", left);
}

static void draw(struct meter *meter)
{
	const struct perf_data *data = atomic_load(&progress.data);
	u64 whole = data ? perf_data__nr_to_read(data) : 0;
	u64 done = data ? perf_data__nr_read(data) : 0;
	u64 round = whole ? done / whole : 0;
	char line[LINE_SIZE], text[LINE_SIZE + 16];

	if (round != meter->round || !done)
		*meter = (struct meter){ round, clock__now_ms() };
	snprintf(line, sizeof(line), "%s%s", atomic_load(&progress.what), round ? " again" : "");
	if (whole)
		print_share(line, sizeof(line), (double)(done - round * whole) / whole,
		            clock__now_ms() - meter->since);
	else
		strcat(line, " ...");
	/* A line that is as wide as the screen would move it. */
	snprintf(text, sizeof(text), "\r%.*s\033[K", (int)columns() - 1, line);
	atomic_store(&progress.drawn, true);
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		atomic_store(&progress.drawn, false);
}

static void *run(void *ctx)
{
	struct pollfd stop = { .fd = progress.stop, .events = POLLIN };
	struct meter meter = { 0, clock__now_ms() };

	(void)ctx;
	for (int pause = PATIENCE; !poll(&stop, 1, pause); pause = PAUSE)
		draw(&meter);
	return NULL;
}

void progress__clear(void)
{
	if (atomic_exchange(&progress.drawn, false) &&
	    write(STDERR_FILENO, ERASE, strlen(ERASE)) < 0)
		return; /* there is nobody to be told */
}

static void on_end(int number)
{
	progress__clear();
	signal(number, SIG_DFL);
	raise(number);
}

/* Those that would end the program. */
static void catch_endings(void)
{
	const struct sigaction action = { .sa_handler = on_end };

	for (u32 i = 0; i < ARRAY_SIZE(endings); i++) {
		sigaction(endings[i], NULL, &progress.before[i]);
		if (progress.before[i].sa_handler == SIG_DFL)
			sigaction(endings[i], &action, NULL);
	}
}

void progress__start(const char *what)
{
	const char *terminal = getenv("TERM");
	struct stat st;

	if (progress.started || !isatty(STDERR_FILENO) || !terminal || !*terminal ||
	    !strcmp(terminal, "dumb"))
		return;
	if (!fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode))
		return; /* perhaps to a pager, whose screen it is */
	progress.stop = eventfd(0, EFD_CLOEXEC);
	if (progress.stop < 0)
		return;
	progress__say(what);
	progress.started = !workers__start(&progress.thread, NULL, run, NULL);
	if (progress.started)
		catch_endings();
	else
		close(progress.stop);
}

void progress__read(const struct perf_data *data)
{
	atomic_store(&progress.data, data);
}

void progress__say(const char *what)
{
	atomic_store(&progress.data, NULL);
	atomic_store(&progress.what, what);
}

void progress__stop(void)
{
	const u64 one = 1;

	if (!progress.started)
		return;
	progress.started = false;
	while (write(progress.stop, &one, sizeof(one)) < 0)
		;
	pthread_join(progress.thread, NULL);
	close(progress.stop);
	progress__clear();
	progress__read(NULL);
	for (u32 i = 0; i < ARRAY_SIZE(endings); i++)
		if (progress.before[i].sa_handler == SIG_DFL)
			sigaction(endings[i], &progress.before[i], NULL);
}
