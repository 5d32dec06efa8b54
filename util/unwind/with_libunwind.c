// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unwinding by libunwind, which asks through callbacks for registers, for words of memory and for
 * the table entry of an address. It supports only the architecture that it was built for, and of
 * tables only .eh_frame (as Debian builds it).
 *
 * Memory is the copied stack, and the .eh_frame of the frame's object at the address where it was
 * mapped, because entries hold relative addresses. The search table that leads to the entry is made
 * up: one row, at an address that no program has.
 *
 * The library is loaded on demand: `perf --version` does not pay for it.
 */
#ifdef HAVE_LIBUNWIND

#define UNW_REMOTE_ONLY
#include <dlfcn.h>
#include <errno.h>
#include <libunwind.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/error.h"
#include "util/unwind/engine.h"

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x) /* of what the header's macro stands for */
#define SONAME   "libunwind-" TEXT(UNW_TARGET) ".so.8"

#define ROW_ADDR 0xffffffff70000000ull /* of the search table */

static struct {
	unw_addr_space_t (*create)(unw_accessors_t *accessors, int byte_order);
	void (*destroy)(unw_addr_space_t space);
	int (*init)(unw_cursor_t *cursor, unw_addr_space_t space, void *ctx);
	int (*step)(unw_cursor_t *cursor);
	int (*get_reg)(unw_cursor_t *cursor, int reg, unw_word_t *value);
	int (*search)(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *table,
	              unw_proc_info_t *info, int need_info, void *ctx);
} library;

struct libunwind {
	struct unwind_tables *tables;
	unw_addr_space_t space;
	/* At work: */
	struct unwind_chain chain;
	const struct cfi *cfi; /* of the frame's object ... */
	u64 cfi_addr;          /* ... and where its section was mapped */
	u64 row;               /* the search table */
	bool searching;        /* not the stack is asked for */
};

static int load_library(struct error *err)
{
	if (library.search)
		return 0;
	void *handle = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL); /* stays */

	if (handle) {
		*(void **)&library.create = dlsym(handle, TEXT(unw_create_addr_space));
		*(void **)&library.destroy = dlsym(handle, TEXT(unw_destroy_addr_space));
		*(void **)&library.init = dlsym(handle, TEXT(unw_init_remote));
		*(void **)&library.step = dlsym(handle, TEXT(unw_step));
		*(void **)&library.get_reg = dlsym(handle, TEXT(unw_get_reg));
		*(void **)&library.search = dlsym(handle, TEXT(UNW_OBJ(dwarf_search_unwind_table)));
	}
	if (library.create && library.destroy && library.init && library.step && library.get_reg &&
	    library.search)
		return 0;
	library.search = NULL;
	error__set(err, -ENOTSUP, "cannot unwind with", "libunwind",
	           handle ? SONAME " is not as it was when this perf was built"
	                  : SONAME " cannot be loaded");
	error__advise(err, "install libunwind8, or read without --unwind-style");
	return -ENOTSUP;
}

/* ---- callbacks ---- */

static int no_info_list(unw_addr_space_t space, unw_word_t *addr, void *ctx)
{
	(void)space;
	(void)addr;
	(void)ctx;
	return -UNW_ENOINFO;
}

static void keep_info(unw_addr_space_t space, unw_proc_info_t *info, void *ctx)
{
	(void)space;
	(void)info;
	(void)ctx;
}

static int no_float(unw_addr_space_t space, unw_regnum_t reg, unw_fpreg_t *value, int write,
                    void *ctx)
{
	(void)space;
	(void)reg;
	(void)value;
	(void)write;
	(void)ctx;
	return -UNW_EBADREG;
}

static int no_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *ctx)
{
	(void)space;
	(void)cursor;
	(void)ctx;
	return -UNW_EINVAL;
}

/* Its numbers of registers are DWARF's where both have the register. */
static int access_reg(unw_addr_space_t space, unw_regnum_t reg, unw_word_t *value, int write,
                      void *ctx)
{
	struct libunwind *self = ctx;
	const struct unwind_regs *regs = &self->chain.in->regs;

	(void)space;
	if (write)
		return -UNW_EREADONLYREG;
	if (reg == UNW_REG_IP) {
		*value = regs->pc;
		return 0;
	}
	if (reg < 0 || reg >= CFI_NR_REGS || !(regs->known >> reg & 1)) {
		self->chain.error = -ENXIO;
		return -UNW_EBADREG;
	}
	*value = regs->values[reg];
	return 0;
}

/* Of the tables. Anything else, such as where C++ has its handlers, is of no meaning here: 0. */
static u64 table_word(const struct libunwind *self, u64 addr)
{
	const struct cfi_section *section = &self->cfi->section;
	u64 at = addr - self->cfi_addr, word = 0;

	if (addr == ROW_ADDR)
		return self->row;
	for (unsigned i = 0; i < sizeof(word); i++) /* words at its ends are not all in it */
		if (at + i < section->size)
			word |= (u64)section->data[at + i] << 8 * i;
	return word;
}

