// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recursive descent with a bounded depth, into an array of nodes in which children stand before
 * their parents: so one loop over the array computes the value, and one loop backwards finds what
 * is needed, whatever the formula's shape.
 */
#include "util/lib/formula.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define DEPTH_MAX 100
#define NODES_MAX 65536

enum op {
	OP_NUMBER,
	OP_NAME,    /* the value of a */
	OP_SOURCES, /* source_count() of a */
	OP_NEGATE,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_MODULO,
	OP_RATIO, /* d_ratio(): a division that gives 0 where it cannot be done */
	OP_MIN,
	OP_MAX,
	OP_LESS,
	OP_GREATER,
	OP_LESS_EQUAL,
	OP_GREATER_EQUAL,
	OP_EQUAL,
	OP_UNEQUAL,
	OP_AND,
	OP_XOR,
	OP_OR,
	OP_IF, /* a if b else c */
};

struct node {
	enum op op;
	u32 a, b, c;   /* nodes; of names the index */
	double number; /* of OP_NUMBER; while it is computed, of all */
	bool constant; /* it does not depend on a name */
};

struct formula {
	struct node *nodes; /* the last one is the root */
	u32 nr;
	size_t cap;
	char **names;
	u32 nr_names;
	size_t names_cap;
};

struct parser {
	struct formula *formula;
	const struct formula_facts *facts;
	const char *text, *pos;
	struct error *err;
	u32 depth;
};

/* A node that is none: a mistake was found, and stands in the error. */
#define NO_NODE ID_NONE

static u32 fail(struct parser *p, const char *at, const char *cause)
{
	if (p->err && !p->err->code) {
		error__set(p->err, -EINVAL, "bad formula", p->text, "%s", cause);
		p->err->column = at - p->text + 1;
		if (p->err->column > strlen(p->err->subject) + 1)
			p->err->column = 0;
	}
	return NO_NODE;
}

static void skip_space(struct parser *p)
{
	while (isspace((u8)*p->pos))
		p->pos++;
}

/* --- nodes --- */

static double whole(double value)
{
	return fabs(value) < 0x1p53 ? trunc(value) : NAN;
}

static double compute_bits(enum op op, double a, double b)
{
	a = whole(a);
	b = whole(b);
	if (isnan(a) || isnan(b))
		return NAN;
	return op == OP_AND ? (s64)a & (s64)b : op == OP_OR ? (s64)a | (s64)b : (s64)a ^ (s64)b;
}

/* Of two values that are numbers. */
static double compute_two(enum op op, double a, double b)
{
	switch (op) {
	case OP_ADD:
		return a + b;
	case OP_SUBTRACT:
		return a - b;
	case OP_MULTIPLY:
		return a * b;
	case OP_DIVIDE:
		return b ? a / b : NAN;
	case OP_MODULO:
		return b ? fmod(a, b) : NAN;
	case OP_RATIO:
		return b ? a / b : 0;
	case OP_MIN:
		return a < b ? a : b;
	case OP_MAX:
		return a > b ? a : b;
	case OP_LESS:
		return a < b;
	case OP_GREATER:
		return a > b;
	case OP_LESS_EQUAL:
		return a <= b;
	case OP_GREATER_EQUAL:
		return a >= b;
	case OP_EQUAL:
		return a == b;
	case OP_UNEQUAL:
		return a != b;
	default:
		return compute_bits(op, a, b);
	}
}

static double compute(const struct formula *formula, const struct node *node,
                      const struct formula_values *values)
{
	const struct node *nodes = formula->nodes;
	double a, b;

	switch (node->op) {
	case OP_NUMBER:
		return node->number;
	case OP_NAME:
		return values->value(values->ctx, node->a);
	case OP_SOURCES:
		return values->sources(values->ctx, node->a);
	case OP_NEGATE:
		return -nodes[node->a].number;
	case OP_IF:
		b = nodes[node->b].number;
		return isnan(b) ? NAN : nodes[b ? node->a : node->c].number;
	default:
		a = nodes[node->a].number;
		b = nodes[node->b].number;
		return isnan(a) || isnan(b) ? NAN : compute_two(node->op, a, b);
	}
}

