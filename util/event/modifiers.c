// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This follows Linux's perf even where that is surprising: exclude_guest is the default of an event
 * without modifiers and of u and p; any other modifier of an event (not of a group) drops it.
 */
#include "util/event/modifiers.h"

#include <string.h>

static void apply_exclude(struct perf_event_attr *attr, char c)
{
	bool none = !attr->exclude_user && !attr->exclude_kernel && !attr->exclude_hv;

	if (none)
		attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
	if (c == 'u')
		attr->exclude_user = 0;
	else if (c == 'k')
		attr->exclude_kernel = 0;
	else
		attr->exclude_hv = 0;
}

static void apply_guest(struct evsel *evsel, char c)
{
	struct perf_event_attr *attr = &evsel->attr;

	if (!evsel->guest_set)
		attr->exclude_guest = attr->exclude_host = 1;
	evsel->guest_set = true;
	if (c == 'G')
		attr->exclude_guest = 0;
	else
		attr->exclude_host = 0;
}

static bool apply_modifier(struct evsel *evsel, char c, bool is_leader)
{
	struct perf_event_attr *attr = &evsel->attr;

	switch (c) {
	case 'u':
	case 'k':
	case 'h':
		apply_exclude(attr, c);
		break;
	case 'G':
	case 'H':
		apply_guest(evsel, c);
		return true;
	case 'p':
		if (attr->precise_ip == 3)
			return false;
		attr->precise_ip++;
		break;
	case 'P':
		evsel->precise_max = true;
		attr->precise_ip = 3;
		break;
	case 'S':
		evsel->sample_read = true;
		break;
	case 'D':
		attr->pinned = is_leader; /* members follow their leader */
		break;
	case 'e':
		attr->exclusive = is_leader;
		break;
	case 'I':
		attr->exclude_idle = 1;
		break;
	case 'W':
		evsel->weak_group = true;
		break;
	default:
		return false;
	}
	return true;
}

static size_t count(const char *modifiers, size_t len, char c)
{
	size_t nr = 0;

	for (size_t i = 0; i < len; i++)
		nr += modifiers[i] == c;
	return nr;
}

size_t event_modifiers__len(const char *s)
{
	return strspn(s, "ukhGHpPSDeIWb");
}

size_t evsel__apply_modifiers(struct evsel *evsel, const char *modifiers, size_t len, bool group)
{
	bool excludes_guest = false;

	for (size_t i = 0; i < len; i++)
		if (modifiers[i] == 'p' ? count(modifiers, i, 'p') == 3
		                        : count(modifiers, i, modifiers[i]))
			return i;
	for (size_t i = 0; i < len; i++)
		excludes_guest |= modifiers[i] == 'u' || modifiers[i] == 'p';
	if (!evsel->guest_set && (excludes_guest || !group))
		evsel->attr.exclude_guest = excludes_guest;
	for (size_t i = 0; i < len; i++)
		if (!apply_modifier(evsel, modifiers[i], evsel->leader == evsel->idx))
			return i;
	return len;
}
