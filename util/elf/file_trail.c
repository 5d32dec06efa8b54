// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf/file_trail.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/hash.h"

/* Longer than the step of any kernel's clock for file times (10 ms at most). */
#define JUST_NOW_NS 100000000ull

#define KALLSYMS    "/proc/kallsyms"
#define MAX_MODULES (4u << 20)

void file_trail__exit(struct file_trail *trail)
{
	for (u32 i = 0; i < trail->nr; i++)
		free(trail->entries[i].path);
	free(trail->entries);
	*trail = (struct file_trail){ .nr = 0 };
}

static u64 hash_of_text(const char *path)
{
	char text[128];
	int len = file__read_text(path, text, sizeof(text));

	return hash__bytes(text, len < 0 ? 0 : len);
}

/* Names, sizes and places: the counts of users between them change all the time. */
static u64 hash_of_modules(void)
{
	size_t len;
	char *text = file__read_all("/proc/modules", MAX_MODULES, &len), *rest = text;
	u64 hash = 0;

	for (char *line; text && (line = strsep(&rest, "\n"));) {
		char *field, *fields = line;

		for (unsigned i = 0; (field = strsep(&fields, " ")); i++)
			if (i == 0 || i == 1 || i == 5)
				hash = hash__add(hash, hash__bytes(field, strlen(field)));
	}
	free(text);
	return hash;
}

static void take_kallsyms(struct file_stamp *stamp)
{
	*stamp = (struct file_stamp){
		.dev = hash_of_text("/proc/sys/kernel/random/boot_id"),
		.ino = hash_of_modules(),
		.size = hash_of_text("/proc/sys/kernel/kptr_restrict"),
		.changed = hash_of_text("/proc/sys/kernel/perf_event_paranoid"),
		.changed_ns = geteuid(),
		.written = 1,
	};
}

void file_stamp__take(const char *path, struct file_stamp *stamp)
{
	struct stat st;

	*stamp = (struct file_stamp){ .dev = 0 };
	if (!strcmp(path, KALLSYMS))
		take_kallsyms(stamp);
	else if (!stat(path, &st))
		*stamp = (struct file_stamp){
			.dev = st.st_dev,
			.ino = st.st_ino,
			.size = st.st_size,
			.changed = st.st_ctim.tv_sec,
			.changed_ns = st.st_ctim.tv_nsec,
			.written = st.st_mtim.tv_sec,
			.written_ns = st.st_mtim.tv_nsec,
		};
}

/* But for what may change while the content stays. */
static bool is_same_file(const struct file_stamp *a, const struct file_stamp *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
	       a->written == b->written && a->written_ns == b->written_ns;
}

bool file_stamp__equal(const struct file_stamp *a, const struct file_stamp *b)
{
	return is_same_file(a, b) && a->changed == b->changed && a->changed_ns == b->changed_ns;
}

static bool is_same_build(const struct file_stamp *a, const struct file_stamp *b)
{
	return is_same_file(a, b) && a->id.size && build_id__equal(&a->id, &b->id);
}

/* What is written behind our back would get a time of writing, which shows where a build-id is. */
static bool is_just_made(const struct file_stamp *stamp)
{
	u64 sec = stamp->id.size ? stamp->written : stamp->changed;
	u64 ns = stamp->id.size ? stamp->written_ns : stamp->changed_ns;
	struct timespec now;

	if (!stamp->ino || clock_gettime(CLOCK_REALTIME, &now))
		return false;
	s64 age = ((s64)now.tv_sec - (s64)sec) * 1000000000 + now.tv_nsec - (s64)ns;

	return age < (s64)JUST_NOW_NS; /* and what comes from the future */
}

void file_trail__add(struct file_trail *trail, const char *path, const struct file_stamp *stamp)
{
	if (!trail)
		return;
	for (u32 i = 0; i < trail->nr; i++) {
		if (strcmp(trail->entries[i].path, path) != 0)
			continue;
		trail->spoiled |= !file_stamp__equal(&trail->entries[i].stamp, stamp) &&
		                  !is_same_build(&trail->entries[i].stamp, stamp);
		return;
	}
	array__reserve(&trail->entries, &trail->cap, trail->nr + 1, sizeof(*trail->entries));
	trail->entries[trail->nr++] = (struct file_trail_entry){ xstrdup(path), *stamp };
}

/* Files that were looked at are objects, mostly; what is none (or a folder) has no build-id. */
static void take_build_id(const char *path, struct file_stamp *stamp)
{
	if (stamp->ino && build_id__of_file(path, &stamp->id))
		stamp->id.size = 0;
}

void file_trail__note(struct file_trail *trail, const char *path)
{
	struct file_stamp stamp;

	if (!trail)
		return;
	file_stamp__take(path, &stamp);
	if (strcmp(path, KALLSYMS) != 0) {
		take_build_id(path, &stamp);
		trail->spoiled |= is_just_made(&stamp);
	}
	file_trail__add(trail, path, &stamp);
}

void file_trail__join(struct file_trail *trail, const struct file_trail *other)
{
	if (!trail)
		return;
	for (u32 i = 0; i < other->nr; i++)
		file_trail__add(trail, other->entries[i].path, &other->entries[i].stamp);
	trail->spoiled |= other->spoiled;
}

void file_trail__spoil(struct file_trail *trail)
{
	if (trail)
		trail->spoiled = true;
}

static bool entry_holds(struct file_trail_entry *entry)
{
	struct file_stamp now;

	file_stamp__take(entry->path, &now);
	if (file_stamp__equal(&now, &entry->stamp))
		return true;
	if (!entry->stamp.id.size || !is_same_file(&now, &entry->stamp))
		return false;
	take_build_id(entry->path, &now);
	if (!is_same_build(&now, &entry->stamp))
		return false;
	entry->stamp = now;
	return true;
}

bool file_trail__holds(struct file_trail *trail)
{
	bool holds = !trail->spoiled;

	for (u32 i = 0; i < trail->nr && holds; i++)
		holds = entry_holds(&trail->entries[i]);
	return holds;
}
