// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/fetch/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arch/arch.h"
#include "util/elf/build_id.h"
#include "util/elf/relocatable.h"
#include "util/fetch/place_text.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/symtab/debug_file.h"
#include "util/symtab/kallsyms.h"
#include "util/symtab/mapped_file.h"
#include "util/symtab/text_lines.h"

#define DEBUG_DIR "/usr/lib/debug"
#define LAST_SIZE 4096    /* of the list's last function, which no other ends */
#define MODULE_AT 0x10000 /* any address: only offsets in functions are written */

/* "/proc/PID/root/PATH": its PATH, and *pid; else the path as it is. */
static const char *split_root(const char *path, u32 *pid)
{
	char *end = NULL;
	unsigned long number = strncmp(path, "/proc/", 6) ? 0 : strtoul(path + 6, &end, 10);

	if (!number || number > INT_MAX || strncmp(end, "/root/", 6) != 0)
		return path;
	*pid = number;
	return end + 5;
}

/*
 * @path as the process @pid sees it, without links; malloc'ed, or NULL with @err. *pid becomes 0
 * if it sees what we see.
 */
static char *resolve_of_process(const char *path, u32 *pid, struct error *err)
{
	char *mounts = xasprintf("/proc/%u/ns/mnt", *pid), *found = NULL;
	int code = access(mounts, F_OK) ? errno : 0;

	free(mounts);
	if (code == ENOENT) {
		error__set(err, -ESRCH, "cannot probe", path, "there is no process %u", *pid);
	} else if (code) {
		error__set(err, -code, "cannot probe", path, "as process %u sees it: %s", *pid,
		           strerror(code));
	} else if (!process_root__differs(*pid)) {
		*pid = 0;
	} else if (*path != '/') {
		error__set(err, -EINVAL, "cannot probe", path,
		           "a path as another process sees it begins with '/'");
	} else {
		found = process_root__path(*pid, path);
		if (!found && errno == EINVAL)
			error__set(err, -EINVAL, "cannot probe", path, "it is no regular file");
		else if (!found)
			error__set(err, -errno, "cannot probe", path, NULL);
	}
	return found;
}

/*
 * @path without links as it is from here; malloc'ed, or NULL with errno. With @symfs it is a path
 * below that folder, else (as is a relative one) one that leads into it from here.
 */
static char *resolve(const char *path, const char *symfs, char **file)
{
	char buf[PATH_MAX], *root = xstrdup(symfs);
	char *full = *root && *path == '/' ? xasprintf("%s%s", root, path) : xstrdup(path);
	char *found = NULL;

	if (*root && *path == '/' && (!access(full, F_OK) || access(path, F_OK))) {
		/* Links in there may lead out of it: they are left as they are. */
		found = xstrdup(path);
		*file = full;
	} else if (realpath(path, buf)) {
		found = xstrdup(buf);
		*file = xstrdup(buf);
		free(full);
	} else {
		free(full);
	}
	free(root);
	return found;
}

