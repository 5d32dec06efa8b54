// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symtab/kernel_core.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/elf/build_id.h"
#include "util/lib/alloc.h"
#include "util/lib/strtab.h"
#include "util/lib/text.h"
#include "util/symtab/kallsyms.h"

/* The core in @folder, if its symbols lie where they lay when @kernel was recorded; or NULL. */
static char *core_in(const char *folder, const struct dsos *dsos, const struct dso *kernel)
{
	char *core = xasprintf("%s/kcore", folder), *list = xasprintf("%s/kallsyms", folder);
	bool fits = kernel->ref_symbol && kernel->text_pgoff && !access(core, R_OK) &&
	            kallsyms__find(list, strtab__get(dsos->strings, kernel->ref_symbol)) ==
	                    kernel->text_pgoff;

	free(list);
	if (fits)
		return core;
	free(core);
	return NULL;
}

static char *core_beside(const char *list, const struct dsos *dsos, const struct dso *kernel)
{
	const char *name = text__basename(list);

	if (strcmp(name, "kallsyms") != 0)
		return NULL;
	char *folder = xasprintf("%.*s.", (int)(name - list), list);
	char *core = core_in(folder, dsos, kernel);

	free(folder);
	return core;
}

/* [kernel.kcore]/ID/TIME: one for each set of modules that was seen. */
static char *core_in_cache(const char *cache, const struct dsos *dsos, const struct dso *kernel)
{
	const struct build_id id = build_id__of_bytes(kernel->build_id, kernel->build_id_size);
	char hex[BUILD_ID_HEX_SIZE], *core = NULL;
	char *copies = xasprintf("%s/[kernel.kcore]/%s", cache, build_id__hex(&id, hex));
	DIR *dir = opendir(copies);
	const struct dirent *entry;

	while (dir && !core && (entry = readdir(dir))) {
		char *folder = xasprintf("%s/%s", copies, entry->d_name);

		if (*entry->d_name != '.')
			core = core_in(folder, dsos, kernel);
		free(folder);
	}
	if (dir)
		closedir(dir);
	free(copies);
	return core;
}

static bool still_runs(const struct dso *kernel, const struct symbol_config *config)
{
	const struct build_id id = build_id__of_bytes(kernel->build_id, kernel->build_id_size);
	struct build_id running;

	if (!id.size)
		return !config->no_live_kernel;
	return !build_id__of_kernel(&running) && build_id__equal(&running, &id);
}

char *kernel_core__find(const struct dsos *dsos, const struct symbol_config *config)
{
	const struct dso *kernel = NULL;
	char *core = NULL;

	for (u32 i = 0; i < dsos->nr && !kernel; i++)
		if (dsos__at(dsos, i)->kind == DSO_KERNEL)
			kernel = dsos__at(dsos, i);
	if (!kernel)
		return NULL;
	if (config->kallsyms)
		return core_beside(config->kallsyms, dsos, kernel);
	if (config->cache_dir && kernel->build_id_size)
		core = core_in_cache(config->cache_dir, dsos, kernel);
	if (!core && !*config->symfs && still_runs(kernel, config))
		core = core_in("/proc", dsos, kernel);
	return core;
}
