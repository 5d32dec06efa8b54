// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbol/code.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/elf/build_id.h"
#include "util/elf/relocatable.h"
#include "util/lib/alloc.h"
#include "util/machine/session.h"
#include "util/reader/bpf_info.h"
#include "util/reader/features.h"
#include "util/symindex/symbol_bundle.h"
#include "util/symtab/kernel_core.h"
#include "util/symtab/object_file.h"

struct opened {
	bool tried;
	struct object_files files;
	struct error error; /* why it is not open; code 0: it is */
};

struct code_files {
	struct session_symbols *symbols;
	const struct session *session;
	const struct dsos *dsos;
	struct opened *opened; /* by dso */
	u32 nr;
};

struct code_files *code_files__new(struct session_symbols *symbols, const struct session *session)
{
	struct code_files *files = xcalloc(1, sizeof(*files));

	files->symbols = symbols;
	files->session = session;
	files->dsos = &session->dsos;
	files->nr = session->dsos.nr;
	files->opened = xcalloc(files->nr, sizeof(*files->opened));
	return files;
}

void code_files__delete(struct code_files *files)
{
	if (!files)
		return;
	for (u32 i = 0; i < files->nr; i++)
		object_files__close(&files->opened[i].files);
	free(files->opened);
	free(files);
}

/* The kernel's code as it ran, at the addresses that it had. */
static bool open_core(const struct code_files *files, struct object_files *to)
{
	char *path = kernel_core__find(files->dsos, session_symbols__config(files->symbols));

	to->has_elf = path && !elf_file__open(&to->elf, path);
	if (to->has_elf && to->elf.type != ET_CORE) {
		elf_file__close(&to->elf);
		to->has_elf = false;
	}
	free(path);
	return to->has_elf;
}

/* A vmlinux has code at the addresses of its own symbols, a core at those of lists. */
static int open_kernel(struct code_files *files, u32 dso, struct object_files *to,
                       struct error *err)
{
	const struct symtab *table = session_symbols__table(files->symbols, dso);
	const struct dso *kernel = dsos__at(files->dsos, dso);
	struct build_id id = build_id__of_bytes(kernel->build_id, kernel->build_id_size);
	char hex[BUILD_ID_HEX_SIZE];

	if (table->source == SYMTAB_VMLINUX && table->path) {
		int ret = elf_file__open(&to->elf, table->path);

		to->has_elf = !ret;
		return ret ? error__set(err, ret, "cannot read", table->path, NULL) : 0;
	}
	if (open_core(files, to))
		return 0;
	error__set(
	        err, -ENOENT, "no code of", strtab__get(files->dsos->strings, kernel->name),
	        id.size ? "no vmlinux with build-id %s was found, and no copy of the running code"
	                : "no vmlinux was found, and no copy of the running code%.0s",
	        build_id__hex(&id, hex));
	return error__advise(err, "give it: --vmlinux=FILE; or record with --kcore");
}

/* The core has a module's code as it ran; else its file, with its sections where they were loaded.
 */
static int open_module(struct code_files *files, const struct dso *module, struct object_files *to,
                       struct error *err)
{
	const struct symbol_config *config = session_symbols__config(files->symbols);
	const char *path = strtab__get(files->dsos->strings, module->name);
	const struct object_file_request request = { .path = path,
		                                     .symfs = config->symfs,
		                                     .build_id = module->build_id,
		                                     .build_id_size = module->build_id_size,
		                                     .cache_dir = config->cache_dir };

	if (open_core(files, to) && elf_file__segment(&to->elf, module->text_start))
		return 0;
	object_files__close(to);
	to->has_elf = false;
	if (*path != '/' || !module->text_start)
		return error__set(err, -ENOENT, "no code of", path,
		                  "the recording does not say which file it is");
	int ret = object_file__open(&to->elf, &request, err);

	to->has_elf = !ret;
	if (!ret)
		relocatable__set_addresses(&to->elf, module->text_start);
	return ret;
}

static int open_dso(struct code_files *files, u32 dso, struct object_files *to, struct error *err)
{
	const struct dso *object = dsos__at(files->dsos, dso);
	const char *name = strtab__get(files->dsos->strings, object->name);

	switch (object->kind) {
	case DSO_USER:
	case DSO_VDSO:
		return object_files__open(to, files->dsos, dso,
		                          session_symbols__config(files->symbols), false, err);
	case DSO_KERNEL:
		return open_kernel(files, dso, to, err);
	case DSO_ANON:
		error__set(err, -ENODATA, "no code of", name,
		           "it was made at run time, and such a file has names only");
		return error__advise(err, "let the program write a dump of its code "
		                          "(jit-PID.dump), then: perf inject --jit");
	case DSO_MODULE:
		return open_module(files, object, to, err);
	default:
		error__set(err, -ENODATA, "no code of", name, "the code is in no file");
		return error__advise(err, "perf report shows its symbols");
	}
}

static struct opened *open_once(struct code_files *files, u32 dso)
{
	struct opened *opened = &files->opened[dso];

	if (opened->tried)
		return opened;
	opened->tried = true;
	int ret = open_dso(files, dso, &opened->files, &opened->error);

	if (ret && !opened->error.code)
		error__set(&opened->error, ret, "cannot read the code of",
		           strtab__get(files->dsos->strings, dsos__at(files->dsos, dso)->name),
		           NULL);
	return opened;
}

