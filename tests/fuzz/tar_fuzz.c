// SPDX-License-Identifier: GPL-2.0-or-later
/* A tar archive unpacked into a build-id cache: whatever it says, nothing appears outside. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "util/archive/build_id_archive.h"
#include "util/lib/alloc.h"
#include "util/lib/tar.h"
#include "util/lib/temp_dir.h"

#define HEX    "00112233445566778899aabbccddeeff01020304"
#define FOLDER "usr/bin/prog/" HEX "/"

/* Is there nothing beside the cache? */
static void check_outside(const char *dir)
{
	char *other = xasprintf("%s/victim", dir), *up = xasprintf("%s/usr", dir);

	FUZZ_CHECK(!rmdir(other) && !mkdir(other, 0700)); /* still empty */
	FUZZ_CHECK(access(up, F_OK) != 0);
	free(up);
	free(other);
}

/* What a cache holds can be packed, to a whole archive. */
static void pack(const char *cache)
{
	const struct build_id id = { .size = 20, .data = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66,
		                                           0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd,
		                                           0xee, 0xff, 0x01, 0x02, 0x03, 0x04 } };
	int fd = memfd_create("packed", MFD_CLOEXEC), ret = build_id_archive__pack(fd, cache, &id);
	struct tar_reader reader;
	u8 buf[512];

	FUZZ_CHECK(fd >= 0 && ret <= 0);
	if (ret == -ENOENT || ret == -EPERM)
		FUZZ_CHECK(!lseek(fd, 0, SEEK_END));
	if (!ret) {
		FUZZ_CHECK(!build_id_archive__end(fd) && !lseek(fd, 0, SEEK_SET));
		tar_reader__init(&reader, fd);
		while ((ret = tar_reader__next(&reader)) == 1)
			while (tar_reader__read(&reader, buf, sizeof(buf)) > 0)
				;
		FUZZ_CHECK(!ret);
	}
	close(fd);
}

static void unpack(int fd, const char *dir)
{
	char *cache = xasprintf("%s/cache", dir), *victim = xasprintf("%s/victim", dir);
	struct error err = ERROR_INIT;
	u32 nr;

	FUZZ_CHECK(!mkdir(victim, 0700));
	int ret = build_id_archive__unpack(fd, cache, &nr, &err);

	FUZZ_CHECK(!ret == !err.code);
	check_outside(dir);
	pack(cache);
	free(victim);
	free(cache);
}

/* Headers get the sums that belong to them: mutations would not come past them otherwise. */
static void fix_sums(u8 *data, size_t size)
{
	for (u8 *block = data; data + size - block >= 512; block += 512) {
		unsigned sum = 0;

		if (memcmp(block + 257, "ustar", 5) != 0)
			continue;
		memset(block + 148, ' ', 8);
		for (unsigned i = 0; i < 512; i++)
			sum += block[i];
		snprintf((char *)block + 148, 7, "%06o", sum & 0777777);
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *dir = temp_dir__make("perf-fuzz", NULL);
	u8 *fixed = xmalloc(size + 1);

	memcpy(fixed, data, size);
	fix_sums(fixed, size);
	int fd = open(fuzz__file(fixed, size), O_RDONLY | O_CLOEXEC);

	FUZZ_CHECK(dir && fd >= 0);
	unpack(fd, dir);
	close(fd);
	free(fixed);
	FUZZ_CHECK(!temp_dir__remove(dir));
	return 0;
}

static void add_archive(void (*add)(const void *data, size_t size),
                        const struct tar_member *members, unsigned nr)
{
	int fd = memfd_create("seed", MFD_CLOEXEC), content = memfd_create("content", MFD_CLOEXEC);
	static u8 buf[1 << 14];

	FUZZ_CHECK(fd >= 0 && content >= 0);
	for (unsigned i = 0; i < nr; i++) {
		if (members[i].type == TAR_FILE)
			tar__write_file(fd, &members[i], content);
		else
			tar__write_header(fd, &members[i]);
	}
	tar__write_end(fd);
	ssize_t n = pread(fd, buf, sizeof(buf), 0);

	FUZZ_CHECK(n > 0);
	add(buf, n);
	close(content);
	close(fd);
}

/* A header of "pax" before another member: names, sizes and times that are too long for it. */
static void add_pax(void (*add)(const void *data, size_t size), const char *records)
{
	static u8 buf[8 * 512];
	size_t len = strlen(records);

	memset(buf, 0, sizeof(buf));
	for (unsigned i = 0; i < 2; i++) {
		u8 *header = buf + (size_t)i * 2 * 512;

		strcpy((char *)header, i ? "short" : "pax");
		snprintf((char *)header + 124, 12, "%011o", i ? 4u : (unsigned)len);
		header[156] = i ? '0' : 'x';
		memcpy(header + 257, "ustar\00000", 8);
	}
	memcpy(buf + 512, records, len);
	memcpy(buf + 3 * 512, "text", 4);
	add(buf, sizeof(buf));
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const struct tar_member object[] = {
		{ TAR_SYMLINK, ".build-id/00/112233445566778899aabbccddeeff01020304",
		  "../../usr/bin/prog/" HEX, 0, 0777, 0, 0, 0 },
		{ TAR_DIR, FOLDER, "", 0, 0755, 0, 0, 0 },
		{ TAR_FILE, FOLDER "elf", "", 100, 0755, 0, 0, 0 },
		{ TAR_HARDLINK, FOLDER "debug", FOLDER "elf", 0, 0755, 0, 0, 0 },
	};
	static const struct tar_member odd[] = {
		{ TAR_FILE, "./" FOLDER "probes", "", 0, 0644, 0, 0, 0 },
		{ TAR_FILE, "../victim/" HEX "/elf", "", 20, 0644, 0, 0, 0 },
	};
	static const struct tar_member link[] = {
		{ TAR_SYMLINK, "usr/bin", "../../victim", 0, 0777, 0, 0, 0 },
		{ TAR_FILE, FOLDER "elf", "", 20, 0644, 0, 0, 0 },
	};

	/* Names for which the header has no room, numbers that are no octal ones. */
	static char name[400] = "usr/";
	const struct tar_member large[] = {
		{ TAR_FILE, name, "", 5, 0644, 1u << 30, 1u << 31, 1ull << 40 },
		{ TAR_SYMLINK, "short", name, 0, 0777, 0, 0, 0 },
		{ TAR_HARDLINK, name, name, 0, 0777, 0, 0, 0 },
	};

	memset(name + 4, 'x', 300);
	memcpy(name + 304, "/" HEX "/elf", strlen(HEX) + 6);
	add_archive(add, large, ARRAY_SIZE(large));
	add_pax(add, "77 path=" FOLDER "elf\n20 mtime=1234567.25\n9 size=4\n");
	add_pax(add, "22 linkpath=../../x/y\n19 comment=nothing\n");
	add_pax(add, "5 size=99999999999999999999\n0 =\nx path\n");
	add_archive(add, object, ARRAY_SIZE(object));
	add_archive(add, odd, ARRAY_SIZE(odd));
	add_archive(add, link, ARRAY_SIZE(link));
}
