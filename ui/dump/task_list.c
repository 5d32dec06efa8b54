// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order is that of Linux's perf: threads are visited by the last byte of their tid, then by
 * tid, and each that is not in the tree yet is put below its parent, with all its ancestors.
 */
#include "ui/dump/task_list.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "util/lib/alloc.h"

#define LEVEL_MAX 500 /* blanks in front of a name */

struct task_node {
	u32 thread; /* of the machine */
	s32 tid, parent_tid;
	bool listed;
	u32 parent, first_child, last_child, next; /* nodes or ID_NONE */
};

/* A piece of an address space. */
struct piece {
	u64 start, end, pgoff;
	u32 map, dso, prot;
};

struct pieces {
	struct piece *pieces; /* ascending, none over another */
	u32 nr;
	size_t cap;
};

struct task_tree {
	struct out *out;
	const struct session *session;
	bool maps;
	struct task_node *nodes;
	u32 nr;
	struct u64map by_tid;
	struct task_node root;
	struct pieces text, data, both; /* of the task that is being printed */
};

static const struct moment at_the_end = { UINT64_MAX, UINT64_MAX };

/* ---- the tree ---- */

static int compare_nodes(const void *a, const void *b)
{
	const struct task_node *one = a, *two = b;
	u8 first = one->tid, second = two->tid;

	if (first != second)
		return first < second ? -1 : 1;
	return one->tid < two->tid ? -1 : one->tid > two->tid;
}

/* The last owner of each tid. */
static void collect(struct task_tree *tree)
{
	const struct machine *host = tree->session->host;
	unsigned told = THREAD_IN_TASKS | (tree->maps ? THREAD_IN_MAPS : 0);
	u32 nr = machine__nr_threads(host);

	tree->nodes = xcalloc(nr + 1, sizeof(*tree->nodes));
	for (u32 i = 0; i < nr; i++) {
		if (!(machine__told(host, i) & told) || machine__thread(host, i)->tid == -1)
			continue;
		u32 *index = u64map__at(&tree->by_tid, (u32)machine__thread(host, i)->tid);

		if (*index == ID_NONE)
			*index = tree->nr++;
		tree->nodes[*index] = (struct task_node){
			.thread = i,
			.tid = machine__thread(host, i)->tid,
			.parent_tid = machine__parent_of(host, i),
			.parent = ID_NONE,
			.first_child = ID_NONE,
			.next = ID_NONE,
		};
	}
	if (tree->nr)
		qsort(tree->nodes, tree->nr, sizeof(*tree->nodes), compare_nodes);
	for (u32 i = 0; i < tree->nr; i++)
		*u64map__at(&tree->by_tid, (u32)tree->nodes[i].tid) = i;
}

static void put_below(struct task_tree *tree, u32 parent, u32 child)
{
	struct task_node *above = parent == ID_NONE ? &tree->root : &tree->nodes[parent];

	tree->nodes[child].parent = parent;
	tree->nodes[child].listed = true;
	if (above->first_child == ID_NONE)
		above->first_child = child;
	else
		tree->nodes[above->last_child].next = child;
	above->last_child = child;
}

/* Is @node above @child already? Parents that were taken from records may go round. */
static bool is_above(const struct task_tree *tree, u32 node, u32 child)
{
	while (child != ID_NONE && child != node)
		child = tree->nodes[child].parent;
	return child == node;
}

static void list(struct task_tree *tree, u32 node)
{
	while (!tree->nodes[node].listed) {
		s32 tid = tree->nodes[node].parent_tid;
		u32 parent = tid == -1 ? ID_NONE : u64map__get(&tree->by_tid, (u32)tid);

		if (parent != ID_NONE && is_above(tree, node, parent))
			parent = ID_NONE;
		put_below(tree, parent, node);
		if (parent == ID_NONE)
			return;
		node = parent;
	}
}

/* ---- what is mapped ---- */

typedef bool (*find_fn)(const struct task_tree *tree, u32 thread, u64 addr, struct map_hit *hit);

