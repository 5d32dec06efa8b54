// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/machine/dsos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

void dsos__init(struct dsos *dsos, struct strtab *strings)
{
	*dsos = (struct dsos){ .strings = strings, .last_anon = ID_NONE };
}

void dsos__exit(struct dsos *dsos)
{
	free(dsos->dsos);
	u64map__exit(&dsos->by_key);
	u64map__exit(&dsos->without_id);
	*dsos = (struct dsos){ .strings = NULL };
}

/* "/lib/modules/6.1/net/nf-tables.ko.xz" -> "[nf_tables]"; "[name]" stays. */
static u32 module_short_name(struct dsos *dsos, const char *name)
{
	char text[256];
	const char *base = text__basename(name), *end = strstr(base, ".ko");

	if (*base == '[' || !end || (end[3] && end[3] != '.'))
		return strtab__add(dsos->strings, base);
	int len = snprintf(text, sizeof(text), "[%.*s]", (int)(end - base), base);

	if (len >= (int)sizeof(text))
		return strtab__add(dsos->strings, base);
	for (char *c = text; *c; c++)
		if (*c == '-')
			*c = '_';
	return strtab__add(dsos->strings, text);
}

static u32 short_name(struct dsos *dsos, const char *name, enum dso_kind kind, s32 pid)
{
	const char *base = text__basename(name);
	char jit[32];

	if (kind == DSO_ANON) {
		snprintf(jit, sizeof(jit), "[JIT] tid %d", pid);
		return strtab__add(dsos->strings, jit);
	}
	if (kind == DSO_MODULE)
		return module_short_name(dsos, name);
	return strtab__add(dsos->strings, *base ? base : name);
}

/* Is @dso what these words describe? @size 0: any, as found by the key without a build-id. */
static bool is_same(const struct dso *dso, u32 name, enum dso_kind kind, s32 pid, const u8 *id,
                    u8 size)
{
	return dso->name == name && dso->kind == kind && dso->pid == pid &&
	       (!size || (dso->build_id_size == size && !memcmp(dso->build_id, id, size)));
}

/* Where the dso is (or belongs) in by_key. Keys that collide are told apart by trying the next. */
static u32 *find_slot(struct dsos *dsos, u32 name, enum dso_kind kind, s32 pid, const u8 *id,
                      u8 size)
{
	u64 key = hash__add(hash__add(name, kind), (u32)pid);

	for (key = hash__add(key, size ? hash__bytes(id, size) : 0);; key = hash__add(key, 1)) {
		u32 *slot = u64map__at(&dsos->by_key, key);

		if (*slot == ID_NONE || is_same(&dsos->dsos[*slot], name, kind, pid, id, size))
			return slot;
	}
}

static u32 add_dso(struct dsos *dsos, const char *name, u32 name_id, enum dso_kind kind, s32 pid,
                   const u8 *build_id, u8 build_id_size)
{
	array__reserve(&dsos->dsos, &dsos->cap, dsos->nr + 1, sizeof(*dsos->dsos));
	struct dso *dso = &dsos->dsos[dsos->nr];

	*dso = (struct dso){
		.name = name_id,
		.short_name = short_name(dsos, name, kind, pid),
		.kind = kind,
		.build_id_size = build_id_size,
		.pid = pid,
		.next_without_id = ID_NONE,
	};
	if (build_id_size) {
		memcpy(dso->build_id, build_id, build_id_size);
	} else {
		u32 *chain = u64map__at(&dsos->without_id, name_id);

		dso->next_without_id = *chain;
		*chain = dsos->nr;
	}
	return dsos->nr++;
}

u32 dsos__get(struct dsos *dsos, const char *name, enum dso_kind kind, s32 pid, const u8 *build_id,
              u8 build_id_size)
{
	char perf_map[32];

	if (!build_id || build_id_size > sizeof(dsos->dsos->build_id))
		build_id_size = 0;
	if (kind == DSO_ANON) {
		/* A JIT maps without end: do not make its name each time. */
		if (dsos->last_anon != ID_NONE && dsos->dsos[dsos->last_anon].pid == pid)
			return dsos->last_anon;
		snprintf(perf_map, sizeof(perf_map), "/tmp/perf-%d.map", pid);
		name = perf_map;
		build_id_size = 0;
	} else {
		pid = -1;
	}
	u32 name_id = strtab__add(dsos->strings, name);
	u32 *slot = find_slot(dsos, name_id, kind, pid, build_id, build_id_size);

	if (*slot == ID_NONE)
		*slot = add_dso(dsos, name, name_id, kind, pid, build_id, build_id_size);
	if (kind == DSO_ANON)
		dsos->last_anon = *slot;
	return *slot;
}

void dsos__set_build_id(struct dsos *dsos, const char *name, const u8 *id, u8 size)
{
	u32 name_id = strtab__find(dsos->strings, name);

	if (name_id == ID_NONE || !size || size > sizeof(dsos->dsos->build_id))
		return;
	/* Chains stay as they are: a map cannot forget a key. */
	for (u32 dso_id = u64map__get(&dsos->without_id, name_id); dso_id != ID_NONE;
	     dso_id = dsos->dsos[dso_id].next_without_id) {
		struct dso *dso = &dsos->dsos[dso_id];

		if (dso->build_id_size)
			continue;
		memcpy(dso->build_id, id, size);
		dso->build_id_size = size;
		/* Found from now on by name alone and by name and id. */
		u32 *slot = find_slot(dsos, dso->name, dso->kind, dso->pid, id, size);

		if (*slot == ID_NONE)
			*slot = dso_id;
	}
}

enum dso_kind dso_kind__of_map(const char *name)
{
	/* What the kernel calls executable memory that is no file, with what follows the name. */
	static const char *const anonymous[] = {
		"//anon", "/dev/zero", "/anon_hugepage", "/SYSV", "[heap]", "[stack",
	};

	if (!*name)
		return DSO_ANON;
	if (!strcmp(name, "[vdso]"))
		return DSO_VDSO;
	if (!strcmp(name, "[vsyscall]"))
		return DSO_VSYSCALL;
	for (size_t i = 0; i < ARRAY_SIZE(anonymous); i++)
		if (text__starts_with(name, anonymous[i]))
			return DSO_ANON;
	return DSO_USER;
}
