// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/call_graph_choice.h"

#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/unwind/frame.h"
#include "util/unwind/start_code.h"

#define DEPTH_STEP  256
#define NR_DEPTHS   (65536 / DEPTH_STEP + 1) /* the last: what was copied did not reach */
#define FRAMES_MAX  4096                     /* different ones that are remembered */
#define START_DEPTH 4                        /* frames of a libc above where threads start */
#define AROUND      8                        /* functions on each side of one */
#define SMALL       16                       /* bytes; such functions are nothing but a jump */

#define RIGHT_SHARE  0.95 /* of the stacks, for frame pointers */
#define FRAMED_SHARE 0.25 /* of the functions around */
#define DEPTH_SHARE  0.99 /* of the stacks that the copy is for */

const u32 call_graph_sizes[CALL_GRAPH_NR_SIZES] = { 4096, 8192, 16384, 32768, STACK_SIZE_MAX };

struct program {
	u32 name;
	u64 nr, pointers, unwound;
	u32 depths[NR_DEPTHS]; /* stacks that needed so much */
};

/* A place on the stacks of a program. */
struct seen_frame {
	u32 program, dso;
	u64 addr, nr;
	const struct arch *arch;
};

struct call_graph_pilot {
	const struct dsos *dsos;
	struct unwind_tables *tables;
	struct session_symbols *symbols;
	struct start_code *start;
	struct strtab names;
	struct u64map name_of_pid;
	struct u64map program_of_name; /* into: */
	struct program *programs;
	u32 nr_programs;
	size_t programs_cap;
	struct u64map frame_of_address; /* into: */
	struct seen_frame *frames;
	u32 nr_frames;
	size_t frames_cap;
	u64 nr, nr_against;
};

struct call_graph_pilot *call_graph_pilot__new(const struct dsos *dsos,
                                               struct unwind_tables *tables)
{
	static const struct symbol_config config = { .symfs = "" };
	struct call_graph_pilot *pilot = xcalloc(1, sizeof(*pilot));

	pilot->dsos = dsos;
	pilot->tables = tables;
	pilot->symbols = session_symbols__new(dsos, &config);
	pilot->start = start_code__new(dsos, pilot->symbols, tables);
	strtab__init(&pilot->names);
	return pilot;
}

void call_graph_pilot__delete(struct call_graph_pilot *pilot)
{
	if (!pilot)
		return;
	start_code__delete(pilot->start);
	session_symbols__delete(pilot->symbols);
	strtab__exit(&pilot->names);
	u64map__exit(&pilot->name_of_pid);
	u64map__exit(&pilot->program_of_name);
	u64map__exit(&pilot->frame_of_address);
	free(pilot->programs);
	free(pilot->frames);
	free(pilot);
}

u64 call_graph_pilot__nr(const struct call_graph_pilot *pilot)
{
	return pilot->nr;
}

u64 call_graph_pilot__nr_against(const struct call_graph_pilot *pilot)
{
	return pilot->nr_against;
}

/* ---- who runs ---- */

void call_graph_pilot__take(struct call_graph_pilot *pilot, const struct record *record)
{
	struct comm_record comm;
	struct task_record task;

	if (record->type == PERF_RECORD_COMM && !comm_record__decode(record, false, &comm)) {
		if (comm.pid == comm.tid)
			*u64map__at(&pilot->name_of_pid, comm.pid) =
			        strtab__add(&pilot->names, comm.name);
	} else if (record->type == PERF_RECORD_FORK && !task_record__decode(record, false, &task)) {
		u32 name = u64map__get(&pilot->name_of_pid, task.ppid);

		if (task.pid != task.ppid && name != ID_NONE)
			*u64map__at(&pilot->name_of_pid, task.pid) = name;
	}
}

static struct program *program_of(struct call_graph_pilot *pilot, s32 pid)
{
	u32 name = u64map__get(&pilot->name_of_pid, (u32)pid);

	if (name == ID_NONE)
		name = strtab__add(&pilot->names, "?");
	u32 *index = u64map__at(&pilot->program_of_name, name);

	if (*index == ID_NONE) {
		array__reserve(&pilot->programs, &pilot->programs_cap, pilot->nr_programs + 1,
		               sizeof(*pilot->programs));
		pilot->programs[pilot->nr_programs] = (struct program){ .name = name };
		*index = pilot->nr_programs++;
	}
	return &pilot->programs[*index];
}

/* ---- two chains of one stack ---- */

/* The frames in user space. */
static struct u64_span user_part(const struct u64_span *chain)
{
	u64 at = chain__user_marker(chain, false);

	at += at < chain->nr;
	return (struct u64_span){ chain->data + at * 8, chain->nr - at };
}

/* Frame pointers lead to return addresses, unwinding to the calls before them. */
static bool is_caller(u64 by_pointers, u64 unwound)
{
	return by_pointers == unwound + 1 || by_pointers == unwound;
}

