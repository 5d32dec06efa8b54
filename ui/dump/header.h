/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header of a perf.data file as text: `report --header`, `--header-only`, `-I`, `script
 * --header`. The lines are those of Linux's perf 6.1.
 */
#ifndef PERF_UI_DUMP_HEADER_H
#define PERF_UI_DUMP_HEADER_H

#include "util/lib/cursor.h"
#include "util/lib/out.h"
#include "util/reader/reader.h"

/*
 * Print all lines, from "# ========" to the empty "#" after the second one. @full (-I): with the
 * topology of the machine; else each such feature is one line that mentions -I.
 */
void header__print(struct out *out, const struct perf_data *data, bool full);

/* Input of a feature's printer, which reads and prints the section; c->failed drops its lines. */
struct header_feature {
	const struct perf_data *data;
	struct cursor *c;
	struct out *out;
};

/* ui/dump/header_machine.c: features of the machine that need more than a line. */
void header__cpu_topology(const struct header_feature *f);
void header__numa_topology(const struct header_feature *f);
void header__caches(const struct header_feature *f);
void header__memory_nodes(const struct header_feature *f);
void header__hybrid_topology(const struct header_feature *f);

/* ui/dump/header_bpf.c */
void header__bpf_programs(const struct header_feature *f);
void header__bpf_btf(const struct header_feature *f);

#endif
