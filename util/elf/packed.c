// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/elf/packed.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LZMA
#include <dlfcn.h>
#include <lzma.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "util/lib/alloc.h"

static const u8 xz_magic[PACKED_MAGIC_SIZE] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
static const u8 zstd_magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

static bool begins_with(const u8 *data, size_t size, const u8 *magic, size_t len)
{
	return size >= len && !memcmp(data, magic, len);
}

bool packed__is(const u8 *data, size_t size)
{
	return begins_with(data, size, xz_magic, sizeof(xz_magic)) ||
	       begins_with(data, size, zstd_magic, sizeof(zstd_magic));
}

#ifdef HAVE_LZMA
/* Loaded when something of it is met: few systems have any, and each start would pay. */
struct lzma_library {
	lzma_ret (*stream_decoder)(lzma_stream *stream, uint64_t memory, uint32_t flags);
	lzma_ret (*code)(lzma_stream *stream, lzma_action action);
	void (*end)(lzma_stream *stream);
};

static bool lzma_library__open(struct lzma_library *library)
{
	void *handle = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL); /* stays: others may use it */

	if (!handle)
		return false;
	*(void **)&library->stream_decoder = dlsym(handle, "lzma_stream_decoder");
	*(void **)&library->code = dlsym(handle, "lzma_code");
	*(void **)&library->end = dlsym(handle, "lzma_end");
	return library->stream_decoder && library->code && library->end;
}

static u8 *unpack_xz(const u8 *packed, size_t size, size_t max, size_t *len)
{
	struct lzma_library library;
	lzma_stream stream = LZMA_STREAM_INIT;
	size_t cap = 4 * size + 4096;

	if (!lzma_library__open(&library))
		return NULL;
	u8 *data = xmalloc(cap);
	lzma_ret ret = library.stream_decoder(&stream, max, 0);

	stream.next_in = packed;
	stream.avail_in = size;
	*len = 0;
	while (ret == LZMA_OK) {
		if (*len == cap)
			array__reserve(&data, &cap, cap + 1, 1);
		stream.next_out = data + *len;
		stream.avail_out = cap - *len;
		ret = library.code(&stream, LZMA_FINISH);
		*len = cap - stream.avail_out;
		if (*len > max)
			ret = LZMA_MEM_ERROR;
	}
	library.end(&stream);
	if (ret == LZMA_STREAM_END)
		return data;
	free(data);
	return NULL;
}
#endif

#ifdef HAVE_ZSTD
static u8 *unpack_zstd(const u8 *packed, size_t size, size_t max, size_t *len)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	ZSTD_inBuffer in = { packed, size, 0 };
	ZSTD_outBuffer out = { 0 };
	size_t ret = 1, cap = 4 * size + 4096, before;

	if (!context)
		return NULL;
	out.dst = xmalloc(cap);
	do {
		if (out.pos == cap)
			array__reserve((u8 **)&out.dst, &cap, cap + 1, 1);
		out.size = cap;
		before = in.pos + out.pos;
		ret = ZSTD_decompressStream(context, &out, &in);
	} while (ret && !ZSTD_isError(ret) && out.pos <= max && in.pos + out.pos > before);
	ZSTD_freeDCtx(context);
	*len = out.pos;
	if (!ret && out.pos <= max)
		return out.dst;
	free(out.dst);
	return NULL;
}
#endif

u8 *packed__unpack(const u8 *data, size_t size, size_t max, size_t *len)
{
#ifdef HAVE_LZMA
	if (begins_with(data, size, xz_magic, sizeof(xz_magic)))
		return unpack_xz(data, size, max, len);
#endif
#ifdef HAVE_ZSTD
	if (begins_with(data, size, zstd_magic, sizeof(zstd_magic)))
		return unpack_zstd(data, size, max, len);
#endif
	(void)data;
	(void)size;
	(void)max;
	(void)len;
	return NULL;
}
