/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes strings as JSON; the structure around them is the caller's. */
#ifndef PERF_UTIL_LIB_JSON_H
#define PERF_UTIL_LIB_JSON_H

#include "util/lib/out.h"

/*
 * Write @s as a JSON string with its quotes. Quotes, backslashes and what text__printable() masks
 * are escaped, so nothing is lost, and a terminal does not act on it. Bytes that are not UTF-8
 * become U+FFFD, so that every reader accepts it. NULL is written as null.
 */
void json__string(struct out *out, const char *s);

#endif
