#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Is what stack health says of chains by frame pointers true?

Programs are recorded with both kinds of chains in each sample, as the pilot of --call-graph auto takes
them (a library in front of perf clears exclude_callchain_user). Unwinding shows which chains by frame
pointers lack a caller. The samples are written again as a recording by frame pointers has them, those
that lack one into one file, the others into another, and `perf report --stack-health` judges both.

    tests/stacks/judged.py [--perf build/perf] [--workloads build/workloads]

By hand: needs gcc. Status 1 when, over all programs, more than 2 % of the chains called complete lack
a caller, or more than 2 % of those called incomplete lack none. A caller of the innermost function
counts apart (health has its own line for it, "# Callers").
"""
import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
long syscall(long nr, long a, long b, long c, long d, long e, long f)
{
	static long (*next)(long, ...);
	if (!next)
		next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	if (nr == SYS_perf_event_open)
		((struct perf_event_attr *)a)->exclude_callchain_user = 0;
	return next(nr, a, b, c, d, e, f);
}
"""
TREE = r"""
#include <search.h>
#include <stdlib.h>
#include <time.h>
static volatile unsigned long sink;
static void *root;
__attribute__((noinline)) void spin(void) { sink += clock() == 1; for (int i = 0; i < 3000; i++) sink += i; sink += clock() == 1; }
static int compare(const void *a, const void *b) { spin(); return (a > b) - (a < b); }
static int by_number(const void *a, const void *b) { spin(); return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) void plant(void) { for (long i = 1; clock() < 500000; i++) tsearch((void *)(i * 7919 % 10007 + 1), &root, compare); sink++; }
__attribute__((noinline)) void sort(void)
{
	int numbers[2000];
	while (clock() < 1000000) {
		for (int i = 0; i < 2000; i++) numbers[i] = i * 7919 % 10007;
		qsort(numbers, 2000, sizeof(int), by_number);
	}
	sink++;
}
int main(void) { plant(); sort(); return sink == 1; }
"""
# Framed, but for leaf functions and what the C library does in between.
SORT = r"""
#include <stdlib.h>
#include <string.h>
#include <time.h>
static int numbers[20000], copy[20000];
static volatile unsigned long sink;
static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) void fill(void) { for (int i = 0; i < 20000; i++) copy[i] = i * 7919 % 10007; }
__attribute__((noinline)) void work(void)
{
	sink += clock() == 1;
	for (int i = 0; i < 200; i++) { fill(); memcpy(numbers, copy, sizeof(numbers)); memset(copy, i, sizeof(copy)); }
	qsort(numbers, 20000, sizeof(int), by_number);
	sink++;
}
int main(void) { while (clock() < 1500000) work(); return sink == 1; }
"""
CODE = "int f%d(int x) { int a[64]; for (int i = 0; i < 64; i++) a[i] = x * i + %d; for (int i = 1; i < 64; i++) x += a[i] ^ a[i - 1]; return x; }\n"
STARTS = ("__libc_start_call_main", "start_thread", "_start", "_dl_start_user", "_dl_start", "__clone3", "clone3", "__clone")
IP, TID, TIME, ADDR, PERIOD = 1, 2, 4, 8, 1 << 8
CALLCHAIN, REGS, STACK, DATA_SRC, IDENTIFIER = 1 << 5, 1 << 12, 1 << 13, 1 << 15, 1 << 16


def words_of(body, at, nr):
    return struct.unpack_from("<%dQ" % nr, body, at)


class Sample:
    """Of a body: who, when, and the bytes of the same sample without copies."""

    def __init__(self, body, sample_type, nr_regs):
        at = 8 * bool(sample_type & IDENTIFIER) + 8
        self.tid = struct.unpack_from("<II", body, at)[1]
        self.time = words_of(body, at + 8, 1)[0]
        at += 16 + 8 * bool(sample_type & ADDR) + 8 * bool(sample_type & PERIOD)
        nr = words_of(body, at, 1)[0]
        self.plain = body[:at + 8 + 8 * nr]
        at += 8 + 8 * nr
        at += 8 + 8 * nr_regs * (words_of(body, at, 1)[0] != 0)
        size = words_of(body, at, 1)[0]
        at += 8 + (size + 8 if size else 0)
        self.plain += body[at:] # the data source


def read(path):
    data = bytearray(open(path, "rb").read())
    attrs, data_at, data_size = (struct.unpack_from("<Q", data, at)[0] for at in (24, 40, 48))
    sample_type = struct.unpack_from("<Q", data, attrs + 24)[0]
    nr_regs = bin(struct.unpack_from("<Q", data, attrs + 80)[0]).count("1")
    records, at = [], data_at
    while at < data_at + data_size:
        kind, misc, size = struct.unpack_from("<IHH", data, at)
        body = bytes(data[at + 8:at + size])
        records.append((kind, misc, Sample(body, sample_type, nr_regs) if kind == 9 else body))
        at += size
    head = data[:data_at]
    struct.pack_into("<Q", head, attrs + 24, sample_type & ~(REGS | STACK))
    struct.pack_into("<QI", head, attrs + 80, 0, 0)
    flags = struct.unpack_from("<Q", head, attrs + 40)[0]
    struct.pack_into("<Q", head, attrs + 40, flags & ~(1 << 22)) # exclude_callchain_user
    head[72:104] = bytes(32) # no features
    return head, records


