#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Mutants: does a test die when one operator or constant of the code is another one?

    make mutants N=60 SEED=1 MINUTES=30		(not in `make check`)
    tests/mutants.py [--number N] [--seed N] [--minutes N] [--one NAME]

In a copy of the tree in build-mutants/, N places in util/, ui/ and the commands are changed, one at a
time. Each mutant is built, and asked by the unit tests of files that name the module (by all where none does),
then by all of them and the two command suites nearest to it, each for at most 90 s. It died if something fails
that passes on the tree as it is. Where none of these came to its line, the suites that speak of the module's words
are asked, too, until one comes there. build-mutants/SEED.txt has a line for each:

    NAME FILE:LINE:COLUMN `WAS` -> `IS` VERDICT	(died in WHAT, survived, not reached, does not build, same code)

The unit tests are asked about all first. A run goes on where the one before it stopped; NAME is made of the
file and the text of the line, so a change elsewhere neither changes the sample nor asks again; --one asks about
a mutant whatever was found. Who reads the survivors classes them: no change that can be seen, only a sanitizer
sees it, or a hole, which is closed by a test.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(TREE, "build-mutants")
COPY = os.path.join(FOLDER, "tree")
LIMIT = 90

TOKEN = re.compile(r'''
    (?P<skip> //[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
            | ^[ \t]*\#(?:\\\n|[^\n])* | BUG_ON\([^;]*; | [A-Za-z_]\w* | 0x[0-9a-fA-F]+\w* | \d+\.\d+ )
  | (?P<constant> \d+ )
  | (?P<operator> ->|<<=|>>=|\+\+|--|==|!=|<=|>=|&&|\|\||<<|>>|[-+*/%&|^]=|[-+<>] )
''', re.X | re.S | re.M)
OTHER = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "<<": ">>",
         ">>": "<<", "+": "-", "-": "+", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "++": "--", "--": "++"}
# The suites nearest to a file: those of the first rows that match, two in all.
NEAREST = [
    (r"builtin-(buildid-list|buildid-cache|archive|config|data|doctor|evlist|inject|list|script|stat-record)", r"\1"),
    (r"builtin-test|selftest", "selftest"),
    (r"builtin-top|live_profile", "top live-profile"),
    (r"builtin-probe|/probe/", "probe probe-course"),
    (r"builtin-kmem", "kmem"),
    (r"annotat|disasm", "annotate tui"),
    (r"lockstep|group", "report-groups record-options"),
    (r"callers_browser", "callers tui"),
    (r"tui/|brows", "tui report"),
    (r"/sum/|-sum|_join", "report-sum"),
    (r"script_branches", "script-branches report-branches"),
    (r"branch", "report-branches script-branches"),
    (r"dlfilter", "dlfilter"),
    (r"builtin-check|builtin-version", "smoke options"),
    (r"thread_table|thread_counts|sampled_dsos", "record-options report-options"),
    (r"builtin-stat-compare|comparison|series", "stat-compare"),
    (r"builtin-stat-options", "stat-options"),
    (r"stat_|/stat/|builtin-stat", "stat stat-modes"),
    (r"builtin-record-options|record/config", "record-options"),
    (r"builtin-record", "record record-control"),
    (r"builtin-report", "report-options report"),
    (r"complete", "completion"),
    (r"doctor|abilities", "doctor"),
    (r"event_list|catalog|event_table", "list"),
    (r"metric|formula", "metrics"),
    (r"health|verdict|start", "stack-health unwind"),
    (r"loss", "losses"),
    (r"dump|record_text|file_stats|task_list", "dump forms"),
    (r"header|feature", "dump evlist"),
    (r"script|/trace/", "script options"),
    (r"event_text|opener_text|record_messages|open_error|refusal", "diagnostics record-options"),
    (r"control", "record-control stat-modes"),
    (r"thread_masks|ring_drain_team|recording_folder|folder_form", "record-threads"),
    (r"convert|chain_record", "convert-callchain"),
    (r"jit|inject|/export/", "inject data"),
    (r"sdt", "sdt"),
    (r"inlines|debug_unit", "inlines lines"),
    (r"source|debug_info|lines", "lines inlines"),
    (r"kernel|kallsyms|packed|relocatable", "kernel-names symbols"),
    (r"mapped_file|trust", "trust containers"),
    (r"build_id|archive|/tar\b|buildid/", "buildid-cache archive"),
    (r"index|trail", "symbol-cache"),
    (r"debuginfod", "debuginfod"),
    (r"demangle|readable", "names languages"),
    (r"bundle", "bundle"),
    (r"symbol/|symtab/|/elf/|dwarf/", "symbols lines"),
    (r"call_graph|auto", "call-graph-auto"),
    (r"live_", "unwind-live"),
    (r"unwind/|unwound", "unwind convert-callchain"),
    (r"cgroup", "containers stat-modes"),
    (r"record/|/sink/", "record record-control"),
    (r"stream/sample_filter", "filter report-options"),
    (r"/stream/", "script report"),
    (r"event/|counter/", "record-options stat-options"),
    (r"reader/|writer/|format/|synthesize/", "forms damage"),
    (r"machine/", "report forms"),
    (r"output_file|output_path|temp|new_file", "outputs"),
    (r"pager|color|manual|interrupt", "terminal manual"),
    (r"option", "options"),
    (r"workers", "workers"),
    (r"hist_order|profile/key|view/fields", "report-keys report-compare"),
    (r"profile/|report|hist|callchain|/view/", "report report-options"),
    (r"", "smoke report"),
]