/* "nf-tables.ko.xz" -> "nf_tables"; NULL: no module is called so. */
static char *module_name(const char *file)
{
	const char *end = strstr(file, ".ko");

	if (!end || (end[3] && end[3] != '.'))
		return NULL;
	char *name = strndup(file, end - file);

	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

/* Of the lines "kernel/fs/ext4/ext4.ko.xz: OTHERS" the path of the module @name; malloc'ed. */
static char *find_module(char *index, const char *name)
{
	char *line;

	while ((line = strsep(&index, "\n"))) {
		line[strcspn(line, ":")] = '\0';
		char *own = module_name(text__basename(line));
		bool found = own && !strcmp(own, name);

		free(own);
		if (found)
			return xstrdup(line);
	}
	return NULL;
}

char *probe_target__module_path(const char *name, const char *symfs)
{
	char *with_end = xasprintf("%s.ko", name), *wanted = module_name(with_end), *found = NULL;
	struct utsname system;
	size_t len;

	uname(&system);
	char *path = xasprintf("%s/lib/modules/%s/modules.dep", symfs, system.release);
	char *index = file__read_all(path, 64 << 20, &len);
	char *relative = index && wanted ? find_module(index, wanted) : NULL;

	if (relative)
		found = *relative == '/'
		                ? xstrdup(relative)
		                : xasprintf("/lib/modules/%s/%s", system.release, relative);
	free(relative);
	free(index);
	free(path);
	free(wanted);
	free(with_end);
	return found;
}

/* What the file is called below the folder of --symfs. */
static const char *path_below(const struct probe_target *target)
{
	char buf[PATH_MAX];
	size_t len = *target->symfs && realpath(target->symfs, buf) ? strlen(buf) : 0;
	bool below = !strcmp(target->path, target->file) && !strncmp(target->path, buf, len);

	return target->path + (below && target->path[len] == '/' ? len : 0);
}

static void find_dwarf(struct probe_target *target)
{
	struct debug_file_request request = { .path = path_below(target),
		                              .symfs = target->symfs,
		                              .debug_dir = DEBUG_DIR,
		                              .refused = &target->why };

	elf_file__build_id(&target->elf, &request.build_id);
	target->dwarf_path = debug_file__of_dwarf(target->file, &request);
	target->refused = !target->dwarf_path && target->why.code;
	target->has_debug = target->dwarf_path && strcmp(target->dwarf_path, target->file) &&
	                    !elf_file__open(&target->debug, target->dwarf_path);
}

static int set_paths(struct probe_target *target, const char *path, u32 pid, struct error *err)
{
	struct error none = ERROR_INIT, *why = err ? err : &none;

	path = split_root(path, &pid);
	if (pid)
		target->path = resolve_of_process(path, &pid, why);
	if (pid && !target->path)
		return why->code;
	if (!pid)
		target->path = resolve(path, target->symfs, &target->file);
	else
		target->file = xasprintf("/proc/%u/root%s", pid, target->path);
	if (!target->path)
		return error__set(err, -errno, "cannot probe", path, NULL);
	/* The kernel looks a path up in the mount namespace of who writes it. */
	target->written = xstrdup(pid ? target->file : target->path);
	return 0;
}

int probe_target__open(struct probe_target *target, const char *path, const char *symfs, u32 pid,
                       bool is_kernel, struct error *err)
{
	struct stat st;
	int ret = 0;

	*target = (struct probe_target){ .symfs = symfs ? symfs : "", .is_kernel = is_kernel };
	ret = set_paths(target, path, pid, err);
	if (ret)
		return ret;
	if (stat(target->file, &st))
		ret = error__set(err, -errno, "cannot probe", path, NULL);
	else if (!S_ISREG(st.st_mode))
		ret = error__set(err, -EINVAL, "cannot probe", path, "it is no regular file");
	if (!ret) {
		ret = elf_file__open(&target->elf, target->file);
		if (ret == -ENOEXEC || ret == -EBADMSG)
			error__set(err, ret, "cannot probe", path,
			           "it is not an ELF file, or it is damaged");
		else if (ret)
			error__set(err, ret, "cannot probe", path, NULL);
	}
	if (ret) {
		free(target->path);
		free(target->file);
		free(target->written);
		return ret;
	}
	if (is_kernel)
		target->module = module_name(text__basename(target->path));
	if (is_kernel && target->elf.type == ET_REL) {
		target->module_start = MODULE_AT;
		relocatable__set_addresses(&target->elf, MODULE_AT);
	}
	find_dwarf(target);
	if (target->has_debug && target->module_start)
		relocatable__set_addresses(&target->debug, MODULE_AT);
	return 0;
}

bool probe_target__is_elsewhere(const struct probe_target *target)
{
	return target->written && strcmp(target->written, target->path) != 0;
}

/* "ADDRESS TYPE NAME[\t[MODULE]]"; symbols that are no code of the wanted object are left out. */
static void add_listed(struct probe_target *target, const char *line, const char *end)
{
	char *text = arena__strndup(&target->texts, line, end - line), *rest;
	u64 addr = strtoull(text, &rest, 16);
	char *name = *rest == ' ' && rest[1] && rest[2] == ' ' ? rest + 3 : NULL;
	char *module = name ? strchr(name, '\t') : NULL;

	if (!name || !strchr("tTwW", rest[1]) || !module != !target->module)
		return;
	if (module) {
		*module++ = '\0';
		module += *module == '[';
		module[strcspn(module, "]")] = '\0';
		if (strcmp(module, target->module) != 0)
			return;
	}
	array__reserve(&target->symbols, &target->cap_symbols, target->nr_symbols + 1,
	               sizeof(*target->symbols));
	target->symbols[target->nr_symbols++] =
	        (struct probe_symbol){ .name = name, .addr = addr, .is_code = true };
	target->is_hidden &= !addr;
}

static int by_address(const void *a, const void *b)
{
	const struct probe_symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Each reaches to the next. */
static void set_sizes(struct probe_target *target)
{
	u64 next = 0;

	if (target->nr_symbols)
		qsort(target->symbols, target->nr_symbols, sizeof(*target->symbols), by_address);
	for (u32 i = target->nr_symbols; i > 0; i--) {
		struct probe_symbol *symbol = &target->symbols[i - 1];

		if (i < target->nr_symbols && symbol[1].addr != symbol->addr)
			next = symbol[1].addr;
		symbol->size = next ? next - symbol->addr : LAST_SIZE;
	}
}

static int read_list(struct probe_target *target, const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *line, *end;
	struct lines lines;

	if (fd < 0)
		return error__set(err, -errno, "cannot read", path, NULL);
	target->is_hidden = true;
	lines__init(&lines, fd);
	while (lines__next(&lines, &line, &end))
		add_listed(target, line, end);
	int ret = lines.error;

	lines__exit(&lines);
	close(fd);
	if (ret)
		return error__set(err, ret, "cannot read", path, NULL);
	set_sizes(target);
	return 0;
}

int probe_target__open_running(struct probe_target *target, const char *module,
                               const char *kallsyms, struct error *err)
{
	*target = (struct probe_target){ .symfs = "", .is_kernel = true, .is_running = true };
	target->texts = (struct arena)ARENA_INIT;
	target->symbols_read = true;
	target->path = xstrdup(module ? module : "the running kernel");
	target->module = module ? xstrdup(module) : NULL;
	int ret = read_list(target, kallsyms, err);

	if (!ret && !target->nr_symbols && module)
		ret = error__set(err, -ENOENT, "cannot probe the kernel module", module,
		                 "it is not loaded; give the path of its file");
	else if (!ret && target->is_hidden)
		ret = kallsyms__explain_hidden(kallsyms, -EPERM,
		                               "cannot probe the running kernel:", err);
	if (ret)
		probe_target__close(target);
	return ret;
}

void probe_target__close(struct probe_target *target)
{
	for (u32 i = 0; target->cfi_read && i < ARRAY_SIZE(target->cfi); i++)
		cfi__exit(&target->cfi[i]);
	if (target->is_running)
		arena__exit(&target->texts);
	else
		elf_file__close(&target->elf);
	if (target->has_debug)
		elf_file__close(&target->debug);
	free(target->symbols);
	free(target->module);
	free(target->path);
	free(target->written);
	free(target->file);
	free(target->dwarf_path);
}

/* ---- symbols ---- */

/* Names lie in the string table, which ends with a zero (checked). */
static const char *symbol_name(const Elf_Data *names, u64 at)
{
	return at < names->d_size ? (const char *)names->d_buf + at : "";
}

/* Labels in assembler have no type. */
static bool is_code(const struct elf_file *elf, const GElf_Sym *symbol)
{
	u8 kind = GELF_ST_TYPE(symbol->st_info);

	return kind == STT_FUNC || kind == STT_GNU_IFUNC ||
	       (kind == STT_NOTYPE && symbol->st_shndx < elf->nr_sections &&
	        elf->sections[symbol->st_shndx].header.sh_flags & SHF_EXECINSTR);
}

/* Do other objects look for it, and those that have it themselves win? */
static bool is_shared(const GElf_Sym *symbol, u32 table)
{
	u8 kind = GELF_ST_TYPE(symbol->st_info), bind = GELF_ST_BIND(symbol->st_info);

	return table == SHT_DYNSYM && bind != STB_LOCAL && kind == STT_OBJECT &&
	       GELF_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT;
}

static void add_table(struct probe_target *target, struct elf_file *elf, u32 type)
{
	struct elf_section *section = elf_file__section_of_type(elf, type);
	Elf_Data *entries = section ? elf_file__data(elf, section) : NULL;
	Elf_Data *names = entries && section->header.sh_link < elf->nr_sections
	                          ? elf_file__data(elf, &elf->sections[section->header.sh_link])
	                          : NULL;
	u64 size = elf->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

	if (!names || !names->d_size || ((const char *)names->d_buf)[names->d_size - 1])
		return;
	for (u64 i = 1; i < entries->d_size / size; i++) {
		GElf_Sym symbol;

		const struct elf_section *section_of =
		        elf_file__symbol(elf, entries, NULL, i, &symbol);
		/* Of modules values count from their section. */
		const struct elf_section *in_section = elf->type == ET_REL ? section_of : NULL;
		u8 kind = GELF_ST_TYPE(symbol.st_info);
		const char *name = symbol_name(names, symbol.st_name);

		if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || !*name ||
		    kind == STT_SECTION || kind == STT_FILE || kind == STT_TLS)
			continue;
		array__reserve(&target->symbols, &target->cap_symbols, target->nr_symbols + 1,
		               sizeof(*target->symbols));
		target->symbols[target->nr_symbols++] = (struct probe_symbol){
			.name = name,
			.addr = symbol.st_value + (in_section ? in_section->header.sh_addr : 0),
			.size = symbol.st_size,
			.is_code = is_code(elf, &symbol),
			.is_shared = is_shared(&symbol, type),
			.is_indirect = kind == STT_GNU_IFUNC,
		};
	}
}

const struct probe_symbol *probe_target__symbols(struct probe_target *target, u32 *nr)
{
	if (!target->symbols_read) {
		target->symbols_read = true;
		add_table(target, &target->elf, SHT_SYMTAB);
		u32 own = target->nr_symbols;

		if (!own && target->has_debug)
			add_table(target, &target->debug, SHT_SYMTAB);
		u32 whole = target->nr_symbols;

		add_table(target, &target->elf, SHT_DYNSYM);
		for (u32 i = whole; whole > own && i < target->nr_symbols; i++)
			target->symbols[i].is_again = true;
	}
	*nr = target->nr_symbols;
	return target->symbols;
}

const struct probe_symbol *probe_target__symbol(struct probe_target *target, const char *name)
{
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(target, &nr);

	for (u32 i = 0; i < nr; i++)
		if (symbols[i].is_code && !strcmp(symbols[i].name, name))
			return &symbols[i];
	for (u32 i = 0; i < nr && !target->is_kernel; i++) {
		/* Mangled names begin so. */
		bool same = symbols[i].is_code && text__starts_with(symbols[i].name, "_") &&
		            place_text__fits_symbol(name, symbols[i].name);

		if (same)
			return &symbols[i];
	}
	return NULL;
}

const struct probe_symbol *probe_target__code_at(struct probe_target *target, u64 addr)
{
	const struct probe_symbol *best = NULL;
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(target, &nr);

	for (u32 i = 0; i < nr; i++)
		if (symbols[i].is_code && symbols[i].addr <= addr &&
		    (addr == symbols[i].addr || addr - symbols[i].addr < symbols[i].size) &&
		    (!best || symbols[i].addr > best->addr))
			best = &symbols[i];
	return best;
}

const struct probe_symbol *probe_target__data_symbol(struct probe_target *target, const char *name)
{
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(target, &nr), *found = NULL;

	for (u32 i = 0; i < nr; i++) {
		if (symbols[i].is_code || strcmp(symbols[i].name, name) != 0)
			continue;
		if (found && found->addr != symbols[i].addr)
			return NULL;
		found = &symbols[i];
	}
	return found;
}

const struct probe_symbol *probe_target__data_at(struct probe_target *target, u64 addr)
{
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(target, &nr);

	for (u32 i = 0; i < nr; i++)
		if (!symbols[i].is_code && addr >= symbols[i].addr &&
		    (addr == symbols[i].addr || addr - symbols[i].addr < symbols[i].size))
			return &symbols[i];
	return NULL;
}

static u64 dynamic_entry(struct elf_file *elf, s64 tag)
{
	struct elf_section *section = elf_file__section_of_type(elf, SHT_DYNAMIC);
	Elf_Data *data = section ? elf_file__data(elf, section) : NULL;
	u64 size = elf->is64 ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);

	for (u64 i = 0; data && i < data->d_size / size; i++) {
		GElf_Dyn entry;

		if (!gelf_getdyn(data, i, &entry) || entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == tag)
			return tag == DT_SYMBOLIC ? 1 : entry.d_un.d_val;
	}
	return 0;
}

