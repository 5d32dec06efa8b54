// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/event_filter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

static const char switch_format[] =
        "name: sched_switch\nID: 316\nformat:\n"
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
        "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
        "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
        "\tfield:__data_loc char[] filename;\toffset:28;\tsize:4;\tsigned:0;\n"
        "\tfield:const char * path;\toffset:32;\tsize:8;\tsigned:0;\n"
        "\tfield:const char ** argv;\toffset:40;\tsize:8;\tsigned:0;\n"
        "\tfield:u8 mac[6];\toffset:48;\tsize:6;\tsigned:0;\n"
        "\tfield:unsigned char state;\toffset:54;\tsize:1;\tsigned:0;\n"
        "\nprint fmt: \"prev_comm=%s\", REC->prev_comm\n";

TEST(event_fields_tell_text_from_numbers)
{
	struct event_fields fields = { .nr = 0 };
	static const struct {
		const char *name;
		bool is_text, is_signed, is_common;
	} want[] = {
		{ "common_type", false, false, true }, { "common_pid", false, true, true },
		{ "prev_comm", true, false, false },   { "prev_pid", false, true, false },
		{ "filename", true, false, false },    { "path", true, false, false },
		{ "argv", false, false, false },       { "mac", false, false, false },
		{ "state", false, false, false },
	};

	event_fields__parse(&fields, switch_format);
	CHECK_EQ(fields.nr, ARRAY_SIZE(want));
	for (u32 i = 0; i < fields.nr && i < ARRAY_SIZE(want); i++) {
		CHECK_STR(fields.fields[i].name, want[i].name);
		CHECK_EQ(fields.fields[i].is_text, want[i].is_text);
		CHECK_EQ(fields.fields[i].is_signed, want[i].is_signed);
		CHECK_EQ(fields.fields[i].is_common, want[i].is_common);
	}
	CHECK(event_fields__find(&fields, "prev_pid > 0", 8) == &fields.fields[3]);
	CHECK(!event_fields__find(&fields, "prev_pid", 4));
	event_fields__exit(&fields);
	event_fields__parse(&fields, "\tfield:\n\tfield:;\n\tfield:int [4];\nfield:a");
	CHECK_EQ(fields.nr, 0);
	event_fields__exit(&fields);
}

/* What the kernel gets for @text, malloc'ed; "" and @err: it is refused. */
static char *checked(const char *text, struct error *err)
{
	struct event_fields fields = { .nr = 0 };
	char *result = NULL;
	int ret;

	*err = (struct error)ERROR_INIT;
	event_fields__parse(&fields, switch_format);
	ret = event_filter__check(text, "sched:x", &fields, &result, err);
	event_fields__exit(&fields);
	CHECK_EQ(ret, err->code);
	return ret ? xstrdup("") : result;
}

TEST(a_filter_for_the_kernel_has_its_words_quoted)
{
	static const char *const rows[][2] = {
		{ "prev_pid != 0", "prev_pid != 0" },
		{ "prev_comm != perf", "prev_comm != \"perf\"" },
		{ "prev_comm!=perf&&prev_pid>1", "prev_comm!=\"perf\"&&prev_pid>1" },
		{ "!(prev_comm ~ a*||filename==7 )", "!(prev_comm ~ \"a*\"||filename==\"7\" )" },
		{ "path.ustring ~ /etc/*", "path.ustring ~ \"/etc/*\"" },
		{ "prev_comm == 'a b' || prev_comm == \"a\"",
		  "prev_comm == 'a b' || prev_comm == \"a\"" },
		{ "prev_comm == \"prev_pid\"", "prev_comm == \"prev_pid\"" },
		{ "comm == perf && cpu & CPUS{0-1}", "comm == \"perf\" && cpu & CPUS{0-1}" },
		{ "COMM ~ k*", "COMM ~ \"k*\"" },
		{ "common_stacktrace.function == vfs.cold && argv.function != 0x1",
		  "common_stacktrace.function == vfs.cold && argv.function != 0x1" },
		{ " ( prev_pid\t==\n-1 ) ", " ( prev_pid\t==\n-1 ) " },
		{ "prev_pid == 1 && ", "prev_pid == 1 && " }, /* kernels take it */
		/* Not known: the kernel is asked. */
		{ "prev_comm == a && prev_pid == FOO", "prev_comm == \"a\" && prev_pid == FOO" },
		{ "prev_pid in 5", "prev_pid in 5" },
		{ "prev_pid == \"5\"", "prev_pid == \"5\"" },
		{ "NEW == 1 && common_new == 2", "NEW == 1 && common_new == 2" },
		{ "prev_comm < a", "prev_comm < \"a\"" },
		{ "prev_pid == 18446744073709551616", "prev_pid == 18446744073709551616" },
	};
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *got = checked(rows[i][0], &err);

		CHECK_STR(got, rows[i][1]);
		free(got);
	}
}

