# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds `damage` and `folder`: copies of recordings with something wrong in them.

What a reader must show or excuse: where our own walk finds no row of whole records in the damaged copy
any more, all samples that were there. Where it still finds one, as many as are there: a sample whose type
became another one's, or that was cut out between two others, can be missed by nobody. A cut and a wrong
header are no such excuse: a recording says where it ends."""

import os
import shutil
import struct

from reading import read_all
from recordings import SAMPLE, STAT, Broken, Layout, borders, count_path, parts, read, write

WORDS = (0, 1, 2, 7, 8, 9, 63, 64, 255, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 40,
         (1 << 63) - 1, 1 << 63, (1 << 64) - 8, (1 << 64) - 1)


def offset_in(rng, data):
    """Often in the header and its attrs, where a byte means more."""
    return rng.randrange(min(512, len(data)) if rng.random() < 0.3 else len(data))


def span(rng, data):
    """Of bytes, or of whole records."""
    marks = safe_borders(data)
    if len(marks) > 2 and rng.random() < 0.5:
        first = rng.randrange(len(marks) - 1)
        last = min(len(marks) - 1, first + 1 + int(rng.expovariate(0.2)))
        return marks[first], marks[last]
    at = offset_in(rng, data)
    return at, min(len(data), at + rng.choice((1, 8, 64, 512, 4096)))


def safe_borders(data, part=False):
    try:
        return borders(data, part)
    except Broken:
        return []


def word(rng, data, size):
    value = rng.choice((*WORDS, len(data), len(data) - 8, len(data) + 8, rng.getrandbits(64)))
    return struct.pack("<Q", value)[:size]


def flip(rng, data):
    offsets = [offset_in(rng, data) for _ in range(rng.choice((1, 1, 2, 8)))]
    for at in offsets:
        data[at] ^= rng.randrange(1, 256)
    return f"bytes flipped at {offsets}"


def set_words(rng, data):
    offsets = []
    for _ in range(rng.choice((1, 1, 3))):
        size = rng.choice((2, 4, 8))
        at = offset_in(rng, data) // size * size
        data[at:at + size] = word(rng, data, size)[:len(data) - at]
        offsets.append((at, size))
    return f"words set at {offsets}"


def fill(rng, data):
    first, last = span(rng, data)
    noise = rng.random() < 0.3
    data[first:last] = rng.randbytes(last - first) if noise else bytes(last - first)
    return f"{'noise' if noise else 'zeros'} from {first} to {last}"


def repeat(rng, data):
    first, last = span(rng, data)
    data[last:last] = data[first:last]
    return f"{first} to {last} twice"


def remove(rng, data):
    first, last = span(rng, data)
    del data[first:last]
    return f"{first} to {last} removed"


def cut_at_byte(rng, data):
    at = len(data) - 1 - int(rng.expovariate(0.01)) if rng.random() < 0.5 else rng.randrange(len(data))
    del data[max(at, 0):]
    return f"cut at byte {max(at, 0)}"


def cut_at_record(rng, data):
    marks = safe_borders(data)
    at = rng.choice(marks) if marks else 0
    del data[at:]
    return f"cut at the record at {at}"


def header(rng, data):
    at = rng.choice((8, 16, 24, 32, 40, 48, 72, 80))
    data[at:at + 8] = word(rng, data, 8)
    return f"header: {bytes(data[at:at + 8]).hex()} at {at}"


def feature_offset(rng, data):
    """An offset or a size in the table of features, which stands where the data ends."""
    at = Layout(data).end + 8 * rng.randrange(40)
    data[at:at + 8] = word(rng, data, 8)[:max(0, len(data) - at)]
    return f"features: 8 bytes at {at}"


def record_header(rng, data):
    at = rng.choice(safe_borders(data) or [0])
    offset, size = rng.choice(((0, 4), (4, 2), (6, 2)))
    data[at + offset:at + offset + size] = word(rng, data, size)
    return f"header of the record at {at}: {size} bytes at {offset}"


DAMAGES = (flip, flip, set_words, set_words, fill, repeat, remove, cut_at_byte, cut_at_record, header, feature_offset,
           record_header)


def damage_case(case):
    rng = case.rng
    recording = rng.choice([one for one in case.lab.recordings if not one.folder])
    whole = read(recording.path)
    data, damage = bytearray(whole), rng.choice(DAMAGES)
    case.note(f"{recording.name}: {damage.__name__}: {damage(rng, data)}")
    path = case.at("input.data")
    write(path, data)
    told = data[:Layout(whole).start] != whole[:Layout(whole).start] or damage in (cut_at_byte, cut_at_record)
    through_pipe = recording.stream and rng.random() < 0.5
    want = wanted(recording, path, told)
    if damage not in (cut_at_byte, cut_at_record):
        want["lines"] = 0
    read_all(case, recording, "input.data", want, len(data), path if through_pipe else None)
    if read(path) != bytes(data):
        case.fault("destroyed", "the input was changed")


def wanted(recording, path, told):
    """For read_all(). Lists are asked for of cut files alone: a bit can take an entry of theirs away."""
    want = {"samples": recording.samples, "counts": recording.counts}
    if not told:
        try:
            kinds = count_path(path)
            want = {"samples": min(want["samples"], kinds[SAMPLE]), "counts": min(want["counts"], kinds[STAT])}
        except (Broken, OSError):
            pass
    return want


# ---- folders ----


def any_part(rng, folder):
    return rng.choice(parts(folder))


def part_missing(rng, folder, others):
    path = any_part(rng, folder)
    os.unlink(path)
    return f"{os.path.basename(path)} is missing"


def part_empty(rng, folder, others):
    path = any_part(rng, folder)
    write(path, b"")
    return f"{os.path.basename(path)} is empty"


def part_cut(rng, folder, others):
    path = any_part(rng, folder)
    data = read(path)
    marks = safe_borders(data, part=True)
    at = rng.choice(marks) if marks and rng.random() < 0.6 else rng.randrange(len(data) + 1)
    write(path, data[:at])
    return f"{os.path.basename(path)} is cut at {at} of {len(data)}"


def part_renamed(rng, folder, others):
    path = any_part(rng, folder)
    name = rng.choice(("data.01", "data.2", "data.17", "data.4294967295", "data.99999999999999999999", "data.-1",
                       "data.bak", "data.0x0", "part.0"))
    os.rename(path, os.path.join(folder, name))
    return f"{os.path.basename(path)} is called {name}"


def parts_swapped(rng, folder, others):
    names = parts(folder)
    first, last = names[0], names[-1]
    os.rename(first, folder + ".swap")
    if last != first:
        os.rename(last, first)
    os.rename(folder + ".swap", last)
    return "the first part and the last are swapped"


def foreign_file(rng, folder, others):
    name = rng.choice(("README", "data.01", "data.2", "data.7", "data.old", ".data.0.swp", "data.1000000", "kcore_dir"))
    path = os.path.join(folder, name)
    what = rng.choice(("text", "noise", "folder", "link", "fifo", "copy"))
    if what == "folder":
        os.makedirs(path, exist_ok=True)
    elif os.path.lexists(path):
        return "nothing"
    elif what == "link":
        os.symlink(rng.choice(("data", "data.0", "nowhere", "/dev/zero", ".")), path)
    elif what == "fifo":
        os.mkfifo(path)
    else:
        write(path, {"text": b"not a recording\n", "noise": rng.randbytes(4096),
                     "copy": read(any_part(rng, folder))}[what])
    return f"a {what} called {name}"


def part_of_another(rng, folder, others):
    path, other = any_part(rng, folder), rng.choice(others)
    data = read(any_part(rng, other.path))
    # Another of just the same size would be as good a part as any: nothing could tell.
    write(path, data[:-8] if len(data) == os.path.getsize(path) else data)
    return f"{os.path.basename(path)} is that of {other.name}"


def head_damaged(rng, folder, others):
    path = os.path.join(folder, "data")
    data = bytearray(read(path))
    said = rng.choice((cut_at_byte, cut_at_record, header, flip, feature_offset))(rng, data)
    write(path, data)
    return f"data: {said}"


def head_missing(rng, folder, others):
    os.unlink(os.path.join(folder, "data"))
    return "data is missing"


def part_damaged(rng, folder, others):
    path = any_part(rng, folder)
    data = bytearray(read(path))
    said = rng.choice((flip, set_words))(rng, data) if data else "is empty"
    write(path, data)
    return f"{os.path.basename(path)}: {said}"


FOLDERS = (part_missing, part_empty, part_cut, part_cut, part_renamed, parts_swapped, foreign_file, foreign_file,
           part_of_another, head_damaged, head_missing, part_damaged)


def folder_case(case):
    rng = case.rng
    folders = [one for one in case.lab.recordings if one.folder]
    recording, path = rng.choice(folders), case.at("input.data")
    shutil.copytree(recording.path, path)
    damage = rng.choice(FOLDERS)
    case.note(f"{recording.name}: {damage.__name__}: {damage(rng, path, folders)}")
    want = wanted(recording, path, damage is not part_damaged)
    if damage in (head_damaged, part_damaged):
        want["lines"] = 0
    before = contents(path)
    read_all(case, recording, "input.data", want, sum(size for size in before.values() if size))
    if contents(path) != before:
        case.fault("destroyed", "the input was changed")


def contents(folder):
    found = {}
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        found[name] = os.path.getsize(path) if os.path.isfile(path) and not os.path.islink(path) else None
    return found
