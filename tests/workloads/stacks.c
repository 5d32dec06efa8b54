// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -static -fno-omit-frame-pointer -fno-inline -fcf-protection=none */
/*
 * stacks KIND [SECONDS]: burns CPU time below stacks of one kind, all of whose chains end alike.
 * Linked statically, so that the names of where it starts are in it.
 *
 *	good	frame pointers from burn() to _start
 *	deep	the same, 200 calls deep
 *	unused	above burn() are pages of the stack that were never touched
 *	lost	burn() has put something else into the frame pointer
 *	data	the frame pointer leads to a frame that returns into a table of constants
 *	hole	the frame pointer leads to a frame that returns to an address without code
 *	wild	burn_wild() returns to an address without code (it mends that in time)
 *	leaf	burn_leaf() has no frame, and its caller is leaf_caller()
 *	under	the same below bare_caller(), which has no frame either; its caller is over()
 *	through	burn_leaf() is where hop(), which was called, has jumped to
 *	jit	burn()'s caller is code made at run time, without a name and without unwind tables
 *	thread	as good, in a thread
 *	mixed	mid1() and mid2(), between top() and burn(), keep no frame: top() is not shown
 *	tree	burn() is called back by tsearch() of the C library, which keeps no frame
 *	libc	as good, but most of the time is spent in memset(), which keeps none either
 *	rand	as good, but the time is spent in random(), which rand() of the C library calls
 *	garbage	the stack pointer points into 128 KiB of words that are addresses of code and of
 *		themselves, or just numbers, at another place each time
 */
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifndef __x86_64__
int main(void)
{
	fprintf(stderr, "stacks: written for x86-64\n");
	return 77;
}
#else

static volatile uint64_t sink;
static double seconds = 1;

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Nothing is called while it turns, so that nearly all samples are in it. */
#define TURN(n)                                                                                    \
	"	mov $" n ", %%rcx\n"                                                               \
	"1:	dec %%rcx\n"                                                                           \
	"	jnz 1b\n"

void burn(void);
void burn(void)
{
	while (cpu_seconds() < seconds)
		__asm__ volatile(TURN("20000000") : : : "rcx");
	sink++;
}

/* As long as it turns rbp is @pointer. */
void burn_with(uint64_t pointer);
void burn_with(uint64_t pointer)
{
	while (cpu_seconds() < seconds)
		__asm__ volatile("	push %%rbp\n"
		                 "	mov %0, %%rbp\n" TURN("20000000") "	pop %%rbp\n"
		                 :
		                 : "r"(pointer)
		                 : "rcx", "memory");
	sink++;
}

void burn_wild(void);
void burn_wild(void)
{
	uint64_t *frame = __builtin_frame_address(0), back = frame[1];

	while (cpu_seconds() < seconds) {
		*(volatile uint64_t *)&frame[1] = 0x5000;
		__asm__ volatile(TURN("20000000") : : : "rcx", "memory");
		*(volatile uint64_t *)&frame[1] = back;
	}
	sink++;
}

void burn_leaf(void);
__attribute__((optimize("omit-frame-pointer"))) void burn_leaf(void)
{
	while (cpu_seconds() < seconds)
		__asm__ volatile(TURN("20000000") : : : "rcx");
	sink++;
}

#define NR_WORDS 16384

void burn_garbage(void);
__attribute__((optimize("omit-frame-pointer"))) void burn_garbage(void)
{
	extern const char __executable_start[], etext[];
	static uint64_t words[NR_WORDS];
	uint64_t x = 1, code = (uintptr_t)__executable_start, size = (uintptr_t)etext - code;

	for (unsigned i = 0; i < NR_WORDS; i++) {
		x = x * 6364136223846793005 + 1442695040888963407;
		words[i] = i % 4 == 3   ? x
		           : i % 4 == 2 ? (uintptr_t)&words[(x >> 40) % NR_WORDS]
		                        : code + (x >> 24) % size;
	}
	while (cpu_seconds() < seconds) {
		x = x * 6364136223846793005 + 1442695040888963407;
		__asm__ volatile("	mov %%rsp, %%rbx\n"
		                 "	mov %0, %%rsp\n" TURN("2000000") "	mov %%rbx, %%rsp\n"
		                 :
		                 : "r"(&words[(x >> 40) % (NR_WORDS / 2)])
		                 : "rbx", "rcx", "memory");
	}
	sink++;
}

