/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses command lines by one table per command, which also prints `-h` and feeds shell completion.
 * The table names arguments by what they are: "event", "file", "dir", "user", "one|two"
 * (ui/options/complete_value.c has the list), so the same thing has the same name everywhere.
 *
 * Understood: -a -F 99 -F99 -ag -C0-3 --opt --opt=value --opt value --no-opt, unambiguous
 * abbreviations of long names, `--` as the end, and the first non-option as the end (the rest is
 * the workload, untouched) unless OPTIONS_PERMUTE is given. -h/--help is always there.
 *
 * Nothing here exits, and text is printed only to the caller's FILE.
 */
#ifndef PERF_UTIL_OPTIONS_OPTIONS_H
#define PERF_UTIL_OPTIONS_OPTIONS_H

#include <stdio.h>

#include "util/lib/error.h"
#include "util/lib/types.h"

enum option_type {
	OPTION_END,
	OPTION_GROUP,    /* a heading in -h: only .help */
	OPTION_BOOL,     /* bool: set, --no- clears */
	OPTION_COUNT,    /* int: each use adds 1 (-vv), --no- sets 0 */
	OPTION_UINT,     /* unsigned int, strictly parsed */
	OPTION_U64,      /* u64, strictly parsed */
	OPTION_STRING,   /* const char *: points into argv */
	OPTION_CALLBACK, /* .parse is called */
};

enum option_flags {
	OPTION_OPTIONAL_ARG = 1u << 0, /* only --opt=value or -ovalue give it; else .fallback */
	OPTION_NO_ARG = 1u << 1,       /* a callback without an argument */
	OPTION_NO_NEGATE = 1u << 2,    /* --no-opt is refused */
	OPTION_HIDDEN = 1u << 3,       /* accepted, not in -h */
	/* With OPTIONAL_ARG: the next word may also give it, unless it looks like an option. */
	OPTION_NEXT_ARG = 1u << 4,
	OPTION_EXCLUSIVE = 1u << 5, /* only one of the options with this flag may be given */
};

struct option_set; /* what parse() may need of its neighbours */

struct option {
	enum option_type type;
	char short_name;  /* 0: none */
	const char *name; /* long name without "--"; NULL: none. "no-x" may itself be a name. */
	void *value;      /* where the result goes; for callbacks whatever they want */
	const char *arg;  /* name of the argument in -h: "event" */
	const char *help; /* one line */
	unsigned flags;
	const char
	        *fallback; /* used when an optional argument is absent, and a string's --no-opt */
	/*
	 * For OPTION_CALLBACK. @arg is NULL when none was given or when @unset (--no-opt).
	 * Returns 0 or a negative errno with @err filled (a usage error: exit 129).
	 */
	int (*parse)(const struct option *option, const char *arg, bool unset, struct error *err);
	bool *was_set; /* optional: set true whenever the option appears */
};

/*
 * Rows of tables, in one order: short name, long name, value, argument, help. What a type does not
 * have is left out: the argument of OPT_BOOL and OPT_COUNT. Behind them other fields may follow:
 *
 *	OPT_BOOL('f', "force", &force, "read another user's file"),
 *	OPT_STRING('i', "input", &input, "file", "input file name", .fallback = "perf.data"),
 *	OPT_CALLBACK('g', NULL, &chains, NULL, "call graphs", parse_g, .flags = OPTION_NO_ARG),
 *
 * Macros for one option or several that commands share are made of these, and take what is left
 * to say in the same order.
 */
#define OPT_ROW(type_, short_, long_, value_, argument_, ...)                                      \
	{                                                                                          \
		.type = (type_), .short_name = (short_), .name = (long_), .value = (value_),       \
		.arg = (argument_), .help = __VA_ARGS__                                            \
	}
#define OPT_BOOL(short_, long_, value_, ...)                                                       \
	OPT_ROW(OPTION_BOOL, short_, long_, value_, NULL, __VA_ARGS__)
#define OPT_COUNT(short_, long_, value_, ...)                                                      \
	OPT_ROW(OPTION_COUNT, short_, long_, value_, NULL, __VA_ARGS__)
