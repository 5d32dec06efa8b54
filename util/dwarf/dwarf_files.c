// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef HAVE_LIBDW
#include "util/dwarf/dwarf_files.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/dwarf/source_text.h"
#include "util/dwarf/split_units.h"
#include "util/elf/build_id.h"
#include "util/elf/debug_image.h"
#include "util/elf/relocatable.h"
#include "util/lib/alloc.h"
#include "util/lib/out.h"
#include "util/lib/text.h"

/* A section that is larger, or unpacks to more (zlib packs up to 1:1032), is damage. Of zstd, which
 * packs zeros 1:30000, that is more than debug sections ever are. */
#define MAX_SECTION (1ull << 30)
#define MAX_PACKING 1100

static bool is_debug_section(const char *name)
{
	return text__starts_with(name, ".debug_") || text__starts_with(name, ".gnu.debuglto_");
}

/* Sizes that libdw will believe. */
static bool section_is_sound(struct elf_file *elf, const struct elf_section *section)
{
	const GElf_Shdr *header = &section->header;
	GElf_Chdr packed;

	if (header->sh_type == SHT_NOBITS)
		return true;
	if (header->sh_size > MAX_SECTION || header->sh_offset > elf->size ||
	    header->sh_size > elf->size - header->sh_offset)
		return false;
	if (!(header->sh_flags & SHF_COMPRESSED))
		return true;
	return gelf_getchdr(section->scn, &packed) && packed.ch_size <= MAX_SECTION &&
	       packed.ch_size / MAX_PACKING <= header->sh_size;
}

/* Can libdw be shown the file? @found (may be NULL): is there DWARF in it? */
static bool is_sound(struct elf_file *elf, bool *found)
{
	u32 nr = elf_file__sections(elf);

	for (u32 i = 0; i < nr; i++) {
		const struct elf_section *section = &elf->sections[i];

		if (text__starts_with(section->name, ".zdebug_"))
			return false; /* as compilers packed before 2015 */
		if (!is_debug_section(section->name))
			continue;
		if (!section_is_sound(elf, section))
			return false;
		if (found && !strcmp(section->name, ".debug_info"))
			*found |= section->header.sh_type != SHT_NOBITS;
	}
	return true;
}

static bool has_dwarf(struct elf_file *elf)
{
	bool found = false;

	return is_sound(elf, &found) && found;
}

/*
 * Will libdw, which opens the file by itself, neither wait for ever nor believe sizes that are
 * none? Nothing may be there, or something that is not ELF.
 */
static bool is_harmless(const struct dwarf_files *files, const char *path)
{
	struct elf_file elf;
	struct stat st;

	file_trail__note(files->trail, path);
	if (stat(path, &st))
		return true;
	if (!S_ISREG(st.st_mode))
		return false;
	int ret = elf_file__open(&elf, path);
	bool sound = ret ? ret == -ENOEXEC : is_sound(&elf, NULL);

	if (!ret)
		elf_file__close(&elf);
	return sound;
}

/*
 * Who reads lines and functions asks not where variables are, for unwinding rows or for tables of
 * contents; libdw would read and unpack them all the same (a fifth of the bytes), unless told that
 * there is nothing in them. In libelf's memory only.
 */
static void hide_what_is_not_asked_for(const struct dwarf_files *files, struct elf_file *elf)
{
	static const char *const names[] = { ".debug_loclists", ".debug_loc",   ".debug_frame",
		                             ".debug_aranges",  ".debug_macro", ".debug_names" };
	GElf_Shdr header;

	for (u32 i = files->whole ? 2 : 0; i < ARRAY_SIZE(names); i++) {
		struct elf_section *section = elf_file__section(elf, names[i]);

		if (!section)
			continue;
		header = section->header;
		header.sh_type = SHT_NOBITS;
		gelf_update_shdr(section->scn, &header);
	}
}

#define LINK_MAX sizeof("/proc/self/fd/2147483647")