TEST(a_mistake_in_a_filter_has_its_place)
{
	static const struct {
		const char *text;
		u32 column;
		const char *cause;
	} rows[] = {
		{ "", 1, "a comparison is missing" },
		{ "  ", 3, "a comparison is missing" },
		{ "prev_pid", 9, "'prev_pid != 0'?" },
		{ "prev_pid && state", 10, "'prev_pid != 0'?" },
		{ "state > 1 && mac != 1", 14,
		  "'mac' is an array: the kernel compares its 6 bytes" },
		{ "prev_pidd > 1", 1, "did you mean 'prev_pid'" },
		{ "state > 1 || foo > 1", 14, "sched:x has no field 'foo'" },
		{ "prev_pid => 1", 10, "write >=" },
		{ "prev_pid =< 1", 10, "write <=" },
		{ "prev_pid <> 1", 10, "write !=" },
		{ "prev_pid === 1", 10, "write ==" },
		{ "prev_pid !== 1", 10, "write !=" },
		{ "prev_pid = 1", 10, "write ==" },
		{ "prev_comm =~ a", 11, "write ~" },
		{ "prev_comm !~ a", 11, "!(prev_comm ~ ...)" },
		{ "prev_pid >> 1", 10, "'>>' is no operator" },
		{ "prev_pid 1", 10, "an operator is missing" },
		{ "prev_pid ==", 12, "a value is missing" },
		{ "(prev_pid == )", 14, "a value is missing" },
		{ "(prev_pid == 1", 1, "closing ')'" },
		{ "((prev_pid == 1) && (state == 1)", 1, "closing ')'" },
		{ "prev_pid == 1)", 14, "no '('" },
		{ "prev_comm == \"ab", 14, "closing \"" },
		{ "prev_comm == 'ab\"", 14, "closing '" },
		{ "prev_pid == 1 and state == 1", 15, "and is written &&" },
		{ "prev_pid == 1 & state == 1", 15, "and is written &&" },
		{ "prev_comm == a | state == 1", 16, "or is written ||" },
		{ "(prev_pid == 1 &&", 18, "a comparison is missing" },
		{ "prev_pid == 1 && &&", 18, "a comparison is missing" },
		{ "prev_comm == (sd-pam)", 14, "quote it" },
		{ "prev_comm == filename", 14, "not with each other" },
		{ "cpu & CPUS{1", 7, "closing }" },
		{ "\"a\" == prev_comm", 1, "a field is expected here" },
	};
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *got = checked(rows[i].text, &err);

		CHECK_STR(got, "");
		if (!strstr(err.cause, rows[i].cause))
			unit__fail(__FILE__, __LINE__, "%s: %s", rows[i].text, err.cause);
		CHECK_EQ(err.column, rows[i].column);
		free(got);
	}
	free(checked("foo > 1", &err));
	CHECK(strstr(err.advice, "prev_comm (text) prev_pid filename (text)"));
	CHECK(strstr(err.advice, "common_type common_pid"));
}

/* A kernel that takes what has no 'X'. */
static bool takes(void *ctx, const char *text)
{
	++*(u32 *)ctx;
	return !strchr(text, 'X');
}

