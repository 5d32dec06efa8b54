// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/pmu.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/lib/alloc.h"
#include "util/lib/text.h"

#define FILE_MAX PMU_TEXT_SIZE /* sysfs files are at most one page */

static bool is_component(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && strlen(name) < 256;
}

/* Reads DIR/@name (final newline cut) into @buf; false if there is none. */
static bool read_file(int dir_fd, const char *name, char buf[static FILE_MAX])
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, buf, FILE_MAX - 1);
	close(fd);
	if (n < 0)
		return false;
	while (n && isspace((u8)buf[n - 1]))
		n--;
	buf[n] = '\0';
	return true;
}

/* events/NAME, format/NAME, events/NAME.scale */
static bool read_in(const struct pmu *pmu, const char *folder, const char *name, const char *suffix,
                    char buf[static FILE_MAX])
{
	char path[320];

	if (!is_component(name))
		return false;
	snprintf(path, sizeof(path), "%s/%s%s", folder, name, suffix);
	return read_file(pmu->dir_fd, path, buf);
}

int pmu__open(struct pmu *pmu, const char *sysfs, const char *name)
{
	char buf[FILE_MAX], *path;
	u64 type;

	*pmu = (struct pmu){ .dir_fd = -1 };
	if (!is_component(name))
		return -ENOENT;
	path = xasprintf("%s/%s", sysfs, name);
	pmu->dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(path);
	if (pmu->dir_fd < 0)
		return errno == ENOTDIR ? -ENOENT : -errno;
	if (!read_file(pmu->dir_fd, "type", buf) || !parse_event_number(buf, &type) ||
	    type > UINT32_MAX) {
		pmu__close(pmu);
		return -ENOENT;
	}
	pmu->type = type;
	pmu->name = xstrdup(name);
	/* "cpumask" is of uncore sources, which count on these CPUs for all others. "cpus" is of
	 * core PMUs: all of arm64, and those of x86 machines with two kinds of cores. */
	pmu->is_core = !strcmp(name, "cpu");
	if (!read_file(pmu->dir_fd, "cpumask", buf)) {
		*buf = '\0';
		pmu->is_core |= read_file(pmu->dir_fd, "cpus", buf);
	}
	if (*buf)
		pmu->cpus = xstrdup(buf);
	return 0;
}

void pmu__close(struct pmu *pmu)
{
	if (pmu->dir_fd >= 0)
		close(pmu->dir_fd);
	free(pmu->name);
	free(pmu->cpus);
	*pmu = (struct pmu){ .dir_fd = -1 };
}

bool pmu__has_event(const struct pmu *pmu, const char *name)
{
	char buf[FILE_MAX];

	return read_in(pmu, "events", name, "", buf);
}

bool pmu__has_format(const struct pmu *pmu, const char *name)
{
	char buf[FILE_MAX];

	return read_in(pmu, "format", name, "", buf);
}

bool pmu__event_text(const struct pmu *pmu, const char *name, const char *suffix, char *buf)
{
	return read_in(pmu, "events", name, suffix, buf);
}

/* The config word that a format line is about ("config1:0-7" -> &attr->config1), or NULL. */
static u64 *config_word(struct perf_event_attr *attr, const char **format)
{
	static const char prefix[] = "config";
	u64 *word = (u64 *)&attr->config;

	if (!text__starts_with(*format, prefix))
		return NULL;
	*format += sizeof(prefix) - 1;
	if (**format == '1')
		word = (u64 *)&attr->config1;
	else if (**format == '2')
		word = (u64 *)&attr->config2;
	if (**format == '1' || **format == '2')
		(*format)++;
	if (**format == ':' && (*format)[1])
		(*format)++;
	else if (**format)
		return NULL; /* config3 and what may come */
	return word;
}

/* "0-7,32-35": the bits of @value go there, lowest first. False: not a format, or too big. */
static bool deposit_bits(const char *bits, u64 value, u64 *word)
{
	while (*bits) {
		char *end;
		unsigned long first = strtoul(bits, &end, 10), last = first;

		if (end == bits || first > 63)
			return false;
		if (*end == '-') {
			bits = end + 1;
			last = strtoul(bits, &end, 10);
			if (end == bits || last > 63 || last < first)
				return false;
		}
		u64 width = last - first + 1;
		u64 mask = width == 64 ? ~0ull : (1ull << width) - 1;

		*word = (*word & ~(mask << first)) | ((value & mask) << first);
		value = width == 64 ? 0 : value >> width;
		if (*end == ',')
			end++;
		else if (*end)
			return false;
		bits = end;
	}
	return !value;
}

/* 1: done, 0: not a format term of this source, -EINVAL with the cause. */
static int apply_format(const struct pmu *pmu, const struct event_term *term,
                        struct perf_event_attr *attr, struct error *err)
{
	char buf[FILE_MAX];
	const char *format = buf;
	u64 *word;

	if (!read_in(pmu, "format", term->key, "", buf))
		return 0;
	word = config_word(attr, &format);
	if (!word)
		return error__set(err, -EINVAL, "", NULL, "format '%s' of '%s' is not understood",
		                  buf, term->key);
	if (!term->is_number)
		return error__set(err, -EINVAL, "", NULL, "'%s' needs a number", term->key);
	if (!*format) {
		*word = term->number;
		return 1;
	}
	if (!deposit_bits(format, term->number, word))
		return error__set(err, -EINVAL, "", NULL, "the value of '%s' does not fit %s",
		                  term->key, buf);
	return 1;
}

