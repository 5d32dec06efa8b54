#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What `perf report --confidence -s sym` must say of samples that are few and independent, from `perf script --ns -F
tid,time,event,period,ip,sym` on standard input: confidence.py EVENT. Wilson's intervals with as many samples as would be
worth the same with equal periods; ranks by the difference of two shares of a multinomial."""
import math
import sys

Z = 1.959963984540054
weights, squares, samples = {}, 0, 0
for line in sys.stdin:
    tid, time, period, event, address, symbol = line.split()
    if event.rstrip(":") != sys.argv[1]:
        continue
    weights[symbol] = weights.get(symbol, 0) + int(period)
    squares += int(period) ** 2
    samples += 1
total = sum(weights.values())
nr = total * total / squares


def apart(a, b):
    p, q = weights[a] / total, weights[b] / total
    least = Z * math.sqrt((p + q - (p - q) ** 2) / nr)
    return abs(p - q) > least, samples * (least / (p - q)) ** 2


order = sorted(weights, key=weights.get, reverse=True)
leader, rank, needed = None, 0, 0
for place, symbol in enumerate(order, 1):
    if leader is None or apart(leader, symbol)[0]:
        leader, rank = symbol, place
    p = weights[symbol] / total
    scale = 1 + Z * Z / nr
    middle, half = (p + Z * Z / (2 * nr)) / scale, Z / scale * math.sqrt(p * (1 - p) / nr + Z * Z / (4 * nr * nr))
    print("%.2f-%.2f%% %d %s" % (100 * (middle - half), 100 * (middle + half), rank, symbol))
for a, b in zip(order[:10], order[1:10]):
    needed = max(needed, apart(a, b)[1])
print("more %d" % math.ceil(needed - samples))
