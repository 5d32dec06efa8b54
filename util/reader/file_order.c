// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/reader/file_order.h"

#include <stdlib.h>

void file_order__init(struct file_order *order, const struct perf_data *data)
{
	*order = (struct file_order){ .data = data, .swap = perf_data__swapped(data) };
}

void file_order__exit(struct file_order *order)
{
	free(order->buffer.buf);
}

bool file_order__next_block(struct file_order *order, struct record *record, int *error)
{
	do {
		order->block.data = NULL;
		if (order->next_block == perf_data__nr_blocks(order->data))
			return false;
		*error = perf_data__read_block(order->data, order->next_block++, &order->buffer,
		                               &order->block);
		if (*error) {
			order->block.data = NULL;
			return false;
		}
		*record = (struct record){ .data = NULL };
	} while (!data_block__next(&order->block, order->swap, record));
	return true;
}