TEST(a_refusal_of_the_kernel_is_explained)
{
	static const struct {
		const char *text;
		u32 column;
		const char *cause;
	} rows[] = {
		{ "prev_pid == 1 && (X == 1 || X == 2)", 19, "does not accept this comparison" },
		{ "X == 1", 1, "does not accept this comparison" },
		{ "state == 1 && prev_pid == FOO", 27, "a number is expected here" },
		{ "state == -1", 10, "never negative" },
		{ "prev_pid == \"5\"", 13, "no quotes" },
		{ "prev_pid ~ 5", 10, "~ compares text" },
		{ "prev_comm < \"a\"", 11, "text is compared with" },
		{ "prev_pid == state", 13, "not with each other" },
		{ "prev_pid == 18446744073709551616", 13, "not a 64-bit number" },
		{ "prev_pid == 0x", 13, "not a 64-bit number" },
		{ "prev_pid in 5", 10, "an operator is expected here" },
		{ "state == 1", 1, "does not accept it" },
	};
	struct event_fields fields = { .nr = 0 };

	event_fields__parse(&fields, switch_format);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = ERROR_INIT;
		u32 nr = 0;

		CHECK_EQ(event_filter__explain(rows[i].text, "sched:x", &fields, takes, &nr, &err),
		         -EINVAL);
		if (!strstr(err.cause, rows[i].cause))
			unit__fail(__FILE__, __LINE__, "%s: %s", rows[i].text, err.cause);
		CHECK_EQ(err.column, rows[i].column);
	}
	event_fields__exit(&fields);
}

/* Two tracepoints of our own, of which one lacks prev_pid. */
static void add_events(struct evlist *list)
{
	char tracefs[256];
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = 7 };

	snprintf(tracefs, sizeof(tracefs), "%s/tracing", unit__tmpdir());
	setenv("PERF_TRACEFS_DIR", tracefs, 1);
	put_test_text(tracefs, "events/sched/a/format", switch_format);
	put_test_text(tracefs, "events/sched/b/format",
	              "\tfield:int state;\toffset:8;\tsize:4;\tsigned:1;\n"
	              "\tfield:char prev_comm;\toffset:12;\tsize:1;\tsigned:1;\n");
	evlist__add(list, &attr, "sched:a")->tracepoint = xstrdup("sched/a");
	evlist__add(list, &attr, "any:b")->tracepoint = xstrdup("sched/b");
	evlist__add(list, &attr, "sched:b")->tracepoint = xstrdup("sched/b");
}

TEST(a_filter_holds_for_all_events_before_it)
{
	struct tracefs tracefs = TRACEFS_INIT;
	struct evlist list = { .nr = 0 };
	struct error err = ERROR_INIT;

	add_events(&list);
	CHECK_EQ(evlist__add_filter(&list, 1, &tracefs, "state > 0", &err), 0);
	CHECK(!list.evsels[0]->filter);
	CHECK_STR(list.evsels[1]->filter, "state > 0");
	CHECK_STR(list.evsels[2]->filter, "state > 0");
	/* Each in its own form: a text of one is a number of the other. */
	CHECK_EQ(evlist__add_filter(&list, 0, &tracefs, "prev_comm == 5", &err), 0);
	CHECK_STR(list.evsels[0]->filter, "prev_comm == \"5\"");
	CHECK_STR(list.evsels[1]->filter, "(state > 0) && (prev_comm == 5)");
	/* All or none, and those that lack the field are named. */
	CHECK_EQ(evlist__add_filter(&list, 0, &tracefs, "prev_pid == 5", &err), -EINVAL);
	CHECK(strstr(err.cause, "no field 'prev_pid' in any:b, sched:b"));
	CHECK_EQ(err.column, 1);
	CHECK_STR(list.evsels[0]->filter, "prev_comm == \"5\"");
	/* A single one has the list of its fields. */
	CHECK_EQ(evlist__add_filter(&list, 2, &tracefs, "prev_pid == 5", &err), -EINVAL);
	CHECK(strstr(err.advice, "its fields: state prev_comm"));
	/* Without a format anything may be a field. */
	evsel__set_text(&list.evsels[2]->tracepoint, "sched/none");
	CHECK_EQ(evlist__add_filter(&list, 2, &tracefs, "prev_pid == 5", &err), 0);
	CHECK_EQ(evlist__add_filter(&list, 2, &tracefs, "prev_pid = 5", &err), -EINVAL);
	evlist__exit(&list);
	tracefs__close(&tracefs);
	unsetenv("PERF_TRACEFS_DIR");
}

/* --- what the kernel says --- */

