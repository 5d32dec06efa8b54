// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/elf_builder.h"
#include "tests/unit/test_file.h"
#include "util/archive/build_id_cache_add.h"
#include "util/buildid/build_id_cache.h"
#include "util/elf/build_id.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define HEX "00112233445566778899aabbccddeeff01020304"

static const struct build_id id = { 20,
	                            { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99,
	                              0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 1,    2,    3,    4 } };

static char *write_object(const char *name)
{
	struct elf_builder e = { .is64 = true, .build_id_size = 20 };

	memcpy(e.build_id, id.data, 20);
	elf_builder__symbol(&e, "f", STB_GLOBAL, STT_FUNC, 0, 16);
	char *path = elf_builder__write(&e, name);

	elf_builder__exit(&e);
	return path;
}

TEST(build_id_of_files_of_every_class_and_order)
{
	for (unsigned i = 0; i < 4; i++) {
		struct elf_builder e = { .is64 = i & 1, .swap = i & 2, .build_id_size = 20 };
		struct build_id got;
		char hex[BUILD_ID_HEX_SIZE];

		memcpy(e.build_id, id.data, 20);
		elf_builder__symbol(&e, "f", STB_GLOBAL, STT_FUNC, 0, 16);
		char *path = elf_builder__write(&e, "a.elf");

		CHECK_EQ(build_id__of_file(path, &got), 0);
		CHECK_STR(build_id__hex(&got, hex), HEX);
		elf_builder__exit(&e);
		free(path);
	}
}

TEST(build_id_of_files_without)
{
	struct elf_builder e = { .is64 = true };
	struct build_id got;

	elf_builder__symbol(&e, "f", STB_GLOBAL, STT_FUNC, 0, 16);
	char *path = elf_builder__write(&e, "a.elf");

	CHECK_EQ(build_id__of_file(path, &got), -ENODATA);
	CHECK_EQ(got.size, 0);
	CHECK_EQ(build_id__of_file("/no/such/file", &got), -ENOENT);
	CHECK_EQ(build_id__of_file("/dev/zero", &got), -ENOEXEC);
	elf_builder__exit(&e);
	free(path);
}

TEST(build_id_notes_of_any_bytes)
{
	/* two notes, the second is it; then the same cut and with sizes that lie */
	u8 good[] = { 4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 'G', 'N', 'U', 0,   9, 9,    9,
		      9, 4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0,   'G', 'N', 'U', 0, 0xab, 0xcd };
	struct build_id got;

	CHECK_EQ(build_id__of_notes(good, sizeof(good), __BYTE_ORDER == __BIG_ENDIAN, &got), 0);
	CHECK_EQ(got.size, 2);
	CHECK_EQ(got.data[1], 0xcd);
	for (size_t len = 0; len < sizeof(good); len++) {
		u8 *cut = xmalloc(len); /* so that a read behind it is seen */

		memcpy(cut, good, len);
		CHECK(build_id__of_notes(cut, len, false, &got) < 0);
		free(cut);
	}
	for (unsigned field = 0; field < 2; field++) {
		u8 bad[sizeof(good)];

		memcpy(bad, good, sizeof(good));
		memset(bad + 4 * field, 0xff, 4);
		CHECK_EQ(build_id__of_notes(bad, sizeof(bad), false, &got), -EBADMSG);
	}
}

TEST(build_id_of_this_kernel)
{
	struct build_id got;

	if (access("/sys/kernel/notes", R_OK)) {
		unit__skip("/sys/kernel/notes cannot be read");
		return;
	}
	CHECK_EQ(build_id__of_kernel(&got), 0);
	CHECK_EQ(got.size, 20);
	CHECK_EQ(build_id__of_module("../../etc/passwd", &got), -EINVAL);
	CHECK_EQ(build_id__of_module("no_such_module", &got), -ENOENT);
}

