#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report -t: each column is what Documentation/perf-report.txt says of it (OUTPUT FOR PROGRAMS).
. "$(dirname "$0")/../lib.sh"
plan 7
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

step "-F beside -s: rows stand by the words of -s, then by those of -F, figures too"
if need_events; then
	mkdir one other
	cp "$WORKLOADS/planted" one/same
	cp "$WORKLOADS/planted" other/same
	perf record -q -e cpu-clock -c 1000000 -o same.data -- sh -c './one/same 0.2; ./other/same 0.4'
	check [ $rc -eq 0 ]
	perf report --stdio -q -t '|' --no-inline -i same.data -s dso -F sample,sym
	check [ $rc -eq 0 ]
	awk -F'|' 'NF { gsub(/^ +| +$/, "", $3); print $3 "|" $1 + 0 }' out > rows
	cut -d'|' -f1 rows | uniq > dsos
	check [ "$(wc -l < dsos)" -gt 1 ]
	check [ "$(sort -u dsos | wc -l)" -eq "$(wc -l < dsos)" ]
	check [ "$(awk -F'|' '$1 == before && $2 > nr { bad++ } { before = $1; nr = $2 } END { print bad + 0 }' rows)" -eq 0 ]
	check [ "$(awk -F'|' '$1 == before && $2 < nr { less++ } { before = $1; nr = $2 } END { print (less >= 3) }' rows)" -eq 1 ]
	if [ -x "$REF" ]; then
		"$REF" report --stdio -q -t '|' --no-inline -i same.data -s dso -F sample,sym 2> /dev/null < /dev/null |
			awk -F'|' 'NF { gsub(/^ +| +$/, "", $3); print $3 "|" $1 + 0 }' > ref
		check diff rows ref
	fi
fi

step "-v: two programs of one name are two, by their paths, with any keys"
if need_events; then
	perf script -i same.data -F ip,dso
	for path in one/same other/same; do
		grep -c "($PWD/$path)" out
	done > want
	check [ "$(awk '$1 > 50' want | wc -l)" -eq 2 ]
	for keys in dso comm,dso dso,sym comm,dso,sym; do
		perf report --stdio -v -t '|' -n -s $keys -i same.data
		check [ $rc -eq 0 ]
		for path in one/same other/same; do
			awk -F'|' -v path="$PWD/$path" '$0 ~ path { sum += $2 } END { print sum + 0 }' out
		done > got
		check diff want got
	done
	perf report --stdio -v -d "$PWD/one/same" -s dso -n -t '|' -i same.data # by the path, and by the name
	check [ "$(grep -v '^#' out | grep -c /same)" -eq 1 ]
	perf report --stdio -v -d same -s dso -n -t '|' -i same.data
	check [ "$(grep -v '^#' out | grep -c /same)" -eq 2 ]
	perf report --json -v -i same.data
	check grep -q '"symbol": "planted_hot"' out
	check grep -q '"mode": "user"' out
fi

step "--mem-mode without weights is refused, whatever -s says"
for sort in '' '-s comm' '-s dso,sym'; do
	# shellcheck disable=SC2086
	perf report --stdio --mem-mode $sort -i plain.data
	check [ $rc -ne 0 ]
	check grep -q 'no accesses to memory' err
done
finish
