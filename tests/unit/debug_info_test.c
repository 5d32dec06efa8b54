// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines and inlined functions: a small program is compiled in every way that changes how its DWARF
 * looks, and asked about addresses whose answer its source says. Then random addresses are asked of
 * addr2line, too: of that program, and of the files that PERF_LINES_FILES names (separated by
 * colons; PERF_LINES_ADDRESSES and PERF_LINES_SEED set how many and which, PERF_LINES_TOOL another
 * addr2line, PERF_LINES_POSITIONS leaves the names of functions out, PERF_LINES_SHOW prints what
 * differs). tests/cli/lines.sh does it.
 */
#include "tests/unit/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/test_file.h"
#include "util/dwarf/debug_info.h"
#include "util/elf/elf_file.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/symtab/symtab.h"
#include "util/symtab/symtab_elf.h"

#define MODULE 0xffffffffc0200000ull /* where objects that were not linked are said to lie */

#ifdef HAVE_LIBDW

/* The lines are counted below: keep them in step. */
static const char source[] =
        "volatile int sink;\n"                                              /* 1 */
        "static inline __attribute__((always_inline)) void inner(int x)\n"  /* 2 */
        "{\n"                                                               /* 3 */
        "	__asm__ volatile(\".globl here\\nhere: nop\");\n"           /* 4 */
        "	sink = x;\n"                                                /* 5 */
        "}\n"                                                               /* 6 */
        "static inline __attribute__((always_inline)) void middle(int x)\n" /* 7 */
        "{\n"                                                               /* 8 */
        "	if (sink)\n"                                                /* 9 */
        "		inner(x + 1);\n"                                    /* 10 */
        "}\n"                                                               /* 11 */
        "__attribute__((noinline)) void outer(int x)\n"                     /* 12 */
        "{\n"                                                               /* 13 */
        "	middle(x);\n"                                               /* 14 */
        "	__asm__ volatile(\".globl plain\\nplain: nop\");\n"         /* 15 */
        "}\n"                                                               /* 16 */
        "int main(void)\n"                                                  /* 17 */
        "{\n"                                                               /* 18 */
        "	outer(1);\n"                                                /* 19 */
        "	return 0;\n"                                                /* 20 */
        "}\n";

static bool run(const char *fmt, ...) PRINTF_LIKE(1, 2);
static bool run(const char *fmt, ...)
{
	char command[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	return !system(command);
}

static u64 symbol_address(const char *path, const char *name)
{
	struct object_file_request request = { .path = path, .symfs = "", .module_start = MODULE };
	struct symtab table = { .source = SYMTAB_NONE };
	u64 addr = 0;

	symtab__load_elf(&table, &request);
	for (u32 i = 0; i < table.nr; i++)
		if (!strcmp(table.symbols[i].name, name))
			addr = table.symbols[i].start;
	symtab__exit(&table);
	return addr;
}

/* "inner prog.c:4 < middle prog.c:10": one line for what is known. */
static const char *describe(struct debug_info *info, u64 addr, char *buf, size_t size)
{
	struct source_frame frames[SOURCE_FRAMES_MAX];
	u32 nr = debug_info__frames(info, addr, frames, SOURCE_FRAMES_MAX);
	size_t len = 0;

	*buf = '\0';
	for (u32 i = 0; i < nr && len < size; i++) {
		const char *function = frames[i].function == ID_NONE
		                               ? "?"
		                               : debug_info__text(info, frames[i].function);
		const char *file =
		        frames[i].file == ID_NONE ? "?" : debug_info__text(info, frames[i].file);

		len += snprintf(buf + len, size - len, "%s%s %s:%u", i ? " < " : "", function,
		                text__basename(file), frames[i].line);
	}
	return buf;
}

static void check_program(const char *path)
{
	struct debug_info *info = debug_info__open_module(path, MODULE);
	char text[4096];

	CHECK(!debug_info__empty(info));
	CHECK_STR(describe(info, symbol_address(path, "here"), text, sizeof(text)),
	          "inner prog.c:4 < middle prog.c:10 < outer prog.c:14");
	CHECK_STR(describe(info, symbol_address(path, "plain"), text, sizeof(text)),
	          "outer prog.c:15");
	debug_info__close_files(info);
	CHECK_STR(describe(info, symbol_address(path, "here"), text, sizeof(text)),
	          "inner prog.c:4 < middle prog.c:10 < outer prog.c:14");
	CHECK_STR(describe(info, symbol_address(path, "_start"), text, sizeof(text)), "");
	debug_info__delete(info);
}

static u64 random_state;

static u64 random_below(u64 n)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return n ? random_state * 0x2545f4914f6cdd1dull % n : 0;
}

