// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/options/symbol_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/term/diag.h"
#include "util/buildid/build_id_cache.h"
#include "util/lib/alloc.h"
#include "util/lib/text.h"
#include "util/machine/session.h"
#include "util/symindex/symbol_bundle.h"

int symbol_options__parse_demangle(const struct option *option, const char *arg, bool unset,
                                   struct error *err)
{
	struct symbol_config *config = option->value;

	if (!unset)
		return symbol_config__set_demangle(config, arg, err);
	config->demangle = false;
	return 0;
}

int symbol_options__parse_index_size(const struct option *option, const char *arg, bool unset,
                                     struct error *err)
{
	u64 *bytes = option->value, megabytes;

	(void)unset;
	if (text__parse_u64(arg, &megabytes) || megabytes > UINT32_MAX)
		return error__set(err, -EINVAL, "cannot use as a number of megabytes", arg,
		                  "it is not a number, or too large");
	*bytes = megabytes << 20;
	return 0;
}

const struct symbol_config *symbol_options__config(struct symbol_options *self)
{
	if (!self->cache_dir)
		self->cache_dir = build_id_cache__dir(self->buildid_dir, self->config.symfs);
	self->config.cache_dir = self->cache_dir;
	return &self->config;
}

/* The names of `record --kcore` are those of the recorded kernel, modules and all. */
static void use_copied_names(struct symbol_options *self, const char *recording)
{
	char *path;

	if (self->config.kallsyms || self->config.vmlinux || *self->config.symfs)
		return;
	path = xasprintf("%s/kcore_dir/kallsyms", recording);
	if (!access(path, R_OK))
		self->config.kallsyms = self->copied_names = path;
	else
		free(path);
}

/* A kernel file that was asked for and cannot be it; the names come from elsewhere then. */
static void check_vmlinux(struct symbol_options *self, const struct session *session)
{
	struct error err = ERROR_INIT;
	const char *path = self->config.vmlinux;
	struct build_id have, want = { .size = 0 };
	int ret = path && !self->config.ignore_vmlinux ? build_id__of_file(path, &have) : -ENODATA;

	for (u32 i = 0; i < session->dsos.nr && !want.size; i++) {
		const struct dso *dso = dsos__at(&session->dsos, i);

		want.size = dso->kind == DSO_KERNEL ? dso->build_id_size : 0;
		memcpy(want.data, dso->build_id, sizeof(want.data));
	}
	if (ret == -ENODATA || (!ret && (!want.size || build_id__equal(&have, &want))))
		return;
	error__set(&err, ret ? ret : -ESTALE, "cannot use --vmlinux", path, "%s",
	           ret == -ENOEXEC ? "it is not an ELF file"
	           : ret           ? strerror(-ret)
	                           : "it is not the kernel that was recorded (other build-id)");
	error__advise(&err, "give the vmlinux of that kernel, or leave --vmlinux out");
	diag__warning(&err);
	self->config.vmlinux = NULL;
}

struct session_symbols *symbol_options__start(struct symbol_options *self,
                                              const struct session *session)
{
	self->config.no_live_kernel = !session__kernel_is_live(session);
	struct error err = ERROR_INIT;

	self->config.bundle = self->bundle =
	        symbol_bundle__open(perf_data__path(session->data), &err);
	const struct perf_data_info *info = perf_data__info(session->data);

	if (!self->config.bundle && !err.code && info->feature_end)
		symbol_bundle__was_cut(perf_data__path(session->data), info->feature_end, &err);
	if (err.code)
		diag__warning(&err);
	check_vmlinux(self, session);
	use_copied_names(self, perf_data__path(session->data));
	self->config.debuginfod = debuginfod_option__start(&self->debuginfod);
	self->index_dir = self->no_index ? NULL : index_cache__dir();
	self->config.index_dir = self->index_dir;
	return session_symbols__new(&session->dsos, symbol_options__config(self));
}

void symbol_options__end(struct symbol_options *self, struct session_symbols *symbols, bool verbose)
{
	struct error err = ERROR_INIT;

	if (symbols && session_symbols__keep(symbols, &err) && verbose)
		diag__warning(&err);
	session_symbols__delete(symbols);
	symbol_bundle__delete(self->bundle);
	self->config.bundle = self->bundle = NULL;
	debuginfod_option__end(&self->debuginfod);
	if (self->copied_names)
		self->config.kallsyms = NULL;
	free(self->copied_names);
	self->copied_names = NULL;
	free(self->cache_dir);
	free(self->index_dir);
	self->cache_dir = self->index_dir = NULL;
	self->config.index_dir = NULL;
}
