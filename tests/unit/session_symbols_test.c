// SPDX-License-Identifier: GPL-2.0-or-later
/* Late naming for a session: dsos of every kind, and whose kernel names are believed. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "tests/unit/elf_builder.h"
#include "tests/unit/test_file.h"
#include "util/elf/build_id.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/symbol/session_symbols.h"
#include "util/symtab/kallsyms.h"

#define NO_SUCH_PID 0x40000000 /* the kernel gives none above 1 << 22 */
#define BASE        0xffffffff81000000ull

struct setup {
	struct strtab strings;
	struct dsos dsos;
	struct symbol_config config;
	struct session_symbols *symbols;
};

static void setup__init(struct setup *s)
{
	*s = (struct setup){ .config = { .demangle = true } };
	strtab__init(&s->strings);
	dsos__init(&s->dsos, &s->strings);
}

static void setup__exit(struct setup *s)
{
	session_symbols__delete(s->symbols);
	dsos__exit(&s->dsos);
	strtab__exit(&s->strings);
}

static const char *name_of(struct setup *s, u32 dso, u64 addr)
{
	u64 vaddr;

	if (!s->symbols)
		s->symbols = session_symbols__new(&s->dsos, &s->config);
	u32 i = session_symbols__find(s->symbols, dso, addr, &vaddr);

	return i == ID_NONE ? "" : session_symbols__name(s->symbols, dso, i);
}

static u32 add_kernel(struct setup *s, u64 ref_addr, const u8 *build_id)
{
	u32 dso = dsos__get(&s->dsos, "[kernel.kallsyms]", DSO_KERNEL, -1, build_id,
	                    build_id ? 20 : 0);

	s->dsos.dsos[dso].ref_symbol = strtab__add(&s->strings, "_text");
	s->dsos.dsos[dso].text_pgoff = ref_addr;
	return dso;
}

static void collect(void *ctx, const struct dso *dso, const struct error *error)
{
	struct error *last = ctx;

	(void)dso;
	*last = *error;
}

TEST(symbols_names_are_demangled_and_printable)
{
	struct elf_builder e = { .is64 = true };
	struct setup s;

	setup__init(&s);
	elf_builder__symbol(&e, "_ZN3one3twoEi", STB_GLOBAL, STT_FUNC, 0, 16);
	elf_builder__symbol(&e, "evil\033[2J\nname", STB_GLOBAL, STT_FUNC, 16, 16);
	elf_builder__symbol(&e, "_ZN5plain4nameEv", STB_GLOBAL, STT_FUNC, 32, 16);
	elf_builder__symbol(&e,
	                    "evil in UTF-8\xc2\x9b"
	                    "2J",
	                    STB_GLOBAL, STT_FUNC, 48, 16);
	elf_builder__symbol(&e,
	                    "gr\xc3\xb6\xc3\x9f"
	                    "e of it",
	                    STB_GLOBAL, STT_FUNC, 64, 16);
	char *path = elf_builder__write(&e, "prog");
	u32 dso = dsos__get(&s.dsos, path, DSO_USER, -1, NULL, 0);

	CHECK_STR(name_of(&s, dso, ELF_TEXT_OFFSET + 16), "evil?[2J?name");
	CHECK_STR(name_of(&s, dso, ELF_TEXT_OFFSET + 48), "evil in UTF-8??2J");
	CHECK_STR(name_of(&s, dso, ELF_TEXT_OFFSET + 64), "gr\xc3\xb6\xc3\x9f"
	                                                  "e of it");
#ifdef HAVE_DEMANGLE
	CHECK_STR(name_of(&s, dso, ELF_TEXT_OFFSET + 4), "one::two");
	CHECK_STR(name_of(&s, dso, ELF_TEXT_OFFSET + 4), "one::two"); /* cached */
#endif
	session_symbols__delete(s.symbols);
	s.symbols = NULL;
	s.config.demangle = false;
	CHECK_STR(name_of(&s, dso, ELF_TEXT_OFFSET + 4), "_ZN3one3twoEi");
	setup__exit(&s);
	elf_builder__exit(&e);
	free(path);
}