/* How many frames of @unwound, from the leaf, are those of @pointers, too. */
static u64 common(const struct u64_span *pointers, const struct u64_span *unwound,
                  const struct arch *arch)
{
	u64 nr = 0, left_out = 0;

	if (!pointers->nr || !unwound->nr ||
	    u64_span__get(pointers, 0, false) != u64_span__get(unwound, 0, false))
		return 0;
	/* What called a leaf is in a register there, for readers to put in. */
	if (arch->leaf_link && pointers->nr > 1 && unwound->nr > 2 &&
	    !is_caller(u64_span__get(pointers, 1, false), u64_span__get(unwound, 1, false)))
		left_out = 1;
	for (nr = 1; nr < pointers->nr && nr + left_out < unwound->nr; nr++)
		if (!is_caller(u64_span__get(pointers, nr, false),
		               u64_span__get(unwound, nr + left_out, false)))
			break;
	return nr > 1 ? nr + left_out : nr;
}

/* Is the frame in one of the functions in which threads start? */
static bool is_start(struct call_graph_pilot *pilot, const struct call_graph_stack *stack, u64 addr)
{
	struct unwind_location location = { .dso = ID_NONE };

	stack->locate(stack->ctx, addr, &location);
	enum start_kind kind =
	        location.dso == ID_NONE
	                ? START_NOT
	                : start_code__kind(pilot->start, location.dso, location.addr);

	return kind == START_THREAD || kind == START_CLONE;
}

/* Do frame pointers show all callers, the first @nr of which unwinding shows, too? */
static bool is_right(struct call_graph_pilot *pilot, const struct call_graph_stack *stack,
                     const struct u64_span *pointers, const struct u64_span *unwound, u64 nr)
{
	if (!nr)
		return false;
	if (stack->verdict.end == CHAIN_COMPLETE)
		return nr == unwound->nr ||
		       (unwound->nr - nr <= START_DEPTH &&
		        is_start(pilot, stack, u64_span__get(unwound, nr - 1, false)));
	/* Unwinding ended too early: what lies beyond cannot be compared, but has a known end. */
	if (nr < unwound->nr || pointers->nr <= nr)
		return false;
	for (u64 i = pointers->nr; i-- > nr;) /* above may be what is no frame any more */
		if (is_start(pilot, stack, u64_span__get(pointers, i, false) - 1))
			return true;
	return false;
}

static void note_frame(struct call_graph_pilot *pilot, u32 program,
                       const struct call_graph_stack *stack, u64 addr)
{
	struct unwind_location location = { .dso = ID_NONE };

	stack->locate(stack->ctx, addr, &location);
	if (location.dso == ID_NONE)
		return;
	u64 key[3] = { program, location.dso, location.addr };
	u32 *index = u64map__at(&pilot->frame_of_address, hash__bytes(key, sizeof(key)));

	if (*index != ID_NONE) {
		pilot->frames[*index].nr++;
		return;
	}
	if (pilot->nr_frames == FRAMES_MAX) {
		*index = FRAMES_MAX - 1;
		return;
	}
	array__reserve(&pilot->frames, &pilot->frames_cap, pilot->nr_frames + 1,
	               sizeof(*pilot->frames));
	pilot->frames[pilot->nr_frames] = (struct seen_frame){ .program = program,
		                                               .dso = location.dso,
		                                               .addr = location.addr,
		                                               .nr = 1,
		                                               .arch = stack->arch };
	*index = pilot->nr_frames++;
}

bool call_graph_pilot__add(struct call_graph_pilot *pilot, const struct call_graph_stack *stack)
{
	const struct u64_span pointers = user_part(&stack->by_pointers),
	                      unwound = user_part(&stack->unwound);

	if (!pointers.nr && !unwound.nr)
		return false;
	struct program *program = program_of(pilot, stack->pid);
	u64 nr = common(&pointers, &unwound, stack->arch);
	bool right = is_right(pilot, stack, &pointers, &unwound, nr);
	bool complete = stack->verdict.end == CHAIN_COMPLETE;
	u32 depth = stack->verdict.end == CHAIN_CUT_COPY
	                    ? NR_DEPTHS - 1
	                    : min_u64((stack->verdict.depth + DEPTH_STEP - 1) / DEPTH_STEP,
	                              NR_DEPTHS - 2);

	pilot->nr++;
	pilot->nr_against += complete && !right;
	program->nr++;
	program->pointers += right;
	program->unwound += complete;
	program->depths[depth]++;
	/* The leaf, and what both found; but the last, which is the C library's. */
	for (u64 i = 0; i < unwound.nr && (!i || i + 1 < nr); i++)
		note_frame(pilot, program - pilot->programs, stack,
		           u64_span__get(&unwound, i, false));
	return right && !complete;
}

/* ---- the choice ---- */

/* Does the function keep a frame pointer, as its tables say of its middle? */
static bool keeps_pointer(const struct cfi *cfi, const struct cfi_entry *entry,
                          const struct arch *arch)
{
	struct cfi_row row;

	return !cfi__row(cfi, entry->start + (entry->end - entry->start) / 2, &row, NULL) &&
	       frame_kind__of_row(&row, cfi, arch) == FRAME_KEPT;
}

