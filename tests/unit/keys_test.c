// SPDX-License-Identifier: GPL-2.0-or-later
/* What is parsed from the command line of report: sort keys, ways to show chains, lists. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/unit/test_file.h"
#include "util/lib/alloc.h"
#include "util/lib/name_list.h"
#include "util/profile/key.h"
#include "util/view/callchain.h"

static bool is_key(const struct sort_keys *keys, u32 i, const char *name)
{
	return i < keys->nr && !strcmp(keys->list[i].key->name, name);
}

TEST(sort_keys_keep_their_order_and_count_once)
{
	struct sort_keys keys;
	struct error err = ERROR_INIT;

	CHECK_EQ(sort_keys__parse(&keys, "dso,sym,comm,symbol", NULL, &err), 0);
	CHECK_EQ(keys.nr, 3);
	CHECK(is_key(&keys, 0, "dso"));
	CHECK(is_key(&keys, 1, "symbol"));
	CHECK(is_key(&keys, 2, "comm"));
	CHECK(sort_keys__has(&keys, &key_symbol));
	CHECK_EQ(keys.nr, 3);
	CHECK_EQ(sort_keys__parse(&keys, SORT_KEYS_DEFAULT, NULL, &err), 0);
	CHECK_EQ(keys.nr, 3);
}

TEST(sort_keys_say_which_is_unknown)
{
	struct sort_keys keys;
	struct error err = ERROR_INIT;

	CHECK_EQ(sort_keys__parse(&keys, "comm,symbl", NULL, &err), -EINVAL);
	CHECK_STR(err.subject, "symbl");
	CHECK_STR(err.advice, "did you mean 'symbol'?");
	err = (struct error)ERROR_INIT;
	CHECK_EQ(sort_keys__parse(&keys, "foo", NULL, &err), -EINVAL); /* not dso */
	CHECK_STR(err.advice, "");
	CHECK_EQ(sort_keys__parse(&keys, "", NULL, &err), -EINVAL);
	CHECK_EQ(sort_keys__parse(&keys, ",", NULL, &err), -EINVAL);
	CHECK_EQ(sort_keys__parse(&keys, "a-key-that-is-much-longer-than-any-other", NULL, NULL),
	         -EINVAL);
}

TEST(sort_keys_may_be_cut_short)
{
	struct sort_keys keys;
	struct error err = ERROR_INIT;

	CHECK_EQ(sort_keys__parse(&keys, "overhead,symb,C,Ds,pi,tid,cp", NULL, &err), 0);
	CHECK_EQ(keys.nr, 6);
	CHECK(is_key(&keys, 0, "symbol"));
	CHECK(is_key(&keys, 1, "comm"));
	CHECK(is_key(&keys, 2, "dso"));
	CHECK(is_key(&keys, 3, "pid"));
	CHECK(is_key(&keys, 4, "tid"));
	CHECK(is_key(&keys, 5, "cpu"));
	CHECK_EQ(sort_keys__parse(&keys, "srcl,srcf", NULL, &err), 0);
	CHECK(is_key(&keys, 0, "srcline"));
	CHECK(is_key(&keys, 1, "srcfile"));
	CHECK_EQ(sort_keys__parse(&keys, "ti", NULL, &err), 0);
	CHECK(is_key(&keys, 0, "time"));
	CHECK_EQ(sort_keys__parse(&keys, "comms", NULL, &err), -EINVAL);
	CHECK_STR(err.advice, "did you mean 'comm'?");
	err = (struct error)ERROR_INIT;
	CHECK_EQ(sort_keys__parse(&keys, "comm,typeoff", NULL, &err), -EINVAL);
	CHECK(strstr(err.cause, "types of data"));
	CHECK_EQ(sort_keys__parse(&keys, "overhead", NULL, &err), 0); /* one entry of all */
	CHECK_EQ(keys.nr, 0);
	CHECK_EQ(sort_keys__parse(&keys, ",", NULL, &err), -EINVAL);
}

TEST(chain_options_take_words_in_any_order)
{
	struct chain_options options = CHAIN_OPTIONS_INIT;
	struct error err = ERROR_INIT;

	CHECK_EQ(chain_options__parse(&options, "caller,2.5,count,fractal,7,address", &err), 0);
	CHECK_EQ(options.mode, CHAIN_FRACTAL);
	CHECK_EQ(options.order, CHAIN_CALLER);
	CHECK_EQ(options.value, CHAIN_COUNT);
	CHECK_EQ(options.key, CHAIN_BY_ADDRESS);
	CHECK(options.threshold == 2.5);
	CHECK_EQ(options.print_limit, 7);
	CHECK_EQ(chain_options__parse(&options, "none", &err), 0);
	CHECK_EQ(options.mode, CHAIN_NONE);
	CHECK_EQ(options.print_limit, 7); /* what is not named stays */
}

/* Of few samples a limit in percent lies between two numbers of them. */
TEST(chain_options_round_their_limit)
{
	struct chain_options options = CHAIN_OPTIONS_INIT;

	options.threshold = 2; /* 3.64 of 182 */
	CHECK(chain_options__prunes(&options, 2, 182));
	CHECK(!chain_options__prunes(&options, 3, 182));
	options.mode = CHAIN_FRACTAL;
	CHECK(chain_options__prunes(&options, 3, 182));
	CHECK(!chain_options__prunes(&options, 4, 182));
}

TEST(chain_options_refuse_nonsense)
{
	static const char *const bad[] = { "dwarf", "-1", "nan", "1,2,3", "0.5x", "graph,grahp" };
	struct chain_options options = CHAIN_OPTIONS_INIT;
	struct error err = ERROR_INIT;

	for (unsigned i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_EQ(chain_options__parse(&options, bad[i], &err), -EINVAL);
	CHECK_STR(err.subject, "grahp");
}

TEST(name_list_reads_words_and_files)
{
	struct name_list list = { .names = NULL };
	struct error err = ERROR_INIT;
	char *path = write_test_file("names", "x y\nz\n\nw", 8);
	char *text = xasprintf("a,,b c,file://%s,d", path);

	CHECK_EQ(name_list__parse(&list, text, &err), 0);
	CHECK_EQ(list.nr, 6);
	CHECK_STR(list.names[1], "b c");
	CHECK_STR(list.names[2], "x y");
	CHECK_STR(list.names[4], "w");
	CHECK(name_list__has(&list, "d"));
	CHECK(!name_list__has(&list, "b"));
	CHECK_EQ(name_list__parse(&list, "file:///nowhere/at/all", &err), -ENOENT);
	CHECK_STR(err.subject, "/nowhere/at/all");
	name_list__exit(&list);
	free(text);
	free(path);
}

TEST(number_list_is_strict)
{
	struct error err = ERROR_INIT;
	u32 *numbers = NULL, nr = 0;

	CHECK_EQ(number_list__parse(&numbers, &nr, "1,20, 3", &err), 0);
	CHECK_EQ(nr, 3);
	CHECK_EQ(numbers[1], 20);
	CHECK_EQ(number_list__parse(&numbers, &nr, "4,x", &err), -EINVAL);
	CHECK_STR(err.subject, "x");
	CHECK_EQ(number_list__parse(&numbers, &nr, "4294967296", &err), -EINVAL);
	free(numbers);
}