/*
 * Names of split units can be replaced for a while by a longer one: see link_to(). Programs that
 * have split units have addresses in a section of their own.
 */
static void make_room(struct dwarf_files *files)
{
	static const char *const names[] = { ".debug_str", ".debug_line_str" };

	if (!elf_file__section(&files->elf, ".debug_addr"))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		struct elf_section *section = elf_file__section(&files->elf, names[i]);
		/* libelf has one buffer, and two descriptions of it. */
		Elf_Data *data = section ? elf_file__data(&files->elf, section) : NULL;
		Elf_Data *raw = data ? elf_rawdata(section->scn, NULL) : NULL;

		if (!raw || raw->d_buf != data->d_buf || raw->d_size != data->d_size)
			continue;
		files->roomy[i] = xcalloc(data->d_size + LINK_MAX, 1);
		memcpy(files->roomy[i], data->d_buf, data->d_size);
		raw->d_buf = data->d_buf = files->roomy[i];
		raw->d_size = data->d_size += LINK_MAX;
	}
}

static Dwarf *begin_dwarf(struct dwarf_files *files, struct elf_file *elf)
{
	hide_what_is_not_asked_for(files, elf);
	if (debug_image__wanted(elf) && (elf->type == ET_REL || !debug_image__replace(elf)))
		return NULL; /* (a module's sections were relocated before, if they could be read)
		              */
	if (elf == &files->elf)
		make_room(files);
	return dwarf_begin_elf(elf->handle, DWARF_C_READ, NULL);
}

/* @name as seen from the folder that @path lies in. */
static char *beside(const char *path, const char *name)
{
	if (*name == '/')
		return xstrdup(name);
	return xasprintf("%.*s%s", (int)(text__basename(path) - path), path, name);
}

/* ---- strings ---- */

/* Call @fn for the contents, as libdw has them, of all debug sections; true when one call was. */
static bool any_section(Dwarf *dwarf, bool (*fn)(void *ctx, const char *name, const Elf_Data *data),
                        void *ctx)
{
	Elf *elf = dwarf_getelf(dwarf);
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr header;
		const char *name =
		        gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		const Elf_Data *data =
		        name && is_debug_section(name) ? elf_rawdata(scn, NULL) : NULL;

		if (data && data->d_buf && data->d_size && fn(ctx, name, data))
			return true;
	}
	return false;
}

static bool lacks_final_zero(void *ctx, const char *name, const Elf_Data *data)
{
	(void)ctx;
	return (text__starts_with(name, ".debug_str") || !strcmp(name, ".debug_line_str")) &&
	       text__starts_with(name, ".debug_str_offsets") == false &&
	       ((const char *)data->d_buf)[data->d_size - 1];
}

/* Else reading the last string would go on behind the section: libdw 0.188 does not look. */
static bool strings_end(Dwarf *dwarf)
{
	return !any_section(dwarf, lacks_final_zero, NULL);
}

static bool holds_string(void *ctx, const char *name, const Elf_Data *data)
{
	struct dwarf_files *files = ctx;
	const char *start = data->d_buf;

	(void)name;
	if (files->string < start || files->string >= start + data->d_size)
		return false;
	files->found = (struct dwarf_span){ start, start + data->d_size };
	return true;
}

const char *dwarf_files__string(struct dwarf_files *files, Dwarf_Attribute *attr)
{
	const char *s = dwarf_formstring(attr);

	if (!s)
		return NULL;
	bool among_dies = attr->form == DW_FORM_string;
	struct dwarf_span *span = &files->spans[among_dies];

	/* libdw 0.188 lets numbers in .debug_str_offsets lead to the end of the strings. */
	files->string = s;
	if (s < span->start || s >= span->end) {
		if (!any_section(dwarf_cu_getdwarf(attr->cu), holds_string, files) &&
		    !(files->alternate_dwarf &&
		      any_section(files->alternate_dwarf, holds_string, files)))
			return NULL;
		*span = files->found;
	}
	/* Those in string sections end there: see strings_end(). */
	return !among_dies || memchr(s, '\0', span->end - s) ? s : NULL;
}

