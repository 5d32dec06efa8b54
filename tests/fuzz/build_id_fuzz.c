// SPDX-License-Identifier: GPL-2.0-or-later
/* ELF notes as the kernel and its modules show them; byte 0 is the byte order. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/unit/builder.h"
#include "util/elf/build_id.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct build_id id;
	char hex[BUILD_ID_HEX_SIZE];

	if (!size)
		return 0;
	int ret = build_id__of_notes(data + 1, size - 1, data[0] & 1, &id);

	FUZZ_CHECK((ret == 0) == (id.size > 0) && id.size <= sizeof(id.data));
	FUZZ_CHECK(strlen(build_id__hex(&id, hex)) == 2u * id.size);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
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
