// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/options/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "tests/unit/unit.h"
#include "util/lib/file.h"

static struct config config;
static struct error err;

static int parse(const char *text)
{
	config__exit(&config);
	err = (struct error)ERROR_INIT;
	return config__parse(&config, text, strlen(text), "f", CONFIG_USER, &err);
}

static const char *value_of(const char *name)
{
	const struct config_entry *entry = config__find(&config, name);

	return entry ? entry->value : NULL;
}

TEST(config_sections_and_values)
{
	CHECK(!parse("# c\n[report]\n\tsort_order = comm,dso # behind\n\tEmpty =\n;x\n"
	             "[call-graph] order=caller\n[a \"Sub [\\\"]\"]\nb = 1\n[A.B]\n\tC-d=x"));
	CHECK_EQ(config.nr, 5);
	CHECK_STR(value_of("report.sort_order"), "comm,dso");
	CHECK_STR(value_of("report.sort-order"), "comm,dso");
	CHECK_STR(value_of("report.empty"), "");
	CHECK_STR(value_of("call-graph.order"), "caller");
	CHECK_STR(config.entries[3].name, "a.Sub [\"].b");
	CHECK_STR(config.entries[4].name, "a.b.c-d");
	CHECK_EQ(config.entries[1].line, 4);
	CHECK_STR(config.entries[1].file, "f");
	CHECK(!value_of("report.nosuch") && !value_of("report") && !value_of(""));
	config__exit(&config);
}

TEST(config_values_are_git_s)
{
	CHECK(!parse("\xef\xbb\xbf[a]\r\nb =  c d   e  \r\nc = \"x y\"  z ; foo\n"
	             "d = x\\\n  y\ne = x\\ty\\nz\\\\w\\\"q\nf=\"  # ; \"\ng = a\\\r\nb\nb = 2\n"));
	CHECK_STR(config.entries[0].value, "c d e");
	CHECK_STR(value_of("a.b"), "2"); /* the last one counts */
	CHECK_STR(value_of("a.c"), "x y z");
	CHECK_STR(value_of("a.d"), "x y");
	CHECK_STR(value_of("a.e"), "x\ty\nz\\w\"q");
	CHECK_STR(value_of("a.f"), "  # ; ");
	CHECK_STR(value_of("a.g"), "ab");
	config__exit(&config);
}

static void fails(const char *text, const char *position, const char *cause)
{
	CHECK_EQ(parse(text), -EINVAL);
	CHECK_STR(err.subject, position);
	CHECK(strstr(err.cause, cause) != NULL);
	config__exit(&config);
}

TEST(config_comments_end_with_their_line)
{
	CHECK(!parse("[a] # x\r\nb = 1 ; y\r\n# z\r\nc = 2\r\n"));
	CHECK_STR(value_of("a.b"), "1");
	CHECK_STR(value_of("a.c"), "2");
	config__exit(&config);
}

TEST(config_mistakes_have_their_line_and_reason)
{
	fails("foo\n", "f:1", "precedes the first [section]");
	fails("\n[a\nb=c\n", "f:2", "']' is missing");
	fails("[]\n", "f:1", "no name");
	fails("[a]\n1b=c\n", "f:2", "starts with");
	fails("[a]\n\nb\n", "f:3", "'=' is missing");
	fails("[a]\nb=\"c\nd\"\n", "f:2", "quote is not closed");
	fails("[a]\nb=\"c", "f:2", "quote is not closed");
	fails("[a]\nb=\\q\n", "f:2", "backslash");
	fails("[a]\nb=x\\", "f:2", "backslash");
	fails("[a b]\n", "f:1", "must be quoted");
	fails("[a \"b\n\"]\n", "f:1", "not closed");
	fails("[a \"b\"x]\n", "f:1", "']' is missing");
	fails("[a$]\n", "f:1", "made of letters");
	CHECK_EQ(parse("[a]\nb = 1\n[c\n"), -EINVAL); /* what stands before is kept */
	CHECK_STR(value_of("a.b"), "1");
	CHECK_EQ(config__parse(&config, "[a]\nb=\0x", 8, "f", CONFIG_USER, &err), -EINVAL);
	config__exit(&config);
}

TEST(config_bools)
{
	static const char *const yes[] = { "true", "YES", "on", "1", "7", "0x10" };
	static const char *const no[] = { "false", "No", "OFF", "0", "" };
	static const char *const neither[] = { "maybe", "-1", "1x", " " };
	bool value;

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		CHECK(!config__bool(yes[i], &value) && value);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		CHECK(!config__bool(no[i], &value) && !value);
	for (size_t i = 0; i < ARRAY_SIZE(neither); i++)
		CHECK_EQ(config__bool(neither[i], &value), -EINVAL);
}

static void edits(const char *text, const char *name, const char *value, const char *want)
{
	char *got = config__edit(text, strlen(text), "f", name, value, &err);

	CHECK_STR(got, want);
	free(got);
}

