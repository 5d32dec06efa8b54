// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf buildid-list: the build-ids in a perf.data file, of an ELF file, or of the running kernel
 * and its modules. A complete perf.data file is only walked for --with-hits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin.h"
#include "ui/options/command_line.h"
#include "ui/term/diag.h"
#include "ui/text/report_problems.h"
#include "util/analysis/sampled_dsos.h"
#include "util/elf/build_id.h"
#include "util/elf/elf_file.h"
#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/lib/strtab.h"
#include "util/lib/text.h"
#include "util/reader/features.h"
#include "util/synthesize/synthesize.h"

#define HEX_WIDTH 40 /* of the usual build-id, of 20 bytes */

static const char *const usage[] = { "perf buildid-list [<options>]", NULL };

static struct {
	const char *input;
	int verbose;
	bool force, hits, kernel, maps;
} opts;

static const struct option options[] = {
	OPT_STRING('i', "input", &opts.input, "file", "perf.data or ELF file"),
	OPT_BOOL('f', "force", &opts.force, "read another user's file"),
	OPT_BOOL('H', "with-hits", &opts.hits, "list only objects hit by samples"),
	OPT_BOOL('k', "kernel", &opts.kernel, "print the build-id of the running kernel"),
	OPT_BOOL('m', "kernel-maps", &opts.maps,
	         "print those of the running kernel and its modules, with addresses"),
	OPT_COUNT('v', "verbose", &opts.verbose, "name every broken record"),
	{ OPTION_END },
};

static void print_id(struct out *out, const u8 *bytes, u8 size)
{
	struct build_id id = { .size = size };
	char hex[BUILD_ID_HEX_SIZE];

	memcpy(id.data, bytes, size);
	out__str(out, build_id__hex(&id, hex));
}

static void print_object(struct out *out, const u8 *bytes, u8 size, const char *name)
{
	print_id(out, bytes, size);
	out__fill(out, ' ', HEX_WIDTH - 2 * size + 1);
	out__name(out, name);
	out__char(out, '\n');
}

/* ---- the running kernel ---- */

static int print_kernel(struct out *out)
{
	struct build_id id;
	struct error err = ERROR_INIT;
	int ret = build_id__of_kernel(&id);

	if (ret) {
		error__set(&err, ret, "cannot read the build-id of", "the running kernel", NULL);
		diag__error(&err);
		return EXIT_ERROR;
	}
	print_id(out, id.data, id.size);
	out__char(out, '\n');
	return 0;
}

struct kernel_map {
	u64 start, end;
	char *name;
	struct build_id id;
};

struct kernel_maps {
	struct kernel_map *maps;
	u32 nr;
	size_t cap;
};

/* "/lib/modules/R/kernel/fs/ext4/ext4.ko.xz" -> "ext4", as the kernel calls it. */
static void id_of_map(struct kernel_map *map)
{
	char name[128];
	size_t len = 0;

	if (!strncmp(map->name, "[kernel.kallsyms]", 17)) {
		map->name[17] = '\0'; /* without the reference symbol */
		build_id__of_kernel(&map->id);
		return;
	}
	const char *path = text__basename(map->name);

	for (path += *path == '['; *path && !strchr(".]", *path) && len + 1 < sizeof(name); path++)
		name[len++] = *path == '-' ? '_' : *path;
	name[len] = '\0';
	build_id__of_module(name, &map->id);
}

/* The maps are those that a recording would begin with. */
static int take_maps(void *ctx, const void *data, size_t len)
{
	const struct data_block block = { .data = data, .len = len };
	struct kernel_maps *list = ctx;

	for (struct record r = { 0 }; data_block__next(&block, false, &r);) {
		struct mmap_record m;

		if (mmap_record__decode(&r, false, &m))
			continue;
		array__reserve(&list->maps, &list->cap, list->nr + 1, sizeof(*list->maps));
		list->maps[list->nr] = (struct kernel_map){
			.start = m.start,
			.end = m.start + m.len,
			.name = xstrdup(m.name),
		};
		id_of_map(&list->maps[list->nr++]);
	}
	return 0;
}

static int compare_maps(const void *a, const void *b)
{
	const struct kernel_map *one = a, *two = b;

	return one->start < two->start ? -1 : one->start > two->start;
}

