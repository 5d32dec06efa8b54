// SPDX-License-Identifier: GPL-2.0-or-later
/* Of the core that is read, only the program headers and the wanted parts of segments are used. */
#include "util/archive/kernel_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/buildid/build_id_cache_private.h"
#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/symtab/kallsyms.h"

#define PAGE        4096u
#define MAX_MODULES (16u << 20) /* bytes of their list */
#define MAX_NAMES   (1ull << 30)
#define MAX_CODE    (1ull << 30) /* bytes, with all modules */
#define MAX_HEADERS 4096
#define CHUNK       (256 * 1024)

static const char *const names[] = { "kcore", "kallsyms", "modules" };

/* Of addresses, and where they are in the core that is read. */
struct region {
	u64 start, end, offset;
};

struct regions {
	struct region *regions;
	u32 nr;
	size_t cap;
};

static int cannot(struct error *err, int code, const char *from, const char *name, const char *why)
{
	char *path = xasprintf("%s/%s", from, name);

	error__set(err, code, "cannot copy", path, why ? "%s" : NULL, why);
	free(path);
	return code;
}

/* ---- what is wanted ---- */

static void add_region(struct regions *list, u64 start, u64 end)
{
	array__reserve(&list->regions, &list->cap, list->nr + 1, sizeof(*list->regions));
	start &= ~(u64)(PAGE - 1);
	end = round_up_u64(end, PAGE);
	if (start < end)
		list->regions[list->nr++] = (struct region){ .start = start, .end = end };
}

/* "name size users by state 0xaddress": addresses are 0 for who may not see them. */
static void add_module(struct regions *list, char *line)
{
	u64 size, addr;
	char *save, *word[6] = { NULL };
	u32 nr = 0;

	for (char *w = strtok_r(line, " ", &save); w && nr < 6; w = strtok_r(NULL, " ", &save))
		word[nr++] = w;
	if (nr == 6 && !text__parse_u64(word[1], &size) && !text__parse_u64(word[5], &addr) &&
	    addr && size <= UINT64_MAX / 2 && addr < UINT64_MAX - size - PAGE)
		add_region(list, addr, addr + size);
}

