# SPDX-License-Identifier: GPL-2.0-or-later
# Recursion, sorting, JSON, regular expressions.
import json, re
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def work(k):
    a = sorted(((i * 7919 + k) % 10007 for i in range(6000)), key=lambda x: -x)
    b = json.loads(json.dumps({str(i): a[:50] for i in range(30)}))
    return len(re.sub(r"(\d)(\d)", r"\2\1", json.dumps(b))) + fib(15)
print(sum(work(i) for i in range(40)))
