# SPDX-License-Identifier: GPL-2.0-or-later
"""The reading commands, and whether one of them was silent: it showed fewer samples than there were,
with status 0, and said nothing that it does not say of the undamaged recording too."""

import json
import os
import re

from recordings import SAMPLE, STAT, Broken, count_path

# Like "1K" for more than 999: the first three digits are enough, recordings are small.
NUMBER = {"": 1, "K": 1000, "M": 1000000}


def of_report(case, run):
    found = re.findall(r"^# Samples: (\d+)([KM]?) +of event", run.out, re.M)
    return sum(int(number) * NUMBER[unit] for number, unit in found)


def of_stats(case, run):
    found = re.search(r"^ +SAMPLE events: +(\d+)", run.out, re.M)
    return int(found[1]) if found else 0


def of_losses(case, run):
    return sum(int(kept) for kept in re.findall(r"^ *[\d?]+ +(\d+) +\d", run.out, re.M))


def of_health(case, run):
    return sum(int(number) for number in re.findall(r"^# Stacks of .* % of (\d+) are", run.out, re.M))


def of_dump(case, run):
    return len(re.findall(r": PERF_RECORD_SAMPLE\b", run.out))


COUNTS = re.compile(r" *\d+\.\d+,")  # what `stat report -x,` prints, to stderr


def of_counts(case, run):
    return sum(1 for line in run.said.splitlines() if COUNTS.match(line))


def of_lines(case, run):
    return sum(1 for line in run.out.splitlines() if line and not line.startswith("#"))


def of_json(case, run):
    try:
        with open(case.at("out.json"), encoding="utf-8", errors="replace") as file:
            return len(json.load(file)["samples"])
    except (OSError, ValueError, KeyError):
        return 0


def of_injected(case, run):
    try:
        kinds = count_path(case.at("out.data"))
    except (Broken, OSError):
        return 0
    return kinds[SAMPLE] or kinds[STAT]


class Command:
    """What: "samples", which our walk counts too, "stacks" of them, "lines" of a list, or "" for no count."""

    def __init__(self, text, counter=None, what="samples", share=1.0):
        self.text, self.arguments, self.counter, self.what, self.share = text, text.split(), counter, what, share


COMMANDS = [
    Command("report --stdio", of_report),
    Command("report --stdio --no-children -g none -s comm,dso", of_report),
    Command("report --stats", of_stats),
    Command("report --stack-health", of_health, "stacks"),
    Command("report --losses", of_losses),
    Command("report --header-only -I", of_lines, ""),
    Command("report --tasks --mmaps", None, ""),
    Command("report -D", of_dump),
    Command("script -F tid", of_lines),
    Command("script", None, ""),
    Command("script -D", of_dump),
    Command("evlist -v", of_lines, "lines"),
    Command("buildid-list", of_lines, "lines"),
    Command("inject -o out.data", of_injected),
    Command("inject -b -o out.data", of_injected),
    Command("data convert --force --to-json=out.json", of_json),
    Command("archive", None, "", share=0.1),
]
STAT_COMMANDS = [
    Command("stat report -x,", of_counts, "counts"),
    Command("report --stats", None, ""),
    Command("report -D", None, ""),
    Command("script -D", None, ""),
    Command("report --header-only -I", None, ""),
    Command("evlist -v", of_lines, "lines"),
    Command("buildid-list", of_lines, "lines"),
    Command("inject -o out.data", of_injected, "counts"),
]
ASKED = 4  # of them about each case


def words(said):
    """The lines of a message without their numbers."""
    return {re.sub(r"\d+", "N", line) for line in said.splitlines() if line.strip() and not COUNTS.match(line)}


def commands_of(recording):
    return STAT_COMMANDS if recording.is_stat else COMMANDS


def learn(case, recording):
    """What each command makes of the undamaged recording; yields where it is not what our walk counts."""
    for command in commands_of(recording):
        run, found = ask(case, command, recording.path)
        recording.said[command.text] = words(run.said)
        recording.lines[command.text] = found
        own = {"samples": recording.samples, "stacks": recording.samples, "counts": recording.counts}.get(
            command.what, found)
        if run.status != 0 or command.counter is of_health and found == 0:
            recording.lines[command.text] = None  # refused (the other byte order, nothing to pack), or has no chains
            if not run.said.strip() and run.status != 0:
                yield f"{recording.name}: {command.text}: status {run.status} and no word"
        elif found != own:
            yield f"{recording.name}: {command.text} finds {found} of {own}"


def ask(case, command, path, size=0, **how):
    # What a command wrote for the question before is no answer.
    for name in ("out.data", "out.data.old", "out.json"):
        if os.path.lexists(case.at(name)):
            os.unlink(case.at(name))
    run = case.perf([*command.arguments, *([path] if command.text == "archive" else ["-i", path])],
                    size=size, **how)
    return run, command.counter(case, run) if command.counter else None


def least(want, what, before):
    """A sample whose bytes changed can be one without a stack: they are asked for where none did."""
    if what == "stacks":
        what = "lines" if want.get("lines") == 0 else "samples"
    return want.get(what, before)


def read_all(case, recording, path, want, size, stdin=None):
    """Some commands about the damaged copy at path (or at stdin), which must show what is in want, a
    number for each of "samples", "counts" and "lines" (or all there are), or else say something."""
    for command in case.rng.sample(commands_of(recording), ASKED):
        if command.share < case.rng.random():
            continue
        how = {"stdin": stdin} if stdin and command.text != "archive" else {}
        run, found = ask(case, command, "-" if how else path, size, **how)
        before = recording.lines[command.text]
        if before is None or not command.what or run.status != 0:
            continue
        if found < least(want, command.what, before) and not words(run.said) - recording.said[command.text]:
            case.fault("silent", f"{command.text}: {found} of {before} {command.what}, no word")