static bool find_text(const struct task_tree *tree, u32 thread, u64 addr, struct map_hit *hit)
{
	return machine__find_map(tree->session->host, thread, false, addr, at_the_end, hit);
}

static bool find_data(const struct task_tree *tree, u32 thread, u64 addr, struct map_hit *hit)
{
	return machine__find_data_map(tree->session->host, thread, addr, at_the_end, hit);
}

static void add_piece(struct pieces *list, const struct piece *piece)
{
	struct piece *last = list->nr ? &list->pieces[list->nr - 1] : NULL;

	if (last && last->map == piece->map && last->end == piece->start &&
	    last->pgoff + (last->end - last->start) == piece->pgoff) {
		last->end = piece->end;
		return;
	}
	array__reserve(&list->pieces, &list->cap, list->nr + 1, sizeof(*list->pieces));
	list->pieces[list->nr++] = *piece;
}

static void walk_space(const struct task_tree *tree, u32 thread, find_fn find, struct pieces *list)
{
	struct map_hit hit;

	list->nr = 0;
	for (u64 addr = 0;; addr = hit.end) {
		if (find(tree, thread, addr, &hit) && hit.map != ID_NONE)
			add_piece(list, &(struct piece){ hit.start, hit.end, hit.pgoff, hit.map,
			                                 hit.dso, hit.prot });
		if (hit.end <= addr || hit.end == UINT64_MAX)
			return;
	}
}

static u64 nearest(u64 bound, u64 pos, u64 nearest_yet)
{
	return bound > pos && bound < nearest_yet ? bound : nearest_yet;
}

/*
 * Both lists in one, the piece of the later map where they overlap: code and data are kept apart
 * by the machine, but lie in one address space.
 */
static void join(const struct pieces *text, const struct pieces *data, struct pieces *both)
{
	u32 t = 0, d = 0;
	u64 pos = 0, end;

	for (both->nr = 0; t < text->nr || d < data->nr; pos = end) {
		const struct piece *one = t < text->nr ? &text->pieces[t] : NULL;
		const struct piece *two = d < data->nr ? &data->pieces[d] : NULL;
		const struct piece *won = one && one->start <= pos ? one : NULL;

		if (two && two->start <= pos && (!won || two->map > won->map))
			won = two;
		end = one ? nearest(one->end, pos, nearest(one->start, pos, UINT64_MAX))
		          : UINT64_MAX;
		end = two ? nearest(two->end, pos, nearest(two->start, pos, end)) : end;
		if (won)
			add_piece(both, &(struct piece){ pos, end, won->pgoff + (pos - won->start),
			                                 won->map, won->dso, won->prot });
		t += one && one->end <= end;
		d += two && two->end <= end;
	}
}

/* What the machine does not keep, from the record itself; zeros if it cannot be read again. */
static void read_map(const struct task_tree *tree, u32 map, struct mmap_record *m, u8 *bytes)
{
	const struct perf_data *data = tree->session->data;
	bool swap = perf_data__swapped(data);
	struct record r = { .data = bytes };
	u32 nr;
	u64 offset = machine__maps(tree->session->host, &nr)[map].when.offset;

	*m = (struct mmap_record){ .ino = 0 };
	if (perf_data__read_bytes(data, offset, bytes, RECORD_HEADER_SIZE))
		return;
	r.type = load_u32(bytes, swap);
	r.misc = load_u16(bytes + 4, swap);
	r.size = load_u16(bytes + 6, swap);
	if (r.size < RECORD_HEADER_SIZE || perf_data__read_bytes(data, offset, bytes, r.size) ||
	    (r.type != PERF_RECORD_MMAP && r.type != PERF_RECORD_MMAP2) ||
	    mmap_record__decode(&r, swap, m))
		*m = (struct mmap_record){ .ino = 0 };
}

/*
 * Memory without code has its own name, not that of the file with its symbols. The vdso of a 32-bit
 * program has another name in 6.1, which looks into the program's file; those of others are not
 * below 4 GB.
 */