static u32 add_node(struct parser *p, struct node node)
{
	struct formula *f = p->formula;

	if (f->nr == NODES_MAX)
		return fail(p, p->pos, "it is too long");
	array__reserve(&f->nodes, &f->cap, f->nr + 1, sizeof(*f->nodes));
	f->nodes[f->nr] = node;
	return f->nr++;
}

static u32 add_number(struct parser *p, double number)
{
	return add_node(p, (struct node){ .op = OP_NUMBER, .number = number, .constant = true });
}

/* @op of nodes, any of which may be NO_NODE; @c only of OP_IF. */
static u32 add_op(struct parser *p, enum op op, u32 a, u32 b, u32 c)
{
	struct node node = { .op = op, .a = a, .b = b, .c = c };
	const struct node *nodes = p->formula->nodes;

	if (a == NO_NODE || b == NO_NODE || c == NO_NODE)
		return NO_NODE;
	if (op == OP_IF && nodes[b].constant) /* only one side matters, from now on */
		node.constant = nodes[nodes[b].number ? a : c].constant;
	else
		node.constant = nodes[a].constant && nodes[b].constant && nodes[c].constant;
	if (node.constant)
		node.number = compute(p->formula, &node, NULL);
	return add_node(p, node);
}

static u32 name_index(struct formula *f, char *name)
{
	for (u32 i = 0; i < f->nr_names; i++)
		if (!strcmp(f->names[i], name)) {
			free(name);
			return i;
		}
	array__reserve(&f->names, &f->names_cap, f->nr_names + 1, sizeof(*f->names));
	f->names[f->nr_names] = name;
	return f->nr_names++;
}

/* --- words --- */

static bool is_name_char(char c)
{
	return isalnum((u8)c) || (c && strchr("_.:", c));
}

/*
 * The name at the position, decoded: "\-" is '-', '@' is '/', and between two '@' all is part of
 * it. NULL: there is none. malloc'ed.
 */
static char *take_name(struct parser *p)
{
	char *name = xmalloc(strlen(p->pos) + 1);
	bool inside = false;
	size_t len = 0;

	for (; *p->pos; p->pos++) {
		char c = *p->pos;

		if (c == '\\' && p->pos[1]) {
			c = *++p->pos;
		} else if (c == '@') {
			inside = !inside;
			c = '/';
		} else if (!inside && !is_name_char(c)) {
			break;
		}
		name[len++] = c;
	}
	name[len] = '\0';
	if (len && !inside)
		return name;
	free(name);
	fail(p, p->pos, inside ? "the closing '@' is missing" : "a name is missing");
	return NULL;
}

static bool take_char(struct parser *p, char c)
{
	skip_space(p);
	if (*p->pos != c)
		return false;
	p->pos++;
	return true;
}

/* @word, and not the beginning of a longer name */
static bool take_keyword(struct parser *p, const char *word)
{
	size_t len = strlen(word);

	skip_space(p);
	if (strncmp(p->pos, word, len) != 0 || is_name_char(p->pos[len]) || p->pos[len] == '@' ||
	    p->pos[len] == '\\')
		return false;
	p->pos += len;
	return true;
}

static bool expect(struct parser *p, char c, const char *cause)
{
	if (take_char(p, c))
		return true;
	fail(p, p->pos, cause);
	return false;
}

/* --- the grammar --- */

static u32 parse_choice(struct parser *p);

/* (a, b) */
static u32 parse_pair(struct parser *p, enum op op)
{
	u32 a, b;

	if (!expect(p, '(', "'(' is missing"))
		return NO_NODE;
	a = parse_choice(p);
	if (a == NO_NODE || !expect(p, ',', "',' is missing"))
		return NO_NODE;
	b = parse_choice(p);
	if (b == NO_NODE || !expect(p, ')', "')' is missing"))
		return NO_NODE;
	return add_op(p, op, a, b, a);
}

/* (name), for the functions that are about an event, not its value; NULL: a mistake. */
static char *parse_argument(struct parser *p)
{
	char *name;

	if (!expect(p, '(', "'(' is missing"))
		return NULL;
	skip_space(p);
	name = take_name(p);
	if (!name || expect(p, ')', "')' is missing"))
		return name;
	free(name);
	return NULL;
}

