// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/bpf_filter/filter_expression.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/lib/text.h"

#define WHAT "cannot use the filter"

struct word {
	const char *name;
	u64 number;
};

/* Bits and numbers of union perf_mem_data_src; those of levels are newer than some headers. */
static const struct word op_words[] = {
	{ "na", PERF_MEM_OP_NA },       { "load", PERF_MEM_OP_LOAD },
	{ "store", PERF_MEM_OP_STORE }, { "pfetch", PERF_MEM_OP_PFETCH },
	{ "exec", PERF_MEM_OP_EXEC },   { NULL },
};
static const struct word level_words[] = {
	{ "l1", 1 },   { "l2", 2 },    { "l3", 3 },         { "l4", 4 },
	{ "cxl", 9 },  { "io", 10 },   { "any_cache", 11 }, { "lfb", 12 },
	{ "ram", 13 }, { "pmem", 14 }, { "na", 15 },        { NULL },
};
#define SNOOPX(bits) ((u64)(bits) << 5) /* behind the five bits of mem_snoop */
static const struct word snoop_words[] = {
	{ "na", PERF_MEM_SNOOP_NA },     { "none", PERF_MEM_SNOOP_NONE },
	{ "hit", PERF_MEM_SNOOP_HIT },   { "miss", PERF_MEM_SNOOP_MISS },
	{ "hitm", PERF_MEM_SNOOP_HITM }, { "fwd", SNOOPX(1) },
	{ "peer", SNOOPX(2) },           { NULL },
};
static const struct word remote_words[] = { { "remote", 1 }, { NULL } };
static const struct word lock_words[] = { { "na", PERF_MEM_LOCK_NA },
	                                  { "locked", PERF_MEM_LOCK_LOCKED },
	                                  { NULL } };
static const struct word tlb_words[] = {
	{ "na", PERF_MEM_TLB_NA },
	{ "l1_hit", PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT },
	{ "l1_miss", PERF_MEM_TLB_L1 | PERF_MEM_TLB_MISS },
	{ "l2_hit", PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT },
	{ "l2_miss", PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS },
	{ "any_hit", PERF_MEM_TLB_HIT },
	{ "any_miss", PERF_MEM_TLB_MISS },
	{ "walk", PERF_MEM_TLB_WK },
	{ "fault", PERF_MEM_TLB_OS },
	{ NULL },
};
static const struct word block_words[] = {
	{ "na", 1 }, { "by_data", 2 }, { "by_addr", 4 }, { NULL }
};
static const struct word hops_words[] = {
	{ "hops0", 1 }, { "hops1", 2 }, { "hops2", 3 }, { "hops3", 4 }, { NULL }
};

struct term {
	const char *name;
	u64 fields;
	enum sample_value value;
	u8 shift;
	u32 mask;
	const struct word *words;
};

#define WEIGHT PERF_SAMPLE_WEIGHT_STRUCT
#define SOURCE PERF_SAMPLE_DATA_SRC, SAMPLE_DATA_SOURCE