static const struct elf_section *section_at(struct elf_file *elf, u64 addr)
{
	u32 nr = elf_file__sections(elf);

	for (u32 i = 0; i < nr; i++) {
		const GElf_Shdr *header = &elf->sections[i].header;

		if (header->sh_flags & SHF_ALLOC && !(header->sh_flags & SHF_TLS) &&
		    addr >= header->sh_addr && addr - header->sh_addr < header->sh_size)
			return &elf->sections[i];
	}
	return NULL;
}

bool code_files__same_section(struct code_files *files, u32 dso, u64 a, u64 b)
{
	struct opened *opened = &files->opened[dso];

	if (!opened->tried || opened->error.code)
		return false;
	const struct elf_section *section = section_at(&opened->files.elf, a);

	return section && section == section_at(&opened->files.elf, b);
}

/* From the recording itself: its code is that of the recorded build. */
static int read_bundled(struct code_files *files, u32 dso, u64 end, struct code *code,
                        const struct error *error, struct error *err)
{
	const struct dso *object = dsos__at(files->dsos, dso);
	struct symbol_bundle *bundle = session_symbols__config(files->symbols)->bundle;
	const struct code_bundle_function *f = NULL;

	*err = *error;
	if (bundle)
		f = symbol_bundle__code(bundle, object,
		                        strtab__get(files->dsos->strings, object->name),
		                        code->start, err);
	if (!f)
		return err->code;
	u64 from = code->start - f->entry.start;

	code->size = min_u64(f->entry.size - from, end - code->start);
	code->nr_missing = end - code->start - code->size;
	code->bytes = xmalloc(code->size);
	memcpy(code->bytes, f->bytes + from, code->size);
	snprintf(code->section, sizeof(code->section), "%s", f->entry.section);
	code->machine = (struct disasm_options){ .machine = f->entry.machine,
		                                 .is64 = f->entry.is64,
		                                 .big_endian = f->entry.big_endian };
	return 0;
}

/* Of a module: up to @max bytes, as far as the section goes. */
static int read_module(struct elf_file *elf, u64 max, struct code *code)
{
	const struct elf_section *section = section_at(elf, code->start);

	if (!section || !section->header.sh_addr || !elf_file__holds(elf, section))
		return -ENODATA;
	u64 before = code->start - section->header.sh_addr;

	code->size = min_u64(max, section->header.sh_size - before);
	code->bytes = xmalloc(code->size);
	int ret = elf_file__read(elf, section->header.sh_offset + before, code->bytes, code->size);

	if (ret)
		code__exit(code);
	else
		code->relocated =
		        relocated_code__new(elf, section, code->start, code->bytes, code->size);
	return ret;
}

/* A BPF program's, as the kernel compiled it. */
static int read_bpf(const struct code_files *files, const char *name, u64 end, struct code *code,
                    struct error *err)
{
	const struct arch *arch = perf_data__arch(files->session->data);
	u32 size;
	const u8 *bytes = bpf_info__code(files->session->data, name, code->start, &size);

	if (!bytes) {
		error__set(err, -ENODATA, "no code of", name,
		           "the recording does not have what the kernel made of this BPF program");
		return error__advise(err, "record as root, and without --no-bpf-event");
	}
	code->size = min_u64(size, end - code->start);
	code->nr_missing = end - code->start - code->size;
	code->bytes = xmalloc(code->size);
	memcpy(code->bytes, bytes, code->size);
	snprintf(code->section, sizeof(code->section), "bpf");
	code->machine = (struct disasm_options){ .machine = arch->machine, .is64 = arch->is64 };
	return 0;
}

int code_files__read(struct code_files *files, u32 dso, u64 start, u64 end, struct code *code,
                     struct error *err)
{
	struct opened *opened = open_once(files, dso);
	struct elf_file *elf = &opened->files.elf;
	const char *name = strtab__get(files->dsos->strings, dsos__at(files->dsos, dso)->name);

	*code = (struct code){ .start = start, .fd = -1 };
	if (dsos__at(files->dsos, dso)->kind == DSO_BPF)
		return read_bpf(files, name, end, code, err);
	if (opened->error.code)
		return read_bundled(files, dso, end, code, &opened->error, err);
	int ret = elf->type == ET_REL
	                  ? read_module(elf, end - start, code)
	                  : elf_file__code(elf, start, end - start, &code->bytes, &code->size);

	if (ret == -ENODATA)
		return error__set(err, ret, "no code of", name,
		                  "the file has nothing at address 0x%llx",
		                  (unsigned long long)start);
	if (ret)
		return error__set(err, ret, "cannot read the code of", name, NULL);
	if (elf->type != ET_REL) /* where a function of a module ends may be a guess */
		code->nr_missing = end - start - code->size;
	const struct elf_section *section = section_at(elf, start);

	snprintf(code->section, sizeof(code->section), "%s", section ? section->name : "load1");
	code->fd = elf->unpacked || code->relocated ? -1 : elf->fd;
	code->machine = (struct disasm_options){ .machine = elf->machine,
		                                 .is64 = elf->is64,
		                                 .big_endian = elf->swap };
	return 0;
}

void code__exit(struct code *code)
{
	relocated_code__delete(code->relocated);
	free(code->bytes);
	code->relocated = NULL;
	code->bytes = NULL;
}

bool code_files__is64(struct code_files *files, u32 dso, bool otherwise)
{
	const struct opened *opened = open_once(files, dso);

	return opened->error.code ? otherwise : opened->files.elf.is64;
}
