// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf buildid-cache: add files to the cache of binaries by build-id, remove them, list it, and
 * show which objects of a recording it lacks.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/options/debuginfod_option.h"
#include "ui/term/diag.h"
#include "ui/text/report_problems.h"
#include "util/archive/build_id_cache_add.h"
#include "util/archive/kernel_copy.h"
#include "util/buildid/build_id_cache.h"
#include "util/elf/build_id.h"
#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/lib/text.h"
#include "util/reader/features.h"
#include "util/reader/reader.h"
#include "util/symindex/index_cache.h"
#include "util/symtab/mapped_file.h"

static const char *const usage[] = { "perf buildid-cache [<options>]", NULL };

static struct {
	const char *add, *remove, *purge, *update, *missing, *kcore, *dir;
	bool purge_all, purge_index, list, force;
	unsigned target_ns;
	int verbose;
} opts;

static const struct option options[] = {
	OPT_STRING('a', "add", &opts.add, "file list", "add these files to the cache"),
	OPT_STRING('r', "remove", &opts.remove, "file list",
	           "remove the entries with the build-ids of these files"),
	OPT_STRING('p', "purge", &opts.purge, "file list",
	           "remove all entries cached under these paths"),
	OPT_BOOL('P', "purge-all", &opts.purge_all, "remove all entries"),
	OPT_BOOL(0, "purge-index", &opts.purge_index,
	         "remove the indexes of symbols and source lines"),
	OPT_STRING('u', "update", &opts.update, "file list",
	           "replace the entries that have the build-ids of these files"),
	OPT_STRING('M', "missing", &opts.missing, "file",
	           "list the objects of this recording that the cache lacks"),
	OPT_BOOL('l', "list", &opts.list, "list the cache"),
	OPT_STRING('k', "kcore", &opts.kcore, "file",
	           "add a copy of the running kernel to the cache"),
	OPT_UINT(0, "target-ns", &opts.target_ns, "pid", "take files as this process sees them"),
	OPT_CALLBACK(0, "debuginfod", NULL, "urls",
	             "accepted: perf report --debuginfod fetches what it needs",
	             debuginfod_option__refuse, .flags = OPTION_OPTIONAL_ARG),
	OPT_BOOL('f', "force", &opts.force, "with -M: read another user's file"),
	OPT_COUNT('v', "verbose", &opts.verbose, "print what is done"),
	{ OPTION_END },
};

static void print_entry(struct out *out, const u8 *bytes, u8 size, const char *name)
{
	struct build_id id = { .size = size };
	char hex[BUILD_ID_HEX_SIZE];

	memcpy(id.data, bytes, size);
	out__str(out, build_id__hex(&id, hex));
	out__char(out, ' ');
	out__name(out, name);
	out__char(out, '\n');
}

/* ---- lists of files ---- */

struct file_list {
	char *text, **files;
	u32 nr;
	size_t cap;
};

