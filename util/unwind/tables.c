// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/tables.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/symtab/elf_symbols.h"
#include "util/symtab/object_file.h"

#define START_MAX  48 /* bytes of the function in which programs start */
#define GROUP_SIZE 256
#define GROUPS_MAX 4096 /* dsos beyond them have no tables */

enum state {
	STATE_UNREAD,
	STATE_EH_READ,  /* .eh_frame was looked for */
	STATE_ALL_READ, /* and .debug_frame */
};

struct object {
	atomic_int state;
	struct object *next; /* of those that were read */
	u16 machine;
	bool has_go;
	u64 start;              /* where its program starts; 0: nowhere */
	struct symtab segments; /* nothing else of it is used */
	struct cfi eh, debug;
	u8 *eh_bytes, *debug_bytes;
	struct error error;
};

struct unwind_tables {
	const struct dsos *dsos;
	struct symbol_config config;
	pthread_mutex_t lock; /* held while tables are read */
	atomic_ullong size;   /* bytes that were read */
	/* Objects by dso, in groups that never move; NULL: nothing of it was asked for. */
	_Atomic(struct object *) groups[GROUPS_MAX];
	struct object *read; /* under the lock */
};

struct unwind_tables *unwind_tables__new(const struct dsos *dsos,
                                         const struct symbol_config *config)
{
	struct unwind_tables *tables = xcalloc(1, sizeof(*tables));

	tables->dsos = dsos;
	tables->config = *config;
	if (!tables->config.symfs)
		tables->config.symfs = "";
	pthread_mutex_init(&tables->lock, NULL);
	return tables;
}

static void exit_object(struct object *object)
{
	symtab__exit(&object->segments);
	cfi__exit(&object->eh);
	cfi__exit(&object->debug);
	free(object->eh_bytes);
	free(object->debug_bytes);
}

void unwind_tables__delete(struct unwind_tables *tables)
{
	if (!tables)
		return;
	/* The memory of all others was never touched. */
	for (struct object *object = tables->read; object; object = object->next)
		exit_object(object);
	for (u32 i = 0; i < GROUPS_MAX; i++)
		free(atomic_load(&tables->groups[i]));
	pthread_mutex_destroy(&tables->lock);
	free(tables);
}

/* A copy of a section, indexed; NULL: there is none, or none that can be used. */
static u8 *read_section(struct unwind_tables *tables, struct elf_file *elf, const char *name,
                        bool eh, struct cfi *cfi)
{
	struct elf_section *section = elf_file__section(elf, name);
	const Elf_Data *data = section ? elf_file__data(elf, section) : NULL;

	if (!data || !data->d_size)
		return NULL;
	u8 *bytes = xmalloc(data->d_size);

	memcpy(bytes, data->d_buf, data->d_size);
	const struct cfi_section source = {
		.data = bytes,
		.size = data->d_size,
		.addr = section->header.sh_addr,
		.eh = eh,
		.is64 = elf->is64,
		.swap = elf->swap,
		.machine = elf->machine,
	};
	cfi__init(cfi, &source);
	atomic_fetch_add(&tables->size, data->d_size + cfi->nr * sizeof(*cfi->entries));
	return bytes;
}

static void read_eh(struct unwind_tables *tables, u32 dso, struct object *object)
{
	struct object_files files;

	if (object_files__open(&files, tables->dsos, dso, &tables->config, false, &object->error))
		return;
	object->machine = files.elf.machine;
	object->has_go = elf_file__section(&files.elf, ".gopclntab");
	object->start = elf_file__entry(&files.elf);
	elf_symbols__set_segments(&object->segments, &files.elf);
	object->eh_bytes = read_section(tables, &files.elf, ".eh_frame", true, &object->eh);
	object_files__close(&files);
}

static void read_debug(struct unwind_tables *tables, u32 dso, struct object *object)
{
	struct object_files files;

	if (object_files__open(&files, tables->dsos, dso, &tables->config, true, NULL))
		return;
	object->debug_bytes =
	        read_section(tables, &files.elf, ".debug_frame", false, &object->debug);
	if (!object->debug_bytes && files.has_debug)
		object->debug_bytes =
		        read_section(tables, &files.debug, ".debug_frame", false, &object->debug);
	object_files__close(&files);
}

/* NULL: nobody has asked for any of its group. */
static struct object *known_object(const struct unwind_tables *tables, u32 dso)
{
	struct object *group = dso < GROUPS_MAX * GROUP_SIZE
	                               ? atomic_load_explicit(&tables->groups[dso / GROUP_SIZE],
	                                                      memory_order_acquire)
	                               : NULL;

