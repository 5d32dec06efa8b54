#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each option of a command's -h is in its page, and the reverse, with the same argument, and TAB
# offers it; each page has its sections and becomes a manual page without a complaint.
. "$(dirname "$0")/../lib.sh"
plan 66

# Options as "-a" and "--all-cpus", one a line, sorted. In -h they stand in front of the help; in
# the page they are terms: lines that start with "-" and end with "::".
of_help() {
	"$PERF" "$1" -h 2>&1 | sed -nE 's/^    +((-[A-Za-z0-9])?(, )?(--[A-Za-z0-9_-]+)?).*/\1/p' |
		grep -oE '(^|[ ,])--?[A-Za-z0-9_-]+' | tr -d ' ,' | grep -E '^-' | sort -u
}

of_page() {
	grep -E '^--?[A-Za-z0-9].*::$' "$1" | sed 's/[=<[ ].*//; s/::$//' | sort -u
}

# Options with an argument and its name: "--event event".
args_of_help() {
	"$PERF" "$1" -h 2>&1 | grep -oE -- '--[a-z-]+(\[=| )<.*>\]?' | sed -E 's/(\[=| )</ /; s/>\]?$//' | sort -u
}

args_of_page() {
	grep -oE -- '^--[a-z-]+(\[?=| )<.*>' "$1" | sed -E 's/(\[?=| )</ /; s/>$//' | sort -u
}

same() {
	diff help.list "$1" | sed -n "s/^</  # only in -h:  /p; s/^>/  # only in $2:/p"
	check cmp -s help.list "$1"
}

for page in "$SRC"/Documentation/perf-*.txt; do
	name=$(basename "$page" .txt)
	command=${name#perf-}
	step "$name: the page and -h have the same options"
	if need_built "$command"; then
		of_help "$command" > help.list
		of_page "$page" | grep -vxE -- '-h|--help' > page.list
		check [ -s help.list ]
		same page.list page
		"$PERF" --complete "$command" - | cut -f 1 | sort -u > offered.list
		same offered.list TAB
	fi
	step "$name: the page and -h call arguments alike"
	if need_built "$command"; then
		args_of_help "$command" > help.list
		args_of_page "$page" > page.list
		same page.list page
	fi
	step "$name: the sections of a page"
	"$PERF" "$command" -h > usage 2>&1
	check [ -s usage ]
	for section in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES 'EXIT STATUS' 'SEE ALSO'; do
		check grep -qx "== $section" "$page"
	done
done

step "every command that is built has a page, a usage, a test, and is in perf(1)"
for command in $("$PERF" help | sed -nE 's/^   ([a-z0-9-]+) .*/\1/p'); do
	built "$command" || continue
	check [ -f "$SRC/Documentation/perf-$command.txt" ]
	"$PERF" "$command" -h > usage 2>&1
	check grep -q "Usage: perf $command" usage
	check grep -lqE "(perf|\|) $command( |\$)" "$SRC"/tests/cli/[!m]*.sh
	check grep -q "^perf-$command(1)::" "$SRC/Documentation/perf.txt"
done

step "what pages point to is there"
for page in "$SRC"/Documentation/perf.txt "$SRC"/Documentation/perf-*.txt; do
	for name in $(grep -oE 'perf-[a-z0-9-]+\(1\)' "$page" | sort -u); do
		check [ -f "$SRC/Documentation/${name%(1)}.txt" ]
	done
done

step "asciidoctor makes manual pages of them"
if command -v asciidoctor > /dev/null; then
	for page in "$SRC"/Documentation/perf.txt "$SRC"/Documentation/perf-*.txt; do
		asciidoctor -b manpage -d manpage -o x.1 "$page" > said 2>&1
		check [ -s x.1 ]
		check [ ! -s said ]
	done
else
	skip "asciidoctor is not installed"
fi
finish
