// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a filter (dlfilter.h) sees of samples, and what it is told when it asks. Nothing is looked
 * up unless it asks.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "ui/script/dlfilter.h"
#include "ui/script/script_private.h"
#include "util/elf/build_id.h"
#include "util/format/sample.h"
#include "util/lib/alloc.h"

#define STDOUT_BUFFER    (1 << 20)
#define DATA_SRC_UNKNOWN 0x5080021 /* each part of it: not available */

_Static_assert(sizeof(struct perf_dlfilter_sample) == 208, "the layout of Linux's perf");
_Static_assert(offsetof(struct perf_dlfilter_sample, event) == 192, "the layout of Linux's perf");
_Static_assert(sizeof(struct perf_dlfilter_al) == 88, "the layout of Linux's perf");
_Static_assert(offsetof(struct perf_dlfilter_al, comm) == 72, "the layout of Linux's perf");
_Static_assert(sizeof(struct perf_dlfilter_fns) == 1024, "the layout of Linux's perf");

/* The words of a record, as the processor that runs the filter has them. */
struct words {
	u64 *words;
	size_t cap;
};

/* The build-id of a file, read when it is asked for. */
struct file_id {
	bool tried;
	struct build_id id;
};

struct script_dlfilter {
	struct script *script;
	struct dlfilter *filter;
	const struct stream_sample *s; /* the one that is judged; NULL: none */
	bool early, rejected;          /* before the other filters; these reject it */
	struct perf_dlfilter_sample sample;
	struct perf_dlfilter_al ip, addr;
	struct perf_event_attr attr;
	struct words branches, chain;
	u8 insn[INSN_BYTES_MAX];
	struct file_id *ids; /* by dso, of those that the recording has none of */
	u32 nr_ids;
	char **args;
	int nr_args;
	int failed; /* a negative errno, with ... */
	struct error error;
};

/* ---- what it may ask: @ctx is the script_dlfilter */

/* The recorded one, else that of the file. */
static void describe_build_id(struct script_dlfilter *self, struct perf_dlfilter_al *al, u32 dso)
{
	const struct dso *object = dsos__at(&self->script->session->dsos, dso);
	struct file_id *file = &self->ids[dso];

	al->buildid = (u8 *)object->build_id;
	al->buildid_size = object->build_id_size;
	if (al->buildid_size || object->kind != DSO_USER || dso >= self->nr_ids)
		return;
	if (!file->tried)
		build_id__of_file(al->dso, &file->id);
	file->tried = true;
	al->buildid = file->id.data;
	al->buildid_size = file->id.size;
}

/* The place of @ip; of variables where maps of data were recorded (-d). ID_NONE: no symbol. */
static u32 find_symbol(struct script_dlfilter *self, u8 cpumode, u64 ip, struct loc *loc,
                       u64 *vaddr)
{
	const struct machine *machine = self->script->session->host;
	struct session_symbols *symbols = self->script->symbols;
	const struct stream_sample *s = self->s;
	struct place place;
	struct map_hit hit;

	resolver__place(self->script->resolver, s->task, cpumode, ip, s->when, &place);
	*loc = place.loc;
	if (loc->dso != ID_NONE)
		return session_symbols__find_code(symbols, loc->dso, loc->addr, vaddr);
	if (!machine__find_data_map(machine, s->task->thread, ip, s->when, &hit))
		return ID_NONE;
	loc->dso = hit.dso;
	loc->addr -= map_hit__bias(&hit, dsos__at(&self->script->session->dsos, hit.dso));
	return session_symbols__find(symbols, loc->dso, loc->addr, vaddr);
}

/* An address, its object and symbol, in the terms of what a filter is told. */
static void describe(struct script_dlfilter *self, struct perf_dlfilter_al *al, u8 cpumode, u64 ip)
{
	struct script *script = self->script;
	struct loc loc;
	u64 vaddr;
	u32 id = find_symbol(self, cpumode, ip, &loc, &vaddr);

	*al = (struct perf_dlfilter_al){ .size = sizeof(*al), .addr = ip };
	al->is_kernel_ip = sample__mode_of_address(ip) == PERF_RECORD_MISC_KERNEL;
	if (loc.dso == ID_NONE)
		return;
	const struct dso *object = dsos__at(&script->session->dsos, loc.dso);

	al->addr = loc.addr;
	al->dso = strtab__get(&script->session->strings, object->name);
	al->is_64_bit = script_code__is64(script, loc.dso);
	describe_build_id(self, al, loc.dso);
	if (id == ID_NONE)
		return;
	const struct symbol *symbol = session_symbols__symbol(script->symbols, loc.dso, id);

	al->symoff = vaddr - symbol->start;
	al->sym_start = al->addr - al->symoff;
	al->sym_end = al->sym_start + (symbol->end - symbol->start);
	al->sym_binding = symbol->binding == 'g'   ? STB_GLOBAL
	                  : symbol->binding == 'w' ? STB_WEAK
	                                           : STB_LOCAL;
	al->sym = session_symbols__name(script->symbols, loc.dso, id);
}

