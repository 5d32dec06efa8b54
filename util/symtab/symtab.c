// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ordering and look-up of symbol tables, the same for every source. The rules are those that
 * users of Linux's perf see (found by experiment with 6.1), because a different alias for
 * the same address would make every report differ:
 *
 *  1. Symbols are ordered by start; equal starts keep the source's order.
 *  2. A symbol without a size ends where the next one in this order starts; the last one ends
 *     two page boundaries up. (So of size-less aliases only the last gets a size.)
 *  3. Of several at one start, going through them in order, the better of each pair stays:
 *     one with a size, then one that is not weak, then a global one, then fewer leading
 *     underscores, then the longer name, then one that is not the kernel's "SyS_" alias,
 *     then the earlier. Names are compared as they are shown: demangled, if that is asked for.
 *
 * Where ranges overlap the innermost (nearest start) is found; Linux's answer there depends on
 * the shape of its search tree.
 */
#include "util/symtab/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "util/lib/text.h"
#include "util/symtab/demangle.h"

#define PAGE 4096u

/* How far back a covering range is looked for where ranges overlap. */
#define MAX_NESTING 64u

void symtab__exit(struct symtab *symtab)
{
	free(symtab->symbols);
	free(symtab->segments);
	free(symtab->pieces);
	free(symtab->path);
	arena__exit(&symtab->arena);
	*symtab = (struct symtab){ .source = SYMTAB_NONE };
}

void symtab__add(struct symtab *symtab, u64 start, u64 end, const char *name, char binding)
{
	if (symtab->nr == ID_NONE - 1)
		return;
	array__reserve(&symtab->symbols, &symtab->cap, (size_t)symtab->nr + 1,
	               sizeof(*symtab->symbols));
	symtab->symbols[symtab->nr++] = (struct symbol){
		.start = start, .end = end < start ? start : end, .name = name, .binding = binding
	};
}

static bool sorted(const struct symtab *symtab)
{
	for (u32 i = 1; i < symtab->nr; i++)
		if (symtab->symbols[i].start < symtab->symbols[i - 1].start)
			return false;
	return true;
}

struct sort_entry {
	u64 key; /* start, less the lowest */
	u32 index;
};

/* Stable, one pass per 11 bits that differ. */
static void radix_sort(struct sort_entry *a, struct sort_entry *b, u32 nr, u64 max_key)
{
	enum { BITS = 11, BUCKETS = 1 << BITS };
	struct sort_entry *result = a;
	u32 count[BUCKETS];

	for (unsigned shift = 0; shift < 64 && max_key >> shift; shift += BITS) {
		u32 sum = 0;

		memset(count, 0, sizeof(count));
		for (u32 i = 0; i < nr; i++)
			count[a[i].key >> shift & (BUCKETS - 1)]++;
		for (u32 i = 0; i < BUCKETS; i++) {
			u32 n = count[i];

			count[i] = sum;
			sum += n;
		}
		for (u32 i = 0; i < nr; i++)
			b[count[a[i].key >> shift & (BUCKETS - 1)]++] = a[i];
		struct sort_entry *swap = a;

		a = b;
		b = swap;
	}
	if (a != result)
		memcpy(result, a, nr * sizeof(*a));
}

static void sort_symbols(struct symtab *symtab)
{
	u64 min = UINT64_MAX, max = 0;
	u32 nr = symtab->nr;

	if (sorted(symtab))
		return;
	struct sort_entry *entries = xrealloc(NULL, nr, 2 * sizeof(*entries));
	struct symbol *ordered = xrealloc(NULL, nr, sizeof(*ordered));

	for (u32 i = 0; i < nr; i++) {
		min = min_u64(min, symtab->symbols[i].start);
		max = max_u64(max, symtab->symbols[i].start);
	}
	for (u32 i = 0; i < nr; i++)
		entries[i] = (struct sort_entry){ symtab->symbols[i].start - min, i };
	radix_sort(entries, entries + nr, nr, max - min);
	for (u32 i = 0; i < nr; i++)
		ordered[i] = symtab->symbols[entries[i].index];
	free(entries);
	free(symtab->symbols);
	symtab->symbols = ordered;
	symtab->cap = nr;
}

static unsigned leading_underscores(const char *name)
{
	return strspn(name, "_");
}

