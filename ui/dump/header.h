/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a perf.data file says about itself: the lines of `report --header`, `--header-only`, `-I`
 * and `script --header`, as Linux's perf 6.1 prints them.
 */
#ifndef PERF_UI_DUMP_HEADER_H
#define PERF_UI_DUMP_HEADER_H

#include "util/lib/cursor.h"
#include "util/lib/out.h"
#include "util/reader/reader.h"

/*
 * All lines, from "# ========" to the empty "#" behind the second one. @full (-I) also shows the
 * topology of the machine, else these are one line each that names -I.
 */
void header__print(struct out *out, const struct perf_data *data, bool full);

/* One feature's printer: reads the section, writes its lines; c->failed: nothing of it is shown. */
struct header_feature {
	const struct perf_data *data;
	struct cursor *c;
	struct out *out;
};

/* ui/dump/header_machine.c: what describes the machine and needs more than a line. */
void header__cpu_topology(const struct header_feature *f);
void header__numa_topology(const struct header_feature *f);
void header__caches(const struct header_feature *f);
void header__memory_nodes(const struct header_feature *f);
void header__hybrid_topology(const struct header_feature *f);

/* ui/dump/header_bpf.c */
void header__bpf_programs(const struct header_feature *f);
void header__bpf_btf(const struct header_feature *f);

#endif
