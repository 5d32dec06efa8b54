// SPDX-License-Identifier: GPL-2.0-or-later
/* Definitions of probes, ranges of lines, filters of names, and the kernel's lists of probes. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/fetch/definition.h"
#include "util/fetch/kernel_args.h"
#include "util/fetch/place_text.h"
#include "util/lib/alloc.h"
#include "util/options/name_filter.h"
#include "util/probe/probe_events.h"

static void touch(const char *s)
{
	if (s)
		fuzz__touch(s, strlen(s));
}

/* What an error offers is taken, and means the same. */
static void check_name(const char *name)
{
	char *escaped = place_text__of_name(name), *text = xasprintf("%s%%return v", escaped);
	struct probe_definition def;
	bool taken = !probe_definition__parse(&def, text, NULL);
	const char *last = place_text__last(name);

	/* A number is an address, and names with % in front are static points. */
	if (taken && def.place.function) {
		FUZZ_CHECK(!strcmp(def.place.function, name) && def.place.is_return);
		FUZZ_CHECK(def.nr_args == 1);
	}
	FUZZ_CHECK(*last && last >= name && last < name + strlen(name));
	FUZZ_CHECK(place_text__is_glob(name) || place_text__fits(name, name));
	probe_definition__exit(&def);
	free(escaped);
	free(text);
}

static void check_kernels(const struct probe_definition *def, u32 machine)
{
	for (u32 i = 0; i < def->nr_args; i++) {
		struct kernel_rules rules = { machine, i % 2, def->place.is_return };
		struct error err = ERROR_INIT;
		int ret = kernel_arg__check(&def->args[i], &rules, &err);

		FUZZ_CHECK(ret == err.code && (!ret || ret == -EINVAL) && !ret == !*err.cause);
	}
}

static void check_definition(const char *text)
{
	struct probe_definition def;
	struct error err = ERROR_INIT;
	int ret = probe_definition__parse(&def, text, &err);

	FUZZ_CHECK(ret == err.code && (!ret || ret == -EINVAL));
	if (!ret) {
		const struct probe_place *place = &def.place;
		char *shown = probe_place__text(place);

		FUZZ_CHECK(def.point || place->function || place->file || place->is_absolute);
		FUZZ_CHECK(!place->has_line || !place->has_offset);
		FUZZ_CHECK(!def.event || probe_name__is_sound(def.event));
		FUZZ_CHECK(!def.group || probe_name__is_sound(def.group));
		touch(shown);
		touch(place->lazy);
		free(shown);
		probe_definition__wants_dwarf(&def);
		if (place->function)
			check_name(place->function);
		check_kernels(&def, EM_X86_64);
		check_kernels(&def, EM_AARCH64);
	}
	for (u32 i = 0; !ret && i < def.nr_args; i++) {
		const struct probe_arg *arg = &def.args[i];
		char *name = probe_arg__name(arg);

		FUZZ_CHECK(*arg->text && (!arg->variable || *arg->variable));
		for (u32 j = 0; j < arg->nr_fields; j++)
			FUZZ_CHECK(!arg->fields[j].name || *arg->fields[j].name);
		for (const char *c = name; c && *c; c++)
			FUZZ_CHECK((u8)*c > 0x20 && (u8)*c < 0x7f);
		free(name);
	}
	probe_definition__exit(&def);
}

static void check_events(const char *text, bool of_programs)
{
	struct probe_events events = { .texts = ARENA_INIT };

	probe_events__parse(&events, text, of_programs);
	for (u32 i = 0; i < events.nr; i++) {
		const struct probe_event *event = &events.events[i];
		char *names = probe_event__arg_names(event);

		FUZZ_CHECK(!event->path == !of_programs && !event->symbol == of_programs);
		FUZZ_CHECK(!strchr(event->line, '\n') && strlen(names) <= strlen(event->args));
		FUZZ_CHECK(!i || strcmp(event[-1].line, event->line) <= 0);
		free(names);
	}
	probe_events__exit(&events);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = xmalloc(size + 1);
	struct probe_lines lines;

	memcpy(text, data, size);
	text[size] = '\0';
	check_definition(text);
	if (!probe_lines__parse(&lines, text, NULL))
		FUZZ_CHECK((lines.function || lines.file) && lines.start <= lines.end);
	probe_lines__exit(&lines);
	if (!name_filter__check(text, NULL))
		name_filter__passes(text, "a_name");
	check_events(text, true);
	check_events(text, false);
	free(text);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const seeds[] = {
		"g:e=f@d/a.c:12 n=a->b.c[2]:u8 %di:s32 $retval x:string@user",
		"f+0x10 +8(+0(%di)):string \\\"two words\" \\5 @sym+4",
		"ns::f%return $retval:s64",
		"sum<int, 3>+8 %di:b3@2/32 @+-0x40:u8[4] $stack2 $comm:string",
		"(anonymous namespace)::C<a, b>::operator+=(int (&) [3]):2 v:x16[3] +u8(%x30)",
		"a\\+b.c;x = f(*) a",
		"%sdt_p:x",
		"0x1234 $vars $params",
		"f@a.c:3-5",
		"a.c:3+5",
		"!_* & (!*@plt | [a-z]*)",
		"p:g/a /bin/x:0x1120(0x8) n=%di:s32\nr8:g/b /a b:c:0x12\np:p/f ext4:f+4 a=%ax\n"
	};

	for (size_t i = 0; i < ARRAY_SIZE(seeds); i++)
		add(seeds[i], strlen(seeds[i]));
}