TEST_WITH_THREADS(symbols_load_in_parallel_gives_the_same)
{
	enum { N = 20 };
	struct setup s;
	u32 ids[N];
	char name[32];

	setup__init(&s);
	for (unsigned i = 0; i < N; i++) {
		struct elf_builder e = { .is64 = true };

		snprintf(name, sizeof(name), "function_%u", i);
		elf_builder__symbol(&e, name, STB_GLOBAL, STT_FUNC, 0, 16);
		snprintf(name, sizeof(name), "prog_%u", i);
		char *path = elf_builder__write(&e, name);

		ids[i] = dsos__get(&s.dsos, path, i % 5 ? DSO_USER : DSO_UNKNOWN, -1, NULL, 0);
		elf_builder__exit(&e);
		free(path);
	}
	s.symbols = session_symbols__new(&s.dsos, &s.config);
	session_symbols__load(s.symbols, ids, N, 4);
	for (unsigned i = 0; i < N; i++) {
		snprintf(name, sizeof(name), "function_%u", i);
		CHECK_STR(name_of(&s, ids[i], ELF_TEXT_OFFSET), i % 5 ? name : "");
	}
	setup__exit(&s);
}

/* A file that is gone shows what is still known of it, and what is not. */
TEST(symbols_are_forgotten_but_for_what_is_used)
{
	const u8 used[2] = { 1, 0 };
	struct setup s;
	char *paths[2];
	u32 ids[2];

	setup__init(&s);
	for (unsigned i = 0; i < 2; i++) {
		struct elf_builder e = { .is64 = true };

		elf_builder__symbol(&e, i ? "other" : "kept", STB_GLOBAL, STT_FUNC, 0, 16);
		paths[i] = elf_builder__write(&e, i ? "other.so" : "kept.so");
		ids[i] = dsos__get(&s.dsos, paths[i], DSO_USER, -1, NULL, 0);
		elf_builder__exit(&e);
	}
	CHECK_STR(name_of(&s, ids[0], ELF_TEXT_OFFSET), "kept");
	CHECK_STR(name_of(&s, ids[1], ELF_TEXT_OFFSET), "other");
	session_symbols__forget(s.symbols, used);
	CHECK_STR(name_of(&s, ids[1], ELF_TEXT_OFFSET), "other"); /* read again */
	CHECK_EQ(unlink(paths[0]), 0);
	CHECK_EQ(unlink(paths[1]), 0);
	session_symbols__forget(s.symbols, used);
	CHECK_STR(name_of(&s, ids[0], ELF_TEXT_OFFSET), "kept");
	CHECK_STR(name_of(&s, ids[1], ELF_TEXT_OFFSET), "");
	setup__exit(&s);
	free(paths[0]);
	free(paths[1]);
}

TEST(symbols_kernel_from_a_given_list_is_moved)
{
	static const char list[] = "ffffffff81000000 T _text\nffffffff81000100 t work\n"
	                           "ffffffffc0000000 t modfn\t[mod]\n";
	struct setup s;
	char *path = write_test_file("kallsyms", list, strlen(list));
	u64 wanted[] = { BASE + 0x5000110, BASE + 0x5000000 };

	setup__init(&s);
	u32 kernel = add_kernel(&s, BASE + 0x5000000, NULL);

	s.config.kallsyms = path;
	s.symbols = session_symbols__new(&s.dsos, &s.config);
	session_symbols__want(s.symbols, kernel, wanted, 2);
	CHECK_STR(name_of(&s, kernel, BASE + 0x5000110), "work");
	CHECK_STR(name_of(&s, kernel, BASE + 0x5000000), "_text");
	setup__exit(&s);

	setup__init(&s); /* where it was recorded in place, modules have names too */
	s.config.kallsyms = path;
	kernel = add_kernel(&s, BASE, NULL);
	u32 mod = dsos__get(&s.dsos, "/lib/modules/6.1/mod.ko", DSO_MODULE, -1, NULL, 0);

	CHECK_STR(name_of(&s, mod, 0xffffffffc0000010ull), "modfn");
	CHECK_STR(name_of(&s, kernel, BASE + 0x110), "work");
	setup__exit(&s);
	free(path);
}