#define OPT_UINT(...)   OPT_ROW(OPTION_UINT, __VA_ARGS__)
#define OPT_U64(...)    OPT_ROW(OPTION_U64, __VA_ARGS__)
#define OPT_STRING(...) OPT_ROW(OPTION_STRING, __VA_ARGS__)
#define OPT_CALLBACK(short_, long_, value_, argument_, help_, ...)                                 \
	OPT_ROW(OPTION_CALLBACK, short_, long_, value_, argument_, help_, .parse = __VA_ARGS__)
#define OPT_GROUP(help_)                                                                           \
	{                                                                                          \
		.type = OPTION_GROUP, .help = (help_)                                              \
	}

/* A row of a table of configuration variables: "report.group". */
#define OPT_KEY(type_, long_, ...)                                                                 \
	{                                                                                          \
		.type = (type_), .name = (long_), .value = __VA_ARGS__                             \
	}

enum options_flags {
	OPTIONS_PERMUTE = 1u << 0, /* options may also follow arguments (report, script ...) */
};

enum options_result {
	OPTIONS_OK = 0,
	OPTIONS_HELP = 1,  /* -h: usage was asked for; nothing else happened */
	OPTIONS_ERROR = 2, /* @err says what */
	/* For shell completion: --list-opts and --list-cmds, as in Linux's perf. */
	OPTIONS_LIST_OPTS = 3, /* the options are asked for: options__list() */
	OPTIONS_LIST_CMDS = 4, /* the command's own commands are */
	OPTIONS_COMPLETE = 5,  /* --complete: candidates for the last of the words that follow */
};

/*
 * Parse argv[1..argc-1]. On OPTIONS_OK *rest is the index of the first remaining argument; argv is
 * reordered in place only with OPTIONS_PERMUTE, and a final "--" is skipped. On OPTIONS_ERROR *rest
 * is the index of the word at fault, which options__usage() takes as @only. On all others it is the
 * index after the word that ended the parsing: the words after -h name the options that help is
 * wanted for.
 *
 * A name of the table that starts with "no-" is cleared by the name without it. A prefix that fits
 * one option only stands for it; rows with equal type, value (not NULL) and parse() are spellings
 * of one option. The table must not have more than 500 rows.
 */
enum options_result options__parse(int argc, const char **argv, const struct option *options,
                                   unsigned flags, int *rest, struct error *err);

/*
 * Set @option to the value @text from elsewhere (a configuration file); @shown is its name in @err.
 * Not for options without a value.
 */
int options__assign(const struct option *option, const char *shown, const char *text,
                    struct error *err);

/*
 * The usage text: each of the NULL-ended @usage lines, then the table. With @only (a NULL-ended
 * list) just the options that fit one of its words; all of them when none fits. A word is an option
 * as it was typed ("-q", "-agF99", "--foo=3", "--beginning"), a single letter, or text to look for
 * in names and explanations. Rows are sorted by short, then by long name within each group; without
 * @only those with a letter of @first come first, and last those that have no effect or are refused
 * (by their help: it begins with "accepted" or contains "refused").
 */
void options__usage(FILE *to, const char *const *usage, const struct option *options,
                    const char *const *only, const char *first);

/* The long names of all options that -h shows, in one line: "--event --filter ". */
void options__list(FILE *to, const struct option *options);

/* The row of the letter @c, or of the prefix @word of @len characters (no "--"); NULL: none. */
const struct option *options__find_short(const struct option *options, char c);
const struct option *options__find_long(const struct option *options, const char *word, size_t len);
bool option__takes_arg(const struct option *option);

/* What the last word of an unfinished command line is. */
struct options_position {
	enum { POSITION_OPTION, POSITION_VALUE, POSITION_ARGUMENT } kind;
	const struct option *option; /* POSITION_VALUE: whose value it is */
	const char *value;           /* POSITION_VALUE: where in the last word the value starts */
	int first_arg; /* POSITION_ARGUMENT: the first argument; nr - 1: the last word */
};

/* @words are those after the command's name, @nr >= 1; @flags as for options__parse(). */
struct options_position options__position(int nr, const char *const *words,
                                          const struct option *options, unsigned flags);

#endif
