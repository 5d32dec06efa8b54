// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/lib/alloc.h"

/* A sysfs and a tracefs of our own under the test's folder. */
struct world {
	struct event_sources sources;
	struct evlist list;
	struct error err;
	char sysfs[256];
};

static void world__init(struct world *w)
{
	const char *dir = unit__tmpdir();
	char tracefs[256];

	*w = (struct world){ .sources = EVENT_SOURCES_INIT };
	snprintf(w->sysfs, sizeof(w->sysfs), "%s/devices", dir);
	snprintf(tracefs, sizeof(tracefs), "%s/tracing", dir);
	w->sources.sysfs = w->sysfs;
	setenv("PERF_TRACEFS_DIR", tracefs, 1);
	put_test_text(tracefs, "events/sched/sched_switch/id", "316\n");
	put_test_text(tracefs, "events/sched/sched_wakeup/id", "317\n");
	put_test_text(tracefs, "events/sched/sched_wakeup_new/id", "318\n");
	put_test_text(tracefs, "events/sched/enable", "0\n");
	put_test_text(tracefs, "events/probe/e/id", "900\n");
	put_test_text(tracefs, "events/ftrace/print/format", "");
	put_test_text(w->sysfs, "cpu/type", "4\n");
	put_test_text(w->sysfs, "cpu/format/event", "config:0-7,32-35\n");
	put_test_text(w->sysfs, "cpu/format/umask", "config:8-15\n");
	put_test_text(w->sysfs, "cpu/format/ldlat", "config1:0-15\n");
	put_test_text(w->sysfs, "cpu/format/any", "config:21\n");
	put_test_text(w->sysfs, "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	put_test_text(w->sysfs, "cpu/events/needs", "event=0x1,umask=?\n");
	put_test_text(w->sysfs, "power/type", "12\n");
	put_test_text(w->sysfs, "power/cpumask", "0,4\n");
	put_test_text(w->sysfs, "power/format/event", "config:0-7\n");
	put_test_text(w->sysfs, "power/events/energy-pkg", "event=0x02\n");
	put_test_text(w->sysfs, "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n");
	put_test_text(w->sysfs, "power/events/energy-pkg.unit", "Joules\n");
	put_test_text(w->sysfs, "uncore_imc_0/type", "20\n");
	put_test_text(w->sysfs, "uncore_imc_1/type", "21\n");
}

static void world__exit(struct world *w)
{
	evlist__exit(&w->list);
	event_sources__exit(&w->sources);
	unsetenv("PERF_TRACEFS_DIR");
}

static int parse(struct world *w, const char *text)
{
	evlist__exit(&w->list);
	w->err = (struct error)ERROR_INIT;
	return evlist__parse(&w->list, &w->sources, text, &w->err);
}

static struct evsel *parse_one(struct world *w, const char *text)
{
	static struct evsel none;

	CHECK_EQ(parse(w, text), 0);
	CHECK_EQ(w->list.nr, 1);
	return w->list.nr ? w->list.evsels[0] : &none;
}

TEST(parse_names_and_aliases)
{
	static const struct {
		const char *text;
		u32 type;
		u64 config;
	} rows[] = {
		{ "cycles", 0, 0 },
		{ "cpu-cycles", 0, 0 },
		{ "instructions", 0, 1 },
		{ "branches", 0, 4 },
		{ "branch-misses", 0, 5 },
		{ "idle-cycles-frontend", 0, 7 },
		{ "ref-cycles", 0, 9 },
		{ "cpu-clock", 1, 0 },
		{ "task-clock", 1, 1 },
		{ "faults", 1, 2 },
		{ "cs", 1, 3 },
		{ "migrations", 1, 4 },
		{ "minor-faults", 1, 5 },
		{ "dummy", 1, 9 },
		{ "bpf-output", 1, 10 },
		{ "L1-dcache-loads", 3, 0 },
		{ "L1-dcache-load-misses", 3, 0x10000 },
		{ "l1-d-read", 3, 0 },
		{ "LLC-store-refs", 3, 0x102 },
		{ "LLC", 3, 2 },
		{ "dTLB-prefetch-misses", 3, 0x10203 },
		{ "branch-load-misses", 3, 0x10005 },
		{ "iTLB-misses", 3, 0x10004 },
		{ "node-loads", 3, 6 },
		{ "r1a8", 4, 0x1a8 },
		{ "r003c", 4, 0x3c },
		{ "rffffffffffffffff", 4, ~0ull },
	};
	struct world w;

	world__init(&w);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct evsel *evsel = parse_one(&w, rows[i].text);

		CHECK_EQ(evsel->attr.type, rows[i].type);
		CHECK_EQ(evsel->attr.config, rows[i].config);
		CHECK_EQ(evsel->attr.exclude_guest, 1);
		CHECK_STR(evsel->name, rows[i].text);
	}
	world__exit(&w);
}

