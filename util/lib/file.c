// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/lib/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

/* Read until @size bytes or the end. Bytes read, or a negative errno. */
static ssize_t read_full(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += n;
	}
	return len;
}

int file__open_plain(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), ret;
	struct stat st;

	if (fd < 0)
		return -errno;
	ret = fstat(fd, &st) ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int file__read_text(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	buf[0] = '\0';
	if (fd < 0)
		return -errno;
	len = read_full(fd, buf, size - 1);
	close(fd);
	if (len < 0) {
		buf[0] = '\0';
		return len;
	}
	if (len && buf[len - 1] == '\n')
		len--;
	buf[len] = '\0';
	return len;
}

int file__read_u64(const char *path, u64 *value)
{
	char buf[64];
	int ret = file__read_text(path, buf, sizeof(buf));

	return ret < 0 ? ret : text__parse_u64(buf, value);
}

char *file__read_all(const char *path, size_t max, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *buf = NULL;
	size_t cap = 0, used = 0;
	ssize_t n;

	if (fd < 0)
		return NULL;
	do {
		array__reserve(&buf, &cap, used + 16384, 1);
		n = read_full(fd, buf + used, cap - used - 1);
		if (n > 0)
			used += n;
	} while (n > 0 && used <= max);
	close(fd);
	if (n < 0 || used > max) {
		free(buf);
		errno = n < 0 ? -n : EFBIG;
		return NULL;
	}
	buf[used] = '\0';
	*len = used;
	return buf;
}

int file__write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		p += n;
		len -= n;
	}
	return 0;
}

ssize_t file__read_some(int fd, void *buf, size_t len, u64 offset)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = pread(fd, (u8 *)buf + got, len - got, offset + got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		got += n;
	}
	return got;
}

int file__read_at(int fd, void *buf, size_t len, u64 offset)
{
	if (offset > INT64_MAX - len)
		return -ENODATA;
	ssize_t got = file__read_some(fd, buf, len, offset);

	return got < 0 ? got : (size_t)got < len ? -ENODATA : 0;
}

void file__hold_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0) /* the lowest that is free, so this one */
			open("/", O_PATH | O_CLOEXEC);
}

static void do_nothing(int signal_nr)
{
	(void)signal_nr;
}

void file__outlive_limit(void)
{
	struct sigaction old, action = { .sa_handler = do_nothing, .sa_flags = SA_RESTART };

	if (!sigaction(SIGXFSZ, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &action, NULL);
}