Mutant = collections.namedtuple("Mutant", "name path line column at was becomes")


def sites(path, text):
    """(offset, what is there, what it becomes) in one file."""
    for token in TOKEN.finditer(text):
        was = token.group()
        if token["constant"]:
            becomes = str(int(was, 8 if was.startswith("0") and was.isdigit() and len(was) > 1 and "8" not in was and
                                  "9" not in was else 10) + 1)
        elif token["operator"] and was in OTHER:
            becomes = OTHER[was]
        else:
            continue
        yield token.start(), was, becomes


def choose(number, seed):
    """The mutants of a seed: those whose names are the first, so that each is chosen or not by itself."""
    found, times = [], collections.Counter()
    for path in sources():
        with open(os.path.join(TREE, path), encoding="utf-8") as file:
            text = file.read()
        for at, was, becomes in sites(path, text):
            start = text.rfind("\n", 0, at) + 1
            where = (path, text[start:text.find("\n", at)].strip(), at - start)
            times[where] += 1
            name = hashlib.sha1(repr((seed, *where, times[where])).encode()).hexdigest()[:10]
            found.append(Mutant(name, path, text.count("\n", 0, at) + 1, at - start + 1, at, was, becomes))
    return sorted(found)[:number]


def listed(*patterns):
    return subprocess.run(["git", "ls-files", *patterns], cwd=TREE, text=True, stdout=subprocess.PIPE,
                          check=True).stdout.split()


def sources():
    return sorted(listed("util/*.c", "ui/*/*.c", "builtin-*.c"))


# ---- the copy ----


def refresh():
    """The copy is the tree as it is; what did not change keeps its time, so that little is built again."""
    for path in listed():
        source, copy = os.path.join(TREE, path), os.path.join(COPY, path)
        if not os.path.isfile(source) or os.path.isfile(copy) and same(source, copy):
            continue
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copy(source, copy)
    # What a run before compiled so that it counts (COUNTED) is compiled again.
    for folder, _, files in os.walk(os.path.join(COPY, "build")):
        for name in files:
            if name.endswith(".gcno"):
                os.remove(os.path.join(folder, name))
                os.utime(os.path.join(COPY, os.path.relpath(folder, os.path.join(COPY, "build")), name[:-4] + "c"))


def same(a, b):
    with open(a, "rb") as first, open(b, "rb") as second:
        return first.read() == second.read()


def bounded(command, limit, enough=lambda output: False, **environment):
    """(status, output); status None: it ran out of its time, or its output was enough."""
    with open(os.path.join(FOLDER, "log." + os.path.basename(command[0])), "wb+") as log:
        child = subprocess.Popen(command, cwd=COPY, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                 start_new_session=True, env={**os.environ, **environment})
        end, status = time.monotonic() + limit, None
        while status is None and time.monotonic() < end and not enough(text_of(log)):
            try:
                status = child.wait(0.5)
            except subprocess.TimeoutExpired:
                pass
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(child.pid, number)
                time.sleep(0.3)
            except ProcessLookupError:
                break
        child.wait()
        return status, text_of(log)


def text_of(log):
    return os.pread(log.fileno(), 1 << 24, 0).decode(errors="replace")


# What is compiled meanwhile, the mutant, counts which of its lines are run.
COUNTED = ["OWN_FLAGS=--coverage", "LDFLAGS=--coverage"]


def build(more=()):
    """With the MAKE and CC of the make that called."""
    command = [os.environ.get("MAKE", "make"), "-s", "-j2", "O=build", "CC=" + os.environ.get("CC", "gcc")]
    return bounded([*command, "build/perf", "build/unit-tests", *more], 1200, MAKEFLAGS="")[0] == 0


def object_path(path):
    return os.path.join(COPY, "build", path[:-1] + "o")