static int compare_files(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "b,a" -> a, b: each once, in Linux's order. */
static void file_list__init(struct file_list *list, const char *text)
{
	*list = (struct file_list){ .text = xstrdup(text) };
	u32 nr = 0;

	for (char *rest = list->text, *file; (file = strsep(&rest, ","));) {
		if (!*file)
			continue;
		array__reserve(&list->files, &list->cap, list->nr + 1, sizeof(*list->files));
		list->files[list->nr++] = file;
	}
	if (list->nr)
		qsort(list->files, list->nr, sizeof(*list->files), compare_files);
	for (u32 i = 0; i < list->nr; i++)
		if (!nr || strcmp(list->files[nr - 1], list->files[i]) != 0)
			list->files[nr++] = list->files[i];
	list->nr = nr;
}

static void file_list__exit(struct file_list *list)
{
	free(list->files);
	free(list->text);
}

/* A process whose files are not ours; -1: ours. */
static s32 foreign_root(void)
{
	return process_root__differs(opts.target_ns) ? (s32)opts.target_ns : -1;
}

static int read_id(const char *file, struct build_id *id)
{
	char path[32];
	s32 root = foreign_root();

	if (root < 0)
		return build_id__of_file(file, id);
	if (file[0] != '/')
		return -EINVAL;
	int fd = process_root__open(root, file);

	if (fd < 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	int ret = build_id__of_file(path, id);

	close(fd);
	return ret;
}

static int cannot(const char *what, const char *file, int ret)
{
	struct error err = ERROR_INIT;

	switch (ret) {
	case -ENOEXEC:
		error__set(&err, ret, what, file, "it is not an ELF file");
		break;
	case -EINVAL:
		error__set(&err, ret, what, file, "with --target-ns paths begin with '/'");
		break;
	case -EPERM:
		error__set(&err, ret, what, file,
		           "its place in '%s' is a link out of it, or another user's", opts.dir);
		error__advise(&err, "choose another folder with perf --buildid-dir");
		break;
	case -ENODATA:
		error__set(&err, ret, what, file, "it has no build-id");
		error__advise(&err, "link it with -Wl,--build-id");
		break;
	default:
		error__set(&err, ret, what, file, NULL);
	}
	diag__error(&err);
	return EXIT_ERROR;
}

static void say_done(const char *what, const struct build_id *id, const char *file)
{
	char hex[BUILD_ID_HEX_SIZE];

	if (opts.verbose)
		diag__line("%s %s %s: Ok", what, build_id__hex(id, hex), file);
}

/* ---- the actions: an exit status each ---- */

/* Updating by a file of the cache itself would remove it first. */
static bool lies_in_cache(const char *file)
{
	char *real = realpath(file, NULL), *dir = realpath(opts.dir, NULL);
	bool inside = real && dir && text__starts_with(real, dir) && real[strlen(dir)] == '/';

	free(real);
	free(dir);
	return inside;
}

static int add_file(const char *what, const char *file, const struct build_id *id)
{
	struct error err = ERROR_INIT;

	if (build_id_cache__add(opts.dir, file, foreign_root(), id, CACHE_ELF, &err)) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	say_done(what, id, file);
	return 0;
}

static int do_add(const char *file)
{
	struct build_id id;
	int ret = read_id(file, &id);

	if (ret)
		return cannot("cannot add", file, ret);
	return add_file("Adding", file, &id);
}

static int do_update(const char *file)
{
	struct build_id id;
	int ret = read_id(file, &id);

	if (ret)
		return cannot("cannot update", file, ret);
	if (foreign_root() < 0 && lies_in_cache(file)) {
		diag__say_error("cannot update with a file of the cache itself");
		return EXIT_ERROR;
	}
	ret = build_id_cache__remove(opts.dir, &id);
	if (ret && ret != -ENOENT)
		return cannot("cannot update", file, ret);
	return add_file("Updating", file, &id);
}

/* That it is not there is what was wanted. */
static void say_absent(const char *file)
{
	diag__line("%s wasn't in the cache", file);
}

static int do_remove(const char *file)
{
	struct build_id id;
	int ret = read_id(file, &id);

	if (ret)
		return cannot("cannot tell the build-id of", file, ret);
	ret = build_id_cache__remove(opts.dir, &id);
	if (ret == -ENOENT)
		say_absent(file);
	else if (ret)
		return cannot("cannot remove", file, ret);
	else
		say_done("Removing", &id, file);
	return 0;
}

/* The file may be gone: its path is enough then. */
static int do_purge(const char *file)
{
	char *real = file[0] == '[' ? NULL : realpath(file, NULL);
	int ret = build_id_cache__purge(opts.dir, real ? real : file);

	free(real);
	if (ret == -ENOENT)
		say_absent(file);
	else if (ret)
		return cannot("cannot purge", file, ret);
	else if (opts.verbose)
		diag__line("Purging %s: Ok", file);
	return 0;
}

static int for_each_file(const char *text, int (*action)(const char *file))
{
	struct file_list list;
	int status = 0;

	if (!text)
		return 0;
	file_list__init(&list, text);
	for (u32 i = 0; i < list.nr; i++) {
		int one = action(list.files[i]);

		status = status ? status : one;
	}
	file_list__exit(&list);
	return status;
}

static void purge_entry(void *ctx, const struct build_id_cache_entry *entry)
{
	int *status = ctx, ret = build_id_cache__remove(opts.dir, &entry->id);
	char hex[BUILD_ID_HEX_SIZE];

	if (ret && ret != -ENOENT)
		*status = cannot("cannot remove", entry->name, ret);
	else if (opts.verbose)
		diag__line("Removing %s (%s): Ok", entry->name, build_id__hex(&entry->id, hex));
}

static int cannot_list(int ret)
{
	struct error err = ERROR_INIT;

	error__set(&err, ret, "cannot list the build-id cache", opts.dir, NULL);
	diag__error(&err);
	return EXIT_ERROR;
}

static int purge_all(void)
{
	int status = 0, ret = build_id_cache__list(opts.dir, purge_entry, &status);

	if (ret)
		return cannot_list(ret);
	if (opts.verbose && !status)
		fprintf(stderr, "Purged all: Ok\n");
	return status;
}

static void list_entry(void *ctx, const struct build_id_cache_entry *entry)
{
	if (entry->valid)
		print_entry(ctx, entry->id.data, entry->id.size, entry->name);
}

static int list_cache(struct out *out)
{
	int ret = build_id_cache__list(opts.dir, list_entry, out);

	return ret ? cannot_list(ret) : 0;
}

static void list_missing_entry(void *ctx, const struct build_id_entry *entry)
{
	struct build_id id = { .size = entry->size };

	memcpy(id.data, entry->id, entry->size);
	char *found = build_id_cache__find(opts.dir, &id, build_id_cache__kind_of(entry->name));

	if (!found)
		print_entry(ctx, entry->id, entry->size, entry->name);
	free(found);
}

/* /proc/kcore, or that of a folder with the lists that belong to it. */
static int add_kcore(void)
{
	const char *name = opts.kcore ? text__basename(opts.kcore) : NULL;
	struct error err = ERROR_INIT;
	char *from, *path = NULL;
	bool there;
	int ret;

	if (!name)
		return 0;
	if (strcmp(name, "kcore") != 0) {
		error__set(&err, -EINVAL, "cannot add", opts.kcore, "its name must be kcore");
		error__advise(&err, "try --kcore /proc/kcore");
		diag__error(&err);
		return EXIT_ERROR;
	}
	from = name == opts.kcore ? xstrdup(".")
	                          : xasprintf("%.*s", (int)(name - opts.kcore - 1), opts.kcore);
	ret = kernel_copy__add_to_cache(opts.dir, *from ? from : "/", &path, &there, &err);
	if (ret)
		diag__error(&err);
	else if (there)
		fprintf(stderr, "same kcore found in %s\n", path);
	else
		fprintf(stderr, "kcore added to build-id cache directory %s\n", path);
	free(path);
	free(from);
	return ret ? EXIT_ERROR : 0;
}

static int list_missing(struct out *out)
{
	struct error err = ERROR_INIT;
	struct perf_data *data;

	if (!opts.missing)
		return 0;
	data = perf_data__open(opts.missing, opts.force ? PERF_DATA_FORCE : 0, &err);
	if (!data) {
		diag__error(&err);
		return EXIT_ERROR;
	}
	if (perf_data__build_ids(data, list_missing_entry, out) < 0)
		diag__say_warning("the list of build-ids in '%s' is damaged; what could be read "
		                  "is looked for",
		                  opts.missing);
	out__flush(out);
	report_problems__say_file(data);
	perf_data__close(data);
	return 0;
}

static int purge_index(void)
{
	struct error err = ERROR_INIT;
	char *dir = index_cache__dir();
	u32 nr = 0;

	if (dir && index_cache__purge(dir, &nr, &err)) {
		diag__error(&err);
		free(dir);
		return EXIT_ERROR;
	}
	if (opts.verbose)
		fprintf(stderr, "%u indexes removed\n", nr);
	free(dir);
	return 0;
}

/* In the order of Linux's perf, whatever that of the options is. */
static int act(struct out *out)
{
	int status = 0, one;

	if (opts.list)
		return list_cache(out);
	if ((one = for_each_file(opts.add, do_add)))
		status = one;
	if ((one = for_each_file(opts.remove, do_remove)))
		status = one;
	if ((one = for_each_file(opts.purge, do_purge)))
		status = one;
	if (opts.purge_all && (one = purge_all()))
		status = one;
	if (opts.purge_index && (one = purge_index()))
		status = one;
	if ((one = list_missing(out)))
		status = one;
	if ((one = for_each_file(opts.update, do_update)))
		status = one;
	if ((one = add_kcore()))
		status = one;
	return status;
}

static int check_options(int argc, const char **argv, int rest)
{
	bool changes = opts.add || opts.remove || opts.purge || opts.purge_all || opts.update ||
	               opts.missing || opts.purge_index || opts.kcore;

	if (rest < argc)
		return command_line__refuse_word(
		        argv[rest], "files are given with -a, -r, -p or -u", usage, options, NULL);
	if (opts.list && changes) {
		diag__say_error("-l is exclusive.");
		return command_line__usage(NULL, usage, options, "-l");
	}
	if (!opts.list && !changes)
		return command_line__usage(NULL, usage, options, NULL);
	if (opts.target_ns && kill(opts.target_ns, 0) && errno == ESRCH) {
		diag__say_error("cannot see files as process %u: there is no such process",
		                opts.target_ns);
		return EXIT_ERROR;
	}
	return 0;
}

int cmd_buildid_cache(int argc, const char **argv)
{
	struct out out;
	char *dir;
	int rest, status, ret = command_line__parse(argc, argv, usage, options, 0, &rest);

	if (!ret)
		ret = check_options(argc, argv, rest);
	if (ret)
		return ret;
	perf_config(); /* buildid.dir */
	opts.dir = dir = build_id_cache__dir(NULL, NULL);
	if (!dir) {
		diag__say_error("there is no build-id cache: HOME is not set, or the cache is "
		                "turned off by PERF_BUILDID_DIR=/dev/null");
		return EXIT_ERROR;
	}
	out__init(&out, STDOUT_FILENO);
	status = act(&out);
	out__exit(&out);
	free(dir);
	if (!status && diag__cannot_write(out.error, "cannot write the list", NULL))
		status = 1;
	return status;
}
