// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's description of its types: whatever it says, looking things up in it ends. */
#include "util/bpf_filter/btf.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/bpf_filter/program.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *const paths[] = { "ip", "in.tid", "tid", "next.ip", "in.", "" };
	struct btf_member member;
	struct filter_layout layout;
	struct error err = ERROR_INIT;
	struct btf btf;
	u32 nr_params = 0;

	if (btf__read(&btf, fuzz__file(data, size), &err)) {
		FUZZ_CHECK(err.code && *err.cause);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (!btf__find_member(&btf, "s", paths[i], &member))
			fuzz__touch(&member, sizeof(member));
	FUZZ_CHECK(btf__find_function(&btf, "f", &nr_params) < btf.nr);
	if (filter_layout__find(&layout, &btf, &err))
		FUZZ_CHECK(err.code && *err.cause);
	btf__exit(&btf);
	return 0;
}

#define INFO(kind, nr) ((u32)(kind) << 24 | (nr))

/* A type of each kind, behind the header; names are those of `strings`. */
void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	static const char strings[] = "\0s\0ip\0in\0tid\0next\0f"; /* 1 3 6 9 13 18 */
	static const u32 types[] = {
		0,           INFO(1, 0),
		8,           64, /* 1: an int */
		0,           INFO(4, 1),
		4,           9,
		1,           0, /* 2: struct { tid } */
		1,           INFO(4, 4) | 1u << 31,
		32,          3,
		1,           0,
		6,           4,
		64,          0,
		5,           128,
		13,          6,
		192, /* 3: s */
		0,           INFO(8, 0),
		2, /* 4: another name of 2 */
		0,           INFO(5, 1),
		8,           9,
		1,           0, /* 5: union { tid } */
		0,           INFO(2, 0),
		3, /* 6: pointer */
		0,           INFO(13, 2),
		1,           0,
		1,           0,
		1, /* 7: prototype */
		18,          INFO(12, 0),
		7, /* 8: f */
		0,           INFO(3, 0),
		0,           1,
		1,           4, /* array */
		0,           INFO(6, 1),
		4,           3,
		1, /* enum */
		0,           INFO(7, 0),
		0,           0,
		INFO(9, 0),  10,
		0,           INFO(10, 0),
		11,          0,
		INFO(11, 0), 1,
		0,           INFO(14, 0),
		1,           0, /* variable */
		0,           INFO(15, 1),
		8,           1,
		0,           8, /* section */
		0,           INFO(16, 0),
		8,           0,
		INFO(17, 0), 1,
		0, /* float, tag */
		0,           INFO(18, 0),
		1, /* tag of a type */
		0,           INFO(19, 1),
		8,           3,
		1,           0, /* enum of 64 bits */
	};
	u32 file[6 + ARRAY_SIZE(types) + sizeof(strings) / 4 + 1] = {
		0x0001eb9f, 24, 0, sizeof(types), sizeof(types), sizeof(strings)
	};

	memcpy(file + 6, types, sizeof(types));
	memcpy(file + 6 + ARRAY_SIZE(types), strings, sizeof(strings));
	add(file, 24 + sizeof(types) + sizeof(strings));
	file[1] = 8;
	add(file, 24);
}
