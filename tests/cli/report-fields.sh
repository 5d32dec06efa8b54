#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report -t: each column is what Documentation/perf-report.txt says of it (OUTPUT FOR PROGRAMS).
. "$(dirname "$0")/../lib.sh"
plan 4
. "$TESTS/data/fields.sh"
sed -n '/^== OUTPUT FOR PROGRAMS/,/^== EXAMPLES/p' "$SRC/Documentation/perf-report.txt" > page
# WORD|HEADING|FORM
sed -nE "s/^\t\* '([a-z0-9_]+)', heading '([^']+)': ([A-Z]+).*/\1|\2|\3/p" page > columns
# FORM|EXAMPLE
sed -nE "s/^\t\* ([A-Z]+): '([^']+)'.*/\1|\2/p" page > forms

pattern() {
	case $1 in
	PERCENT) echo '([0-9]+\.[0-9]{2}%|N/A)' ;;
	NUMBER) echo '[0-9]+' ;;
	COUNT) echo '([0-9]+|-)' ;;
	HEX) echo '0x[0-9a-f]+' ;;
	SECONDS) echo '[0-9]+\.([0-9]{6}|[0-9]{9})' ;;
	SIZE) echo '([0-9]+[BKMG]|N/A)' ;;
	ID) echo '[0-9]+/0x[0-9a-f]+' ;;
	FLAGS) echo '([A-Z][A-Z0-9: -]*)?' ;;
	LETTER) echo '[YNAT.]' ;;
	THREAD) echo '-?[0-9]+:.+' ;;
	SYMBOL) echo '\[[.kguH]\] [^ ].*' ;;
	PLACE) echo '\[[.kguH]\] ([^ ]+[+-]0x[0-9a-f]+|0x[0-9a-f]+|[^ ]+)' ;;
	LINE) echo '([^ :]+:[0-9]+|[^ ]+\+[0-9]+|[^ ]+\[[0-9a-f]+\])' ;;
	TEXT) echo '[^ ].*' ;;
	*) echo 'no such form' ;;
	esac
}

# cells COLUMN: those of all rows of the first event, without padding; heading has its name.
cells() {
	grep '|' out | grep -v '^#' | awk -F'|' -v column="$1" '{ sub(/^ +/, "", $column); sub(/ +$/, "", $column); print $column }' > cells
	heading=$(grep '^#.*|' out | head -n 1 | sed 's/^# //' | awk -F'|' -v column="$1" '{ sub(/^ +/, "", $column); sub(/ +$/, "", $column); print $column }')
}

# holds WORD HEADING FORM: of the rows that -F comm,WORD or WORD,comm made.
holds() {
	check [ $rc -eq 0 ]
	cells "$4"
	check [ "$heading" = "$2" ]
	check [ -s cells ]
	refute grep -nvxE -e "$(pattern "$3")" cells
}

step "the page names all columns that there are, and no other, each with a form that it explains"
perf report -s help
sed -nE 's/^  ([a-z0-9_]+) .*/\1/p' out | LC_ALL=C sort > want
check [ "$(wc -l < want)" -ge 55 ]
check diff want <(cut -d'|' -f 1 columns | LC_ALL=C sort)
# The examples of the forms, too.
check [ "$(wc -l < forms)" -ge 12 ]
while IFS='|' read -r form example; do
	check grep -qxE -e "$(pattern "$form")" <<< "$example"
done < forms
check diff <(cut -d'|' -f 1 forms | LC_ALL=C sort) <(cut -d'|' -f 3 columns | LC_ALL=C sort -u)

step "each column has its heading, and each of its cells its form"
while IFS='|' read -r word heading_is form; do
	file=memory.data options='-g none --no-children'
	case $word in
	latency | parallelism | trace) continue ;;
	*_from | *_to | mispredict | abort | in_tx | cycles) file=branches.data ;;
	*daddr | symbol_iaddr | dcacheline | locked | tlb | mem | snoop | data_page_size | blocked) options=--mem-mode ;;
	overhead_children) file=plain.data options='-g none --no-group' ;;
	parent | overhead_*) file=plain.data options='-g none --no-children --no-group' ;;
	esac
	# shellcheck disable=SC2086
	perf report --stdio --kallsyms symbols --percent-limit 0 -t '|' -i $file $options -F "sample,$word"
	holds "$word" "$heading_is" "$form" 2
done < <(sed 's/^sample|/period|/; /^period|/d' columns | cat - <(echo 'period|Period|NUMBER'))
perf report --stdio -t '|' -i memory.data -F sample,comm
holds sample Samples NUMBER 1
file=$SRC/tests/data/amd64-trace.data
perf report --stdio -t '|' -i "$file" -F sample,trace
holds trace "Trace output" TEXT 2
if need_events; then
	perf record -q --latency -e cpu-clock -c 1000000 -o latency.data "$WORKLOADS/bursts" 60 1 1
	for word in latency parallelism; do
		perf report --stdio -t '|' -i latency.data -g none -F "sample,$word"
		holds $word "$(sed -n "s/^$word|\([^|]*\)|.*/\1/p" columns)" "$(sed -n "s/^$word|.*|//p" columns)" 2
	done
fi

step "the order of columns, rows and comments"
perf report --stdio -t '|' -i memory.data -s sym,comm --confidence -n --show-total-period --show-cpu-utilization -g none
check grep -qE '^# Overhead\| *sys\| *usr\| *Samples\| *Period\| *95 % interval\|Rank\|Symbol *\|Command' out
cells 6
check [ "$heading" = '95 % interval' ]
refute grep -nvxE '[0-9]+\.[0-9]{2}-[0-9]+\.[0-9]{2}%' cells
cells 7
check [ "$heading" = Rank ]
refute grep -nvxE "$(pattern NUMBER)" cells
# Comments, headings, rows, two empty lines; no row lacks a cell.
check [ "$(awk '/^#/ { next } !NF { empty++; next } { n++; if (split($0, c, "|") != 9) bad = 1; if (empty == 1) bad = 1 } !/^$/ { empty = 0 } END { print (n > 10 && !bad) }' out)" = 1 ]
check [ "$(grep -n '|' out | grep -v '[0-9]:#' | head -n 1 | cut -d: -f 1)" -eq "$(($(grep -n '^# Overhead' out | head -n 1 | cut -d: -f 1) + 1))" ]
perf report --stdio -q -t '|' -i memory.data -s sym
refute grep -q '^#' out
check grep -qE '^ *[0-9.]+% *\|\[.\] fn_' out
perf report --stdio -t '|' -i plain.data -g none --no-children -s sym
check grep -qE '^ *[0-9.]+% +[0-9.]+% *\|\[.\] fn_' out # of a group

step "a separator in a name does not make a cell"
perf report --stdio -t o -i memory.data -s comm,sym -F comm,sym,dso
check [ $rc -eq 0 ]
check [ "$(grep -v '^#' out | awk -Fo 'NF && NF != 3' | wc -l)" -eq 0 ]
check grep -q 'sec\.nd *o' out
finish