TEST(parse_modifiers)
{
	struct world w;
	struct evsel *evsel;

	world__init(&w);
	evsel = parse_one(&w, "cycles:u");
	CHECK_STR(evsel->name, "cycles:u");
	CHECK(!evsel->attr.exclude_user && evsel->attr.exclude_kernel && evsel->attr.exclude_hv);
	CHECK(evsel->attr.exclude_guest);
	evsel = parse_one(&w, "cycles:uk");
	CHECK(!evsel->attr.exclude_user && !evsel->attr.exclude_kernel && evsel->attr.exclude_hv);
	evsel = parse_one(&w, "cycles:k");
	CHECK(evsel->attr.exclude_user && !evsel->attr.exclude_kernel);
	CHECK(!evsel->attr.exclude_guest);
	evsel = parse_one(&w, "cycles:ppp");
	CHECK_EQ(evsel->attr.precise_ip, 3);
	CHECK(evsel->attr.exclude_guest);
	evsel = parse_one(&w, "cycles:P");
	CHECK(evsel->precise_max);
	evsel = parse_one(&w, "cycles:G");
	CHECK(evsel->attr.exclude_host && !evsel->attr.exclude_guest && evsel->guest_set);
	evsel = parse_one(&w, "cycles:H");
	CHECK(!evsel->attr.exclude_host && evsel->attr.exclude_guest);
	evsel = parse_one(&w, "cycles:GH");
	CHECK(!evsel->attr.exclude_host && !evsel->attr.exclude_guest);
	evsel = parse_one(&w, "cs:SDIe");
	CHECK(evsel->sample_read && evsel->attr.pinned && evsel->attr.exclude_idle &&
	      evsel->attr.exclusive);
	CHECK_EQ(parse(&w, "cycles:pppp"), -EINVAL);
	CHECK_EQ(parse(&w, "cycles:z"), -EINVAL);
	CHECK_EQ(parse(&w, "cycles:{k,u}"), -EINVAL);
	CHECK_EQ(parse(&w, "cycles:k:u"), -EINVAL);
	world__exit(&w);
}

TEST(parse_terms_on_any_event)
{
	struct world w;
	struct evsel *evsel;

	world__init(&w);
	evsel = parse_one(&w, "cpu-clock/period=0x10,max-stack=2,no-inherit/u");
	CHECK_EQ(evsel->attr.sample_period, 16);
	CHECK(evsel->user_period && !evsel->attr.freq && evsel->attr.exclude_kernel);
	CHECK_EQ(evsel->max_stack, 2);
	CHECK_EQ(evsel->inherit, 0);
	CHECK_STR(evsel->name, "cpu-clock/period=0x10,max-stack=2,no-inherit/u");
	evsel = parse_one(&w, "cycles/freq=99,call-graph=dwarf,stack-size=4096,name='a,/b'/");
	CHECK_EQ(evsel->attr.sample_freq, 99);
	CHECK(evsel->attr.freq);
	CHECK_STR(evsel->name, "a,/b");
	CHECK_STR(evsel->call_graph, "dwarf");
	CHECK_EQ(evsel->stack_size, 4096);
	evsel = parse_one(&w, "cs/name=x:y/:k");
	CHECK_STR(evsel->name, "x:y");
	CHECK(evsel->attr.exclude_user);
	CHECK_EQ(parse_one(&w, "faults/config=3/")->attr.config, 3);
	CHECK_EQ(parse_one(&w, "cs//u")->attr.exclude_kernel, 1);
	CHECK_EQ(parse(&w, "cs/period=1k/"), -EINVAL);
	CHECK_EQ(parse(&w, "cs/period/"), 0); /* a bare term is 1 */
	CHECK_EQ(parse(&w, "cs/max-stack=70000/"), -EINVAL);
	CHECK_EQ(parse(&w, "cs/foo=1/"), -EINVAL);
	CHECK_EQ(parse(&w, "cs/name=/"), -EINVAL);
	CHECK_EQ(parse(&w, "cs/name='x/"), -EINVAL);
	CHECK_EQ(parse(&w, "cs/period=1"), -EINVAL);
	world__exit(&w);
}