static u64 setting(const char *name, u64 otherwise)
{
	u64 value = otherwise;

	if (getenv(name))
		text__parse_u64(getenv(name), &value);
	return value;
}

static const char *const ways[] = {
	"-gdwarf-4",
	"-gdwarf-5",
	"-gdwarf-3 -gstrict-dwarf",
	"-gdwarf-4 -ffunction-sections -Wl,--gc-sections",
	"-gdwarf-5 -gz",
	"-gdwarf-4 -gsplit-dwarf",
	"-gdwarf-5 -gsplit-dwarf",
	"-gdwarf-5 -no-pie",
	"-g -flto",
#ifdef HAVE_ZSTD
	"-gdwarf-5 -Wl,--compress-debug-sections=zstd",
	"-gdwarf-4 -Wl,--compress-debug-sections=zstd",
#endif
};

static void check_compiler(const char *compiler)
{
	const char *dir = unit__tmpdir();

	if (!run("%s --version >/dev/null 2>&1", compiler)) {
		unit__skip(compiler);
		return;
	}
	free(write_test_file("prog.c", source, sizeof(source) - 1));
	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++) {
		char *path = xasprintf("%s/prog-%u", dir, i);

		/* What a compiler cannot do (LTO without its plugin) is left out. */
		if (run("cd %s && %s -O2 %s -o %s prog.c >/dev/null 2>&1", dir, compiler, ways[i],
		        path)) {
			check_program(path);
			if (unit__has_failed())
				fprintf(stderr, "with %s %s\n", compiler, ways[i]);
		}
		free(path);
	}
}

TEST(debug_info_of_gcc)
{
	check_compiler("gcc");
}

TEST(debug_info_of_clang)
{
	check_compiler("clang");
}

/* As kernel modules are: not linked. */
static void check_modules_of(const char *compiler)
{
	static const char *const kinds[] = {
		"-gdwarf-4",
		"-gdwarf-5",
		"-gdwarf-5 -gz",
		"-gdwarf-4 -ffunction-sections",
		"-gdwarf-5 -mno-relax",
	};
	char *path = xasprintf("%s/prog.ko", unit__tmpdir());

	if (!run("%s --version >/dev/null 2>&1", compiler)) {
		unit__skip(compiler);
		free(path);
		return;
	}
	free(write_test_file("prog.c", source, sizeof(source) - 1));
	for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!run("cd %s && %s -O2 %s -c -o prog.ko prog.c >/dev/null 2>&1", unit__tmpdir(),
		         compiler, kinds[i]))
			continue;
		CHECK(symbol_address(path, "main") >= MODULE);
		check_program(path);
		if (unit__has_failed())
			fprintf(stderr, "with %s %s\n", compiler, kinds[i]);
		struct debug_info *info = debug_info__open(path);

		CHECK(debug_info__empty(info)); /* where it lay is not known */
		debug_info__delete(info);
	}
	free(path);
}

TEST(debug_info_of_modules_gcc)
{
	check_modules_of("gcc");
}

TEST(debug_info_of_modules_clang)
{
	check_modules_of("clang");
}

TEST(debug_info_of_modules_arm64)
{
	check_modules_of("aarch64-linux-gnu-gcc");
}

TEST(debug_info_of_modules_riscv64)
{
	check_modules_of("riscv64-linux-gnu-gcc");
}

/* Two programs with much in common, which goes to a third file. */
TEST(debug_info_with_an_alternate_file)
{
	const char *dir = unit__tmpdir();

	if (!run("dwz --version >/dev/null 2>&1")) {
		unit__skip("dwz is not installed");
		return;
	}
	free(write_test_file("prog.c", source, sizeof(source) - 1));
	if (!run("cd %s && gcc -O2 -g -o one prog.c && gcc -O2 -g -DB -o two prog.c && "
	         "dwz -m common -r one two 2>/dev/null && test -f common",
	         dir)) {
		unit__skip("dwz made no common file");
		return;
	}
	char *path = xasprintf("%s/two", dir);

	check_program(path);
	/* Another file in its place is not used; a pipe in its place does not block. */
	CHECK(run("cd %s && cp two common", dir));
	debug_info__delete(debug_info__open(path));
	CHECK(run("cd %s && rm common && mkfifo common", dir));
	struct debug_info *info = debug_info__open(path);

	CHECK(debug_info__empty(info));
	debug_info__delete(info);
	free(path);
}

