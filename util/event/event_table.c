// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/event_table.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "util/event/cpu_id.h"
#include "util/lib/file.h"
#include "util/lib/text.h"
#include "util/options/install_dirs.h"

#define FILE_MAX    (16u << 20)
#define MAPFILE_MAX (1u << 20)
#define FILES_MAX   1000 /* of a table */

void event_table__add_problem(struct event_table *table, const char *path, u32 line,
                              const char *fmt, ...)
{
	char cause[256], full[1024], *to;
	va_list args;

	table->nr_problems++;
	if (table->nr_problems > TABLE_PROBLEMS_MAX)
		return;
	va_start(args, fmt);
	vsnprintf(cause, sizeof(cause), fmt, args);
	va_end(args);
	if (line)
		snprintf(full, sizeof(full), "%.700s:%u: %s", path, line, cause);
	else
		snprintf(full, sizeof(full), "%.700s: %s", path, cause);
	to = arena__strndup(&table->arena, full, strlen(full));
	table->problems[table->nr_problems - 1] = text__printable(to, strlen(full) + 1, full);
}

/* --- files --- */

static void read_file(struct event_table *table, const char *folder, const char *name, bool std)
{
	char *path = xasprintf("%s/%s", folder, name);
	char *topic = xasprintf("%.*s", (int)(strlen(name) - strlen(".json")), name);
	size_t len;
	char *text = file__read_all(path, FILE_MAX, &len);

	if (text)
		event_table__read(table, path, topic, text, len, std);
	else
		event_table__add_problem(table, path, 0, "%s", strerror(errno));
	free(text);
	free(topic);
	free(path);
}

static int is_json(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return *entry->d_name != '.' && len > 5 && !strcmp(entry->d_name + len - 5, ".json");
}