TEST(parse_breakpoints)
{
	struct world w;
	struct evsel *evsel;

	world__init(&w);
	evsel = parse_one(&w, "mem:0x1000:w");
	CHECK_EQ(evsel->attr.type, 5);
	CHECK_EQ(evsel->attr.bp_type, 2);
	CHECK_EQ(evsel->attr.bp_addr, 0x1000);
	CHECK_EQ(evsel->attr.bp_len, 4);
	CHECK_STR(evsel->name, "mem:0x1000:w");
	evsel = parse_one(&w, "mem:0x1000");
	CHECK_EQ(evsel->attr.bp_type, 3);
	evsel = parse_one(&w, "mem:0x1000:x");
	CHECK_EQ(evsel->attr.bp_type, 4);
	CHECK_EQ(evsel->attr.bp_len, 8);
	evsel = parse_one(&w, "mem:4096/8:rw:u");
	CHECK_EQ(evsel->attr.bp_len, 8);
	CHECK_EQ(evsel->attr.bp_addr, 4096);
	CHECK(evsel->attr.exclude_kernel);
	evsel = parse_one(&w, "mem:0x10:u");
	CHECK_EQ(evsel->attr.bp_type, 3);
	CHECK(evsel->attr.exclude_kernel);
	CHECK_EQ(parse(&w, "mem:0x"), -EINVAL);
	CHECK_EQ(parse(&w, "mem:main"), -EINVAL);
	CHECK_EQ(parse(&w, "mem:0x10/0"), -EINVAL);
	world__exit(&w);
}

TEST(parse_tracepoints)
{
	struct world w;
	struct evsel *evsel;

	world__init(&w);
	evsel = parse_one(&w, "sched:sched_switch");
	CHECK_EQ(evsel->attr.type, PERF_TYPE_TRACEPOINT);
	CHECK_EQ(evsel->attr.config, 316);
	evsel = parse_one(&w, "sched:sched_switch:u");
	CHECK_STR(evsel->name, "sched:sched_switch");
	CHECK(evsel->attr.exclude_kernel);
	CHECK_EQ(parse_one(&w, "sched:sched_switch/max-stack=3/")->max_stack, 3);
	CHECK_EQ(parse_one(&w, "probe:e")->attr.config, 900);
	CHECK_EQ(parse(&w, "sched:*"), 0);
	CHECK_EQ(w.list.nr, 3);
	CHECK_EQ(parse(&w, "sched:sched_wake*:k,cs"), 0);
	CHECK_EQ(w.list.nr, 3);
	CHECK_STR(w.list.evsels[1]->name, "sched:sched_wakeup_new");
	CHECK(w.list.evsels[1]->attr.exclude_user && !w.list.evsels[2]->attr.exclude_user);
	CHECK_EQ(parse(&w, "s*:sched_switch"), 0);
	CHECK_EQ(parse(&w, "ftrace:*"), -EINVAL); /* no id: nothing to open */
	CHECK_EQ(parse(&w, "sched:sched_swich"), -EINVAL);
	CHECK(strstr(w.err.cause, "did you mean 'sched:sched_switch'"));
	CHECK_EQ(parse(&w, "shced:sched_switch"), -EINVAL);
	CHECK(strstr(w.err.cause, "did you mean 'sched:sched_switch'"));
	CHECK_EQ(parse(&w, "sched:"), -EINVAL);
	CHECK_EQ(parse(&w, "sched:../sched/sched_switch"), -EINVAL);
	world__exit(&w);
}

