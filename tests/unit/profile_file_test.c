// SPDX-License-Identifier: GPL-2.0-or-later
/* A profile that was written as a recording, and read again. */
#include "util/export/profile_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/profile_fixture.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"
#include "util/lib/out.h"

static const struct profile_file_options options = { .version = "1" };

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *line_of(const struct profile *profile, const struct names *names,
                     const struct row *row)
{
	const struct session *session = names->session;
	const struct thread *thread = machine__thread(session->host, row->thread);
	struct out out = { .fd = -1 };

	out__printf(&out, "%s %d/%d %llu %llu:", strtab__get(&session->strings, row->comm),
	            thread->pid, thread->tid, (unsigned long long)row->count,
	            (unsigned long long)row->period);
	out__str(&out, " ");
	names__print_frame(names, &out, row->leaf_loc, true);
	for (u32 node = row->node; node != NODE_ROOT; node = profile->nodes[node].parent) {
		out__str(&out, " <- ");
		names__print_frame(names, &out, profile->nodes[node].loc, true);
	}
	char *line = xstrdup(out__take(&out));

	out__exit(&out);
	return line;
}

/* All rows, sorted, to be freed. */
static char *rows_of(const struct profile *profile, const struct names *names)
{
	char **lines = xcalloc(profile->nr_rows, sizeof(*lines));
	struct out out = { .fd = -1 };

	for (u64 i = 0; i < profile->nr_rows; i++)
		lines[i] = line_of(profile, names, &profile->rows[i]);
	qsort(lines, profile->nr_rows, sizeof(*lines), compare_lines);
	for (u64 i = 0; i < profile->nr_rows; i++) {
		out__printf(&out, "%s\n", lines[i]);
		free(lines[i]);
	}
	free(lines);
	char *text = xstrdup(out__take(&out));

	out__exit(&out);
	return text;
}

static char *rows_in(const char *path, const struct fixture *f)
{
	struct session session;
	struct profile profile = { .nr_rows = 0 };
	struct names names;
	struct profile_options build = f->options;

	build.workers = 1;
	CHECK_EQ(session__open(&session, path, 0, NULL), 0);
	CHECK_EQ(profile__scan_and_build(&profile, &session, &build, NULL), 0);
	struct session_symbols *symbols =
	        session_symbols__new(&session.dsos, session_symbols__config(f->symbols));

	names__init(&names, &profile, &session, symbols, NAMES_SYMBOLS, 1);
	char *text = rows_of(&profile, &names);

	names__exit(&names);
	session_symbols__delete(symbols);
	profile__exit(&profile);
	session__close(&session);
	return text;
}

TEST(profile_file_has_the_rows_of_the_profile)
{
	struct fixture f;
	char *path = xasprintf("%s/kept.data", unit__tmpdir());

	fixture__init(&f);
	fixture__sample(&f, "main;f;g", 10);
	fixture__sample(&f, "main;f;g", 13); /* what one of them would be rounded to */
	fixture__sample(&f, "main;f;h;i+4", 7);
	fixture__sample(&f, "main;?7", 5);
	/* A task in the place of an older one, with the same pid; and one without a name. */
	builder__comm(&f.file.data, FIXTURE_TYPE, &f.last, "later");
	fixture__sample(&f, "main;f;g", 3);
	f.last.pid = f.last.tid = 300;
	fixture__sample(&f, "?7;?9", 2);
	fixture__profile(&f, 1);
	CHECK_EQ(profile_file__write(&f.profile, &f.session, path, &options, NULL), 0);
	char *want = rows_of(&f.profile, &f.names), *got = rows_in(path, &f);

	CHECK_EQ(f.profile.nr_rows, 5);
	CHECK_STR(got, want);
	CHECK(strstr(want, "later 100/100"));
	free(want);
	free(got);
	free(path);
	fixture__exit(&f);
}

TEST(profile_file_is_not_written_where_it_would_be_untrue)
{
	struct fixture f;
	struct error err = ERROR_INIT;
	char *path = xasprintf("%s/kept.data", unit__tmpdir());

	fixture__init(&f);
	fixture__sample(&f, "main;f;g", 10);
	fixture__profile(&f, 1);
	f.profile.nr_sample_keys = 1;
	CHECK_EQ(profile_file__write(&f.profile, &f.session, path, &options, &err), -EOPNOTSUPP);
	f.profile.nr_sample_keys = 0;
	u64 nr = f.profile.nr_rows;

	f.profile.nr_rows = 0;
	CHECK_EQ(profile_file__write(&f.profile, &f.session, path, &options, &err), -ENODATA);
	f.profile.nr_rows = nr;
	FILE *other = fopen(path, "w"); /* somebody's text */

	CHECK(other && fputs("text", other) >= 0 && !fclose(other));
	CHECK(profile_file__write(&f.profile, &f.session, path, &options, &err) < 0);
	CHECK_EQ(remove(path), 0);
	free(path);
	fixture__exit(&f);
}