static u32 parse_has_event(struct parser *p)
{
	char *name = parse_argument(p);
	bool has = name && p->facts->has_event(p->facts->ctx, name);

	free(name);
	return name ? add_number(p, has) : NO_NODE;
}

static u32 parse_is_cpu(struct parser *p)
{
	char *pattern = parse_argument(p);
	bool is = pattern && p->facts->is_cpu(p->facts->ctx, pattern);

	free(pattern);
	return pattern ? add_number(p, is) : NO_NODE;
}

static u32 parse_sources(struct parser *p)
{
	char *name = parse_argument(p);

	if (!name)
		return NO_NODE;
	return add_node(p, (struct node){ .op = OP_SOURCES, .a = name_index(p->formula, name) });
}

static u32 parse_literal(struct parser *p)
{
	const char *start = p->pos++;
	char *name = take_name(p);
	double value;

	if (!name)
		return NO_NODE;
	value = p->facts->literal(p->facts->ctx, name);
	free(name);
	return isnan(value) ? fail(p, start, "nothing is known by this name")
	                    : add_number(p, value);
}

static u32 parse_word(struct parser *p)
{
	char *name;

	if (take_keyword(p, "min"))
		return parse_pair(p, OP_MIN);
	if (take_keyword(p, "max"))
		return parse_pair(p, OP_MAX);
	if (take_keyword(p, "d_ratio"))
		return parse_pair(p, OP_RATIO);
	if (take_keyword(p, "has_event"))
		return parse_has_event(p);
	if (take_keyword(p, "source_count"))
		return parse_sources(p);
	if (take_keyword(p, "strcmp_cpuid_str"))
		return parse_is_cpu(p);
	if (take_keyword(p, "if") || take_keyword(p, "else"))
		return fail(p, p->pos, "a value is missing before it");
	name = take_name(p);
	if (!name)
		return NO_NODE;
	return add_node(p, (struct node){ .op = OP_NAME, .a = name_index(p->formula, name) });
}

static u32 parse_number(struct parser *p)
{
	const char *start = p->pos;
	double number = text__double(p->pos, &p->pos);

	if (p->pos == start)
		return fail(p, start, "a number is missing");
	return isfinite(number) ? add_number(p, number) : fail(p, start, "that is no number");
}

static u32 parse_primary(struct parser *p)
{
	u32 node;

	skip_space(p);
	if (isdigit((u8)*p->pos) || *p->pos == '.')
		return parse_number(p);
	if (*p->pos == '#')
		return parse_literal(p);
	if (is_name_char(*p->pos) || *p->pos == '\\')
		return parse_word(p);
	if (!take_char(p, '('))
		return fail(p, p->pos, *p->pos ? "a value is missing here" : "it ends too early");
	node = parse_choice(p);
	return node == NO_NODE || expect(p, ')', "')' is missing") ? node : NO_NODE;
}

static u32 parse_unary(struct parser *p)
{
	bool negative = false;
	u32 node;

	while (take_char(p, '-'))
		negative = !negative;
	node = parse_primary(p);
	return negative ? add_op(p, OP_NEGATE, node, node, node) : node;
}

/* Operators of one rank, all from left to right. Longer ones stand before their beginnings. */
struct rank {
	struct {
		const char *text;
		enum op op;
	} ops[6];
};

static const struct rank ranks[] = {
	{ { { "|", OP_OR } } },
	{ { { "^", OP_XOR } } },
	{ { { "&", OP_AND } } },
	{ { { "<=", OP_LESS_EQUAL },
	    { ">=", OP_GREATER_EQUAL },
	    { "==", OP_EQUAL },
	    { "!=", OP_UNEQUAL },
	    { "<", OP_LESS },
	    { ">", OP_GREATER } } },
	{ { { "+", OP_ADD }, { "-", OP_SUBTRACT } } },
	{ { { "*", OP_MULTIPLY }, { "/", OP_DIVIDE }, { "%", OP_MODULO } } },
};

/* OP_NUMBER: none is at the position. */
static enum op take_operator(struct parser *p, const struct rank *rank)
{
	skip_space(p);
	for (size_t i = 0; i < ARRAY_SIZE(rank->ops) && rank->ops[i].text; i++) {
		size_t len = strlen(rank->ops[i].text);

		if (strncmp(p->pos, rank->ops[i].text, len) != 0)
			continue;
		p->pos += len;
		return rank->ops[i].op;
	}
	return OP_NUMBER;
}

