// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening a perf.data file: header, attrs and ids. Everything is copied to native structures
 * here; the data section is blocks.c, the feature sections are features.c. All offsets and sizes
 * of the header are checked against the file's size before they are used.
 */
#include "util/reader/reader_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/reader/time_index.h"

#define MAGIC2          0x32454c4946524550ull /* "PERFILE2" read as a little-endian u64 */
#define MAGIC1          "PERFFILE"
#define HEADER_SIZE     104
#define HEADER_SIZE_OLD 72     /* no feature bitmap */
#define EVENTS_MAX      0xffff /* row.evsel is 16 bits wide */

/* What can be read as it is, or copied to a file that can. */
static int check_kind(const char *path, const struct stat *st, struct error *err)
{
	if (S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode))
		return 0;
	error__set(err, -EINVAL, "cannot read", path,
	           S_ISCHR(st->st_mode) ? "a terminal or device is not a profile"
	                                : "not a regular file");
	if (!strcmp(path, "-"))
		error__advise(err, "it stands for standard input; -i FILE reads a file");
	return -EINVAL;
}

static int check_owner(const char *path, const struct stat *st, unsigned flags, struct error *err)
{
	if ((flags & PERF_DATA_FORCE) || !st->st_uid || st->st_uid == geteuid())
		return 0;
	return error__set(err, -EPERM, "cannot trust", path,
	                  "not owned by current user or root (use -f to override)");
}

/* Standard input, a file, a FIFO; for a folder the file in it that has the header. */
static int open_input(struct perf_data *data, const char **folder, struct error *err)
{
	struct stat st;

	if (!strcmp(data->path, "-")) {
		data->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
		return data->fd < 0 ? error__set(err, -errno, "cannot read", data->path, NULL) : 0;
	}
	if (!stat(data->path, &st) && S_ISDIR(st.st_mode)) {
		*folder = data->path;
		data->path = xasprintf("%s/data", *folder);
	}
	/* A file is not waited for; a FIFO is, until somebody writes to it. */
	if (!stat(data->path, &st)) {
		int ret = check_kind(data->path, &st, err);

		if (ret)
			return ret;
		data->fd = open(data->path,
		                O_RDONLY | O_CLOEXEC | (S_ISFIFO(st.st_mode) ? 0 : O_NONBLOCK));
	}
	if (data->fd >= 0)
		return 0;
	int code = -errno;

	error__set(err, code, "failed to open", *folder ? *folder : data->path,
	           *folder ? "the folder is no recording: it has no file 'data'" : NULL);
	if (code == -ENOENT && !*folder)
		error__advise(err, "try 'perf record' first");
	return code;
}

static int spool_all(struct perf_data *data, struct error *err)
{
	int spool = pipe_form__spool(data->path, data->fd, err);

	if (spool < 0)
		return spool;
	close(data->fd);
	data->fd = spool;
	return 0;
}

static int open_file(struct perf_data *data, const char **folder, unsigned flags, struct error *err)
{
	struct stat st;
	int ret = open_input(data, folder, err);

	if (ret)
		return ret;
	if (fstat(data->fd, &st))
		return error__set(err, -errno, "failed to open", data->path, NULL);
	ret = check_kind(data->path, &st, err);
	if (!ret && S_ISREG(st.st_mode))
		ret = check_owner(data->path, &st, flags, err);
	if (ret)
		return ret;
	if (!S_ISREG(st.st_mode)) {
		ret = flags & PERF_DATA_LIVE ? live__open(data, err) : spool_all(data, err);
		if (ret)
			return ret;
		if (fstat(data->fd, &st))
			return error__set(err, -errno, "cannot read", data->path, NULL);
	}
	data->data_fd = data->fd;
	data->info.file_size = st.st_size;
	data->info.captured = st.st_mtime;
	if (!st.st_size)
		return error__set(err, -ENODATA, "zero-sized data", data->path, "nothing to do");
	return 0;
}

static int foreign(const char *path, struct error *err, const char *cause)
{
	return error__set(err, -EINVAL, "incompatible file format", path, "%s", cause);
}

/* Who wrote this, and in which byte order? */
static int check_magic(struct perf_data *data, const u8 *header, size_t len, struct error *err)
{
	u64 magic;

	if (len < PIPE_HEADER_SIZE)
		return foreign(data->path, err, "not a perf.data file (too short)");
	memcpy(&magic, header, sizeof(magic));
	if (!memcmp(header, MAGIC1, 8))
		return foreign(data->path, err,
		               "version 1 of perf.data (before Linux 2.6.35) is not supported");
	if (magic != MAGIC2 && bswap_64(magic) != MAGIC2)
		return foreign(data->path, err, "not a perf.data file (wrong magic)");
	data->swap = magic != MAGIC2;
	u64 size = load_u64(header + 8, data->swap);

	data->info.header_size = size;
	if (size == PIPE_HEADER_SIZE)
		return 0;
	if (size < HEADER_SIZE_OLD)
		return foreign(data->path, err, "the header size makes no sense");
	if (len < HEADER_SIZE_OLD)
		return foreign(data->path, err, "cut inside its header");
	return 0;
}