const char *dwarf_files__checked_string(Dwarf_Attribute *attr)
{
	const char *s = dwarf_formstring(attr);
	struct dwarf_files files = { .string = s };

	/* Of these libdw checks the offset, and the section ends with a zero: strings_end(). */
	if (!s || attr->form == DW_FORM_strp || attr->form == DW_FORM_line_strp)
		return s;
	if (!any_section(dwarf_cu_getdwarf(attr->cu), holds_string, &files))
		return attr->form == DW_FORM_GNU_strp_alt ? s : NULL;
	return attr->form != DW_FORM_string || memchr(s, '\0', files.found.end - s) ? s : NULL;
}

/* ---- what dwz took out of several files into one ---- */

static bool open_alternate(struct dwarf_files *files, const char *path, const struct build_id *want)
{
	struct build_id have;

	if (elf_file__open(&files->alternate, path))
		return false;
	elf_file__build_id(&files->alternate, &have);
	if (have.size && build_id__equal(&have, want) && has_dwarf(&files->alternate))
		files->alternate_dwarf = begin_dwarf(files, &files->alternate);
	if (files->alternate_dwarf && strings_end(files->alternate_dwarf))
		return true;
	dwarf_end(files->alternate_dwarf);
	files->alternate_dwarf = NULL;
	elf_file__close(&files->alternate);
	return false;
}

/*
 * .gnu_debugaltlink: a path, zero, the build-id. False: libdw must not be let at it, because it
 * would look for that file itself.
 */
static bool set_alternate(struct dwarf_files *files)
{
	struct elf_section *section = elf_file__section(&files->elf, ".gnu_debugaltlink");
	const Elf_Data *data = section && section->header.sh_size <= 8192
	                               ? elf_file__data(&files->elf, section)
	                               : NULL;
	char hex[BUILD_ID_HEX_SIZE];

	if (!section)
		return true;
	size_t len = data ? strnlen(data->d_buf, data->d_size) : 0;
	struct build_id id;

	if (!len || len + 3 > data->d_size || data->d_size - len - 1 > sizeof(id.data))
		return false;
	id = (struct build_id){ .size = data->d_size - len - 1 };
	memcpy(id.data, (const char *)data->d_buf + len + 1, id.size);
	build_id__hex(&id, hex);
	char *path = beside(files->path, data->d_buf);
	char *by_id = xasprintf("/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2);
	bool harmless = is_harmless(files, path) && is_harmless(files, by_id);
	bool found = open_alternate(files, path, &id) || open_alternate(files, by_id, &id);

	if (found)
		free(path);
	else
		files->no_alternate = path;
	free(by_id);
	return found || harmless;
}

/* ---- what a unit tells ---- */

const char *dwarf_files__source_of_unit(const Dwarf_Die *cudie, const char *name)
{
	Dwarf_Die die = *cudie;
	Dwarf_Files *files;
	size_t nr;

	if (dwarf_getsrcfiles(&die, &files, &nr))
		return NULL;
	for (size_t i = 0; i < nr; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);

		if (path && path__ends_with(path, name))
			return path;
	}
	return NULL;
}

bool dwarf_files__is_c(Dwarf_Die *cudie)
{
	switch (dwarf_srclang(cudie)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case 0x2c: /* DW_LANG_C17 */
	case DW_LANG_Mips_Assembler:
		return true;
	default: /* -1: unknown, as in what dwz moved together */
		return false;
	}
}

/* ---- split units ---- */

static const char *split_name(struct dwarf_files *files, Dwarf_Die *cudie, Dwarf_Attribute *attr)
{
	const char *name = dwarf_files__string(files, dwarf_attr(cudie, DW_AT_dwo_name, attr));

	return name ? name
	            : dwarf_files__string(files, dwarf_attr(cudie, DW_AT_GNU_dwo_name, attr));
}

