#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The agreement program: do Linux's perf and ours say the same about one perf.data file?

    agree.py [options] FILE...

    PERF_REF   Linux's perf             (default /usr/bin/perf)
    PERF       the perf under test      (default build/perf)

The checks, each on every FILE:

    rows      per event: the number of samples and the period of every (comm, dso, symbol)
    chains    per event and entry: the multiset of folded call chains, report --no-children
    children  the same for chosen entries of report --children, and all their percentages
    script    every line of the default script output
    lists     evlist, buildid-list, --header -I, report --stats, --tasks, --mmaps, byte for byte
    dump      every line of report -D

Some differences are known (Documentation/differences.md, "The same file") and recognized narrowly:
PLT entries that 6.1 files under a zero-size _init; call chains that 6.1 throws away as a whole
because of one entry that is no address (counted); names of comms that 6.1 cuts to a column's width
(avoided by giving it wide columns); unnamed frames of files, which are addresses of the process in
6.1's chains and addresses inside the file in ours (compared by their place in the page, and not at
all as entries of report --children); the frame ffffffffffffffff with which 6.1 ends chains where a
copied stack ends, and frames behind it in ours (of such files the chains are compared by script
alone), and the few chains of such files that are longer in ours; the place of records that come later than a finished round
allows (the lines must be the same).

Events of a group are compared one by one (--no-group): 6.1 shows a group as one table.

Both tools run with one HOME (private unless --home is given), without inlining, in bounded time,
and never on a terminal. A tool that fails, prints nothing or runs out of its time disagrees.

Exit status: 0 all agree, 1 a difference, 2 a tool that could not be run or bad usage,
77 Linux's perf is not there.
"""

import argparse
import collections
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

BLOCK = 1 << 20
PERCENTS = re.compile(r"\s*((?:\d+\.\d+%\s+)+)(.*?)\s*$")
CHAIN = re.compile(r"(\d+) (.*)$")
EVENT = re.compile(r"# Samples: .*? of events? '(.*)'$")
TOTAL = re.compile(r"# Event count \(approx\.\): (\d+)")
LOST = re.compile(r"# Total Lost Samples: (\d+)")
LATE = re.compile(r"(\d+) records were written later than a finished round allows")
CUT_CHAINS = re.compile(r"(\d+) call chains were cut at an entry")
# _init of the start-up files has no size, and 6.1 lets it reach over the PLT behind it.
PLT_NAME = re.compile(r"(?<![^ ;])(_init|[^ ;]*@plt)(?=$|[;+ ])")
UNNAMED = re.compile(r"(?<![^;])(?:0x[0-9a-f]+|0)(?=;|$)")
UNNAMED_ENTRY = re.compile(r"\[[.kHgu]\] (?:0x)?[0-9a-f]{16}$")
LONGER_MAX = 20  # of a file
END_OF_COPY = b"ffffffffffffffff [unknown] ([unknown])\n"
PLT_LINE = re.compile(rb" (?:_init|\S*@plt)\+0x[0-9a-f]+ ")
REFERENCE = "Linux's perf"
CHECKS = ("rows", "chains", "children", "script", "lists", "dump")


class ReferenceDied(Exception):
    """Linux's perf ended by a signal: some of its reports read memory it has freed already."""


class ToolFailed(Exception):
    pass


