// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A main() for harnesses without libFuzzer: the seeds and given files as they are, then seeded
 * random mutations of them. Knows nothing about coverage; it is there so that `make check` can run
 * every harness for a bounded time with any compiler, and to run one input again. Its time is that
 * of the processor: what else runs does not make the work less.
 *
 *	NAME [-n RUNS] [-t SECONDS] [-r SEED] [-l MAX_LEN] [-w DIR] [FILE|DIR]...
 *
 * -w writes the seeds to DIR (the start of libFuzzer's corpus) and ends. An input that crashes is
 * kept as crash-SEED-RUN in the current folder.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

#define INPUT_MAX (1u << 20)

struct input {
	u8 *data;
	size_t size;
};

static struct input *inputs;
static unsigned nr_inputs;
static struct input running; /* for the signal handler */
static unsigned long long run_nr, random_seed = 1;
static u64 random_state;

static u64 random_u64(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dull;
}

static size_t random_below(size_t n)
{
	return n ? random_u64() % n : 0;
}

static void add_input(const void *data, size_t size)
{
	if (size > INPUT_MAX)
		return;
	inputs = realloc(inputs, (nr_inputs + 1) * sizeof(*inputs));
	u8 *copy = malloc(size + 1);

	if (!inputs || !copy)
		abort();
	memcpy(copy, data, size);
	inputs[nr_inputs++] = (struct input){ copy, size };
}

static void add_file(const char *path)
{
	static u8 buf[INPUT_MAX];
	FILE *file = fopen(path, "r");

	if (!file) {
		perror(path);
		exit(2);
	}
	add_input(buf, fread(buf, 1, sizeof(buf), file));
	fclose(file);
}

static void add_path(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char sub[4096];

	if (!dir) {
		add_file(path);
		return;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(sub, sizeof(sub), "%s/%s", path, entry->d_name);
		add_file(sub);
	}
	closedir(dir);
}

/* A value at which code tends to go wrong, of 1 to 8 bytes. */
static u64 nasty_value(void)
{
	static const u64 values[] = { 0,          1,          7,          8,          16,
		                      0x7f,       0x80,       0xff,       0x100,      0x7fff,
		                      0x8000,     0xfff8,     0xffff,     0x10000,    0x7fffffff,
		                      0x80000000, 0xffffffff, 1ull << 32, 1ull << 61, 1ull << 63,
		                      ~0ull >> 1, ~0ull,      ~0ull - 7,  ~0ull >> 3 };

	return values[random_below(ARRAY_SIZE(values))];
}

static void put_value(struct input *in)
{
	size_t width = (size_t)1 << random_below(4);
	u64 value = random_below(3) ? nasty_value() : random_u64();

	if (in->size < width)
		return;
	size_t at = random_below(in->size - width + 1);

	if (random_below(4)) /* fields are aligned, mostly */
		at &= ~(width - 1);
	if (random_below(4) == 0)
		value = __builtin_bswap64(value);
	memcpy(in->data + at, &value, width);
}

/* Copy, zero or cut out a range. */
static void move_range(struct input *in)
{
	size_t from = random_below(in->size), to = random_below(in->size);
	size_t len = random_below(1 + (in->size - (from > to ? from : to)));

	switch (random_below(3)) {
	case 0:
		memmove(in->data + to, in->data + from, len);
		break;
	case 1:
		memset(in->data + to, 0, len);
		break;
	default:
		memmove(in->data + from, in->data + from + len, in->size - from - len);
		in->size -= len;
	}
}

/* The rest of another input behind a prefix of this one. */
static void splice_inputs(struct input *in, size_t max)
{
	const struct input *other = &inputs[random_below(nr_inputs)];
	size_t at = random_below(in->size + 1), from = random_below(other->size + 1);
	size_t len = other->size - from;

	if (at + len > max)
		len = max - at;
	memcpy(in->data + at, other->data + from, len);
	in->size = at + len;
}

static void mutate(struct input *in, size_t max)
{
	for (size_t n = 1 + random_below(6); n && in->size; n--)
		switch (random_below(8)) {
		case 0:
		case 1:
			in->data[random_below(in->size)] ^= 1u << random_below(8);
			break;
		case 2:
			move_range(in);
			break;
		case 3:
			if (!random_below(3))
				in->size = random_below(in->size + 1);
			break;
		case 4:
			if (!random_below(3))
				splice_inputs(in, max);
			break;
		default:
			put_value(in);
		}
}

/* With a sanitizer it calls us before it ends the program, else a signal does. */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

static void keep_input(void)
{
	char name[64];

	if (!running.data)
		return;
	int len = snprintf(name, sizeof(name), "crash-%llu-%llu", random_seed, run_nr);
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, running.data, running.size) != (ssize_t)running.size ||
	    write(2, "input kept as ", 14) != 14 || write(2, name, len) != len ||
	    write(2, "\n", 1) != 1)
		_exit(3);
}

