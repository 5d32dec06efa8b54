// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/unwind/unwind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/format/sample.h"
#include "util/lib/alloc.h"
#include "util/lib/cursor.h"
#include "util/lib/error.h"
#include "util/unwind/engine.h"

struct unwinder {
	const struct unwind_engine *engine;
	void *self;
};

static const struct {
	const char *name;
	const struct unwind_engine *engine; /* NULL: perf was built without it */
} styles[] = {
	[UNWIND_NATIVE] = { "native", &unwind_native },
#ifdef HAVE_LIBUNWIND
	[UNWIND_LIBUNWIND] = { "libunwind", &unwind_libunwind },
#else
	[UNWIND_LIBUNWIND] = { "libunwind", NULL },
#endif
#ifdef HAVE_LIBDW
	[UNWIND_LIBDW] = { "libdw", &unwind_libdw },
#else
	[UNWIND_LIBDW] = { "libdw", NULL },
#endif
};

int unwind_style__find(const char *name, enum unwind_style *style, struct error *err)
{
	unsigned i = 0;

	while (i < ARRAY_SIZE(styles) && strcmp(styles[i].name, name) != 0)
		i++;
	if (i == ARRAY_SIZE(styles))
		return error__set(err, -EINVAL, "unknown unwinder", name,
		                  "it is native, libunwind or libdw");
	if (!styles[i].engine) {
		error__set(err, -ENOTSUP, "cannot unwind with", name,
		           "this perf was built without that library");
		error__advise(err,
		              "install %s-dev and build again, or read without "
		              "--unwind-style",
		              name);
		return -ENOTSUP;
	}
	*style = i;
	return styles[i].engine->load ? styles[i].engine->load(err) : 0;
}

int unwind_style__check(enum unwind_style style, const struct arch *arch, struct error *err)
{
	if (!styles[style].engine->only_native || arch == arch__here())
		return 0;
	error__set(err, -ENOTSUP, "cannot unwind what was recorded on", arch->unames[0],
	           "libunwind knows the architecture of this machine only");
	error__advise(err, "read with --unwind-style libdw, or without");
	return -ENOTSUP;
}

struct unwinder *unwinder__new(struct unwind_tables *tables, enum unwind_style style)
{
	struct unwinder *unwinder = xcalloc(1, sizeof(*unwinder));

	unwinder->engine = styles[style].engine;
	unwinder->self = unwinder->engine->new (tables);
	return unwinder;
}

void unwinder__delete(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	unwinder->engine->delete (unwinder->self);
	free(unwinder);
}

u32 unwinder__run(struct unwinder *unwinder, const struct unwind_sample *sample, u64 *ips, u32 max,
                  struct chain_verdict *verdict)
{
	return unwinder->engine->run(unwinder->self, sample, ips, max, verdict);
}

bool unwind_sample__take(struct unwind_sample *in, const struct arch *arch,
                         const struct sample *sample, u64 mask, bool swap)
{
	*in = (struct unwind_sample){ .arch = unwind_arch__of(arch, sample->user_abi),
		                      .swap = swap };
	if (!in->arch)
		return false;
	unwind_regs__take(&in->regs, in->arch, &sample->user_regs, mask, swap);
	in->stack = sample->stack;
	in->stack_size = sample->stack ? sample->stack_dyn_size : 0;
	in->stack_cut = sample->stack_dyn_size == sample->stack_size;
	return true;
}

/*
 * Why there is nothing at @at bytes above the stack pointer: it was cut off there by the size of
 * the copy (-ENODATA) or by a page that is not in memory (-EADDRNOTAVAIL), where the kernel stops;
 * the stack's end looks the same. Far above is something else.
 */
static int error_above(const struct unwind_sample *in, u64 bottom, u64 at)
{
	if (at > STACK_MAX)
		return -EFAULT;
	if (in->stack_cut)
		return -ENODATA;
	return in->stack_size && (bottom + in->stack_size) % PAGE_MIN == 0 ? -EADDRNOTAVAIL
	                                                                   : -EFAULT;
}

int unwind_sample__load(const struct unwind_sample *in, u64 addr, unsigned size, u64 *value)
{
	u8 sp = in->arch->sp;
	u64 bottom = in->regs.values[sp], at = addr - bottom;

	/* Without stack pointer nobody knows what was copied: nothing can be loaded. */
	if (addr < bottom || !(in->regs.known >> sp & 1))
		return -EFAULT;
	if (at > in->stack_size || size > in->stack_size - at)
		return error_above(in, bottom, at);
	switch (size) {
	case 1:
		*value = in->stack[at];
		return 0;
	case 2:
		*value = load_u16(in->stack + at, in->swap);
		return 0;
	case 4:
		*value = load_u32(in->stack + at, in->swap);
		return 0;
	}
	*value = load_u64(in->stack + at, in->swap);
	return 0;
}