class Tool:
    """One perf binary; runs with the environment that both tools share."""

    def __init__(self, label, path, home, timeout):
        self.label, self.path, self.timeout = label, path, timeout
        self.env = {
            "HOME": home,
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "LC_ALL": "C",
            "PAGER": "cat",
            "PERF_CONFIG": "/dev/null",
        }
        for name in ("PERF_WORKERS", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]

    def start(self, args):
        """Starts the tool; its standard output is a pipe, its standard error a file."""
        errors = tempfile.TemporaryFile()
        try:
            process = subprocess.Popen([self.path] + args, env=self.env, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=errors,
                                       start_new_session=True)
        except OSError as problem:
            raise ToolFailed("%s: cannot start '%s': %s" % (self.label, self.path, problem))
        process.errors, process.timed_out = errors, False
        process.words = " ".join([os.path.basename(self.path)] + args)
        process.alarm = threading.Timer(self.timeout, self.give_up, [process])
        process.alarm.daemon = True
        process.alarm.start()
        return process

    @staticmethod
    def give_up(process):
        process.timed_out = True
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def finish(self, process):
        """Waits for the tool; raises unless it ended well."""
        process.stdout.close()
        status = process.wait()
        process.alarm.cancel()
        process.errors.seek(0)
        said = process.errors.read().decode("utf-8", "replace").strip().splitlines()
        process.errors.close()
        if process.timed_out:
            raise ToolFailed("%s: '%s' did not end within %d s"
                             % (self.label, process.words, self.timeout))
        if status < 0 and self.label == REFERENCE:
            raise ReferenceDied("'%s' died by signal %d" % (process.words, -status))
        if status:
            raise ToolFailed("%s: '%s' ended with status %d: %s"
                             % (self.label, process.words, status, said[-1] if said else "silent"))

    def warnings(self, args):
        """What the tool says on its standard error."""
        process = self.start(args)
        process.stdout.read()
        process.wait()
        process.errors.seek(0)
        text = process.errors.read().decode("utf-8", "replace")
        self.finish(process)
        return text

    def lines(self, args):
        process = self.start(args)
        text = process.stdout.read().decode("utf-8", "surrogateescape")
        self.finish(process)
        return text.split("\n")


class Report:
    """`report --stdio` read back: per event its total, and per entry its values and chains."""

    def __init__(self):
        self.lost = None
        self.totals = {}  # event -> event count
        self.rows = {}    # (event, names) -> tuple of values
        self.chains = {}  # (event, names) -> Counter of chain text
        self.repeats = collections.Counter()

    def event(self, line):
        name = EVENT.match(line).group(1)
        self.repeats[name] += 1
        return name if self.repeats[name] == 1 else "%s #%d" % (name, self.repeats[name])

    def comment(self, line, event):
        if EVENT.match(line):
            return self.event(line)
        if TOTAL.match(line):
            self.totals[event] = int(TOTAL.match(line).group(1))
        elif LOST.match(line):
            self.lost = int(LOST.match(line).group(1))
        return event

    def drop_empty(self):
        """Whether an event without samples gets a heading is a matter of layout, not of data."""
        for event in [e for e in self.totals if not self.totals[e]]:
            del self.totals[event]
        return self


def in_page(match):
    return "0x..." + match.group(0)[2:].rjust(3, "0")[-3:]


def loose(key):
    """An entry that the two tools group in different ways: see the top."""
    return "<plt>" in key[1] or UNNAMED_ENTRY.search(key[1])


def plt(text):
    return PLT_NAME.sub("<plt>", text) if "@plt" in text or "_init" in text else text


def numbered(lines):
    return {"line %d" % number: line for number, line in enumerate(lines, 1)}


def read_table(lines):
    """The flat table: overhead, samples, period, comm, dso, symbol, with tabs between."""
    report, event = Report(), None
    for line in lines:
        if line.startswith("#"):
            event = report.comment(line, event)
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) < 6:
            if line.strip():
                raise ToolFailed("cannot read the table row '%s'" % line)
            continue
        key = (event, plt(" | ".join(cells[3:])))
        old = report.rows.get(key, (0, 0))
        report.rows[key] = (old[0] + int(cells[1]), old[1] + int(cells[2]))
    return report.drop_empty()