static const struct perf_dlfilter_al *resolve_ip(void *ctx)
{
	struct script_dlfilter *self = ctx;

	if (!self->s || !self->s->task)
		return NULL;
	describe(self, &self->ip, self->s->sample->cpumode, self->s->sample->ip);
	self->ip.comm = strtab__get(&self->script->session->strings, self->s->task->comm);
	self->ip.filtered = self->early && self->rejected;
	return &self->ip;
}

static const struct perf_dlfilter_al *resolve_addr(void *ctx)
{
	struct script_dlfilter *self = ctx;

	if (!self->s || !self->s->task || !self->sample.addr_correlates_sym)
		return NULL;
	describe(self, &self->addr, self->s->sample->cpumode, self->s->sample->addr);
	return &self->addr;
}

static char **args(void *ctx, int *nr)
{
	struct script_dlfilter *self = ctx;

	if (nr)
		*nr = self->nr_args;
	return self->args;
}

static __s32 resolve_address(void *ctx, __u64 address, struct perf_dlfilter_al *al)
{
	struct script_dlfilter *self = ctx;
	struct perf_dlfilter_al found;

	if (!self->s || !self->s->task || !al || al->size < offsetof(struct perf_dlfilter_al, sym))
		return -1;
	u32 size = al->size;

	describe(self, &found, sample__mode_of_address(address), address);
	memcpy(al, &found, min_u64(size, sizeof(found)));
	al->size = size;
	return 0;
}

/* The code at @ip in the sample's address space; false: it is nowhere. */
static bool find_code(struct script_dlfilter *self, u8 cpumode, u64 ip, u32 *dso, u64 *vaddr)
{
	if (!self->s || !self->s->task)
		return false;
	script_code__symbol(self->script, self->s, cpumode, ip, dso, vaddr);
	return *dso != ID_NONE;
}

static const __u8 *insn(void *ctx, __u32 *length)
{
	struct script_dlfilter *self = ctx;
	const struct script_insn *at;
	u64 vaddr;
	u32 dso;

	if (!length || !self->s ||
	    !find_code(self, self->s->sample->cpumode, self->s->sample->ip, &dso, &vaddr))
		return NULL;
	at = script_code__insn_at(self->script, dso, vaddr);
	*length = at->insn.size;
	memcpy(self->insn, at->bytes, at->insn.size);
	return at->insn.size ? self->insn : NULL;
}

static const char *srcline(void *ctx, __u32 *line)
{
	struct script_dlfilter *self = ctx;
	struct source_frame frame;
	u64 vaddr;
	u32 dso;

	if (!line || !self->s ||
	    !find_code(self, self->s->sample->cpumode, self->s->sample->ip, &dso, &vaddr))
		return NULL;
	struct debug_info *info = session_symbols__source(self->script->symbols, dso);

	if (!debug_info__frames(info, vaddr, &frame, 1) || frame.file == ID_NONE)
		return NULL;
	*line = frame.line;
	return debug_info__text(info, frame.file);
}

static struct perf_event_attr *attr(void *ctx)
{
	struct script_dlfilter *self = ctx;

	if (!self->s)
		return NULL;
	self->attr = self->s->evsel->attr;
	return &self->attr;
}

static __s32 object_code(void *ctx, __u64 ip, void *buf, __u32 len)
{
	struct script_dlfilter *self = ctx;
	u64 vaddr;
	u32 dso, nr = 0;

	if (buf && find_code(self, sample__mode_of_address(ip), ip, &dso, &vaddr))
		nr = script_code__bytes(self->script, dso, vaddr, buf, len);
	return nr ? (s32)nr : -1;
}

static void al_cleanup(void *ctx, struct perf_dlfilter_al *al)
{
	(void)ctx; /* names are kept, and nothing else was taken */
	(void)al;
}

static const struct perf_dlfilter_fns functions = {
	.resolve_ip = resolve_ip,
	.resolve_addr = resolve_addr,
	.args = args,
	.resolve_address = resolve_address,
	.insn = insn,
	.srcline = srcline,
	.attr = attr,
	.object_code = object_code,
	.al_cleanup = al_cleanup,
};

/* ---- what it sees */

/* In records of other machines, and at odd addresses, words are no words of this machine. */
static const u64 *read_words(struct words *to, const struct u64_span *span, bool swap)
{
	array__reserve(&to->words, &to->cap, span->nr + 1, sizeof(*to->words));
	for (u64 i = 0; i < span->nr; i++)
		to->words[i] = u64_span__get(span, i, swap);
	return to->words;
}

