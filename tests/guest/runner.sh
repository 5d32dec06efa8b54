#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What run.sh and fetch.sh do when a guest or this machine misbehaves: each has one clear line.
. "$(dirname "$0")/arch.sh" # while HOME is the user's: where the cache is
export PERF_GUEST_CACHE=$cache PERF_GUEST_FETCH=no
. "$(dirname "$0")/../lib.sh"
plan 10
export PERF_GUEST_BUILD_AMD64=${PERF%/*}
RUN=$TESTS/guest/run.sh
"$RUN" amd64 true > out 2> err || skip_all "$(tail -n 1 out)"

# guest NAME WORDS...: runs a test that does what standard input says; what it said is in `out`
guest() {
	mkdir -p amd64
	{
		echo "# guest: ${*:2}"
		cat
	} > "amd64/$1.sh"
	"$RUN" "amd64/$1.sh" > out 2> err
	rc=$?
}

# The last line, and nothing that a terminal would obey.
says() {
	check grep -qE "$1" <(tail -n 1 out)
	refute grep -qP '[^\x20-\x7e\t]' out
	refute grep -qP '[^\x20-\x7e\t]' err
}

step "a guest that hangs"
guest hang limit=20 <<< 'sleep 1000'
check [ $rc -eq 1 ]
says '^not ok - the amd64 guest did not finish: time limit of 20 s$'

step "a guest whose kernel panics"
guest panic <<< 'echo c > /proc/sysrq-trigger'
check [ $rc -eq 1 ]
says '^not ok - the amd64 guest did not finish: Kernel panic'

step "garbage on the console: the result is not lost, the terminal not touched"
guest console <<'G'
head -c 20000 /dev/urandom > /dev/ttyS0
printf '\033[2J\007RC 9\n' > /dev/ttyS0
echo done
exit 3
G
check [ $rc -eq 3 ]
says '^done$'
GUEST_VERBOSE=1 guest console <<< 'printf "\033[31mred\033[0m\n" > /dev/console'
check [ $rc -eq 0 ]
check grep -q 'console: .*red' err
refute grep -qP '[^\x20-\x7e\t]' err

step "garbage where the result should be"
guest result <<< 'head -c 1000 /dev/urandom > /dev/ttyS3; echo > /dev/ttyS3'
check [ $rc -eq 1 ]
says '^not ok - the (amd64 guest did not finish|files of the amd64 guest did not come back whole)'

step "two at once"
"$RUN" amd64 sh -c 'echo one; sleep 2' > one 2>&1 &
"$RUN" amd64 sh -c 'echo two; sleep 2' > two 2>&1
check [ $? -eq 0 ]
wait $!
check [ $? -eq 0 ]
check [ "$(cat one two | tr '\n' ' ')" = "one two " ]

step "QEMU is not there"
mkdir bin
cp -s /usr/bin/* bin/ 2> /dev/null # not folders
rm -f bin/qemu-system-*
PATH=$PWD/bin "$RUN" amd64 true > out 2> err
check [ $? -eq 77 ]
check [ "$(tail -n 1 out)" = "qemu-system-x86_64 is not installed" ]

step "the guest was never fetched, and shall not be"
PERF_GUEST_CACHE=$PWD/none "$RUN" amd64 true > out 2> err
check [ $? -eq 77 ]
check grep -q "^the amd64 guest is not in '$PWD/none' (tests/guest/fetch.sh amd64)$" out

step "no room for what goes in"
if need_root && unshare --mount true 2> /dev/null; then
	mkdir small
	unshare --mount sh -c "mount -t tmpfs -o size=1m small small && TMPDIR=$PWD/small '$RUN' amd64 true" > out 2> err
	check [ $? -ne 0 ]
	check grep -q "cannot write to '$PWD/small" out err
else
	skip "needs root for a small disk"
fi

step "a full cache disk"
if need_root && unshare --mount true 2> /dev/null; then
	unshare --mount sh -c "mount -t tmpfs -o size=2m small small &&
		PERF_GUEST_CACHE=$PWD/small PERF_GUEST_FETCH_LIMIT=60 '$TESTS/guest/fetch.sh' amd64" > out 2> err
	check [ $? -eq 77 ]
	check grep -q "^the disk of '$PWD/small' is full (PERF_GUEST_CACHE names another folder)$" out
	check [ -z "$(ls small)" ]
else
	skip "needs root for a small disk"
fi

step "as an ordinary user"
if need_root && unshare --mount true 2> /dev/null; then
	chmod 711 "$SCRATCH" "$SCRATCH/dir"
	mkdir -p tree/tests tree/build cache && cp -r "$TESTS/guest" "$TESTS/steps.sh" tree/tests/ &&
		cp -r "$SRC/packages" "$SRC/events" tree/ && cp "$PERF" tree/build/
	unshare --mount sh -c "mount --bind '$cache' cache && exec setpriv --reuid 65534 --regid 65534 --clear-groups \
		env HOME=/ PERF_GUEST_CACHE=$PWD/cache PERF_GUEST_BUILD_AMD64=$PWD/tree/build \
		$PWD/tree/tests/guest/run.sh amd64 perf stat true" > out 2> err
	check [ $? -eq 0 ]
	check grep -q 'elapsed' err
else
	skip "needs root to become an ordinary user"
fi
finish
