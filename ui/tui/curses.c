// SPDX-License-Identifier: GPL-2.0-or-later
#include <dlfcn.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/tui/terminal.h"
#include "util/lib/alloc.h"
#include "util/lib/clock.h"

bool curses__can(void)
{
	const char *name = getenv("TERM");
#ifdef HAVE_NCURSES
	bool built = true;
#else
	bool built = false;
#endif

	return built && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && name && *name &&
	       strcmp(name, "dumb") != 0;
}

#ifdef HAVE_NCURSES

#define NCURSES_NOMACROS
#include <curses.h>
#include <limits.h>
#include <poll.h>

#define SONAME       "libncursesw.so.6"
#define ESCAPE_DELAY 25 /* ms: a key that sends ESC and more is one */

/* Commands that draw nothing do not load it. */
static struct {
	SCREEN *(*newterm)(const char *, FILE *, FILE *);
	void (*delscreen)(SCREEN *);
	int (*endwin)(void);
	int (*raw)(void);
	int (*noecho)(void);
	int (*nonl)(void);
	int (*keypad)(WINDOW *, bool);
	int (*wgetch)(WINDOW *);
	void (*wtimeout)(WINDOW *, int);
	int (*wmove)(WINDOW *, int, int);
	int (*waddnstr)(WINDOW *, const char *, int);
	int (*wattr_set)(WINDOW *, attr_t, short, void *);
	int (*werase)(WINDOW *);
	int (*wclrtoeol)(WINDOW *);
	int (*wrefresh)(WINDOW *);
	int (*redrawwin)(WINDOW *);
	int (*curs_set)(int);
	bool (*has_colors)(void);
	int (*start_color)(void);
	int (*use_default_colors)(void);
	int (*init_pair)(short, short, short);
	int (*getmaxx)(const WINDOW *);
	int (*getmaxy)(const WINDOW *);
	int (*set_escdelay)(int);
	WINDOW **window; /* stdscr */
} curses;

struct curses_terminal {
	struct terminal terminal;
	SCREEN *screen;
	attr_t attributes[CANVAS_STYLES];
	short pairs[CANVAS_STYLES];
};

static int load_library(struct error *err)
{
	void *handle = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL); /* stays */
	struct {
		const char *name;
		void *to;
	} symbols[] = {
		{ "newterm", &curses.newterm },
		{ "delscreen", &curses.delscreen },
		{ "endwin", &curses.endwin },
		{ "raw", &curses.raw },
		{ "noecho", &curses.noecho },
		{ "nonl", &curses.nonl },
		{ "keypad", &curses.keypad },
		{ "wgetch", &curses.wgetch },
		{ "wtimeout", &curses.wtimeout },
		{ "wmove", &curses.wmove },
		{ "waddnstr", &curses.waddnstr },
		{ "wattr_set", &curses.wattr_set },
		{ "werase", &curses.werase },
		{ "wclrtoeol", &curses.wclrtoeol },
		{ "wrefresh", &curses.wrefresh },
		{ "redrawwin", &curses.redrawwin },
		{ "curs_set", &curses.curs_set },
		{ "has_colors", &curses.has_colors },
		{ "start_color", &curses.start_color },
		{ "use_default_colors", &curses.use_default_colors },
		{ "init_pair", &curses.init_pair },
		{ "getmaxx", &curses.getmaxx },
		{ "getmaxy", &curses.getmaxy },
		{ "set_escdelay", &curses.set_escdelay },
		{ "stdscr", &curses.window }, /* last: all are there */
	};

	for (u32 i = 0; handle && i < ARRAY_SIZE(symbols); i++) {
		void *symbol = dlsym(handle, symbols[i].name);

		if (!symbol)
			break;
		memcpy(symbols[i].to, &symbol, sizeof(symbol));
	}
	if (curses.window)
		return 0;
	error__set(err, -EOPNOTSUPP, "cannot browse", NULL, "%s",
	           handle ? SONAME " is not as it was when this perf was built"
	                  : SONAME " cannot be loaded");
	return error__advise(err, "install libncursesw6, or use --stdio");
}

static void size_of(struct terminal *terminal, int *nr_rows, int *nr_columns)
{
	(void)terminal;
	*nr_rows = curses.getmaxy(*curses.window);
	*nr_columns = curses.getmaxx(*curses.window);
}