TEST(symbols_of_the_kernel_are_demangled_when_asked_for)
{
	static const char list[] = "ffffffff81000000 T _text\n"
	                           "ffffffff81000100 t _ZN6kernel5print4workE\n";
	char *path = write_test_file("kallsyms", list, strlen(list));

	for (unsigned i = 0; i < 2; i++) {
		struct setup s;

		setup__init(&s);
		u32 kernel = add_kernel(&s, BASE, NULL);
		const char *want = "_ZN6kernel5print4workE";

#ifdef HAVE_DEMANGLE
		if (i)
			want = "kernel::print::work";
#endif
		s.config.kallsyms = path;
		s.config.demangle_kernel = i;
		CHECK_STR(name_of(&s, kernel, BASE + 0x110), want);
		setup__exit(&s);
	}
	free(path);
}
TEST(symbols_of_another_kernel_stay_numbers)
{
	static const u8 other[20] = { 1, 2, 3 };
	struct error error = ERROR_INIT;
	struct setup s;
	u64 here = kallsyms__find("/proc/kallsyms", "_text");

	setup__init(&s);
	u32 kernel = add_kernel(&s, here ? here : BASE, other);

	CHECK_STR(name_of(&s, kernel, here ? here : BASE), "");
	session_symbols__problems(s.symbols, collect, &error);
	CHECK_EQ(error.code, -ESTALE);
	CHECK(strstr(error.advice, "--kallsyms"));
	setup__exit(&s);

	error = (struct error)ERROR_INIT;
	setup__init(&s); /* the caller knows that it is another machine */
	kernel = add_kernel(&s, here ? here : BASE, NULL);
	s.config.no_live_kernel = true;
	CHECK_STR(name_of(&s, kernel, here ? here : BASE), "");
	session_symbols__problems(s.symbols, collect, &error);
	CHECK_EQ(error.code, -ESTALE);
	setup__exit(&s);
}

TEST(symbols_of_the_running_kernel)
{
	struct setup s;
	struct build_id id;
	u64 here = kallsyms__find("/proc/kallsyms", "_text");

	if (!here || build_id__of_kernel(&id) || id.size != 20) {
		unit__skip("the kernel hides its addresses or its build-id from this user");
		return;
	}
	setup__init(&s);
	u32 kernel = add_kernel(&s, here, id.data);
	u64 wanted = here + 0x100000;

	s.symbols = session_symbols__new(&s.dsos, &s.config);
	session_symbols__want(s.symbols, kernel, &wanted, 1);
	char *name = xstrdup(name_of(&s, kernel, wanted));

	CHECK(*name);
	CHECK(kallsyms__find("/proc/kallsyms", name) <= wanted);
	CHECK(kallsyms__find("/proc/kallsyms", name) > here);
	setup__exit(&s);

	/* Booted elsewhere, or on another machine with the same kernel: the build-id proves it. */
	setup__init(&s);
	kernel = add_kernel(&s, here + 0x3000000, id.data);
	s.config.no_live_kernel = true;
	CHECK_STR(name_of(&s, kernel, wanted + 0x3000000), name);
	setup__exit(&s);
	free(name);
}

TEST(symbols_of_kernel_from_the_cache)
{
	static const u8 other[20] = { 0xee, 0xff };
	static const char list[] = "ffffffff81000000 T _text\nffffffff81000100 t cached_name\n";
	struct setup s;
	char *cache = xasprintf("%s/cache", unit__tmpdir());

	free(write_test_file("cache/.build-id/ee/ff"
	                     "000000000000000000000000000000000000"
	                     "/kallsyms",
	                     list, strlen(list)));
	setup__init(&s);
	u32 kernel = add_kernel(&s, BASE + 0x1000000, other);

	s.config.cache_dir = cache;
	s.config.no_live_kernel = true; /* another machine's file, with its cache at hand */
	CHECK_STR(name_of(&s, kernel, BASE + 0x1000110), "cached_name");
	setup__exit(&s);
	free(cache);
}

