// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types stand one behind the other, without their sizes, so all are walked over once; a kind that
 * is not known ends the walk. Ids begin with 1. Only what is asked for is looked at, and then
 * checked: a type that leads to itself is left after MAX_DEPTH steps, and MAX_MEMBERS members.
 */
#include "util/bpf_filter/btf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/file.h"

#define MAGIC       0xeb9f
#define MAX_BYTES   (256ul << 20)
#define MAX_DEPTH   32
#define MAX_MEMBERS 100000

enum kind {
	KIND_INT = 1,
	KIND_PTR,
	KIND_ARRAY,
	KIND_STRUCT,
	KIND_UNION,
	KIND_ENUM,
	KIND_FWD,
	KIND_TYPEDEF,
	KIND_VOLATILE,
	KIND_CONST,
	KIND_RESTRICT,
	KIND_FUNC,
	KIND_FUNC_PROTO,
	KIND_VAR,
	KIND_DATASEC,
	KIND_FLOAT,
	KIND_DECL_TAG,
	KIND_TYPE_TAG,
	KIND_ENUM64,
	NR_KINDS,
};

/* Behind the three words of a type: so many bytes, and so many for each of its parts. */
static const struct {
	u8 own, part;
} sizes[NR_KINDS] = {
	[KIND_INT] = { 4, 0 },     [KIND_ARRAY] = { 12, 0 },   [KIND_STRUCT] = { 0, 12 },
	[KIND_UNION] = { 0, 12 },  [KIND_ENUM] = { 0, 8 },     [KIND_FUNC_PROTO] = { 0, 8 },
	[KIND_VAR] = { 4, 0 },     [KIND_DATASEC] = { 0, 12 }, [KIND_DECL_TAG] = { 4, 0 },
	[KIND_ENUM64] = { 0, 12 },
};

/* The three words, taken apart. */
struct type {
	const char *name;
	u32 nr, kind;
	bool flag; /* offsets of members have the size of a bit field on top */
	u32 size;  /* in bytes, or the id of another type */
	const u8 *parts;
};

static const char *string_at(const struct btf *btf, u32 offset)
{
	return offset < btf->nr_strings ? btf->strings + offset : "";
}

static struct type type_at(const struct btf *btf, u32 id)
{
	const u8 *at = (const u8 *)btf->data + (id < btf->nr ? btf->types[id] : 0);
	struct type type = { .name = "" };
	u32 info;

	if (id >= btf->nr || !btf->types[id])
		return type;
	info = load_u32(at + 4, false);
	type.name = string_at(btf, load_u32(at, false));
	type.nr = info & 0xffff;
	type.kind = info >> 24 & 0x1f;
	type.flag = info >> 31;
	type.size = load_u32(at + 8, false);
	type.parts = at + 12 + sizes[type.kind].own;
	return type;
}

static int walk_types(struct btf *btf, u32 from, u32 len)
{
	struct cursor c = cursor__make(btf->data + from, len, false);
	size_t cap = 0;

	array__reserve(&btf->types, &cap, 1, sizeof(*btf->types));
	btf->types[btf->nr++] = 0; /* void */
	while (cursor__left(&c)) {
		u32 offset = (const char *)c.pos - btf->data, info, kind;

		cursor__u32(&c);
		info = cursor__u32(&c);
		cursor__u32(&c);
		kind = info >> 24 & 0x1f;
		if (!kind || kind >= NR_KINDS)
			return -EINVAL;
		cursor__bytes(&c, sizes[kind].own + (size_t)sizes[kind].part * (info & 0xffff));
		if (c.failed)
			return -EINVAL;
		array__reserve(&btf->types, &cap, btf->nr + 1, sizeof(*btf->types));
		btf->types[btf->nr++] = offset;
	}
	return 0;
}

static int parse(struct btf *btf, size_t len)
{
	struct cursor c = cursor__make(btf->data, len, false);
	u32 header, type_off, type_len, string_off, string_len;

	if (cursor__u16(&c) != MAGIC || cursor__u8(&c) != 1)
		return -EINVAL;
	cursor__u8(&c);
	header = cursor__u32(&c);
	type_off = cursor__u32(&c);
	type_len = cursor__u32(&c);
	string_off = cursor__u32(&c);
	string_len = cursor__u32(&c);
	if (c.failed || header > len || type_off > len - header ||
	    type_len > len - header - type_off || string_off > len - header ||
	    string_len > len - header - string_off || !string_len)
		return -EINVAL;
	btf->strings = btf->data + header + string_off;
	btf->nr_strings = string_len;
	if (btf->strings[string_len - 1])
		return -EINVAL;
	return walk_types(btf, header + type_off, type_len);
}

