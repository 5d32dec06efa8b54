// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the values that probes of it must read: "FUNCTION name=value ...", as perf script prints
 * them. cli/probe compiles it in many ways.
 */
#include <stdio.h>
#include <string.h>

#ifdef __clang__
#define APART __attribute__((noinline, used))
#else
#define APART __attribute__((noipa))
#endif

enum colour { RED, GREEN = 7 };

struct cell {
	int value;
	short row[4];
	char name[16];
	unsigned bits : 5, wide : 11;
	union {
		int number;
		float real;
	} any;
	struct {
		unsigned char deep[2][3];
	} inner;
	struct cell *next;
};

int global = 41;
static volatile long counter = -9;
char global_text[] = "in .data";
const char *global_pointer = "pointed to";
struct cell global_cell = { .value = 77, .row = { 1, -2, 3, -4 } };

APART int show(int n, unsigned char u, signed char ch, long wide, unsigned long big, _Bool flag,
               enum colour colour, struct cell *cell, const char *text, short ninth)
{
	printf("show n=%d u=0x%x ch=%d wide=%ld big=0x%lx flag=0x%x colour=0x%x text_string=\"%s\" "
	       "ninth=%d\n",
	       n, u, ch, wide, big, flag, colour, text, ninth);
	printf("chain value=%d row=%d row_2=%d name=\"%s\" bits=%u wide=%u number=%d deep=0x%x "
	       "value_2=%d\n",
	       cell->value, cell->row[1], cell->row[3], cell->name, cell->bits, cell->wide,
	       cell->any.number, cell->inner.deep[1][2], cell->next->value);
	printf("globals global=%d counter=%ld global_text_string=\"%s\" "
	       "global_pointer_string=\"%s\" row=%d\n",
	       global, counter, global_text, global_pointer, global_cell.row[1]);
	counter++;
	return n * 3 + ninth;
}

APART long loop(int n, long start)
{
	long sum = start;

	for (int i = 0; i < n; i++) {
		sum += i * 3 + global;
		printf("loop i=%d sum=%ld\n", i, sum);
	}
	return sum;
}

static inline __attribute__((always_inline)) int twice(int v, struct cell *cell)
{
	printf("twice v=%d value=%d\n", v, cell->value);
	return 2 * v + cell->value;
}

int main(int argc, char **argv)
{
	struct cell last = { .value = -100 }, cell = { .row = { 5, -6, 7, -8 }, .bits = 21 };
	int result = 0;

	if (argc > 100) { /* never, but nobody may know */
		global = argc;
		global_pointer = argv[1];
		global_cell.row[1] = global;
	}
	cell.value = argc + 10;
	cell.wide = 1000 + argc;
	cell.any.number = 123456 + argc;
	cell.inner.deep[1][2] = 200;
	cell.next = &last;
	strcpy(cell.name, argc > 1 ? argv[1] : "a cell");
	for (int i = 0; i < 3; i++) {
		result += show(argc + i, 250 + i, -3 - i, -5000000000 * i, ~0ul - i, i & 1,
		               i ? GREEN : RED, &cell, "a text", -300 + i);
		printf("show returns %d\n", result);
		cell.value += 5;
	}
	printf("loop returns %ld\n", loop(4 + argc, result));
	result = twice(argc + 4, &cell);
	printf("sum %d\n", result + twice(result, &last));
	return 0;
}