def read_folded(lines):
    """-g folded: an entry line (percentages, names), then its chains as 'count a;b;c'."""
    report, event, key = Report(), None, None
    for line in lines:
        if line.startswith("#"):
            event = report.comment(line, event)
            continue
        chain = CHAIN.match(line)
        if chain:
            if key is None:
                raise ToolFailed("a chain before the first entry: '%s'" % line)
            text = UNNAMED.sub(in_page, plt(chain.group(2)))
            report.chains[key][text] += int(chain.group(1))
            continue
        entry = PERCENTS.match(line)
        if entry:
            key = (event, plt(re.sub(r"\s{2,}", " | ", entry.group(2))))
            report.rows.setdefault(key, []).append(tuple(entry.group(1).split()))
            report.chains.setdefault(key, collections.Counter())
        elif line.strip():
            raise ToolFailed("cannot read the line '%s'" % line)
    for key in report.rows:
        # One entry there, several here: percentages are rounded before they could be summed.
        report.rows[key] = () if "<plt>" in key[1] else tuple(sorted(report.rows[key]))
    return report.drop_empty()


class Differences:
    """Collects what differs and prints the first few, cut to a readable length."""

    def __init__(self, title, limit, allowance=None):
        self.title, self.limit, self.count, self.known = title, limit, 0, 0
        self.allowance = allowance

    def is_known(self, ref, ours):
        if self.allowance and self.allowance.covers(ref, ours):
            self.known += 1
            return True
        return False

    def add(self, text):
        self.count += 1
        if self.count <= self.limit:
            print("  %s: %s" % (self.title, text))

    def maps(self, what, ref, ours):
        """Two dictionaries, in the reference's order, then what only ours has."""
        for key in ref:
            name = key if isinstance(key, str) else "[%s] %s" % key
            if key in ours and (ref[key] == ours[key] or self.is_known(ref[key], ours[key])):
                continue
            if key not in ours:
                self.add("%s %s: only Linux's perf has it, %s" % (what, name, show(ref[key])))
            else:
                self.add("%s %s: Linux's perf %s, ours %s"
                         % ((what, name) + show_pair(ref[key], ours[key])))
        for key in ours:
            if key not in ref and not self.is_known(None, ours[key]):
                name = key if isinstance(key, str) else "[%s] %s" % key
                self.add("%s %s: only ours has it, %s" % (what, name, show(ours[key])))


class Allowance:
    """What @chains call chains that ours kept in part, and 6.1 threw away, may change."""

    def __init__(self, chains, samples):
        self.chains, self.percent = chains, 100.0 * chains / max(samples, 1) + 0.011

    def covers(self, ref, ours):
        if not self.chains:
            return False
        if isinstance(ours, collections.Counter):
            ref = ref or collections.Counter()
            return not ref - ours and sum((ours - ref).values()) <= self.chains
        if not isinstance(ours, tuple) or not isinstance(ours[0], tuple) or len(ours) > 1:
            return False
        before = [float(p[:-1]) for p in ref[0]] if ref else [0.0] * len(ours[0])
        after = [float(p[:-1]) for p in ours[0]]
        return all(0 <= b - a <= self.percent or abs(b - a) < 0.011
                   for a, b in zip(before, after))


def cut(text, length=240):
    return text if len(text) <= length else text[:length] + "... (%d bytes)" % len(text)


def show(value):
    if isinstance(value, collections.Counter):
        chains = value.most_common(1)
        text = "%d chains of %d samples" % (len(value), sum(value.values()))
        return text + (", most often '%s'" % cut(chains[0][0]) if chains else "")
    return cut(str(value))


def show_pair(ref, ours):
    """For chain multisets: the first chain, by text, whose counts differ."""
    if not isinstance(ref, collections.Counter):
        return show(ref), show(ours)
    for chain in sorted(set(ref) | set(ours)):
        if ref[chain] != ours[chain]:
            return ("%d of %d times '%s'" % (ref[chain], sum(ref.values()), cut(chain)),
                    "%d of %d times" % (ours[chain], sum(ours.values())))
    return show(ref), show(ours)