static bool is_of_tables(const struct libunwind *self, u64 addr)
{
	return self->cfi && addr + sizeof(u64) > self->cfi_addr &&
	       addr < self->cfi_addr + self->cfi->section.size;
}

static int access_mem(unw_addr_space_t space, unw_word_t addr, unw_word_t *value, int write,
                      void *ctx)
{
	struct libunwind *self = ctx;
	u64 word = 0;

	(void)space;
	if (write)
		return -UNW_EINVAL;
	if (self->searching || is_of_tables(self, addr)) {
		*value = table_word(self, addr);
		return 0;
	}
	int ret = unwind_chain__load(&self->chain, addr, sizeof(word), &word);

	*value = word;
	return ret ? -UNW_EUNSPEC : 0;
}

/* Relative to the section, whose size is bounded: so all differences fit. */
static int find_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *info, int need_info,
                     void *ctx)
{
	struct libunwind *self = ctx;
	const struct unwind_chain *chain = &self->chain;
	struct unwind_location location = { .dso = ID_NONE };
	const struct cfi_entry *entry;
	u64 vaddr;

	chain->in->locate(chain->in->ctx, ip, &location);
	entry = location.dso == ID_NONE
	                ? NULL
	                : unwind_tables__eh_entry(self->tables, location.dso, location.addr,
	                                          chain->in->arch->machine, &self->cfi);
	if (!entry && ip == chain->pc)
		self->chain.row_error = -ENOENT; /* there may be a row, but not in .eh_frame */
	if (!entry || unwind_tables__vaddr(self->tables, location.dso, location.addr,
	                                   chain->in->arch->machine, &vaddr))
		return -UNW_ESTOPUNWIND; /* for UNW_ENOINFO it would guess */
	u64 bias = ip - vaddr, start = entry->start - self->cfi->section.addr;
	unw_dyn_info_t table = { .start_ip = entry->start + bias,
		                 .end_ip = entry->end + bias,
		                 .format = UNW_INFO_FORMAT_REMOTE_TABLE };

	if ((s64)start != (s32)start)
		return -UNW_ESTOPUNWIND;
	self->cfi_addr = self->cfi->section.addr + bias;
	self->row = (u32)start | (u64)entry->offset << 32;
	table.u.rti.segbase = self->cfi_addr;
	table.u.rti.table_len = 1;
	table.u.rti.table_data = ROW_ADDR;
	self->searching = true;
	int ret = library.search(space, ip, &table, info, need_info, ctx);

	self->searching = false;
	return ret;
}

/* ---- the unwinder ---- */

static void *libunwind__new(struct unwind_tables *tables)
{
	static unw_accessors_t accessors = {
		.find_proc_info = find_info,
		.put_unwind_info = keep_info,
		.get_dyn_info_list_addr = no_info_list,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = no_float,
		.resume = no_resume,
	};
	struct libunwind *self = xcalloc(1, sizeof(*self));

	self->tables = tables;
	self->space = library.create(&accessors, 0);
	return self;
}

static void libunwind__delete(void *ctx)
{
	struct libunwind *self = ctx;

	if (self->space)
		library.destroy(self->space);
	free(self);
}

static u32 libunwind__run(void *ctx, const struct unwind_sample *sample, u64 *ips, u32 max,
                          struct chain_verdict *verdict)
{
	struct libunwind *self = ctx;
	struct unwind_chain *chain = &self->chain;
	bool room;
	unw_word_t pc = sample->regs.pc;
	unw_cursor_t cursor;
	int ret = 1;

	unwind_chain__init(chain, self->tables, sample, ips, max);
	self->cfi = NULL;
	*verdict = (struct chain_verdict){ .end = CHAIN_NO_REGS, .dso = ID_NONE };
	if (!sample->regs.has_pc)
		return 0;
	room = unwind_chain__add(chain, pc, true);
	if (sample->arch != arch__here()) {
		*verdict = (struct chain_verdict){ .end = CHAIN_NOT_UNWOUND,
			                           .dso = chain->location.dso };
		return chain->nr;
	}
	if (!self->space || library.init(&cursor, self->space, self))
		ret = -1;
	while (ret > 0 && room) {
		bool exact = !chain->row_error && chain->row.signal;

		chain->error = 0;
		ret = chain->row_error ? -1 : library.step(&cursor);
		if (ret <= 0 || library.get_reg(&cursor, UNW_REG_IP, &pc) || !pc)
			break;
		room = unwind_chain__add(chain, pc, exact);
	}
	*verdict = unwind_chain__verdict(chain, ret >= 0);
	if (!room)
		verdict->end = CHAIN_CUT_READER;
	return chain->nr;
}

const struct unwind_engine unwind_libunwind = {
	.load = load_library,
	.new = libunwind__new,
	.delete = libunwind__delete,
	.run = libunwind__run,
	.only_native = true,
};

#else
typedef int with_libunwind_is_left_out;
#endif
