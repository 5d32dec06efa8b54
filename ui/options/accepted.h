/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accept options that perf does not have if they change nothing for the file, else refuse them.
 * They are refused by name if the file has the data that they concern.
 */
#ifndef PERF_UI_OPTIONS_ACCEPTED_H
#define PERF_UI_OPTIONS_ACCEPTED_H

#include "util/machine/session.h"
#include "util/options/options.h"

enum accepted_about {
	ABOUT_NOTHING, /* no effect on the text that is printed here */
	ABOUT_AUX,
	ABOUT_BRANCHES,
	ABOUT_LBR,          /* call chains made of branch records (record --call-graph lbr) */
	ABOUT_MIXED_CHAINS, /* events with chains beside others without */
	ABOUT_GUESTS,
	ABOUT_MAX,
};

/* The option that was given last of each kind, or NULL. */
struct accepted {
	const char *names[ABOUT_MAX];
};

int accepted__parse(const struct option *option, const char *arg, bool unset, struct error *err);

#define OPT_ACCEPTED(short_, long_, accepted_, about_, argument_, flags_)                          \
	OPT_CALLBACK(short_, long_, &(accepted_)->names[about_], argument_,                        \
	             "changes nothing on ordinary files", accepted__parse,                         \
	             .flags = OPTION_HIDDEN | (flags_))

/* Of the newest Linux: which program names lines. Nothing is kept of it. */
int accepted__ignore(const struct option *option, const char *arg, bool unset, struct error *err);

#define OPT_ADDR2LINE                                                                              \
	OPT_CALLBACK(0, "addr2line", NULL, "file",                                                 \
	             "accepted: lines of the source are read without another program",             \
	             accepted__ignore)
#define OPT_ADDR2LINE_STYLE                                                                        \
	OPT_CALLBACK(0, "addr2line-style", NULL, "style", "accepted: as --addr2line",              \
	             accepted__ignore)

/* 0, or -EOPNOTSUPP with @err: the file (records: as far as read) has what an option concerns. */
int accepted__check(const struct accepted *accepted, const struct session *session,
                    struct error *err);

#endif