/*
 * libdw opens the split unit by its name, and only so: let the name lead to @fd meanwhile. Its
 * bytes are in memory that libelf read for us.
 */
static bool link_to(struct dwarf_files *files, Dwarf_Die *cudie, int fd)
{
	Dwarf_Attribute attr;
	char *name = (char *)split_name(files, cudie, &attr);
	char path[LINK_MAX], saved[LINK_MAX];
	Dwarf_Die code;
	size_t len = snprintf(path, sizeof(path), "/proc/self/fd/%d", fd) + 1;

	if (!name || attr.form == DW_FORM_string || name < files->spans[0].start ||
	    name >= files->spans[0].end || (size_t)(files->spans[0].end - name) < len)
		return false;
	memcpy(saved, name, len);
	memcpy(name, path, len);
	bool linked =
	        !dwarf_cu_info(cudie->cu, NULL, NULL, NULL, &code, NULL, NULL, NULL) && code.addr;

	memcpy(name, saved, len);
	return linked;
}

static struct split_package *open_package(struct dwarf_files *files, const char *path, int len)
{
	char *name = xasprintf("%.*s.dwp", len, path);
	struct split_package *package = NULL;
	int error = -EISDIR; /* or a device */
	struct stat st;

	file_trail__note(files->trail, name);
	bool is_there = !stat(name, &st);

	if (is_there && S_ISREG(st.st_mode))
		package = split_package__open(name, &error);
	if (package || (is_there && !files->package_path)) {
		free(files->package_path);
		files->package_path = name;
		files->package_error = error;
	} else {
		free(name);
	}
	return package;
}

static bool link_from_package(struct dwarf_files *files, Dwarf_Die *cudie, u64 id)
{
	size_t len = strlen(files->path);

	if (!files->package_tried) {
		files->package_tried = true;
		files->package = open_package(files, files->path, len);
		if (!files->package && len > 6 && !strcmp(files->path + len - 6, ".debug"))
			files->package = open_package(files, files->path, len - 6);
		if (!files->package && files->program && strcmp(files->program, files->path) != 0)
			files->package =
			        open_package(files, files->program, strlen(files->program));
	}
	int fd = files->package ? split_package__unit(files->package, id) : -1;
	bool linked = fd >= 0 && link_to(files, cudie, fd);

	if (fd >= 0)
		close(fd);
	return linked;
}

/*
 * The file at @path, if libdw cannot read it as it is: with other units beside, or packed in a way
 * that it does not know. -1: it can, or there is none.
 */
static int file_of_our_own(const char *path)
{
	struct elf_file elf;
	struct stat st;
	int fd = -1;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || elf_file__open(&elf, path))
		return -1;
	if (is_sound(&elf, NULL)) {
		bool unpacked = debug_image__wanted(&elf) && debug_image__replace(&elf);

		fd = split_units__of_object(&elf);
		if (fd < 0 && unpacked)
			fd = dup(elf.fd);
	}
	elf_file__close(&elf);
	return fd;
}

/* Can libdw be let at the unit's file? *linked: it need not, as it has the unit. */
static bool look_at_file(struct dwarf_files *files, Dwarf_Die *cudie, const char *path,
                         bool *linked)
{
	if (!is_harmless(files, path))
		return false;
	int fd = file_of_our_own(path);

	if (fd >= 0) {
		*linked = link_to(files, cudie, fd);
		close(fd);
	}
	return true;
}

/* Where a unit's file may be, malloc'ed: beside the object, or where it was compiled. */
static char *split_path(struct dwarf_files *files, Dwarf_Die *cudie, const char *name,
                        bool compiled)
{
	Dwarf_Attribute attr;
	const char *folder =
	        compiled ? dwarf_files__string(files, dwarf_attr(cudie, DW_AT_comp_dir, &attr))
	                 : NULL;

	if (!compiled)
		return beside(files->path, name);
	return folder && *name != '/' ? xasprintf("%s/%s", folder, name) : xstrdup(name);
}

