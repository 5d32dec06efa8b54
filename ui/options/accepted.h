/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of Linux's perf that this one does not have yet, but that change nothing on most files:
 * accepted there, and refused by name where the file has what they are about.
 */
#ifndef PERF_UI_OPTIONS_ACCEPTED_H
#define PERF_UI_OPTIONS_ACCEPTED_H

#include "util/machine/session.h"
#include "util/options/options.h"

enum accepted_about {
	ABOUT_NOTHING, /* the text that is printed here */
	ABOUT_AUX,
	ABOUT_BRANCHES,
	ABOUT_CHAINS,
	ABOUT_MIXED_CHAINS, /* events with chains beside others without */
	ABOUT_BPF,
	ABOUT_GUESTS,
	ABOUT_TEXT_POKES,
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

/* 0, or -EOPNOTSUPP with @err: the file has what one of them is about. Of records: what was read.
 */
int accepted__check(const struct accepted *accepted, const struct session *session,
                    struct error *err);

#endif
