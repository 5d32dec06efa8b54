#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Damages recordings, ends recorders by force, fills disks, puts other people's things in the way, and
counts what perf makes of it. See README.md.

    campaign.py [--cases N] [--seed N] [--kinds K,K] [--keep DIR]     many cases
    campaign.py --one KIND/NUMBER [--seed N] [--keep DIR]             one of them again, and what it did
    campaign.py --selftest                                            does it see what it is for?

    PERF        the perf under test (default build/perf)
    WORKLOADS   the folder of its workloads (default build/workloads)

--keep DIR: the recordings are taken from there, or made there, and the folder of each case that found
something stays. Without it they are made anew, and a case is repeated on others like them.

Exit status: 0 nothing was found, 1 something was, 2 bad usage.
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import random
import shutil
import sys
import tempfile

import recordings
from case import FAULTS, Case, Lab
from damage import damage_case, folder_case
from dangers import disk_case, foreign_case, kill_case, why_not
from reading import learn

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
KINDS = {  # what a case is, and its share of all
    "damage": (damage_case, 0.55),
    "folder": (folder_case, 0.2),
    "kill": (kill_case, 0.09),
    "disk": (disk_case, 0.08),
    "foreign": (foreign_case, 0.08),
}
NEED_MOUNTS = ("disk", "foreign")
SIDE_BY_SIDE = 2

lab = None  # of this process and those that it forks


def main():
    global lab
    options = parse()
    if options.selftest:
        import selftest
        return selftest.main()
    folder = os.path.abspath(options.keep) if options.keep else tempfile.mkdtemp(prefix="perf-campaign-")
    os.makedirs(folder, exist_ok=True)
    try:
        lab = prepare(folder, options.seed)
        return repeat(options) if options.one else campaign(options)
    finally:
        if not options.keep:
            shutil.rmtree(folder)


def parse():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--one")
    parser.add_argument("--keep")
    parser.add_argument("--selftest", action="store_true")
    options = parser.parse_args()
    options.kinds = options.kinds.split(",")
    for kind in [options.one.partition("/")[0]] if options.one else options.kinds:
        if kind not in KINDS:
            parser.error(f"no kind '{kind}': there are {', '.join(KINDS)}")
    return options


def prepare(folder, seed):
    perf = os.environ.get("PERF", os.path.join(TREE, "build/perf"))
    workloads = os.environ.get("WORKLOADS", os.path.join(TREE, "build/workloads"))
    made = Lab(os.path.abspath(perf), os.path.abspath(workloads), folder, seed)
    room = os.path.join(folder, "recordings")
    os.makedirs(room, exist_ok=True)
    # (arm64.data: each of its samples stands for those of a group.)
    foreign = [path for path in sorted(glob.glob(os.path.join(TREE, "tests/data/*.data"))) if "/arm64.data" not in path]
    made.recordings, lacking = recordings.make(made.run, made.workload(0.2), room, foreign)
    made.small = next((one.path for one in made.recordings if one.name == "plain.data"), foreign[0])
    for name, reason in lacking.items():
        print(f"skip - campaign on {name}: {reason}")
    return made


def run_case(kind, number):
    """The case, done."""
    folder = os.path.join(lab.folder, kind, str(number))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    case = Case(lab, kind, number, random.Random(f"{lab.seed}/{kind}/{number}"), folder)
    KINDS[kind][0](case)
    return case


def one_of_many(name):
    """What the process of the campaign wants to know of it."""
    kind, number = name
    case = run_case(kind, number)
    if not case.faults:
        shutil.rmtree(case.folder)
    return kind, number, case.runs, case.faults, case.did


def understand():
    """What every command says of undamaged recordings; whether it is what they hold."""
    folder = os.path.join(lab.folder, "whole")
    os.makedirs(folder, exist_ok=True)
    case = Case(lab, "whole", 0, random.Random(), folder)
    wrong = [text for recording in lab.recordings for text in learn(case, recording)]
    wrong += [f"{what}: {text}" for what, text in case.faults]
    return wrong


def repeat(options):
    understand()
    kind, _, number = options.one.partition("/")
    case = run_case(kind, int(number))
    print("\n".join(case.did))
    for what, text in case.faults:
        print(f"{what}: {text}")
    if options.keep:
        print(f"in {case.folder}")
    return 1 if case.faults else 0


def campaign(options):
    wrong = understand()
    for text in wrong:
        print(f"  # whole recordings: {text}")
    print(f"{'not ok' if wrong else 'ok'} whole: {len(lab.recordings)} recordings are read as they are")
    reason, cases, kinds = why_not(), [], []
    for kind in options.kinds:
        if kind in NEED_MOUNTS and reason:
            print(f"skip - campaign {kind}: {reason}")
            continue
        kinds.append(kind)
    whole = sum(KINDS[kind][1] for kind in kinds)
    for kind in kinds:
        cases += [(kind, number) for number in range(1, round(options.cases * KINDS[kind][1] / whole) + 1)]
    with concurrent.futures.ProcessPoolExecutor(SIDE_BY_SIDE) as pool:
        found = tally(pool.map(one_of_many, cases, chunksize=4), options)
    for kind in kinds:
        number, runs = sum(name == kind for name, _ in cases), found[kind, "runs"]
        counts = ", ".join(f"{what} {found[kind, what]}" for what in FAULTS)
        bad = any(found[kind, what] for what in FAULTS)
        print(f"{'not ok' if bad else 'ok'} {kind}: {number} cases, {runs} runs, {counts}")
    return 1 if wrong or any(found[kind, what] for kind in kinds for what in FAULTS) else 0


def tally(results, options):
    found = collections.Counter()
    for kind, number, runs, faults, did in results:
        found[kind, "runs"] += runs
        for what, text in faults:
            found[kind, what] += 1
            print(f"  # {what}: {text}")
        if faults:
            keep = f" --keep {options.keep}" if options.keep else ""
            print(f"  #   {did[0]}")
            print(f"  #   again: tests/campaign/campaign.py --seed {lab.seed} --one {kind}/{number}{keep}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