TEST(symbols_of_kernel_from_a_vmlinux_are_moved)
{
	struct elf_builder e = { .is64 = true };
	struct setup s;

	elf_builder__symbol(&e, "_text", STB_GLOBAL, STT_NOTYPE, 0, 0);
	elf_builder__symbol(&e, "sized", STB_GLOBAL, STT_FUNC, 0x100, 0x20);
	char *path = elf_builder__write(&e, "vmlinux");

	setup__init(&s);
	u32 kernel = add_kernel(&s, BASE + 0x1000000, NULL);

	s.config.vmlinux = path;
	CHECK_STR(name_of(&s, kernel, BASE + 0x1000110), "sized");
	CHECK_STR(name_of(&s, kernel, BASE + 0x1000120), "");
	CHECK_STR(name_of(&s, kernel, BASE + 0x1000010), "_text");
	CHECK_EQ(session_symbols__table(s.symbols, kernel)->source, SYMTAB_VMLINUX);
	setup__exit(&s);

	static const u8 other[20] = { 5, 6, 7 }; /* of another build than the recorded kernel */

	e.build_id_size = 20;
	free(path);
	path = elf_builder__write(&e, "vmlinux");
	setup__init(&s);
	kernel = add_kernel(&s, BASE, other);
	s.config.vmlinux = path;
	CHECK_STR(name_of(&s, kernel, BASE + 0x110), "");
	setup__exit(&s);
	elf_builder__exit(&e);
	free(path);
}

TEST(symbols_of_a_module_from_its_file)
{
	static const u8 id[20] = { 9, 9 };
	struct elf_builder e = { .is64 = true, .type = ET_REL, .build_id_size = 20 };
	struct setup s;

	memcpy(e.build_id, id, 20);
	/* values of a relocatable file count from the begin of the section */
	elf_builder__symbol(&e, "mod_work", STB_LOCAL, STT_FUNC, 0x40 - (u64)ELF_TEXT_VADDR, 0x20);
	char *path = elf_builder__write(&e, "mod.ko");

	setup__init(&s);
	add_kernel(&s, BASE, NULL);
	u32 mod = dsos__get(&s.dsos, path, DSO_MODULE, -1, id, 20);

	s.config.no_live_kernel = true;
	s.dsos.dsos[mod].text_start = 0xffffffffc0200000ull;
	s.dsos.dsos[mod].text_end = 0xffffffffc0203000ull;
	CHECK_STR(name_of(&s, mod, 0xffffffffc0200050ull), "mod_work");
	CHECK_STR(name_of(&s, mod, 0xffffffffc0200060ull), "");
	setup__exit(&s);
	elf_builder__exit(&e);
	free(path);
}

/* Bytes of @data packed as xz's (@zstd: as zstd's) files, or 0: without that library. */
static size_t pack(bool zstd, const void *data, size_t len, u8 *to, size_t size)
{
	size_t packed = 0;

	(void)zstd, (void)data, (void)len, (void)to, (void)size;
#ifdef HAVE_ZSTD
	if (zstd) {
		packed = ZSTD_compress(to, size, data, len, 3);
		CHECK(!ZSTD_isError(packed));
	}
#endif
#ifdef HAVE_LZMA
	if (!zstd)
		CHECK_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, data, len, to, &packed,
		                                 size),
		         LZMA_OK);
#endif
	return packed;
}

