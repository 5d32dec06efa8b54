// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf archive: pack the objects of the build-id cache that a recording needs, and unpack them into
 * the cache of another machine. The only program it runs is bzip2; no shell, no tar.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "ui/text/report_problems.h"
#include "util/analysis/sampled_dsos.h"
#include "util/archive/build_id_archive.h"
#include "util/buildid/build_id_cache.h"
#include "util/lib/alloc.h"
#include "util/lib/filter.h"
#include "util/lib/output_file.h"
#include "util/lib/text.h"

#define SUFFIX ".tar.bz2"

static const char *const usage[] = { "perf archive [<options>] [<file>]", NULL };

static struct {
	bool unpack, force;
} opts;

static const struct option options[] = {
	OPT_BOOL(0, "unpack", &opts.unpack, "unpack an archive into the build-id cache"),
	OPT_BOOL('f', "force", &opts.force, "read another user's file"),
	{ OPTION_END },
};

/* ---- packing ---- */

struct packing {
	const char *dir;
	struct build_id *ids; /* of what the recording needs and the cache has */
	u32 nr, nr_named;
	size_t cap;
};

static void take_object(void *ctx, const struct build_id_entry *entry)
{
	struct packing *packing = ctx;
	struct build_id id = { .size = entry->size };
	struct error err = ERROR_INIT;

	if (!id.size)
		return;
	packing->nr_named++;
	memcpy(id.data, entry->id, sizeof(id.data));
	char *found = build_id_cache__find(packing->dir, &id, build_id_cache__kind_of(entry->name));

	if (found) {
		array__reserve(&packing->ids, &packing->cap, packing->nr + 1, sizeof(id));
		packing->ids[packing->nr++] = id;
	} else {
		error__set(&err, -ENOENT, "leaving out", entry->name,
		           "it is not in the build-id cache");
		if (entry->name[0] == '/')
			error__advise(&err, "put it there with: perf buildid-cache --add FILE");
		diag__warning(&err);
	}
	free(found);
}

static int find_objects(struct packing *packing, const char *input, struct error *err)
{
	struct session session;
	int ret = session__open(&session, input, opts.force ? PERF_DATA_FORCE : 0, err);

	if (ret)
		return ret;
	ret = session__scan(&session, err);
	if (!ret) {
		ret = session__tell_sampled_dsos(&session, SAMPLED_DSOS_FRAMES, take_object,
		                                 packing);
		if (ret)
			error__set(err, ret, "cannot read again", input, NULL);
		report_problems__say_records(&session, 0);
	}
	session__close(&session);
	return ret;
}

static int pack_objects(const struct packing *packing, int fd, const char *name, struct error *err)
{
	int ret = 0;

	for (u32 i = 0; !ret && i < packing->nr; i++) {
		char hex[BUILD_ID_HEX_SIZE];

		ret = build_id_archive__pack(fd, packing->dir, &packing->ids[i]);
		if (ret)
			error__set(err, ret, "cannot pack the object with the build-id",
			           build_id__hex(&packing->ids[i], hex), NULL);
	}
	if (!ret) {
		ret = build_id_archive__end(fd);
		if (ret)
			error__set(err, ret, "cannot write", name, NULL);
	}
	return ret;
}

/* As open as the recording; what it was made of is no output. */
static int open_archive(struct output_file *file, const char *input, const char *name,
                        struct error *err)
{
	struct file_ids inputs = { .mode = 0666 };

	file_ids__add(&inputs, input);
	int ret = output_file__open(file, name, OUTPUT_FILE_REPLACE, inputs.mode & 0666, &inputs,
	                            err);

	file_ids__exit(&inputs);
	return ret;
}

static int write_archive(const struct packing *packing, const char *input, const char *name,
                         struct error *err)
{
	static const char *const argv[] = { "bzip2", "-c", NULL };
	struct output_file file;
	struct filter filter;
	int ret = open_archive(&file, input, name, err), end;