static const struct term terms[] = {
	{ "ip", PERF_SAMPLE_IP, SAMPLE_IP },
	{ "id", 0, SAMPLE_ID },
	{ "tid", PERF_SAMPLE_TID, SAMPLE_TID },
	{ "pid", PERF_SAMPLE_TID, SAMPLE_PID },
	{ "cpu", PERF_SAMPLE_CPU, SAMPLE_CPU },
	{ "time", PERF_SAMPLE_TIME, SAMPLE_TIME },
	{ "addr", PERF_SAMPLE_ADDR, SAMPLE_ADDR },
	{ "period", PERF_SAMPLE_PERIOD, SAMPLE_PERIOD },
	{ "txn", PERF_SAMPLE_TRANSACTION, SAMPLE_TXN },
	{ "weight", WEIGHT, SAMPLE_WEIGHT1 },
	{ "weight1", WEIGHT, SAMPLE_WEIGHT1 },
	{ "weight2", WEIGHT, SAMPLE_WEIGHT2 },
	{ "weight3", WEIGHT, SAMPLE_WEIGHT3 },
	{ "ins_lat", WEIGHT, SAMPLE_WEIGHT2 },
	{ "retire_lat", WEIGHT, SAMPLE_WEIGHT3 },  /* of x86 */
	{ "p_stage_cyc", WEIGHT, SAMPLE_WEIGHT3 }, /* of powerpc */
	{ "phys_addr", PERF_SAMPLE_PHYS_ADDR, SAMPLE_PHYS_ADDR },
	{ "code_pgsz", PERF_SAMPLE_CODE_PAGE_SIZE, SAMPLE_CODE_PAGE_SIZE },
	{ "data_pgsz", PERF_SAMPLE_DATA_PAGE_SIZE, SAMPLE_DATA_PAGE_SIZE },
	{ "mem_op", SOURCE, PERF_MEM_OP_SHIFT, 0x1f, op_words },
	{ "mem_lvl", SOURCE, PERF_MEM_LVLNUM_SHIFT, 0xf, level_words },
	{ "mem_snoop", PERF_SAMPLE_DATA_SRC, SAMPLE_SNOOP, 0, 0, snoop_words },
	{ "mem_remote", SOURCE, PERF_MEM_REMOTE_SHIFT, 1, remote_words },
	{ "mem_lock", SOURCE, PERF_MEM_LOCK_SHIFT, 3, lock_words },
	{ "mem_dtlb", SOURCE, PERF_MEM_TLB_SHIFT, 0x7f, tlb_words },
	{ "mem_blk", SOURCE, PERF_MEM_BLK_SHIFT, 7, block_words },
	{ "mem_hops", SOURCE, PERF_MEM_HOPS_SHIFT, 7, hops_words },
	{ "uid", 0, SAMPLE_UID },
	{ "gid", 0, SAMPLE_GID },
};

struct parser {
	const char *text, *pos;
	struct filter_expression *filter;
	struct error *err;
};

PRINTF_LIKE(3, 4) static int fail(struct parser *p, const char *at, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int ret = error__set_at(p->err, WHAT, p->text, at, fmt, args);

	va_end(args);
	return ret;
}

static void skip_space(struct parser *p)
{
	while (isspace((u8)*p->pos))
		p->pos++;
}

static size_t word_length(const char *s)
{
	size_t len = 0;

	while (isalnum((u8)s[len]) || s[len] == '_')
		len++;
	return len;
}

static bool is_word(const char *name, const char *s, size_t len)
{
	return !strncmp(name, s, len) && !name[len];
}

/* "they are ip id tid ..." as the advice. */
static int list_terms(struct parser *p)
{
	char list[300] = "";
	size_t len = 0;

	for (u32 i = 0; i < ARRAY_SIZE(terms) && len < sizeof(list); i++)
		len += snprintf(list + len, sizeof(list) - len, " %s", terms[i].name);
	return error__advise(p->err, "what a sample has:%s", list);
}

static int list_words(struct parser *p, const struct term *term)
{
	char list[200] = "";
	size_t len = 0;

	for (const struct word *w = term->words; w && w->name && len < sizeof(list); w++)
		len += snprintf(list + len, sizeof(list) - len, " %s", w->name);
	return term->words ? error__advise(p->err, "%s is a number, or one of%s", term->name, list)
	                   : error__advise(p->err, "decimal, or hex with 0x; not negative");
}

static int take_term(struct parser *p, const struct term **term)
{
	size_t len = word_length(p->pos);

	if (!len && (*p->pos == '(' || *p->pos == ')' || *p->pos == '!')) {
		fail(p, p->pos, "there are no parentheses and no ! in filters of samples");
		return error__advise(p->err, "a comma is 'and'; || is 'or' and binds more");
	}
	if (!len) {
		fail(p, p->pos, "a term is missing");
		return list_terms(p);
	}
	for (u32 i = 0; i < ARRAY_SIZE(terms); i++) {
		if (!is_word(terms[i].name, p->pos, len))
			continue;
		*term = &terms[i];
		p->pos += len;
		return 0;
	}
	fail(p, p->pos, "samples have no '%.*s'", (int)min_u64(len, 60), p->pos);
	return list_terms(p);
}