static u32 parse_rank(struct parser *p, size_t rank)
{
	u32 left, right;
	enum op op;

	if (rank == ARRAY_SIZE(ranks))
		return parse_unary(p);
	left = parse_rank(p, rank + 1);
	while (left != NO_NODE && (op = take_operator(p, &ranks[rank])) != OP_NUMBER) {
		right = parse_rank(p, rank + 1);
		left = add_op(p, op, left, right, left);
	}
	return left;
}

/* value [if condition else choice] */
static u32 parse_choice(struct parser *p)
{
	u32 node, condition, other;

	if (p->depth == DEPTH_MAX)
		return fail(p, p->pos, "its parts are nested too deeply");
	p->depth++;
	node = parse_rank(p, 0);
	if (node != NO_NODE && take_keyword(p, "if")) {
		condition = parse_rank(p, 0);
		if (condition != NO_NODE && !take_keyword(p, "else"))
			condition = fail(p, p->pos, "'else' is missing");
		other = condition == NO_NODE ? NO_NODE : parse_choice(p);
		node = add_op(p, OP_IF, node, condition, other);
	}
	p->depth--;
	return node;
}

/* --- which names matter --- */

static void mark(bool *needed, const struct formula *f)
{
	needed[f->nr - 1] = true;
	for (u32 i = f->nr; i-- > 0;) {
		const struct node *node = &f->nodes[i];

		if (!needed[i] || node->constant || node->op <= OP_SOURCES)
			continue;
		if (node->op == OP_IF && f->nodes[node->b].constant) {
			needed[f->nodes[node->b].number ? node->a : node->c] = true;
			continue;
		}
		needed[node->a] = needed[node->b] = needed[node->c] = true;
	}
}

/* Names only of what is needed, in the order of the text; the rest becomes NAN. */
static void keep_needed_names(struct formula *f)
{
	bool *needed = xcalloc(f->nr, sizeof(*needed));
	char **names = f->names;
	u32 nr_names = f->nr_names;

	mark(needed, f);
	f->names = NULL;
	f->nr_names = 0;
	f->names_cap = 0;
	for (u32 i = 0; i < f->nr; i++) {
		struct node *node = &f->nodes[i];

		if (node->op != OP_NAME && node->op != OP_SOURCES)
			continue;
		if (needed[i])
			node->a = name_index(f, xstrdup(names[node->a]));
		else
			*node = (struct node){ .op = OP_NUMBER, .number = NAN };
	}
	for (u32 i = 0; i < nr_names; i++)
		free(names[i]);
	free(names);
	free(needed);
}

/* --- from outside --- */

struct formula *formula__parse(const char *text, const struct formula_facts *facts,
                               struct error *err)
{
	struct formula *formula = xcalloc(1, sizeof(*formula));
	struct error own = ERROR_INIT;
	struct parser p = { formula, facts, text, text, err ? err : &own, 0 };
	u32 root = parse_choice(&p);

	skip_space(&p);
	if (root != NO_NODE && *p.pos)
		root = fail(&p, p.pos, "something follows its end");
	if (root == NO_NODE) {
		formula__free(formula);
		return NULL;
	}
	BUG_ON(root != formula->nr - 1);
	keep_needed_names(formula);
	return formula;
}

void formula__free(struct formula *formula)
{
	if (!formula)
		return;
	for (u32 i = 0; i < formula->nr_names; i++)
		free(formula->names[i]);
	free(formula->names);
	free(formula->nodes);
	free(formula);
}

const char *formula__name(const struct formula *formula, u32 index)
{
	return index < formula->nr_names ? formula->names[index] : NULL;
}

double formula__value(struct formula *formula, const struct formula_values *values)
{
	double value = NAN;

	/* Constants were computed while parsing. */
	for (u32 i = 0; i < formula->nr; i++) {
		struct node *node = &formula->nodes[i];

		if (!node->constant)
			node->number = compute(formula, node, values);
		value = node->number;
	}
	return isfinite(value) ? value : NAN;
}