static void keep_crash(int sig)
{
	keep_input();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void catch_crashes(void)
{
	signal(SIGABRT, keep_crash);
	if (__sanitizer_set_death_callback) {
		__sanitizer_set_death_callback(keep_input);
		return;
	}
	signal(SIGSEGV, keep_crash);
	signal(SIGBUS, keep_crash);
	signal(SIGFPE, keep_crash);
}

/* From a buffer of exactly its size, so that a sanitizer sees reads behind it. */
static void run(const struct input *in)
{
	running.data = malloc(in->size ? in->size : 1);
	running.size = in->size;
	memcpy(running.data, in->data, in->size);
	run_nr++;
	LLVMFuzzerTestOneInput(running.data, running.size);
	free(running.data);
	running.data = NULL; /* what is found at the end (leaks) is of no one input */
}

static void write_seeds(const char *dir)
{
	char path[4096];

	for (unsigned i = 0; i < nr_inputs; i++) {
		snprintf(path, sizeof(path), "%s/seed-%u", dir, i);
		FILE *file = fopen(path, "w");

		if (!file || fwrite(inputs[i].data, 1, inputs[i].size, file) != inputs[i].size ||
		    fclose(file)) {
			perror(path);
			exit(2);
		}
	}
}

static void run_mutations(unsigned long runs, unsigned seconds, size_t max)
{
	u8 *buf = malloc(INPUT_MAX);
	clock_t end = clock() + (clock_t)seconds * CLOCKS_PER_SEC;

	for (unsigned long i = 0; buf && nr_inputs && i < runs; i++) {
		const struct input *from = &inputs[random_below(nr_inputs)];
		struct input in = { buf, from->size < max ? from->size : max };

		memcpy(buf, from->data, in.size);
		mutate(&in, max);
		run(&in);
		if (seconds && i % 64 == 0 && clock() >= end)
			break;
	}
	free(buf);
}

int main(int argc, char **argv)
{
	unsigned long runs = 0;
	unsigned seconds = 0;
	size_t max = 65536;
	const char *seed_dir = NULL;
	int option;

	while ((option = getopt(argc, argv, "n:t:r:l:w:")) != -1) {
		switch (option) {
		case 'n':
			runs = strtoul(optarg, NULL, 0);
			break;
		case 't':
			seconds = strtoul(optarg, NULL, 0);
			break;
		case 'r':
			random_seed = strtoul(optarg, NULL, 0);
			break;
		case 'l':
			max = strtoul(optarg, NULL, 0);
			max = max > INPUT_MAX ? INPUT_MAX : max;
			break;
		case 'w':
			seed_dir = optarg;
			break;
		default:
			return 2;
		}
	}
	random_state = random_seed * 0x9e3779b97f4a7c15ull | 1;
	if (optind == argc)
		fuzz__seeds(add_input);
	for (; optind < argc; optind++)
		add_path(argv[optind]);
	if (seed_dir) {
		write_seeds(seed_dir);
		return 0;
	}
	catch_crashes();
	for (unsigned i = 0; i < nr_inputs; i++)
		run(&inputs[i]);
	run_mutations(runs, seconds, max);
	printf("%llu runs from %u inputs, %.0f a CPU second\n", run_nr, nr_inputs,
	       (double)run_nr * CLOCKS_PER_SEC / ((double)clock() + 1));
	return 0;
}