TEST(debug_info_without_its_split_unit)
{
	const char *dir = unit__tmpdir();
	char text[4096], *path = xasprintf("%s/prog", dir);

	free(write_test_file("prog.c", source, sizeof(source) - 1));
	if (!run("cd %s && gcc -O2 -g -gsplit-dwarf -o prog prog.c && rm *.dwo && "
	         "for f in prog.dwo prog-prog.dwo; do mkfifo $f; done",
	         dir)) {
		unit__skip("no gcc");
		free(path);
		return;
	}
	struct debug_info *info = debug_info__open(path);

	/* Lines are in the skeleton's file. */
	CHECK_STR(describe(info, symbol_address(path, "here"), text, sizeof(text)), "? prog.c:4");
	debug_info__delete(info);
	free(path);
}

/* libdw opens split units by itself: of any damage to one, and without what it cannot be shown. */
TEST(debug_info_with_a_damaged_split_unit)
{
	const char *dir = unit__tmpdir();
	char text[4096], *path = xasprintf("%s/prog", dir), *unit = xasprintf("%s/prog.dwo", dir);
	struct elf_file elf;

	free(write_test_file("prog.c", source, sizeof(source) - 1));
	/* With -c: else the unit is called prog-prog.dwo by some compilers. */
	if (!run("cd %s && gcc -O2 -g -gsplit-dwarf -c prog.c && gcc -o prog prog.o && "
	         "cp prog.dwo good.dwo",
	         dir) ||
	    elf_file__open(&elf, unit)) {
		unit__skip("no gcc that makes prog.dwo");
		free(path);
		free(unit);
		return;
	}
	u64 here = symbol_address(path, "here"), size = elf.size;

	elf_file__close(&elf);
	random_state = setting("PERF_LINES_SEED", 7);
	for (unsigned i = 0; i < setting("PERF_LINES_DAMAGES", 150); i++) {
		FILE *file = fopen(unit, "r+");

		for (unsigned k = random_below(12) + 1; file && k; k--) {
			fseek(file, random_below(i % 4 ? size : 64), SEEK_SET);
			fputc(random_below(3) ? (int)random_below(256) : 0xff, file);
		}
		if (file)
			fclose(file);
		struct debug_info *info = debug_info__open(path);

		describe(info, here, text, sizeof(text));
		debug_info__delete(info);
		CHECK(run("cd %s && cp good.dwo prog.dwo", dir));
	}
	check_program(path);
	/* Packed in the old way, where nothing bounds what it says of its size: lines alone. */
	if (run("cd %s && objcopy --compress-debug-sections=zlib-gnu prog.dwo && "
	        "readelf -SW prog.dwo | grep -q zdebug",
	        dir)) {
		struct debug_info *info = debug_info__open(path);

		CHECK_STR(describe(info, here, text, sizeof(text)), "? prog.c:4");
		debug_info__delete(info);
	}
	free(path);
	free(unit);
}

/* libdw would read on behind the section. */
TEST(debug_info_with_strings_that_do_not_end)
{
	const char *dir = unit__tmpdir();
	char *path = xasprintf("%s/prog", dir);
	struct elf_file elf;

	free(write_test_file("prog.c", source, sizeof(source) - 1));
	if (!run("cd %s && gcc -O2 -g -o prog prog.c", dir) || elf_file__open(&elf, path)) {
		unit__skip("no gcc");
		free(path);
		return;
	}
	const struct elf_section *strings = elf_file__section(&elf, ".debug_str");
	FILE *file = fopen(path, "r+");

	CHECK(strings && file);
	if (strings && file) {
		fseek(file, strings->header.sh_offset + strings->header.sh_size - 1, SEEK_SET);
		fputc('x', file);
	}
	if (file)
		fclose(file);
	elf_file__close(&elf);
	struct debug_info *info = debug_info__open(path);

	CHECK(debug_info__empty(info));
	debug_info__delete(info);
	free(path);
}