TEST(build_id_cache_layout)
{
	char *object = write_object("bin/prog"), *dir = xasprintf("%s/cache", unit__tmpdir());
	char *link = xasprintf("%s/.build-id/00/%s", dir, &HEX[2]), target[4096];
	char *want = xasprintf("../..%s/%s", object, HEX);
	struct error err = ERROR_INIT;
	struct stat a, b;

	CHECK(!build_id_cache__find(dir, &id, CACHE_ELF));
	CHECK_EQ(build_id_cache__add(dir, object, -1, &id, CACHE_ELF, &err), 0);
	CHECK_EQ(build_id_cache__add(dir, object, -1, &id, CACHE_ELF, &err),
	         0); /* again: nothing */
	char *found = build_id_cache__find(dir, &id, CACHE_ELF);

	CHECK(found);
	CHECK(found && !stat(found, &a) && !stat(object, &b) && a.st_ino == b.st_ino);
	ssize_t n = readlink(link, target, sizeof(target) - 1);

	target[n < 0 ? 0 : n] = '\0';
	CHECK_STR(target, want);
	char *probes = xasprintf("%s%s/%s/probes", dir, object, HEX);

	CHECK_EQ(access(probes, R_OK), 0);
	CHECK(!build_id_cache__find(dir, &id, CACHE_VDSO));
	free(probes);
	free(found);
	free(want);
	free(link);
	free(dir);
	free(object);
}

TEST(build_id_cache_keeps_the_vdso)
{
	char *dir = xasprintf("%s/cache", unit__tmpdir());
	struct build_id own;
	size_t size;
	const void *image = build_id__own_vdso(&size);

	if (!image) {
		unit__skip("there is no vdso");
	} else {
		CHECK_EQ(build_id_cache__add(dir, "[vdso]", -1, &id, CACHE_VDSO, NULL), 0);
		char *found = build_id_cache__find(dir, &id, CACHE_VDSO);
		struct stat st;

		CHECK(found && !stat(found, &st) && (size_t)st.st_size == size);
		CHECK(found && !build_id__of_file(found, &own) && own.size == 20);
		free(found);
	}
	free(dir);
}

TEST(build_id_cache_follows_no_planted_links)
{
	char *object = write_object("bin/prog"), *dir = xasprintf("%s/cache", unit__tmpdir());
	char *victim = xasprintf("%s/victim", unit__tmpdir());
	char *planted = xasprintf("%s/tmp", dir);
	struct error err = ERROR_INIT;

	CHECK_EQ(mkdir(dir, 0755), 0);
	CHECK_EQ(mkdir(victim, 0755), 0);
	CHECK_EQ(symlink(victim, planted), 0); /* objects below /tmp would go to the victim */
	CHECK(build_id_cache__add(dir, object, -1, &id, CACHE_ELF, &err) < 0);
	CHECK(err.what[0] && err.cause[0]);
	CHECK_EQ(rmdir(victim), 0); /* still empty */
	free(planted);
	free(victim);
	free(dir);
	free(object);
}

static char listed[4096];

static void note_entry(void *ctx, const struct build_id_cache_entry *entry)
{
	char hex[BUILD_ID_HEX_SIZE];
	size_t len = strlen(listed);

	(void)ctx;
	snprintf(listed + len, sizeof(listed) - len, "%.6s %s %s\n", build_id__hex(&entry->id, hex),
	         text__basename(entry->name), entry->valid ? "valid" : "not valid");
}

static const char *list_cache(const char *dir)
{
	listed[0] = '\0';
	CHECK_EQ(build_id_cache__list(dir, note_entry, NULL), 0);
	return listed;
}

TEST(build_id_cache_lists_and_removes)
{
	char *object = write_object("bin/prog"), *dir = xasprintf("%s/cache", unit__tmpdir());
	char *copy = xasprintf("%s%s/%s", dir, object, HEX),
	     *want = xasprintf("%.6s prog valid\n", HEX);

	CHECK_STR(list_cache(dir), ""); /* there is none yet */
	CHECK_EQ(build_id_cache__remove(dir, &id), -ENOENT);
	CHECK_EQ(build_id_cache__add(dir, object, -1, &id, CACHE_ELF, NULL), 0);
	CHECK_STR(list_cache(dir), want);
	CHECK_EQ(build_id_cache__remove(dir, &id), 0);
	CHECK(access(copy, F_OK));
	CHECK_EQ(access(object, R_OK), 0);
	CHECK_STR(list_cache(dir), "");
	CHECK_EQ(build_id_cache__remove(dir, &id), -ENOENT);
	CHECK_EQ(build_id_cache__add(dir, object, -1, &id, CACHE_ELF, NULL), 0);
	CHECK_EQ(build_id_cache__purge(dir, "/no/such"), -ENOENT);
	CHECK_EQ(build_id_cache__purge(dir, object), 0);
	CHECK(access(copy, F_OK));
	CHECK_STR(list_cache(dir), "");
	CHECK_EQ(build_id_cache__purge(dir, object), -ENOENT);
	free(want);
	free(copy);
	free(dir);
	free(object);
}