static bool look_at_files(struct dwarf_files *files, Dwarf_Die *cudie)
{
	const char *name = dwarf_files__split_name(files, cudie);
	bool linked = false, harmless = true;

	for (int i = 0; name && i < 2 && harmless && !linked; i++) {
		char *path = split_path(files, cudie, name, i);

		harmless = look_at_file(files, cudie, path, &linked);
		free(path);
	}
	return harmless;
}

bool dwarf_files__code_of_unit(struct dwarf_files *files, Dwarf_Die *cudie, Dwarf_Die *code)
{
	uint64_t id;
	uint8_t type;

	*code = *cudie;
	if (dwarf_cu_info(cudie->cu, NULL, &type, NULL, NULL, &id, NULL, NULL))
		return false;
	if (type != DW_UT_skeleton)
		return true;
	if ((!link_from_package(files, cudie, id) && !look_at_files(files, cudie)) ||
	    dwarf_cu_info(cudie->cu, NULL, NULL, NULL, code, NULL, NULL, NULL))
		return false;
	return code->addr && strings_end(dwarf_cu_getdwarf(code->cu));
}

const char *dwarf_files__split_name(struct dwarf_files *files, Dwarf_Die *cudie)
{
	Dwarf_Attribute attr;

	return split_name(files, cudie, &attr);
}

/* The unit's own file, malloc'ed; NULL: it is not there. */
static char *split_file(struct dwarf_files *files, Dwarf_Die *cudie, const char *name)
{
	struct stat st;

	for (int i = 0; name && i < 2; i++) {
		char *path = split_path(files, cudie, name, i);

		if (!stat(path, &st))
			return path;
		free(path);
	}
	return NULL;
}

static const char *why_no_package(const struct dwarf_files *files, u64 id)
{
	if (files->package)
		return split_package__lists(files->package, id)
		               ? "this unit is damaged there"
		               : "lacks this unit: it is of another build, or not of all files";
	switch (files->package_error) {
	case -ENOEXEC:
		return "is empty, or no ELF file";
	case -EBADMSG:
		return "is damaged, or no package";
	default:
		return strerror(-files->package_error);
	}
}

/* Has the file units, and none with this id? *other: the id of the last. */
static bool is_of_another_build(Elf *elf, u64 id, u64 *other)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	Dwarf_CU *cu = NULL;
	uint64_t own;
	uint8_t type;
	bool any = false, found = false;

	while (dwarf && !dwarf_get_units(dwarf, cu, &cu, NULL, &type, NULL, NULL)) {
		if (type != DW_UT_split_compile ||
		    dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &own, NULL, NULL))
			continue;
		any = true;
		found |= own == id;
		*other = own;
	}
	dwarf_end(dwarf);
	return any && !found;
}

/* Why is the file at @path not the one of the unit with this id? */
static void write_why_not(struct out *why, const char *path, u64 id)
{
	int fd = file_of_our_own(path);
	char own[LINK_MAX];
	struct elf_file elf;
	struct stat st;
	u64 other = 0;

	snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
	int ret = stat(path, &st) || !S_ISREG(st.st_mode)
	                  ? -EINVAL
	                  : elf_file__open(&elf, fd < 0 ? path : own);

	if (!ret && is_sound(&elf, NULL) && is_of_another_build(elf.handle, id, &other))
		out__printf(why,
		            "; '%s' is there, but of another build: its id is %016llx, not %016llx",
		            path, (unsigned long long)other, (unsigned long long)id);
	else
		out__printf(why, "; '%s' is there, but damaged, or no such file", path);
	if (!ret)
		elf_file__close(&elf);
	if (fd >= 0)
		close(fd);
}

void dwarf_files__explain_unread(struct dwarf_files *files, Dwarf_Die *cudie, const char *program,
                                 struct error *err)
{
	const struct error old = *err;
	const char *name = dwarf_files__split_name(files, cudie);
	char *file = split_file(files, cudie, name);
	uint64_t id = 0;
	struct out why;

