#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The benchmark: what ours costs, divided by what Linux's perf costs on the same file.

    bench.py [--rows TEXT] [--pairs N] [--data DIR] [--list] [--quick]

    PERF        the perf under test (default build/perf)      PERF_REF  Linux's perf
    BENCH_PROBE what the rows of perf probe ask about: FILE:FUNCTION[:FOLDER OF ITS SOURCE], instead of PERF
    BENCH_DATA  the folder of the input files (see make-data.sh); those that a row needs and that are
                not there are recorded

The rows, their gates and aims stand in rows.txt. Runs go in pairs, reference and ours by turns,
after one warm-up pair; the median of the pairs' ratios is judged, so a busy neighbour does not
decide. No row counts before the agreement program has found what it prints equal.

--quick takes one pair of each row, of files of 10 MB, without the agreement program: it tells whether
each row can be measured here, and its figures say nothing.

Exit status: 0 every gate held (--quick: no row is void), 1 a gate missed or a row void, 77 Linux's
perf is not there.
"""

import argparse
import glob
import math
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import callgrind

HERE = os.path.dirname(os.path.abspath(__file__))
AGREE = os.path.join(HERE, "..", "compat", "agree.py")
LIMIT = 120  # seconds for one run


class Void(Exception):
    """The row cannot be measured; says why."""


class Skip(Exception):
    """The row needs something that this machine lacks."""


class Run:
    def __init__(self, cpu, wall, rss):
        self.cpu, self.wall, self.rss = cpu, wall, rss

    def of(self, metric):
        return {"cpu": self.cpu, "wall": self.wall, "rss": self.rss}[metric]


class Row:
    def __init__(self, line):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 8:
            sys.exit("rows.txt: not eight columns: %s" % line)
        self.name, self.file, self.metric = cells[:3]
        self.gate, self.aim, self.pairs = float(cells[3]), float(cells[4]), int(cells[5])
        self.agree = [] if cells[6] == "-" else [c.split("@") for c in cells[6].split(",")]
        self.command = cells[7]


class Figures:
    """What a row's measurement gives: ratios, and one figure of each side as text."""

    def __init__(self, ratios, ref="", ours="", note=""):
        self.ratios, self.ref, self.ours, self.note = ratios, ref, ours, note


