/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building one synthesized record; shared by the files of synthesize.h only. */
#ifndef PERF_UTIL_SYNTHESIZE_SYNTHESIZE_LOCAL_H
#define PERF_UTIL_SYNTHESIZE_SYNTHESIZE_LOCAL_H

#include "util/synthesize/synthesize.h"

/* begin, fields, end. end pads to 8 bytes, adds the trailer and fills in the size. */
void synth__begin(struct synth *synth, u32 type, u16 misc);
void synth__u32(struct synth *synth, u32 value);
void synth__u64(struct synth *synth, u64 value);
void synth__text(struct synth *synth, const char *s); /* with its NUL */
void synth__end(struct synth *synth);

/*
 * Write the build-id, if there is one, instead of device and inode. False: the caller must write
 * those 24 bytes. The record must be an MMAP2 that was begun.
 */
bool synth__map_build_id(struct synth *synth, s32 pid, const char *path, u64 ino);

int synth__system_bpf(int command, union bpf_attr *attr);

#endif
