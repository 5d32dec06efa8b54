// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unwinding by libdw's dwfl, for all architectures that it supports. A Dwfl stands for an address
 * space: an object is reported to it when a chain first comes to one of its addresses; if another
 * object was mapped there since, the Dwfl is made anew. Its handles belong to one thread.
 */
#ifdef HAVE_LIBDW

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/symtab/object_file.h"
#include "util/unwind/engine.h"

#define SPACES 4 /* address spaces known at one time: each holds its files open */
#define TASK   1 /* the one thread of each */

struct libdw;

/* The user data of a module. */
struct module {
	struct libdw *self;
	u32 dso;
};

struct space {
	Dwfl *dwfl; /* NULL: none */
	u32 id;
	u16 machine;
	bool attached;
	struct arena modules;
};

struct libdw {
	struct unwind_tables *tables;
	struct space spaces[SPACES];
	unsigned next; /* which is given up for another */
	/* At work: */
	struct unwind_chain chain;
	struct space *space;
	bool outermost;
	bool read_zero; /* since the last frame, from the stack: a return address, perhaps */
	bool full;      /* more frames than there is room for */
	bool stale;     /* another object than before is mapped where one was reported */
};

static struct module *module_of(Dwfl_Module *handle)
{
	void **user = NULL;

	dwfl_module_info(handle, &user, NULL, NULL, NULL, NULL, NULL, NULL);
	return user ? *user : NULL;
}

/* A descriptor of the library's own, also for what is in memory only ([vdso]); or -1. */
static int own_fd(const struct elf_file *elf)
{
	if (elf->fd >= 0)
		return fcntl(elf->fd, F_DUPFD_CLOEXEC, 0);
	int fd = memfd_create("object", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, elf->image, elf->size) != (ssize_t)elf->size) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* ---- callbacks about objects ---- */

static int find_elf(Dwfl_Module *handle, void **user, const char *name, Dwarf_Addr base,
                    char **file_name, Elf **elf)
{
	(void)handle;
	(void)user;
	(void)name;
	(void)base;
	(void)file_name;
	(void)elf;
	return -1; /* each was reported with its file */
}

/* The library would look everywhere, and ask servers: where debug files are is for perf to say. */
static int find_debug(Dwfl_Module *handle, void **user, const char *name, Dwarf_Addr base,
                      const char *file_name, const char *link, GElf_Word crc, char **debug_name)
{
	const struct module *module = *user;
	struct object_files files;
	int fd = -1;

	(void)handle;
	(void)name;
	(void)base;
	(void)file_name;
	(void)link;
	(void)crc;
	(void)debug_name;
	if (!module || unwind_tables__open(module->self->tables, module->dso, true, &files))
		return -1;
	if (files.has_debug)
		fd = own_fd(&files.debug);
	object_files__close(&files);
	return fd;
}

/* Tell of the object that the chain's last frame is in. */
static void report_object(struct libdw *self)
{
	const struct unwind_chain *chain = &self->chain;
	struct space *space = self->space;
	struct object_files files;
	char name[40];

	if (!chain->in_object)
		return;
	Dwfl_Module *handle = dwfl_addrmodule(space->dwfl, chain->pc);
	struct module *module = handle ? module_of(handle) : NULL;

	if (module) {
		self->stale |= module->dso != chain->location.dso;
		return;
	}
	if (unwind_tables__open(self->tables, chain->location.dso, false, &files))
		return;
	u64 bias = chain->pc - chain->vaddr;
	/* The library does not know that programs map parts of themselves once more (node does). */
	int fd = files.elf.type == ET_EXEC && bias ? -1 : own_fd(&files.elf);

	object_files__close(&files);
	if (fd < 0)
		return;
	snprintf(name, sizeof(name), "%u at %llx", chain->location.dso, (unsigned long long)bias);
	handle = dwfl_report_elf(space->dwfl, name, name, fd, bias, true);
	if (!handle) {
		close(fd);
		return;
	}
	void **user = NULL;

	module = arena__alloc(&space->modules, sizeof(*module));
	*module = (struct module){ self, chain->location.dso };
	dwfl_module_info(handle, &user, NULL, NULL, NULL, NULL, NULL, NULL);
	if (user)
		*user = module;
}

/* ---- callbacks about the thread ---- */

static pid_t next_thread(Dwfl *dwfl, void *ctx, void **thread_ctx)
{
	bool first = !*thread_ctx;

	(void)dwfl;
	*thread_ctx = ctx;
	return first ? TASK : 0;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *word, void *ctx)
{
	struct libdw *self = ctx;
	u64 value;

	(void)dwfl;
	if (unwind_chain__load(&self->chain, addr, self->chain.in->arch->is64 ? 8 : 4, &value))
		return false;
	*word = value;
	self->read_zero |= !value;
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *ctx)
{
	const struct libdw *self = ctx;
	const struct unwind_regs *regs = &self->chain.in->regs;
	Dwarf_Word pc = regs->pc;

	for (unsigned i = 0; i < CFI_NR_REGS; i++) {
		Dwarf_Word value = regs->values[i];

		if (regs->known >> i & 1)
			dwfl_thread_state_registers(thread, i, 1, &value);
	}
	dwfl_thread_state_register_pc(thread, pc);
	if (self->chain.in->arch->pc != NO_COLUMN) /* expressions of .plt ask for it */
		dwfl_thread_state_registers(thread, self->chain.in->arch->pc, 1, &pc);
	return true;
}