/* The named event's own terms; "?" in them must be given by the user among @terms. */
static int apply_named_terms(const struct pmu *pmu, const struct event_terms *named,
                             const struct event_terms *terms, struct evsel *evsel,
                             struct error *err)
{
	for (u32 i = 0; i < named->nr; i++) {
		const struct event_term *term = &named->terms[i];
		bool given = false;
		int ret;

		if (term->text && !strcmp(term->text, "?")) {
			for (u32 j = 0; j < terms->nr; j++)
				given |= !strcmp(terms->terms[j].key, term->key);
			if (!given)
				return error__set(err, -EINVAL, "", NULL,
				                  "it needs a value for '%s'", term->key);
			continue;
		}
		ret = apply_format(pmu, term, &evsel->attr, err);
		if (!ret)
			ret = evsel__apply_term(evsel, term, err);
		if (!ret)
			return error__set(err, -EINVAL, "", NULL,
			                  "its definition has the unknown term '%s'", term->key);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* 1: @term names an event of the source and was applied; 0: it does not. */
static int apply_named(const struct pmu *pmu, const struct event_term *term,
                       const struct event_terms *terms, struct evsel *evsel, struct error *err)
{
	struct event_terms named = { .nr = 0 };
	char buf[FILE_MAX];
	const char *end;
	double scale;
	u32 at;
	int ret;

	/* "tsc" and "tsc=1" name it. */
	if ((term->text && term->number != 1) || !read_in(pmu, "events", term->key, "", buf))
		return 0;
	ret = event_terms__parse(&named, buf, strlen(buf), &at, err);
	if (!ret && !named.nr)
		ret = error__set(err, -EINVAL, "", NULL, "the definition of '%s' is empty",
		                 term->key);
	if (!ret)
		ret = apply_named_terms(pmu, &named, terms, evsel, err);
	event_terms__exit(&named);
	if (ret)
		return ret;
	if (read_in(pmu, "events", term->key, ".scale", buf)) {
		scale = text__double(buf, &end);
		if (scale > 0)
			evsel->scale = scale;
	}
	if (read_in(pmu, "events", term->key, ".unit", buf))
		evsel__set_text(&evsel->unit, buf);
	return 1;
}

int pmu__configure(const struct pmu *pmu, const struct event_terms *terms, struct evsel *evsel,
                   u32 *bad, struct error *err)
{
	u64 raw;
	int ret;

	evsel->attr.type = pmu->type;
	evsel__set_text(&evsel->pmu, pmu->name);
	evsel__set_text(&evsel->pmu_cpus, pmu->cpus);
	evsel->of_core_pmu = pmu->is_core;
	/* The named event first, so that "umask=2,some-event" is the same as the other way. */
	for (*bad = 0; *bad < terms->nr; (*bad)++) {
		ret = apply_named(pmu, &terms->terms[*bad], terms, evsel, err);
		if (ret < 0)
			return ret;
	}
	for (*bad = 0; *bad < terms->nr; (*bad)++) {
		const struct event_term *term = &terms->terms[*bad];

		ret = apply_format(pmu, term, &evsel->attr, err);
		if (!ret && (!term->text || term->number == 1) && pmu__has_event(pmu, term->key))
			continue;
		if (!ret)
			ret = evsel__apply_term(evsel, term, err);
		if (ret < 0)
			return ret;
		if (ret)
			continue;
		if (term->text || !parse_event_raw(term->key, &raw))
			return error__set(err, -ENOENT, "", NULL,
			                  "'%s' is no term or event of the source '%s'", term->key,
			                  pmu->name);
		evsel->attr.config = raw;
	}
	return 0;
}

/* imc: imc_0, uncore_imc, uncore_imc_12 */
static bool is_numbered(const char *name, const char *pattern)
{
	static const char uncore[] = "uncore_";
	size_t len = strlen(pattern);

	if (text__starts_with(name, uncore) && !text__starts_with(pattern, uncore))
		name += sizeof(uncore) - 1;
	if (strncmp(name, pattern, len))
		return false;
	name += len;
	if (!*name)
		return true;
	if (*name++ != '_' || !*name)
		return false;
	return strspn(name, "0123456789") == strlen(name);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

u32 pmu__find_all(const char *sysfs, const char *pattern, char ***names)
{
	struct dirent *entry;
	size_t cap = 0;
	char *path;
	u32 nr = 0;
	DIR *dir;

	*names = NULL;
	if (is_component(pattern)) {
		path = xasprintf("%s/%s/type", sysfs, pattern);
		if (!access(path, F_OK)) {
			array__reserve(names, &cap, 1, sizeof(**names));
			(*names)[nr++] = xstrdup(pattern);
		}
		free(path);
	}
	dir = nr ? NULL : opendir(sysfs);
	while (dir && (entry = readdir(dir))) {
		if (!is_component(entry->d_name) ||
		    (!text__glob(pattern, entry->d_name) && !is_numbered(entry->d_name, pattern)))
			continue;
		array__reserve(names, &cap, nr + 1, sizeof(**names));
		(*names)[nr++] = xstrdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (nr)
		qsort(*names, nr, sizeof(**names), compare_names);
	return nr;
}

u32 pmu__names(const struct pmu *pmu, const char *folder, char ***names)
{
	int fd = openat(pmu->dir_fd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	size_t cap = 0;
	u32 nr = 0;

	*names = NULL;
	if (!dir && fd >= 0)
		close(fd);
	while (dir && (entry = readdir(dir))) {
		if (strchr(entry->d_name, '.')) /* and NAME.unit, NAME.scale ... */
			continue;
		array__reserve(names, &cap, nr + 1, sizeof(**names));
		(*names)[nr++] = xstrdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (nr)
		qsort(*names, nr, sizeof(**names), compare_names);
	return nr;
}

void pmu__free_names(char **names, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}
