# SPDX-License-Identifier: GPL-2.0-or-later
"""Does the campaign see what it is for? Each row plants a perf that does one wrong thing, which must be
counted as that and nothing else; one that always says what is wrong must pass."""

import os
import shutil
import tempfile

import campaign
from case import FAULTS

CASES = 6  # of a kind, until the fault is seen
ROWS = [  # what must be counted, in which kind of case, what the planted perf does, in sh
    ("silent", "damage", "exit 0"),
    ("silent", "folder", "exit 0"),
    ("silent", "kill", 'case $1 in record | stat) exec "$REAL" "$@" ;; esac'),
    ("silent", "disk", "exit 0"),
    ("died", "damage", "kill -SEGV $$"),
    ("died", "folder", "exit 86"),
    ("died", "kill", "echo 'x.c:1:2: runtime error: planted' >&2; exit 255"),
    ("hung", "damage", "while :; do :; done"),
    ("hung", "folder", "sleep 600"),
    ("over memory", "damage", "python3 -c 'bytearray(b\"x\") * (400 << 20)'; echo sorry >&2; exit 255"),
    ("destroyed", "damage", "echo sorry >&2; : > input.data; exit 255"),
    ("destroyed", "folder", "echo sorry >&2; rm -f input.data/data.1; exit 255"),
    ("destroyed", "disk", 'for at; do case $at in */out) rm -rf "$at" ;; esac; done; exit 255'),
    ("destroyed", "foreign", 'for at; do case $at in */out) rm -rf "$at" ;; esac; done; exit 255'),
    *((None, kind, "echo 'what is wrong' >&2; exit 255") for kind in ("damage", "folder", "kill", "disk", "foreign")),
]


def main():
    folder = tempfile.mkdtemp(prefix="perf-campaign-")
    try:
        return 1 if any([not judge(*row) for row in prepared(folder)]) else 0
    finally:
        shutil.rmtree(folder)


def prepared(folder):
    """The rows that can be tried here, with the lab ready for each."""
    campaign.lab = lab = campaign.prepare(folder, seed=1)
    lab.recordings = [one for one in lab.recordings if one.name in ("plain.data", "chains.data", "folder.data")]
    campaign.understand()
    real, reason = lab.perf, campaign.why_not()
    lab.cpu, lab.wall, lab.factor = 1, 5, 1
    for what, kind, does in ROWS:
        if kind in campaign.NEED_MOUNTS and reason:
            print(f"skip - campaign {kind} sees what is {what}: {reason}")
            continue
        lab.perf = os.path.join(folder, "planted")
        with open(lab.perf, "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\nREAL={real}\n{does}\n")
        os.chmod(lab.perf, 0o755)
        yield what, kind, does


def judge(what, kind, does):
    seen = set()
    for number in range(1, CASES + 1):
        seen |= {fault for fault, _ in campaign.run_case(kind, number).faults}
        if seen and what:
            break
    good = seen == ({what} if what else set())
    assert what is None or what in FAULTS
    print(f"{'ok' if good else 'not ok'} - campaign {kind}: {does[:60]!r} counts as {what or 'nothing'}")
    if not good:
        print(f"  # it counted as {', '.join(seen) or 'nothing'}")
    return good
