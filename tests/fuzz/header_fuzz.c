// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One feature section: byte 0 its number, byte 1 the byte order, then its bytes. Reaches the
 * printers of --header more quickly than whole files do.
 */
#include "ui/dump/header.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/perf_data.h"
#include "util/reader/features.h"

static void touch_build_id(void *ctx, const struct build_id_entry *entry)
{
	(void)ctx;
	fuzz__touch(entry, sizeof(*entry));
	fuzz__touch(entry->name, strlen(entry->name));
}

static void build(struct builder *out, const u8 *bytes, size_t size)
{
	struct file_builder f;
	struct perf_event_attr attr = built_attr(PERF_SAMPLE_IP);
	struct builder *b;

	file_builder__init(&f, bytes[1] & 1);
	file_builder__event(&f, &attr, NULL, 0);
	file_builder__event(&f, &attr, NULL, 0);
	builder__end(&f.data, builder__begin(&f.data, RECORD_FINISHED_ROUND, 0));
	builder__feature_string(file_builder__feature(&f, FEATURE_HOSTNAME), "h");
	b = file_builder__feature(&f, FEATURE_NRCPUS);
	builder__u32(b, 2);
	builder__u32(b, 2);
	b = file_builder__feature(&f, bytes[0] % 40);
	b->len = 0;
	builder__bytes(b, bytes + 2, size - 2);
	file_builder__finish(&f, out);
	file_builder__exit(&f);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct builder file;
	struct out out;

	if (size < 2)
		return 0;
	build(&file, bytes, size);
	struct perf_data *data =
	        perf_data__open(fuzz__file(file.data, file.len), PERF_DATA_FORCE, NULL);

	builder__exit(&file);
	if (!data)
		return 0;
	out__init(&out, -1);
	header__print(&out, data, true);
	for (const char *p = out__take(&out); *p; p++)
		FUZZ_CHECK(*p == '\n' || *p == '\t' || (u8)*p >= ' ');
	out__exit(&out);
	perf_data__build_ids(data, touch_build_id, NULL);
	perf_data__close(data);
	return 0;
}

void fuzz__seeds(void (*add)(const void *data, size_t size))
{
	for (int swap = 0; swap < 2; swap++) {
		struct file_builder f;

		file_builder__init(&f, swap);
		fuzz__add_features(&f);
		for (unsigned i = 0; i < 40; i++) {
			struct builder seed = { 0 };

			if (!f.has_feature[i])
				continue;
			builder__u8(&seed, i);
			builder__u8(&seed, swap);
			builder__bytes(&seed, f.features[i].data, f.features[i].len);
			add(seed.data, seed.len);
			builder__exit(&seed);
		}
		file_builder__exit(&f);
	}
}