static int compare_regions(const void *a, const void *b)
{
	const struct region *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* What touches becomes one. */
static void merge(struct regions *list)
{
	u32 nr = 0;

	if (!list->nr)
		return;
	qsort(list->regions, list->nr, sizeof(*list->regions), compare_regions);
	for (u32 i = 1; i < list->nr; i++) {
		struct region *last = &list->regions[nr];

		if (list->regions[i].start <= last->end)
			last->end = max_u64(last->end, list->regions[i].end);
		else
			list->regions[++nr] = list->regions[i];
	}
	list->nr = nr + 1;
}

/* The kernel's text, and the modules. */
static int want(struct regions *list, const char *from, struct error *err)
{
	char *path = xasprintf("%s/kallsyms", from);
	u64 start = kallsyms__find(path, "_stext"), end = kallsyms__find(path, "_etext");
	size_t len;

	if (access(path, R_OK)) {
		free(path);
		return cannot(err, -errno, from, "kallsyms", NULL);
	}
	if (!start || end <= start)
		kallsyms__explain_hidden(path, -EPERM, "cannot find the kernel's code", err);
	free(path);
	if (!start || end <= start)
		return -EPERM;
	add_region(list, start, end);
	path = xasprintf("%s/modules", from);
	char *text = file__read_all(path, MAX_MODULES, &len), *rest = text, *line;

	free(path);
	if (!text)
		return cannot(err, -errno, from, "modules", NULL);
	while ((line = strsep(&rest, "\n")))
		add_module(list, line);
	free(text);
	merge(list);
	return list->nr < PN_XNUM ? 0 : cannot(err, -EFBIG, from, "modules", "there are too many");
}

/* ---- what the core has ---- */

/* Find each region in the core @fd; regions that it lacks are dropped (modules that went). */
static int locate(struct regions *list, int fd)
{
	ElfW(Ehdr) header;
	u64 sum = 0;
	u32 nr = 0;

	if (file__read_at(fd, &header, sizeof(header), 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_CORE ||
	    header.e_phentsize != sizeof(ElfW(Phdr)) || !header.e_phnum ||
	    header.e_phnum > MAX_HEADERS)
		return -ENOEXEC;
	size_t size = header.e_phnum * sizeof(ElfW(Phdr));
	ElfW(Phdr) *parts = xmalloc(size);
	bool good = !file__read_at(fd, parts, size, header.e_phoff);

	for (u32 i = 0; good && i < list->nr; i++) {
		struct region region = list->regions[i];

		for (u32 j = 0; j < header.e_phnum; j++) {
			const ElfW(Phdr) *part = &parts[j];

			if (part->p_type != PT_LOAD || region.start < part->p_vaddr ||
			    region.end - part->p_vaddr > part->p_filesz)
				continue;
			region.offset = part->p_offset + (region.start - part->p_vaddr);
			sum += region.end - region.start;
			list->regions[nr++] = region;
			break;
		}
	}
	list->nr = nr;
	free(parts);
	if (sum > MAX_CODE)
		return -EFBIG;
	return good && nr ? 0 : -ENOEXEC;
}

/* ---- writing ---- */

static int copy_bytes(int from, u64 offset, int to, u64 len, u8 *buf)
{
	while (len) {
		size_t n = min_u64(len, CHUNK);
		int ret = file__read_at(from, buf, n, offset);

		/* Pages that nobody may read, and those of a module that has just gone. */
		if (ret == -EFAULT || ret == -EIO) {
			memset(buf, 0, n);
			ret = 0;
		}
		ret = ret ? ret : file__write_all(to, buf, n);
		if (ret)
			return ret;
		offset += n;
		len -= n;
	}
	return 0;
}

/* Headers up to a page's border, then the regions one behind the other. */
static int write_core(const struct regions *list, int from, int to)
{
	u64 head = round_up_u64(sizeof(ElfW(Ehdr)) + list->nr * sizeof(ElfW(Phdr)), PAGE);
	u8 *buf = xcalloc(1, max_u64(head, CHUNK));
	ElfW(Ehdr) *header = (void *)buf;
	ElfW(Phdr) *parts = (void *)(buf + sizeof(*header));
	u64 offset = head;
	int ret = file__read_at(from, header, sizeof(*header), 0); /* machine and such */

	header->e_phoff = sizeof(*header);
	header->e_phnum = list->nr;
	header->e_shoff = header->e_shnum = header->e_shstrndx = header->e_shentsize = 0;
	for (u32 i = 0; i < list->nr; i++) {
		u64 size = list->regions[i].end - list->regions[i].start;

		parts[i] = (ElfW(Phdr)){ .p_type = PT_LOAD,
			                 .p_flags = PF_R | PF_W | PF_X,
			                 .p_offset = offset,
			                 .p_vaddr = list->regions[i].start,
			                 .p_filesz = size,
			                 .p_memsz = size,
			                 .p_align = PAGE };
		offset += size;
	}
	ret = ret ? ret : file__write_all(to, buf, head);
	for (u32 i = 0; i < list->nr && !ret; i++)
		ret = copy_bytes(from, list->regions[i].offset, to,
		                 list->regions[i].end - list->regions[i].start, buf);
	free(buf);
	return ret;
}

/* A list, which tells no size before it is read. */
static int copy_list(int from, int to)
{
	u8 *buf = xmalloc(CHUNK);
	u64 sum = 0;
	int ret = 0;

	while (!ret) {
		ssize_t n = read(from, buf, CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			ret = n ? -errno : 0;
			break;
		}
		sum += n;
		ret = sum > MAX_NAMES ? -EFBIG : file__write_all(to, buf, n);
	}
	free(buf);
	return ret;
}

static int copy_file(int folder, const char *from, const char *name, const struct regions *list)
{
	char *path = xasprintf("%s/%s", from, name);
	int in = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret = in < 0 ? -errno : 0;
	int out = ret ? -1
	              : openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	                       0400);

	if (!ret && out < 0)
		ret = -errno;
	if (!ret)
		ret = list ? write_core(list, in, out) : copy_list(in, out);
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) && !ret)
		ret = -errno;
	free(path);
	return ret;
}

void kernel_copy__remove(int at)
{
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		unlinkat(at, names[i], 0);
}

static int open_core(const char *from)
{
	char *path = xasprintf("%s/kcore", from);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), code = -errno;

	free(path);
	return fd < 0 ? code : fd;
}

