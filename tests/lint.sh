#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Rules of the tree that a program can check. Looks at the files git knows (or all, without git).
cd "$(dirname "$0")/.." || exit 2
files=$(git ls-files 2> /dev/null || find . -type f -not -path './build*' -not -path './.git*' | cut -c3-)
files=$(for file in $files; do [ ! -f "$file" ] || echo "$file"; done)
bad=0

# result NAME LIST: LIST is empty when the rule holds
result() {
	if [ -z "$2" ]; then
		echo "ok - $1"
	else
		printf '%s\n' "$2" | head -n 20 | sed 's/^/  # /'
		echo "not ok - $1"
		bad=1
	fi
}

sources=$(echo "$files" | grep -E '\.[ch]$')
scripts=$(for file in $files; do head -c 40 "$file" | head -n 1 | grep -qE '^#!/bin/(ba)?sh' && echo "$file"; done)
ours=$(echo "$files" | grep -vE '/corpus/|^tests/data/.*\.(data|elf|txt)$')
recordings=$(echo "$files" | grep -E '^tests/data/.*\.(data|elf|txt)$')
code=$(echo "$files" | grep -E '\.([ch]|sh|py)$|^Makefile$|^bootstrap$|^\.ci/run$')

# The rooms below the commands in the order of Documentation/design.md, highest first.
rooms="ui/tui ui/json ui/analysis ui/text ui/script ui/dump ui/options ui/term util/doctor util/record util/sink \
util/stat util/annotate util/export util/analysis util/live util/callers util/view util/chains util/health util/sum \
util/profile util/stream \
util/trace util/probe util/fetch util/unwind \
util/symbol util/symindex util/archive util/symtab util/sdt util/jit util/dwarf util/buildid util/disasm util/elf \
util/machine util/writer util/synthesize util/reader util/format util/counter util/bpf_filter util/event arch util/options util/lib"

# Includes of a room that stands above the including one.
arrows_up() {
	local room above=''
	for room in $rooms; do
		[ -z "$above" ] || grep -nE "#include \"(${above#|})/" "$room"/*.[ch]
		above="$above|$room"
	done
	for room in util/*/ ui/*/; do
		case " $rooms " in *" ${room%/} "*) ;; *) echo "$room is not in the order of rooms" ;; esac
	done
}

# shellcheck disable=SC2086
# By what was built last; nothing, where nothing was.
circles() {
	local room file object
	for room in "$@"; do
		for file in "$room"/*.c; do
			object=${O:-build}/${file%.c}.o
			[ ! -f "$object" ] || nm "$object" | awk -v file="$file" '{ print $(NF - 1), $NF, file }'
		done
	done | awk '$1 ~ /^[TDRB]$/ { of[$2] = $3 }
		$1 == "U" { name[nr] = $2; user[nr++] = $3 }
		END { for (i = 0; i < nr; i++) if (of[name[i]]) print user[i], of[name[i]] }' | {
		tsort > /dev/null
	} 2>&1
}

{
	result "each file has its SPDX line" \
		"$(grep -L 'SPDX-License-Identifier: GPL-2.0-or-later' $ours | grep -vx LICENSE)"
	result "no recordings or other bytes among the sources" \
		"$(grep -LIE '^' $ours)"
	result "recordings of other machines are small: 60 KB at most" \
		"$(find $recordings -size +60k)"
	result "no file of code has more than 1000 lines" \
		"$(wc -l $code | awk '$1 > 1000 && $2 != "total"')"
	result "no room has more than 6500 lines" \
		"$(for room in $rooms; do cat "$room"/*.[ch] | wc -l | awk -v room="$room" '$1 > 6500 { print room, $1 }'; done)"
	result "perf.c stays below 400 lines" "$(wc -l perf.c | awk '$1 >= 400')"
	result "util/ does not print, exit or read argv" \
		"$(grep -nE '\b(printf|puts|putchar|perror|exit)\(' arch/*.c util/*/*.c)"
	result "util/ knows no room above it" \
		"$(grep -nE '#include "(ui/|selftest/|builtin)' arch/*.[ch] util/*/*.[ch])"
	result "selftest/ knows nothing of ui/ and the commands" \
		"$(grep -nE '#include "(ui/|builtin)' selftest/*.[ch] selftest/*/*.[ch])"
	result "a room knows only the rooms below it" "$(arrows_up)"
	result "the files that record call each other one way" "$(circles util/record util/sink)"
	result "headers have their guard" \
		"$(for f in $(echo "$sources" | grep '\.h$'); do grep -q '^#ifndef PERF_' "$f" || echo "$f"; done)"
	result "nothing names the folders it was made in" \
		"$(grep -nE '(^|[^a-z.])/work/|\.\./shared/' $files | grep -v '^tests/lint.sh:')"
	result "every shell test can be run" "$(find tests/cli tests/guest/*/ ! -name lib.sh -name '*.sh' ! -perm -u+x)"
	result "the index in design.md is that of the headers (make index)" \
		"$(tests/index.py | diff Documentation/design.md - | grep '^[<>]')"
	result "each header begins with a sentence for the index" "$(grep -E '^- `.*: \.$' Documentation/design.md)"
	result "no marks of a conflict are left" \
		"$(grep -nE '^(<<<<<<<|>>>>>>>) ' $files)"
	# The kernel takes one each 10 microseconds. Where its timers are slow, as in virtual machines, a
	# program does nothing then but be sampled, for ever.
	result "no test samples a clock more often than 10000 times a second, unless it begins never (-D -1)" \
		"$(grep -nE -e '-F"?,? ?"?(max|[2-9][0-9]{4}|[1-9][0-9]{5,})|--freq=(max|[2-9][0-9]{4})|-clock.* (-c|--count)[ =]?[0-9]{1,5}( |$)' \
			tests/cli/*.sh | grep -vE -e '-D -1|taskset -c|/period=|^[^:]*:[0-9]+:(129|234) ')"
	if command -v clang-format > /dev/null; then
		result "clang-format has nothing to change" \
			"$(clang-format --style=file --dry-run $sources 2>&1 | grep warning: | head -n 20)"
	else
		echo "skip - clang-format has nothing to change: it is not installed"
	fi
	if command -v shellcheck > /dev/null; then
		result "shellcheck finds nothing" "$(shellcheck -x -S warning -e SC2034,SC1091,SC2154,SC2120 $scripts 2>&1 | grep -E '^In|SC[0-9]+' | head -n 20)"
	else
		echo "skip - shellcheck finds nothing: it is not installed"
	fi
}
exit $bad
