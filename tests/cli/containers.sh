#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that see other files than perf does: in a container (a mount namespace of its own) and in a
# chroot. The same path is another file there, and each must get its own names.
. "$(dirname "$0")/../lib.sh"
plan 12

[ "$(id -u)" -eq 0 ] || skip_all "needs root for mount namespaces"
unshare --mount true 2> /dev/null || skip_all "no mount namespaces here"

# burn FUNCTION: a static program that spends its time in FUNCTION, says that it runs, and ends on
# its own if nobody ends it.
burn() {
	cat > "$1.c" <<- END
		#include <unistd.h>
		volatile unsigned long sink;
		__attribute__((noinline)) void $1(void) { for (int i = 0; i < 1 << 20; i++) sink += i; }
		int main(void) { alarm(60); write(1, "r", 1); for (;;) $1(); }
	END
	gcc -O1 -static -Wl,--build-id -o "$2" "$1.c" || skip_all "no static libc"
}
mkdir outside inside
burn burn_outside outside/prog
burn burn_inside inside/prog
PROG=$PWD/outside/prog

# start COMMAND...: in the background; waits until the program runs.
start() {
	mkfifo started
	"$@" > started &
	CHILDREN="$CHILDREN $!"
	STARTED=$!
	head -c 1 started > /dev/null
	rm started
}
stop() {
	{ kill -KILL "$1" && wait "$1"; } 2> /dev/null
}

step "the same path in and outside of a container: each gets its own names"
start "$PROG"
OUTSIDE=$STARTED
start unshare --mount sh -c "mount --bind '$PWD/inside' '$PWD/outside' && exec '$PROG'"
INSIDE=$STARTED
perf record -F 1000 -o both.data -p "$OUTSIDE,$INSIDE" sleep 0.5
check [ "$rc" -eq 0 ]
perf report --stdio -i both.data --sort pid,sym
check grep -q "$OUTSIDE:prog .*burn_outside" out
check grep -q "$INSIDE:prog .*burn_inside" out
refute grep -q "$OUTSIDE:prog .*burn_inside" out
refute grep -q "$INSIDE:prog .*burn_outside" out

step "Linux's perf reads the same names from that file"
if REF=$(command -v /usr/bin/perf); then
	
	"$REF" report --stdio -i both.data --sort pid,sym > ref 2> /dev/null
	check grep -q "$OUTSIDE:prog .*burn_outside" ref
	check grep -q "$INSIDE:prog .*burn_inside" ref
else
	skip "Linux's perf is not here"
fi

step "names stay when the container is gone: they come from the build-id cache"
stop "$INSIDE"
perf report --stdio -i both.data --sort pid,sym
check grep -q "$INSIDE:prog .*burn_inside" out

step "without the cache a process that runs shows its own file"
start unshare --mount sh -c "mount --bind '$PWD/inside' '$PWD/outside' && exec '$PROG'"
INSIDE=$STARTED
perf record -N -F 1000 -o alive.data -p "$INSIDE" sleep 0.5
HOME=$SCRATCH/other perf report --stdio -i alive.data --sort sym
check grep -q "burn_inside" out
refute grep -q "burn_outside" out

step "stacks are unwound with a file that only the container has"
mkdir -p hidden
start unshare --mount sh -c "mount -t tmpfs none '$PWD/hidden' && cp inside/prog hidden/ && exec '$PWD/hidden/prog'"
HIDDEN=$STARTED
perf record -N -B -F 1000 --call-graph dwarf --unwind-live -o live.data -p "$HIDDEN" sleep 0.5
check [ "$rc" -eq 0 ]
perf record -N -B -F 1000 --call-graph dwarf -o later.data -p "$HIDDEN" sleep 0.5
for data in live later; do
	[ $data = later ] || stop "$HIDDEN"
	perf report --stack-health --json -i $data.data
	check python3 -c '
import json, sys
health = json.load(open("out"))
complete = health["stacks"] - health["not-complete"] - health["not-known"]
live = sys.argv[1] == "live"
assert health["stacks"] > 10 and (complete > 0.9 * health["stacks"]) == live, health' $data
done

step "a copy in a container is one line of buildid-list"
mkdir copy
cp outside/prog copy/prog
start unshare --mount sh -c "mount --bind '$PWD/copy' '$PWD/outside' && exec '$PROG'"
perf record -F 1000 -o copy.data -p "$OUTSIDE,$STARTED" sleep 0.5
stop "$STARTED"
check [ "$(grep -aoF "$PROG" copy.data | wc -l)" -gt 3 ] # two maps and two build-ids, at least
perf buildid-list -i copy.data
check [ "$(grep -c "^[0-9a-f]\{40\} $PROG\$" out)" -eq 1 ]
perf buildid-list -i both.data
check [ "$(grep -c " $PROG\$" out)" -eq 2 ]