def object_of(path):
    """The code of a file, without what tells lines."""
    bare = os.path.join(FOLDER, "bare.o")
    subprocess.run(["objcopy", "--strip-debug", object_path(path), bare], check=True)
    with open(bare, "rb") as file:
        return file.read()


def forget_runs(path):
    counts = object_path(path)[:-1] + "gcda"
    if os.path.exists(counts):
        os.remove(counts)


def was_reached(mutant):
    """Did something run the line of this mutant since forget_runs()? None: it is no code, as in a table."""
    if not os.path.exists(object_path(mutant.path)[:-1] + "gcda"):
        return False
    lines = subprocess.run(["gcov", "-t", "-o", object_path(mutant.path), mutant.path], cwd=COPY, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.split("\n")
    for line in reversed(lines[:next((i + 1 for i, line in enumerate(lines)
                                      if re.match(rf" *[^:]+: *{mutant.line}:", line)), 0)]):
        count, _, text = line.split(":", 2)
        if count.strip() != "-":
            return not count.strip().startswith("#")
        if text[:1] in "{}":  # the function or table begins, or the one before it ended
            return None
    return None


# ---- tests ----


def unit_tests(path):
    """The unit tests that name the module: by its header, or by their own name; or else those of its folder."""
    header, stem = path[:-1] + "h", os.path.basename(path)[:-2]
    found, beside = [], []
    for test in listed("tests/unit/*_test.c"):
        with open(os.path.join(TREE, test), encoding="utf-8") as file:
            text = file.read()
        name = os.path.basename(test)[:-len("_test.c")]
        tests = re.findall(r"^TEST\((\w+)\)", text, re.M)
        if f'"{header}"' in text or stem.startswith(name) or name.startswith(stem):
            found += tests
        elif f'"{os.path.dirname(path)}/' in text and os.path.dirname(path) not in ("", "util/lib"):
            beside += tests
    return sorted(set(found or beside))


def suites(path, line=""):
    """Of a file, the nearest first. What a row of a table of options says is compared with the manual."""
    found = ["manual"] if re.match(r"\s*OPT_", line) else []
    for pattern, names in NEAREST:
        match = re.search(pattern, path)
        if match:
            found += [name for name in match.expand(names).split() if name not in found]
    return found


def further_suites(path):
    """Where those do not come to a place: the suites that speak most of the words of its name."""
    words = [word for word in re.split(r"\W|_", path[:-2]) if len(word) > 3 and word not in ("util", "builtin", "text")]
    said = {}
    for suite in listed("tests/cli/*.sh"):
        with open(os.path.join(TREE, suite), encoding="utf-8") as file:
            text = file.read()
        said[os.path.basename(suite)[:-3]] = sum(text.count(word) * len(word) for word in words) / len(text)
    return sorted(said, key=said.get, reverse=True)


def failures(output):
    """The steps. Where a suite says that it ended, its time was over, or its status says it, too."""
    steps = re.findall(r"^(?:not ok - |FAIL +)(.*)$", output, re.M)
    return {step for step in steps if ": the file ended here" not in step}


class Judge:
    """Runs tests. What one says of the tree as it is, is asked when it finds something in a mutant."""

    def __init__(self):
        self.whole, self.long = {}, set()

    def run(self, test, enough=lambda output: False):
        if test.startswith("cli/"):
            return bounded([f"tests/{test}.sh"], LIMIT, enough, PERF=COPY + "/build/perf",
                           WORKLOADS=COPY + "/build/workloads")
        return bounded(["build/unit-tests", *test.split()[1:]], LIMIT, enough)

    def learn(self, test):
        start = time.monotonic()
        status, output = self.run(test)
        self.whole[test] = (status, failures(output))
        if time.monotonic() - start > LIMIT / 3:
            self.long.add(test)  # it may well need all the time when more runs beside it

    def dies(self, test, ended):
        """What of the test sees the mutant. Another that found something (@ended) ends it."""
        before, known = self.whole.get(test, (0, set()))
        status, output = self.run(test, lambda output: ended.is_set() or failures(output) - known)
        if failures(output) - known:
            ended.set()
            return min(failures(output) - known)
        if ended.is_set():
            return None
        if status is None:
            return "time" if before is not None and test not in self.long else None
        return f"status {status}" if status != 0 and before == 0 else None


# All of them, but for those that compute for long. Modules are used by tests of rooms above them.
UNITS = "unit -debug_info_of_clang -debug_info_agrees -machine_equals"
WAITS = "waits for the suites"
FURTHER = 4  # suites, two at a time


def by_units(mutant, judge):
    path = os.path.join(COPY, mutant.path)
    if os.path.getmtime(path) > os.path.getmtime(object_path(mutant.path)):
        build()  # the object is that of a mutant of this file, asked about before
    code, units = object_of(mutant.path), unit_tests(mutant.path)
    with changed(mutant) as write:
        if not build():
            return "does not build"
        if object_of(mutant.path) == code:
            return "same code"
        return asked([f"unit {' '.join(units)}" if units else UNITS], judge, write, []) or WAITS


def by_suites(mutant, judge):
    with open(os.path.join(COPY, mutant.path), encoding="utf-8") as file:
        line = file.read().split("\n")[mutant.line - 1]
    near = suites(mutant.path, line)
    tests = [UNITS] + [f"cli/{name}" for name in near[:2]]
    further = [f"cli/{name}" for name in near[2:-2] + further_suites(mutant.path) if name not in near[:2]]
    further = list(dict.fromkeys(further))[:FURTHER]
    with changed(mutant) as write:
        build(COUNTED)
        forget_runs(mutant.path)
        found = asked(tests, judge, write, COUNTED)
        while not found and was_reached(mutant) is False and further:
            tests, further = tests + further[:2], further[2:]
            found = asked(tests[-2:], judge, write, COUNTED)
        reached = "not reached by" if was_reached(mutant) is False else "survived"
        return found or f"{reached} {' '.join(test for test in tests if test != UNITS)}"


@contextlib.contextmanager
def changed(mutant):
    """The copy is that of the mutant; yields a function that makes it so (True) or not (False)."""
    path = os.path.join(COPY, mutant.path)
    with open(path, encoding="utf-8") as file:
        text = file.read()

    def write(mutated):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:mutant.at] + mutant.becomes + text[mutant.at + len(mutant.was):] if mutated else text)

    write(True)
    try:
        yield write
    finally:
        write(False)


