# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the records of a perf.data file are: for tests that alter a few of them."""
import struct


def records(data):
    """(type, offset, size) of each record in the data section, in the order of the file."""
    at, size = struct.unpack_from("<QQ", data, 40)
    end = at + size
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        yield kind, at, size
        at += size
