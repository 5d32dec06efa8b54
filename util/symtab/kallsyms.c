// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel symbols have no sizes: each ends where the next begins, and of several at one address
 * the last of the list is the one that Linux's perf shows. So the few symbols that cover a
 * handful of addresses can be picked in one pass over the sorted list without making a table of
 * all 100,000: that is what `wanted` is for. A list that is not sorted gets the table.
 */
#include "util/symtab/kallsyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/event/refusal.h"
#include "util/lib/file.h"
#include "util/symtab/text_lines.h"

#define LIVE          "/proc/kallsyms"
#define NAME_MAX_SIZE 512
#define PAGE          4096u

struct entry {
	u64 addr;
	char type;
	const char *name, *module; /* not ended by NUL; module NULL for the kernel itself */
	u32 name_len, module_len;
};

static bool parse_line(const char *line, const char *end, struct entry *entry)
{
	const char *p = lines__hex(line, end, &entry->addr);

	if (!p || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return false;
	entry->type = p[1];
	entry->name = p + 3;
	/* Most lines are of the kernel itself and end with the name. */
	const char *tab = end[-1] == ']' ? memchr(entry->name, '\t', end - entry->name) : NULL;

	entry->name_len = (tab ? tab : end) - entry->name;
	entry->module = NULL;
	if (tab && end - tab > 2 && tab[1] == '[') {
		const char *close = memchr(tab + 2, ']', end - tab - 2);

		entry->module = tab + 2;
		entry->module_len = (close ? close : end) - entry->module;
	}
	return entry->name_len > 0 && entry->name_len < NAME_MAX_SIZE;
}

/* Code, and the data that profiles of memory accesses name. */
static bool type_is_wanted(char type)
{
	u32 letter = (type | 0x20) - 'a';

	return letter < 26 &&
	       (1u << ('t' - 'a') | 1u << ('w' - 'a') | 1u << ('d' - 'a') | 2u) >> letter & 1;
}

static char binding_of_type(char type)
{
	return (type | 0x20) == 'w' ? 'w' : type & 0x20 ? 'l' : 'g';
}

/* [snd-hda] and snd_hda are one module. */
static bool module_matches(const char *want, const struct entry *entry)
{
	u32 i = 0;

	if (!want || !entry->module)
		return !want && !entry->module;
	if (*want == '[')
		want++;
	for (; i < entry->module_len && want[i]; i++) {
		char a = want[i] == '-' ? '_' : want[i];
		char b = entry->module[i] == '-' ? '_' : entry->module[i];

		if (a != b)
			return false;
	}
	return i == entry->module_len && (!want[i] || !strcmp(want + i, "]"));
}

/* One target during the pass. */
struct filling {
	struct kallsyms_target *target;
	/* With wanted addresses: the next one, and the symbol whose end is not known yet. */
	u32 next;
	bool pending;
	u64 start;
	char type;
	u32 name_len;
	char name[NAME_MAX_SIZE];
};

struct pass {
	const struct kallsyms_request *request;
	struct filling *fillings; /* request->nr of them */
	u64 shift;                /* added to every address */
	bool may_stop; /* the list is sorted and has one target: no need of its end, nor of all */
	bool pick;     /* use wanted; false: keep everything */
	bool any, nonzero; /* some line parsed; some address was not zero */
	bool unsorted;
};

/* Symbol [start, end) is complete: keep it if it covers a wanted address. */
static void close_pending(struct filling *filling, u64 end)
{
	const struct kallsyms_target *target = filling->target;
	struct symtab *symtab = target->symtab;
	u32 next = filling->next;

	while (next < target->nr_wanted && target->wanted[next] < filling->start)
		next++;
	if (next < target->nr_wanted && target->wanted[next] < end) {
		char *name = arena__strndup(&symtab->arena, filling->name, filling->name_len);

		symtab__add(symtab, filling->start, end, name, binding_of_type(filling->type));
		while (next < target->nr_wanted && target->wanted[next] < end)
			next++;
	}
	filling->next = next;
	filling->pending = false;
}

/* Does symbol [start, end) of this filling cover the next wanted address? */
static bool is_hit(const struct filling *filling, u64 end)
{
	return filling->next < filling->target->nr_wanted &&
	       filling->target->wanted[filling->next] < end;
}

/* False: the list is not sorted, picking does not work. */
static bool pick(struct filling *filling, const struct entry *entry, u64 addr)
{
	if (filling->pending && addr < filling->start)
		return false;
	if (filling->pending && addr > filling->start && is_hit(filling, addr))
		close_pending(filling, addr);
	filling->pending = true;
	filling->start = addr;
	filling->type = entry->type;
	filling->name_len = entry->name_len;
	memcpy(filling->name, entry->name, LINE_SLACK); /* a few instructions; mostly it is all */
	if (unlikely(entry->name_len > LINE_SLACK))
		memcpy(filling->name, entry->name, entry->name_len);
	return true;
}

/* Not reading on costs the kernel less, too: it makes the list while it is read. */
static bool may_stop(const struct kallsyms_request *request)
{
	return request->sorted && request->nr == 1 && !request->targets->module &&
	       request->targets->nr_wanted;
}

static struct filling *find_filling(const struct pass *pass, const struct entry *entry,
                                    struct filling *last)
{
	if (!entry->module && !last->target->module)
		return last;
	if (module_matches(last->target->module, entry))
		return last;
	for (u32 i = 0; i < pass->request->nr; i++)
		if (module_matches(pass->fillings[i].target->module, entry))
			return &pass->fillings[i];
	return NULL;
}

/*
 * In a sorted list only the last symbol in front of the next wanted address can cover it: if all
 * that has been read lies there, go to the last of it that counts.
 */
static void skip_ahead(const struct pass *pass, struct lines *lines)
{
	const struct filling *filling = pass->fillings;
	const char *line = NULL, *end;
	struct entry entry;

	while (lines__last(lines, line, &line, &end)) {
		if (!parse_line(line, end, &entry) || entry.module)
			return;
		if (!type_is_wanted(entry.type))
			continue;
		if (entry.addr + pass->shift <= filling->target->wanted[filling->next])
			lines__go_to(lines, line);
		return;
	}
}

static int run_pass(struct pass *pass, int fd)
{
	struct filling *last = pass->fillings, *filling;
	struct lines lines;
	struct entry entry;
	const char *line, *end;

	lines__init(&lines, fd);
	while (!pass->unsorted && lines__next(&lines, &line, &end)) {
		if (pass->may_stop && line == lines.buf) /* was read just now */
			skip_ahead(pass, &lines);
		if (!parse_line(line, end, &entry))
			continue;
		pass->any = true;
		pass->nonzero |= entry.addr != 0;
		if (!type_is_wanted(entry.type) || (entry.module && pass->shift))
			continue;
		filling = find_filling(pass, &entry, last);
		if (!filling)
			continue;
		last = filling;
		struct symtab *symtab = filling->target->symtab;
		u64 addr = entry.addr + pass->shift;

		if (!pass->pick || !filling->target->wanted)
			symtab__add(symtab, addr, addr,
			            arena__strndup(&symtab->arena, entry.name, entry.name_len),
			            binding_of_type(entry.type));
		else if (!pick(filling, &entry, addr))
			pass->unsorted = true;
		else if (pass->may_stop && filling->next == filling->target->nr_wanted)
			break;
	}
	for (u32 i = 0; i < pass->request->nr; i++)
		if (pass->fillings[i].pending && pass->fillings[i].start < UINT64_MAX - 2 * PAGE)
			close_pending(&pass->fillings[i],
			              round_up_u64(pass->fillings[i].start, PAGE) + PAGE);
	lines__exit(&lines);
	return lines.error;
}

static void reset(struct pass *pass)
{
	for (u32 i = 0; i < pass->request->nr; i++) {
		pass->fillings[i].target = &pass->request->targets[i];
		pass->fillings[i].next = 0;
		pass->fillings[i].pending = false;
		pass->request->targets[i].symtab->nr = 0;
	}
	pass->any = pass->nonzero = pass->unsorted = false;
}

/*
 * How far the recording's kernel was moved against this file's. Hidden addresses and unreadable
 * files give 0 here and are found, with a better reason, by the pass.
 */
static bool find_shift(const struct kallsyms_request *request, u64 *shift)
{
	*shift = 0;
	if (!request->ref_symbol || !*request->ref_symbol || !request->ref_addr)
		return true;
	u64 here = kallsyms__find(request->path, request->ref_symbol);

	*shift = here ? request->ref_addr - here : 0;
	return here != 0;
}

int kallsyms__explain_hidden(const char *path, int code, const char *what, struct error *err)
{
	struct access access;
	struct refusal reason;

	if (strcmp(path, LIVE)) {
		error__set(err, code, what, path, "its addresses are hidden (all are zero)");
		return error__advise(err, "make that copy of /proc/kallsyms as root");
	}
	access__read(&access, "");
	refusal__kallsyms(&reason, &access);
	return refusal__to_error(&reason, code, what, path, err);
}

static int judge(const struct pass *pass, int ret, bool placed, struct error *err)
{
	const char *path = pass->request->path;

	if (ret)
		return error__set(err, ret, "cannot read kernel symbols from", path,
		                  ret == -EINVAL ? "it is no plain file" : NULL);
	if (!pass->any)
		return error__set(err, -ENODATA, "cannot use kernel symbols of", path,
		                  "it holds no symbols");
	if (!pass->nonzero)
		return kallsyms__explain_hidden(path, -EPERM, "cannot use kernel symbols of", err);
	if (!placed)
		return error__set(err, -ENOENT, "cannot use kernel symbols of", path,
		                  "it has no symbol '%s' to tell where the recorded kernel was",
		                  pass->request->ref_symbol);
	return 0;
}

static int read_list(struct pass *pass, bool *placed)
{
	int fd = file__open_plain(pass->request->path);

	*placed = true;
	if (fd < 0)
		return fd;
	*placed = find_shift(pass->request, &pass->shift);
	reset(pass);
	int ret = run_pass(pass, fd);

	if (!ret && pass->unsorted) {
		pass->pick = pass->may_stop = false;
		reset(pass);
		ret = lseek(fd, 0, SEEK_SET) < 0 ? -errno : run_pass(pass, fd);
	}
	close(fd);
	return ret;
}

int kallsyms__load(const struct kallsyms_request *request)
{
	struct pass pass = { .request = request, .pick = true, .may_stop = may_stop(request) };
	bool placed;

	BUG_ON(!request->nr);
	pass.fillings = xcalloc(request->nr, sizeof(*pass.fillings));
	int ret = read_list(&pass, &placed);

	for (u32 i = 0; i < request->nr; i++) {
		struct symtab *symtab = request->targets[i].symtab;
		int code = judge(&pass, ret, placed, &symtab->error);

		if (code) {
			ret = code;
			symtab->nr = 0;
			continue;
		}
		symtab->source = SYMTAB_KALLSYMS;
		symtab->runtime_addr = true;
		symtab->picked = pass.pick && request->targets[i].wanted;
		symtab->path = xstrdup(request->path);
		symtab__fixup(symtab);
	}
	free(pass.fillings);
	return ret;
}

u64 kallsyms__find(const char *path, const char *name)
{
	int fd = file__open_plain(path);
	size_t len = strlen(name);
	struct lines lines;
	struct entry entry;
	const char *line, *end;
	u64 addr = 0;

	if (fd < 0)
		return 0;
	lines__init(&lines, fd);
	while (!addr && lines__next(&lines, &line, &end))
		if (parse_line(line, end, &entry) && !entry.module && entry.name_len == len &&
		    !memcmp(entry.name, name, len))
			addr = entry.addr;
	lines__exit(&lines);
	close(fd);
	return addr;
}
