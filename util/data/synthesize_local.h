/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building one synthesized record; shared by the files of synthesize.h only. */
#ifndef PERF_UTIL_DATA_SYNTHESIZE_LOCAL_H
#define PERF_UTIL_DATA_SYNTHESIZE_LOCAL_H

#include "util/data/synthesize.h"

/* begin, fields, end. end pads to 8 bytes, adds the trailer and fills in the size. */
void synth__begin(struct synth *synth, u32 type, u16 misc);
void synth__u32(struct synth *synth, u32 value);
void synth__u64(struct synth *synth, u64 value);
void synth__text(struct synth *synth, const char *s); /* with its NUL */
void synth__end(struct synth *synth);

int synth__system_bpf(int command, union bpf_attr *attr);

#endif