/* ---- signals ---- */

static volatile sig_atomic_t ended_by;  /* a signal that ends us */
static volatile sig_atomic_t continued; /* after a stop: the terminal was somebody else's */

static const int endings[] = { SIGHUP, SIGTERM, SIGINT, SIGQUIT };
static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

static void note_end(int signal)
{
	ended_by = signal;
}

static void note_continue(int signal)
{
	(void)signal;
	continued = true;
}

/* The message about it, and the shell, want their terminal. */
static void give_back(int number)
{
	curses.endwin();
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_signals(const int *signals, u32 nr, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler }; /* no SA_RESTART: reads end */

	for (u32 i = 0; i < nr; i++)
		sigaction(signals[i], &action, NULL);
}

/* The terminal in its modes, and all of the screen, again. */
static void take_back(void)
{
	continued = false;
	curses.endwin(); /* else curses takes it for what it left */
	curses.redrawwin(*curses.window);
	curses.wrefresh(*curses.window);
}

/* ^Z: the shell gets its terminal back until it wants us again. */
static void suspend(void)
{
	curses.endwin();
	kill(0, SIGTSTP);
	take_back();
}

/*
 * As wgetch(), with what goes on meanwhile. It does not wait itself: a signal would leave an error
 * among its keys, which the next call would find.
 */
static int get_key(struct terminal_work *work, bool *due)
{
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .events = POLLIN } };
	int key, ready = 0;

	curses.wtimeout(*curses.window, 0);
	while ((key = curses.wgetch(*curses.window)) == ERR && !ended_by && !continued) {
		u64 now = clock__now_ns(),
		    wait = work->due > now ? (work->due - now) / 1000000 + 1 : 0;

		if (ready > 0 && fds[0].revents) /* there was something: its end */
			break;
		*due = work->due && !wait;
		if (*due)
			break;
		fds[1].fd = work->fd;
		ready = poll(fds, 2, work->due ? (int)min_u64(wait, INT_MAX) : -1);
		if (ready > 0 && fds[1].revents)
			work->run(work->ctx);
	}
	curses.wtimeout(*curses.window, -1);
	return key;
}

static int wait_for_key(struct terminal *terminal)
{
	static const struct {
		int theirs, ours;
	} keys[] = {
		{ KEY_UP, KEYS_UP },         { KEY_DOWN, KEYS_DOWN },
		{ KEY_LEFT, KEYS_LEFT },     { KEY_RIGHT, KEYS_RIGHT },
		{ KEY_PPAGE, KEYS_PAGE_UP }, { KEY_NPAGE, KEYS_PAGE_DOWN },
		{ KEY_HOME, KEYS_HOME },     { KEY_END, KEYS_END },
		{ KEY_BTAB, KEYS_BACK_TAB }, { KEY_BACKSPACE, KEYS_BACKSPACE },
		{ 127, KEYS_BACKSPACE },     { KEY_ENTER, KEYS_ENTER },
		{ '\n', KEYS_ENTER },        { KEY_F(1), KEYS_F1 },
		{ KEY_RESIZE, KEYS_RESIZE }, { ERR, KEYS_CLOSED },
	};
	struct terminal_work none = { .fd = -1 };
	bool due = false;
	int key = ended_by ? ERR : get_key(terminal->work ? terminal->work : &none, &due);

	if (due)
		return KEYS_TIME;
	if (key == ERR && continued) {
		take_back();
		return KEYS_RESIZE;
	}
	if (key == ('Z' & 0x1f)) {
		suspend();
		return KEYS_RESIZE;
	}
	for (u32 i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].theirs == key)
			return keys[i].ours;
	return key < 256 ? key : KEYS_UNKNOWN;
}

static void show(struct terminal *terminal, const struct canvas *canvas)
{
	const struct curses_terminal *t = (const struct curses_terminal *)terminal;
	WINDOW *window = *curses.window;
	int style = -1;

	curses.werase(window);
	for (int row = 0; row < canvas->nr_rows; row++) {
		curses.wmove(window, row, 0);
		for (int column = 0; column < canvas->nr_columns; column++) {
			const struct canvas_cell *cell = canvas__cell(canvas, row, column);

			if (cell->style != style) {
				style = cell->style;
				curses.wattr_set(window, t->attributes[style], t->pairs[style],
				                 NULL);
			}
			curses.waddnstr(window, cell->text, -1);
		}
	}
	curses.wrefresh(window);
}

