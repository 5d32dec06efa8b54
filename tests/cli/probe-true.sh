#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a probe tells is what the program did: the right file is probed where another process sees
# another one under its path, values are those that the program printed or the kernel's own text
# has, and what cannot be true is said.
. "$(dirname "$0")/../lib.sh"
plan 1
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
need_uprobe_events || finish
own_probes
trace=$(tracefs)/trace

# ---- programs of other mount namespaces ----

# There `called` is at another place than here, in a file that here is another or none; so a probe by
# the one's addresses in the other counts nothing, or breaks it.
cat > box.c <<- 'END'
	#include <stdio.h>
	#ifdef INSIDE
	__attribute__((noinline)) int in_front(int n) { return printf("%d\n", n * 3 + 1) > 0; }
	#endif
	__attribute__((noinline)) int called(int n) { return printf("n=%d\n", n); }
	int main(int argc, char **argv)
	{
	#ifdef INSIDE
		argc += in_front(argc) - 1;
	#endif
		return called(argc + 40) < 0;
	}
END
hits() { # EVENT: counted by perf stat
	awk -v event="$1" '$2 == event { print $1 }' err
}

step "a program in a container: the file that the process sees is probed, not the one here"
if unshare --mount true 2> /dev/null; then
	mkdir inside outside
	gcc -g -O2 -DINSIDE -o "inside/${ME}_box" box.c
	gcc -g -O2 -o "outside/${ME}_box" box.c
	cp "inside/${ME}_box" inside/real
	ln -s "$PWD/outside/real" "inside/${ME}_link"
	unshare --mount sh -c "mount --bind '$PWD/inside' '$PWD/outside' && echo > ready && exec sleep 60" &
	child=$!
	CHILDREN="$CHILDREN $child"
	until_true [ -e ready ]
	box=$PWD/outside/${ME}_box
	perf probe --target-ns $child -x "$box" -a 'called n'
	check [ $rc -eq 0 ]
	check grep -q "^  probe_${ME}_box:called *(on called in $box with n)" err
	perf stat -e "probe_${ME}_box:called" nsenter -t $child -m "$box"
	check [ "$(hits "probe_${ME}_box:called")" = 1 ]
	perf stat -e "probe_${ME}_box:called" "$box"
	check [ $rc -eq 0 ]
	check [ "$(hits "probe_${ME}_box:called")" = 0 ]
	perf probe -l "probe_${ME}_box:*"
	check grep -q "^  probe_${ME}_box:called *(on called@.*box.c in /proc/$child/root$box with n)" out
	perf probe -d "probe_${ME}_box:called"
	check [ $rc -eq 0 ]
	check [ -z "$(mine)" ]
	perf probe --target-ns $child -x "$box" --try 'called n' -- nsenter -t $child -m "$box" word
	check grep -q "${ME}_box:called: ([0-9a-f]*) n=42" out
	check [ -z "$(mine)" ]
	# A file that only the process has, by an absolute link inside of its folders; as a path, too.
	perf probe --target-ns $child -x "$PWD/outside/${ME}_link" -a "${ME}:link=called n"
	check [ $rc -eq 0 ]
	perf probe -x "/proc/$child/root$PWD/outside/real" -a "${ME}:path=called n"
	check [ "$(mine | sed 's/^[^ ]* //' | sort -u | wc -l)" -eq 1 ] # one place, under two names
	perf record -q -o box.data -e "${ME}:*" nsenter -t $child -m "$PWD/outside/real"
	perf script -i box.data -F event,trace
	check [ "$(grep -c " n=41$" out)" -eq 2 ]
	# The process may end: the probe is of the file.
	nsenter -t $child -m sleep 60 &
	keeper=$!
	CHILDREN="$CHILDREN $keeper"
	until_true [ "/proc/$keeper/ns/mnt" -ef "/proc/$child/ns/mnt" ]
	{ kill -KILL $child && wait $child; } 2> /dev/null
	perf stat -e "${ME}:link" nsenter -t $keeper -m "$PWD/outside/real"
	check [ "$(hits "${ME}:link")" = 1 ]
	perf probe -d "${ME}:*"
	check [ -z "$(mine)" ]
	perf probe --target-ns $child -x "$box" -a called
	check [ $rc -ne 0 ]
	check grep -q "there is no process $child" err
	perf probe --target-ns $keeper -x "outside/${ME}_box" -D called
	check [ $rc -ne 0 ]
	check grep -q "begins with '/'" err
	perf probe --target-ns $$ -x "outside/${ME}_box" -D called # sees what perf sees
	check grep -q "^p:probe_${ME}_box/called $box:0x" out
else
	skip "no mount namespaces here"
fi
finish