static void look_around(const struct call_graph_pilot *pilot, const struct seen_frame *frame,
                        struct call_graph_object *object)
{
	const struct cfi *cfi;
	const struct cfi_entry *at = unwind_tables__eh_entry(pilot->tables, frame->dso, frame->addr,
	                                                     frame->arch->machine, &cfi);

	if (!at)
		return;
	u32 index = at - cfi->entries, first = index > AROUND ? index - AROUND : 0;

	for (u32 i = first; i < cfi->nr && i <= index + AROUND; i++) {
		if (cfi->entries[i].end - cfi->entries[i].start < SMALL)
			continue;
		object->functions++;
		object->framed += keeps_pointer(cfi, &cfi->entries[i], frame->arch);
	}
}

static struct call_graph_object *object_of(const struct call_graph_pilot *pilot,
                                           struct call_graph_choice *choice,
                                           const struct seen_frame *frame)
{
	const char *name =
	        strtab__get(pilot->dsos->strings, dsos__at(pilot->dsos, frame->dso)->name);
	u32 i = 0;

	while (i < choice->nr_objects && (choice->objects[i].program != frame->program ||
	                                  strcmp(choice->objects[i].name, name) != 0))
		i++;
	if (i == choice->nr_objects)
		choice->objects[choice->nr_objects++] =
		        (struct call_graph_object){ .name = xstrdup(name),
			                            .program = frame->program };
	return &choice->objects[i];
}

static int by_program(const void *a, const void *b)
{
	const struct call_graph_object *x = a, *y = b;

	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	return x->frames > y->frames ? -1 : x->frames < y->frames;
}

static void sum_objects(const struct call_graph_pilot *pilot, struct call_graph_choice *choice)
{
	choice->objects = xcalloc(pilot->nr_frames + 1, sizeof(*choice->objects));
	for (u32 i = 0; i < pilot->nr_frames; i++) {
		const struct seen_frame *frame = &pilot->frames[i];
		struct call_graph_object *object = object_of(pilot, choice, frame);

		object->frames += frame->nr;
		look_around(pilot, frame, object);
	}
	for (u32 i = 0; i < choice->nr_objects; i++) {
		choice->functions += choice->objects[i].functions;
		choice->framed += choice->objects[i].framed;
	}
	qsort(choice->objects, choice->nr_objects, sizeof(*choice->objects), by_program);
}

/* What DEPTH_SHARE of @nr stacks needed. */
static u32 depth_of(const u32 *depths, u64 nr)
{
	u64 sum = 0;

	for (u32 i = 0; i < NR_DEPTHS - 1; i++) {
		sum += depths[i];
		if (sum >= nr * DEPTH_SHARE)
			return i * DEPTH_STEP;
	}
	return UINT32_MAX;
}

static void sum_programs(const struct call_graph_pilot *pilot, struct call_graph_choice *choice)
{
	u32 depths[NR_DEPTHS] = { 0 };
	struct call_graph_tally *all = &choice->tally;

	choice->nr_programs = pilot->nr_programs;
	choice->programs = xcalloc(pilot->nr_programs + 1, sizeof(*choice->programs));
	for (u32 i = 0; i < pilot->nr_programs; i++) {
		const struct program *program = &pilot->programs[i];
		const struct call_graph_tally tally = { program->nr, program->pointers,
			                                program->unwound,
			                                depth_of(program->depths, program->nr) };

		choice->programs[i] = (struct call_graph_program){
			xstrdup(strtab__get(&pilot->names, program->name)), tally
		};
		all->nr += tally.nr;
		all->pointers += tally.pointers;
		all->unwound += tally.unwound;
		for (u32 d = 0; d < NR_DEPTHS; d++)
			depths[d] += program->depths[d];
	}
	all->depth = depth_of(depths, all->nr);
}

static u32 size_for(u32 depth)
{
	for (u32 i = 0; i < CALL_GRAPH_NR_SIZES; i++)
		if (depth + (u64)depth / 4 <= call_graph_sizes[i])
			return call_graph_sizes[i];
	return call_graph_sizes[CALL_GRAPH_NR_SIZES - 1];
}

void call_graph_pilot__choose(const struct call_graph_pilot *pilot,
                              struct call_graph_choice *choice)
{
	*choice = (struct call_graph_choice){ .mode = CHAIN_DWARF };
	sum_programs(pilot, choice);
	sum_objects(pilot, choice);
	const struct call_graph_tally *all = &choice->tally;
	bool right = all->pointers >= all->nr * RIGHT_SHARE || all->pointers > all->unwound;

	choice->stack_size = size_for(all->depth);
	if (!all->nr || !right)
		return;
	choice->functions_speak_against = choice->framed < choice->functions * FRAMED_SHARE;
	if (!choice->functions_speak_against)
		choice->mode = CHAIN_FP;
}

void call_graph_choice__exit(struct call_graph_choice *choice)
{
	for (u32 i = 0; i < choice->nr_programs; i++)
		free(choice->programs[i].name);
	for (u32 i = 0; i < choice->nr_objects; i++)
		free(choice->objects[i].name);
	free(choice->programs);
	free(choice->objects);
	*choice = (struct call_graph_choice){ .mode = CHAIN_AUTO };
}
