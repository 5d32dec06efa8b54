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

/* What tells one dso from another. */
struct identity {
	u32 name;
	enum dso_kind kind;
	s32 pid;
	const u8 *id; /* of the build; where size is 0 the inode counts */
	u8 size;
	struct dso_inode inode;
};

static bool is_same(const struct dso *dso, const struct identity *want)
{
	if (dso->name != want->name || dso->kind != want->kind || dso->pid != want->pid)
		return false;
	if (!want->size)
		return dso_inode__equal(&dso->inode, &want->inode);
	return dso->build_id_size == want->size && !memcmp(dso->build_id, want->id, want->size);
}

/* Where the dso is (or belongs) in by_key. Keys that collide are told apart by trying the next. */
static u32 *find_slot(struct dsos *dsos, const struct identity *want)
{
	u64 key = hash__add(hash__add(want->name, want->kind), (u32)want->pid);

	if (want->size)
		key = hash__add(key, hash__bytes(want->id, want->size));
	else
		key = hash__add(hash__add(key, want->inode.ino),
		                (u64)want->inode.maj << 32 | want->inode.min);
	for (;; key = hash__add(key, 1)) {
		u32 *slot = u64map__at(&dsos->by_key, key);

		if (*slot == ID_NONE || is_same(&dsos->dsos[*slot], want))
			return slot;
	}
}

static u32 add_dso(struct dsos *dsos, const char *name, const struct identity *who)
{
	array__reserve(&dsos->dsos, &dsos->cap, dsos->nr + 1, sizeof(*dsos->dsos));
	struct dso *dso = &dsos->dsos[dsos->nr];

	*dso = (struct dso){
		.name = who->name,
		.short_name = short_name(dsos, name, who->kind, who->pid),
		.kind = who->kind,
		.build_id_size = who->size,
		.pid = who->pid,
		.mapped_by = -1,
		.inode = who->inode,
		.next_without_id = ID_NONE,
	};
	if (who->size) {
		memcpy(dso->build_id, who->id, who->size);
	} else {
		u32 *chain = u64map__at(&dsos->without_id, who->name);

		dso->next_without_id = *chain;
		*chain = dsos->nr;
	}
	return dsos->nr++;
}

static u32 get(struct dsos *dsos, const char *name, struct identity *who)
{
	who->name = strtab__add(dsos->strings, name);
	u32 *slot = find_slot(dsos, who);

	if (*slot == ID_NONE)
		*slot = add_dso(dsos, name, who);
	return *slot;
}

static void set_id(struct identity *who, const u8 *build_id, u8 size)
{
	if (build_id && size <= sizeof(((struct dso *)0)->build_id)) {
		who->id = build_id;
		who->size = size;
	}
}

u32 dsos__get(struct dsos *dsos, const char *name, enum dso_kind kind, s32 pid, const u8 *build_id,
              u8 build_id_size)
{
	struct identity who = { .kind = kind, .pid = -1 };
	char perf_map[32];

	if (kind == DSO_ANON) {
		/* A JIT maps without end: do not make its name each time. */
		if (dsos->last_anon != ID_NONE && dsos->dsos[dsos->last_anon].pid == pid)
			return dsos->last_anon;
		snprintf(perf_map, sizeof(perf_map), "/tmp/perf-%d.map", pid);
		who.pid = pid;
		return dsos->last_anon = get(dsos, perf_map, &who);
	}
	set_id(&who, build_id, build_id_size);
	return get(dsos, name, &who);
}

static bool is_deleted(const char *name)
{
	static const char mark[] = " (deleted)";
	size_t len = strlen(name);

	return len >= sizeof(mark) && !strcmp(name + len - strlen(mark), mark);
}

u32 dsos__get_file(struct dsos *dsos, const char *name, s32 pid, const struct dso_inode *inode,
                   const u8 *build_id, u8 build_id_size)
{
	struct identity who = { .kind = DSO_USER, .pid = -1 };

	set_id(&who, build_id, build_id_size);
	if (!who.size && !is_deleted(name))
		who.inode = *inode;
	u32 id = get(dsos, name, &who);

	if (dsos->dsos[id].mapped_by < 0)
		dsos->dsos[id].mapped_by = pid;
	return id;
}

static void set_build_id(struct dsos *dsos, u32 number, const u8 *id, u8 size)
{
	struct dso *dso = &dsos->dsos[number];

	memcpy(dso->build_id, id, size);
	dso->build_id_size = size;
	/* Found from now on by its id, too. */
	u32 *slot = find_slot(dsos, &(struct identity){ .name = dso->name,
	                                                .kind = dso->kind,
	                                                .pid = dso->pid,
	                                                .id = id,
	                                                .size = size });

	if (*slot == ID_NONE)
		*slot = number;
}

void dsos__set_build_id(struct dsos *dsos, const char *name, const u8 *id, u8 size)
{
	u32 name_id = strtab__find(dsos->strings, name);

	if (name_id == ID_NONE || !size || size > sizeof(dsos->dsos->build_id))
		return;
	bool taken =
	        *find_slot(dsos, &(struct identity){ name_id, DSO_USER, -1, id, size }) != ID_NONE;

	/* Chains stay as they are: a map cannot forget a key. */
	for (u32 i = u64map__get(&dsos->without_id, name_id); i != ID_NONE;
	     i = dsos->dsos[i].next_without_id) {
		const struct dso *dso = &dsos->dsos[i];

		if (!dso->build_id_size && !(taken && dso->inode.ino))
			set_build_id(dsos, i, id, size);
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
