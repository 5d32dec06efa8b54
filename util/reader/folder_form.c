// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Folders (record --threads): the file `data` has the header, and each data.N a ring's bytes, from
 * byte 0 on. They are read in place, as if concatenated. A gap in their numbers, and each file that
 * cannot be read, is eight bytes of damage.
 */
#include "util/reader/reader_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/text.h"

#define FILES_MAX 65536
#define OPEN_MAX  256 /* of other folders, and where fewer can be open, a copy is made */

static int compare_numbers(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

/* The N of "data.N" as record writes it: "data.01" and "data.0x1" are somebody else's. */
static bool part_number(const char *name, u64 *number)
{
	char own[32];

	if (strncmp(name, "data.", 5) || text__parse_u64(name + 5, number) || *number >= FILES_MAX)
		return false;
	snprintf(own, sizeof(own), "data.%u", (u32)*number);
	return !strcmp(own, name);
}

u32 *folder_form__numbers(const char *folder, u32 *nr)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	u32 *numbers = NULL;
	size_t cap = 0;
	u64 number;

	*nr = 0;
	while (dir && *nr < FILES_MAX && (entry = readdir(dir))) {
		if (!part_number(entry->d_name, &number))
			continue;
		array__reserve(&numbers, &cap, *nr + 1, sizeof(*numbers));
		numbers[(*nr)++] = number;
	}
	if (dir)
		closedir(dir);
	if (*nr)
		qsort(numbers, *nr, sizeof(*numbers), compare_numbers);
	return numbers;
}

int folder_form__open_part(const char *path, u64 *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -1;
	}
	*size = st.st_size;
	return fd;
}

static void add_piece(struct perf_data *data, int fd, u64 size, u64 from)
{
	if (!size && fd >= 0)
		close(fd);
	if (!size)
		return;
	data->pieces[data->nr_pieces++] =
	        (struct data_piece){ fd, data->data_end, data->data_end + size, from };
	data->data_end += size;
}

static bool add_part(struct perf_data *data, const char *folder, u32 number)
{
	char *path = xasprintf("%s/data.%u", folder, number);
	u64 size = RECORD_HEADER_SIZE;
	int fd;

	errno = 0;
	fd = folder_form__open_part(path, &size);
	free(path);
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		return false;
	bool packed = fd >= 0 && records__hold_packed(data, fd, 0, size);

	add_piece(data, fd, size, 0);
	return !packed;
}

bool folder_form__open(struct perf_data *data, const char *folder)
{
	u64 begin = data->info.data_offset, end = data->data_end, promised = data->promised_end;
	u32 nr, *numbers = folder_form__numbers(folder, &nr), next = 0;
	bool good = nr <= OPEN_MAX;

	data->pieces = xcalloc(2 * (u64)nr + 1, sizeof(*data->pieces)); /* with gaps */
	data->data_end = begin;
	add_piece(data, data->fd, end - begin, begin);
	for (u32 i = 0; i < nr && good; i++) {
		add_piece(data, -1, numbers[i] > next ? RECORD_HEADER_SIZE : 0, 0);
		good = add_part(data, folder, numbers[i]);
		next = numbers[i] + 1;
	}
	free(numbers);
	if (good) {
		data->promised_end = data->data_end + (promised > end ? promised - end : 0);
		return true;
	}
	folder_form__close(data);
	data->data_end = end;
	return false;
}

void folder_form__close(struct perf_data *data)
{
	for (u32 i = 0; i < data->nr_pieces; i++)
		if (data->pieces[i].fd >= 0 && data->pieces[i].fd != data->fd &&
		    data->pieces[i].fd != data->data_fd)
			close(data->pieces[i].fd);
	free(data->pieces);
	data->pieces = NULL;
	data->nr_pieces = 0;
}
