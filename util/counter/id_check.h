/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the kernel by a deed whose ids it gives to samples of two software events of one kind
 * (shared_ids.h): two counters of this thread see one page fault.
 */
#ifndef PERF_UTIL_COUNTER_ID_CHECK_H
#define PERF_UTIL_COUNTER_ID_CHECK_H

/* 1: both samples have the id of one; 0: each has its own; or a negative errno: not to be told. */
int id_check__are_shared(void);

#endif