/* As distributions install modules. Damaged they have no names, or these. */
TEST(symbols_of_a_packed_module)
{
	static const u8 id[20] = { 9, 9 };
	const u64 start = 0xffffffffc0200000ull;
	struct elf_builder e = { .is64 = true, .type = ET_REL, .build_id_size = 20 };
	u8 *packed = xmalloc(1 << 16);

	memcpy(e.build_id, id, 20);
	elf_builder__symbol(&e, "mod_work", STB_LOCAL, STT_FUNC, 0x40 - (u64)ELF_TEXT_VADDR, 0x20);
	elf_builder__build(&e);
	for (u32 zstd = 0; zstd < 2; zstd++) {
		size_t len = pack(zstd, e.image.data, e.image.len, packed, 1 << 16);

		for (size_t at = 0; at <= len && len; at = at ? at + len / 8 : 1) {
			struct setup s;

			if (at > 1)
				packed[at - 1] ^= 0x55;
			char *path =
			        write_test_file(zstd ? "mod.ko.zst" : "mod.ko.xz", packed, len);

			setup__init(&s);
			add_kernel(&s, BASE, NULL);
			u32 mod = dsos__get(&s.dsos, path, DSO_MODULE, -1, id, 20);

			s.config.no_live_kernel = true;
			s.dsos.dsos[mod].text_start = start;
			s.dsos.dsos[mod].text_end = start + 0x3000;
			const char *name = name_of(&s, mod, start + 0x50);

			CHECK(!strcmp(name, "mod_work") || (at > 1 && !*name));
			setup__exit(&s);
			free(path);
		}
	}
	elf_builder__exit(&e);
	free(packed);
}

#ifdef HAVE_LIBDW
/* Below the test's folder: a module with its build-id, of one function. */
static bool make_module(void)
{
	static const char source[] =
	        "__asm__(\".section .note.gnu.build-id,\\\"a\\\",%note\\n\"\n"
	        "\".long 4, 20, 3\\n.asciz \\\"GNU\\\"\\n.long 0x909, 0, 0, 0, 0\\n.text\");\n"
	        "int mod_work(int x) { return x * 3; } /* line 3 */\n";
	char *command = xasprintf("cd %s && cc -O2 -g -c -o lib/mod.ko mod.c 2>/dev/null && "
	                          "cp lib/mod.ko usr/lib/debug/lib/",
	                          unit__tmpdir());

	free(write_test_file("mod.c", source, sizeof(source) - 1));
	free(write_test_file("lib/mod.ko", "", 0));
	free(write_test_file("usr/lib/debug/lib/mod.ko", "", 0));
	bool made = !system(command);

	free(command);
	return made;
}

static bool pack_file(const char *from, const char *to)
{
	char *path = xasprintf("%s/%s", unit__tmpdir(), from);
	u8 *packed = xmalloc(1 << 20);
	size_t len = 0;
	char *data = file__read_all(path, 1 << 20, &len);

	CHECK(data);
	len = pack(false, data, len, packed, 1 << 20);
	if (len)
		free(write_test_file(to, packed, len));
	free(packed);
	free(data);
	free(path);
	return len;
}

/* The line that is known of the module's @addr; 0: none. */
static u32 line_of(struct setup *s, const char *path, const u8 *id, u64 start, u64 addr)
{
	struct source_frame frame;
	u64 vaddr;

	add_kernel(s, BASE, NULL);
	u32 mod = dsos__get(&s->dsos, path, DSO_MODULE, -1, id, id ? 20 : 0);

	s->config.symfs = unit__tmpdir();
	s->config.no_live_kernel = true;
	s->dsos.dsos[mod].text_start = start;
	s->dsos.dsos[mod].text_end = start + 0x3000;
	CHECK_STR(name_of(s, mod, addr), "mod_work");
	session_symbols__find(s->symbols, mod, addr, &vaddr);
	struct debug_info *source = session_symbols__source(s->symbols, mod);

	return debug_info__frames(source, vaddr, &frame, 1) ? frame.line : 0;
}