class Check:
    """One file, both tools."""

    def __init__(self, options, ref, ours, path):
        self.options, self.ref, self.ours, self.path = options, ref, ours, path
        self.nr_cut = None

    def both(self, args, numbers):
        """@numbers columns stand before the comm, whose width the reference would guess wrong."""
        for tool, more in ((self.ref, ["-w", "0," * numbers + "20"]), (self.ours, [])):
            yield tool.lines([args[0], "-i", self.path, "--no-inline", "--no-group"] + args[1:] + more
                             + self.options.arg)

    def nr_late(self):
        said = self.ours.warnings(["script", "-v", "-G", "-F", "time", "-i", self.path])
        found = LATE.search(said)
        return int(found.group(1)) if found else 0

    def cut_chains(self):
        """How many call chains of the file have an entry that is no address; asked once."""
        if self.nr_cut is None:
            said = self.ours.warnings(["script", "-v", "-i", self.path, "--no-inline"])
            found = CUT_CHAINS.search(said)
            self.nr_cut = int(found.group(1)) if found else 0
        return self.nr_cut

    def compare(self, title, parts, units, samples=0):
        found = Differences(title, self.options.max,
                            Allowance(self.cut_chains(), samples) if samples else None)
        for what, ref, ours in parts:
            found.maps(what, ref, ours)
        if found.count > found.limit:
            print("  %s: ... and %d more differences" % (title, found.count - found.limit))
        if found.known:
            units += ("%d known differences by %d cut chains" % (found.known, self.nr_cut),)
        print("%-9s %-7s %s: %s" % (title, "DIFFERS" if found.count else "agrees", self.path,
                                    ", ".join(units)))
        return found.count == 0

    def rows(self):
        args = ["report", "--stdio", "--no-children", "-g", "none", "--sort", "comm,dso,sym", "-n",
                "--show-total-period", "-t", "\t"]
        ref, ours = [read_table(lines) for lines in self.both(args, 3)]
        if not ref.rows:
            raise ToolFailed("Linux's perf prints no row for '%s'" % self.path)
        return self.compare("rows", (("lost", {"samples": ref.lost}, {"samples": ours.lost}),
                                     ("event count", ref.totals, ours.totals),
                                     ("row", ref.rows, ours.rows)),
                            ("%d events" % len(ref.totals), "%d rows" % len(ref.rows),
                             "%d samples" % sum(row[0] for row in ref.rows.values())))

    def has_chains(self):
        lines = self.ref.lines(["evlist", "-v", "-i", self.path])
        return any("CALLCHAIN" in line for line in lines)

    def has_copies(self):
        """Does an event copy stacks?"""
        lines = self.ref.lines(["evlist", "-v", "-i", self.path])
        return any("STACK_USER" in line for line in lines)

    def has_cut_copies(self):
        """Does Linux's perf invent frames where copied stacks end?"""
        if not self.has_copies():
            return False
        lines = self.ref.lines(["script", "--no-inline", "-F", "ip", "-i", self.path])
        return any(line.strip() == "ffffffffffffffff" for line in lines)

    def folded(self, title, mode):
        if self.has_cut_copies():
            print("%-9s -       %s: stacks were cut; chains are compared by script"
                  % (title, self.path))
            return None
        if not self.has_chains():
            print("%-9s -       %s: no event has call chains" % (title, self.path))
            return None
        args = ["report", "--stdio", mode, "-g", "folded,0,caller,count"]
        return [read_folded(lines) for lines in self.both(args, 1 + (mode == "--children"))]

    def chains(self):
        reports = self.folded("chains", "--no-children")
        if not reports:
            return True
        ref, ours = reports
        if not any(ref.chains.values()):
            raise ToolFailed("Linux's perf prints no chain for '%s'" % self.path)
        return self.compare("chains", (("entry", ref.rows, ours.rows),
                                       ("chains of", ref.chains, ours.chains)),
                            ("%d entries" % len(ref.rows),
                             "%d chains" % sum(len(c) for c in ref.chains.values())),
                            sum(sum(c.values()) for c in ref.chains.values()))

    def choose(self, report):
        """The chosen entries: the heaviest, and others evenly from all over the list."""
        keys, want = list(report.chains), self.options.entries
        if not want or len(keys) <= want:
            return keys
        heavy = keys[:want // 2]
        rest = keys[want // 2:]
        step = max(1, len(rest) // (want - len(heavy)))
        return heavy + rest[::step][:want - len(heavy)]

    def children(self):
        reports = self.folded("children", "--children")
        if not reports:
            return True
        ref, ours = reports
        unnamed = sum(1 for key in ref.rows if loose(key))
        for report in reports:
            for key in [key for key in report.rows if loose(key)]:
                del report.rows[key], report.chains[key]
        chosen = self.choose(ref)
        mine = {key: ours.chains[key] for key in chosen if key in ours.chains}
        return self.compare("children", (("entry", ref.rows, ours.rows),
                                         ("chains of", {key: ref.chains[key] for key in chosen},
                                          mine)),
                            ("%d entries" % len(ref.rows), "%d chosen" % len(chosen),
                             "%d chains" % sum(len(ref.chains[key]) for key in chosen),
                             "%d unnamed not compared" % unnamed),
                            max(sum(c.values()) for c in ref.chains.values()))

    def script(self):
        args = ["script", "-i", self.path, "--no-inline"] + self.options.arg
        one, two = self.ref.start(args), self.ours.start(args)
        compared = Streams(one.stdout, two.stdout, self.options.max, self.has_copies())
        try:
            compared.run()
        finally:
            for process in (one, two):
                process.stdout.read()
        for tool, process in ((self.ref, one), (self.ours, two)):
            tool.finish(process)
        if compared.cut and compared.cut > self.cut_chains():
            compared.texts.append("%d chains of ours are empty in Linux's perf, but ours says that "
                                  "it cut only %d" % (compared.cut, self.cut_chains()))
        late, files = 0, 0
        if compared.texts and compared.only_order:
            late = self.nr_late()
            files = os.path.isdir(self.path)  # whose record of one moment comes first is nobody's
            compared.texts = [] if late or files else compared.texts
        if not compared.lines and not compared.texts:
            raise ToolFailed("Linux's perf script prints nothing for '%s'" % self.path)
        for line in compared.texts:
            print("  script: " + line)
        known = "".join(", %d known: %s" % pair for pair in (
            (compared.plt, "PLT names"), (compared.cut, "cut chains"),
            (compared.ends, "ends of copies"),
            (compared.longer, "longer chains"), (late, "late records"),
            (files, "folder in another order")) if pair[0])
        print("%-9s %-7s %s: %d lines%s" % ("script", "DIFFERS" if compared.texts else "agrees",
                                            self.path, compared.lines,
                                            " before the difference" if compared.texts else known))
        return not compared.texts

    def lists(self):
        asked = [["evlist"], ["evlist", "-v"], ["evlist", "-F", "--trace-fields"], ["evlist", "-g"],
                 ["buildid-list"], ["buildid-list", "-H"], ["report", "--stats"],
                 ["report", "--tasks"], ["report", "--mmaps"],
                 ["report", "--header-only", "-I"], ["script", "--header-only"]]
        parts, total = [], 0
        for args in asked:
            ref, ours = [tool.lines(args + ["-i", self.path]) for tool in (self.ref, self.ours)]
            parts.append((" ".join(args), numbered(ref), numbered(ours)))
            total += len(ref) - 1
        return self.compare("lists", parts, ("%d lists" % len(asked), "%d lines" % total))

    def dump(self):
        args = ["report", "-D", "-i", self.path]
        one, two = self.ref.start(args), self.ours.start(args)
        compared = Streams(one.stdout, two.stdout, self.options.max, self.has_copies())
        try:
            heads = compared.skip_equal_blocks()
        finally:
            for process in (one, two):
                while process.stdout.read(BLOCK):
                    pass
        for tool, process in ((self.ref, one), (self.ours, two)):
            tool.finish(process)
        if not compared.lines and not heads:
            raise ToolFailed("Linux's perf dumps nothing of '%s'" % self.path)
        if heads and self.nr_late():
            print("%-9s -       %s: late records stand elsewhere; compared by script"
                  % ("dump", self.path))
            return True
        if heads:
            for a, b in zip(*[head.splitlines() for head in heads]):
                if a != b:
                    print("  dump: Linux's perf '%s'\n  dump: ours         '%s'"
                          % (printable(a), printable(b)))
                    break
        print("%-9s %-7s %s: %d lines%s" % ("dump", "DIFFERS" if heads else "agrees", self.path,
                                            compared.lines, " or so" if heads else ""))
        return not heads

    def check(self, name):
        """Once more where Linux's perf dies: at times it does not. Else there is nothing to
        compare with, which is said and is no difference."""
        for _ in range(4):
            try:
                return getattr(self, name)()
            except ReferenceDied as problem:
                said = problem
        print("%-9s -       %s: Linux's perf: %s, four times" % (name, self.path, said))
        return True

    def run(self):
        good = True
        for name in self.options.checks:
            try:
                good &= self.check(name)
            except ToolFailed as problem:
                print("%-9s FAILED  %s: %s" % (name, self.path, problem))
                good = False
            sys.stdout.flush()
        return good


class Streams:
    """Two outputs of script, block by block while they are equal, then line by line."""

    def __init__(self, ref, ours, limit, copies):
        """@copies: chains come from copied stacks"""
        self.streams, self.limit, self.copies = (ref, ours), limit, copies
        self.lines, self.plt, self.cut = 0, 0, 0
        self.ends, self.longer = 0, 0
        self.texts, self.only_order = [], False

    def run(self):
        heads = self.skip_equal_blocks()
        if heads:
            self.by_lines(*[self.lines_of(stream, head)
                            for stream, head in zip(self.streams, heads)])

    def skip_equal_blocks(self):
        """None at the end of equal streams; else what was read of both from a line's start on."""
        tail = b""
        while True:
            a, b = [stream.read(BLOCK) for stream in self.streams]
            if a != b:
                return tail + a, tail + b
            if not a:
                return None
            self.lines += a.count(b"\n")
            whole = (tail + a).rfind(b"\n") + 1
            tail = (tail + a)[whole:]

    @staticmethod
    def lines_of(stream, head):
        lines = head.splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            lines[-1] += stream.readline()
        return itertools.chain(lines, stream)

    def by_lines(self, ref, ours):
        self.in_chain = False
        for a in ref:
            b = next(ours, b"")
            if a != b and a.strip() + b"\n" == END_OF_COPY:
                self.ends += 1
                while b.startswith(b"\t"):
                    b = next(ours, b"")
                a = next(ref, b"")
            if (self.copies and a == b"\n" and b.startswith(b"\t") and self.in_chain
                    and self.longer < LONGER_MAX):
                # 6.1 stops where a register was taken back from the stack before the return.
                self.longer += 1
                b = next((line for line in ours if not line.startswith(b"\t")), b"")
            if a != b and a == b"\n" and b.startswith(b"\t") and not self.in_chain:
                # A sample that has a chain in ours alone; the line of its event was equal.
                self.cut += 1
                b = next((line for line in ours if not line.startswith(b"\t")), b"")
            if a != b and PLT_LINE.sub(b" <plt> ", a) == PLT_LINE.sub(b" <plt> ", b):
                self.plt += 1
            elif a != b:
                return self.differ(itertools.chain([a], ref), itertools.chain([b], ours))
            self.in_chain = a.startswith(b"\t")
            self.lines += 1
        b = next(ours, None)
        return self.differ(ref, itertools.chain([b], ours)) if b is not None else None

    def differ(self, ref, ours):
        """The first difference, and what else only one of them has (of so many lines)."""
        counts = [collections.Counter(PLT_LINE.sub(b" <plt> ", line)
                                      for line in itertools.islice(lines, 2000000))
                  for lines in (ref, ours)]
        self.only_order = counts[0] == counts[1]
        self.lines += sum(counts[0].values()) if self.only_order else 0
        first = [next((line for line in count if line), b"(end of output)\n") for count in counts]
        self.texts += ["line %d: Linux's perf '%s'" % (self.lines + 1, printable(first[0])),
                       "line %d: ours         '%s'" % (self.lines + 1, printable(first[1]))]
        for name, one, two in (("Linux's perf", counts[0], counts[1]),
                               ("ours", counts[1], counts[0])):
            only = one - two
            self.texts.append("%d lines from there on, whatever their order, only in %s"
                              % (sum(only.values()), name))
            self.texts += ["    e.g. '%s'" % printable(line)
                           for line in itertools.islice(only, self.limit)]


def printable(line):
    return cut(line.decode("utf-8", "replace").rstrip("\n").replace("\t", "<tab>"))


def own_vdso():
    """The bytes of this process's [vdso], which the kernel gives to all alike."""
    with open("/proc/self/maps") as maps:
        for line in maps:
            if line.endswith("[vdso]\n"):
                start, end = [int(word, 16) for word in line.split()[0].split("-")]
                with open("/proc/self/mem", "rb") as memory:
                    memory.seek(start)
                    return memory.read(end - start)
    return b""


def cache_vdso(home):
    """
    Linux's perf names addresses of the [vdso] only when the build-id cache has it, ours also when
    the running kernel's is the recorded one: so the cache gets it, as recording would do.
    """
    image = own_vdso()
    note = image.find(b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0")  # NT_GNU_BUILD_ID of 20 bytes
    if note < 0:
        return
    build_id = image[note + 16:note + 36].hex()
    folder = os.path.join(home, ".debug", "[vdso]", build_id)
    links = os.path.join(home, ".debug", ".build-id", build_id[:2])
    os.makedirs(folder)
    os.makedirs(links)
    with open(os.path.join(folder, "vdso"), "wb") as file:
        file.write(image)
    os.symlink("../../[vdso]/" + build_id, os.path.join(links, build_id[2:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--checks", default=",".join(CHECKS),
                        type=lambda text: text.split(","))
    parser.add_argument("--home", help="HOME of both tools (default: a new, empty folder)")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for each run")
    parser.add_argument("--entries", type=int, default=8,
                        help="entries whose --children chains are compared; 0: all")
    parser.add_argument("--max", type=int, default=3, help="differences shown per check")
    parser.add_argument("--arg", action="append", default=[],
                        help="one more argument for both tools, e.g. --arg=--cpu=0")
    options = parser.parse_args()
    for name in options.checks:
        if name not in CHECKS:
            parser.error("unknown check '%s'" % name)
    reference = os.environ.get("PERF_REF", "/usr/bin/perf")
    if not os.access(reference, os.X_OK):
        print("skipped: Linux's perf is not there ('%s')" % reference)
        return 77
    home = options.home or tempfile.mkdtemp(prefix="agree-home-")
    try:
        if not os.path.exists(os.path.join(home, ".debug")):
            cache_vdso(home)
        ref = Tool(REFERENCE, reference, home, options.timeout)
        ours = Tool("ours", os.environ.get("PERF", "build/perf"), home, options.timeout)
        if not os.access(ours.path, os.X_OK):
            print("the perf under test is not there: '%s'" % ours.path)
            return 2
        good = [Check(options, ref, ours, path).run() for path in options.files]
    finally:
        if not options.home:
            shutil.rmtree(home, ignore_errors=True)
    print("%d of %d files agree" % (sum(good), len(good)))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
