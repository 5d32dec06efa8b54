// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters of tracepoints. The input: the text of --filter, a zero, the file that tells the fields
 * of the event. What the kernel gets is taken again as it is; what is refused has a place in the
 * text.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/event/event_filter.h"
#include "util/event/parse.h"
#include "util/lib/alloc.h"

#define EVENT "sched:fuzz"

/* A kernel that takes what is short. */
static bool takes(void *ctx, const char *text)
{
	const size_t *most = ctx;

	return strlen(text) <= *most;
}

static void check(const char *text, const struct event_fields *fields)
{
	struct error err = ERROR_INIT;
	char *for_kernel = NULL, *again = NULL;
	size_t most = strlen(text) / 2;

	if (event_filter__check(text, EVENT, fields, &for_kernel, &err)) {
		FUZZ_CHECK(err.code == -EINVAL && *err.what && err.column <= strlen(text) + 1);
	} else {
		FUZZ_CHECK(!event_filter__check(for_kernel, EVENT, fields, &again, NULL));
		FUZZ_CHECK(!strcmp(for_kernel, again));
	}
	free(for_kernel);
	free(again);
	err = (struct error)ERROR_INIT;
	FUZZ_CHECK(event_filter__explain(text, EVENT, fields, takes, &most, &err) == -EINVAL);
	FUZZ_CHECK(err.code == -EINVAL);
}

/* Two events of which one has the fields. */
static void add_to_list(const char *text, const char *format)
{
	static const char *const files[] = { "/events/sched/fuzz/format" };
	static const char *folder;
	struct tracefs tracefs = TRACEFS_INIT;
	struct evlist list = { .nr = 0 };
	struct error err = ERROR_INIT;

	if (!folder)
		folder = fuzz__folder(files, ARRAY_SIZE(files));
	setenv("PERF_TRACEFS_DIR", folder, true);
	fuzz__fill((const u8 *)format, strlen(format));
	for (int i = 0; i < 2; i++) {
		struct evsel *evsel = evlist__add_named(&list, "cs");

		evsel->attr.type = PERF_TYPE_TRACEPOINT;
		evsel__set_text(&evsel->tracepoint, i ? "sched:fuzz" : "sched:other");
	}
	for (int i = 0; i < 2; i++) { /* a second one narrows the first */
		err = (struct error)ERROR_INIT;
		FUZZ_CHECK(!evlist__add_filter(&list, 0, &tracefs, text, &err) == !err.code);
	}
	evlist__exit(&list);
	tracefs__close(&tracefs);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	size_t len = strnlen((const char *)data, size);
	char *text = fuzz__text(data, len);
	char *format = fuzz__text(data + len, size - len);
	struct event_fields fields = { .nr = 0 };

	event_fields__parse(&fields, len < size ? format + 1 : "");
	check(text, &fields);
	add_to_list(text, len < size ? format + 1 : "");
	event_fields__exit(&fields);
	free(format);
	free(text);
	return 0;
}

#define FORMAT                                                                                     \
	"\0name: fuzz\nID: 3\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                                 \
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"                                     \
	"\tfield:u8 mac[6];\toffset:48;\tsize:6;\tsigned:0;\n"

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
#define SEED(text) add(text FORMAT, sizeof(text FORMAT) - 1)
	SEED("pid > 1 && (comm ~ \"a*\" || comm == b)");
	SEED("!(pid & 3) || common_pid != 0x10");
	SEED("comm == 'x y' && pid <= -1");
	SEED("pidd == 1");
	SEED("pid = 1");
	SEED("comm < 3 && mac == 1");
	SEED("(pid == 1");
	SEED("pid == 99999999999999999999");
	SEED("cpu == 1 && CPU > 0 && COMM == sh");
	SEED("pid == 1 && && pid");
	SEED("\"pid == 1");
	SEED("");
#undef SEED
	add("x == y", 6);
}
