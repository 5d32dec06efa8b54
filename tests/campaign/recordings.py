# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings: small ones of each form, and what is in them by a walk that shares no code with perf.

The layout is that of Documentation/perf.data-file-format.txt. The walk knows no mercy: where records
do not follow each other up to the end, Broken is raised, and whoever reads such a file must say so.
"""

import collections
import ctypes
import glob
import os
import struct

SAMPLE, STAT = 9, 76
TRACING_DATA, AUXTRACE, COMPRESSED, COMPRESSED2 = 66, 71, 81, 83
KNOWN = set(range(1, 23)) | set(range(64, 84))


class Broken(Exception):
    """The bytes are no row of whole records."""


class Layout:
    """Where the data of a file lies; `stream`: as `record -o -` writes it; `part`: of a folder."""

    def __init__(self, data, part=False):
        self.order, self.stream, self.start, self.end = "<", False, 0, len(data)
        if part:
            return
        if len(data) < 16 or data[:8] not in (b"PERFILE2", b"2ELIFREP"):
            raise Broken("no magic")
        self.order = "<" if data[:8] == b"PERFILE2" else ">"
        size = struct.unpack_from(self.order + "Q", data, 8)[0]
        self.stream = size == 16
        if self.stream:
            self.start = 16
            return
        if len(data) < 72:
            raise Broken("no header")
        self.start, length = struct.unpack_from(self.order + "QQ", data, 40)
        if length:
            self.end = self.start + length
        if self.start < 72 or self.end > len(data):
            raise Broken("the data is not inside of the file")


def records(data, start, end, order):
    """(type, offset, size with what follows it) of each record."""
    while start < end:
        if end - start < 8:
            raise Broken("half a record")
        kind, _, size = struct.unpack_from(order + "IHH", data, start)
        whole = size
        if kind in (TRACING_DATA, AUXTRACE) and size >= 16:
            more = struct.unpack_from(order + ("I" if kind == TRACING_DATA else "Q"), data, start + 8)[0]
            whole += (more + 7) // 8 * 8
        if size < 8 or start + whole > end or kind not in KNOWN:
            raise Broken(f"no record at {start}")
        yield kind, start, whole
        start += whole


class Unpacker:
    """One zstd stream, by libzstd."""

    class Buffer(ctypes.Structure):
        _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t), ("pos", ctypes.c_size_t)]

    try:
        zstd = ctypes.CDLL("libzstd.so.1")
        zstd.ZSTD_createDStream.restype = ctypes.c_void_p
        zstd.ZSTD_decompressStream.restype = ctypes.c_size_t
        zstd.ZSTD_decompressStream.argtypes = [ctypes.c_void_p] * 3
        zstd.ZSTD_freeDStream.argtypes = [ctypes.c_void_p]
        zstd.ZSTD_isError.argtypes = [ctypes.c_size_t]
    except OSError:
        zstd = None

    def __init__(self):
        self.stream = self.zstd.ZSTD_createDStream()

    def __del__(self):
        self.zstd.ZSTD_freeDStream(self.stream)

    def unpack(self, packed):
        source = ctypes.create_string_buffer(packed, len(packed))
        room = ctypes.create_string_buffer(1 << 17)
        given = self.Buffer(ctypes.addressof(source), len(packed), 0)
        text = b""
        while True:
            got = self.Buffer(ctypes.addressof(room), len(room), 0)
            if self.zstd.ZSTD_isError(self.zstd.ZSTD_decompressStream(
                    self.stream, ctypes.byref(got), ctypes.byref(given))):
                raise Broken("not zstd")
            text += room.raw[:got.pos]
            if given.pos == given.size and got.pos < got.size:
                return text


def count(data, part=False):
    """How many records of each type there are, packed ones too."""
    layout = Layout(data, part)
    order, kinds, plain, unpacker = layout.order, collections.Counter(), b"", None
    for kind, at, size in records(data, layout.start, layout.end, order):
        kinds[kind] += 1
        if kind in (COMPRESSED, COMPRESSED2):
            unpacker = unpacker or Unpacker()
            body = data[at + 8:at + size]
            if kind == COMPRESSED2:
                length = struct.unpack_from(order + "Q", body)[0]
                body = body[8:8 + length]
            plain += unpacker.unpack(body)
    for kind, _, _ in records(plain, 0, len(plain), order):
        kinds[kind] += 1
    return kinds


def count_path(path):
    """The same of a file or a folder."""
    if not os.path.isdir(path):
        return count(read(path))
    kinds = count(read(os.path.join(path, "data")))
    for part in parts(path):
        kinds += count(read(part), part=True)
    return kinds


def borders(data, part=False):
    """The offsets at which records begin."""
    layout = Layout(data, part)
    return [at for _, at, _ in records(data, layout.start, layout.end, layout.order)]


def parts(folder):
    return sorted(glob.glob(os.path.join(folder, "data.*")))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


class Recording:
    """What is known about one: `said` is what each command says on stderr when it is whole."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        self.folder = os.path.isdir(path)
        kinds = count_path(path)
        self.samples, self.counts = kinds[SAMPLE], kinds[STAT]
        self.is_stat = self.counts > 0
        self.stream = not self.folder and Layout(read(path)).stream
        self.lines, self.said = {}, {}


CLOCK = ["-e", "cpu-clock", "-F", "500"]
FORMS = {  # name: arguments of perf, whether it writes to stdout
    "plain.data": (["record", *CLOCK], False),
    "chains.data": (["record", *CLOCK, "-g"], False),
    "events.data": (["record", "-e", "cpu-clock,page-faults", "-F", "300", "-d", "-T"], False),
    "packed.data": (["record", *CLOCK, "-g", "-z"], False),
    "dwarf.data": (["record", "-e", "cpu-clock", "-F", "100", "--call-graph", "dwarf,1024"], False),
    "trace.data": (["record", "-e", "sched:sched_switch"], False),
    "stream.data": (["record", *CLOCK, "-g"], True),
    "packed-stream.data": (["record", *CLOCK, "-g", "-z"], True),
    "folder.data": (["record", *CLOCK, "-g", "--threads"], False),
    "packed-folder.data": (["record", *CLOCK, "-z", "--threads"], False),
    "stat.data": (["stat", "record", "-e", "task-clock,page-faults", "-I", "20"], False),
}


def make(perf, workload, folder, foreign):
    """Those that are not there yet, and what cannot be recorded here by name and reason. `foreign`:
    recordings of other machines."""
    lacking = {}
    for name, (arguments, to_stdout) in FORMS.items():
        path = os.path.join(folder, name)
        if "-z" in arguments and not Unpacker.zstd:
            lacking[name] = "libzstd is not installed"
            continue
        if os.path.exists(path):
            continue
        beside = os.path.join(folder, "new." + name)
        cache = [] if arguments[0] == "stat" else ["-N"]
        command = [*arguments, *cache, "-o", "-" if to_stdout else beside, "--", *workload]
        run = perf(command, stdout=beside if to_stdout else os.devnull)
        if run.status == 0 and os.path.exists(beside):
            os.rename(beside, path)
        else:
            lacking[name] = (run.said.strip().splitlines() or ["no word"])[0]
    found = [path for path in sorted(glob.glob(os.path.join(folder, "*.data"))) if "/new." not in path]
    return [Recording(path) for path in found + foreign], lacking
