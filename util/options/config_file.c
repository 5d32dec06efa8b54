// SPDX-License-Identifier: GPL-2.0-or-later
/* Configuration files: where they are, who may own them, and how they are changed. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/lib/file.h"
#include "util/lib/out.h"
#include "util/options/config.h"
#include "util/options/install_dirs.h"

#define SIZE_LIMIT (1024 * 1024)

static bool is_set(const char *name)
{
	const char *env = getenv(name);
	bool value = false;

	return env && *env && (config__bool(env, &value) || value);
}

char *config__file(enum config_source source)
{
	const char *only = getenv("PERF_CONFIG"), *home = getenv("HOME");

	if (only && *only)
		return source == CONFIG_USER ? xstrdup(only) : NULL;
	if (source == CONFIG_SYSTEM)
		return is_set("PERF_CONFIG_NOSYSTEM") ? NULL
		                                      : xstrdup(install_dirs__system_config());
	if (is_set("PERF_CONFIG_NOGLOBAL") || !home || !*home)
		return NULL;
	return xasprintf("%s/.perfconfig", home);
}

static int check_file(const char *file, struct error *err)
{
	struct stat st;

	if (stat(file, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
		return error__set(err, -EINVAL, "cannot read the configuration", file,
		                  "it is no file");
	if (st.st_uid && st.st_uid != geteuid())
		return error__set(err, -EPERM, "ignoring the configuration", file,
		                  "it belongs to user %u, not to you or root", (unsigned)st.st_uid);
	if (S_ISREG(st.st_mode) && (st.st_mode & 002)) {
		error__set(err, -EPERM, "ignoring the configuration", file,
		           "everybody can write to it");
		return error__advise(err, "chmod o-w %.200s", file);
	}
	return 0;
}

/* The text of the file: NULL with *ret 0 if there is none. */
static char *read_file(const char *file, size_t *len, int *ret, struct error *err)
{
	char *text;

	*ret = check_file(file, err);
	if (*ret == -ENOENT || *ret == -ENOTDIR)
		*ret = 0;
	else if (*ret && (!err || !err->code))
		error__set(err, *ret, "cannot read the configuration", file, NULL);
	if (*ret || access(file, F_OK))
		return NULL;
	text = file__read_all(file, SIZE_LIMIT, len);
	if (!text)
		*ret = error__set(err, -errno, "cannot read the configuration", file, NULL);
	return text;
}

int config__read(struct config *config, const char *file, enum config_source source,
                 struct error *err)
{
	size_t len = 0;
	int ret;
	char *text = read_file(file, &len, &ret, err);

	if (text)
		ret = config__parse(config, text, len, file, source, err);
	free(text);
	return ret;
}

/* ---- changing ---- */

/* The longest that Linux's perf 6.1 reads; it shares the file, and refuses all of it otherwise. */
#define NAME_LIMIT  255
#define VALUE_LIMIT 1022

static bool needs_quotes(const char *value)
{
	size_t len = strlen(value);

	return !len || value[0] == ' ' || value[len - 1] == ' ' || strpbrk(value, "#;\"\\\t\n\b") ||
	       strstr(value, "  ");
}

static void write_value(struct out *out, const char *value)
{
	static const char escapes[] = "\t\n\b\"\\", letters[] = "tnb\"\\";
	bool quotes = needs_quotes(value);

	if (quotes)
		out__char(out, '"');
	for (; *value; value++) {
		const char *escape = strchr(escapes, *value);

		if (escape)
			out__char(out, '\\');
		out__char(out, escape ? letters[escape - escapes] : *value);
	}
	if (quotes)
		out__char(out, '"');
}