	return group ? &group[dso % GROUP_SIZE] : NULL;
}

static struct object *object_of(struct unwind_tables *tables, u32 dso)
{
	struct object *object = known_object(tables, dso);

	if (likely(object) || dso >= GROUPS_MAX * GROUP_SIZE)
		return object;
	_Atomic(struct object *) *group = &tables->groups[dso / GROUP_SIZE];

	pthread_mutex_lock(&tables->lock);
	if (!atomic_load(group))
		atomic_store_explicit(group, xcalloc(GROUP_SIZE, sizeof(struct object)),
		                      memory_order_release);
	pthread_mutex_unlock(&tables->lock);
	return known_object(tables, dso);
}

/* Read until the object has that state. */
static void need(struct unwind_tables *tables, u32 dso, struct object *object, int state)
{
	if (likely(atomic_load_explicit(&object->state, memory_order_acquire) >= state))
		return;
	pthread_mutex_lock(&tables->lock);
	int now = atomic_load(&object->state);

	if (now == STATE_UNREAD) {
		object->next = tables->read;
		tables->read = object;
		read_eh(tables, dso, object);
		now = object->error.code ? STATE_ALL_READ : STATE_EH_READ;
	} else if (now < state) {
		read_debug(tables, dso, object);
		now = STATE_ALL_READ;
	}
	atomic_store_explicit(&object->state, now, memory_order_release);
	pthread_mutex_unlock(&tables->lock);
}

/*
 * The function that the kernel starts programs in has no caller. It is some instructions long, and
 * that of the dynamic linker has no entry in the tables.
 */
static bool is_start(const struct object *object, u64 vaddr, struct cfi_row *row)
{
	if (!object->start || vaddr - object->start >= START_MAX)
		return false;
	*row = (struct cfi_row){ .cfa.kind = CFI_UNDEFINED,
		                 .nr = 1,
		                 .rules[0].kind = CFI_UNDEFINED };
	return true;
}

/* The object of a dso with the address in its terms; NULL: it is not of @machine, or not there. */
static struct object *object_at(struct unwind_tables *tables, u32 dso, u64 addr, u16 machine,
                                u64 *vaddr)
{
	struct object *object = object_of(tables, dso);

	if (!object)
		return NULL;
	need(tables, dso, object, STATE_EH_READ);
	if (object->error.code || object->machine != machine)
		return NULL;
	*vaddr = symtab__vaddr_of_offset(&object->segments, addr);
	return object;
}

int unwind_tables__vaddr(struct unwind_tables *tables, u32 dso, u64 addr, u16 machine, u64 *vaddr)
{
	return object_at(tables, dso, addr, machine, vaddr) ? 0 : -ENOENT;
}

const struct cfi_entry *unwind_tables__eh_entry(struct unwind_tables *tables, u32 dso, u64 addr,
                                                u16 machine, const struct cfi **cfi)
{
	u64 vaddr;
	struct object *object = object_at(tables, dso, addr, machine, &vaddr);

	if (!object)
		return NULL;
	*cfi = &object->eh;
	return cfi__entry(&object->eh, vaddr);
}

int unwind_tables__open(const struct unwind_tables *tables, u32 dso, bool want_debug,
                        struct object_files *files)
{
	return object_files__open(files, tables->dsos, dso, &tables->config, want_debug, NULL);
}

int unwind_tables__row(struct unwind_tables *tables, u32 dso, u64 addr, u16 machine,
                       struct cfi_row *row, const struct cfi **cfi)
{
	u64 vaddr;
	struct object *object = object_at(tables, dso, addr, machine, &vaddr);

	if (!object)
		return -ENOENT;
	int ret = cfi__row(&object->eh, vaddr, row, NULL);

	*cfi = &object->eh;
	if (ret != -ENOENT)
		return ret;
	need(tables, dso, object, STATE_ALL_READ);
	*cfi = &object->debug;
	ret = cfi__row(&object->debug, vaddr, row, NULL);
	return ret == -ENOENT && is_start(object, vaddr, row) ? 0 : ret;
}

bool unwind_tables__has_go(const struct unwind_tables *tables, u32 dso)
{
	const struct object *object = known_object(tables, dso);

	return object && object->has_go;
}

u64 unwind_tables__size(const struct unwind_tables *tables)
{
	return atomic_load(&tables->size);
}