int btf__read(struct btf *btf, const char *path, struct error *err)
{
	size_t len;
	int ret;

	*btf = (struct btf){ .data = file__read_all(path, MAX_BYTES, &len) };
	if (!btf->data)
		return error__set(err, -errno, "cannot read", path, NULL);
	ret = parse(btf, len);
	if (!ret)
		return 0;
	btf__exit(btf);
	return error__set(err, ret, "cannot read", path, "damaged, or newer than this perf knows");
}

void btf__exit(struct btf *btf)
{
	free(btf->data);
	free(btf->types);
	*btf = (struct btf){ .nr = 0 };
}

/* What a name, const, volatile ... stands for. */
static u32 strip(const struct btf *btf, u32 id)
{
	for (u32 depth = 0; depth < MAX_DEPTH; depth++) {
		struct type type = type_at(btf, id);

		switch (type.kind) {
		case KIND_TYPEDEF:
		case KIND_VOLATILE:
		case KIND_CONST:
		case KIND_RESTRICT:
		case KIND_TYPE_TAG:
			id = type.size;
			break;
		default:
			return id;
		}
	}
	return 0;
}

static u32 size_of(const struct btf *btf, u32 id)
{
	struct type type = type_at(btf, id);

	switch (type.kind) {
	case KIND_PTR:
		return sizeof(void *);
	case KIND_INT:
	case KIND_ENUM:
	case KIND_ENUM64:
	case KIND_STRUCT:
	case KIND_UNION:
		return type.size;
	default:
		return 0;
	}
}

/* For one name of a path, in a structure and in its members without names. */
struct search {
	const struct btf *btf;
	const char *name;
	size_t len;
	u32 left; /* members that may still be looked at */
};

/* @inside: the type of what was found. */
static int find_in(struct search *search, u32 id, u32 depth, struct btf_member *member, u32 *inside)
{
	struct type type = type_at(search->btf, id);

	if ((type.kind != KIND_STRUCT && type.kind != KIND_UNION) || depth >= MAX_DEPTH)
		return -ENOENT;
	for (u32 i = 0; i < type.nr && search->left; i++, search->left--) {
		const u8 *part = type.parts + 12 * i;
		const char *name = string_at(search->btf, load_u32(part, false));
		u32 sub = strip(search->btf, load_u32(part + 4, false));
		u32 offset = load_u32(part + 8, false);
		bool odd = type.flag ? offset >> 24 : offset % 8;

		offset = (type.flag ? offset & 0xffffff : offset) / 8;
		if (!*name && !find_in(search, sub, depth + 1, member, inside)) {
			member->offset += offset;
			return 0;
		}
		if (strncmp(name, search->name, search->len) || name[search->len])
			continue;
		*member = (struct btf_member){ offset, size_of(search->btf, sub) };
		*inside = sub;
		return odd ? -ENOENT : 0;
	}
	return -ENOENT;
}

int btf__find_member(const struct btf *btf, const char *name, const char *path,
                     struct btf_member *member)
{
	u32 id = 1, before = 0;

	for (; id < btf->nr; id++) {
		struct type type = type_at(btf, id);

		if (type.kind == KIND_STRUCT && !strcmp(type.name, name))
			break;
	}
	for (u32 depth = 0; depth < MAX_DEPTH; depth++) {
		size_t len = strcspn(path, ".");
		struct search search = { btf, path, len, MAX_MEMBERS };
		int ret = find_in(&search, id, 0, member, &id);

		if (ret)
			return ret;
		member->offset += before;
		before = member->offset;
		path += len;
		if (!*path++)
			return 0;
	}
	return -ENOENT;
}

u32 btf__find_function(const struct btf *btf, const char *name, u32 *nr_params)
{
	for (u32 id = 1; id < btf->nr; id++) {
		struct type type = type_at(btf, id);

		if (type.kind != KIND_FUNC || strcmp(type.name, name))
			continue;
		*nr_params = type_at(btf, type.size).nr;
		return id;
	}
	return 0;
}