int kernel_copy__make(int to, const char *from, struct error *err)
{
	struct regions list = { .nr = 0 };
	int core = open_core(from), ret = core < 0 ? core : 0;

	if (ret)
		return cannot(err, ret, from, "kcore", NULL);
	ret = want(&list, from, err);
	if (!ret && (ret = locate(&list, core)))
		cannot(err, ret, from, "kcore",
		       ret == -EFBIG ? "it has more code than a kernel"
		                     : "it is not a core of a kernel");
	close(core);
	for (u32 i = 0; i < ARRAY_SIZE(names) && !ret; i++) {
		ret = copy_file(to, from, names[i], i ? NULL : &list);
		if (ret)
			cannot(err, ret, from, names[i], NULL);
	}
	if (ret)
		kernel_copy__remove(to);
	free(list.regions);
	return ret;
}

/* ---- in the build-id cache ---- */

/* Are the modules of folder @name in @at where @modules says? */
static bool has_modules(int at, const char *name, const char *modules)
{
	char *path = xasprintf("/proc/self/fd/%d/%s/modules", at, name);
	size_t len;
	char *text = file__read_all(path, MAX_MODULES, &len);
	bool same = text && !strcmp(text, modules);

	free(path);
	free(text);
	return same;
}

static bool has_names(int at, const char *name, u64 stext)
{
	char *path = xasprintf("/proc/self/fd/%d/%s/kallsyms", at, name);
	bool same = kallsyms__find(path, "_stext") == stext;

	free(path);
	return same;
}

/* The name of an equal copy in the folder @at; NULL. malloc'ed. */
static char *find_same(int at, const char *modules, u64 stext)
{
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	char *found = NULL;

	while (dir && !found && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && has_modules(at, entry->d_name, modules) &&
		    has_names(at, entry->d_name, stext))
			found = xstrdup(entry->d_name);
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	return found;
}

/* YYYYMMDDhhmmssCC in local time, as Linux's perf. */
static char *stamp(void)
{
	struct timespec at = { 0 };
	char text[32] = "";
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &at);
	if (localtime_r(&at.tv_sec, &tm))
		strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm);
	return xasprintf("%s%02ld", text, at.tv_nsec / 10000000);
}

static int copy_to(int at, const char *name, const char *from, struct error *err)
{
	int to, ret;

	if (mkdirat(at, name, 0700))
		return error__set(err, -errno, "cannot make a folder in the build-id cache", name,
		                  NULL);
	to = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (to < 0)
		return error__set(err, -errno, "cannot make a folder in the build-id cache", name,
		                  NULL);
	ret = kernel_copy__make(to, from, err);
	close(to);
	if (ret)
		unlinkat(at, name, AT_REMOVEDIR);
	return ret;
}

int kernel_copy__add_to_cache(const char *dir, const char *from, char **path, bool *there,
                              struct error *err)
{
	char hex[BUILD_ID_HEX_SIZE], *names_path = xasprintf("%s/kallsyms", from);
	char *modules_path = xasprintf("%s/modules", from), *modules, *name;
	u64 stext = kallsyms__find(names_path, "_stext");
	struct build_id id;
	size_t len;
	int ret = build_id__of_kernel(&id), core = open_core(from);

	modules = file__read_all(modules_path, MAX_MODULES, &len);
	free(names_path);
	free(modules_path);
	*path = NULL;
	if (core < 0)
		ret = cannot(err, core, from, "kcore", NULL);
	else if (ret)
		error__set(err, ret, "cannot tell the build-id of", "[kernel.kallsyms]", NULL);
	else if (!modules)
		ret = cannot(err, -ENOENT, from, "modules", NULL);
	else if (stext && stext != kallsyms__find("/proc/kallsyms", "_stext"))
		ret = cannot(err, -ESTALE, from, "kcore", "it is not of the kernel that runs now");
	if (core >= 0)
		close(core);
	if (ret) {
		free(modules);
		return ret;
	}
	char *folder = xasprintf("[kernel.kcore]/%s", build_id__hex(&id, hex));
	int at = build_id_cache__enter(dir, folder, true);

	name = at < 0 ? NULL : find_same(at, modules, stext);
	*there = name != NULL;
	if (at < 0)
		ret = error__set(err, at, "cannot add to the build-id cache", dir, NULL);
	else if (!name)
		ret = copy_to(at, name = stamp(), from, err);
	if (!ret)
		*path = xasprintf("%s/%s/%s", dir, folder, name);
	if (at >= 0)
		close(at);
	free(name);
	free(folder);
	free(modules);
	return ret;
}
