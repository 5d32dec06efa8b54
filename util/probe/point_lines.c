// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/probe/point_lines.h"

#include <stdlib.h>
#include <string.h>

static bool find_data(void *ctx, const struct sdt_probe *probe, const char *name, u64 *place)
{
	const struct probe_symbol *symbol = probe_target__data_symbol(ctx, name);

	if (symbol)
		*place = symbol->addr - (probe_target__vaddr(ctx, probe->offset) - probe->offset);
	return symbol;
}

char *point_line__make(struct probe_target *target, const struct sdt_probe *probe, u16 machine,
                       const char *group, const char *name, const char *path, char **refused)
{
	const struct sdt_symbols symbols = { find_data, target };

	return sdt_probe__line(probe, machine, &symbols, group, name, path, refused);
}

static bool is_called(const struct sdt_probe *probe, const char *event)
{
	size_t len = strlen(probe->provider);

	return !strncmp(event, "sdt_", 4) && !strncmp(event + 4, probe->provider, len) &&
	       event[4 + len] == ':' && !strcmp(event + 5 + len, probe->name);
}

static void open_program(struct point_lines *lines, const char *path)
{
	struct error unused = ERROR_INIT;

	if (lines->path && !strcmp(lines->path, path))
		return;
	point_lines__exit(lines);
	lines->path = xstrdup(path);
	lines->is_open = !probe_target__open(&lines->target, path, NULL, 0, false, &unused);
	if (lines->is_open)
		sdt_probes__read(&lines->probes, &lines->target.elf);
}

char *point_lines__find(struct point_lines *lines, const char *event, const char *path, u64 offset,
                        const char *group, const char *name, char **refused)
{
	open_program(lines, path);
	for (u32 i = 0; i < lines->probes.nr; i++) {
		const struct sdt_probe *probe = &lines->probes.probes[i];

		if (probe->offset == offset && is_called(probe, event))
			return point_line__make(&lines->target, probe, lines->probes.machine, group,
			                        name, path, refused);
	}
	return NULL;
}

void point_lines__exit(struct point_lines *lines)
{
	if (lines->is_open) {
		sdt_probes__exit(&lines->probes);
		probe_target__close(&lines->target);
	}
	free(lines->path);
	*lines = (struct point_lines){ .path = NULL };
}
