#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""stretch.py OUT.data [FACTOR [PERIOD]] < IN.data: a recording of fields.py ("memory", "plain") whose samples are FACTOR
(1000) times further apart in time, so that they fill many slices of 100 ms; of "plain" with that period."""
import struct
import sys

data = bytearray(sys.stdin.buffer.read())
factor = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
at, size = struct.unpack_from("<QQ", data, 40)
end, first = at + size, None
while at < end:
    kind, _, size = struct.unpack_from("<IHH", data, at)
    if kind == 9:  # identifier, ip, pid and tid, time
        time, = struct.unpack_from("<Q", data, at + 32)
        first = time if first is None else first
        struct.pack_into("<Q", data, at + 32, first + (time - first) * factor)
        if len(sys.argv) > 3:
            struct.pack_into("<Q", data, at + 48, int(sys.argv[3]))
    at += size
open(sys.argv[1], "wb").write(data)
