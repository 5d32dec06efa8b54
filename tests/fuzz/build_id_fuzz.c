// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ELF notes as the kernel and its modules show them; byte 0 is the byte order. The rest is a
 * build-id in hex and the name of a module, too.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "util/elf/build_id.h"

/* What is taken is what was given; names of modules lead to none but the kernel's own notes. */
static void read_text(const char *text)
{
	char hex[BUILD_ID_HEX_SIZE];
	struct build_id id;

	if (build_id__parse(text, strlen(text), &id))
		FUZZ_CHECK(!strcasecmp(build_id__hex(&id, hex), text));
	else
		FUZZ_CHECK(!id.size);
	if (!build_id__of_module(text, &id))
		FUZZ_CHECK(id.size && !strchr(text, '/'));
	else
		FUZZ_CHECK(!id.size);
	build_id__of_kernel(&id);
	FUZZ_CHECK(id.size <= sizeof(id.data));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct build_id id;
	char hex[BUILD_ID_HEX_SIZE];

	if (!size)
		return 0;
	int ret = build_id__of_notes(data + 1, size - 1, data[0] & 1, &id);

	FUZZ_CHECK((ret == 0) == (id.size > 0) && id.size <= sizeof(id.data));
	FUZZ_CHECK(strlen(build_id__hex(&id, hex)) == 2u * id.size);
	char *text = fuzz__text(data + 1, size - 1);

	read_text(text);
	free(text);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char *const texts[] = { " 00ffAbcd", " 0g", " abc", " ext4", " a/b" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		add(texts[i], strlen(texts[i]));
	for (u8 swap = 0; swap < 2; swap++) {
		struct builder b = { .swap = swap };

		builder__u8(&b, swap);
		for (u32 type = 1; type < 4; type++) {
			builder__u32(&b, 4);
			builder__u32(&b, 20);
			builder__u32(&b, type);
			builder__bytes(&b, "GNU", 4);
			builder__zero(&b, 20);
		}
		add(b.data, b.len);
		builder__exit(&b);
	}
}