struct attrs_section {
	u64 offset, size, entry;
};

static int read_header(struct perf_data *data, struct attrs_section *attrs, struct error *err)
{
	u8 header[HEADER_SIZE] = { 0 };
	size_t len = min_u64(data->info.file_size, sizeof(header));
	int ret = perf_data__pread(data, 0, header, len);

	if (ret)
		return error__set(err, ret, "cannot read", data->path, NULL);
	ret = check_magic(data, header, len, err);
	if (ret || perf_data__is_pipe_form(data))
		return ret;
	attrs->entry = load_u64(header + 16, data->swap);
	attrs->offset = load_u64(header + 24, data->swap);
	attrs->size = load_u64(header + 32, data->swap);
	data->info.data_offset = load_u64(header + 40, data->swap);
	data->info.data_size = load_u64(header + 48, data->swap);
	return 0;
}

/*
 * Data size 0 is what a recording has until it ends, and a finished one without any record. That
 * one has features, whose table stands where records would: an entry (offset, size) of it lies in
 * the file, while a record's header, read as an offset, is far behind any file.
 */
static bool table_comes_first(const struct perf_data *data)
{
	u64 bits[4], any = 0;
	u8 entry[16];

	if (data->info.header_size < HEADER_SIZE ||
	    perf_data__pread(data, HEADER_SIZE - sizeof(bits), bits, sizeof(bits)) ||
	    perf_data__pread(data, data->info.data_offset, entry, sizeof(entry)))
		return false;
	for (unsigned i = 0; i < ARRAY_SIZE(bits); i++)
		any |= bits[i];
	u64 offset = load_u64(entry, data->swap), size = load_u64(entry + 8, data->swap);

	return any && offset >= data->info.data_offset + sizeof(entry) &&
	       perf_data__in_file(data, offset, size);
}

/* Where the records end: the header's word, but never behind the end of the file. */
static int locate_data(struct perf_data *data, struct error *err)
{
	struct perf_data_info *info = &data->info;

	if (info->data_offset > info->file_size || info->data_offset < HEADER_SIZE_OLD)
		return foreign(data->path, err, "its data section lies outside the file");
	u64 left = info->file_size - info->data_offset;

	data->not_closed = !info->data_size && !table_comes_first(data);
	data->data_end =
	        info->data_offset + (data->not_closed ? left : min_u64(info->data_size, left));
	data->promised_end = info->data_size > UINT64_MAX - info->data_offset
	                             ? UINT64_MAX
	                             : max_u64(info->data_offset + info->data_size, data->data_end);
	info->feature_offset =
	        info->data_size > left ? info->file_size : info->data_offset + info->data_size;
	return 0;
}

/* The ids of one event (malloc'ed); @budget is what all lists together may take of the file. */
static u8 *read_ids(struct perf_data *data, u64 offset, u64 *size, u64 *budget)
{
	*size &= ~7ull;
	if (!*size)
		return NULL;
	if (perf_data__in_file(data, offset, *size) && *size <= *budget) {
		u8 *ids = xmalloc(*size);

		*budget -= *size;
		if (!perf_data__pread(data, offset, ids, *size))
			return ids;
		free(ids);
	}
	data->info.nr_lost_ids++;
	*size = 0;
	return NULL;
}

/* In the file, and neither in its header nor among its records. */
static bool attrs_section_fits(const struct perf_data *data, const struct attrs_section *section)
{
	const struct perf_data_info *info = &data->info;

	return perf_data__in_file(data, section->offset, section->size) &&
	       section->offset >= min_u64(info->header_size, HEADER_SIZE) &&
	       (section->offset >= data->data_end ||
	        section->offset + section->size <= info->data_offset);
}

/* Each description has its size in it: what was written into this file, or into an older one. */
static bool is_attr(const struct perf_data *data, const u8 *attr, u64 attr_size)
{
	u32 size = load_u32(attr + 4, data->swap);

	if (!size)
		return attr_size == PERF_ATTR_SIZE_VER0;
	return size >= PERF_ATTR_SIZE_VER0 && size <= attr_size && size % 8 == 0;
}

static int read_attrs(struct perf_data *data, const struct attrs_section *section,
                      struct error *err)
{
	u64 attr_size = section->entry - 16;

