// SPDX-License-Identifier: GPL-2.0-or-later
#include "builtin-record-filter.h"

#include <errno.h>
#include <string.h>

#include "builtin.h"
#include "ui/term/diag.h"
#include "util/bpf_filter/filter_pins.h"
#include "util/lib/text.h"

/* The first word that has nothing to do with it; NULL: none. It may be abbreviated, as any option.
 */
static const char *other_word(int argc, const char *const *argv)
{
	for (int i = 1; i < argc; i++) {
		if (text__starts_with(argv[i], "--se"))
			i += !strchr(argv[i], '=');
		else if (strcmp(argv[i], "-q") && strcmp(argv[i], "--quiet") &&
		         strcmp(argv[i], "-v") && strcmp(argv[i], "--verbose"))
			return argv[i];
	}
	return NULL;
}

static int pin(bool quiet, struct error *err)
{
	int ret = filter_pins__pin(err);

	if (ret && ret != -EEXIST)
		return ret;
	if (!quiet)
		diag__line("[ perf record: %s at %s: users without rights may use --filter ]",
		           ret ? "the filter of samples is pinned already"
		               : "the filter of samples is pinned",
		           FILTER_PINS);
	if (!filter_pins__are_reached(err))
		diag__warning(err);
	return 0;
}

static int unpin(bool quiet, struct error *err)
{
	int ret = filter_pins__unpin(err);

	if (!ret && !quiet)
		diag__line("[ perf record: the filter of samples is no longer pinned at %s ]",
		           FILTER_PINS);
	return ret;
}

int record_filter__setup(const char *what, int argc, const char *const *argv, bool quiet)
{
	const char *other = other_word(argc, argv);
	struct error err = ERROR_INIT;

	if (other) {
		error__set(&err, -EINVAL, "--setup-filter records nothing: it does not go with",
		           other, "%s", "");
		error__advise(&err, "perf record --setup-filter %s", what);
	} else if (!strcmp(what, "pin")) {
		if (!pin(quiet, &err))
			return 0;
	} else if (!strcmp(what, "unpin")) {
		if (!unpin(quiet, &err))
			return 0;
	} else {
		error__set(&err, -EINVAL, "--setup-filter wants pin or unpin", what, "%s", "");
	}
	diag__error(&err);
	return EXIT_ERROR;
}
