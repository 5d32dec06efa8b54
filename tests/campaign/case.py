# SPDX-License-Identifier: GPL-2.0-or-later
"""One case: a folder of its own, what was done in it, and the faults that were seen. Each perf runs in
bounds, so that what dies, hangs or eats memory is counted and the campaign goes on."""

import collections
import os
import re
import resource
import shlex
import signal
import subprocess
import threading

FAULTS = ("died", "hung", "over memory", "silent", "destroyed")

CPU_LIMIT = 10  # seconds, of one perf on files of some 10 KB
WALL_LIMIT = 60  # for one that waits
FILE_LIMIT = 1 << 30
MEMORY = 256 << 20  # and as much again for each 64 KB of the file
SANITIZER_FACTOR = 8  # of memory and time

SANITIZED = 86  # the exit status that ASAN_OPTIONS below asks for
LEAKS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "leaks.txt")
SANITIZER = re.compile(r"(ERROR|WARNING|SUMMARY): \w+Sanitizer|runtime error: ")
MOST_OUTPUT = 64 << 20

Run = collections.namedtuple("Run", "status out said rss hung")


class Lab:
    """What all cases share: the perf under test, its workloads, the recordings, the options."""

    def __init__(self, perf, workloads, folder, seed):
        self.perf, self.workloads, self.folder, self.seed = perf, workloads, folder, seed
        self.recordings, self.small = [], None
        self.cpu, self.wall = CPU_LIMIT, WALL_LIMIT
        self.home = os.path.join(folder, "home")
        os.makedirs(self.home, exist_ok=True)
        with open(perf, "rb") as program:
            self.factor = SANITIZER_FACTOR if b"__asan_init" in program.read() else 1

    def environment(self, more=()):
        keep = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
        return {**keep, "HOME": self.home, "LC_ALL": "C", "PERF_CONFIG": "/dev/null",
                "ASAN_OPTIONS": f"exitcode={SANITIZED}",
                "LSAN_OPTIONS": f"suppressions={LEAKS}:print_suppressions=0",
                "UBSAN_OPTIONS": f"print_stacktrace=1:exitcode={SANITIZED}", **dict(more)}

    def workload(self, seconds):
        return [os.path.join(self.workloads, "planted"), str(seconds)]

    def run(self, arguments, cwd=None, stdin=os.devnull, stdout=None, file_limit=FILE_LIMIT,
            ignore=(), environment=(), kill_after=None):
        """perf with these arguments. stdout: a path, or None to get it as text. kill_after: seconds."""
        cwd = cwd or self.folder
        out = stdout or os.path.join(cwd, "stdout.txt")

        def bounds():
            cpu = self.cpu * self.factor
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))  # SIGXCPU first
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for number in ignore:
                signal.signal(number, signal.SIG_IGN)

        with open(stdin, "rb") as source, open(out, "wb") as sink:
            child = subprocess.Popen([self.perf, *arguments], cwd=cwd, env=self.environment(environment),
                                     stdin=source, stdout=sink, stderr=subprocess.PIPE, preexec_fn=bounds,
                                     start_new_session=True)
            said, late = [], threading.Event()

            def end():
                late.set()
                os.killpg(child.pid, signal.SIGKILL)

            watch = threading.Timer(kill_after or self.wall * self.factor, end)
            listener = threading.Thread(target=lambda: said.append(child.stderr.read()))
            watch.start()
            listener.start()
            _, status, usage = os.wait4(child.pid, 0)
            watch.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            end_group(child.pid)
            listener.join()
            child.stderr.close()
        text = ""
        if not stdout:
            with open(out, "rb") as sink:
                text = sink.read(MOST_OUTPUT).decode(errors="replace")
        hung = child.returncode == -signal.SIGXCPU or late.is_set() and not kill_after
        return Run(child.returncode, text, said[0].decode(errors="replace"), usage.ru_maxrss * 1024, hung)


def end_group(leader):
    """What perf had started and left behind."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Case:
    def __init__(self, lab, kind, number, rng, folder):
        self.lab, self.kind, self.number, self.rng, self.folder = lab, kind, number, rng, folder
        self.did, self.faults, self.runs = [], [], 0

    def at(self, name):
        return os.path.join(self.folder, name)

    def note(self, text):
        self.did.append(text)

    def fault(self, what, text):
        self.faults.append((what, text))

    def perf(self, arguments, size=0, expect=(), **how):
        """Runs it and counts what no input may cause. size: of the file it reads. expect: signals that the
        case itself asked for."""
        run = self.lab.run(arguments, cwd=self.folder, **how)
        self.runs += 1
        self.note(f"perf {shlex.join(arguments)}: status {run.status}, {run.rss >> 20} MB, "
                  f"{len(run.said.splitlines())} lines on stderr")
        text = shlex.join(arguments)
        if run.hung:
            self.fault("hung", text)
        elif run.status < 0 and -run.status not in expect:
            self.fault("died", f"{text}: {signal.Signals(-run.status).name}")
        elif run.status == SANITIZED or SANITIZER.search(run.said):
            self.fault("died", f"{text}: {(SANITIZER.search(run.said) or ['a sanitizer'])[0]}")
        if run.rss > (MEMORY + (size >> 16) * MEMORY) * self.lab.factor:
            self.fault("over memory", f"{text}: {run.rss >> 20} MB for {size} bytes")
        return run