/* A library that takes its own symbols first, or a program, uses what it has. */
static bool takes_others(struct elf_file *elf)
{
	return elf->type == ET_DYN && !(dynamic_entry(elf, DT_FLAGS_1) & DF_1_PIE) &&
	       !(dynamic_entry(elf, DT_FLAGS) & DF_SYMBOLIC) && !dynamic_entry(elf, DT_SYMBOLIC);
}

bool probe_target__is_stale(struct probe_target *target, u64 addr)
{
	u32 nr;
	const struct probe_symbol *symbols = probe_target__symbols(target, &nr);

	if (target->is_kernel || target->is_running)
		return false;
	for (u32 i = 0; i < nr; i++)
		if (symbols[i].is_shared && addr >= symbols[i].addr &&
		    addr - symbols[i].addr < symbols[i].size)
			return takes_others(&target->elf);
	return false;
}

/* ---- addresses ---- */

u64 probe_target__offset(const struct probe_target *target, u64 vaddr)
{
	const GElf_Phdr *segment = elf_file__segment(&target->elf, vaddr);

	return segment ? vaddr - segment->p_vaddr + segment->p_offset : UINT64_MAX;
}

bool probe_target__is_code(struct probe_target *target, u64 vaddr)
{
	struct elf_file *elf = &target->elf;
	const GElf_Phdr *segment = elf_file__segment(elf, vaddr);
	u32 nr = elf_file__sections(elf);

	if (!segment || !(segment->p_flags & PF_X))
		return false;
	for (u32 i = 1; i < nr; i++) {
		const GElf_Shdr *header = &elf->sections[i].header;

		if (header->sh_flags & SHF_ALLOC && header->sh_flags & SHF_EXECINSTR &&
		    vaddr >= header->sh_addr && vaddr - header->sh_addr < header->sh_size)
			return true;
	}
	return !nr; /* without sections all of the segment may be */
}