def write(path, head, records, wanted):
    body = bytearray()
    for kind, misc, what in records:
        if kind == 9 and what not in wanted:
            continue
        what = what.plain if kind == 9 else what
        body += struct.pack("<IHH", kind, misc, len(what) + 8) + what
    struct.pack_into("<Q", head, 48, len(body))
    open(path, "wb").write(head + body)


def chains_of(perf, path):
    """(tid, time): addresses and names, from the inside."""
    text = subprocess.run([perf, "script", "--no-inline", "--ns", "-F", "tid,time,ip,sym", "-i", path],
                          capture_output=True, text=True, check=True).stdout
    chains = {}
    for block in text.split("\n\n"):
        lines = block.strip().split("\n")
        if len(lines) < 2:
            continue
        tid, time = lines[0].split()[:2]
        frames = [(int(l.split()[0], 16), l.split(None, 1)[1]) for l in lines[1:]]
        chains[int(tid), int(time.rstrip(":").replace(".", ""))] = frames
    return chains


def up_to_start(frames):
    """The addresses up to where the thread starts; None: unwinding did not get there, no evidence."""
    names = [name for _, name in frames]
    if names[-1] not in STARTS:
        return None
    return [addr for addr, _ in frames[:min(i for i, name in enumerate(names) if name in STARTS)]]


def health(perf, path):
    found = json.loads(subprocess.run([perf, "report", "--stack-health", "--json", "--max-stack", "1024", "-i", path],
                                      capture_output=True, text=True, check=True).stdout)
    return (found["stacks"] - found["not-complete"] - found["not-known"], found["not-complete"])


def judge(perf, env, folder, name, command):
    path = os.path.join(folder, name + ".data")
    subprocess.run([perf, "record", "-q", "-e", "cpu-clock:u", "-F", "499", "-m", "4M", "--call-graph", "dwarf,65528",
                    "-o", path] + command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    unwound = chains_of(perf, path)
    head, records = read(path)
    write(path + ".all", head, records, {what for kind, _, what in records if kind == 9})
    pointers = chains_of(perf, path + ".all")
    lack, inner, whole = set(), set(), set()
    for sample in (what for kind, _, what in records if kind == 9):
        who = sample.tid, sample.time
        frames = up_to_start(unwound[who]) if who in unwound and who in pointers else None
        if not frames:
            continue
        shown = {addr for addr, _ in pointers[who]}
        missing = [i for i, addr in enumerate(frames) if i and addr not in shown and addr + 1 not in shown]
        (whole if not missing else inner if missing == [1] else lack).add(sample)
    result = []
    for kind, wanted in ("lack", lack), ("inner", inner), ("whole", whole):
        write(path + "." + kind, head, records, wanted)
        result.append(health(perf, path + "." + kind) if wanted else (0, 0))
    print("%-8s %6d stacks; called complete: %5d whole, %5d but for the innermost caller, %4d lack others; "
          "called incomplete: %5d lack callers, %4d the innermost, %4d none"
          % (name, len(lack) + len(inner) + len(whole), result[2][0], result[1][0], result[0][0],
             result[0][1], result[1][1], result[2][1]))
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--perf", default="build/perf")
    parser.add_argument("--workloads", default="build/workloads")
    args = parser.parse_args()
    perf, stacks = os.path.abspath(args.perf), os.path.abspath(args.workloads) + "/stacks"
    with tempfile.TemporaryDirectory() as folder:
        def source(name, text):
            path = os.path.join(folder, name)
            open(path, "w").write(text)
            return path
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", folder + "/shim.so", source("shim.c", SHIM)], check=True)
        subprocess.run(["gcc", "-O1", "-fno-omit-frame-pointer", "-o", folder + "/tree", source("tree.c", TREE)], check=True)
        subprocess.run(["gcc", "-O1", "-fno-omit-frame-pointer", "-fno-builtin", "-o", folder + "/sort", source("sort.c", SORT)], check=True)
        code = source("code.c", "".join(CODE % (i, i) for i in range(400)))
        env = dict(os.environ, LD_PRELOAD=folder + "/shim.so")
        programs = {
            "framed": [stacks, "good", "1"],
            "mixed": [stacks, "mixed", "1"],
            "tree": [folder + "/tree"],
            "python": ["python3", "-c", "print(len(str(sorted(str(i) for i in range(600000)))))"],
            "gcc": ["gcc", "-O2", "-c", "-o", folder + "/code.o", code],
            "sort": [folder + "/sort"],
        }
        sums = [[0, 0], [0, 0], [0, 0]]
        for name, command in programs.items():
            for total, part in zip(sums, judge(perf, env, folder, name, command)):
                total[0] += part[0]
                total[1] += part[1]
    lack, inner, whole = sums
    false_complete = lack[0] / max(1, lack[0] + inner[0] + whole[0])
    false_incomplete = whole[1] / max(1, lack[1] + inner[1] + whole[1])
    print("of those called complete %.2f %% lack callers (and %.2f %% the innermost one alone); of those called incomplete %.2f %% lack none"
          % (100 * false_complete, 100 * inner[0] / max(1, lack[0] + inner[0] + whole[0]), 100 * false_incomplete))
    sys.exit(false_complete > 0.02 or false_incomplete > 0.02)


if __name__ == "__main__":
    main()