/* A counter of our own task, disabled; a negative errno. */
static int open_tracepoint(int id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = id, .disabled = 1
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static u32 next_random(u64 *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* A text of pieces that filters are made of. */
static void random_text(u64 *state, const struct event_fields *fields, char *buf, size_t size)
{
	static const char *const pieces[] = {
		"(",       ")",        "!",          "&&",       "||",        "==",      "!=",
		"<",       "<=",       ">",          ">=",       "&",         "~",       "=",
		"|",       "=>",       "===",        "\"",       "'",         "0",       "17",
		"-1",      "0x1f",     "0x",         "1a",       "abc",       "\"abc\"", "'a*'",
		"CPUS{0}", "CPUS{",    "}",          ".ustring", ".function", "cpu",     "comm",
		"CPU",     "COMM",     "stacktrace", "nosuch",   " ",         "\t",      "\n",
		"\xa0",    "\xc3\xa9", "_",          ".",        ",",         "and",     "\\",
	};
	u32 nr = 1 + next_random(state) % 14;
	size_t len = 0;

	/* Half of them begin well. */
	buf[0] = '\0';
	if (next_random(state) % 2)
		len = snprintf(buf, size, "%s %s %d ",
		               fields->fields[next_random(state) % fields->nr].name,
		               pieces[5 + next_random(state) % 8], (int)(next_random(state) % 100));
	for (u32 i = 0; i < nr && len < size; i++) {
		u32 which = next_random(state) % (ARRAY_SIZE(pieces) + 20);
		const char *piece = which < ARRAY_SIZE(pieces)
		                            ? pieces[which]
		                            : fields->fields[which % fields->nr].name;

		len += snprintf(buf + len, size - len, "%s%s", piece,
		                next_random(state) % 3 ? " " : "");
	}
}

/*
 * The rule that a check never refuses what the kernel takes, tried on the kernel. It takes only one
 * filter for a counter, so that one it took means a new counter.
 */
TEST(what_is_refused_is_refused_by_the_kernel)
{
	static const char *const events[][2] = { { "sched", "sched_switch" },
		                                 { "sched", "sched_process_exec" },
		                                 { "syscalls", "sys_enter_openat" },
		                                 { "kmem", "kmalloc" } };
	struct tracefs tracefs = { .events_fd = -1, .no_mount = true };
	u64 state = 22;
	u32 nr_refused = 0, nr_taken = 0;

	for (size_t e = 0; e < ARRAY_SIZE(events); e++) {
		int id = tracefs__event_id(&tracefs, events[e][0], events[e][1], NULL), fd;
		struct event_fields fields = { .nr = 0 };
		char path[64], text[512], *ours;

		snprintf(path, sizeof(path), "%s/%s", events[e][0], events[e][1]);
		fd = id < 0 ? id : open_tracepoint(id);
		if (fd < 0 || event_fields__read(&fields, &tracefs, path, NULL) || !fields.nr)
			continue;
		for (u32 i = 0; i < 20000 && fd >= 0; i++) {
			random_text(&state, &fields, text, sizeof(text));
			if (!event_filter__check(text, path, &fields, &ours, NULL)) {
				free(ours);
				continue;
			}
			nr_refused++;
			if (ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text))
				continue;
			unit__fail(__FILE__, __LINE__, "%s: the kernel takes '%s'", path, text);
			close(fd);
			fd = open_tracepoint(id);
		}
		/* And the other way: what words become is what the kernel takes. */
		for (u32 i = 0; i < fields.nr && i < 12 && fd >= 0; i++) {
			const struct event_field *field = &fields.fields[i];

			snprintf(text, sizeof(text), "!(%s %s %s) && (common_pid != 0)",
			         field->name,
			         field->is_text ? "~" : "!=", field->is_text ? "a*b" : "5");
			CHECK_EQ(event_filter__check(text, path, &fields, &ours, NULL), 0);
			if (ioctl(fd, PERF_EVENT_IOC_SET_FILTER, ours))
				unit__fail(__FILE__, __LINE__, "%s: not taken: %s", path, ours);
			else
				nr_taken++;
			free(ours);
			close(fd);
			fd = open_tracepoint(id);
		}
		event_fields__exit(&fields);
		if (fd >= 0)
			close(fd);
	}
	tracefs__close(&tracefs);
	if (!nr_refused)
		unit__skip("tracepoints cannot be opened here");
	else
		CHECK(nr_taken >= 7);
}