	dwarf_cu_info(cudie->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL);
	out__init(&why, -1);
	if (files->package_path)
		out__printf(&why, "; '%s' is there, but %s", files->package_path,
		            why_no_package(files, id));
	if (file)
		write_why_not(&why, file, id);
	error__set(err, old.code, old.what, old.subject, "%s%s", old.cause, out__take(&why));
	out__exit(&why);
	free(file);
	char *path = name && *name != '/' ? split_path(files, cudie, name, true) : NULL;
	char *where = path ? xasprintf(" (in %.*s)", (int)(text__basename(path) - path - 1), path)
	                   : xstrdup("");

	if (files->package_path)
		error__advise(err, "make the package anew, or put '%s' where it was compiled%s",
		              name ? name : "", where);
	else
		error__advise(err,
		              "put '%s' where it was compiled%s, or a package of all such files "
		              "beside the program: %s.dwp",
		              name ? name : "", where, program);
	free(path);
	free(where);
}

/* ---- open and close ---- */

/* Of a kernel or an interpreter a probe asks for one unit out of many: reading all costs half the
 * time. */
#define MAP_FROM (8ull << 20)

/*
 * Sections that are packed have to be read anyway. Of what is mapped libdw does not know the
 * folder, which it looks for split units in.
 */
static void map_if_large(struct elf_file *elf)
{
	u32 nr =
	        elf->size < MAP_FROM || elf->type == ET_REL || elf_file__section(elf, ".debug_addr")
	                ? 0
	                : elf_file__sections(elf);

	for (u32 i = 0; i < nr; i++)
		if (elf->sections[i].header.sh_flags & SHF_COMPRESSED)
			return;
	if (nr)
		elf_file__map(elf);
}

/* Its own linker had its say, or we have: a module. */
static bool is_linked(struct elf_file *elf, u64 module_start)
{
	if (elf->type != ET_REL)
		return true;
	relocatable__set_addresses(elf, module_start);
	return module_start && !relocatable__apply(elf);
}

static struct dwarf_files *open_files(const char *path, u64 module_start, struct file_trail *trail,
                                      bool whole)
{
	struct dwarf_files *files = xcalloc(1, sizeof(*files));

	files->whole = whole;
	files->elf.fd = files->alternate.fd = -1;
	files->path = xstrdup(path);
	files->trail = trail;
	if (elf_file__open(&files->elf, path)) {
		files->elf.fd = -1;
		dwarf_files__close(files);
		return NULL;
	}
	if (whole)
		map_if_large(&files->elf);
	if (has_dwarf(&files->elf) && is_linked(&files->elf, module_start) &&
	    set_alternate(files)) {
		files->dwarf = begin_dwarf(files, &files->elf);
		if (files->dwarf && files->alternate_dwarf)
			dwarf_setalt(files->dwarf, files->alternate_dwarf);
	}
	if (files->dwarf && strings_end(files->dwarf))
		return files;
	dwarf_files__close(files);
	return NULL;
}

struct dwarf_files *dwarf_files__open(const char *path, u64 module_start, struct file_trail *trail)
{
	return open_files(path, module_start, trail, false);
}

struct dwarf_files *dwarf_files__open_whole(const char *path, u64 module_start)
{
	return open_files(path, module_start, NULL, true);
}

void dwarf_files__close(struct dwarf_files *files)
{
	if (!files)
		return;
	dwarf_end(files->dwarf);
	dwarf_end(files->alternate_dwarf);
	elf_file__close(&files->elf);
	elf_file__close(&files->alternate);
	split_package__close(files->package);
	free(files->no_alternate);
	free(files->roomy[0]);
	free(files->roomy[1]);
	free(files->package_path);
	free(files->path);
	free(files);
}
#else
/* An empty source file is none. */
extern int no_dwarf_files;
#endif
