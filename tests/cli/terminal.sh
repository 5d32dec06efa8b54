#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What perf does on a terminal: the pager and colours; and with a reader that has gone.
. "$(dirname "$0")/../lib.sh"
plan 13
command -v script > /dev/null || skip_all "script(1) of util-linux is not installed: no terminal"
need_events || finish
"$PERF" record -g -e cpu-clock -F 5000 -o perf.data ls -R /usr/lib > log 2>&1
export TERM=xterm
unset LESS NO_COLOR
cat > pg << 'END'
#!/bin/sh
echo "PAGER $# $* LESS=$LESS"
cat
echo "PAGER ENDS"
END
chmod 755 pg

# on_terminal COMMAND LINE: what the terminal shows is in out, the exit status in rc.
on_terminal() {
	timeout 200 script -qec "$1" /dev/null < /dev/null 2> err | tr -d '\r' > out
	rc=${PIPESTATUS[0]}
}

paged() {
	grep -q '^PAGER ' out
}

step "long commands go through the pager, others and files do not"
for args in 'report --stdio' script; do
	on_terminal "PERF_PAGER=./pg $PERF $args"
	check [ $rc -eq 0 ]
	check [ "$(head -n 1 out)" = 'PAGER 0  LESS=FRSX' ]
	check [ "$(tail -n 1 out)" = 'PAGER ENDS' ]
	PERF_PAGER=./pg perf $args
	refute paged
done
for args in version 'stat -e cpu-clock true' --help 'check feature lzma'; do
	on_terminal "PERF_PAGER=./pg $PERF $args"
	refute paged
done

step "-p pages any command, --no-pager none, pager.CMD decides, PERF_PAGER and PAGER name it"
on_terminal "PERF_PAGER=./pg $PERF -p version"
check paged
on_terminal "PERF_PAGER=./pg $PERF --no-pager report --stdio"
refute paged
on_terminal "PAGER=./pg $PERF report --stdio"
check paged
for none in '' ' ' cat; do
	on_terminal "PAGER=./pg PERF_PAGER='$none' $PERF report --stdio"
	refute paged
	check grep -q 'ls ' out
done
printf '[pager]\n\treport = off\n\tversion = true\n\tscript = ./pg from config\n' > conf
on_terminal "PERF_CONFIG=conf PERF_PAGER=./pg $PERF report --stdio"
refute paged
on_terminal "PERF_CONFIG=conf PERF_PAGER=./pg $PERF version"
check paged
on_terminal "PERF_CONFIG=conf PAGER=cat $PERF script"
check grep -q '^PAGER 2 from config' out

step "words are split; only shell characters bring a shell"
on_terminal "LESS=x PERF_PAGER='./pg a  b' $PERF report --stdio"
check [ "$(head -n 1 out)" = 'PAGER 2 a b LESS=x' ]
on_terminal "PERF_PAGER='./pg \"a  b\" | tail -n 1' $PERF report --stdio"
check [ "$(cat out)" = 'PAGER ENDS' ]

step "a pager that is missing: said, and the output comes without it"
on_terminal "PERF_PAGER=./nosuch $PERF report --stdio"
check [ $rc -eq 0 ]
check grep -qF "cannot run the pager './nosuch': No such file or directory" out
check grep -q -- '--no-pager' out
check grep -q '# Total Lost Samples' out

step "a pager that dies: said; one that is left early: no error"
on_terminal "PERF_PAGER='sh -c \"kill -9 \\\$\\\$\"' $PERF report --stdio"
check [ $rc -eq 1 ]
check grep -q 'the output is not complete' out
on_terminal "PERF_PAGER='./nosuch | cat' $PERF report --stdio"
check [ $rc -eq 0 ]
on_terminal "PERF_PAGER='exec ./nosuch;' $PERF report --stdio"
check [ $rc -eq 1 ]
check grep -q 'it could not be run (status 127)' out
on_terminal "PERF_PAGER=true $PERF script"
check [ $rc -eq 0 ]
refute grep -qi error out
on_terminal "PERF_PAGER='head -n 2' $PERF script"
check [ $rc -eq 0 ]
check [ "$(wc -l < out)" -eq 2 ]

step "the status stays perf's own, messages go along"
on_terminal "PERF_PAGER=./pg $PERF report --stdio -i nosuch.data"
check [ $rc -eq 255 ]
check paged
check grep -q "failed to open 'nosuch.data'" out
on_terminal "PERF_PAGER=./pg $PERF report --frobnicate"
check [ $rc -eq 129 ]
on_terminal "PERF_PAGER=./pg $PERF -p stat -e cpu-clock sh -c 'exit 7'"
check [ $rc -eq 7 ]

