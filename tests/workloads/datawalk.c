// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O1 -Wall */
/*
 * datawalk FILE: a second, independent look at a perf.data file (little endian, file form), for
 * tests that must not trust perf's own reader. Prints what is there, one fact a line, and exits 1
 * with the place where the file contradicts itself.
 *
 *	attrs 2			events
 *	data 976		bytes of the data section; 0: the recording was not ended
 *	features 2 3 4 ...	numbers of the header features
 *	samples 12		records of type 9
 *	type 10 5		number of records of each type
 *	exec 2			COMM records with the exec bit
 *	lost 7			sum over LOST_SAMPLES records
 *	map /bin/true		names of MMAP and MMAP2 records, in order
 *	map-ids 3		MMAP2 records with a build-id
 *	attr 0 sample_type 0x7 read_format 0x14 flags 0x... wakeup 1 regs_user 0x3 regs_intr 0x0
 *	cgroup 1 /		id and path of CGROUP records
 *	namespaces 12 7		tid and number of NAMESPACES records
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *file;
static uint64_t size;

static void bad(const char *what, uint64_t at)
{
	printf("broken %s at %llu\n", what, (unsigned long long)at);
	exit(1);
}

static uint64_t u64(uint64_t at)
{
	uint64_t v;

	if (at + 8 > size)
		bad("cut", at);
	memcpy(&v, file + at, 8);
	return v;
}

static void read_file(const char *path)
{
	FILE *in = fopen(path, "rb");

	if (!in || fseek(in, 0, SEEK_END)) {
		perror(path);
		exit(2);
	}
	size = ftell(in);
	rewind(in);
	file = malloc(size + 1);
	if (!file || fread(file, 1, size, in) != size)
		exit(2);
	fclose(in);
}

static void print_features(uint64_t table, uint64_t start)
{
	uint64_t end = start, nr = 0;

	printf("features");
	for (int bit = 0; bit < 256; bit++) {
		if (!(u64(72 + bit / 64 * 8) >> bit % 64 & 1))
			continue;
		uint64_t at = u64(table + nr * 16), len = u64(table + nr * 16 + 8);

		if (at < end || at + len > size)
			bad("feature", at);
		end = at + len;
		nr++;
		printf(" %d", bit);
	}
	printf("\n");
}

static void print_attrs(void)
{
	uint64_t each = u64(16), at = u64(24);

	for (uint64_t i = 0; i < u64(32) / each; i++, at += each)
		printf("attr %llu period %llu sample_type %#llx read_format %#llx flags %#llx wakeup %u clock %d "
		       "regs_user %#llx regs_intr %#llx\n",
		       (unsigned long long)i, (unsigned long long)u64(at + 16),
		       (unsigned long long)u64(at + 24), (unsigned long long)u64(at + 32),
		       (unsigned long long)u64(at + 40), (unsigned)u64(at + 48),
		       (int)(u64(at + 88) >> 32), (unsigned long long)u64(at + 80),
		       (unsigned long long)u64(at + 96));
}

int main(int argc, char **argv)
{
	static uint64_t types[256];
	uint64_t at, end, exec = 0, lost = 0, map_ids = 0;

	if (argc != 2)
		return 2;
	read_file(argv[1]);
	if (size < 104 || memcmp(file, "PERFILE2", 8) || u64(8) != 104)
		bad("header", 0);
	if (u64(24) + u64(32) > u64(40) || u64(40) + u64(48) > size)
		bad("section", 24);
	printf("attrs %llu\ndata %llu\n", (unsigned long long)(u64(32) / u64(16)),
	       (unsigned long long)u64(48));
	at = u64(40);
	end = at + u64(48);
	print_features(end, end);
	print_attrs();
	while (at < end) {
		uint64_t head = u64(at);
		uint32_t type = head, misc = head >> 32 & 0xffff, len = head >> 48;
		uint32_t name = type == 10 ? 72 : 40;

		if (len < 8 || at + len > end || type > 255)
			bad("record", at);
		types[type]++;
		exec += type == 3 && misc & 0x2000;
		lost += type == 13 ? u64(at + 8) : 0;
		if (type == 1 || type == 10)
			printf("map %.*s\n", (int)(len - name), file + at + name);
		map_ids += type == 10 && misc & 0x4000;
		if (type == 19)
			printf("cgroup %llu %.*s\n", (unsigned long long)u64(at + 8), len - 16,
			       file + at + 16);
		if (type == 16)
			printf("namespaces %u %llu\n", (unsigned)(u64(at + 8) >> 32),
			       (unsigned long long)u64(at + 16));
		at += len;
	}
	printf("samples %llu\nexec %llu\nlost %llu\n", (unsigned long long)types[9],
	       (unsigned long long)exec, (unsigned long long)lost);
	printf("map-ids %llu\n", (unsigned long long)map_ids);
	for (int type = 0; type < 256; type++)
		if (types[type])
			printf("type %d %llu\n", type, (unsigned long long)types[type]);
	return 0;
}
