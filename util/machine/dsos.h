/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of a session's dsos, the objects that code was mapped from: their identity, not their
 * content. (For the content see util/symtab/.) A dso is identified by name, by build-id or else
 * inode (when known), and for JIT and anonymous memory by the process. Ids are given in order of
 * first use.
 */
#ifndef PERF_UTIL_MACHINE_DSOS_H
#define PERF_UTIL_MACHINE_DSOS_H

#include "util/lib/hash.h"
#include "util/lib/strtab.h"
#include "util/lib/types.h"

enum dso_kind {
	DSO_USER,   /* a file */
	DSO_KERNEL, /* [kernel.kallsyms], vmlinux */
	DSO_MODULE, /* .ko file or [name] */
	DSO_VDSO,
	DSO_VSYSCALL,
	DSO_ANON, /* //anon, [heap], memfd, ...: names from perf-PID.map of `pid` */
	DSO_BPF,  /* a bpf program or other out-of-line kernel text (KSYMBOL) */
	DSO_GUEST_KERNEL,
	DSO_UNKNOWN, /* shown as [unknown] */
};

/*
 * Device and inode of the mapped file, from MMAP2; all 0: unknown. On layered file systems the
 * kernel gives those of the layer below, which are not those of stat() (inode_of_file()).
 */
struct dso_inode {
	u32 maj, min;
	u64 ino;
};

static inline bool dso_inode__equal(const struct dso_inode *a, const struct dso_inode *b)
{
	return a->ino == b->ino && a->maj == b->maj && a->min == b->min;
}

struct dso {
	u32 name; /* strtab: as mapped: full path or bracket name; "/tmp/perf-PID.map" for ANON */
	u32 short_name; /* strtab: basename; what reports print */
	enum dso_kind kind;
	u8 build_id_size; /* 0: unknown */
	u8 build_id[20];
	s32 pid;       /* for ANON: whose perf-PID.map */
	s32 mapped_by; /* files: the first process that mapped it; -1: unknown */
	struct dso_inode inode;
	u64 text_start, text_end; /* kernel, modules, BPF: run-time range where known */
	u64 mapped;               /* bytes of its largest map of code */
	u64 text_pgoff;      /* kernel: run-time address of the reference symbol when recorded */
	u32 ref_symbol;      /* kernel: strtab id of the reference symbol ("_text"), 0: none */
	bool hit;            /* a sample fell into it (set after analysis; single-threaded) */
	u32 next_without_id; /* private: chain of same name */
};

struct dsos {
	struct strtab *strings; /* not owned */
	struct dso *dsos;
	u32 nr;
	size_t cap;
	struct u64map by_key;
	struct u64map without_id; /* name -> chain of dsos added without an id */
	u32 last_anon;            /* the DSO_ANON of the last call */
};

void dsos__init(struct dsos *dsos, struct strtab *strings);
void dsos__exit(struct dsos *dsos);

/*
 * Find or add. @build_id may be NULL. @pid matters for DSO_ANON only, whose name is always
 * "/tmp/perf-PID.map" whatever @name says. The short name is derived, as Linux's perf prints
 * it: basename; "[name]" for modules, with '_' for '-'; "[JIT] tid PID" for ANON. One name with
 * two known build-ids is two dsos; asked for without a build-id, a name is one dso, also after
 * dsos__set_build_id().
 */
u32 dsos__get(struct dsos *dsos, const char *name, enum dso_kind kind, s32 pid, const u8 *build_id,
              u8 build_id_size);

/*
 * As above for a DSO_USER that process @pid has mapped from @inode. Without a build-id, one name
 * with several inodes (in containers; after a replacement) is several dsos; but not for deleted
 * files, of which a JIT compiler may make any number.
 */
u32 dsos__get_file(struct dsos *dsos, const char *name, s32 pid, const struct dso_inode *inode,
                   const u8 *build_id, u8 build_id_size);

/* The kind that a user map's name implies: file, [vdso], anonymous ... */
enum dso_kind dso_kind__of_map(const char *name);

/*
 * Set the build-id, from the file's header, of every dso of that name that has none: the first id
 * for a name stays. If a map of that name had this id already, dsos with an inode do not get it.
 */
void dsos__set_build_id(struct dsos *dsos, const char *name, const u8 *id, u8 size);

static inline const struct dso *dsos__at(const struct dsos *dsos, u32 id)
{
	return &dsos->dsos[id];
}

#endif
