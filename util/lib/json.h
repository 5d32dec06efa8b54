/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in JSON: what is between the braces is for those who write it. */
#ifndef PERF_UTIL_LIB_JSON_H
#define PERF_UTIL_LIB_JSON_H

#include "util/lib/out.h"

/*
 * @s as a JSON string with its quotes. Quotes, backslashes and what text__printable() masks are
 * escaped, so nothing is lost, and a terminal does not act on it; bytes that are no UTF-8 become
 * U+FFFD, so that every reader takes it. NULL is null.
 */
void json__string(struct out *out, const char *s);

#endif
