# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds `kill`, `disk` and `foreign`: recordings that were ended by force, outputs for which there is
no room, and things of other people where an output shall go."""

import ctypes
import json
import os
import signal
import stat
import subprocess

from reading import read_all
from recordings import FORMS, SAMPLE, STAT, Broken, Layout, count_path, read, write

EVERYTHING = 1 << 40  # more samples than there are: a word is needed in any case
STRANGER = 65534


# ---- kill ----


def kill_case(case):
    """SIGKILL while the workload runs. What is left says so, whatever is in it."""
    rng = case.rng
    name = rng.choice(sorted({one.name for one in case.lab.recordings} & set(FORMS)))
    arguments, to_stdout = FORMS[name]
    recording = next(one for one in case.lab.recordings if one.name == name)
    after = 0.02 + rng.random() * 0.4
    case.note(f"{name} ended after {after:.3f} s")
    command = [*arguments, "-o", "-" if to_stdout else "input.data", "--", *case.lab.workload(5)]
    case.perf(command, stdout=case.at("input.data") if to_stdout else None, expect=(signal.SIGKILL,), kill_after=after)
    if not os.path.exists(case.at("input.data")):
        return
    want = {"samples": EVERYTHING, "counts": EVERYTHING, "lines": 0}
    read_all(case, recording, "input.data", want, size_of(case.at("input.data")))


def size_of(path):
    if not os.path.isdir(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))


# ---- disk ----


def is_recording(path, wanted=0):
    """Closed in good order, with so many samples at least."""
    try:
        kinds = count_path(path)
        main = read(os.path.join(path, "data") if os.path.isdir(path) else path)
        closed = Layout(main).stream or int.from_bytes(main[48:56], "little") > 0
    except (Broken, OSError):
        return False
    return closed and kinds[SAMPLE] + kinds[STAT] >= wanted


def is_json(path, wanted):
    try:
        with open(path, encoding="utf-8") as file:
            return len(json.load(file)["samples"]) >= wanted
    except (OSError, ValueError, KeyError):
        return False


def is_archive(path, _):
    return subprocess.run(["tar", "tf", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def is_text_of_stat(path, _):
    return b"seconds time elapsed" in read(path)


class Writer:
    """A command, how one sees that its output is whole, and whether it was asked to replace a file of any kind."""

    def __init__(self, name, arguments, whole, reads=False, to_stdout=False, replaces=False):
        self.name, self.arguments, self.whole, self.reads, self.to_stdout = name, arguments, whole, reads, to_stdout
        self.replaces = replaces


def writers(case, source, out):
    """Of a file called out, from the recording source."""
    work = ["--", *case.lab.workload(0.05)]
    record = ["record", "-N", "-e", "cpu-clock", "-F", "2000"]
    return [
        Writer("record", [*record, "-g", "-o", out, *work], is_recording),
        Writer("record -z", [*record, "-z", "-o", out, *work], is_recording),
        Writer("record --threads", [*record, "--threads", "-o", out, *work], is_recording),
        Writer("record -o -", [*record, "-g", "-o", "-", *work], is_recording, to_stdout=True),
        Writer("stat record", ["stat", "record", "-e", "task-clock", "-I", "10", "-o", out, *work], is_recording),
        Writer("stat -o", ["stat", "-e", "task-clock", "-o", out, *work], is_text_of_stat, replaces=True),
        Writer("inject", ["inject", "-b", "-i", source, "-o", out], is_recording, reads=True),
        Writer("convert", ["data", "convert", "--force", "-i", source, "--to-json=" + out], is_json, reads=True,
               replaces=True),
    ]


def disk_case(case):
    own_mounts()
    rng = case.rng
    recording = rng.choice([one for one in case.lab.recordings if not one.is_stat])
    danger = rng.choice((full_disk, full_disk, full_stdout, small_limit))
    danger(case, rng, recording)


def full_disk(case, rng, recording):
    """The output and what is made beside it go to a small tmpfs; the older one stays until there is a new one."""
    room, size = case.at("full"), rng.choice((4, 8, 16, 32, 64))
    os.mkdir(room)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", room], check=True)
    try:
        output_in_danger(case, rng, recording, room, f"a disk of {size} KB", {})
    finally:
        subprocess.run(["umount", "-l", room], check=True)


def small_limit(case, rng, recording):
    room, limit = case.at("limited"), rng.choice((0, 1, 100, 4096, 20000))
    os.mkdir(room)
    how = {"file_limit": limit, "ignore": (signal.SIGXFSZ,)} if rng.random() < 0.5 else \
        {"file_limit": limit, "expect": (signal.SIGXFSZ,)}
    output_in_danger(case, rng, recording, room, f"files of {limit} bytes at most", how)


def output_in_danger(case, rng, recording, room, danger, how):
    out, older = os.path.join(room, "out"), b""
    writer = rng.choice(writers(case, recording.path, out))
    if not writer.to_stdout and rng.random() < 0.5:
        older = read(case.lab.small)
        try:
            write(out, older)
        except OSError:
            os.unlink(out)
            older = b""
    case.note(f"{writer.name} of {recording.name}: {danger}{', an older one there' if older else ''}")
    run = case.perf(writer.arguments, stdout=out if writer.to_stdout else None, **how)
    whole = os.path.lexists(out) and writer.whole(out, recording.samples if writer.reads else 0)
    # The workload of a recorder has its own status.
    if run.status == 0 and not run.said.strip("\n ") and not whole:
        case.fault("silent", f"{writer.name}: its output is not whole, no word")
    if run.status == 0 and not whole and writer.reads:
        case.fault("silent", f"{writer.name}: its output is not whole, status 0")
    if older and not whole and older not in files_in(room):
        case.fault("destroyed", f"{writer.name}: the older output is gone and there is no new one")


def files_in(folder):
    return [read(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names]


def full_stdout(case, rng, recording):
    command = rng.choice(("report --stdio", "script", "script -D", "report -D", "evlist -v", "buildid-list",
                          "report --header-only", "report --stats", "inject", "stat -o /dev/full"))
    arguments = command.split()
    arguments += ["--", "true"] if arguments[0] == "stat" else ["-i", recording.path]
    case.note(f"{command} of {recording.name} to /dev/full")
    run = case.perf(arguments, stdout="/dev/full" if arguments[0] != "stat" else None)
    if run.status == 0 and not run.said.strip():
        case.fault("silent", f"{command}: nothing could be written, status 0, no word")


# ---- foreign ----


def foreign_case(case):
    own_mounts()
    rng = case.rng
    recording = rng.choice([one for one in case.lab.recordings if not one.is_stat])
    room = case.at("room")
    os.mkdir(room)
    out, source = os.path.join(room, "out"), os.path.join(room, "input.data")
    subprocess.run(["cp", "-r", recording.path, source], check=True)
    planted = rng.choice((another_file, another_file, another_link, another_fifo, own_folder, own_text, the_input))
    said, only = planted(rng, room, out, source)
    owner = rng.choice((("ours", 0, 0o755), ("ours, for all", 0, 0o1777), ("the other's", STRANGER, 0o755)))
    os.chown(room, owner[1], -1)
    os.chmod(room, owner[2])
    choice = [one for one in writers(case, source, out) if not one.to_stdout and (not only or one.name in only)]
    writer = rng.choice(choice)
    if rng.random() < 0.1 and writer.name not in ("convert",):
        writer.arguments[writer.arguments.index(out)] = out + "/"
    case.note(f"{writer.name} of {recording.name}: {said}, in a folder that is {owner[0]}")
    before, replaced = things_in(room), os.lstat(out).st_ino if os.path.isfile(out) and not os.path.islink(out) else None
    case.perf(writer.arguments)
    after = things_in(room)
    # A new file, complete, may take the place of the old one if that was asked for; no other's is written into.
    if writer.replaces and planted is another_file and replaced not in after and writer.whole(out, 0):
        del before[replaced]
    for inode, thing in before.items():
        if after.get(inode) != thing:
            case.fault("destroyed", f"{writer.name}: {thing[0]} is {'changed' if inode in after else 'gone'}")


RECORDERS = ("record", "record -z", "record --threads", "stat record", "inject")


def another_file(rng, room, out, source):
    write(out, rng.choice((b"", b"precious\n", read_main(source))))
    os.chown(out, STRANGER, -1)
    os.chmod(out, rng.choice((0o600, 0o644, 0o666)))
    return f"a file of another user with {os.path.getsize(out)} bytes", ()


def another_link(rng, room, out, source):
    target = os.path.join(room, "target")
    if rng.random() < 0.7:
        write(target, rng.choice((b"", b"precious\n")))
    os.symlink("target", out)
    os.chown(out, STRANGER, -1, follow_symlinks=False)
    return "a link of another user", ()


def another_fifo(rng, room, out, source):
    os.mkfifo(out, 0o666)
    os.chown(out, STRANGER, -1)
    os.chmod(out, 0o666)
    return "a FIFO of another user", ()


def own_folder(rng, room, out, source):
    """Not a recording, whatever it holds; perhaps there is such a one under .old, too."""
    at = rng.choice((out, out + ".old"))
    os.mkdir(at)
    for name in rng.sample(("data", "data.0", "data.77", ".old", "notes"), rng.randrange(0, 4)):
        write(os.path.join(at, name), b"precious\n")
    if at == out:
        return "a folder of the user's", ()
    if not os.listdir(at):
        write(os.path.join(at, "notes"), b"precious\n")
    subprocess.run(["cp", "-r", source, out], check=True)
    return "a recording, and a folder of the user's called .old", RECORDERS


def own_text(rng, room, out, source):
    write(out, b"precious\n")
    return "a text of the user's", RECORDERS


def the_input(rng, room, out, source):
    at = os.path.join(source, "data") if os.path.isdir(source) else source
    if os.path.isdir(source) and rng.random() < 0.5:
        os.symlink(source, out)
        return "a link to the folder that is read", ("inject", "convert")
    if rng.random() < 0.5:
        os.link(at, out)
        return "a hard link to what is read", ("inject", "convert")
    os.symlink(at, out)
    return "a link to what is read", ("inject", "convert")


def read_main(path):
    return read(os.path.join(path, "data") if os.path.isdir(path) else path)


def things_in(room):
    """By inode, with what must stay as it is, wherever it is moved to."""
    found = {}
    for at, folders, names in os.walk(room):
        for name in folders + names:
            path = os.path.join(at, name)
            info = os.lstat(path)
            content = None
            if stat.S_ISREG(info.st_mode):
                content = read(path)
            elif stat.S_ISLNK(info.st_mode):
                content = os.readlink(path)
            found[info.st_ino] = (os.path.relpath(path, room) if at != room else "what was " + kind_of(info.st_mode),
                                  stat.S_IFMT(info.st_mode), info.st_uid, content)
    return found


def kind_of(mode):
    return {stat.S_IFREG: "a file", stat.S_IFLNK: "a link", stat.S_IFIFO: "a FIFO", stat.S_IFDIR: "a folder"}.get(
        stat.S_IFMT(mode), "a device")


# ---- a place of one's own for mounts ----

CLONE_NEWNS = 0x20000
mounts_are_own = False


def own_mounts():
    """As `unshare -m`, once in each process."""
    global mounts_are_own
    if mounts_are_own:
        return
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "unshare")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    mounts_are_own = True


def why_not():
    """Why this process cannot have that, or nothing."""
    if os.geteuid() != 0:
        return "needs root"
    tried = subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL, check=False)
    return "" if tried.returncode == 0 else "unshare -m is refused"