TEST(parse_sources)
{
	struct world w;
	struct evsel *evsel;

	world__init(&w);
	evsel = parse_one(&w, "cpu/event=0x13c,umask=2,any/u");
	CHECK_EQ(evsel->attr.type, 4);
	CHECK_EQ(evsel->attr.config, 0x3cull | 0x2ull << 8 | 1ull << 21 | 1ull << 32);
	CHECK_STR(evsel->name, "cpu/event=0x13c,umask=2,any/u");
	CHECK(evsel->attr.exclude_kernel);
	evsel = parse_one(&w, "cpu/mem-loads,ldlat=30/P");
	CHECK_EQ(evsel->attr.config, 0x1cd);
	CHECK_EQ(evsel->attr.config1, 30);
	CHECK(evsel->precise_max);
	evsel = parse_one(&w, "mem-loads");
	CHECK_EQ(evsel->attr.config1, 3);
	CHECK_STR(evsel->name, "mem-loads");
	evsel = parse_one(&w, "mem-loads:uP");
	CHECK_EQ(evsel->attr.config1, 3);
	CHECK(evsel->attr.exclude_kernel && evsel->precise_max);
	CHECK_STR(evsel->name, "mem-loads:uP");
	evsel = parse_one(&w, "power/energy-pkg/");
	CHECK_STR(evsel->unit, "Joules");
	CHECK(evsel->scale > 2.32e-10 && evsel->scale < 2.33e-10);
	CHECK_STR(evsel->pmu_cpus, "0,4");
	CHECK_EQ(parse_one(&w, "cpu/r1a8,name=foo/")->attr.config, 0x1a8);
	CHECK_EQ(parse_one(&w, "cpu/config=7,config2=9/")->attr.config2, 9);
	CHECK_EQ(parse(&w, "imc/config=1/"), 0);
	CHECK_EQ(w.list.nr, 2);
	CHECK_EQ(w.list.evsels[1]->attr.type, 21);
	CHECK_EQ(parse_one(&w, "uncore_imc_1/config=1/")->attr.type, 21);
	CHECK_EQ(parse(&w, "cpu/needs/"), -EINVAL);
	CHECK_EQ(parse_one(&w, "cpu/needs,umask=4/")->attr.config, 0x401);
	CHECK_EQ(parse(&w, "cpu/umask=0x100/"), -EINVAL);
	CHECK_EQ(parse(&w, "cpu/nothing/"), -EINVAL);
	CHECK_EQ(parse(&w, "pwer/energy-pkg/"), -EINVAL);
	CHECK(strstr(w.err.cause, "; did you mean 'power'?"));
	CHECK_EQ(parse(&w, "../cpu/event=1/"), -EINVAL);
	world__exit(&w);
}

/* Of one name for several sources those that the filter fits; others are not asked. */
TEST(parse_with_a_filter_of_sources)
{
	struct world w;

	world__init(&w);
	put_test_text(w.sysfs, "uncore_imc_0/events/reads", "config=3\n");
	put_test_text(w.sysfs, "uncore_imc_1/events/reads", "config=4\n");
	CHECK_EQ(parse(&w, "reads"), 0);
	CHECK_EQ(w.list.nr, 2);
	w.sources.pmu_filter = "*_1";
	CHECK_EQ(parse_one(&w, "imc/config=1/")->attr.type, 21);
	CHECK_EQ(parse_one(&w, "reads")->attr.config, 4);
	CHECK_EQ(parse_one(&w, "uncore_imc_0/config=1/")->attr.type, 20); /* by its own name */
	CHECK_EQ(parse_one(&w, "cycles")->attr.type, PERF_TYPE_HARDWARE);
	w.sources.pmu_filter = "power";
	CHECK_EQ(parse(&w, "imc/config=1/"), -EINVAL);
	CHECK(strstr(w.err.cause,
	             "--pmu-filter=power leaves out all its sources, as 'uncore_imc_0'"));
	CHECK_EQ(parse(&w, "cycles,reads"), -EINVAL);
	CHECK_EQ(w.err.column, 8);
	world__exit(&w);
}