static const char *name_of(const struct session *session, const struct piece *piece,
                           const struct mmap_record *m)
{
	const struct dso *dso = dsos__at(&session->dsos, piece->dso);

	if (dso->kind == DSO_ANON && !(piece->prot & PROT_EXEC) && m->name)
		return m->name;
	if (dso->kind == DSO_VDSO && piece->end <= 1ull << 32)
		return "[vdso32]";
	return strtab__get(&session->strings, dso->name);
}

static void print_piece(struct task_tree *tree, const struct piece *piece, u32 indent, u8 *bytes)
{
	struct out *out = tree->out;
	struct mmap_record m;

	read_map(tree, piece->map, &m, bytes);
	out__fill(out, ' ', indent);
	out__hex(out, piece->start, 0);
	out__char(out, '-');
	out__hex(out, piece->end, 0);
	out__printf(out, " %c%c%c%c %08llx %llu ", piece->prot & PROT_READ ? 'r' : '-',
	            piece->prot & PROT_WRITE ? 'w' : '-', piece->prot & PROT_EXEC ? 'x' : '-',
	            m.flags & MAP_SHARED ? 's' : 'p', (unsigned long long)piece->pgoff,
	            (unsigned long long)m.ino);
	out__name(out, name_of(tree->session, piece, &m));
	out__char(out, '\n');
}

static void print_maps(struct task_tree *tree, const struct task_node *node, u32 indent)
{
	u8 *bytes = xmalloc(UINT16_MAX);

	walk_space(tree, node->thread, find_text, &tree->text);
	walk_space(tree, node->thread, find_data, &tree->data);
	join(&tree->text, &tree->data, &tree->both);
	for (u32 i = 0; i < tree->both.nr; i++)
		print_piece(tree, &tree->both.pieces[i], indent, bytes);
	free(bytes);
}

/* ---- lines ---- */

static void print_node(struct task_tree *tree, const struct task_node *node, u32 level)
{
	const struct session *session = tree->session;
	const struct thread *thread = machine__thread(session->host, node->thread);
	u32 comm = machine__comm_at(session->host, node->thread, at_the_end);
	struct out *out = tree->out;

	if (level > LEVEL_MAX)
		level = LEVEL_MAX;
	out__printf(out, "%10d %8d %8d |", thread->pid, thread->tid, node->parent_tid);
	u32 indent = 30 + level + 2;

	out__fill(out, ' ', level);
	out__name(out, strtab__get(&session->strings, comm));
	out__char(out, '\n');
	if (tree->maps)
		print_maps(tree, node, indent);
}

/* Depth first, without recursion: chains of forks can be long. */
static void print_tree(struct task_tree *tree)
{
	u32 node = tree->root.first_child, level = 0;

	while (node != ID_NONE && !tree->out->error) {
		print_node(tree, &tree->nodes[node], level);
		if (tree->nodes[node].first_child != ID_NONE) {
			node = tree->nodes[node].first_child;
			level++;
			continue;
		}
		while (node != ID_NONE && tree->nodes[node].next == ID_NONE) {
			node = tree->nodes[node].parent;
			level--;
		}
		if (node != ID_NONE)
			node = tree->nodes[node].next;
	}
}

void task_list__print(struct out *out, const struct session *session, bool maps)
{
	struct task_tree tree = {
		.out = out,
		.session = session,
		.maps = maps,
		.root = { .first_child = ID_NONE },
	};

	collect(&tree);
	for (u32 i = 0; i < tree.nr; i++)
		list(&tree, i);
	out__printf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	if (u64map__get(&tree.by_tid, 0) == ID_NONE) /* it is always there */
		out__printf(out, "%10d %8d %8d |swapper\n", 0, 0, -1);
	print_tree(&tree);
	u64map__exit(&tree.by_tid);
	free(tree.nodes);
	free(tree.text.pieces);
	free(tree.data.pieces);
	free(tree.both.pieces);
}