void leaf_caller(void);
void leaf_caller(void)
{
	burn_leaf();
	sink++;
}

void bare_caller(void);
__attribute__((optimize("omit-frame-pointer"))) void bare_caller(void)
{
	burn_leaf();
	sink++;
}

void over(void);
void over(void)
{
	bare_caller();
	sink++;
}

void hop(void);
__asm__(".text\n.type hop, @function\nhop:\n.cfi_startproc\njmp burn_leaf\n.cfi_endproc\n.size hop, .-hop\n");

void hop_caller(void);
void hop_caller(void)
{
	hop();
	sink++;
}

void mid2(void);
__attribute__((optimize("omit-frame-pointer"))) void mid2(void)
{
	burn();
	sink++;
}

void mid1(void);
__attribute__((optimize("omit-frame-pointer"))) void mid1(void)
{
	mid2();
	sink++;
}

void top(void);
void top(void)
{
	mid1();
	sink++;
}

int compare(const void *a, const void *b);
int compare(const void *a, const void *b)
{
	burn();
	return a < b ? -1 : a > b;
}

void plant(void);
void plant(void)
{
	static const char keys[2];
	void *root = NULL;

	tsearch(&keys[0], &root, compare);
	tsearch(&keys[1], &root, compare);
	sink++;
}

void clear(void);
void clear(void)
{
	static char bytes[1 << 20];

	while (cpu_seconds() < seconds) {
		memset(bytes, (int)sink, sizeof(bytes));
		__asm__ volatile("" : : "r"(bytes) : "memory");
	}
	sink++;
}

void draw(void);
void draw(void)
{
	while (cpu_seconds() < seconds)
		for (int i = 0; i < 1000000; i++)
			sink += rand();
}

void dive(int depth);
void dive(int depth)
{
	if (depth > 0)
		dive(depth - 1);
	else
		burn();
	sink++; /* no tail call */
}

/* Only the lower end of the large frame is in use. */
static void below_unused(void)
{
	volatile char most[64 << 10];

	most[0] = 1;
	burn();
	most[0] = 2;
}

/* push rbp; mov rbp, rsp; call rdi; pop rbp; ret */
static const unsigned char caller[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };

static int from_made_code(void)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		return 1;
	memcpy(code, caller, sizeof(caller));
	((void (*)(void (*)(void)))(uintptr_t)code)(burn);
	return 0;
}

extern const uint64_t planted_table[8];
const uint64_t planted_table[8] = { 1 };

static void *thread(void *arg)
{
	burn();
	return arg;
}

static int in_a_thread(void)
{
	pthread_t id;

	return pthread_create(&id, NULL, thread, NULL) || pthread_join(id, NULL);
}

int main(int argc, char **argv)
{
	static const uint64_t frame[2] = { 0, 0x5000 };
	static const uint64_t at_table[2] = { 0, (uintptr_t)&planted_table[2] };
	const char *kind = argc > 1 ? argv[1] : "";

	if (argc > 2)
		seconds = atof(argv[2]);
	if (!strcmp(kind, "good"))
		burn();
	else if (!strcmp(kind, "deep"))
		dive(200);
	else if (!strcmp(kind, "unused"))
		below_unused();
	else if (!strcmp(kind, "lost"))
		burn_with(8);
	else if (!strcmp(kind, "hole"))
		burn_with((uintptr_t)frame);
	else if (!strcmp(kind, "data"))
		burn_with((uintptr_t)at_table);
	else if (!strcmp(kind, "wild"))
		burn_wild();
	else if (!strcmp(kind, "garbage"))
		burn_garbage();
	else if (!strcmp(kind, "leaf"))
		leaf_caller();
	else if (!strcmp(kind, "under"))
		over();
	else if (!strcmp(kind, "through"))
		hop_caller();
	else if (!strcmp(kind, "mixed"))
		top();
	else if (!strcmp(kind, "tree"))
		plant();
	else if (!strcmp(kind, "libc"))
		clear();
	else if (!strcmp(kind, "rand"))
		draw();
	else if (!strcmp(kind, "jit"))
		return from_made_code();
	else if (!strcmp(kind, "thread"))
		return in_a_thread();
	else
		return 2;
	return 0;
}
#endif
