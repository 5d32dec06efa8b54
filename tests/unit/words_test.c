// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/words.h"

#include <errno.h>

#include "tests/unit/unit.h"
#include "util/lib/out.h"

/* The words between bars, or "place: cause". */
static const char *split(const char *text)
{
	static struct out out;
	struct words words;
	struct error err = ERROR_INIT;

	if (out.buf)
		out__exit(&out);
	out__init(&out, -1);
	if (words__split(&words, text, &err)) {
		CHECK_EQ(err.code, -EINVAL);
		out__printf(&out, "%u: %.12s", err.column, err.cause);
		return out__take(&out);
	}
	CHECK(!words.words[words.nr]);
	for (u32 i = 0; i < words.nr; i++)
		out__printf(&out, "|%s", words.words[i]);
	words__exit(&words);
	return out__take(&out);
}

TEST(words_are_split_as_a_shell_splits)
{
	CHECK_STR(split("ls"), "|ls");
	CHECK_STR(split("  ls\t-l \n a "), "|ls|-l|a");
	CHECK_STR(split("a 'b  c' d''e \"\" f"), "|a|b  c|de||f");
	CHECK_STR(split("a \"b 'c' \\\" \\\\ \\n\" x"), "|a|b 'c' \" \\ \\n|x");
	CHECK_STR(split("a\\ b \\'c '\\'"), "|a b|'c|\\");
	CHECK_STR(split("sh -c 'x | y > $z; *'"), "|sh|-c|x | y > $z; *");
	CHECK_STR(split("a#b c~ x=1 {} ! %"), "|a#b|c~|x=1|{}|!|%");
}

TEST(words_refuse_what_needs_a_shell)
{
	CHECK_STR(split("a | b"), "3: no shell is ");
	CHECK_STR(split("a b>c"), "4: no shell is ");
	CHECK_STR(split("echo $HOME"), "6: no shell is ");
	CHECK_STR(split("echo \"$HOME\""), "7: no shell is ");
	CHECK_STR(split("ls *.c"), "4: no shell is ");
	CHECK_STR(split("ls ~"), "4: no shell is ");
	CHECK_STR(split("a 'b c"), "3: this quote i");
	CHECK_STR(split("a b\\"), "4: nothing foll");
	CHECK_STR(split(" \t"), "0: there is no ");
	CHECK_STR(split(""), "0: there is no ");
}
