#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record killed by SIGKILL at 200 random moments (fewer where the machine is so busy that they
# take longer than 50 seconds), and on disks that are full: each file is read, and every record that
# is whole in it.
. "$(dirname "$0")/../lib.sh"
plan 3

need_events || finish

forms="plain threads switched"
"$PERF" record -z -e dummy -o x.data true 2>&1 | grep -q 'built without zstd' || forms="$forms packed"

step "killed at random moments: all that is whole is read"
cat > kills.py <<'KILLS'
import glob, os, random, shutil, signal, struct, subprocess, sys, time

PERF, WORKLOADS, FORMS = sys.argv[1], sys.argv[2], sys.argv[3].split()
OPTIONS = {"plain": [], "threads": ["--threads"], "switched": ["--switch-output=20K"], "packed": ["-z"]}
SAMPLE, COMPRESSED, HEADER = 9, 81, 104


def whole_records(blob, at):
    """How many records of each type are whole from there on."""
    count = {}
    while at + 8 <= len(blob):
        kind, _, size = struct.unpack_from("<IHH", blob, at)
        if size < 8 or at + size > len(blob):
            break
        count[kind] = count.get(kind, 0) + 1
        at += size
    return count


def expected(path):
    """Samples and compressed records in a recording; None: it was killed before its first byte."""
    inner = os.path.join(path, "data") if os.path.isdir(path) else path
    blob = open(inner, "rb").read() if os.path.exists(inner) else b""
    if len(blob) < HEADER:
        return None
    data, size = struct.unpack_from("<QQ", blob, 40)
    if len(blob) < data:
        return None
    count = whole_records(blob[: data + size] if size else blob, data)
    for name in os.listdir(path) if inner != path else []:
        if name != "data":
            part = whole_records(open(os.path.join(path, name), "rb").read(), 0)
            count[SAMPLE] = count.get(SAMPLE, 0) + part.get(SAMPLE, 0)
    return count.get(SAMPLE, 0), count.get(COMPRESSED, 0)


def check(path, what):
    want = expected(path)
    run = subprocess.run([PERF, "script", "-F", "comm,time", "-i", path], stdin=subprocess.DEVNULL,
                         capture_output=True)
    lines = run.stdout.count(b"\n")
    if want is None:
        return run.returncode == 255 and run.stderr.startswith(b"Error: ")
    samples, compressed = want
    good = run.returncode == 0 and (lines > 0 if compressed else lines == samples)
    if not good:
        print(f"{what}: {samples} samples, {compressed} packed; status {run.returncode}, {lines} lines:",
              run.stderr.decode()[:300])
    return good


def something(folder):
    """Has a file in there, or in a folder there, more than a header?"""
    return any(os.path.getsize(path) > 1000 for path in glob.glob(folder + "/**", recursive=True) if os.path.isfile(path))