TEST(config_edit_changes_one_line)
{
	edits("", "a.b", "1", "[a]\n\tb = 1\n");
	edits("# mine\n[a]\n  B=0 # old\n# end", "a.b", "1", "# mine\n[a]\n  B = 1\n# end");
	edits("[a]\nb=1\n[c]\nd=2\n", "a.x", "y", "[a]\nb=1\n\tx = y\n[c]\nd=2\n");
	edits("[a]\nb=1", "a.x", "y", "[a]\nb=1\n\tx = y\n");
	edits("[a]\nb=1", "c.x", "y", "[a]\nb=1\n[c]\n\tx = y\n");
	edits("[a]\nb=1\nb=2\n", "a.b", "3", "[a]\nb=1\nb = 3\n");
	edits("[a] b=1\n", "a.b", "3", "[a] b = 3\n");
	edits("[a]\nb=1\\\n 2\nc=3\n", "a.b", "x", "[a]\nb = x\nc=3\n");
	edits("[report]\nsort_order=x\n", "report.sort-order", "y", "[report]\nsort_order = y\n");
	edits("[a]\nb=1\\\n", "a.x", "y", "[a]\nb=1\\\n\n\tx = y\n");
	edits("", "a.Sub \"q\".b", " # ", "[a \"Sub \\\"q\\\"\"]\n\tb = \" # \"\n");
	edits("", "a.b", "x\ty\\", "[a]\n\tb = \"x\\ty\\\\\"\n");
	edits("", "a.b", "", "[a]\n\tb = \"\"\n");
	for (size_t i = 0; i < 6; i++) {
		static const char *const bad[] = { "ab", ".b", "a.", "a.1", "a b.c", "a.b c" };

		CHECK(!config__edit("", 0, "f", bad[i], "1", &err));
		CHECK_STR(err.subject, bad[i]);
	}
	CHECK(!config__edit("[a\n", 3, "f", "a.b", "1", &err));
	CHECK_STR(err.subject, "f:1");
	CHECK(!config__edit("", 0, "f", "a.b", "\033[2J", &err));
}

/* The longest that Linux's perf reads back. */
TEST(config_edit_keeps_to_what_both_perfs_read)
{
	char name[300] = "a.", value[1100] = "";
	char *got;

	memset(name + 2, 'x', 253);
	memset(value, 'v', 1022);
	got = config__edit("", 0, "f", name, value, &err);
	CHECK(got);
	free(got);
	name[255] = 'x';
	CHECK(!config__edit("", 0, "f", name, "1", &err));
	value[1022] = 'v';
	CHECK(!config__edit("", 0, "f", "a.b", value, &err));
}

TEST(config_files)
{
	char *path = write_test_file("perfconfig", "[a]\nb = 1\n", 10), *text;
	struct stat st;
	size_t len;

	err = (struct error)ERROR_INIT;
	CHECK(!chmod(path, 0640));
	CHECK(!config__read(&config, path, CONFIG_USER, &err));
	CHECK_STR(value_of("a.b"), "1");
	CHECK(!config__write(path, "a.c", "2", &err));
	text = file__read_all(path, 100, &len);
	CHECK_STR(text, "[a]\nb = 1\n\tc = 2\n");
	free(text);
	CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0640);
	CHECK(!chmod(path, 0666));
	CHECK_EQ(config__read(&config, path, CONFIG_USER, &err), -EPERM);
	CHECK_STR(err.cause, "everybody can write to it");
	CHECK_EQ(config__write(path, "a.c", "2", &err), -EPERM);
	if (!geteuid()) {
		CHECK(!chmod(path, 0600) && !chown(path, 12345, 0));
		CHECK_EQ(config__read(&config, path, CONFIG_USER, &err), -EPERM);
		CHECK_STR(err.cause, "it belongs to user 12345, not to you or root");
	}
	unlink(path);
	CHECK(!config__read(&config, path, CONFIG_USER, &err)); /* none is no mistake */
	CHECK(!config__read(&config, "/dev/null", CONFIG_USER, &err));
	CHECK_EQ(config__write("/dev/null", "a.b", "1", &err), -EINVAL);
	CHECK(config__read(&config, "/dev", CONFIG_USER, &err) < 0);
	free(path);
	config__exit(&config);
}

TEST(config_file_names)
{
	char *old = getenv("HOME") ? strdup(getenv("HOME")) : NULL, *name;
	char *only = getenv("PERF_CONFIG") ? strdup(getenv("PERF_CONFIG")) : NULL;

	setenv("HOME", "/home/x", 1);
	setenv("PERF_CONFIG", "/there", 1);
	name = config__file(CONFIG_USER);
	CHECK_STR(name, "/there");
	free(name);
	CHECK(!config__file(CONFIG_SYSTEM));
	unsetenv("PERF_CONFIG");
	name = config__file(CONFIG_USER);
	CHECK_STR(name, "/home/x/.perfconfig");
	free(name);
	name = config__file(CONFIG_SYSTEM);
	CHECK(name && strstr(name, "/perfconfig"));
	free(name);
	setenv("PERF_CONFIG_NOSYSTEM", "1", 1);
	setenv("PERF_CONFIG_NOGLOBAL", "yes", 1);
	CHECK(!config__file(CONFIG_SYSTEM) && !config__file(CONFIG_USER));
	unsetenv("PERF_CONFIG_NOSYSTEM");
	unsetenv("PERF_CONFIG_NOGLOBAL");
	unsetenv("HOME");
	CHECK(!config__file(CONFIG_USER));
	if (old)
		setenv("HOME", old, 1);
	if (only)
		setenv("PERF_CONFIG", only, 1);
	free(old);
	free(only);
}