static int take_operator(struct parser *p, u8 *op)
{
	static const struct {
		const char *text;
		enum sample_operator op;
	} rows[] = {
		/* longer ones first */
		{ "==", SAMPLE_EQUAL },         { "!=", SAMPLE_NOT_EQUAL },
		{ ">=", SAMPLE_GREATER_EQUAL }, { "<=", SAMPLE_LESS_EQUAL },
		{ ">", SAMPLE_GREATER },        { "<", SAMPLE_LESS },
		{ "&", SAMPLE_ANY_BIT },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!text__starts_with(p->pos, rows[i].text) || !strncmp(p->pos, "&&", 2))
			continue;
		*op = rows[i].op;
		p->pos += strlen(rows[i].text);
		return 0;
	}
	return fail(p, p->pos, "an operator is expected here: == != > >= < <= &");
}

static int take_number(struct parser *p, const struct term *term, u64 *number)
{
	size_t len = word_length(p->pos);
	char digits[40];

	for (const struct word *w = term->words; w && w->name; w++) {
		if (!len || !is_word(w->name, p->pos, len))
			continue;
		*number = w->number;
		p->pos += len;
		return 0;
	}
	snprintf(digits, sizeof(digits), "%.*s", (int)min_u64(len, sizeof(digits) - 1), p->pos);
	if (!len || len >= sizeof(digits) || text__parse_u64(digits, number)) {
		fail(p, p->pos,
		     len && isdigit((u8)*p->pos) ? "that is not a 64-bit number"
		                                 : "a value is expected here");
		return list_words(p, term);
	}
	p->pos += len;
	return 0;
}

/* What stands behind a comparison. *@more: another one follows. */
static int take_joint(struct parser *p, struct sample_comparison *c, bool *more)
{
	skip_space(p);
	*more = *p->pos;
	c->last = 1;
	if (!*p->pos)
		return 0;
	if (*p->pos == ',') {
		p->pos++;
		return 0;
	}
	if (text__starts_with(p->pos, "||")) {
		c->last = 0;
		p->pos += 2;
		return 0;
	}
	fail(p, p->pos, "a comma, || or the end is expected here");
	return text__starts_with(p->pos, "&&") ? error__advise(p->err, "'and' is a comma")
	                                       : -EINVAL;
}

static int take_comparison(struct parser *p, bool *more)
{
	struct sample_comparison c = { .value = 0 };
	const struct term *term = NULL;
	int ret;

	if (p->filter->nr == FILTER_COMPARISONS) {
		fail(p, p->pos, "these are more than %d comparisons", FILTER_COMPARISONS);
		return -E2BIG;
	}
	skip_space(p);
	ret = take_term(p, &term);
	skip_space(p);
	if (!ret)
		ret = take_operator(p, &c.op);
	skip_space(p);
	if (!ret)
		ret = take_number(p, term, &c.number);
	if (!ret)
		ret = take_joint(p, &c, more);
	if (ret)
		return ret;
	c.value = term->value;
	c.shift = term->shift;
	c.mask = term->mask;
	p->filter->fields |= term->fields;
	p->filter->comparisons[p->filter->nr++] = c;
	return 0;
}

int filter_expression__parse(struct filter_expression *filter, const char *text, struct error *err)
{
	struct parser parser = { .text = text, .pos = text, .filter = filter, .err = err };
	bool more = true;
	int ret = 0;

	*filter = (struct filter_expression){ .nr = 0 };
	while (!ret && more)
		ret = take_comparison(&parser, &more);
	return ret;
}
