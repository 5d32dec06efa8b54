/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of a file in the order in which they stand in it, those of a live stream as
 * far as they have come.
 */
#ifndef PERF_UTIL_READER_FILE_ORDER_H
#define PERF_UTIL_READER_FILE_ORDER_H

#include "util/reader/reader.h"

struct file_order { /* private */
	const struct perf_data *data;
	bool swap;
	struct block_buffer buffer;
	struct data_block block;
	u32 next_block;
};

/* @data (borrowed) has been walked. */
void file_order__init(struct file_order *order, const struct perf_data *data);
void file_order__exit(struct file_order *order);

/* The offset of the first record that is still needed, when those so far have been taken. */
static inline u64 file_order__wants_from(const struct file_order *order)
{
	return perf_data__block_offset(order->data, order->next_block);
}

/* Private: go on in the next block. */
bool file_order__next_block(struct file_order *order, struct record *record, int *error);

/*
 * The next record: *record must be that of the last call, which becomes invalid, or zero. False at
 * the end, or with *error a negative errno if a block cannot be read again.
 */
static inline bool file_order__next(struct file_order *order, struct record *record, int *error)
{
	if (likely(order->block.data && data_block__next(&order->block, order->swap, record)))
		return true;
	return file_order__next_block(order, record, error);
}

#endif