/* What was cached under two paths in turn: purging one leaves the other. */
TEST(build_id_cache_purges_what_no_link_leads_to)
{
	char *object = write_object("bin/prog"), *dir = xasprintf("%s/cache", unit__tmpdir());
	char *old = xasprintf("%s/old/path/%s", dir, HEX), *make = xasprintf("mkdir -p '%s'", old);

	CHECK_EQ(build_id_cache__add(dir, object, -1, &id, CACHE_ELF, NULL), 0);
	CHECK_EQ(system(make), 0);
	CHECK_EQ(build_id_cache__purge(dir, "/old/path"), 0);
	CHECK(access(old, F_OK));
	CHECK(strstr(list_cache(dir), "prog valid"));
	free(make);
	free(old);
	free(dir);
	free(object);
}

TEST(build_id_cache_knows_copies_of_another_build)
{
	char *object = write_object("bin/prog"), *dir = xasprintf("%s/cache", unit__tmpdir());
	char *copy = xasprintf("%s%s/%s/elf", dir, object, HEX);

	CHECK_EQ(build_id_cache__add(dir, object, -1, &id, CACHE_ELF, NULL), 0);
	CHECK_EQ(unlink(copy), 0);
	CHECK(strstr(list_cache(dir), "prog not valid"));
	FILE *junk = fopen(copy, "w");

	CHECK(junk && fputs("junk", junk) >= 0 && !fclose(junk));
	CHECK(strstr(list_cache(dir), "prog not valid"));
	CHECK_EQ(build_id_cache__remove(dir, &id), 0); /* all the same */
	free(copy);
	free(dir);
	free(object);
}

/* Links that are none of a cache are neither listed nor followed. */
TEST(build_id_cache_believes_no_link)
{
	static const char *const targets[] = {
		"/victim/%s", "../../../victim/%s", "../../a/../../victim/%s", "../../%s", "../..",
		"",           "../../victim/other", "../../link/%s",
	};
	char *dir = xasprintf("%s/cache", unit__tmpdir());
	char *victim = xasprintf("%s/victim", unit__tmpdir());
	char *file = xasprintf("%s/%s", victim, HEX);
	char *link = xasprintf("%s/.build-id/%.2s/%s", dir, HEX, &HEX[2]);
	char *make = xasprintf("mkdir -p '%s/.build-id/%.2s' '%s/a' '%s' && ln -s '%s' '%s/link'",
	                       dir, HEX, dir, file, victim, dir);

	CHECK_EQ(system(make), 0);
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		char target[200];

		snprintf(target, sizeof(target), targets[i], HEX);
		if (*target)
			CHECK_EQ(symlink(target, link), 0);
		CHECK(build_id_cache__remove(dir, &id) < 0);
		list_cache(dir);
		CHECK_EQ(access(file, F_OK), 0);
		unlink(link);
	}
	CHECK(build_id_cache__purge(dir, "/link") < 0);
	CHECK(build_id_cache__purge(dir, "/../victim") < 0);
	CHECK_EQ(access(file, F_OK), 0);
	free(make);
	free(link);
	free(file);
	free(victim);
	free(dir);
}

TEST(build_id_cache_errors)
{
	char *object = write_object("bin/prog");
	char *file = write_test_file("a-file", "x", 1), *below = xasprintf("%s/cache", file);
	struct build_id none = { .size = 0 };
	struct error err = ERROR_INIT;

	CHECK(build_id_cache__add(below, object, -1, &id, CACHE_ELF, &err) < 0);
	CHECK_STR(err.subject, object);
	CHECK_EQ(build_id_cache__add(below, object, -1, &none, CACHE_ELF, &err), -EINVAL);
	CHECK_EQ(build_id_cache__add(unit__tmpdir(), "/no/such/file", -1, &id, CACHE_ELF, &err),
	         -ENOENT);
	CHECK_EQ(build_id_cache__add(unit__tmpdir(), "../up", -1, &id, CACHE_VDSO, &err), -EINVAL);
	free(below);
	free(file);
	free(object);
}
