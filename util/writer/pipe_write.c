// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order is that of Linux's perf 6.1: attrs, features in ascending order, an empty feature
 * that ends them, the formats of tracepoints. Its readers need the attrs before anything else.
 */
#include "util/writer/pipe_write.h"

#include <errno.h>
#include <stdlib.h>

#include "util/format/ends.h"
#include "util/format/record.h"

#define RECORD_SIZE_MAX 0xffff
#define LAST_FEATURE    FEATURE_PMU_CAPS /* 6.1 ends its list one behind its last */

/* Features that a stream does not carry: they are about a file, or known only at its end. */
static bool is_for_files(unsigned feature)
{
	switch (feature) {
	case FEATURE_TRACING_DATA: /* a record of its own */
	case FEATURE_BUILD_ID:
	case FEATURE_BRANCH_STACK:
	case FEATURE_AUXTRACE:
	case FEATURE_STAT:
	case FEATURE_CACHE:
	case FEATURE_DIR_FORMAT:
	case FEATURE_HYBRID_TOPOLOGY:
		return true;
	default:
		return false;
	}
}

static void put_header(struct out *out, u32 type, u64 size)
{
	u16 words[2] = { type == RECORD_HEADER_ATTR ? ENDS_MISC : 0, size }; /* misc, size */

	feature__put_u32(out, type);
	out__mem(out, words, sizeof(words));
}

static int put_attr(struct out *out, const struct evsel *evsel, struct error *err)
{
	u64 size = RECORD_HEADER_SIZE + evsel->attr.size + evsel->nr_ids * sizeof(u64);

	if (size > RECORD_SIZE_MAX) {
		error__set(err, -E2BIG, "cannot describe the event in a stream", evsel->name,
		           "it has %u counters", evsel->nr_ids);
		return error__advise(err, "record to a file: perf record -o FILE");
	}
	put_header(out, RECORD_HEADER_ATTR, size);
	out__mem(out, &evsel->attr, evsel->attr.size);
	out__mem(out, evsel->ids, evsel->nr_ids * sizeof(u64));
	return 0;
}

/* What is larger than a record (the topology of very many CPUs) cannot be told in a stream. */
static void put_feature(struct out *out, unsigned feature, const struct feature_source *source)
{
	struct out section;

	out__init(&section, -1);
	if (feature__write(feature, source, &section)) {
		u64 size = RECORD_HEADER_SIZE + sizeof(u64) + section.len;

		if (size <= RECORD_SIZE_MAX) {
			put_header(out, RECORD_HEADER_FEATURE, size);
			feature__put_u64(out, feature);
			out__mem(out, section.buf, section.len);
		}
	}
	out__exit(&section);
}

/* The record tells how long the blob behind it is; zeros fill it up to 8 bytes. */
static void put_tracing_data(struct out *out, const struct feature_source *source)
{
	static const u8 zeros[8];
	struct out blob;

	out__init(&blob, -1);
	if (feature__write(FEATURE_TRACING_DATA, source, &blob)) {
		u64 size = round_up_u64(blob.len, sizeof(zeros));

		put_header(out, RECORD_TRACING_DATA, RECORD_HEADER_SIZE + 2 * sizeof(u32));
		feature__put_u32(out, size);
		feature__put_u32(out, 0);
		out__mem(out, blob.buf, blob.len);
		out__mem(out, zeros, size - blob.len);
	}
	out__exit(&blob);
}

int pipe_form__begin(struct data_writer *writer, const struct feature_source *source,
                     struct error *err)
{
	const struct evlist *evlist = source->evlist;
	struct out out;
	int ret = 0;

	out__init(&out, -1);
	out__mem(&out, "PERFILE2", 8);
	feature__put_u64(&out, 16); /* the size of this header says that it is a stream */
	for (u32 i = 0; !ret && i < evlist->nr; i++)
		ret = put_attr(&out, evlist->evsels[i], err);
	for (unsigned feature = 1; feature <= LAST_FEATURE; feature++)
		if (!is_for_files(feature))
			put_feature(&out, feature, source);
	put_header(&out, RECORD_HEADER_FEATURE, RECORD_HEADER_SIZE + sizeof(u64));
	feature__put_u64(&out, LAST_FEATURE + 1);
	put_tracing_data(&out, source);
	if (!ret) {
		ret = data_writer__append_bytes(writer, out.buf, out.len);
		if (ret)
			error__set(err, ret, "cannot write to", "standard output", NULL);
	}
	out__exit(&out);
	return ret;
}