class Bench:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.ref = os.environ.get("PERF_REF", "/usr/bin/perf")
        self.ours = os.path.abspath(os.environ.get("PERF", "build/perf"))
        self.homes = {tool: tempfile.mkdtemp(dir=work) for tool in (self.ref, self.ours)}
        self.homes["both"] = tempfile.mkdtemp(dir=work)
        self.measure = self.compile("measure.c")
        self.agreed, self.events = {}, {}

    def compile(self, source):
        path = os.path.join(HERE, source)
        if not os.path.exists(path):
            raise Skip("%s is not there" % source)
        out = os.path.join(self.work, source[:-2])
        if not os.path.exists(out):
            subprocess.run([os.environ.get("CC", "gcc"), "-O2", "-w", "-o", out, path], check=True)
        return out

    def env(self, home, workers=None):
        env = {"HOME": self.homes[home], "PATH": os.environ["PATH"], "LC_ALL": "C", "PAGER": "cat",
               "PERF_CONFIG": "/dev/null"}
        if workers:
            env["PERF_WORKERS"] = str(workers)
        return env

    def run(self, tool, args, workers=None, repeat=1, home="both", output="/dev/null", warm=False):
        if tool == self.ours and not warm:  # the gates are for a first run: no index of symbols
            shutil.rmtree(os.path.join(self.homes[home], ".cache", "perf"), ignore_errors=True)
        command = [self.measure, "-n", str(repeat), "-t", str(LIMIT), "-o", output, tool] + args
        done = subprocess.run(command, env=self.env(home, workers), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=self.work, text=True)
        try:
            cpu, wall, rss, status = done.stdout.split()
        except ValueError:
            raise Void("cannot measure '%s': %s" % (tool, done.stderr.strip()))
        if status != "0":
            last = (done.stderr.strip().splitlines() or ["silent"])[-1]
            raise Void("'%s %s' ended with status %s: %s"
                       % (os.path.basename(tool), args[0], status, last))
        return Run(float(cpu), float(wall), int(rss))

    def path(self, name):
        path = os.path.join(self.options.data, name + ".data")
        if not os.path.exists(path):
            self.make_data(name, path)
        with open(path, "rb") as file:  # into the page cache
            while file.read(1 << 22):
                pass
        return path

    def make_data(self, name, path):
        """Record an input file that is missing; else why not."""
        kind, size = name.rsplit("-", 1)
        done = subprocess.run([os.path.join(HERE, "make-data.sh"), self.options.data, size],
                              env=dict(os.environ, SETS=kind), text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if not os.path.exists(path):
            raise Skip((done.stdout.strip().splitlines() or ["%s: not made" % path])[-1])

    def nr_events(self, path):
        if path not in self.events:
            text = subprocess.run([self.ref, "report", "--stats", "-i", path], text=True,
                                  env=self.env("both"), stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL).stdout
            self.events[path] = sum(int(n) for n in re.findall(r"^ +SAMPLE events: +(\d+)", text,
                                                               re.M)[:1])
        return self.events[path]

    def check(self, what, name):
        """The agreement program's word on one file, asked once."""
        key = (what, name)
        if key not in self.agreed:
            done = subprocess.run([AGREE, "--home", self.homes["both"], "--timeout", str(LIMIT),
                                   "--checks", what, self.path(name)], text=True,
                                  env=dict(os.environ, PERF=self.ours, PERF_REF=self.ref),
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.agreed[key] = (done.returncode == 0, done.stdout)
        good, text = self.agreed[key]
        if not good:
            raise Void("no agreement, %s of %s: %s" % (what, name, text.strip().splitlines()[0]))

    def paired(self, pairs, reference, ours):
        """Warm-up pair, then pairs by turns. The two lists of figures."""
        reference(), ours()
        both = [(reference(), ours()) for _ in range(pairs)]
        return [pair[0] for pair in both], [pair[1] for pair in both]

    # ---- the kinds of rows: each yields (suffix, Figures)

    def command(self, row, pairs, home="both", warm=False):
        path = self.path(row.file)
        for what, name in row.agree:
            self.check(what, name)
        args = [word.format(file=path) for word in row.command.split() if word[0] != "@"]
        kinds = [("", None)] if row.metric == "rss" else [("", None), (", 1 worker", 1)]
        for suffix, workers in kinds:
            refs, ours = self.paired(pairs, lambda: self.run(self.ref, args, home=home),
                                     lambda: self.run(self.ours, args, workers, home=home,
                                                      warm=warm))
            ratios = [b.of(row.metric) / a.of(row.metric) for a, b in zip(refs, ours)]
            cpu = [statistics.median(r.cpu for r in runs) for runs in (refs, ours)]
            rss = [max(r.rss for r in runs) / 1024 for runs in (refs, ours)]
            events = self.nr_events(path)
            text = ["%.3f s %6.0f MB %5.2f Mev/s" % (c, m, events / max(c, 1e-6) / 1e6)
                    for c, m in zip(cpu, rss)]
            yield suffix, Figures(ratios, text[0], text[1])

    def recorded_here(self, row, pairs):
        """The rest of the row's command, where the build-id cache is as recording leaves it: with a
        copy of the kernel's list of symbols. (Elsewhere the cache is empty, as with a new HOME.)"""
        home = "recorded"
        if home not in self.homes:
            self.homes[home] = tempfile.mkdtemp(dir=self.work)
            self.run(self.ref, ["record", "-q", "-o", os.path.join(self.work, "any.data"), "-a",
                                "-e", "cpu-clock", "--", "sleep", "0.2"], home=home)
        cache = os.path.join(self.homes[home], ".debug")
        if not any("kallsyms" in files for _, _, files in os.walk(cache)):
            raise Skip("recording left no copy of the kernel's symbols")
        yield from self.command(row, pairs, home)

    def warm(self, row, pairs):
        """The rest of the row's command, when the index of symbols is there."""
        yield from self.command(row, pairs, warm=True)

    def expanded(self, row, pairs):
        """What inlined functions add to a first report, against one without: no reference."""
        args = ["report", "--stdio", "-i", self.path(row.file)]
        plain, expanded = self.paired(pairs, lambda: self.run(self.ours, args + ["--no-inline"], 1),
                                      lambda: self.run(self.ours, args + ["--inline"], 1))
        yield "", Figures([b.cpu / a.cpu for a, b in zip(plain, expanded)],
                          *["%.3f s" % statistics.median(r.cpu for r in runs)
                            for runs in (plain, expanded)])

    def warm_inlined(self, row, pairs):
        """A report when the index of symbols is there, against the same without inlined functions."""
        args = ["report", "--stdio", "-i", self.path(row.file)]
        self.run(self.ours, args, 1)
        plain, warm = self.paired(pairs, lambda: self.run(self.ours, args + ["--no-inline"], 1, warm=True),
                                  lambda: self.run(self.ours, args, 1, warm=True))
        yield "", Figures([b.cpu / a.cpu for a, b in zip(plain, warm)],
                          *["%.3f s" % statistics.median(r.cpu for r in runs) for runs in (plain, warm)])

    def painted(self, row, pairs):
        """The first screen of the browser, against the same report in a file: no reference."""
        args = [word.format(file=self.path(row.file)) for word in row.command.split()[1:]]
        text = os.path.join(self.work, "report.txt")
        plain, painted = self.paired(
            pairs, lambda: self.run(self.ours, args + ["--stdio"], output=text).wall,
            lambda: self.first_paint(args))
        yield "", Figures([b / a for a, b in zip(plain, painted)],
                          *["%.3f s" % statistics.median(walls) for walls in (plain, painted)])

    def first_paint(self, args):
        """Seconds from the start of ours on a terminal to its last line of the screen."""
        shutil.rmtree(os.path.join(self.homes["both"], ".cache", "perf"), ignore_errors=True)
        env = dict(self.env("both"), TERM="xterm", LINES="24", COLUMNS="80")
        start, seen = time.monotonic(), b""
        pid, terminal = pty.fork()
        if not pid:
            os.chdir(self.work)
            os.execve(self.ours, [self.ours] + args, env)
        try:
            while b"h: help" not in seen:
                left = start + LIMIT - time.monotonic()
                if left <= 0 or not select.select([terminal], [], [], left)[0]:
                    raise Void("the browser shows nothing in %d s" % LIMIT)
                seen += os.read(terminal, 1 << 16)
            wall = time.monotonic() - start
            os.write(terminal, b"q")
            while os.read(terminal, 1 << 16):
                pass
        except OSError:  # the other side has ended
            if b"h: help" not in seen:
                raise Void("the browser ended without a screen: %r" % seen[-200:]) from None
        finally:
            os.close(terminal)
            if os.waitpid(pid, os.WNOHANG) == (0, 0):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        return wall

    def exponent(self, row, pairs):
        """Slope of log cost on log events from 10 to 100 MB, what a tiny file costs taken off."""
        small, large = self.path(row.file + "-10"), self.path(row.file + "-100")
        span = math.log(self.nr_events(large) / self.nr_events(small))

        def cost(path):
            args = [word.format(file=path) for word in row.command.split()]
            return self.run(self.ours, args, 1).cpu
        empty = self.empty_file()
        slopes = []
        cost(small), cost(large), cost(empty)
        for _ in range(pairs):
            # Small runs last a few ticks: the sum of five is steadier.
            start = sum(cost(empty) for _ in range(5)) / 5
            low = sum(cost(small) for _ in range(5)) / 5 - start
            slopes.append(math.log((cost(large) - start) / max(low, 1e-3)) / span)
        yield ": " + row.command.split()[0], Figures(slopes, "", "%.3f s small" % low)

    def empty_file(self):
        """A handful of samples, some of the kernel: what must be loaded whatever the size."""
        path = os.path.join(self.work, "empty.data")
        if not os.path.exists(path):
            self.run(self.ref, ["record", "-q", "-o", path, "-g", "-e", "cpu-clock", "-F", "5000",
                                "/bin/true"])
        return path

    def version(self, row, pairs):
        if not shutil.which("valgrind"):
            raise Skip("valgrind is not there")
        counts = [self.instructions(tool, ["--version"]) for tool in (self.ref, self.ours)]
        yield "", Figures([counts[1] / counts[0]], *["%.2f M instr" % (c / 1e6) for c in counts])

    def instructions(self, tool, args):
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", tool]
                              + args, env=self.env("both", 1), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if not found or done.returncode:
            raise Void("callgrind of '%s %s' failed" % (os.path.basename(tool), args[0]))
        return int(found.group(1))

    def small(self, row, pairs, args, repeat, homes=None):
        """Commands of some milliseconds: @repeat runs are one figure."""
        homes = homes or {self.ref: "both", self.ours: "both"}

        def once(tool):
            return lambda: self.run(tool, args(tool), None, repeat, homes[tool])
        refs, ours = self.paired(pairs, once(self.ref), once(self.ours))
        ratios = [b.of(row.metric) / a.of(row.metric) for a, b in zip(refs, ours)]
        text = ["%.2f ms" % (1e3 / repeat * statistics.median(r.of(row.metric) for r in runs))
                for runs in (refs, ours)]
        yield "", Figures(ratios, *text)

    def second(self, row, pairs):
        """What a report costs when the index of symbols is there, against the first one."""
        args = ["report", "--stdio", "-i", self.path(row.file)]
        first, second = self.paired(pairs, lambda: self.run(self.ours, args, 1),
                                    lambda: self.run(self.ours, args, 1, warm=True))
        yield "", Figures([b.cpu / a.cpu for a, b in zip(first, second)],
                          *["%.3f s" % statistics.median(r.cpu for r in runs)
                            for runs in (first, second)])

    def workers(self, row, pairs):
        """The elapsed time of the row's command with two workers, against one; symbols are indexed."""
        args = [word.format(file=self.path(row.file)) for word in row.command.split()[1:]]
        if len(os.sched_getaffinity(0)) < 2:
            raise Skip("there is one CPU")
        self.run(self.ours, args, 1)
        one, two = self.paired(pairs, lambda: self.run(self.ours, args, 1, warm=True),
                               lambda: self.run(self.ours, args, 2, warm=True))
        yield "", Figures([b.wall / a.wall for a, b in zip(one, two)],
                          *["%.3f s" % statistics.median(r.wall for r in runs) for runs in (one, two)])

    def names(self, row, pairs):
        """The share of names in the instructions of a second report: see callgrind.py."""
        if not shutil.which("valgrind"):
            raise Skip("valgrind is not there")
        args = ["report", "--stdio", "-i", self.path(row.file)]
        profile = os.path.join(self.work, "callgrind.out")
        self.run(self.ours, args, 1)
        subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + profile,
                        self.ours] + args, env=self.env("both", 1), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
        costs, total = callgrind.names(profile)
        if "session_symbols__load" not in costs:
            raise Void("callgrind tells nothing of session_symbols__load()")
        spent = sum(costs.values())
        yield "", Figures([spent / total], "%.1f M instr" % (total / 1e6),
                          "%.1f M of names" % (spent / 1e6))

    def stat(self, row, pairs):
        yield from self.small(row, pairs, lambda tool: ["stat", "-o", "/dev/null", "/bin/true"], 50)

    def stat_repeat(self, row, pairs):
        """Of one repetition: what the command itself needs is in both."""
        args = ["stat", "-r", "300", "-o", "/dev/null", "/bin/true"]
        yield from self.small(row, pairs, lambda tool: args, 1)

    def list(self, row, pairs):
        """All events; Linux's perf lists metrics, too, so its events alone are asked for."""
        words = ["hw", "sw", "cache", "pmu", "tracepoint"]
        theirs, ours = (subprocess.run([tool, "list"] + words[1:2] + words[3:], text=True,
                                       env=self.env("both"), stdout=subprocess.PIPE).stdout
                        for tool in (self.ref, self.ours))
        if theirs != ours:
            raise Void("the lists differ")
        if "Tracepoint event" not in ours:
            raise Skip("tracefs cannot be read")
        yield from self.small(row, pairs, lambda tool: ["list"] + words, 20)

    def recorded(self, tool):
        """Where @tool records to: a folder of its own, so that perf.data.old is its own too."""
        return os.path.join(self.homes[tool], "perf.data")

    def check_recording(self, tool):
        """Samples, nothing lost, build-ids, a filled cache: else a quick record has not won."""
        path = self.recorded(tool)
        self.run(tool, ["record", "-q", "-o", path, "-e", "page-faults", "-c", "1", "/bin/true"],
                 home=tool)
        ids = subprocess.run([self.ref, "buildid-list", "-i", path], env=self.env("both"), text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        ids = set(line.split()[0] for line in ids.splitlines() if line.strip())
        cache = os.path.join(self.homes[tool], ".debug", ".build-id")
        cached = set(a + b for a in (os.listdir(cache) if os.path.isdir(cache) else [])
                     for b in os.listdir(os.path.join(cache, a)))
        if not ids or not ids <= cached:
            raise Void("%s: %d build-ids, of which %d are in the cache"
                       % (os.path.basename(tool), len(ids), len(ids & cached)))
        return path, len(ids)

    def same_recordings(self):
        (one, ids1), (two, ids2) = [self.check_recording(tool) for tool in (self.ref, self.ours)]
        n1, n2 = self.nr_events(one), self.nr_events(two)
        self.events.clear()
        if abs(n1 - n2) > 0.03 * n1 or ids1 != ids2:
            raise Void("samples %d and %d, build-ids %d and %d" % (n1, n2, ids1, ids2))
        self.check_nothing_lost(two)

    def check_nothing_lost(self, path):
        text = subprocess.run([self.ref, "report", "--stats", "-i", path], text=True,
                              env=self.env("both"), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout
        if re.search(r"^ +LOST events: +[1-9]", text, re.M):
            raise Void("records were lost")

    def record_short(self, row, pairs, repeat):
        self.same_recordings()
        args = lambda tool: ["record", "-q", "-o", self.recorded(tool), "/bin/true"]
        yield from self.small(row, pairs, args, repeat, {t: t for t in (self.ref, self.ours)})

    def record_wall(self, row, pairs):
        yield from self.record_short(row, pairs, 1)

    def record_cpu(self, row, pairs):
        yield from self.record_short(row, pairs, 3)

    def program(self, name):
        path = os.path.join(self.options.data, name)
        if not os.path.exists(path):
            self.make_data("fp-10", path)
        return path

    def sampling(self, rate):
        """The kernel's limit moves (perf_event_max_sample_rate); both sides get one rate."""
        with open("/proc/sys/kernel/perf_event_max_sample_rate") as file:
            return ["-e", "cpu-clock", "-F", str(min(rate, int(file.read()) - 1)), "-g"]

    def record_mb(self, row, pairs):
        """CPU of the recorder alone for a MB of data: it watches a load that is not its child."""
        if os.geteuid():
            raise Skip("not root")
        load = subprocess.Popen([self.program("deep"), "100000000"], stdout=subprocess.DEVNULL)
        try:
            def once(tool):
                path = self.recorded(tool)
                run = self.run(tool, ["record", "-q", "-o", path] + self.sampling(30000) +
                               ["-p", str(load.pid), "--", "sleep", "2"], home=tool)
                self.check_nothing_lost(path)
                return run.cpu / (os.path.getsize(path) / 1e6)
            refs, ours = self.paired(pairs, lambda: once(self.ref), lambda: once(self.ours))
        finally:
            load.kill()
            load.wait()
        yield "", Figures([b / a for a, b in zip(refs, ours)],
                          *["%.2f ms/MB" % (statistics.median(x) * 1e3) for x in (refs, ours)])

    def packed(self, row, pairs):
        """CPU of our recorder with -z, against that without: what packing costs, less what it saves
        by not looking through the recording at its end."""
        if os.geteuid():
            raise Skip("not root")
        load = subprocess.Popen([self.program("deep"), "100000000"], stdout=subprocess.DEVNULL)
        try:
            def once(options):
                path = self.recorded(self.ours)
                run = self.run(self.ours, ["record", "-q", "-o", path] + options +
                               self.sampling(30000) + ["-p", str(load.pid), "--", "sleep", "2"],
                               home=self.ours)
                self.check_nothing_lost(path)
                return run.cpu
            plain, packed = self.paired(pairs, lambda: once([]), lambda: once(["-z"]))
        finally:
            load.kill()
            load.wait()
        yield "", Figures([b / a for a, b in zip(plain, packed)],
                          *["%.0f ms" % (statistics.median(x) * 1e3) for x in (plain, packed)])

    def stacks(self, row, pairs, name, modes, seconds):
        """A program that keeps every CPU busy, sampled at 1 kHz on each, in two modes: our recorder's
        share of a CPU for each of them (cpu: the second mode's alone), or the bytes of a sample in
        its file (size: the second's against the first's)."""
        if os.geteuid():
            raise Skip("not root")
        loads = [subprocess.Popen([self.program(name), "100000000"], stdout=subprocess.DEVNULL)
                 for _ in range(os.cpu_count())]
        try:
            def once(mode):
                path = self.recorded(self.ours)
                run = self.run(self.ours, ["record", "-q", "-N", "-B", "-o", path] +
                               self.sampling(1000)[:-1] + mode +
                               ["-p", ",".join(str(load.pid) for load in loads), "--", "sleep",
                                str(seconds)], home=self.ours)
                self.events.pop(path, None)
                # A busy machine takes as many samples as it can.
                return (run.cpu / seconds / os.cpu_count(),
                        os.path.getsize(path) / self.nr_events(path))
            figures = self.paired(pairs, *[lambda mode=mode: once(mode) for mode in modes])
        finally:
            for load in loads:
                load.kill()
                load.wait()
        at, form = (0, "%.4f of a CPU") if row.metric == "cpu" else (1, "%d bytes a sample")
        yield "", Figures([b[at] / (a[at] if at else 1) for a, b in zip(*figures)],
                          *[form % statistics.median(x[at] for x in y) for y in figures])

    def unwound(self, row, pairs):
        """--unwind-live, against copies of stacks."""
        dwarf = ["--call-graph", "dwarf"]
        yield from self.stacks(row, pairs, "deep", [dwarf, dwarf + ["--unwind-live"]], 5)

    def chosen(self, row, pairs):
        """--call-graph auto, against frame pointers, which it chooses here: what its pilot costs."""
        yield from self.stacks(row, pairs, "framed", [["-g"], ["--call-graph", "auto"]], 5)

    def lost(self, row, pairs):
        """Samples lost when every CPU is busy and sampled fast: those of all pairs together, since
        what is lost in one run is chance. A thousandth of the samples is noise."""
        if os.geteuid():
            raise Skip("not root")
        load = 'for cpu in $(seq "$(nproc)"); do "$0" 10000 & done; wait'

        def once(tool):
            path = self.recorded(tool)
            self.run(tool, ["record", "-q", "-o", path] + self.sampling(50000) +
                     ["--", "sh", "-c", load, self.program("deep")], home=tool)
            return lost_samples(path)
        refs, ours = self.paired(pairs, lambda: once(self.ref), lambda: once(self.ours))
        totals = [[sum(column) for column in zip(*runs)] for runs in (refs, ours)]
        (lost1, all1), (lost2, all2) = totals
        if not all1 or not all2:
            raise Void("%d and %d samples were recorded" % (all1, all2))
        ratio = (lost2 / all2) / (lost1 / all1 + 1e-3)
        yield "", Figures([ratio], *["%d of %d lost" % tuple(total) for total in totals])

    def slowdown(self, row, pairs):
        """The workload's own CPU, timed inside the recording."""
        inside = os.path.join(self.work, "inside")

        def once(tool):
            self.run(tool, ["record", "-q", "-o", self.recorded(tool)] + self.sampling(10000) +
                     ["--", "sh", "-c", '"$0" "$1" 100000 > "$2"', self.measure,
                      self.program("deep"), inside], home=tool)
            with open(inside) as file:
                return float(file.read().split()[0])
        refs, ours = self.paired(pairs, lambda: once(self.ref), lambda: once(self.ours))
        yield "", Figures([b / a for a, b in zip(refs, ours)],
                          *["%.3f s" % statistics.median(x) for x in (refs, ours)])

    def top(self, row, pairs):
        """Ten seconds of perf top beside programs that work and fork."""
        work = "while :; do i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done; /bin/true; done"
        # Linux's perf takes the end of its input for keys.
        watch = 'sleep 11 | timeout -s INT 10 "$0" top "$@" > /dev/null 2>&1; :'
        words = ["--stdio"] + self.sampling(4000)[:4] + row.command.split()[1:]
        loads = [subprocess.Popen(["sh", "-c", work], start_new_session=True) for _ in range(2)]
        try:
            refs, ours = self.paired(pairs, *[
                lambda tool=tool: self.run("sh", ["-c", watch, tool] + words, home=tool).cpu
                for tool in (self.ref, self.ours)])
        finally:
            for load in loads:
                os.killpg(load.pid, signal.SIGKILL)
                load.wait()
        yield "", Figures([b / a for a, b in zip(refs, ours)],
                          *["%.2f s" % statistics.median(x) for x in (refs, ours)])

    def live(self, *words):
        """What tests/live/rounds.c says, in microseconds of CPU time."""
        program = os.path.join(os.path.dirname(self.ours), "live-rounds")
        if not os.path.exists(program):
            raise Skip("'%s' is not built (make workloads)" % program)
        return float(subprocess.run([program, *words], text=True, check=True, timeout=LIMIT,
                                    stdout=subprocess.PIPE).stdout)

    def live_rounds(self, row, pairs):
        """A round of a live stream, the 10,000th over the 1,000th: no reference."""
        early, late = self.paired(pairs, lambda: self.live("rounds", "1000"),
                                  lambda: self.live("rounds", "10000"))
        yield "", Figures([b / a for a, b in zip(early, late)],
                          *["%.1f us" % statistics.median(x) for x in (early, late)])

    def live_snapshot(self, row, pairs):
        """A snapshot of 100,000 rows, in ms: no reference."""
        costs = [self.live("snapshot", "100000") / 1000 for _ in range(pairs)]
        yield "", Figures(costs, "", "%.2f ms" % statistics.median(costs))

    def stress(self, pairs, what, small, large):
        """Cost per event of a generated file, large over small: no reference."""
        generator = self.compile("gen-stress.c")
        costs = []
        for count in (small, large):
            path = os.path.join(self.work, "%s-%d.data" % (what, count))
            subprocess.run([generator, what, str(count), path], check=True, timeout=LIMIT,
                           stdout=subprocess.DEVNULL)
            args = ["report", "--stdio", "--no-children", "-i", path]
            start = min(self.run(self.ours, ["report", "--stdio", "-i", self.empty_file()], 1).cpu
                        for _ in range(3))
            runs = [self.run(self.ours, args, 1).cpu - start for _ in range(pairs)]
            costs.append([run / count for run in runs])
        yield "", Figures([b / a for a, b in zip(sorted(costs[0]), sorted(costs[1]))],
                          "%.2f us, %d" % (statistics.median(costs[0]) * 1e6, small),
                          "%.2f us, %d" % (statistics.median(costs[1]) * 1e6, large))

    def processes(self, row, pairs):
        yield from self.stress(pairs, "processes", 2000, 20000)

    def mmaps(self, row, pairs):
        yield from self.stress(pairs, "mmaps", 100000, 1000000)

    def probe(self, row, pairs):
        """A question about this perf's own debug information, or (BENCH_PROBE=FILE:FUNCTION[:FOLDER])
        that of another program, with its source below the folder."""
        program, function, source = (os.environ.get("BENCH_PROBE", self.ours + ":cmd_record")
                                     + ":").split(":")[:3]
        sections = subprocess.run(["readelf", "-SW", program], text=True, check=True,
                                  stdout=subprocess.PIPE).stdout
        if ".debug_info" not in sections:
            raise Skip("'%s' has no debug information" % program)
        words = [function if word == "FUNCTION" else word for word in row.command.split()[1:]]
        args = ["probe", "-x", program] + (["-s", source] if source else []) + words
        yield from self.probe_answers(row, pairs, args, 20)

    def probe_kernel(self, row, pairs):
        """A definition by a name in a kernel's debug information (BENCH_VMLINUX=FILE)."""
        args = ["probe", "-k", self.vmlinux_image(), "-D", " ".join(row.command.split()[1:])]
        yield from self.probe_answers(row, pairs, args, 2)

    def probe_answers(self, row, pairs, args, repeat):
        theirs, ours = (subprocess.run([tool] + args, env=self.env("both"), text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
                        for tool in (self.ref, self.ours))
        if theirs != ours:
            raise Void("the answers differ")
        if not ours and "--add" not in args:
            raise Void("there is no answer")
        yield from self.small(row, pairs, lambda tool: args, repeat)

    def vmlinux_image(self):
        """A kernel with its debug information: BENCH_VMLINUX=FILE, or a linux-image-*-dbg package's."""
        image = os.environ.get("BENCH_VMLINUX") or next(
            iter(sorted(glob.glob("/usr/lib/debug/boot/vmlinux-*"))), None)
        if not image or not os.path.exists(image):
            raise Skip("there is no vmlinux with debug information (BENCH_VMLINUX=FILE)")
        return os.path.abspath(image)

    def vmlinux(self, row, pairs):
        """Names, lines and inlined functions of 20,000 places in a kernel with its debug information:
        seconds, or gigabytes."""
        image = self.vmlinux_image()
        build_id = subprocess.run([self.ours, "buildid-list", "-i", image], env=self.env("both"),
                                  text=True, check=True, stdout=subprocess.PIPE).stdout.split()[0]
        path = os.path.join(self.work, "vmlinux.data")
        subprocess.run([self.compile("gen-stress.c"), "kernel", "20000", path, build_id], check=True)
        args = ["report", "--stdio", "-k", image, "-s", "srcline,sym", "-i", path]
        report = os.path.join(self.work, "vmlinux.txt")
        runs = [self.run(self.ours, args, output=report) for _ in range(pairs)]
        if row.command.endswith("warm"):
            runs = [self.run(self.ours, args, output=report, warm=True) for _ in range(pairs)]
        with open(report) as file:
            rows = [line for line in file if re.match(r" +\d+\.\d+%", line)]
        unnamed = sum("] 0x" in line for line in rows)
        if len(rows) < 10000 or unnamed > len(rows) / 20:
            raise Void("%d rows, %d of them without a name" % (len(rows), unnamed))
        yield "", Figures([run.cpu if row.metric == "cpu" else run.rss / 1048576 for run in runs],
                          "%.2f s" % statistics.median(run.cpu for run in runs),
                          "%d MB" % (max(run.rss for run in runs) / 1024))

    def measure_row(self, row):
        pairs = self.options.pairs or row.pairs
        if row.command.startswith("@"):
            return getattr(self, row.command.split()[0][1:])(row, pairs)
        return (self.exponent if row.metric == "exp" else self.command)(row, pairs)


def lost_samples(path):
    """Of a finished recording: how many samples were lost, and how many there are with those."""
    with open(path, "rb") as file:
        data = file.read()
    at, size = struct.unpack_from("<QQ", data, 40)
    end, nr, in_rings, in_counters = at + size, 0, 0, 0
    while at + 8 <= end:
        kind, _, length = struct.unpack_from("<IHH", data, at)
        if length < 8:
            raise Void("%s: a record of %d bytes" % (path, length))
        if kind == 9:  # SAMPLE
            nr += 1
        elif kind == 2:  # LOST: id, number
            in_rings += struct.unpack_from("<Q", data, at + 16)[0]
        elif kind == 13:  # LOST_SAMPLES: number; by the event's own count, so the same ones again
            in_counters += struct.unpack_from("<Q", data, at + 8)[0]
        at += length
    lost = max(in_rings, in_counters)
    return lost, nr + lost


HEADING = "%-42s %-6s %6s %13s %5s %5s  %-8s %-31s %s"
LINE = "%-42s %-6s %6.3f %13s %5.2f %5.2f  %-8s %-31s %s"


def print_row(bench, row):
    """One or more lines; returns how it went: held, missed, skipped or void."""
    title, result = row.name + ("" if row.file == "-" else ", " + row.file), "held"
    try:
        for suffix, figures in bench.measure_row(row):
            median = statistics.median(figures.ratios)
            verdict = "MISSED" if median > row.gate else "aim" if median <= row.aim else "held"
            if verdict == "MISSED":
                result = "missed"
            print(LINE % (title + suffix, row.metric, median,
                          "%.3f-%.3f" % (min(figures.ratios), max(figures.ratios)), row.gate,
                          row.aim, verdict, figures.ref, figures.ours), flush=True)
    except Skip as reason:
        print("%-42s %-6s skipped: %s" % (title, row.metric, reason), flush=True)
        return "skipped"
    except (Void, subprocess.SubprocessError, OSError, ValueError) as reason:
        print("%-42s %-6s VOID: %s" % (title, row.metric, reason), flush=True)
        return "void"
    return result


def quick(row):
    """The row as it can be tried in little time: what it says is no figure."""
    row.pairs, row.file = 1, row.file.replace("-100", "-10").replace("-30", "-10")
    row.agree = []
    return row


def read_rows(only):
    with open(os.path.join(HERE, "rows.txt")) as file:
        rows = [Row(line) for line in file if line.strip() and not line.startswith("#")]
    return [row for row in rows if only in row.name + " " + row.file]


def main():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", default="", help="only rows whose name or file has this text")
    parser.add_argument("--pairs", type=int, help="pairs for every row (default: rows.txt)")
    parser.add_argument("--data", default=os.environ.get("BENCH_DATA")
                        or os.path.join(cache, "perf-bench"))
    parser.add_argument("--list", action="store_true", help="print the rows and end")
    parser.add_argument("--quick", action="store_true",
                        help="one pair, small files, nothing compared: can each row be measured?")
    options = parser.parse_args()
    rows = read_rows(options.rows)
    if options.quick:
        rows = [quick(row) for row in rows]
        options.pairs = 1
    if options.list:
        for row in rows:
            print("%-30s %-10s %-6s gate %.2f aim %.2f" % (row.name, row.file, row.metric, row.gate,
                                                          row.aim))
        return 0
    if not os.access(os.environ.get("PERF_REF", "/usr/bin/perf"), os.X_OK):
        print("skipped: Linux's perf is not there: nothing to compare with")
        return 77
    options.data = os.path.abspath(options.data)
    work = tempfile.mkdtemp(prefix="perf-bench-")
    try:
        bench = Bench(options, work)
        print(HEADING % ("row (ratio: ours / Linux's perf)", "metric", "median", "min-max", "gate",
                         "aim", "verdict", "Linux's perf", "ours"))
        start = time.monotonic()
        went = [print_row(bench, row) for row in rows]
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("%d rows in %.0f s: %s" % (len(rows), time.monotonic() - start, ", ".join(
        "%d %s" % (went.count(how), how) for how in ("held", "missed", "void", "skipped"))))
    return 1 if "void" in went or ("missed" in went and not options.quick) else 0


if __name__ == "__main__":
    sys.exit(main())