step "^C ends perf, after the pager; the pager is not left behind"
cat > slow << 'END'
#!/bin/sh
trap '' INT
cat > /dev/null
echo done > pager.done
END
chmod 755 slow
on_terminal "sh -c 'PERF_PAGER=./slow $PERF -p stat -e cpu-clock sh -c \"kill -INT \\\$PPID; sleep 2\"'"
check [ -s pager.done ]
rm -f pager.done
sed -i 's/^cat /kill -INT $PPID; cat /' slow
on_terminal "PERF_PAGER=./slow $PERF script"
check [ -s pager.done ]
check [ $rc -eq 130 ]

colored() {
	grep -q "$(printf '\033')" out
}

step "percentages are coloured on a terminal, red from 5 %, green from 0.5 %"
on_terminal "PERF_PAGER=cat $PERF report --stdio --no-children -g none"
check colored
on_terminal "PERF_PAGER=cat $PERF report --stdio --no-children -g none -s comm"
check grep -qE "^  $(printf '\033')\[31m *([5-9]|[0-9]{2,})\.[0-9]{2}%$(printf '\033')\[m  " out
on_terminal "PERF_PAGER=cat $PERF report --stdio --no-children -g none"
check grep -qE "^  $(printf '\033')\[32m *[0-4]\.[0-9]{2}%$(printf '\033')\[m  " out
refute grep -qE "^  $(printf '\033').*m *0\.[0-4][0-9]%" out
perf report --stdio --no-children -g none
cp out plain
on_terminal "PERF_PAGER=cat $PERF report --stdio --no-children -g none --percent-limit 0"
check [ "$(sed 's/\x1b\[[0-9]*m//g' out | grep '%' | cksum)" = "$(grep '%' plain | cksum)" ]
on_terminal "PERF_PAGER=./pg $PERF report --stdio"
check colored
on_terminal "$PERF --no-pager version --build-options"
check grep -q "\[ $(printf '\033')\[32mon $(printf '\033')\[m \]" out

step "rows below 0.5 % are one line on a terminal, unless --percent-limit is given; never in a pipe"
rows() {
	awk '$1 ~ /^[0-9.]+%$/ { n++; sum += $1 } END { print n + 0, sum + 0 }' "$1"
}
perf report --no-children -g none -s sym
read -r nr sum <<< "$(rows out)"
below=$(awk '$1 ~ /^[0-9.]+%$/ && $1 + 0 < 0.5 { n++ } END { print n + 0 }' out)
check awk '$1 ~ /^0\.[0-3][0-9]%/ { n++ } END { exit !(n > 2) }' out
refute grep -q 'percent-limit 0 shows' out
on_terminal "NO_COLOR=1 PERF_PAGER=cat $PERF report --stdio --no-children -g none -s sym"
grep 'percent-limit 0 shows them' out > line
check [ "$(wc -l < line)" -eq 1 ]
check [ "$(grep -A1 'shows them' out | tail -n 1)" = '' ]
grep -v 'shows them' out > rest
refute grep -qE '^ +0\.[0-4][0-9]%' rest
read -r nr_rest sum_rest <<< "$(rows rest)"
check [ $((nr - nr_rest)) -eq "$below" ]
check grep -qE "^ +[0-9.]+%  \[$((nr - nr_rest)) more below 0.5 %: --percent-limit 0 shows them\]\$" line
check awk -v sum="$sum" -v rest="$sum_rest" -v nr="$nr" '{ exit !(($1 + rest - sum) ^ 2 < (0.006 * (nr + 1)) ^ 2) }' line
for limit in '--percent-limit 0' '--percent-limit 0.1' -q '-t,'; do
	on_terminal "NO_COLOR=1 PERF_PAGER=cat $PERF report --stdio --no-children -g none -s sym $limit"
	refute grep -q 'shows them' out
done

step "frames where nothing is mapped say why on a terminal; wide names have a tip"
name=$(printf 'wide%.0s' $(seq 60))
cat > lost.c << END
__attribute__((noinline, noclone)) long $name(volatile long *at, int is_end)
{
	void **frame = __builtin_frame_address(0);
	void *up = frame[0], *back = frame[1];

	frame[1] = (void *)0x4242;
	if (is_end)
		frame[0] = 0;
	for (long i = 0; i < 200000000; i++)
		*at += i;
	frame[0] = up;
	frame[1] = back;
	return *at;
}
int main(int argc, char **argv) { long at = 0; return $name(&at, argc > 1) == 1; }
END
gcc -O1 -fno-omit-frame-pointer -o lost lost.c
perf record -q -g -e cpu-clock:u -o lost.data ./lost
perf report -i lost.data --no-children
check grep -qE '[ -]0x424[12]$' out
refute grep -q 'nothing is mapped' out
check grep -q 'Tip: .*--demangle=short' out
on_terminal "NO_COLOR=1 PERF_PAGER=cat $PERF report --stdio -i lost.data --no-children"
check grep -qE '\[nothing is mapped at 0x424[12]\]$' out
refute grep -qE '[ -]0x424[12]$' out
perf record -q -g -e cpu-clock:u -o end.data ./lost end
perf report -i end.data --no-children
check grep -qE '[ -]0x424[12]$' out
on_terminal "NO_COLOR=1 PERF_PAGER=cat $PERF report --stdio -i end.data --no-children"
check grep -qE '\[nothing is mapped at 0x424[12], where lost returns to\]$' out
perf report
refute grep -q 'Tip: .*--demangle=short' out

