// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the bytes of a recording lie: one file, a copy of it, or several files of a folder. */
#include "util/reader/reader_private.h"

#include <errno.h>

#include "util/lib/file.h"

static int read_all_at(int fd, u64 offset, void *buf, size_t len)
{
	int ret = file__read_at(fd, buf, len, offset);

	return ret == -ENODATA ? -EIO : ret;
}

int perf_data__pread(const struct perf_data *data, u64 offset, void *buf, size_t len)
{
	return read_all_at(data->fd, offset, buf, len);
}

int perf_data__pread_records(const struct perf_data *data, u64 offset, void *buf, size_t len)
{
	if (!data->nr_pieces || data->data_fd != data->fd) /* one file, or a copy */
		return read_all_at(data->data_fd, offset, buf, len);
	for (u32 i = 0; i < data->nr_pieces && len; i++) {
		const struct data_piece *piece = &data->pieces[i];

		if (offset >= piece->end)
			continue;
		u64 size = min_u64(len, piece->end - offset);
		int ret = piece->fd < 0
		                  ? -EIO
		                  : read_all_at(piece->fd, offset - piece->start + piece->from, buf,
		                                size);

		if (ret)
			return ret;
		buf = (u8 *)buf + size;
		offset += size;
		len -= size;
	}
	return len ? -EIO : 0;
}

bool perf_data__in_file(const struct perf_data *data, u64 offset, u64 size)
{
	return offset <= data->info.file_size && size <= data->info.file_size - offset;
}