def asked(tests, judge, write, how):
    """What the first of these says that sees the mutant, and says nothing of the tree as it is."""
    while True:
        ended = threading.Event()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            found = dict(zip(tests, pool.map(lambda test: judge.dies(test, ended), tests)))
        suspects = [test for test in tests if found[test] and test not in judge.whole]
        if suspects:
            write(False)
            build(how)
            for test in suspects:
                judge.learn(test)
            write(True)
            build(how)
        sure = [test for test in tests if found[test] and (
            test not in suspects or judge.whole[test] == (0, set()) and (found[test] != "time" or test not in judge.long))]
        if sure or not suspects:
            return f"died in {sure[0].split()[0]}: {found[sure[0]]}" if sure else None


def show(mutant):
    return f"{mutant.name} {mutant.path}:{mutant.line}:{mutant.column} `{mutant.was}` -> `{mutant.becomes}`"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--one")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    os.makedirs(COPY, exist_ok=True)
    refresh()
    if not build(["workloads"]):
        sys.exit("the tree does not build: see build-mutants/log.make")
    results, judge = os.path.join(FOLDER, f"{options.seed}.txt"), Judge()
    known = {}
    if os.path.exists(results):
        with open(results, encoding="utf-8") as file:
            known = {line.split(" ", 1)[0]: line.rstrip("\n") for line in file}
    mutants = choose(10**9 if options.one else options.number, options.seed)
    if options.one:
        mutant = next(mutant for mutant in mutants if mutant.name == options.one)
        found = by_units(mutant, judge)
        print(show(mutant), by_suites(mutant, judge) if found == WAITS else found)
        return
    # All by the unit tests first, which are fast.
    for ask, whom in ((by_units, None), (by_suites, WAITS)):
        for mutant in mutants:
            line = known.get(mutant.name)
            if (line and line.partition("` -> `")[2].partition("` ")[2]) != whom:
                continue
            if time.monotonic() > end:
                break
            line = f"{show(mutant)} {ask(mutant, judge)}"
            known[mutant.name] = line
            print(line, flush=True)
            with open(results, "a", encoding="utf-8") as file:
                file.write(line + "\n")
    sum_up(known.get(mutant.name, "") for mutant in mutants)


def sum_up(lines):
    counts = collections.Counter()
    for line in lines:
        found = re.search(r"` (died in unit|died in cli|survived|not reached|does not build|same code|waits)", line)
        counts[found[1] if found else "not asked"] += 1
    died, alive = counts["died in unit"] + counts["died in cli"], counts["survived"] + counts["not reached"]
    print(f"{sum(counts.values())} mutants: " + ", ".join(f"{what} {n}" for what, n in sorted(counts.items())) +
          f"; {100 * died // max(1, died + alive)} % of what could be seen died")


if __name__ == "__main__":
    main()