/* section.variable or section.subsection.variable; *variable is where the last part starts. */
static bool is_name(const char *name, const char **variable)
{
	const char *dot = strrchr(name, '.');

	if (!dot || dot == name || !isalpha((unsigned char)dot[1]))
		return false;
	for (const char *c = name; *c && *c != '.'; c++)
		if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
			return false;
	for (const char *c = dot + 1; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
			return false;
	*variable = dot + 1;
	return name[0] != '.' && !strchr(name, '\n');
}

static void write_section(struct out *out, const char *name, const char *variable)
{
	size_t len = strcspn(name, ".");

	out__char(out, '[');
	out__mem(out, name, len);
	if (name + len + 1 < variable) {
		out__str(out, " \"");
		for (const char *c = name + len + 1; c < variable - 1; c++) {
			if (*c == '"' || *c == '\\')
				out__char(out, '\\');
			out__char(out, *c);
		}
		out__char(out, '"');
	}
	out__str(out, "]\n");
}

static void write_line(struct out *out, const char *variable, size_t len, const char *value)
{
	out__mem(out, variable, len);
	out__str(out, " = ");
	write_value(out, value);
	out__char(out, '\n');
}

/* The last variable of the section that @name is in. */
static const struct config_entry *last_of_section(const struct config *config, const char *name,
                                                  size_t len)
{
	for (size_t i = config->nr; i-- > 0;) {
		const char *other = config->entries[i].name, *dot = strrchr(other, '.');

		if (dot && (size_t)(dot + 1 - other) == len && !strncasecmp(other, name, len))
			return &config->entries[i];
	}
	return NULL;
}

/* Also after a backslash that would join what is added to it. */
static void end_line(struct out *out)
{
	const char *end = out->buf + out->len;

	if (out->len && end[-1] != '\n')
		out__char(out, '\n');
	else if (out->len > 1 && (end[-2] == '\\' || end[-2] == '\r'))
		out__char(out, '\n');
}

static void edit(struct out *out, const struct config *config, const char *text, size_t len,
                 const char *name, const char *variable, const char *value)
{
	const struct config_entry *old = config__find(config, name);
	const struct config_entry *last = last_of_section(config, name, variable - name);
	size_t rest = old ? old->end : last ? last->end : len;

	out__mem(out, text, old ? old->start : rest);
	if (old) {
		write_line(out, text + old->start, strcspn(text + old->start, " \t="), value);
	} else {
		end_line(out);
		if (!last)
			write_section(out, name, variable);
		out__char(out, '\t');
		write_line(out, variable, strlen(variable), value);
	}
	out__mem(out, text + rest, len - rest);
}

char *config__edit(const char *text, size_t len, const char *file, const char *name,
                   const char *value, struct error *err)
{
	struct config config = CONFIG_INIT;
	const char *variable;
	struct out out;
	char *result = NULL;

	if (!is_name(name, &variable)) {
		error__set(err, -EINVAL, "cannot set the variable", name,
		           "a name is section.variable, of letters, digits and '-'");
		return NULL;
	}
	if (strlen(name) > NAME_LIMIT || strlen(value) > VALUE_LIMIT) {
		error__set(err, -EINVAL, "cannot set the variable", name,
		           "names of more than %d bytes and values of more than %d make Linux's "
		           "perf refuse the file",
		           NAME_LIMIT, VALUE_LIMIT);
		return NULL;
	}
	for (const char *c = value; *c; c++)
		if ((unsigned char)*c < ' ' && !strchr("\t\n\b", *c)) {
			error__set(err, -EINVAL, "cannot set the variable", name,
			           "there is a control character in the value");
			return NULL;
		}
	out__init(&out, -1);
	if (!config__parse(&config, text, len, file, CONFIG_USER, err)) {
		edit(&out, &config, text, len, name, variable, value);
		result = xstrdup(out__take(&out));
	}
	out__exit(&out);
	config__exit(&config);
	return result;
}

/* All of @text to a new file beside @file, which then takes its place. */
static int replace(const char *file, const char *text)
{
	char *temp = xasprintf("%s.XXXXXX", file);
	size_t len = strlen(text), done = 0;
	mode_t mask = umask(077);
	struct stat st;
	int fd = mkostemp(temp, O_CLOEXEC), ret = fd < 0 ? -errno : 0;

	umask(mask);
	while (!ret && done < len) {
		ssize_t n = write(fd, text + done, len - done);

		if (n < 0 && errno != EINTR)
			ret = -errno;
		done += n > 0 ? n : 0;
	}
	if (!ret && fchmod(fd, stat(file, &st) ? 0666 & ~mask : st.st_mode & 0777))
		ret = -errno;
	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(temp, file))
		ret = -errno;
	if (ret && fd >= 0)
		unlink(temp);
	free(temp);
	return ret;
}

int config__write(const char *file, const char *name, const char *value, struct error *err)
{
	size_t len = 0;
	int ret;
	char *target = realpath(file, NULL); /* a link of the user's own stays one */
	const char *path = target ? target : file;
	char *old = read_file(path, &len, &ret, err), *text = NULL;
	struct stat st;

	if (!ret && !stat(path, &st) && !S_ISREG(st.st_mode))
		ret = error__set(err, -EINVAL, "cannot write the configuration", file,
		                 "it is no file");
	if (!ret) {
		text = config__edit(old ? old : "", len, path, name, value, err);
		ret = text ? 0 : -EINVAL;
	}
	if (text) {
		ret = replace(path, text);
		if (ret)
			error__set(err, ret, "cannot write the configuration", path, NULL);
	}
	free(text);
	free(old);
	free(target);
	return ret;
}
