// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/cpu_id.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lib/alloc.h"
#include "util/lib/file.h"
#include "util/lib/text.h"

#define PATTERN_MAX 256

bool cpuinfo__value(const char *text, const char *key, char *value, size_t size)
{
	size_t len = strlen(key);

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *p = line + len;
		size_t used = 0;

		if (strncmp(line, key, len))
			continue;
		p += strspn(p, " \t");
		if (*p++ != ':')
			continue;
		p += strspn(p, " \t");
		for (; *p && *p != '\n' && used + 1 < size; p++) /* runs of blanks become one */
			if (*p != ' ' || (used && value[used - 1] != ' '))
				value[used++] = *p;
		while (used && value[used - 1] == ' ')
			used--;
		value[used] = '\0';
		return used > 0;
	}
	return false;
}

/* "VENDOR-6-55-4": the first number is decimal, the others hexadecimal. */
static bool read_keys(const struct arch *arch, const char *root, char *buf)
{
	char *path = xasprintf("%s/proc/cpuinfo", root);
	char text[4096]; /* the first processor is enough */
	char value[64];
	bool ok = arch->cpuid_keys[0] && file__read_text(path, text, sizeof(text)) > 0;
	size_t len = 0;
	u64 number;

	free(path);
	for (size_t i = 0; ok && i < ARRAY_SIZE(arch->cpuid_keys) && arch->cpuid_keys[i]; i++) {
		ok = cpuinfo__value(text, arch->cpuid_keys[i], value, sizeof(value)) &&
		     (!i || !text__parse_u64(value, &number));
		if (ok && !i)
			len = snprintf(buf, CPU_ID_SIZE, "%s", value);
		else if (ok && len < CPU_ID_SIZE)
			len += snprintf(buf + len, CPU_ID_SIZE - len, i == 1 ? "-%llu" : "-%llX",
			                (unsigned long long)number);
	}
	return ok;
}

static bool read_register(const struct arch *arch, const char *root, char *buf)
{
	char *path;
	bool ok;

	if (!arch->cpuid_file)
		return false;
	path = xasprintf("%s/%s", root, arch->cpuid_file);
	ok = file__read_text(path, buf, CPU_ID_SIZE) > 0;
	free(path);
	return ok;
}

bool cpu_id__read(const struct arch *arch, const char *root, char buf[static CPU_ID_SIZE])
{
	const char *env = getenv("PERF_CPUID");

	*buf = '\0';
	if (env && *env) {
		snprintf(buf, CPU_ID_SIZE, "%s", env);
		return true;
	}
	if (read_register(arch, root, buf) || read_keys(arch, root, buf))
		return true;
	*buf = '\0';
	return false;
}

/* "0x00000000411fd0c1" without variant (bits 20-23) and revision (0-3). */
static bool without_revision(const char *id, char *buf, size_t size)
{
	u64 midr;

	if (!text__starts_with(id, "0x") || text__parse_u64(id, &midr))
		return false;
	snprintf(buf, size, "0x%016llx", (unsigned long long)(midr & ~0xf0000full));
	return true;
}

bool cpu_id__fits(const char *id, const char *pattern)
{
	char shorter[CPU_ID_SIZE], *whole;
	const char *dash = strrchr(id, '-');
	regex_t regex;
	bool fits;

	/* Counted repetitions can make a short pattern a huge automaton; no mapfile has them. */
	if (!*pattern || strlen(pattern) > PATTERN_MAX || strpbrk(pattern, "{}\\"))
		return false;
	if (without_revision(id, shorter, sizeof(shorter)))
		id = shorter;
	whole = xasprintf("^(%s)$", pattern);
	if (regcomp(&regex, whole, REG_EXTENDED | REG_NOSUB | REG_ICASE)) {
		free(whole);
		return false;
	}
	fits = !regexec(&regex, id, 0, NULL, 0);
	if (!fits && dash && id != shorter) {
		snprintf(shorter, sizeof(shorter), "%.*s", (int)(dash - id), id);
		fits = !regexec(&regex, shorter, 0, NULL, 0);
	}
	regfree(&regex);
	free(whole);
	return fits;
}
