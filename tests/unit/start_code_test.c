// SPDX-License-Identifier: GPL-2.0-or-later
/* Where threads start, asked of this very process: its own stacks tell the truth. */
#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>

#include "util/elf/elf_file.h"
#include "util/lib/strtab.h"
#include "util/unwind/start_code.h"

#define FRAMES_MAX 64

struct frames {
	void *list[FRAMES_MAX];
	int nr;
};

/* As a recording would give them: a dso and the offset in its file. */
struct asked {
	struct strtab strings;
	struct dsos dsos;
	struct session_symbols *symbols;
	struct unwind_tables *tables;
	struct start_code *start;
};

static void asked__init(struct asked *asked)
{
	static const struct symbol_config config = { .symfs = "", .demangle = true };

	strtab__init(&asked->strings);
	dsos__init(&asked->dsos, &asked->strings);
	asked->symbols = session_symbols__new(&asked->dsos, &config);
	asked->tables = unwind_tables__new(&asked->dsos, &config);
	asked->start = start_code__new(&asked->dsos, asked->symbols, asked->tables);
}

static void asked__exit(struct asked *asked)
{
	start_code__delete(asked->start);
	unwind_tables__delete(asked->tables);
	session_symbols__delete(asked->symbols);
	dsos__exit(&asked->dsos);
	strtab__exit(&asked->strings);
}

/* The offset in its file of the code at @vaddr of a loaded object. */
static u64 offset_of(const struct link_map *map, u64 vaddr)
{
	struct elf_file elf;
	u64 offset = 0;

	if (elf_file__open(&elf, map->l_name))
		return 0;
	for (u32 i = 0; i < elf.nr_programs; i++)
		if (elf.programs[i].p_type == PT_LOAD && vaddr >= elf.programs[i].p_vaddr &&
		    vaddr - elf.programs[i].p_vaddr < elf.programs[i].p_filesz)
			offset = vaddr - elf.programs[i].p_vaddr + elf.programs[i].p_offset;
	elf_file__close(&elf);
	return offset;
}

/* START_UNKNOWN, too, where the address is in no file with a name (this program itself). */
static enum start_kind kind_of(const void *code)
{
	enum start_kind kind = START_UNKNOWN;
	struct link_map *map = NULL;
	struct asked asked;
	Dl_info info;

	if (!dladdr1(code, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !*map->l_name)
		return START_UNKNOWN;
	asked__init(&asked);
	u32 dso = dsos__get(&asked.dsos, map->l_name, DSO_USER, 0, NULL, 0);

	kind = start_code__kind(asked.start, dso,
	                        offset_of(map, (u64)(uintptr_t)code - map->l_addr));
	asked__exit(&asked);
	return kind;
}

static void *thread(void *arg)
{
	struct frames *frames = arg;

	frames->nr = backtrace(frames->list, FRAMES_MAX);
	return NULL;
}

static int compare(const void *a, const void *b)
{
	static struct frames frames;

	if (a == b || frames.nr)
		return 0;
	frames.nr = backtrace(frames.list, FRAMES_MAX);
	/* Whoever calls this starts nothing (it is in libc, or a sanitizer's). */
	CHECK(kind_of((char *)frames.list[1] - 1) != START_THREAD);
	return 0;
}

/* Sanitizers put functions of their own between. */
static bool is_glibc_x86_64(void)
{
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&                 \
        !defined(__SANITIZE_THREAD__)
	return true;
#else
	return false;
#endif
}

TEST(start_code_of_main)
{
	struct frames frames = { .nr = backtrace(frames.list, FRAMES_MAX) };
	unsigned found = 0;

	if (!is_glibc_x86_64())
		return unit__skip("written for glibc on x86-64");
	/* ... main, what calls main, __libc_start_main, _start. Both of libc's are outer frames. */
	for (int i = 0; i < frames.nr; i++)
		found += kind_of((char *)frames.list[i] - 1) == START_THREAD;
	CHECK(found >= 1);
}

TEST_WITH_THREADS(start_code_of_a_thread)
{
	struct frames frames = { .nr = 0 };
	unsigned found = 0;
	pthread_t id;

	if (!is_glibc_x86_64())
		return unit__skip("written for glibc on x86-64");
	CHECK_EQ(pthread_create(&id, NULL, thread, &frames), 0);
	pthread_join(id, NULL);
	for (int i = 0; i < frames.nr; i++) {
		enum start_kind kind = kind_of((char *)frames.list[i] - 1);

		found += kind == START_THREAD || kind == START_CLONE;
	}
	CHECK(found >= 2); /* start_thread, and clone3, which has its name or is outermost */
}

TEST(start_code_of_other_functions)
{
	int numbers[] = { 3, 1, 2 };

	if (!is_glibc_x86_64())
		return unit__skip("written for glibc on x86-64");
	qsort(numbers, 3, sizeof(numbers[0]), compare);
	CHECK_EQ(kind_of((void *)(uintptr_t)0x10), START_UNKNOWN);
}