static int print_kernel_maps(struct out *out)
{
	struct kernel_maps list = { .nr = 0 };
	struct error err = ERROR_INIT;
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct evlist events = { .nr = 0 }; /* one that wants no trailers */
	struct synth synth;
	int ret;

	evlist__add(&events, &attr, "");
	synth__init(&synth, &events, take_maps, &list);
	ret = synth__kernel_map(&synth, &err);
	if (!ret)
		ret = synth__modules(&synth, &err);
	synth__exit(&synth);
	evlist__exit(&events);
	if (list.nr)
		qsort(list.maps, list.nr, sizeof(*list.maps), compare_maps);
	for (u32 i = 0; i < list.nr; i++) {
		print_id(out, list.maps[i].id.data, list.maps[i].id.size);
		out__fill(out, ' ', HEX_WIDTH - 2 * list.maps[i].id.size);
		out__printf(out, " %16llx %16llx ", (unsigned long long)list.maps[i].start,
		            (unsigned long long)list.maps[i].end);
		out__name(out, list.maps[i].name);
		out__char(out, '\n');
		free(list.maps[i].name);
	}
	free(list.maps);
	if (!ret)
		return 0;
	diag__error(&err);
	return EXIT_ERROR;
}

/* ---- an ELF file ---- */

/* False: not an ELF file. */
static bool print_elf(struct out *out, int *status)
{
	struct error err = ERROR_INIT;
	struct elf_file elf;
	struct build_id id;
	struct stat st;

	/* Opening a pipe would wait. */
	if (stat(opts.input, &st) || !S_ISREG(st.st_mode) || elf_file__open(&elf, opts.input))
		return false;
	*status = 0;
	if (elf_file__build_id(&elf, &id)) {
		print_id(out, id.data, id.size);
		out__char(out, '\n');
	} else {
		error__set(&err, -ENODATA, "no build-id in", opts.input,
		           "it was linked with --build-id=none, or it was stripped away");
		diag__error(&err);
		*status = EXIT_ERROR;
	}
	elf_file__close(&elf);
	return true;
}

/* ---- a recording ---- */

static void print_entry(void *ctx, const struct build_id_entry *entry)
{
	struct out *out = ctx;

	print_object(out, entry->id, entry->size, entry->name);
}

/*
 * Files of other containers have entries of their own, often with the id and the path of an entry
 * before them: one line is enough.
 */
struct listed {
	struct out *out;
	struct strtab lines;
};

static void print_new_entry(void *ctx, const struct build_id_entry *entry)
{
	struct listed *listed = ctx;
	size_t before = listed->lines.nr;
	struct build_id id = { .size = entry->size };
	char hex[BUILD_ID_HEX_SIZE], *line;

	memcpy(id.data, entry->id, entry->size);
	line = xasprintf("%s %s", build_id__hex(&id, hex), entry->name);
	strtab__add(&listed->lines, line);
	free(line);
	if (listed->lines.nr > before)
		print_entry(listed->out, entry);
}

static int list_header(struct session *session, struct out *out)
{
	struct listed listed = { .out = out };
	int ret;

	strtab__init(&listed.lines);
	ret = perf_data__build_ids(session->data, print_new_entry, &listed);
	strtab__exit(&listed.lines);
	return ret;
}

static int list_hits(struct session *session, struct out *out, struct error *err)
{
	int ret = session__scan(session, err);

	if (ret)
		return ret;
	ret = session__tell_sampled_dsos(session, 0, print_entry, out);
	if (ret)
		error__set(err, ret, "cannot read again", opts.input, NULL);
	return ret;
}

/*
 * The header names what had samples when it was recorded, so that only files without such a list,
 * or where it is cut off, must be walked without -H. What is in AUX area data was never samples.
 */
static bool wants_walk(const struct perf_data *data)
{
	size_t size;

	if (perf_data__has_feature(data, FEATURE_AUXTRACE))
		return false;
	return opts.hits || !perf_data__feature(data, FEATURE_BUILD_ID, &size);
}

static int list_file(struct out *out)
{
	struct error err = ERROR_INIT;
	struct session session;
	int ret = session__open(&session, opts.input, opts.force ? PERF_DATA_FORCE : 0, &err);

	if (!ret) {
		if (wants_walk(session.data))
			ret = list_hits(&session, out, &err);
		else if (list_header(&session, out) < 0)
			diag__say_warning("the list of build-ids in '%s' is damaged; what could "
			                  "be read is shown",
			                  opts.input);
		out__flush(out);
		if (!ret)
			report_problems__say_records(&session, opts.verbose);
		session__close(&session);
	}
	if (!ret)
		return 0;
	diag__error(&err);
	return EXIT_ERROR;
}

int cmd_buildid_list(int argc, const char **argv)
{
	struct out out;
	int rest, status, ret = command_line__parse(argc, argv, usage, options, 0, &rest);

	if (ret)
		return ret;
	opts.input = perf_data__input(opts.input);
	out__init(&out, STDOUT_FILENO);
	if (opts.kernel)
		status = print_kernel(&out);
	else if (opts.maps)
		status = print_kernel_maps(&out);
	else if (!print_elf(&out, &status))
		status = list_file(&out);
	out__exit(&out);
	if (!status && diag__cannot_write(out.error, "cannot write the list", NULL))
		status = 1;
	return status;
}
