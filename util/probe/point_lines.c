// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/probe/point_lines.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/text.h"
#include "util/probe/probe_events.h"

static bool find_data(void *ctx, const struct sdt_probe *probe, const char *name, u64 *place)
{
	const struct probe_symbol *symbol = probe_target__data_symbol(ctx, name);

	if (symbol)
		*place = symbol->addr - (probe_target__vaddr(ctx, probe->offset) - probe->offset);
	return symbol;
}

char *point_line__make(struct probe_target *target, const struct sdt_probe *probe, u16 machine,
                       const char *group, const char *name, const char *path, char **refused)
{
	const struct sdt_symbols symbols = { find_data, target };

	return sdt_probe__line(probe, machine, &symbols, group, name, path, refused);
}

static bool is_called(const struct sdt_probe *probe, const char *event)
{
	size_t len = strlen(probe->provider);

	return !strncmp(event, "sdt_", 4) && !strncmp(event + 4, probe->provider, len) &&
	       event[4 + len] == ':' && !strcmp(event + 5 + len, probe->name);
}

static void open_program(struct point_lines *lines, const char *path)
{
	struct error unused = ERROR_INIT;

	if (lines->path && !strcmp(lines->path, path))
		return;
	point_lines__exit(lines);
	lines->path = xstrdup(path);
	lines->is_open = !probe_target__open(&lines->target, path, NULL, 0, false, &unused);
	if (lines->is_open)
		sdt_probes__read(&lines->probes, &lines->target.elf);
}

char *point_lines__find(struct point_lines *lines, const char *event, const char *path, u64 offset,
                        const char *group, const char *name, char **refused)
{
	open_program(lines, path);
	for (u32 i = 0; i < lines->probes.nr; i++) {
		const struct sdt_probe *probe = &lines->probes.probes[i];

		if (probe->offset == offset && is_called(probe, event))
			return point_line__make(&lines->target, probe, lines->probes.machine, group,
			                        name, path, refused);
	}
	return NULL;
}

void point_lines__exit(struct point_lines *lines)
{
	if (lines->is_open) {
		sdt_probes__exit(&lines->probes);
		probe_target__close(&lines->target);
	}
	free(lines->path);
	*lines = (struct point_lines){ .path = NULL };
}

/* ---- arguments of the user's ---- */

struct choosing {
	const struct probe_definition *def;
	const char *own; /* "arg1=%di:u64 arg3=-20(%bp):s32" */
	struct out out;
	struct name_list {
		char *names[128]; /* the kernel takes no more arguments */
		u32 nr;
	} given;
	struct error *err;
};

/* The length of "arg12" at @s; 0: something else is there. */
static size_t reference_length(const char *s)
{
	size_t digits = strncmp(s, "arg", 3) ? 0 : strspn(s + 3, "0123456789");
	size_t len = 3 + digits;

	return digits && !isalnum((u8)s[len]) && s[len] != '_' ? len : 0;
}

/* The value of the point's own argument that is called so: "%di", and its type ":u64", or "". */
static int find_own(struct choosing *c, const char *name, size_t len, char **value, char **type)
{
	for (const char *arg = c->own; *arg; arg += strspn(arg, " ")) {
		size_t all = strcspn(arg, " ");

		if (!strncmp(arg, name, len) && arg[len] == '=') {
			const char *text = arg + len + 1, *colon = memrchr(arg, ':', all);
			size_t value_len = colon ? (size_t)(colon - text) : all - len - 1;

			*value = xasprintf("%.*s", (int)value_len, text);
			*type = xasprintf("%.*s", (int)(all - len - 1 - value_len),
			                  text + value_len);
			return 0;
		}
		arg += all;
	}
	char *what = xasprintf("%.*s", (int)len, name);
	int ret = error__set(
	        c->err, -ENOENT, "cannot fetch", what,
	        "a place of the static probe point has no argument of this number that probes "
	        "can fetch");
	free(what);
	return ret;
}

/* "name=", which is new: c, c_2. */
static void write_name(struct choosing *c, char *name)
{
	char *own = xstrdup(name);
	u32 number = 1;

	for (u32 i = 0; i < c->given.nr; i++)
		if (!strcmp(c->given.names[i], own)) {
			free(own);
			own = xasprintf("%s_%u", name, ++number);
			i = UINT32_MAX; /* and again from the first */
		}
	out__printf(&c->out, "%s=", own);
	if (c->given.nr < ARRAY_SIZE(c->given.names))
		c->given.names[c->given.nr++] = own;
	else
		free(own);
	free(name);
}

/* "arg1", "arg1:string" */
static int choose_own(struct choosing *c, const struct probe_arg *arg)
{
	size_t len = strlen(arg->variable);
	char *value, *type;

	if (reference_length(arg->variable) != len || arg->nr_fields || arg->user)
		return error__set(c->err, -EINVAL, "cannot fetch", arg->text,
		                  "a static probe point has no variables: its arguments are arg1, "
		                  "arg2 ..., what they point to is +OFFSET(arg1)");
	int ret = find_own(c, arg->variable, len, &value, &type);

	if (ret)
		return ret;
	write_name(c, probe_arg__name(arg));
	if (arg->type && (!strcmp(arg->type, "string") || !strcmp(arg->type, "ustring")))
		out__printf(&c->out, "+0(%s):%s", value, arg->type);
	else
		out__printf(&c->out, "%s%s%s", value, arg->type ? ":" : type,
		            arg->type ? arg->type : "");
	free(value);
	free(type);
	return 0;
}

/* The kernel's own words, in which "(arg1)" is what that has. */
static int choose_text(struct choosing *c, const struct probe_arg *arg)
{
	const char *text = arg->text, *in = strchr(text, '(');
	size_t len = 0;

	if (!strcmp(text, "$vars") || !strcmp(text, "$params") ||
	    text__starts_with(text, "$retval"))
		return error__set(c->err, -EINVAL, "cannot fetch", text,
		                  "a static probe point has no variables and does not return: its "
		                  "arguments are arg1, arg2 ...");
	while (in && !(len = reference_length(in + 1)))
		in = strchr(in + 1, '(');
	if (arg->name || in)
		write_name(c, arg->name ? xstrdup(arg->name) : xasprintf("%.*s", (int)len, in + 1));
	if (!in) {
		out__str(&c->out, text);
		return 0;
	}
	char *value, *type;
	int ret = find_own(c, in + 1, len, &value, &type);

	if (ret)
		return ret;
	out__printf(&c->out, "%.*s(%s%s", (int)(in - text), text, value, in + 1 + len);
	free(value);
	free(type);
	return 0;
}

int point_line__choose(char **line, char **refused, const struct probe_definition *def,
                       struct error *err)
{
	struct probe_events events = { .texts = ARENA_INIT };
	struct choosing c = { .def = def, .err = err };
	int ret = 0;

	if (!def->nr_args)
		return 0;
	probe_events__parse(&events, *line, true);
	c.own = events.nr ? events.events[0].args : "";
	out__init(&c.out, -1);
	out__mem(&c.out, *line, strlen(*line) - strlen(c.own));
	for (u32 i = 0; i < def->nr_args && !ret; i++) {
		if (i || !*c.own)
			out__char(&c.out, ' ');
		ret = def->args[i].variable ? choose_own(&c, &def->args[i])
		                            : choose_text(&c, &def->args[i]);
	}
	if (!ret) {
		free(*line);
		*line = xstrdup(out__take(&c.out));
		free(*refused);
		*refused = NULL;
	}
	out__exit(&c.out);
	while (c.given.nr > 0)
		free(c.given.names[--c.given.nr]);
	probe_events__exit(&events);
	return ret;
}