TEST(symbols_of_a_module_have_lines)
{
	static const u8 id[20] = { 9, 9 };
	static const char list[] = "ffffffff81000000 T _text\nffffffffc0200000 t mod_work\t[mod]\n";
	const u64 start = 0xffffffffc0200000ull;
	char *names = write_test_file("list", list, sizeof(list) - 1);
	struct setup s;

	if (!make_module()) {
		unit__skip("no compiler");
		free(names);
		return;
	}
	setup__init(&s); /* named by the file itself */
	CHECK_EQ(line_of(&s, "/lib/mod.ko", id, start, start + 1), 3);
	setup__exit(&s);
	if (pack_file("lib/mod.ko", "lib/mod.ko.xz")) {
		setup__init(&s);
		CHECK_EQ(line_of(&s, "/lib/mod.ko.xz", id, start, start + 1), 3);
		setup__exit(&s);
	}
	setup__init(&s); /* by a list */
	s.config.kallsyms = names;
	CHECK_EQ(line_of(&s, "/lib/mod.ko", id, start, start + 1), 3);
	setup__exit(&s);
	setup__init(&s); /* recorded by Linux's perf, which notes no build-id of most modules */
	CHECK_EQ(line_of(&s, "/lib/mod.ko", NULL, start, start + 1), 3);
	setup__exit(&s);
	/* A debug file where Debian has it; then one of another build. */
	char *strip = xasprintf("cd %s && strip -g lib/mod.ko", unit__tmpdir());
	char *other =
	        xasprintf("cd %s/usr/lib/debug/lib && sed -i 's/\\x09\\x09\\x00/\\x09\\x08\\x00/' "
	                  "mod.ko",
	                  unit__tmpdir());

	CHECK(!system(strip));
	setup__init(&s);
	CHECK_EQ(line_of(&s, "/lib/mod.ko", id, start, start + 1), 3);
	setup__exit(&s);
	CHECK(!system(other));
	setup__init(&s);
	CHECK_EQ(line_of(&s, "/lib/mod.ko", id, start, start + 1), 0);
	setup__exit(&s);
	free(strip);
	free(other);
	free(names);
}
#endif

TEST(symbols_of_the_vdso)
{
	struct setup s;
	u64 vaddr;

	if (!getauxval(AT_SYSINFO_EHDR)) {
		unit__skip("there is no vdso");
		return;
	}
	setup__init(&s);
	u32 dso = dsos__get(&s.dsos, "[vdso]", DSO_VDSO, -1, NULL, 0);

	s.symbols = session_symbols__new(&s.dsos, &s.config);
	const struct symtab *vdso = session_symbols__table(s.symbols, dso);

	CHECK(vdso->nr > 0);
	for (u32 i = 0; i < vdso->nr; i++)
		CHECK_EQ(session_symbols__find(s.symbols, dso, vdso->symbols[i].start, &vaddr), i);
	setup__exit(&s);

	static const u8 other[20] = { 1 };

	setup__init(&s); /* of another kernel: not ours */
	dso = dsos__get(&s.dsos, "[vdso]", DSO_VDSO, -1, other, 20);
	CHECK_STR(name_of(&s, dso, 0x800), "");
	setup__exit(&s);
}

TEST(symbols_of_code_outside_of_files)
{
	struct setup s;
	static const char lines[] = "7f0000001000 20 jitted\n7f0000002000 20 _ZN3one3twoEi\n";
	char *map = write_test_file("perf-7.map", lines, strlen(lines));

	setup__init(&s);
	u32 bpf = dsos__get(&s.dsos, "bpf_prog_6deef7357e7b4530", DSO_BPF, -1, NULL, 0);
	u32 anon = dsos__get(&s.dsos, "//anon", DSO_ANON, NO_SUCH_PID, NULL, 0);
	u32 unknown = dsos__get(&s.dsos, "[unknown]", DSO_UNKNOWN, -1, NULL, 0);

	s.dsos.dsos[bpf].text_start = 0xffffffffc0100000ull;
	s.dsos.dsos[bpf].text_end = 0xffffffffc0100040ull;
	CHECK_STR(name_of(&s, bpf, 0xffffffffc0100010ull), "bpf_prog_6deef7357e7b4530");
	CHECK_STR(name_of(&s, bpf, 0xffffffffc0100040ull), "");
	CHECK_STR(name_of(&s, unknown, 0x1234), "");
	s.dsos.dsos[anon].name = strtab__add(&s.strings, map); /* not the one in /tmp */
	CHECK_STR(name_of(&s, anon, 0x7f0000001010ull), "jitted");
	CHECK_STR(name_of(&s, anon, 0x7f0000002010ull), "_ZN3one3twoEi"); /* for people already */
	setup__exit(&s);
	free(map);
}