	if (ret)
		return ret;
	ret = filter__start_writing(&filter, argv, file.fd, err);
	if (!ret) {
		struct error why = ERROR_INIT;

		ret = pack_objects(packing, filter.fd, name, err);
		end = filter__end(&filter, &why);
		if (end && (!ret || ret == -EPIPE)) { /* it is what made writing fail */
			ret = end;
			*err = why;
			if (end == -EFBIG)
				error__set(err, end, "cannot write", name, NULL);
		}
	}
	end = output_file__close(&file, !ret);
	if (!ret && end)
		ret = error__set(err, end, "cannot write", name, NULL);
	return ret;
}

static int fail(const struct error *err)
{
	diag__error(err);
	return 1;
}

static int pack(const char *input, const char *dir)
{
	struct packing packing = { .dir = dir };
	struct error err = ERROR_INIT;
	char *name = xasprintf("%s" SUFFIX, input), shown[512];
	int ret = find_objects(&packing, input, &err), status = 0;

	if (ret)
		diag__error(&err);
	if (!packing.nr_named) {
		fprintf(stderr, "perf archive: no build-ids found\n");
		status = 1;
	} else if (!packing.nr) {
		diag__say_error("nothing to pack: the cache '%s' has no object of '%s'", dir,
		                input);
		status = 1;
	} else if (write_archive(&packing, input, name, &err)) {
		status = fail(&err);
	} else {
		printf("Now please run:\n\n$ tar xvf %s -C ~/.debug\n\n"
		       "wherever you need to run 'perf report' on.\n",
		       text__printable(shown, sizeof(shown), name));
	}
	free(packing.ids);
	free(name);
	return ret ? 1 : status;
}

/* ---- unpacking ---- */

static bool is_bzip2(int fd)
{
	char magic[3];

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && !memcmp(magic, "BZh", 3);
}

static int unpack_through(int from, const char *dir, u32 *nr, struct error *err)
{
	static const char *const argv[] = { "bzip2", "-dc", NULL };
	struct error why = ERROR_INIT;
	struct filter filter;
	int ret, end;

	ret = filter__start_reading(&filter, argv, from, err);
	if (ret)
		return ret;
	ret = build_id_archive__unpack(filter.fd, dir, nr, err);
	/* What stands behind the end of the archive; else bzip2 could not end. */
	for (char rest[4096]; !ret && read(filter.fd, rest, sizeof(rest)) > 0;)
		;
	end = filter__end(&filter, &why);
	if (end && (!ret || ret == -EBADMSG)) {
		ret = end;
		*err = why;
	}
	return ret;
}

static int unpack(const char *input, const char *dir)
{
	struct error err = ERROR_INIT;
	char shown[512];
	struct stat st;
	u32 nr = 0;
	int fd = open(input, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), ret;

	if (fd < 0 || fstat(fd, &st)) {
		ret = error__set(&err, -errno, "cannot open", input, NULL);
	} else if (!S_ISREG(st.st_mode)) {
		ret = error__set(&err, -EINVAL, "cannot unpack", input, "it is no plain file");
	} else {
		ret = is_bzip2(fd) ? unpack_through(fd, dir, &nr, &err)
		                   : build_id_archive__unpack(fd, dir, &nr, &err);
	}
	if (fd >= 0)
		close(fd);
	if (ret)
		return fail(&err);
	printf("%u objects are in %s now\n", nr, text__printable(shown, sizeof(shown), dir));
	return 0;
}

int cmd_archive(int argc, const char **argv)
{
	const char *input = NULL;
	char *dir;
	int rest, status = command_line__parse(argc, argv, usage, options, OPTIONS_PERMUTE, &rest);

	if (status)
		return status;
	if (rest < argc)
		input = argv[rest++];
	if (rest < argc)
		return command_line__refuse_word(argv[rest], "one file at a time", usage, options,
		                                 NULL);
	perf_config(); /* buildid.dir */
	dir = build_id_cache__dir(NULL, NULL);
	if (!dir) {
		diag__say_error("there is no build-id cache: HOME is not set, or the cache is "
		                "turned off by PERF_BUILDID_DIR=/dev/null");
		return 1;
	}
	signal(SIGPIPE, SIG_IGN); /* bzip2 may die */
	status = opts.unpack ? unpack(input ? input : "perf.data" SUFFIX, dir)
	                     : pack(input ? input : "perf.data", dir);
	free(dir);
	return status;
}