static bool addr_is_code(const struct perf_event_attr *event)
{
	if (event->type == PERF_TYPE_SOFTWARE)
		return event->config == PERF_COUNT_SW_PAGE_FAULTS ||
		       event->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		       event->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return event->type == PERF_TYPE_HARDWARE && event->sample_period == 1 &&
	       event->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
}

static void show(struct script_dlfilter *self, const struct stream_sample *s)
{
	const struct sample *from = s->sample;
	const struct u64_span *chain = s->unwound ? &s->recorded : &from->chain;
	bool swap = self->script->swap;

	self->s = s;
	self->sample = (struct perf_dlfilter_sample){
		.size = sizeof(self->sample),
		.ip = from->ip,
		.pid = (s32)from->pid,
		.tid = (s32)from->tid,
		.time = from->time,
		.addr = from->addr,
		.id = from->id,
		.stream_id = from->stream_id,
		.period = from->period,
		.weight = sample__weight(from),
		.transaction = from->transaction,
		.cpu = (s32)from->cpu,
		.data_src = s->layout->sample_type & PERF_SAMPLE_DATA_SRC ? from->data_src
		                                                          : DATA_SRC_UNKNOWN,
		.phys_addr = from->phys_addr,
		.data_page_size = from->data_page_size,
		.code_page_size = from->code_page_size,
		.cgroup = from->cgroup,
		.cpumode = from->cpumode,
		.addr_correlates_sym = addr_is_code(&s->evsel->attr),
		.misc = from->misc,
		.raw_size = from->raw_size,
		.raw_data = from->raw,
		.brstack_nr = from->branches.nr / 3,
		.raw_callchain_nr = chain->nr,
		.event = s->evsel->name,
		.vcpu = -1,
	};
	if (s->layout->sample_type & PERF_SAMPLE_WEIGHT_STRUCT) {
		self->sample.ins_lat = (u16)(from->weight >> 32);
		self->sample.p_stage_cyc = (u16)(from->weight >> 48);
	}
	if (from->branches.nr)
		self->sample.brstack = (const struct perf_branch_entry *)read_words(
		        &self->branches, &from->branches, swap);
	if (chain->nr)
		self->sample.raw_callchain = (const __u64 *)read_words(&self->chain, chain, swap);
}

/* What it printed comes behind what we have printed so far. */
static void keep_order(struct script_dlfilter *self)
{
	if (!__fpending(stdout))
		return;
	out__flush(self->script->out);
	fflush(stdout);
}

static bool judge(struct script_dlfilter *self, int ret)
{
	self->s = NULL;
	keep_order(self);
	if (ret < 0)
		self->failed = ret;
	return !ret;
}

bool script_dlfilter__early(struct script_dlfilter *self, const struct stream_sample *s,
                            bool rejected)
{
	show(self, s);
	self->early = true;
	self->rejected = rejected;
	return judge(self, dlfilter__early(self->filter, &self->sample, self, &self->error));
}

bool script_dlfilter__event(struct script_dlfilter *self, const struct stream_sample *s)
{
	show(self, s);
	self->early = false;
	return judge(self, dlfilter__event(self->filter, &self->sample, self, &self->error));
}

bool script_dlfilter__is_early(const struct script_dlfilter *self)
{
	return dlfilter__is_early(self->filter);
}

bool script_dlfilter__failed(const struct script_dlfilter *self)
{
	return self->failed;
}

/* ---- from first to last */

struct script_dlfilter *script_dlfilter__new(struct script *script, struct error *err)
{
	const struct script_options *options = script->options;
	struct script_dlfilter *self = xcalloc(1, sizeof(*self));

	self->script = script;
	self->args = options->dlargs;
	self->nr_args = (int)options->nr_dlargs;
	self->nr_ids = script->session->dsos.nr;
	self->ids = xcalloc(self->nr_ids + 1, sizeof(*self->ids));
	self->filter = dlfilter__open(options->dlfilter, &functions, err);
	if (!self->filter) {
		script_dlfilter__delete(self);
		return NULL;
	}
	setvbuf(stdout, NULL, _IOFBF, STDOUT_BUFFER); /* for keep_order(), also on a terminal */
	int ret = dlfilter__start(self->filter, self, err);

	keep_order(self);
	if (!ret)
		return self;
	script_dlfilter__delete(self);
	return NULL;
}

int script_dlfilter__end(struct script_dlfilter *self, struct error *err)
{
	int ret = 0;

	if (!self->failed) {
		ret = dlfilter__stop(self->filter, self, err);
		keep_order(self);
		return ret;
	}
	if (err)
		*err = self->error;
	return self->failed;
}

void script_dlfilter__delete(struct script_dlfilter *self)
{
	struct error ignored = ERROR_INIT; /* there is another one already */

	if (!self)
		return;
	if (self->filter)
		dlfilter__stop(self->filter, self, &ignored);
	dlfilter__close(self->filter);
	free(self->ids);
	free(self->branches.words);
	free(self->chain.words);
	free(self);
}