random.seed(4711)
bad = nr = seen = 0
end = time.monotonic() + 50
while nr < 200 and time.monotonic() < end:
    form = FORMS[nr % len(FORMS)]
    os.mkdir("kill")
    child = subprocess.Popen([PERF, "record", *OPTIONS[form], "-e", "cpu-clock", "-F", "10000", "-m", "1",
                              "-g", "-o", "kill/x.data", os.path.join(WORKLOADS, "known"), "wait"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True)
    # Every second one of a form not before there is something, however busy the machine is.
    while nr // len(FORMS) % 2 and not something("kill") and child.poll() is None:
        time.sleep(0.005)
    delay = random.random() * 0.2
    time.sleep(delay)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    for name in os.listdir("kill"):
        path = os.path.join("kill", name)
        seen += bool(expected(path) or (0, 0))
        bad += not check(path, f"{form}, killed after {delay:.3f} s, {name}")
    shutil.rmtree("kill")
    nr += 1
print(f"{nr} kills, {seen} recordings, {bad} not read")
sys.exit(bad > 0 or seen < nr / 4)
KILLS
python3 kills.py "$PERF" "$WORKLOADS" "$forms" > kills.log
status=$?
sed 's/^/  # /' kills.log
check [ $status -eq 0 ]

step "killed, a recording has what happened up to then"
cat > newest.py <<'NEWEST'
"""
newest.py PERF WORKLOADS FORMS KILLS BOUND_MS: how old the newest kept sample is at the kill. Older by
so much as this machine lets others be late, ten times, as several recorders share it.
"""
import os, random, shutil, signal, struct, subprocess, sys, threading, time

PERF, WORKLOADS, FORMS, KILLS, BOUND = sys.argv[1], sys.argv[2], sys.argv[3].split(), int(sys.argv[4]), int(sys.argv[5])
OPTIONS = {
    "plain": [], "packed": ["-z"], "threads": ["--threads"], "switched": ["--switch-output=1s"], "system": ["-a"],
    "stream": [], "unwound": ["--call-graph", "dwarf", "--unwind-live"], "auto": ["--call-graph", "auto"],
}


def newest(form):
    """The time of the newest sample in a recording or the files of one, ns; 0: there is none."""
    last = 0
    for name in os.listdir(form):
        run = subprocess.run([PERF, "script", "--ns", "-F", "comm,time", "-i", os.path.join(form, name)],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True)
        for line in run.stdout.splitlines():
            if line.split()[0] == "stamps":
                seconds, ns = line.split()[1].rstrip(":").split(".")
                last = max(last, int(seconds) * 10**9 + int(ns))
    return last


def start(form, pid):
    os.mkdir(form)
    out = open("stream/x.data", "wb") if form == "stream" else subprocess.DEVNULL
    return subprocess.Popen([PERF, "record", "-q", "-F", "997", "-k", "CLOCK_MONOTONIC", "-e", "cpu-clock",
                             *OPTIONS[form], "-o", "-" if form == "stream" else form + "/x.data",
                             *([] if form == "system" else ["-p", str(pid)])],
                            stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)


class Late(threading.Thread):
    """How late somebody comes on this machine who wants to run every 20 ms."""

    def run(self):
        self.late, self.ended = 0, False
        while not self.ended:
            began = time.monotonic()
            time.sleep(0.02)
            self.late = max(self.late, time.monotonic() - began - 0.02)

    def end(self):
        self.ended = True
        self.join()
        return 1000 * self.late


random.seed(4711)
stamps = subprocess.Popen([os.path.join(WORKLOADS, "stamps"), "stamp"])
ages = {form: [] for form in FORMS}
for _ in range(KILLS):
    late = Late()
    late.start()
    recorders = {form: start(form, stamps.pid) for form in FORMS}
    for recorder in recorders.values():
        while "poll" not in open(f"/proc/{recorder.pid}/wchan").read() and recorder.poll() is None:
            time.sleep(0.02) # it begins still
    time.sleep(1.5 + random.random())
    ran = {}
    for form, recorder in recorders.items():
        ran[form] = struct.unpack("<Q", open("stamp", "rb").read(8))[0]
        recorder.kill()
        recorder.wait()
    late = late.end()
    for form in FORMS:
        ages[form].append((ran[form] - newest(form)) / 1e6 - 10 * late)
        shutil.rmtree(form)
stamps.kill()
stamps.wait()
for form in FORMS:
    print(f"{form}: {len(ages[form])} kills, the newest sample is at most {max(ages[form]):.0f} ms older than what is late here")
sys.exit(any(max(age) > BOUND for age in ages.values()))
NEWEST
[ "$forms" = "${forms#*packed}" ] && packed='' || packed=packed
python3 newest.py "$PERF" "$WORKLOADS" "plain $packed threads switched system stream" 3 2000 > newest.log
status=$?
sed 's/^/  # /' newest.log
check [ $status -eq 0 ]

step "a full disk: finished files stay, the last one ends at a whole record"
if need_root && mkdir small && mount -t tmpfs -o size=300k none small 2> mount.log; then
	umount_at_end=$PWD/small
	perf record --switch-output=40K -F 10000 -m 1 -e cpu-clock -g -o small/x.data "$WORKLOADS/planted" 3000
	check [ $rc -eq 255 ]
	check grep -q "No space left" err
	check [ "$(find small -name 'x.data.2*' | wc -l)" -ge 3 ]
	for file in small/x.data*; do
		perf report --header -i "$file"
		check [ $rc -eq 0 ]
		refute grep -qiE 'damage|properly terminated' err
	done
	refute grep -q 'disk full' <("$PERF" report --losses -i "$(find small -name 'x.data.2*' | sort | head -n 1)")
	for options in "" "--threads" "-a"; do
		rm -rf small/*
		# shellcheck disable=SC2086
		perf record $options -F 5000 -m 16 -e cpu-clock -e page-faults -g -o small/x.data "$WORKLOADS/planted" 3000
		check [ $rc -eq 255 ]
		perf report --losses -i small/x.data
		check grep -q ' disk full$' out
		check grep -q '^# disk full: ' out
		perf report --stats -i small/x.data
		check grep -q 'LOST_SAMPLES events:' out
		[ -n "$options" ] || [ ! -x "$REF" ] || check cmp <(grep ' events:' out) \
			<("$REF" report --stats -i small/x.data 2> /dev/null | grep ' events:')
	done
	# shellcheck disable=SC2034 # lib.sh looks at it
	umount small && umount_at_end=''
elif [ $state = ok ]; then
	skip "tmpfs cannot be mounted"
fi

finish
