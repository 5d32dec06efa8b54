#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A packed recording (record -z) cut in many places: no sample of the packed blocks that end before
the cut is lost, and what is lost is said. The truth comes from libzstd itself, by ctypes.

    cut_packed.py PERF FILE LAST RANDOM [SEED]

cuts FILE, a file or stream of this byte order, at every LASTth byte of its last 4 KB and at RANDOM
other places. Prints what is wrong, then "N cuts, N wrong"; exit status 1 where something is.
"""
import bisect
import ctypes
import ctypes.util
import os
import random
import struct
import subprocess
import sys
import tempfile

SAMPLE, COMPRESSED, COMPRESSED2, TRACING_DATA = 9, 81, 83, 66


class Buffer(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t), ("pos", ctypes.c_size_t)]


class Unpacker:
    def __init__(self):
        self.lib = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
        self.lib.ZSTD_createDStream.restype = ctypes.c_void_p
        self.lib.ZSTD_decompressStream.restype = ctypes.c_size_t
        self.stream = ctypes.c_void_p(self.lib.ZSTD_createDStream())
        self.room = ctypes.create_string_buffer(1 << 20)

    def unpack(self, packed):
        source = ctypes.create_string_buffer(packed, len(packed))
        taken = Buffer(ctypes.addressof(source), len(packed), 0)
        result = b""
        while True:
            given = Buffer(ctypes.addressof(self.room), len(self.room), 0)
            code = self.lib.ZSTD_decompressStream(self.stream, ctypes.byref(given), ctypes.byref(taken))
            if code > 1 << 62:
                sys.exit("libzstd cannot unpack the whole file")
            result += self.room.raw[:given.pos]
            if taken.pos == taken.size and given.pos < len(self.room):
                return result


def samples_by_end(data):
    """Ends of records in the file, and how many samples were there up to each."""
    stream = struct.unpack_from("<Q", data, 8)[0] == 16
    at, size = (16, len(data) - 16) if stream else struct.unpack_from("<QQ", data, 40)
    end, ends, counts, nr, plain, unpacker = at + size, [0], [0], 0, b"", Unpacker()
    while at < end:
        kind, _, length = struct.unpack_from("<IHH", data, at)
        if kind in (COMPRESSED, COMPRESSED2):
            body = data[at + 8:at + length]
            if kind == COMPRESSED2:
                body = body[8:8 + struct.unpack_from("<Q", body)[0]]
            plain += unpacker.unpack(body)
            inner = 0
            while len(plain) - inner >= 8:
                kind, _, size = struct.unpack_from("<IHH", plain, inner)
                if size > len(plain) - inner:
                    break
                nr += kind == SAMPLE
                inner += size
            plain = plain[inner:]
        else:
            nr += kind == SAMPLE
            if kind == TRACING_DATA:
                length += (struct.unpack_from("<I", data, at + 8)[0] + 7) & ~7
        at += length
        ends.append(at)
        counts.append(nr)
    return ends, counts


def main():
    perf, path, last, others = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    random.seed(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    data = open(path, "rb").read()
    ends, counts = samples_by_end(data)
    stream = struct.unpack_from("<Q", data, 8)[0] == 16
    cuts = list(range(max(len(data) - 4096, 1), len(data), last))
    cuts += [random.randrange(ends[1], len(data)) for _ in range(others)]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "cut.data")
        for cut in cuts:
            with open(name, "wb") as out:
                out.write(data[:cut])
            run = subprocess.run([perf, "script", "-F", "tid", "-i", name], capture_output=True, text=True)
            read, least = len(run.stdout.splitlines()), counts[bisect.bisect_right(ends, cut) - 1]
            # Where a stream is cut between two records is the business of its end, not of its packing.
            between = stream and cut in ends
            unsaid = read < counts[-1] and not run.stderr and not between
            if read < least or read > counts[-1] or unsaid or run.returncode not in (0, 255):
                wrong += 1
                if wrong < 10:
                    print(f"cut at {cut} of {len(data)}: status {run.returncode}, {read} samples of at least "
                          f"{least}{', and nothing was said' if unsaid else ''}")
    print(f"{len(cuts)} cuts, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
