/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entry of each program (struct program in selftest/programs.h). */
#ifndef PERF_SELFTEST_WORKLOADS_WORKLOADS_H
#define PERF_SELFTEST_WORKLOADS_WORKLOADS_H

struct error;

int noploop(int argc, const char **argv, struct error *err);
int thloop(int argc, const char **argv, struct error *err);
int leafloop(int argc, const char **argv, struct error *err);
int sqrtloop(int argc, const char **argv, struct error *err);
int brstack(int argc, const char **argv, struct error *err);
int datasym(int argc, const char **argv, struct error *err);
int inlineloop(int argc, const char **argv, struct error *err);
int landlock(int argc, const char **argv, struct error *err);
int traploop(int argc, const char **argv, struct error *err);
int context_switch_loop(int argc, const char **argv, struct error *err);

#endif
