/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands. To add one:
 *  1. builtin-NAME.c with cmd_NAME(); options in one table (util/options/options.h); thin: it calls
 *     util/ and ui/, and it alone owns stdout, stderr and the exit status.
 *  2. its prototype here and its row in the table of perf.c.
 *  3. Documentation/perf-NAME.txt: synopsis, description, options, examples, exit codes.
 *  4. tests/cli/NAME.sh; unit tests for what it needed in util/.
 * The Makefile finds the file by its name.
 */
#ifndef PERF_BUILTIN_H
#define PERF_BUILTIN_H

#include <stdbool.h>

#include "util/options/config.h"
#include "util/options/debug_settings.h"

/* argv[0] is the command's name. The return value is the exit status of perf. */
int cmd_annotate(int argc, const char **argv);
int cmd_archive(int argc, const char **argv);
int cmd_buildid_cache(int argc, const char **argv);
int cmd_buildid_list(int argc, const char **argv);
int cmd_check(int argc, const char **argv);
int cmd_config(int argc, const char **argv);
int cmd_data(int argc, const char **argv);
int cmd_doctor(int argc, const char **argv);
int cmd_evlist(int argc, const char **argv);
int cmd_inject(int argc, const char **argv);
int cmd_kmem(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_probe(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_script(int argc, const char **argv);
int cmd_stat(int argc, const char **argv);
int cmd_test(int argc, const char **argv);
int cmd_top(int argc, const char **argv);
int cmd_version(int argc, const char **argv);

/*
 * Start the pager that the configuration wants, for a command that prints much but whose row in
 * perf.c does not say so, as it may need the terminal itself.
 */
void page_output(void);

/* perf --debug KEY=N: the initial debug settings. Set once, before a command runs. */
extern struct debug_settings perf_debug;

/* The configuration files, read at the first call, which also reports mistakes in them. */
const struct config *perf_config(void);

/*
 * Apply the configuration; call it before command_line__parse(), whose options override it. @keys
 * as for config__apply(). 0 or the exit status.
 */
int use_config(const struct option *keys);

struct built_in;
int print_version(bool with_features);              /* an exit status */
void print_feature(const struct built_in *feature); /* "   lzma: [ on  ]  # HAVE_..." */

#define EXIT_USAGE 129 /* usage error of a command, and -h */
#define EXIT_LIST  130 /* --list-opts (as in Linux's perf) and --complete of a command */
#define EXIT_ERROR 255 /* a file that cannot be used, a workload that cannot be started */

/* First the version of Linux's perf that we follow, which scripts compare; then our own. */
#define PERF_VERSION "6.1.0 (own 0.2.0)"

#endif