static bool is_syscall_alias(const char *name)
{
	return !strncmp(name, "SyS", 3) || !strncmp(name, "compat_SyS", 10);
}

/* Above 0: @a is the better name, below: @b. */
static int compare_names(const char *a, const char *b)
{
	unsigned a_under = leading_underscores(a), b_under = leading_underscores(b);
	size_t a_len = strlen(a), b_len = strlen(b);

	if (a_under != b_under)
		return a_under < b_under ? 1 : -1;
	if (a_len != b_len)
		return a_len > b_len ? 1 : -1;
	return is_syscall_alias(b) - is_syscall_alias(a);
}

/*
 * The two names that compilers give one constructor or destructor (C1/C2, D1/D2) read the same:
 * most aliases of C++ are these, and need no demangling to be compared.
 */
static bool same_function(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] && a[i] == b[i])
		i++;
	return i && (a[i - 1] == 'C' || a[i - 1] == 'D') && (a[i] == '1' || a[i] == '2') &&
	       (b[i] == '1' || b[i] == '2') && !strcmp(a + i + 1, b + i + 1);
}

/* Of two symbols with one start: does the later one win? */
static bool later_wins(const struct symtab *symtab, const struct symbol *a, const struct symbol *b)
{
	if ((a->end == a->start) != (b->end == b->start))
		return a->end == a->start;
	if ((a->binding == 'w') != (b->binding == 'w'))
		return a->binding == 'w';
	if ((a->binding == 'g') != (b->binding == 'g'))
		return b->binding == 'g';
	if (!symtab->demangle)
		return compare_names(a->name, b->name) < 0;
	if (same_function(a->name, b->name) || !strcmp(a->name, b->name))
		return false;
	char *x = demangle(a->name), *y = demangle(b->name);
	int verdict = compare_names(x ? x : a->name, y ? y : b->name);

	free(x);
	free(y);
	return verdict < 0;
}

static void fill_ends(struct symtab *symtab)
{
	struct symbol *s = symtab->symbols;
	u32 last = symtab->nr - 1;

	for (u32 i = 0; i < last; i++)
		if (s[i].end == s[i].start)
			s[i].end = s[i + 1].start;
	if (s[last].end == s[last].start)
		s[last].end = s[last].start > UINT64_MAX - 2 * PAGE
		                      ? UINT64_MAX
		                      : round_up_u64(s[last].start, PAGE) + PAGE;
}

void symtab__fixup(struct symtab *symtab)
{
	u32 kept = 0;
	u64 reach = 0;

	if (!symtab->nr)
		return;
	sort_symbols(symtab);
	fill_ends(symtab);
	struct symbol *s = symtab->symbols;

	for (u32 i = 1; i < symtab->nr; i++) {
		if (s[i].start != s[kept].start)
			s[++kept] = s[i];
		else if (later_wins(symtab, &s[kept], &s[i]))
			s[kept] = s[i];
	}
	symtab->nr = kept + 1;
	symtab->overlaps = false;
	for (u32 i = 0; i < symtab->nr; i++) {
		symtab->overlaps |= i && reach > s[i].start;
		reach = max_u64(reach, s[i].end);
	}
	symtab->cap = symtab->nr;
	symtab->symbols = xrealloc(s, symtab->nr, sizeof(*s));
}