u64 probe_target__vaddr(const struct probe_target *target, u64 offset)
{
	for (u32 i = 0; i < target->elf.nr_programs; i++) {
		const GElf_Phdr *segment = &target->elf.programs[i];

		if (segment->p_type == PT_LOAD && offset >= segment->p_offset &&
		    offset - segment->p_offset < segment->p_filesz)
			return offset - segment->p_offset + segment->p_vaddr;
	}
	return UINT64_MAX;
}

/* ---- call frames ---- */

static void index_section(struct cfi *cfi, struct elf_file *elf, const char *name, bool eh)
{
	struct elf_section *section = elf_file__section(elf, name);
	const Elf_Data *data = section && section->header.sh_type != SHT_NOBITS
	                               ? elf_file__data(elf, section)
	                               : NULL;

	if (!data || cfi->nr)
		return;
	const struct cfi_section contents = { .data = data->d_buf,
		                              .size = data->d_size,
		                              .addr = section->header.sh_addr,
		                              .eh = eh,
		                              .is64 = elf->is64,
		                              .swap = elf->swap,
		                              .machine = elf->machine };

	cfi__init(cfi, &contents);
}

bool probe_target__cfa(struct probe_target *target, u64 vaddr, u32 *reg, s64 *offset)
{
	struct cfi_row row;

	if (!target->cfi_read) {
		target->cfi_read = true;
		index_section(&target->cfi[0], &target->elf, ".eh_frame", true);
		index_section(&target->cfi[1], &target->elf, ".debug_frame", false);
		if (target->has_debug)
			index_section(&target->cfi[1], &target->debug, ".debug_frame", false);
	}
	for (u32 i = 0; i < ARRAY_SIZE(target->cfi); i++) {
		if (!target->cfi[i].nr || cfi__row(&target->cfi[i], vaddr, &row, NULL))
			continue;
		if (row.cfa.kind != CFI_REGISTER)
			return false;
		*reg = row.cfa.reg;
		*offset = row.cfa.value;
		return true;
	}
	return false;
}