/* What a driver writes into sysfs may be anything: an error with a place, never another event. */
TEST(parse_sources_with_mistakes)
{
	static const char *const formats[] = {
		"",           "garbage",     "config-",      "config:",     "config:64",
		"config:8-3", "config:0-",   "config3:0-7",  "config:0-7x", "config:-1",
		"config:0,,", "config:0-70", "\x01\x02\xff", "config:a",    "config1:0-7:8",
	};
	static const char *const events[] = { "",           ",", "nosuch=1", "good=zz",
		                              "good=0x100", "=", "bad" };
	struct world w;

	world__init(&w);
	put_test_text(w.sysfs, "odd/type", "33\n");
	put_test_text(w.sysfs, "odd/format/good", "config:0-7\n");
	CHECK_EQ(parse_one(&w, "odd/good=7/")->attr.config, 7);
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		put_test_text(w.sysfs, "odd/format/bad", formats[i]);
		CHECK_EQ(parse(&w, "odd/bad=1/"), -EINVAL);
		CHECK(*w.err.cause && w.err.column);
		CHECK_EQ(w.list.nr, 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		put_test_text(w.sysfs, "odd/events/made", events[i]);
		if (parse(&w, "odd/made/")) {
			CHECK(*w.err.cause && w.err.column);
			CHECK_EQ(w.list.nr, 0);
		} else {
			unit__fail(__FILE__, __LINE__, "event '%s' is taken", events[i]);
		}
	}
	put_test_text(w.sysfs, "odd/format/bad", "config1\n"); /* the whole word */
	CHECK_EQ(parse_one(&w, "odd/bad=0x100000001/")->attr.config1, 0x100000001);
	put_test_text(w.sysfs, "odd/events/made", "good=5\n");
	put_test_text(w.sysfs, "odd/events/made.scale", "nothing");
	CHECK(parse_one(&w, "odd/made/")->scale == 1.0);
	put_test_text(w.sysfs, "odd/type", "not a number");
	CHECK_EQ(parse(&w, "odd/made/"), -EINVAL);
	CHECK(strstr(w.err.cause, "'odd'"));
	world__exit(&w);
}

TEST(parse_groups)
{
	struct world w;

	world__init(&w);
	CHECK_EQ(parse(&w, "cs, {cycles:k , faults,cpu-clock}:u,migrations"), 0);
	CHECK_EQ(w.list.nr, 5);
	CHECK_EQ(w.list.evsels[0]->leader, 0);
	CHECK_EQ(w.list.evsels[1]->leader, 1);
	CHECK_EQ(w.list.evsels[1]->nr_members, 3);
	CHECK_EQ(w.list.evsels[3]->leader, 1);
	CHECK_EQ(w.list.evsels[4]->leader, 4);
	CHECK_STR(w.list.evsels[1]->name, "cycles:k");
	CHECK_STR(w.list.evsels[2]->name, "faults");
	CHECK(!w.list.evsels[1]->attr.exclude_user && !w.list.evsels[1]->attr.exclude_kernel);
	CHECK(w.list.evsels[2]->attr.exclude_kernel && !w.list.evsels[4]->attr.exclude_kernel);
	CHECK_EQ(w.list.evsels[1]->attr.exclude_guest, 1);
	CHECK_EQ(parse(&w, "{cs:k,faults}:S"), 0);
	CHECK_EQ(w.list.evsels[0]->attr.exclude_guest, 0);
	CHECK_EQ(w.list.evsels[1]->attr.exclude_guest, 1);
	CHECK_EQ(parse(&w, "grp{cs,faults}:SD"), 0);
	CHECK_STR(w.list.evsels[0]->group_name, "grp");
	CHECK(w.list.evsels[0]->attr.pinned && !w.list.evsels[1]->attr.pinned);
	CHECK(w.list.evsels[1]->sample_read);
	CHECK_EQ(parse(&w, "{cs,{faults}}"), -EINVAL);
	CHECK_EQ(parse(&w, "{}"), -EINVAL);
	CHECK_EQ(parse(&w, "{cs,faults"), -EINVAL);
	CHECK_EQ(parse(&w, "cs}"), -EINVAL);
	world__exit(&w);
}

