#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""One job of tests/jobs.sh: `job.py SECONDS COMMAND...` runs it, at most so long, and leaves nothing running.

What the command started, and what that started, comes to this process when its parent ends, whatever session it is
in. A process that is still there when the command has ended gets some seconds to end as well. If it does not, it is
named ("not ok - left running: ..."), because it would hold a file, a port or the terminal of who started the tests,
and it is killed. The status is that of the command; 124 when its time was over; 128 + N when signal N ended it.

JOB_SPENT=FILE: how many seconds of the processors all of it took is written there."""
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
GRACE = 5.0


def children():
    """The processes below this one: {pid: its command line}, without those that only wait to be reaped."""
    parents = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                state, parent = file.read().rpartition(b")")[2].split()[:2]
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue  # ended just now
        parents[int(pid)] = (int(parent), state, words)

    def is_below(pid):
        while pid in parents:
            pid = parents[pid][0]
            if pid == os.getpid():
                return True
        return False

    return {pid: words for pid, (_, state, words) in parents.items() if state != b"Z" and is_below(pid)}


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


class Ended(Exception):
    """A signal asks for the end."""


def ask_for_end(number, _):
    raise Ended(number)


def wait_for(command):
    """Its wait status. Reaps what comes here in the meantime."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == command:
            return status


def leave_nothing():
    """Waits for what is left, then kills it. Returns what had to be killed."""
    end = time.monotonic() + GRACE
    while (left := children()) and time.monotonic() < end:
        reap()
        time.sleep(0.05)
    killed = left
    while left:
        send(left, signal.SIGKILL)
        time.sleep(0.05)
        reap()
        left = children()
    return killed


def run(seconds, *command):
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # Those that are caught here are not ignored by the command, though a shell may have begun us so.
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, ask_for_end)
    command = subprocess.Popen(command)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        status = wait_for(command.pid)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except Ended as ended:
        number = ended.args[0]
        send(children(), signal.SIGTERM)
        leave_nothing()
        return 124 if number == signal.SIGALRM else 128 + number
    for words in leave_nothing().values():
        print(f"not ok - left running: {words}", flush=True)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def main(seconds, *command):
    spent = os.environ.pop("JOB_SPENT", None)  # not for jobs of the command's own
    status = run(seconds, *command)
    if spent:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(spent, "w", encoding="ascii") as file:
            file.write(f"{usage.ru_utime + usage.ru_stime:.1f}\n")
    return status


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), *sys.argv[2:]))
