// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/trace_builder.h"

#include <string.h>

static void add_text(struct builder *b, const char *text)
{
	builder__u64(b, strlen(text));
	builder__bytes(b, text, strlen(text));
}

void trace_builder__write(struct builder *b, unsigned long_size, const struct built_format *formats,
                          unsigned nr)
{
	bool big = b->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	builder__bytes(b, "\027\010\104tracing0.6", 14);
	builder__u8(b, big);
	builder__u8(b, long_size);
	builder__u32(b, 4096);
	builder__bytes(b, "header_page", 12);
	builder__u64(b, 0);
	builder__bytes(b, "header_event", 13);
	builder__u64(b, 0);
	builder__u32(b, 0); /* formats of "ftrace" */
	builder__u32(b, nr);
	for (unsigned i = 0; i < nr; i++) {
		builder__bytes(b, formats[i].system, strlen(formats[i].system) + 1);
		builder__u32(b, 1);
		add_text(b, formats[i].text);
	}
	builder__u32(b, 0); /* kallsyms */
	builder__u32(b, 0); /* printk formats */
	builder__u64(b, 0); /* comms */
}