TEST(parse_errors_name_the_column_and_leave_the_list)
{
	struct world w;
	char text[1400];

	world__init(&w);
	CHECK_EQ(parse(&w, "cs"), 0);
	CHECK_EQ(evlist__parse(&w.list, &w.sources, "faults,cylces", &w.err), -EINVAL);
	CHECK_EQ(w.list.nr, 1);
	error__text(&w.err, text, sizeof(text));
	CHECK_STR(text, "event syntax error: 'faults,cylces'\n"
	                "                            \\___ unknown event; did you mean 'cycles'?\n"
	                "Run 'perf list' for a list of valid events");
	CHECK_EQ(parse(&w, "cs,,faults"), -EINVAL);
	CHECK_EQ(parse(&w, ","), -EINVAL);
	CHECK_EQ(parse(&w, "cs,"), -EINVAL);
	CHECK_EQ(parse(&w, ""), -EINVAL);
	CHECK_EQ(parse(&w, "zzzzzzzzz"), -EINVAL);
	CHECK_STR(w.err.cause, "unknown event");
	/* A long text is cut around the place. */
	CHECK_EQ(parse(&w, "cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,bad,cs"),
	         -EINVAL);
	error__text(&w.err, text, sizeof(text));
	const char *caret = strchr(text, '\\'), *bad = strstr(text, "bad,");

	CHECK(caret && bad && caret - (strchr(text, '\n') + 1) == bad - text);
	world__exit(&w);
}

/* Where the error of @text points to and what it says; "" for none. */
static const char *mistake(struct world *w, const char *text)
{
	static char said[400];

	said[0] = '\0';
	if (parse(w, text))
		snprintf(said, sizeof(said), "%s: %s", w->err.subject + w->err.column - 1,
		         w->err.cause);
	return said;
}

static bool says(struct world *w, const char *text, const char *begin, const char *part)
{
	const char *said = mistake(w, text);
	bool ok = !strncmp(said, begin, strlen(begin)) && strstr(said, part);

	if (!ok)
		printf("# '%s' gives \"%s\"\n", text, said);
	return ok;
}

TEST(parse_mistakes_point_at_their_column)
{
	struct world w;

	world__init(&w);
	CHECK(says(&w, "cs:pppp", "p: ", "precise levels end at ppp"));
	CHECK(says(&w, "cs:uku", "u: ", "'u' is there already"));
	CHECK(says(&w, "cs:PP", "P: ", "'P' is there already"));
	CHECK(says(&w, "cs:ukz", "z: ", "unknown modifier 'z'"));
	CHECK(says(&w, "cs:b", "b: ", "BPF"));
	CHECK(says(&w, "{cs,faults}:", ": ", "modifiers are missing"));
	CHECK(says(&w, "cs/perod=1/", "perod=1/: ", "did you mean 'period'?"));
	CHECK(says(&w, "cs/x=1/", "x=1/: ", "valid terms: config,"));
	CHECK(says(&w, "cs/name=a,period=b/", "b/: ", "needs a number"));
	CHECK(says(&w, "cpu/evnt=1/", "evnt=1/: ", "for pmu 'cpu'; did you mean 'event'?"));
	CHECK(says(&w, "cpu/mem-load/", "mem-load/: ", "did you mean 'mem-loads'?"));
	CHECK(says(&w, "cpu/zzz/", "zzz/: ", "valid terms: any,event,ldlat,umask,"));
	CHECK(says(&w, "cpu", "cpu: ", "'cpu' is an event source; write cpu/mem-loads/"));
	CHECK(says(&w, "sched_switch", "sched_switch: ", "did you mean 'sched:sched_switch'?"));
	CHECK(says(&w, "CYCLES", "CYCLES: ", "did you mean 'cycles'?"));
	CHECK(says(&w, "cs,a.c", "a.c: ", "bpftrace"));
	CHECK(says(&w, "./a/prog.o/map:x.event=e/", "./a/", "bpftrace"));
	CHECK(says(&w, "mem:0x10/3", "3: ", "1, 2, 4 or 8"));
	CHECK(says(&w, "mem:0x10:rr", "r: ", "'r' is there already"));
	CHECK(says(&w, "sdt_a:b", "sdt_a:b: ", "perf buildid-cache --add"));
	CHECK(says(&w, "probe:zzzzz", "probe:zzzzz: ", "perf probe --add"));
	CHECK(says(&w, "iTLB-stores", "iTLB-stores: ", "unknown event"));
	CHECK(says(&w, "L1-dcache-", "L1-dcache-: ", "unknown event"));
	CHECK(says(&w, "cs/branch_type=eny/", "eny/: ", "unknown branch filter 'eny'"));
	CHECK(says(&w, "cs/aux-sample-size=8/", "8/: ", "no AUX area event"));
	CHECK_STR(mistake(&w, "cs/branch_type=any_call+u/,cs/branch_type='k'/"), "");
	CHECK_EQ(w.list.evsels[w.list.nr - 2]->attr.branch_sample_type,
	         PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER);
	CHECK_EQ(w.list.evsels[w.list.nr - 1]->attr.branch_sample_type,
	         PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_KERNEL);
	CHECK(w.list.evsels[w.list.nr - 1]->attr.sample_type & PERF_SAMPLE_BRANCH_STACK);
	CHECK_STR(mistake(&w, "cs/aux-output/,cs/nr=3/,cs/aux-sample-size=0/"), "");
	CHECK_EQ(w.list.evsels[w.list.nr - 3]->attr.aux_output, 1);
	CHECK(says(&w, "cpu/@x/", "@x/: ", "not built yet"));
	CHECK_STR(mistake(&w, "%sched:sched_switch"), "");
	CHECK_STR(mistake(&w, "cs:"), "");
	CHECK_EQ(w.list.evsels[w.list.nr - 1]->attr.exclude_guest, 1);
	CHECK_STR(mistake(&w, "cs:ppp"), "");
	CHECK_STR(mistake(&w, "cs/percore/,faults/metric-id=x/"), "");
	world__exit(&w);
}