/* OSC 52: the clipboard of the screen that the user sits at, whatever lies between. */
static void copy(struct terminal *terminal, const char *text)
{
	static const char digits[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t len = strlen(text);

	(void)terminal;
	fputs("\033]52;c;", stdout);
	for (size_t i = 0; i < len; i += 3) {
		u32 bits = 0;

		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 | (i + k < len ? (u8)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			putchar(i + k <= len ? digits[bits >> (18 - 6 * k) & 0x3f] : '=');
	}
	putchar('\a');
	fflush(stdout);
	curses.redrawwin(*curses.window); /* some show what they do not know */
}

static void choose_colors(struct curses_terminal *t, const struct tui_colors *colors)
{
	static const struct tui_color usual[CANVAS_STYLES] = {
		[CANVAS_TITLE] = { true, COLOR_CYAN, -1 },
		[CANVAS_HOT] = { true, COLOR_RED, -1 },
		[CANVAS_WARM] = { true, COLOR_GREEN, -1 },
		[CANVAS_ARROW] = { true, COLOR_BLUE, -1 },
	};

	t->attributes[CANVAS_TITLE] = A_BOLD;
	t->attributes[CANVAS_CHOSEN] = A_REVERSE;
	t->attributes[CANVAS_FAINT] = A_DIM;
	if (colors->none || !curses.has_colors())
		return;
	curses.start_color();
	curses.use_default_colors();
	for (short style = 0; style < CANVAS_STYLES; style++) {
		const struct tui_color *asked = &colors->of[style];
		const struct tui_color *color = asked->set ? asked : &usual[style];

		if (!color->set)
			continue;
		curses.init_pair(style + 1, color->front, color->back);
		t->pairs[style] = style + 1;
		if (style == CANVAS_CHOSEN)
			t->attributes[style] = A_NORMAL;
	}
}

int curses__open(struct terminal **terminal, const struct tui_colors *colors, struct error *err)
{
	int ret = curses.window ? 0 : load_library(err);

	if (ret)
		return ret;
	setlocale(LC_CTYPE, "");
	SCREEN *screen = curses.newterm(NULL, stdout, stdin);

	if (!screen) {
		error__set(err, -ENOTTY, "cannot browse on the terminal", getenv("TERM"),
		           "ncurses does not know it");
		return error__advise(err, "set TERM to what it is, or use --stdio");
	}
	struct curses_terminal *t = xcalloc(1, sizeof(*t));

	*t = (struct curses_terminal){ .terminal = { size_of, wait_for_key, show, copy, NULL },
		                       .screen = screen };
	catch_signals(endings, ARRAY_SIZE(endings), note_end);
	catch_signals(crashes, ARRAY_SIZE(crashes), give_back);
	catch_signals(&(int){ SIGCONT }, 1, note_continue);
	curses.raw();
	curses.noecho();
	curses.nonl();
	curses.keypad(*curses.window, true);
	curses.set_escdelay(ESCAPE_DELAY);
	curses.curs_set(0);
	choose_colors(t, colors);
	*terminal = &t->terminal;
	return 0;
}

void curses__close(struct terminal *terminal)
{
	struct curses_terminal *t = (struct curses_terminal *)terminal;

	/* Terminals with one screen only keep what is on it: the prompt gets a row of its own. */
	curses.wmove(*curses.window, curses.getmaxy(*curses.window) - 1, 0);
	curses.wclrtoeol(*curses.window);
	curses.wrefresh(*curses.window);
	curses.endwin();
	curses.delscreen(t->screen);
	free(t);
	catch_signals(endings, ARRAY_SIZE(endings), SIG_DFL);
	catch_signals(crashes, ARRAY_SIZE(crashes), SIG_DFL);
	catch_signals(&(int){ SIGCONT }, 1, SIG_DFL);
	if (ended_by)
		raise(ended_by);
}

#else

int curses__open(struct terminal **terminal, const struct tui_colors *colors, struct error *err)
{
	(void)terminal;
	(void)colors;
	return error__set(err, -EOPNOTSUPP, "cannot browse", NULL,
	                  "this perf is built without ncurses");
}

void curses__close(struct terminal *terminal)
{
	(void)terminal;
}

#endif
