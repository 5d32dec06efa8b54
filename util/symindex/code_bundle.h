/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of the functions that were sampled, carried in the recording itself (record --bundle),
 * so that perf annotate shows them on machines without the programs. It stands in front of the
 * symbols (symbol_bundle.h), where readers that do not look for it never see it.
 *
 *	u64 magic "PERFCODE"
 *	for each function: struct code_bundle_entry, the object's name, the code; padded to 8 bytes
 *	u64 size of these, with the first magic; u32 their number, u32 version (1); u64 checksum of
 *   all that size and the 16 bytes behind it; u64 magic "PERFCEND"
 */
#ifndef PERF_UTIL_SYMINDEX_CODE_BUNDLE_H
#define PERF_UTIL_SYMINDEX_CODE_BUNDLE_H

#include "util/lib/error.h"
#include "util/lib/types.h"
#include "util/machine/dsos.h"

#define CODE_BUNDLE_MAX          (64u << 20) /* bytes */
#define CODE_BUNDLE_FUNCTION_MAX (1u << 20)  /* of longer ones this much is kept */
#define CODE_BUNDLE_MAGIC        0x45444f4346524550ull
#define CODE_BUNDLE_END_SIZE     32u

struct code_bundle_entry { /* as it is stored; in this machine's byte order */
	u64 start, size, key;
	u32 id_size;
	u8 id[20];
	u16 machine;
	u8 is64, big_endian;
	u32 name_size; /* without a final zero */
	char section[32];
};

/* A function that was found; the bytes belong to the bundle. */
struct code_bundle_function {
	struct code_bundle_entry entry;
	const char *name; /* of the object; entry.name_size bytes */
	const u8 *bytes;
};

struct code_bundle {
	u8 *bytes;
	struct code_bundle_function *functions;
	u32 nr;
};

/*
 * Read the one that ends at offset @end of the open file @fd. NULL: there is none, or it is
 * damaged, and then @err says so about @path.
 */
struct code_bundle *code_bundle__read(int fd, u64 end, const char *path, struct error *err);
void code_bundle__delete(struct code_bundle *bundle);

/* The bytes that the one which ends at @end has in all; 0: there is none. */
u64 code_bundle__size(int fd, u64 end);

/* The function of the object @dso, called @name, that has the code at @addr; or NULL. */
const struct code_bundle_function *code_bundle__find(const struct code_bundle *bundle,
                                                     const struct dso *dso, u64 key,
                                                     const char *name, u64 addr);

/* ---- making one, in memory */

struct out;

struct code_bundle_writer {
	struct out *out; /* a memory one, empty */
	u32 nr;
};

/* Functions beyond the limits are left out, or cut. */
void code_bundle__add(struct code_bundle_writer *writer, const struct code_bundle_entry *entry,
                      const char *name, const u8 *bytes);
void code_bundle__end(struct code_bundle_writer *writer);

#endif