TEST(parse_terms_about_samples_where_none_are_taken)
{
	static const char *const bad[] = { "freq=1",          "time",        "call-graph=fp",
		                           "stack-size=8",    "max-stack=1", "inherit",
		                           "no-inherit",      "overwrite",   "no-overwrite",
		                           "branch_type=any", "aux-output",  "nr=1" };
	struct world w;
	char text[64];

	world__init(&w);
	w.sources.counting = true;
	CHECK_STR(mistake(&w, "cs/config=1,config1=2,config2=3,name=x,period=7,percore/"), "");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		snprintf(text, sizeof(text), "cs/%s/", bad[i]);
		CHECK(says(&w, text, bad[i], "is not usable in 'perf stat'"));
		snprintf(text, sizeof(text), "cpu/event=1,%s/", bad[i]);
		CHECK(says(&w, text, bad[i], "is not usable in 'perf stat'"));
	}
	world__exit(&w);
}

TEST(parse_tool_events)
{
	struct world w;

	world__init(&w);
	CHECK_EQ(parse(&w, "{duration_time,cs},user_time:u,system_time"), 0);
	CHECK_EQ(w.list.nr, 4);
	CHECK_EQ(w.list.evsels[0]->tool, EVSEL_DURATION_TIME);
	CHECK_EQ(w.list.evsels[0]->attr.config, PERF_COUNT_SW_DUMMY);
	CHECK_STR(w.list.evsels[0]->unit, "ns");
	CHECK_EQ(w.list.evsels[1]->tool, EVSEL_NO_TOOL);
	CHECK_EQ(w.list.evsels[2]->tool, EVSEL_USER_TIME);
	CHECK_STR(w.list.evsels[2]->name, "user_time:u");
	CHECK_EQ(w.list.evsels[3]->tool, EVSEL_SYSTEM_TIME);
	world__exit(&w);
}

TEST(parse_named_events_need_nothing)
{
	struct evlist list = { .nr = 0 };
	struct evsel *evsel = evlist__add_named(&list, "dummy:HG");

	CHECK_STR(evsel->name, "dummy:HG");
	CHECK_EQ(evsel->attr.config, PERF_COUNT_SW_DUMMY);
	CHECK_EQ(evsel->attr.exclude_guest, 0);
	evlist__exit(&list);
}

