/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the rows of an event on several workers; the bytes are those of one. */
#ifndef PERF_UTIL_VIEW_VIEW_PRINT_H
#define PERF_UTIL_VIEW_VIEW_PRINT_H

#include "util/view/view.h"

struct row_printing {
	/* Start a printer of @view into @out, one for each worker; @ctx is shared by all. */
	void *(*begin)(const void *ctx, struct view *view, struct out *out);
	/* Print row @row. It may depend on no other row, nor on what the printer did before. */
	void (*print)(void *printer, u32 row);
	/* End a printer. Each on the thread that asks for the rows. */
	void (*end)(void *ctx, void *printer);
};

/* All rows, in order, by options.workers. */
void view__print_rows(struct view *view, u32 evsel, struct out *out, const struct row_printing *how,
                      void *ctx);

#endif
