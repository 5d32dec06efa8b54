/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event modifiers, the letters after the colon. u k h user, kernel, hypervisor; G H guest, host; p
 * precise (up to three), P the most precise there is; S samples read the group; D pinned; e
 * exclusive; I not when idle; W a group that may be broken up.
 */
#ifndef PERF_UTIL_EVENT_MODIFIERS_H
#define PERF_UTIL_EVENT_MODIFIERS_H

#include "util/event/evsel.h"

/* How many of the bytes at @s are modifiers (also b, which is known but not supported). */
size_t event_modifiers__len(const char *s);

/*
 * Apply @len modifiers to @evsel, on top of those that it has: {a:k,b}:u counts a in both modes.
 * @group: they are its group's. Returns @len, or the index of the first that cannot be applied.
 */
size_t evsel__apply_modifiers(struct evsel *evsel, const char *modifiers, size_t len, bool group);

#endif
