// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/engine.h"

#include <errno.h>

#include "util/format/sample.h"

void unwind_chain__init(struct unwind_chain *chain, struct unwind_tables *tables,
                        const struct unwind_sample *in, u64 *ips, u32 max)
{
	*chain = (struct unwind_chain){
		.in = in,
		.tables = tables,
		.ips = ips,
		.max = max,
		.dso = ID_NONE,
		.location.dso = ID_NONE,
	};
}

bool unwind_chain__add(struct unwind_chain *chain, u64 pc, bool exact)
{
	if (chain->nr == chain->max)
		return false;
	chain->handled |= chain->nr && !chain->row_error && chain->row.signal;
	chain->pc = exact ? pc : pc - 1;
	chain->location.dso = ID_NONE;
	chain->in->locate(chain->in->ctx, chain->pc, &chain->location);
	const struct unwind_location *location = &chain->location;
	u16 machine = chain->in->arch->machine;
	const struct cfi *cfi;

	if (location->dso != ID_NONE)
		chain->dso = location->dso;
	chain->in_object = !unwind_tables__vaddr(chain->tables, location->dso, location->addr,
	                                         machine, &chain->vaddr);
	chain->row_error = unwind_tables__row(chain->tables, location->dso, location->addr, machine,
	                                      &chain->row, &cfi);
	bool returns_signal =
	        !chain->row_error && chain->row.signal; /* it was not called, either */

	chain->ips[chain->nr++] = returns_signal ? pc : chain->pc;
	return true;
}

int unwind_chain__load(struct unwind_chain *chain, u64 addr, unsigned size, u64 *value)
{
	int ret = unwind_sample__load(chain->in, addr, size, value);

	if (ret)
		chain->error = ret;
	else
		chain->depth = max_u64(chain->depth,
		                       addr + size - chain->in->regs.values[chain->in->arch->sp]);
	return ret;
}

static enum chain_end end_of(const struct unwind_chain *chain)
{
	if (chain->location.dso == ID_NONE)
		return CHAIN_UNMAPPED;
	if (!chain->row_error && cfi_row__is_outermost(&chain->row))
		return CHAIN_COMPLETE;
	if (chain->error == -EFAULT && chain->handled)
		return CHAIN_OTHER_STACK;
	if (chain->error == -ENODATA)
		return CHAIN_CUT_COPY;
	if (chain->error == -EADDRNOTAVAIL)
		return CHAIN_CUT_PAGE;
	if (chain->error == -ENXIO)
		return CHAIN_NO_REGS;
	return chain->row_error == -ENOENT ? CHAIN_NO_TABLES : CHAIN_UNREADABLE;
}

struct chain_verdict unwind_chain__verdict(const struct unwind_chain *chain, bool outermost)
{
	outermost &= !chain->error; /* libdw takes what it cannot read for the end */
	return (struct chain_verdict){ .end = outermost ? CHAIN_COMPLETE : end_of(chain),
		                       .dso = chain->dso,
		                       .depth = chain->depth };
}
