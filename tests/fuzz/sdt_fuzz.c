// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Static probe points: an ELF file with notes, what is written of them, and that read again; and
 * the bytes as they are as a file "probes".
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/elf_builder.h"
#include "util/lib/alloc.h"
#include "util/probe/probe_cache.h"
#include "util/sdt/sdt.h"

static void count(void *ctx, const struct sdt_event *event)
{
	u32 *nr = ctx;
	u64 offset, semaphore;
	char *path = sdt_location__parse(event->location, &offset, &semaphore);

	FUZZ_CHECK(!path || (*path && !strncmp(path, event->location, strlen(path))));
	free(path);
	++*nr;
	FUZZ_CHECK(!strncmp(event->name, "sdt_", 4) && strchr(event->name, ':'));
	FUZZ_CHECK(!strchr(event->name, '\n') && !strchr(event->location, '\n'));
}

static bool find(void *ctx, const struct sdt_probe *probe, const char *name, u64 *place)
{
	(void)ctx;
	*place = probe->offset + *name;
	return *name & 1;
}

static void write_and_read(const struct sdt_probes *probes)
{
	static const struct sdt_symbols symbols = { find, NULL };
	struct out out;
	u32 nr = 0;

	out__init(&out, -1);
	sdt_probes__write(probes, "/bin/x", &out);
	sdt_events__parse(out__take(&out), count, &nr);
	FUZZ_CHECK(!probes->nr == !nr && nr <= probes->nr);
	for (const char *c = out__take(&out); *c; c++)
		FUZZ_CHECK((u8)*c >= 0x20 || *c == '\n');
	for (u32 i = 0; i < probes->nr; i++) {
		sdt_probe__write_args(&probes->probes[i], EM_X86_64, &symbols, &out, &out);
		sdt_probe__write_args(&probes->probes[i], EM_AARCH64, &symbols, &out, &out);
	}
	out__exit(&out);
}

/* The other kind of entry in such a file. What was read is found again by its own name. */
static void parse_kept(const char *text)
{
	const char *const lines[] = { "p:g/e /x:0x1" };
	struct probe_cache cache = { .nr = 0 };

	probe_cache__parse(&cache, text);
	for (u32 i = 0; i < cache.nr; i++) {
		FUZZ_CHECK(*cache.entries[i].text && !strchr(cache.entries[i].text, '\n'));
		probe_cache_entry__is_called(&cache.entries[i], "*", "?*");
	}
	u32 before = cache.nr;

	probe_cache__put(&cache, "g:e=f", lines, 1);
	FUZZ_CHECK(cache.nr <= before + 1);
	FUZZ_CHECK(probe_cache_entry__is_called(&cache.entries[cache.nr - 1], "g", "e"));
	probe_cache__exit(&cache);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sdt_probes probes;
	struct elf_file elf;
	u32 nr = 0;
	char *text = xmalloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	sdt_events__parse(text, count, &nr);
	parse_kept(text);
	free(text);
	if (elf_file__open_memory(&elf, data, size))
		return 0;
	sdt_probes__read(&probes, &elf);
	elf_file__close(&elf);
	write_and_read(&probes);
	sdt_probes__exit(&probes);
	return 0;
}

static void add_elf(void (*add)(const void *data, size_t size), bool is64, bool swap)
{
	static const char x86[] = "prov\0name\0"
	                          "8@%rax -4@-20(%rbp) 4f@%xmm0 4@$5 x(%rip)";
	static const char arm64[] = "prov\0name\0"
	                            "8@x0 -4@[sp, 12] 4@[x29,-20] 2@w5 8@[x1] 4@[x2, x3] 1@sp x@[";
	static const char x86_more[] =
	        "prov\0name\0"
	        "1@%al -2@%r8w 4@%r15d 8@(%rsp) 1@%ah 4@-8(%rbx,%rcx,4) 8@%dil";
	static const struct {
		const char *texts;
		size_t size;
	} notes[] = { { x86, sizeof(x86) },
		      { arm64, sizeof(arm64) },
		      { x86_more, sizeof(x86_more) } };
	struct elf_builder e = { .is64 = is64, .swap = swap, .extra_name = ".note.stapsdt" };
	struct builder *b = &e.extra;

	b->swap = swap;
	for (u64 i = 0; i < 3; i++) {
		u64 numbers[] = { ELF_TEXT_VADDR + i, 0, i ? ELF_TEXT_VADDR : 0 };

		builder__u32(b, sizeof("stapsdt"));
		builder__u32(b, 3 * (is64 ? 8 : 4) + notes[i].size);
		builder__u32(b, 3);
		builder__bytes(b, "stapsdt", sizeof("stapsdt"));
		for (unsigned k = 0; k < 3; k++)
			is64 ? builder__u64(b, numbers[k]) : builder__u32(b, numbers[k]);
		builder__bytes(b, notes[i].texts, notes[i].size);
		builder__zero(b, -notes[i].size & 3);
	}
	elf_builder__build(&e);
	add(e.image.data, e.image.len);
	elf_builder__exit(&e);
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char text[] =
	        "%sdt_p:a=a\np:sdt_p/a /x:0x1120(0x8) arg1=%ax:u8\n%sdt_q:b=b\n\n";

	add(text, sizeof(text) - 1);
	for (unsigned i = 0; i < 4; i++)
		add_elf(add, i & 1, i & 2);
}