/* How many symbols start at or before @addr. */
static u32 nr_before(const struct symtab *symtab, u64 addr)
{
	const struct symbol *s = symtab->symbols;
	u32 low = 0, high = symtab->nr;

	while (low < high) { /* the first that starts behind addr */
		u32 mid = low + (high - low) / 2;

		if (s[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct symtab_piece *find_piece(const struct symtab *symtab, u64 addr)
{
	u32 low = 0, high = symtab->nr_pieces;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (symtab->pieces[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < symtab->nr_pieces && symtab->pieces[low].start <= addr ? &symtab->pieces[low]
	                                                                    : NULL;
}

u32 symtab__find(const struct symtab *symtab, u64 addr)
{
	if (unlikely(symtab->pieces)) {
		const struct symtab_piece *piece = find_piece(symtab, addr);

		return piece ? piece->symbol : ID_NONE;
	}
	u32 low = nr_before(symtab, addr);

	for (u32 i = low, steps = 0; i-- > 0 && steps < MAX_NESTING; steps++) {
		if (addr < symtab->symbols[i].end)
			return i;
		if (!symtab->overlaps)
			break;
	}
	return ID_NONE;
}

bool symtab__knows(const struct symtab *symtab, u64 addr)
{
	return !symtab->pieces || find_piece(symtab, addr);
}

/* ---- parts ---- */

/* The addresses around @addr of which the same is said; @symtab knows it. */
static struct symtab_piece piece_at(const struct symtab *symtab, u64 addr)
{
	struct symtab_piece piece = { .end = UINT64_MAX, .symbol = symtab__find(symtab, addr) };
	const struct symbol *s = symtab->symbols;

	if (symtab->pieces)
		return *find_piece(symtab, addr);
	if (symtab->picked && piece.symbol == ID_NONE)
		return (struct symtab_piece){ addr, addr + 1, ID_NONE };
	u32 low = nr_before(symtab, addr);

	/* No symbol starts between the nearest start before and the first start behind. */
	if (low < symtab->nr)
		piece.end = s[low].start;
	if (low)
		piece.start = s[low - 1].start;
	for (u32 i = low, steps = 0; i-- > 0 && steps < MAX_NESTING && i != piece.symbol; steps++)
		if (s[i].end <= addr)
			piece.start = max_u64(piece.start, s[i].end);
	if (piece.symbol != ID_NONE)
		piece.end = min_u64(piece.end, s[piece.symbol].end);
	return piece;
}

/* Asked for by name (util/unwind/start_code.c), whatever addresses are. */
static bool is_well_known(const char *name)
{
	return text__starts_with(name, "__libc_start_main") ||
	       text__starts_with(name, "pthread_create");
}

static void add_piece(struct symtab *part, size_t *cap, struct symtab_piece piece)
{
	array__reserve(&part->pieces, cap, (size_t)part->nr_pieces + 1, sizeof(piece));
	part->pieces[part->nr_pieces++] = piece;
}

void symtab__part(const struct symtab *symtab, const u64 *addrs, u32 nr, struct symtab *part)
{
	u32 *ids = xrealloc(NULL, symtab->nr, sizeof(*ids));
	size_t cap = 0;

	*part = (struct symtab){
		.demangle = symtab->demangle,
		.overlaps = symtab->overlaps,
		.source = symtab->source,
		.runtime_addr = symtab->runtime_addr,
		.path = symtab->path ? xstrdup(symtab->path) : NULL,
		.nr_segments = symtab->nr_segments,
		.segments = xrealloc(NULL, symtab->nr_segments, sizeof(*symtab->segments)),
	};
	if (symtab->nr_segments)
		memcpy(part->segments, symtab->segments,
		       symtab->nr_segments * sizeof(*symtab->segments));
	array__reserve(&part->pieces, &cap, 1, sizeof(*part->pieces)); /* not NULL: it is a part */
	if (symtab->nr)
		memset(ids, 0, symtab->nr * sizeof(*ids));
	for (u32 i = 0; i < nr; i++) {
		if (part->nr_pieces && addrs[i] < part->pieces[part->nr_pieces - 1].end)
			continue;
		if (symtab__knows(symtab, addrs[i]))
			add_piece(part, &cap, piece_at(symtab, addrs[i]));
	}
	/* The symbols of the pieces, in the table's order, and the new ids. */
	for (u32 i = 0; i < part->nr_pieces; i++)
		if (part->pieces[i].symbol != ID_NONE)
			ids[part->pieces[i].symbol] = 1;
	for (u32 i = 0; i < symtab->nr; i++) {
		const struct symbol *s = &symtab->symbols[i];

		if (!ids[i] && !is_well_known(s->name))
			continue;
		ids[i] = part->nr;
		symtab__add(part, s->start, s->end, s->name, s->binding);
		part->symbols[part->nr - 1].data = s->data;
	}
	for (u32 i = 0; i < part->nr_pieces; i++)
		if (part->pieces[i].symbol != ID_NONE)
			part->pieces[i].symbol = ids[part->pieces[i].symbol];
	free(ids);
}

u64 symtab__vaddr_of_offset(const struct symtab *symtab, u64 offset)
{
	for (u32 i = 0; i < symtab->nr_segments; i++) {
		const struct segment *segment = &symtab->segments[i];

		if (offset - segment->offset < segment->size)
			return offset - segment->offset + segment->vaddr;
	}
	return offset;
}