TEST(parse_events_of_a_table)
{
	static const char text[] =
	        "[{ \"EventName\": \"INST.ANY\", \"EventCode\": \"0x1C0\", \"UMask\": \"1\" },"
	        " { \"EventName\": \"MEM_LOADS\", \"EventCode\": \"0x7\", \"SampleAfterValue\": \"5\" },"
	        " { \"EventName\": \"CAS\", \"EventCode\": \"0x4\", \"Unit\": \"iMC\","
	        "   \"ScaleUnit\": \"64Bytes\" },"
	        " { \"EventName\": \"GONE\", \"EventCode\": \"0x4\", \"Unit\": \"PCU\" },"
	        " { \"MetricName\": \"ipc\", \"MetricExpr\": \"1\" },"
	        " { \"EventName\": \"BAD\" }]";
	static const struct event_table_selector nowhere = { "/nonexistent", "x", "y" };
	struct evsel *evsel;
	struct world w;

	world__init(&w);
	put_test_text(w.sysfs, "uncore_imc_0/format/event", "config:0-7\n");
	put_test_text(w.sysfs, "uncore_imc_1/format/event", "config:0-7\n");
	w.sources.table = event_table__load(&nowhere);
	event_table__read(w.sources.table, "t.json", "t", text, strlen(text), false);

	evsel = parse_one(&w, "inst.any");
	CHECK_EQ(evsel->attr.type, 4);
	CHECK_EQ(evsel->attr.config, 0x1000001c0);
	CHECK_STR(evsel->name, "inst.any");
	evsel = parse_one(&w, "INST.ANY:u");
	CHECK(evsel->attr.exclude_kernel && !evsel->attr.exclude_user);
	CHECK_STR(evsel->name, "INST.ANY:u");
	evsel = parse_one(&w, "INST.ANY/period=7,name=x/");
	CHECK_EQ(evsel->attr.sample_period, 7);
	CHECK_STR(evsel->name, "x");
	evsel = parse_one(&w, "mem_loads");
	CHECK_EQ(evsel->attr.sample_period, 5);
	CHECK(evsel->user_period);
	/* sysfs' own name, and the user's terms, win */
	CHECK_EQ(parse_one(&w, "cpu/mem-loads/")->attr.config, 0x1cd);
	CHECK_EQ(parse_one(&w, "cpu/INST.ANY,umask=3/k")->attr.config, 0x1000003c0);
	CHECK_EQ(parse(&w, "CAS"), 0);
	CHECK_EQ(w.list.nr, 2);
	if (w.list.nr == 2) {
		CHECK_EQ(w.list.evsels[1]->attr.type, 21);
		CHECK_EQ(w.list.evsels[1]->attr.config, 4);
		CHECK(w.list.evsels[1]->scale == 64);
		CHECK_STR(w.list.evsels[1]->unit, "Bytes");
	}
	CHECK_EQ(parse(&w, "{inst.any,cycles}:S"), 0);

	CHECK(parse(&w, "gone"));
	CHECK(strstr(w.err.cause, "no event source 'uncore_pcu'"));
	CHECK(parse(&w, "cpu/CAS/")); /* it is of another source */
	CHECK(parse(&w, "inst.anny"));
	CHECK(strstr(w.err.cause, "did you mean 'INST.ANY'"));
	CHECK(strstr(w.err.advice, "the event table has 1 mistake: t.json:1: the event 'BAD'"));
	CHECK(parse(&w, "ipc"));
	CHECK(strstr(w.err.cause, "perf stat -M ipc"));
	world__exit(&w);
}

TEST(parse_reads_the_table_only_for_unknown_names)
{
	struct world w;

	world__init(&w);
	CHECK_EQ(parse(&w, "cycles,{instructions,cs}:u,sched:sched_switch,cpu/mem-loads/,r1a8"), 0);
	CHECK_EQ(parse(&w, "L1-dcache-loads:k,power/energy-pkg/,mem-loads,power/config=1/"), 0);
	CHECK(!w.sources.table);
	CHECK(parse(&w, "nosuch"));
	CHECK(w.sources.table);
	world__exit(&w);
}