static int take_frame(Dwfl_Frame *frame, void *ctx)
{
	struct libdw *self = ctx;
	struct unwind_chain *chain = &self->chain;
	Dwarf_Addr pc;
	bool exact;

	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	self->outermost = !pc;
	self->full = pc && !unwind_chain__add(chain, pc, false);
	if (self->outermost || self->full)
		return DWARF_CB_ABORT;
	report_object(self);
	/* Whether it is exact tells the frame's caller: so it is unwound here, with the object. */
	chain->error = 0;
	self->read_zero = false;
	if (dwfl_frame_pc(frame, &pc, &exact) && exact) {
		chain->nr--;
		unwind_chain__add(chain, pc, true);
		report_object(self);
	}
	return self->stale || chain->row_error ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* ---- the unwinder ---- */

static void forget_space(struct space *space)
{
	if (space->dwfl)
		dwfl_end(space->dwfl);
	arena__exit(&space->modules);
	*space = (struct space){ .dwfl = NULL };
}

static struct space *find_space(struct libdw *self, const struct unwind_sample *in)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = find_elf,
		.find_debuginfo = find_debug,
		.section_address = dwfl_offline_section_address,
	};
	struct space *space;

	for (unsigned i = 0; i < SPACES; i++) {
		space = &self->spaces[i];
		if (space->dwfl && space->id == in->space && space->machine == in->arch->machine)
			return space;
	}
	space = &self->spaces[self->next++ % SPACES];
	forget_space(space);
	space->dwfl = dwfl_begin(&callbacks);
	space->id = in->space;
	space->machine = in->arch->machine;
	return space;
}

/* The library learns the architecture from an object. */
static bool attach(struct libdw *self)
{
	static const Dwfl_Thread_Callbacks callbacks = {
		.next_thread = next_thread,
		.memory_read = read_memory,
		.set_initial_registers = set_registers,
	};
	struct space *space = self->space;

	if (!space->attached)
		space->attached = dwfl_attach_state(space->dwfl, NULL, TASK, &callbacks, self);
	return space->attached;
}

/*
 * The library says that the last frame is the outermost. It also does where a register is missing:
 * then the return address was not read.
 */
static void check_outermost(struct libdw *self)
{
	struct unwind_chain *chain = &self->chain;

	self->outermost = true;
	if (!chain->error && !chain->row_error && !self->read_zero &&
	    cfi_row__return(&chain->row) && !cfi_row__is_outermost(&chain->row))
		chain->error = -ENXIO;
}

/* False: by objects that are no longer there. */
static bool try_run(struct libdw *self, const struct unwind_sample *sample, u64 *ips, u32 max)
{
	struct unwind_chain *chain = &self->chain;

	self->space = find_space(self, sample);
	self->outermost = self->full = self->stale = self->read_zero = false;
	unwind_chain__init(chain, self->tables, sample, ips, max);
	self->full = !unwind_chain__add(chain, sample->regs.pc, true);
	if (self->full || !self->space->dwfl)
		return true;
	report_object(self);
	if (!self->stale && !chain->row_error && attach(self)) {
		chain->nr = 0; /* comes as the first frame */
		if (!dwfl_getthread_frames(self->space->dwfl, TASK, take_frame, self))
			check_outermost(self);
	}
	return !self->stale;
}

static void *libdw__new(struct unwind_tables *tables)
{
	struct libdw *self = xcalloc(1, sizeof(*self));

	self->tables = tables;
	return self;
}

static void libdw__delete(void *ctx)
{
	struct libdw *self = ctx;

	for (unsigned i = 0; i < SPACES; i++)
		forget_space(&self->spaces[i]);
	free(self);
}

static u32 libdw__run(void *ctx, const struct unwind_sample *sample, u64 *ips, u32 max,
                      struct chain_verdict *verdict)
{
	struct libdw *self = ctx;

	*verdict = (struct chain_verdict){ .end = CHAIN_NO_REGS, .dso = ID_NONE };
	if (!sample->regs.has_pc)
		return 0;
	if (!try_run(self, sample, ips, max)) {
		forget_space(self->space);
		try_run(self, sample, ips, max);
	}
	*verdict = unwind_chain__verdict(&self->chain, self->outermost);
	if (self->full)
		verdict->end = CHAIN_CUT_READER;
	return self->chain.nr;
}

const struct unwind_engine unwind_libdw = {
	.new = libdw__new,
	.delete = libdw__delete,
	.run = libdw__run,
};

#else
typedef int with_libdw_is_left_out;
#endif