	if (section->entry < PERF_ATTR_SIZE_VER0 + 16 || section->entry > 4096)
		return foreign(data->path, err,
		               "the size of its event descriptions makes no sense");
	u64 nr = section->size / section->entry;

	if (!nr)
		return foreign(data->path, err, "it describes no event");
	if (nr > EVENTS_MAX || !perf_data__in_file(data, section->offset, section->size))
		return foreign(data->path, err, "its event descriptions lie outside the file");
	if (!attrs_section_fits(data, section))
		return foreign(data->path, err,
		               "its event descriptions lie among its records or in its header");
	data->info.attr_size = attr_size;
	u64 budget = data->info.file_size;
	u8 *bytes = xmalloc(nr * section->entry);
	int ret = perf_data__pread(data, section->offset, bytes, nr * section->entry);

	if (ret)
		error__set(err, ret, "cannot read", data->path, NULL);
	for (u64 i = 0; !ret && i < nr; i++) {
		const u8 *entry = bytes + i * section->entry;
		u64 size = load_u64(entry + attr_size + 8, data->swap);

		if (!is_attr(data, entry, attr_size)) {
			ret = foreign(data->path, err,
			              "where its header says that events are described there are "
			              "other bytes");
			break;
		}
		u8 *ids = read_ids(data, load_u64(entry + attr_size, data->swap), &size, &budget);

		perf_data__add_event(data, entry, attr_size, ids, size / 8);
		free(ids);
	}
	free(bytes);
	return ret;
}

/* Header, data section and attrs of a file. */
static int open_file_form(struct perf_data *data, const struct attrs_section *attrs,
                          struct error *err)
{
	int ret = locate_data(data, err);

	if (!ret)
		ret = read_attrs(data, attrs, err);
	if (!ret)
		features__open(data);
	return ret;
}

static int open_all(struct perf_data *data, unsigned flags, struct error *err)
{
	const char *folder = NULL;
	struct attrs_section attrs = { 0 };
	int ret = open_file(data, &folder, flags, err);

	if (!ret)
		ret = read_header(data, &attrs, err);
	if (!ret)
		ret = data->info.header_size == PIPE_HEADER_SIZE
		              ? pipe_form__open(data, err)
		              : open_file_form(data, &attrs, err);
	if (!ret) {
		perf_data__make_layouts(data);
		evlist__join_halves(&data->evlist);
		ends__open(data, folder);
		ret = unpack__open(data, folder, err);
	}
	if (folder) { /* it is what the user named */
		free(data->path);
		data->path = (char *)folder;
	}
	return ret;
}

struct perf_data *perf_data__open(const char *path, unsigned flags, struct error *err)
{
	struct perf_data *data = xcalloc(1, sizeof(*data));

	data->path = xstrdup(path);
	data->fd = data->data_fd = -1;
	data->nr_read = xcalloc(1, sizeof(*data->nr_read));
	data->wants_times = flags & PERF_DATA_TIMES;
	pthread_mutex_init(&data->features_lock, NULL);
	if (!open_all(data, flags, err))
		return data;
	perf_data__close(data);
	return NULL;
}

void perf_data__close(struct perf_data *data)
{
	if (!data)
		return;
	folder_form__close(data);
	if (data->data_fd >= 0 && data->data_fd != data->fd)
		close(data->data_fd);
	if (data->fd >= 0)
		close(data->fd);
	features__close(data);
	live__close(data);
	pthread_mutex_destroy(&data->features_lock);
	event_ids__exit(&data->events);
	evlist__exit(&data->evlist);
	free(data->blocks);
	free(data->damages);
	if (data->times)
		time_index__exit(data->times);
	free(data->times);
	free((void *)data->nr_read);
	free(data->path);
	free(data);
}

const char *perf_data__input(const char *given)
{
	struct stat st;

	if (given && *given)
		return given;
	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

bool perf_data__is_pipe_form(const struct perf_data *data)
{
	return data->info.header_size == PIPE_HEADER_SIZE;
}

const char *perf_data__path(const struct perf_data *data)
{
	return data->path;
}

bool perf_data__swapped(const struct perf_data *data)
{
	return data->swap;
}

struct evlist *perf_data__evlist(struct perf_data *data)
{
	return &data->evlist;
}

bool perf_data__not_closed(const struct perf_data *data)
{
	return data->not_closed;
}

u64 perf_data__missing(const struct perf_data *data)
{
	return data->promised_end > data->data_end ? data->promised_end - data->data_end : 0;
}

u64 perf_data__size(const struct perf_data *data)
{
	return data->info.file_size;
}

const struct perf_data_info *perf_data__info(const struct perf_data *data)
{
	return &data->info;
}
