#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf buildid-list: the build-ids of recordings, ELF files and the running kernel.
. "$(dirname "$0")/../lib.sh"
plan 11
need_events || finish

record() {
	timeout 200 "$PERF" record -q "$@" > record.log 2>&1
}

id_of() {
	readelf -n "$1" 2> /dev/null | sed -n 's/ *Build ID: //p'
}

planted=$WORKLOADS/planted
id=$(id_of "$planted")

step "an ELF file"
if [ -n "$id" ]; then
	perf buildid-list -i "$planted"
	check [ $rc -eq 0 ]
	check [ "$(cat out)" = "$id" ]
else
	skip "no readelf, or a linker that makes no build-ids"
fi

step "objects of a recording"
record -e cpu-clock -F 2000 -o x.data "$planted" 0.2
perf buildid-list -i x.data
check [ $rc -eq 0 ]
check grep -qxF "$id $planted" out
refute grep -qvE '^([0-9a-f]{40}|[0-9a-f ]{40}) [/[]' out

step "-H: with samples only"
perf buildid-list -H -i x.data
check grep -qxF "$id $planted" out
cut -c42- out | sort > listed
perf script -F ip,dso -i x.data
sed 's/.*(\(.*\))/\1/' out | grep -vxF '[unknown]' | sort -u > seen
check diff listed seen
perf buildid-list --with-hits -i x.data
check grep -qxF "$id $planted" out

step "-H of a program that only others' samples are in"
record -e cpu-clock:u -F 2000 -o user.data "$planted" 0.2
perf buildid-list -H -i user.data
refute grep -qF '[kernel.kallsyms]' out

step "a file without a list: what its samples fell into"
record -B -e cpu-clock -F 2000 -o bare.data "$planted" 0.2
perf buildid-list -i bare.data
check [ $rc -eq 0 ]
check grep -qxE ' {40} .*/planted' out

step "-k: the running kernel"
if [ -r /sys/kernel/notes ]; then
	perf buildid-list -k
	check [ $rc -eq 0 ]
	check grep -qxE '[0-9a-f]{40}' out
	kernel=$(cat out)
	perf buildid-list -m
	if [ $rc -eq 0 ]; then
		check grep -qE "^$kernel +[0-9a-f]+ +[0-9a-f]+ \[kernel.kallsyms\]\$" out
	else
		skip "the kernel's addresses are hidden"
	fi
else
	skip "no /sys/kernel/notes"
fi

step "a build-id of another length"
if echo 'int main(void) { return 0; }' | gcc -x c -Wl,--build-id=md5 -o md5 - 2> /dev/null; then
	perf buildid-list -i md5
	check [ "$(cat out)" = "$(id_of md5)" ]
	check [ "$(wc -c < out)" -eq 33 ]
else
	skip "no gcc"
fi

step "many objects, all with their build-ids"
mkdir lots
if [ -n "$id" ] && for i in $(seq 40); do cp "$planted" "lots/p$i" || exit; done; then
	cat > lots.sh << 'END'
for i in $(seq 40); do ./lots/p$i 0.01; done
END
	record -e cpu-clock -F 4000 -o lots.data sh lots.sh
	perf buildid-list -H -i lots.data
	check [ "$(grep -c "^$id .*/lots/p" out)" -gt 20 ]
	refute grep -q '^ .*/lots/p' out
fi

step "a damaged list is said, and read as far as it goes"
LC_ALL=C sed 's|\[vdso\]\x00\x00|[vdso]xx|g' x.data > odd.data
perf buildid-list -f -i odd.data
check [ $rc -eq 0 ]
check grep -qxF "$id $planted" out

step "a closed pipe is no error"
"$PERF" buildid-list -i x.data | true
check [ "${PIPESTATUS[0]}" -eq 0 -o "${PIPESTATUS[0]}" -eq 141 ]

step "as Linux's perf says it"
if [ -x "$REF" ]; then
	"$REF" record -q -o theirs.data -e cpu-clock -F 2000 -g sh lots.sh > /dev/null 2>&1
	for file in x bare user lots theirs; do
		for option in '' -H; do
			perf buildid-list $option -i $file.data
			# The vdso of a file without a list has the name of 6.1's temporary copy.
			"$REF" buildid-list $option -i $file.data 2> /dev/null |
				sed 's|/tmp/perf-vdso.so-.*|[vdso]|' > ref
			check diff out ref
		done
	done
	perf buildid-list -k
	"$REF" buildid-list -k > ref
	check cmp out ref
else
	skip "'$REF' is not there"
fi
finish