step "script: chains that end where nothing is mapped say why on a terminal"
unknown='^ +424[12] \[unknown\] \(\[unknown\]\)$'
said='^ +424[12] \[nothing is mapped at 0x424[12]'
for data in lost end; do
	perf script -i $data.data
	check grep -qE "$unknown" <(expand out)
	refute grep -q 'nothing is mapped' out
	on_terminal "PERF_PAGER=cat $PERF script -F ip -i $data.data" # what is asked for, and no more
	refute grep -q 'nothing is mapped' out
done
on_terminal "PERF_PAGER=cat $PERF script -i lost.data"
check grep -qE "$said\]\$" <(expand out) # it goes on behind it
refute grep -qE "$unknown" <(expand out)
on_terminal "PERF_PAGER=cat $PERF script -i end.data"
check [ "$(expand out | grep -cE "$said, where lost returns to\]\$")" -gt 10 ]
refute grep -qE "$unknown" <(expand out)
on_terminal "PERF_PAGER=cat $PERF script -F ip,sym -i end.data"
check grep -qE "$said, where lost returns to\]\$" <(expand out)
on_terminal "PERF_PAGER=cat $PERF script --max-stack 1 -i end.data"
refute grep -q 'nothing is mapped' out
# What starts the thread keeps garbage above it: nothing is missing there.
cat > start.c << 'END'
__attribute__((noinline)) void burn(volatile long *at)
{
	for (long i = 0; i < 200000000; i++)
		*at += i;
}
int main(void) { volatile long at = 0; burn(&at); return 0; }
__asm__(".globl _start\n_start: .cfi_startproc\n.cfi_undefined rip\npush $0x1\npush $0\nmov %rsp, %rbp\n"
        "call main\nmov $60, %eax\nxor %edi, %edi\nsyscall\n.cfi_endproc\n.type _start, @function\n.size _start, . - _start");
END
gcc -O1 -fno-omit-frame-pointer -nostartfiles -static -o start start.c
perf record -q -g -e cpu-clock:u -o start.data ./start
perf script -i start.data
check grep -qE '^ +1 \[unknown\] \(\[unknown\]\)$' <(expand out)
on_terminal "PERF_PAGER=cat $PERF script -i start.data"
check grep -qE '^ +1 \[no caller: the thread starts below 0x1\]$' <(expand out)
refute grep -qE 'nothing is mapped|\[unknown\] \(\[unknown\]\)' out

step "no colours: NO_COLOR, TERM=dumb, no TERM, --stdio-color never, color.ui, -t, a pipe"
printf '[color]\n\tui = false\n' > conf
for command in "NO_COLOR=1 $PERF report --stdio" "TERM=dumb $PERF report --stdio" "env -u TERM $PERF report --stdio" \
	"$PERF report --stdio --stdio-color never" "$PERF report --stdio --no-stdio-color" \
	"PERF_CONFIG=conf $PERF report --stdio" "$PERF report --stdio -t," "$PERF script"; do
	on_terminal "export PERF_PAGER=cat; $command"
	check [ $rc -eq 0 ]
	check [ -s out ]
	refute colored
done
perf report --stdio
refute colored
for option in '--stdio-color always' --stdio-color=always --stdio-color; do
	perf report --stdio $option
	check colored
done
printf '[color]\n\tui = always\n' > conf
PERF_CONFIG=conf perf report --stdio
check colored
perf report --stdio --stdio-color=auto
refute colored
perf report --stdio --stdio-color=rainbow
check [ $rc -eq 129 ]
check grep -q 'always, never, auto' err

step "a reader that has gone: quiet, and the status of a closed pipe as with Linux's perf"
for args in 'report --stdio' script; do
	"$PERF" $args 2> err | true
	rc=${PIPESTATUS[0]}
	check [ $rc -eq 0 -o $rc -eq 141 ]
	refute grep -qi error err
done
"$PERF" script 2> err | head -n 1 > out
check [ "$(wc -l < out)" -eq 1 ]
refute grep -qi error err
finish