step "one that has ended is not named from the file that is here now"
stop "$INSIDE"
HOME=$SCRATCH/other perf report --stdio -i alive.data --sort sym
refute grep -q "burn_" out

step "a program of a chroot is never named from our file of that path"
mkdir -p "root$PWD/outside"
cp inside/prog "root$PROG"
start chroot "$PWD/root" "$PROG"
perf record -F 1000 -o chroot.data -p "$STARTED" sleep 0.5
perf report --stdio -i chroot.data --sort sym
check grep -q "burn_inside" out
refute grep -q "burn_outside" out
stop "$STARTED"
perf report --stdio -i chroot.data --sort sym
check grep -q "burn_inside" out

step "without build-ids another inode under the path is refused, with the reason"
start "$PROG"
perf record -B -F 1000 -o plain.data -p "$STARTED" sleep 0.5
stop "$STARTED"
perf report --stdio -i plain.data --sort sym
check grep -q "burn_outside" out
cp inside/prog outside/new && mv outside/new outside/prog
perf report --stdio -i plain.data --sort sym
if [ "$(stat -c %Hd outside/prog)" -eq 0 ]; then
	skip "this file system tells other inodes than its maps"
else
	check grep -q "another inode" err
	refute grep -q "burn_" out
fi

step "without build-ids a program in a container is named while it runs"
burn burn_outside outside/prog
start unshare --mount sh -c "mount --bind '$PWD/inside' '$PWD/outside' && exec '$PROG'"
perf record -B -F 1000 -o plain.data -p "$STARTED" sleep 0.5
perf report --stdio -i plain.data --sort sym
check grep -q "burn_inside" out
stop "$STARTED"
perf report --stdio -i plain.data --sort sym
refute grep -q "burn_" out

step "perf-PID.map is looked for in the container, under its own pid"
if unshare --mount --pid --fork true 2> /dev/null; then
	cat > jit.py <<- 'END'
		import ctypes, mmap, os, sys
		code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
		code.write(b"\x48\xff\xc9\x75\xfb\xc3")  # dec rcx; jne; ret
		address = ctypes.addressof(ctypes.c_char.from_buffer(code))
		with open("/tmp/perf-%d.map" % os.getpid(), "w") as f:
		    f.write("%x 6 jit_spin\n" % address)
		call = ctypes.CFUNCTYPE(None, ctypes.c_long, ctypes.c_long, ctypes.c_long, ctypes.c_long)(address)
		os.write(1, b"r")
		for _ in range(2000):
		    call(0, 0, 0, 1 << 24)
	END
	[ "$(uname -m)" = x86_64 ] || skip "its machine code is x86"
	start unshare --mount --pid --fork --mount-proc sh -c \
		'mount -t tmpfs none /tmp; exec /usr/bin/python3 -c "$0"' "$(cat jit.py)"
	JIT=$(pgrep -P "$STARTED")
	perf record -F 1000 -o jit.data -p "$JIT" sleep 0.5
	perf report --stdio -i jit.data --sort sym
	check grep -q "jit_spin" out
	stop "$JIT"

	step "the same where the process shares our /tmp, and after that no more"
	# Its pid there shall not be one for which others have a map.
	start unshare --pid --fork sh -c 'for _ in $(seq "$1"); do (:); done; exec /usr/bin/python3 -c "$0"' \
		"$(sed 's/"w"/"x"/' jit.py)" $((200 + $$ % 500))
	JIT=$(pgrep -P "$STARTED")
	MAP=/tmp/perf-$(awk '/^NStgid:/ { print $NF }' "/proc/$JIT/status").map
	check [ "$MAP" != "/tmp/perf-$JIT.map" ]
	perf record -F 1000 -o jit.data -p "$JIT" sleep 0.5
	perf report --stdio -i jit.data --sort sym
	check grep -q "jit_spin" out
	stop "$JIT"
	rm -f "$MAP"
	perf report --stdio -i jit.data --sort sym
	refute grep -q "jit_spin" out
	check [ "$(grep -c "failed to open '/tmp/perf-$JIT.map'" err)" -eq 1 ]
else
	skip "no pid namespaces here"
fi

finish
