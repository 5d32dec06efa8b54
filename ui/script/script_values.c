// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields of a sample other than its address: the data source, weights, registers, pages, the
 * cgroup. */
#include <ctype.h>

#include "ui/dump/record_text.h"
#include "ui/script/script_private.h"
#include "util/event/registers.h"
#include "util/format/data_src.h"
#include "util/format/sample.h"

#define WIDTH     16
#define BPF_WIDTH 17

/* The number and the text, which are as wide as the widest so far. */
static void print_data_source(struct script *script, u64 source)
{
	struct out text = { .fd = -1 };
	u32 width;

	data_src__print(&text, source);
	width = text.len;
	out__hex(script->out, source, WIDTH);
	out__char(script->out, ' ');
	out__str(script->out, out__take(&text));
	script->source_width = max_u64(script->source_width, width);
	out__fill(script->out, ' ', script->source_width - width);
	out__exit(&text);
}

/* Of WEIGHT_STRUCT the first number is the weight, the others are latencies. */
void script_values__before_ip(struct script *script, const struct script_event *event,
                              const struct sample *sample)
{
	if (event->print & FIELD_DATA_SRC)
		print_data_source(script, sample->data_src);
	if (event->print & FIELD_WEIGHT)
		out__dec(script->out, sample__weight(sample), WIDTH);
	if (event->print & FIELD_INS_LAT)
		out__dec(script->out, sample->weight >> 32 & 0xffff, WIDTH);
	if (event->print & FIELD_RETIRE_LAT)
		out__dec(script->out, sample->weight >> 48, WIDTH);
}

/* " ABI:2    AX:0x1    BX:0x2 " */
static void print_registers(struct script *script, u64 abi, u64 mask, const struct u64_span *values)
{
	struct out *out = script->out;
	char name[16];

	if (!abi)
		return;
	out__str(out, " ABI:");
	out__dec(out, abi, 0);
	out__char(out, ' ');
	for (u64 i = 0, bit = 0; i < values->nr && bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		out__right(out, register__name(script->arch, bit, name, sizeof(name)), 5);
		out__str(out, ":0x");
		out__hex(out, u64_span__get(values, i++, script->swap), 0);
		out__char(out, ' ');
	}
}

static void print_page_size(struct out *out, u64 size)
{
	out__char(out, ' ');
	record_text__page_size(out, size);
}

static void print_cgroup(struct script *script, u64 id)
{
	u32 path = u64map__get(&script->cgroups, id);

	out__char(script->out, ' ');
	if (path != ID_NONE)
		out__name(script->out, strtab__get(&script->cgroup_paths, path));
	else
		out__printf(script->out, "cgroup:%llu", (unsigned long long)id);
}

/* Eight bytes to a line, in hex and as characters. */
static void print_bytes(struct out *out, const u8 *data, u32 size)
{
	for (u32 at = 0; at < size; at += 8) {
		u32 nr = min_u64(size - at, 8);

		out__right(out, at ? "" : "BPF output:", BPF_WIDTH);
		out__char(out, ' ');
		out__hex0(out, at, 4);
		out__str(out, ": ");
		for (u32 i = at; i < at + nr; i++) {
			out__hex0(out, data[i], 2);
			out__char(out, ' ');
		}
		out__fill(out, ' ', 3 * (8 - nr) + 1);
		for (u32 i = at; i < at + nr; i++)
			out__char(out, data[i] >= ' ' && data[i] < 127 ? data[i] : '.');
		out__fill(out, ' ', 8 - nr);
		out__char(out, '\n');
	}
}

/* Of printable characters, and behind them at least one NUL and nothing else. */
static bool is_text(const u8 *data, u32 size)
{
	u32 len = 0, nulls;

	while (len < size && isprint(data[len]))
		len++;
	for (nulls = len; nulls < size && !data[nulls];)
		nulls++;
	return len < size && nulls == size;
}

static void print_bpf_output(struct out *out, const u8 *data, u32 size)
{
	out__char(out, '\n');
	print_bytes(out, data, size);
	if (!is_text(data, size))
		return;
	out__right(out, "BPF string:", BPF_WIDTH);
	out__str(out, " \"");
	out__name(out, (const char *)data);
	out__str(out, "\"\n");
}

void script_values__behind_ip(struct script *script, const struct script_event *event,
                              const struct stream_sample *s)
{
	const struct sample_layout *layout = event->layout;
	const struct sample *sample = s->sample;
	struct out *out = script->out;
	u64 print = event->print;

	if (print & FIELD_IREGS)
		print_registers(script, sample->intr_abi, layout->regs_intr, &sample->intr_regs);
	if (print & FIELD_UREGS)
		print_registers(script, sample->user_abi, layout->regs_user, &sample->user_regs);
	if (print & SCRIPT_BRANCH_FIELDS)
		script_branches__print(script, print, s);
	if (print & FIELD_BPF_OUTPUT)
		print_bpf_output(out, sample->raw, sample->raw_size);
	if (print & SCRIPT_CODE_FIELDS)
		script_code__insn(script, print, s);
	if (print & SCRIPT_BLOCK_FIELDS)
		script_blocks__print(script, print, s);
	if (print & FIELD_PHYS_ADDR)
		out__hex(out, sample->phys_addr, WIDTH);
	if (print & FIELD_DATA_PAGE_SIZE)
		print_page_size(out, sample->data_page_size);
	if (print & FIELD_CODE_PAGE_SIZE)
		print_page_size(out, sample->code_page_size);
	if (print & FIELD_CGROUP)
		print_cgroup(script, sample->cgroup);
}

void script_values__learn_cgroup(struct script *script, const struct record *record)
{
	struct cursor c = cursor__make(record->data + RECORD_HEADER_SIZE,
	                               record->size - RECORD_HEADER_SIZE, script->swap);
	u64 id = cursor__u64(&c);
	const char *path = cursor__str(&c, cursor__left(&c));

	if (!c.failed)
		*u64map__at(&script->cgroups, id) = strtab__add(&script->cgroup_paths, path);
}
