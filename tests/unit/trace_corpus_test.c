// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every tracepoint that this kernel has, and hard ones of other kernels that are kept in
 * tests/data/: their text is that of libtraceevent. More payloads: TRACE_PAYLOADS=1000.
 */
#include "tests/unit/trace_oracle.h"

#include "tests/unit/unit.h"

#ifdef HAVE_LIBTRACEEVENT

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/event/tracefs.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"

#define EVENTS   TRACEFS_DEFAULT_MOUNT "/events"
#define HARD     "tests/data/trace-formats.txt"
#define PAYLOADS 20

static unsigned nr_payloads(unsigned usual)
{
	const char *word = getenv("TRACE_PAYLOADS");

	return word ? strtoul(word, NULL, 10) : usual;
}

/* False: it is not one that a recording could have. */
static bool take(struct trace_oracle_format *format, const char *path)
{
	const char *system = path + sizeof(EVENTS);

	if (!strncmp(system, "ftrace/", 7)) /* the tracer's own */
		return false;
	format->text = file__read_all(path, 1 << 20, &format->len);
	if (!format->text)
		return false;
	/* Probes come and go while other tests run. */
	if (strstr(format->text, " __probe_ip;") || strstr(format->text, " __probe_func;")) {
		free(format->text);
		return false;
	}
	format->system = xasprintf("%.*s", (int)strcspn(system, "/"), system);
	return true;
}

static void free_all(struct trace_oracle_format *formats, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++) {
		free(formats[i].system);
		free(formats[i].text);
	}
	free(formats);
}

TEST(trace_text_of_every_tracepoint_is_that_of_the_library)
{
	glob_t paths = { 0 };
	unsigned nr = 0;

	glob(EVENTS "/*/*/format", 0, NULL, &paths);
	if (!paths.gl_pathc) {
		globfree(&paths);
		unit__skip("the formats of tracefs cannot be read");
		return;
	}
	struct trace_oracle_format *formats = xcalloc(paths.gl_pathc, sizeof(*formats));

	for (size_t i = 0; i < paths.gl_pathc; i++)
		nr += take(&formats[nr], paths.gl_pathv[i]);
	struct trace_oracle result = trace_oracle__run(formats, nr, nr_payloads(PAYLOADS));

	CHECK(result.nr_events > 50);
	CHECK((result.nr_slow - result.nr_failed) * 100 < result.nr_events);
	free_all(formats, nr);
	globfree(&paths);
}

#endif
