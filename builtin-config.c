// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The configuration files as commands see them, and perf config, which shows and changes them.
 * They are read once, when the first command asks.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "util/options/install_dirs.h"

/* ---- for the other commands ---- */

static void read_source(struct config *config, enum config_source source)
{
	struct error err = ERROR_INIT;
	char *file = config__file(source);

	if (file && config__read(config, file, source, &err))
		diag__warning(&err); /* what could be read counts */
	free(file);
}

const struct config *perf_config(void)
{
	static struct config config = CONFIG_INIT;
	static bool read;

	if (!read) {
		read = true;
		read_source(&config, CONFIG_SYSTEM);
		read_source(&config, CONFIG_USER);
	}
	return &config;
}

/* buildid.dir, unless the environment or --buildid-dir says otherwise. */
static void use_buildid_dir(const struct config *config)
{
	const struct config_entry *entry = config__find(config, "buildid.dir");
	const char *home = getenv("HOME");
	char *path;

	if (!entry || !*entry->value)
		return;
	path = home && !strncmp(entry->value, "~/", 2) ? xasprintf("%s%s", home, entry->value + 1)
	                                               : xstrdup(entry->value);
	setenv("PERF_BUILDID_DIR", path, 0);
	free(path);
}

int use_config(const struct option *keys)
{
	const struct config *config = perf_config();
	struct error err = ERROR_INIT;

	use_buildid_dir(config);
	if (!config__apply(config, keys, &err))
		return 0;
	diag__error(&err);
	return EXIT_ERROR;
}

/* ---- perf config ---- */

static struct {
	bool list, user, system;
} opts;

static const struct option options[] = {
	OPT_BOOL('l', "list", &opts.list, "print all variables that are set"),
	OPT_BOOL(0, "system", &opts.system, "use only the system-wide file"),
	OPT_BOOL(0, "user", &opts.user, "use only the user's file"),
	{ OPTION_END },
};
static const char *const usage[] = {
	"perf config [<options>] [<section>.<name>[=<value>] ...]",
	NULL,
};

/* The file that is meant; NULL: none can be. */
static char *chosen_file(void)
{
	const char *home = getenv("HOME");

	if (opts.system)
		return xstrdup(install_dirs__system_config());
	if (opts.user)
		return home && *home ? xasprintf("%s/.perfconfig", home) : NULL;
	return config__file(CONFIG_USER);
}

static void print_entry(const struct config_entry *entry)
{
	printf("%s=", entry->name);
	for (const char *c = entry->value; *c; c++)
		putchar((unsigned char)*c < ' ' && !strchr("\t\n", *c) ? '?' : *c);
	putchar('\n');
}

static int list_all(const struct config *config)
{
	for (size_t i = 0; i < config->nr; i++)
		if (config__find(config, config->entries[i].name) == &config->entries[i])
			print_entry(&config->entries[i]);
	return 0;
}

static int bad_word(const char *word, const char *cause)
{
	struct error err = ERROR_INIT;

	error__set(&err, -EINVAL, "cannot use the variable", word, "%s", cause);
	diag__error(&err);
	return EXIT_ERROR;
}

static int set(const char *word, const char *equal)
{
	struct error err = ERROR_INIT;
	char *file = chosen_file(), *name = xasprintf("%.*s", (int)(equal - word), word);
	int ret;

	if (!file)
		ret = error__set(&err, -ENOENT, "cannot write the configuration", NULL,
		                 "HOME is not set, or PERF_CONFIG_NOGLOBAL is");
	else
		ret = config__write(file, name, equal + 1, &err);
	free(name);
	free(file);
	if (!ret)
		return 0;
	diag__error(&err);
	return EXIT_ERROR;
}

/* One "section.name" or "section.name=value". */
static int do_word(const struct config *config, const char *word)
{
	const char *equal = strchr(word, '='), *dot = strchr(word, '.');
	const struct config_entry *entry;

	if (!dot || dot == word || (equal && dot > equal))
		return bad_word(word, "a section is missing: the name is SECTION.NAME");
	if (!dot[1] || (equal && equal[-1] == '.'))
		return bad_word(word, "a name is missing after the section");
	if (equal && !equal[1])
		return bad_word(word, "a value is missing after the '='");
	if (equal)
		return set(word, equal);
	entry = config__find(config, word);
	if (entry)
		print_entry(entry);
	return 0;
}

int cmd_config(int argc, const char **argv)
{
	struct config one = CONFIG_INIT;
	struct error err = ERROR_INIT;
	const struct config *config = &one;
	char *file;
	int rest, ret = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);

	if (ret)
		return ret;
	if (opts.user && opts.system) {
		error__set(&err, -EINVAL, "--user and --system exclude each other", NULL, "%s", "");
		return command_line__usage(&err, usage, options, NULL);
	}
	if (opts.list && rest < argc)
		return command_line__usage(NULL, usage, options, "-l");
	if (opts.user || opts.system) {
		file = chosen_file();
		if (file && config__read(&one, file, CONFIG_USER, &err))
			diag__warning(&err);
		free(file);
	} else {
		config = perf_config();
	}
	if (rest == argc)
		ret = list_all(config);
	for (; !ret && rest < argc; rest++)
		ret = do_word(config, argv[rest]);
	config__exit(&one);
	return ret;
}