/* Each NAME.json of the folder, sorted; that there is none is no problem. */
static void read_folder(struct event_table *table, const char *folder, bool std)
{
	struct dirent **entries;
	int nr = scandir(folder, &entries, is_json, alphasort);

	for (int i = 0; i < nr; i++) {
		if (table->nr_files++ < FILES_MAX)
			read_file(table, folder, entries[i]->d_name, std);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	if (table->nr_files > FILES_MAX)
		event_table__add_problem(table, folder, 0, "more than %d files: not all are read",
		                         FILES_MAX);
}

/* --- which one --- */

/* The next field of a line of CSV; *line moves behind its comma. */
static char *take_field(char **line)
{
	char *field = strsep(line, ",");

	while (field && isspace((u8)*field))
		field++;
	for (size_t len = field ? strlen(field) : 0; len && isspace((u8)field[len - 1]); len--)
		field[len - 1] = '\0';
	return field;
}

static bool is_below(const char *folder)
{
	return *folder && *folder != '/' && !strstr(folder, "..") && strlen(folder) < 200;
}

/* The folder of the first line whose pattern fits; NULL: none. */
static const char *find_folder(struct event_table *table, const char *path)
{
	size_t len;
	char *text = file__read_all(path, MAPFILE_MAX, &len), *rest = text, *line;
	const char *found = NULL;

	if (!text && errno != ENOENT)
		event_table__add_problem(table, path, 0, "%s", strerror(errno));
	for (u32 number = 1; !found && (line = strsep(&rest, "\n")); number++) {
		char *pattern = take_field(&line), *folder;

		if (!pattern || !*pattern || *pattern == '#' || number == 1)
			continue; /* the first line has the names of the columns */
		take_field(&line);
		folder = take_field(&line);
		if (!folder || !is_below(folder))
			event_table__add_problem(table, path, number,
			                         "no folder in the third field");
		else if (cpu_id__fits(table->cpu, pattern))
			found = arena__strndup(&table->arena, folder, strlen(folder));
	}
	free(text);
	return found;
}

/* malloc'ed */
static char *find_root(void)
{
	const char *env = getenv("PERF_EVENT_TABLES");
	char self[4096], *slash, *root;
	ssize_t len;

	if (env && *env)
		return xstrdup(env);
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[len > 0 ? len : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash) {
		*slash = '\0';
		root = xasprintf("%s/events", self);
		if (!access(root, F_OK))
			return root;
		free(root);
	}
	return xstrdup(install_dirs__tables());
}

static int by_name(const void *a, const void *b)
{
	const struct table_metric *x = a, *y = b;
	int order = strcasecmp(x->name, y->name);

	return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

/* Sorted by name; of equal names the last stays. */
static void settle_metrics(struct event_table *table)
{
	u32 nr = 0;

	if (table->nr_metrics)
		qsort(table->metrics, table->nr_metrics, sizeof(*table->metrics), by_name);
	for (u32 i = 0; i < table->nr_metrics; i++)
		if (i + 1 == table->nr_metrics ||
		    strcasecmp(table->metrics[i].name, table->metrics[i + 1].name) != 0)
			table->metrics[nr++] = table->metrics[i];
	table->nr_metrics = nr;
}

struct event_table *event_table__load(const struct event_table_selector *selector)
{
	static const struct event_table_selector nowhere;
	struct event_table *table = xcalloc(1, sizeof(*table));
	char id[CPU_ID_SIZE], *root, *folder, *mapfile, *path;
	const char *arch, *chosen;

	selector = selector ? selector : &nowhere;
	root = selector->root ? xstrdup(selector->root) : find_root();
	arch = selector->arch ? selector->arch : arch__here()->table_folder;
	if (selector->cpu)
		snprintf(id, sizeof(id), "%s", selector->cpu);
	else
		cpu_id__read(arch__here(), "", id);
	table->cpu = arena__strndup(&table->arena, id, strlen(id));
	table->root = arena__strndup(&table->arena, root, strlen(root));
	path = xasprintf("%s/common", root);
	read_folder(table, path, false);
	free(path);
	folder = xasprintf("%s/%s", root, arch ? arch : "");
	mapfile = xasprintf("%s/mapfile.csv", folder);
	chosen = arch ? find_folder(table, mapfile) : NULL;
	if (chosen) {
		read_folder(table, folder, true);
		path = xasprintf("%s/%s", folder, chosen);
		read_folder(table, path, false);
		table->folder = arena__strndup(&table->arena, path + strlen(root) + 1,
		                               strlen(path) - strlen(root) - 1);
		free(path);
	}
	event_table__exit_std(table);
	settle_metrics(table);
	free(mapfile);
	free(folder);
	free(root);
	return table;
}

void event_table__free(struct event_table *table)
{
	if (!table)
		return;
	event_table__exit_std(table);
	free(table->events);
	free(table->metrics);
	arena__exit(&table->arena);
	free(table);
}

/* --- looking up --- */

const struct table_event *event_table__find(const struct event_table *table, const char *name,
                                            const struct table_event *after)
{
	for (u32 i = after ? after - table->events + 1 : 0; i < table->nr_events; i++)
		if (!strcasecmp(table->events[i].name, name))
			return &table->events[i];
	return NULL;
}

const struct table_metric *event_table__metric(const struct event_table *table, const char *name)
{
	for (u32 i = 0; i < table->nr_metrics; i++)
		if (!strcasecmp(table->metrics[i].name, name))
			return &table->metrics[i];
	return NULL;
}

/* The next name of "A;B,C" at *@s: its length; *@s moves to it. 0: no more. */
static size_t next_group(const char **s)
{
	*s += strspn(*s, "; \t");
	return strcspn(*s, "; \t");
}

bool table_metric__is_in(const struct table_metric *metric, const char *group)
{
	size_t want = strlen(group), len;

	for (const char *s = metric->groups; (len = next_group(&s)); s += len)
		if (len == want && !strncasecmp(s, group, len))
			return true;
	return false;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **event_table__groups(struct event_table *table, u32 *nr)
{
	const char **groups = NULL;
	size_t cap = 0, len;
	u32 all = 0;

	array__reserve(&groups, &cap, 1, sizeof(*groups));
	for (u32 i = 0; i < table->nr_metrics; i++)
		for (const char *s = table->metrics[i].groups; (len = next_group(&s)); s += len) {
			array__reserve(&groups, &cap, all + 1, sizeof(*groups));
			groups[all++] = arena__strndup(&table->arena, s, len);
		}
	if (all)
		qsort(groups, all, sizeof(*groups), compare_texts);
	*nr = 0;
	for (u32 i = 0; i < all; i++)
		if (!*nr || strcmp(groups[*nr - 1], groups[i]) != 0)
			groups[(*nr)++] = groups[i];
	return groups;
}
