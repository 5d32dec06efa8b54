#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""stretch.py OUT.data [FACTOR [PERIOD]] < IN.data: a recording of fields.py ("memory", "plain") whose samples are FACTOR
(1000) times further apart in time, so that they fill many slices of 100 ms; of "plain" with that period."""
import struct
import sys

from records import records

data = bytearray(sys.stdin.buffer.read())
factor = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
first = None
for kind, at, _ in records(data):
    if kind == 9:  # identifier, ip, pid and tid, time
        time, = struct.unpack_from("<Q", data, at + 32)
        first = time if first is None else first
        struct.pack_into("<Q", data, at + 32, first + (time - first) * factor)
        if len(sys.argv) > 3:
            struct.pack_into("<Q", data, at + 48, int(sys.argv[3]))
open(sys.argv[1], "wb").write(data)