/* Packed with zstd, which is unpacked by us: of any damage, and with sizes that are none. */
TEST(debug_info_with_damaged_packed_sections)
{
	const char *dir = unit__tmpdir();
	char text[4096], *path = xasprintf("%s/prog", dir);
	struct elf_file elf;

	free(write_test_file("prog.c", source, sizeof(source) - 1));
	if (!run("cd %s && gcc -O2 -g -Wl,--compress-debug-sections=zstd -o good prog.c && "
	         "cp good prog",
	         dir) ||
	    elf_file__open(&elf, path)) {
		unit__skip("no gcc and linker that pack with zstd");
		free(path);
		return;
	}
	const struct elf_section *section = elf_file__section(&elf, ".debug_info");
	u64 here = symbol_address(path, "here"), start = section ? section->header.sh_offset : 0;
	u64 size = section ? section->header.sh_size : 0;

	elf_file__close(&elf);
	CHECK(size > sizeof(Elf64_Chdr));
	for (unsigned i = 0; i < size && !unit__has_failed(); i++) {
		FILE *file = fopen(path, "r+");

		if (!file)
			break;
		fseek(file, start + i, SEEK_SET);
		fputc(0xff, file);
		fclose(file);
		struct debug_info *info = debug_info__open(path);

		describe(info, here, text, sizeof(text));
		/* Another way of packing, and another size. */
		if (i < 4 ||
		    (i >= offsetof(Elf64_Chdr, ch_size) && i < offsetof(Elf64_Chdr, ch_addralign)))
			CHECK(debug_info__empty(info));
		debug_info__delete(info);
		CHECK(run("cd %s && cp good prog", dir));
	}
	free(path);
}

TEST(debug_info_of_files_without)
{
	char *path = write_test_file("text", "no ELF", 6);
	struct debug_info *info = debug_info__open(path);
	struct source_frame frame;

	CHECK(debug_info__empty(info));
	CHECK_EQ(debug_info__frames(info, 0x1000, &frame, 1), 0);
	debug_info__delete(info);
	info = debug_info__open("/nonexistent");
	CHECK(debug_info__empty(info));
	debug_info__delete(info);
	free(path);
}

/* ---- what addr2line says ---- */

struct comparison {
	const char *path;
	struct debug_info *info;
	u64 base; /* of .text in an object that was not linked, where the tool counts from 0 */
	u32 nr, nr_theirs, nr_different;
};

/* One address' answer of addr2line as describe() would say it. Ends before the next address. */
static bool read_answer(FILE *pipe, u64 *addr, char *buf, size_t size)
{
	static char line[65536], position[65536];
	size_t len = 0;
	int c;

	if (!fgets(line, sizeof(line), pipe))
		return false;
	*addr = strtoull(line, NULL, 16);
	*buf = '\0';
	while ((c = fgetc(pipe)) != EOF) {
		ungetc(c, pipe);
		if (c == '0') /* 0x...: the next address */
			return true;
		if (!fgets(line, sizeof(line), pipe) || !fgets(position, sizeof(position), pipe))
			return false;
		line[strcspn(line, "\n")] = '\0';
		position[strcspn(position, "\n")] = '\0';
		const char *file = text__basename(position);
		const char *colon =
		        strchrnul(file, ':'); /* :LINE, :LINE:COLUMN, :LINE (discriminator N) */

		if (text__starts_with(file, "??"))
			file++;
		line[strcspn(line, " ")] = '\0'; /* elfutils: NAME inlined at PLACE in NAME */
		if (len < size)
			len += snprintf(buf + len, size - len, "%s%s %.*s:%lu", len ? " < " : "",
			                line, (int)(colon - file), file,
			                *colon ? strtoul(colon + 1, NULL, 10) : 0);
	}
	return true;
}

/* "f x.c:1 < g y.c:2" -> "x.c:1 < y.c:2" */
static void keep_positions(char *answer)
{
	char *to = answer, *next;

	for (char *part = answer; part; part = next) {
		char *end = strstr(part, " < "), *position;

		if (!end)
			end = part + strlen(part);
		next = *end ? end + 3 : NULL;
		for (position = end; position > part && position[-1] != ' ';)
			position--;
		memmove(to, position, end - position);
		to += end - position;
		if (next)
			to = mempcpy(to, " < ", 3);
	}
	*to = '\0';
}

static const char *last_frame(const char *answer)
{
	const char *next;

	while ((next = strstr(answer, " < ")))
		answer = next + 3;
	return answer;
}

/* A function that goes by its symbol, for which we say "?": theirs is called so, too. */
static void keep_symbol(const char *ours, char *theirs)
{
	char *their_last = theirs + (last_frame(theirs) - theirs),
	     *position = strchr(their_last, ' ');

	if (!text__starts_with(last_frame(ours), "? ") || !position || position == their_last)
		return;
	*their_last = '?';
	memmove(their_last + 1, position, strlen(position) + 1);
}

/* Without DWARF some tools tell the file that the symbol table names: line 0. */
static bool knows_line(const char *answer)
{
	const char *colon = strrchr(answer, ':');

	return colon && strcmp(colon, ":0");
}

static void compare_answers(struct comparison *c, FILE *pipe)
{
	static char theirs[1 << 18], ours[1 << 18];
	u64 addr;

	while (read_answer(pipe, &addr, theirs, sizeof(theirs))) {
		c->nr++;
		describe(c->info, addr + c->base, ours, sizeof(ours));
		if (getenv("PERF_LINES_POSITIONS")) {
			keep_positions(ours);
			keep_positions(theirs);
		}
		keep_symbol(ours, theirs);
		c->nr_theirs += knows_line(theirs);
		if (!*ours && !knows_line(theirs))
			continue;
		if (!strcmp(ours, theirs))
			continue;
		c->nr_different++;
		if (getenv("PERF_LINES_SHOW"))
			fprintf(stderr, "%s %llx\n  ours   %s\n  theirs %s\n", c->path,
			        (unsigned long long)addr, ours, theirs);
	}
}

static bool is_code(struct elf_file *elf, u64 addr)
{
	const struct elf_section *text = elf_file__section(elf, ".text");

	for (u32 i = 0; i < elf->nr_programs; i++) {
		const GElf_Phdr *p = &elf->programs[i];

		if (p->p_type == PT_LOAD && p->p_flags & PF_X && addr - p->p_vaddr < p->p_filesz)
			return true;
	}
	/* Of an object that was not linked the tool counts from the begin of .text. */
	return elf->type == ET_REL && text && addr - MODULE < text->header.sh_size;
}

/* Addresses that have a name, with lines or without: what we do not find is a difference, too. */
static void compare_with_addr2line(const char *path, u32 nr, struct comparison *c)
{
	struct object_file_request request = { .path = path, .symfs = "", .module_start = MODULE };
	struct symtab table = { .source = SYMTAB_NONE };
	struct elf_file elf;
	char *list = xasprintf("%s/addresses", unit__tmpdir());
	FILE *file = fopen(list, "w");
	const char *tool = getenv("PERF_LINES_TOOL");
	char *command = xasprintf("%s -a -i -f -e '%s' < %s 2>/dev/null", tool ? tool : "addr2line",
	                          path, list);

	*c = (struct comparison){ .path = path, .info = debug_info__open_module(path, MODULE) };
	symtab__load_elf(&table, &request);
	CHECK(!elf_file__open(&elf, path));
	c->base = elf.type == ET_REL ? MODULE : 0;
	for (u32 i = 0, tries = 0; file && table.nr && i < nr && tries < 50 * nr; tries++) {
		const struct symbol *s = &table.symbols[random_below(table.nr)];
		u64 addr = s->start + random_below(s->end - s->start);

		if (!is_code(&elf, addr))
			continue;
		fprintf(file, "%#llx\n", (unsigned long long)(addr - c->base));
		i++;
	}
	if (file)
		fclose(file);
	elf_file__close(&elf);
	symtab__exit(&table);
	FILE *pipe = popen(command, "r");

	if (pipe)
		compare_answers(c, pipe);
	if (pipe)
		pclose(pipe);
	debug_info__delete(c->info);
	free(command);
	free(list);
}

TEST(debug_info_agrees_with_addr2line)
{
	struct comparison c;
	char path[512];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	len = -1; /* what compilers add for that has no debug information */
#elif defined(__clang__)
	len = -1; /* addr2line 2.40 misreads its DWARF 5: tests/cli/lines.sh asks llvm-addr2line */
#endif
	if (!run("addr2line --version >/dev/null 2>&1") || len < 0) {
		unit__skip("addr2line is not installed, or a build with sanitizers or clang");
		return;
	}
	path[len] = '\0';
	random_state = 1;
	compare_with_addr2line(path, 100, &c);
	CHECK_EQ(c.nr, 100);
	CHECK(c.nr_different <= c.nr / 50);
	if (c.nr_theirs < c.nr / 2) /* what the compiler adds to programs has no lines */
		unit__skip("addr2line finds few lines in this program: it was built without -g");
}

TEST(debug_info_agrees_with_addr2line_on_files)
{
	const char *names = getenv("PERF_LINES_FILES");

	if (!names) {
		unit__skip("PERF_LINES_FILES names no files");
		return;
	}
	char *list = xstrdup(names), *rest = list, *path;

	while ((path = strsep(&rest, ":"))) {
		struct comparison c;

		random_state = setting("PERF_LINES_SEED", 1);
		compare_with_addr2line(path, setting("PERF_LINES_ADDRESSES", 2000), &c);
		fprintf(stderr, "%s: %u addresses, %u different\n", path, c.nr, c.nr_different);
		CHECK(c.nr);
		CHECK(c.nr_different <= c.nr / 50);
	}
	free(list);
}
#else
TEST(debug_info_without_libdw)
{
	struct debug_info *info = debug_info__open("/proc/self/exe");

	CHECK(debug_info__empty(info));
	debug_info__delete(info);
}
#endif
