#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report on a terminal, under tmux: what is on the screen after which keys.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/screen.sh"
plan 36
CC=${CC:-cc}
command -v "$CC" > /dev/null || skip_all "the browser: $CC is not installed"
need_screen || finish
need_events || finish

cat > work.c << 'END'
#include <time.h>
volatile unsigned long sink;
void __attribute__((noinline)) leaf(unsigned long n) { while (n--) sink += n; }
void __attribute__((noinline)) few(void) { leaf(20000); sink++; }
void __attribute__((noinline)) many(void) { leaf(80000); sink++; }
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 2) {
		few();
		many();
	}
	return 0;
}
END
check "$CC" -O0 -g -fno-omit-frame-pointer -o work work.c
perf record -q -F 2000 -g -e cpu-clock:u,page-faults -o two.data ./work
perf record -q -F 2000 -g -e cpu-clock:u -o x.data ./work

step "the browser is what a terminal gets; a row is opened and closed"
begin 80x24 "$PERF report --no-children -i x.data"
check see '^Samples: .* of event .cpu-clock:u., Event count'
check grep -qE '^  Overhead  Command  Shared Object +Symbol' out
check grep -qE '^\+ +[0-9.]+% +work +work +\[\.\] leaf' out
check grep -q '^h: help' out
keys Enter
check see '^- +[0-9.]+% +work +work +\[\.\] leaf'
check grep -qE '^    [-+] [0-9. ]+% +leaf' out
keys Enter
check gone '^    [-+]'

step "E opens all, C closes all"
keys E
check see '^ +many$|[0-9]% +many$'
check see '^ +main$'
keys Enter
check see '^\+ +[0-9.]+% +work +work +\[\.\] leaf'
keys E
check see '^- +[0-9.]+% +work +work +\[\.\] leaf'
keys C
check gone '^ +main$'

step "s goes on with another recording"
keys s
check see 'Recordings in this folder'
check grep -q 'two.data' out
keys Enter
check see 'Available samples'
keys Enter
check see "event 'cpu-clock:u'"
keys s Down Enter
check see '^h: help'

step "the menu: annotate a function, and back"
keys m
check see 'Annotate leaf'
check grep -q 'Zoom into work DSO' out
keys Enter
if has capstone; then
	check see '^Samples: .* of event .cpu-clock:u'
	check see '^percent: local period'
	check see '^leaf\(\)'
	check see 'sink'
	keys q
else
	check see 'capstone'
	keys q
fi
check see '^  Overhead'

step "code: source, labels, figures, jumps and calls"
if need_library capstone; then
	keys a
	check see 'while \(n--\)|sink \+= n'
	check see '(↑|↓) [a-z.]+ +[0-9a-f]+$'
	# The loop, from where its jump leads to the jump.
	check see '^ *[0-9.]* +┌ +[0-9a-f]+: '
	check see '^ *[0-9.]* +└ .*↑ j[a-z]+ '
	keys j
	check gone '[┌│└]'
	keys j
	check see '┌'
	keys s
	check gone 'while \(n--\)|sink \+= n'
	keys O O
	check see '^ +0: +[a-z]'
	check [ "$(grep -cE '^( +[0-9.]+)?[ ┌│└]+[0-9a-f]+: ' out)" -gt 8 ]
	keys f
	check see '^( +[0-9.]+)?[ ┌│└]+[0-9a-f]{3,}: +[a-z]'
	keys f s k
	check see '^ +3 +void .*leaf'
	keys l
	check see 'work.c:3$'
	keys k l O t
	check see '^ +[0-9]{6,} '
	keys t t p
	check see 'percent: global period'
	keys b
	check see 'percent: global hits'
	keys b p o
	check see 'Disassembly of work'
	keys o P
	check see 'written to leaf.annotation'
	keys x J
	check see '^( +[0-9.]+)?[ ┌│└]+1 +[0-9a-f]+: '
	keys J
	check grep -q '^leaf()' leaf.annotation
	keys q
	check see '^  Overhead'
fi

step "callers and callees"
keys b
check see 'Callers above'
check see '^ +[0-9.]+% +leaf$'
check grep -qE '^ +[0-9.]+% +\[self\]$' out
many=$(sed -n 's/^ *\([0-9.]*%\) *many$/\1/p' out)
keys Home Enter
check see '^ +[0-9.]+% +main$'
check grep -qE '^ +[0-9.]+% +leaf$' out
keys Left
check see '^ +[0-9.]+% +few$'
keys q
check see '^  Overhead'
perf report --stdio -i x.data --callers-callees=leaf
check [ "$(sed -n 's/^ *\([0-9.]*%\) *many$/\1/p' out)" = "$many" ]
check [ -n "$many" ]

step "the menu: the symbols of a file, a copy of the row; r lists samples, T and c say what there is not"
# choose TEXT: the item of the menu that has it
choose() {
	keys m
	see 'Menu \(Enter' || return 1
	local item
	item=$(sed -n "/Menu (Enter/,\$p" out | grep -n -m 1 -- "$1" | cut -d: -f1)
	for _ in $(seq $((${item:-2} - 2))); do keys Down; done
	keys Enter
}
tmux -L perf$nr set -g set-clipboard on
check choose 'Browse map of work'
check see '^work$'
keys / ' leaf' Enter
check see '^ +[0-9a-f]+ +[0-9a-f]+ g leaf$'
check [ "$(grep -cE '^ +[0-9a-f]+ +[0-9a-f]+ [gluw] ' out)" -gt 10 ]
keys q
check see '^  Overhead'
refute tmux -L perf$nr show-buffer
check choose 'Copy the row'
check see 'clipboard'
tmux -L perf$nr show-buffer > copied
check grep -qxE '\+ +[0-9.]+% +work +work +\[\.\] leaf' copied
check [ "$(wc -l < copied)" -eq 1 ]
keys x r
check see 'Samples as text'
check grep -q 'Samples taken in work DSO' out
keys End Enter
check see 'no engine for scripts in Python or Perl yet'
keys x r End Up Enter
check see '^Fields, as perf script -F'
keys 'comm,ip' Enter
check see 'Samples as text'
keys Home Enter
check see '^Samples taken in leaf'
check see '^work *$'
check see '^\s+[0-9a-f]{3,} *$'
keys q r End Up Enter
check see '^Fields, as .*: comm,ip$'
keys x Enter Home Enter
check see 'Invalid field requested'
keys x r End Up Enter BSpace BSpace BSpace BSpace BSpace BSpace BSpace BSpace Enter Home Enter
check see '^Samples taken in leaf'
check grep -qE '^work +[0-9]+ +[0-9.]+: +[0-9]+ cpu-clock:u: *$' out
check grep -qE '^\s+[0-9a-f]+ leaf\+0x[0-9a-f]+ \(.*/work\)$' out
keys End
check see '^\s+[0-9a-f]+ (_start|main|.*libc).*\)$'
keys q
check see '^  Overhead'
if has capstone; then
	keys a r
	check see '^Samples taken in leaf'
	keys q T
	check see 'data types of memory'
	keys x c
	check see 'record with -b'
	keys x q
fi
check see '^  Overhead'

step "zoom into a file, and out"
keys d
check see 'dso: work'
check gone 'Shared Object'
keys Escape
check see 'Shared Object'

step "a filter as it is typed; what nothing passes is said"
keys / f e w Enter
check see 'symbols with: few'
check gone '\[\.\] leaf'
keys / z z
check see 'No entry passes  symbols with: fewzz'
keys Tab Enter
check see 'No entry passes  dsos with: fewzz'
keys Escape
check see '\[\.\] leaf'

step "the other keys: t k i L F H V"
keys t
check see 'comm: work'
keys t
check gone 'comm: work'
keys k
check see 'dso: \[kernel.kallsyms\]'
keys F
check see '100 %: what is shown'
keys F Escape
check see '\[\.\] leaf'
keys i
check see 'captured on'
keys / c m d l i n e Enter
check see '^# cmdline'
keys q
check see '^  Overhead'
keys L BSpace 9 9 Enter
check see 'from 99 %'
keys L BSpace BSpace 0 Enter
check gone 'from 99 %'
keys H
check gone '^  Overhead'
keys H
check see '^  Overhead'
keys V
check gone ' work +work +\[\.\] leaf'
keys V
check see ' work +work +\[\.\] leaf'

step "help; q leaves, and the terminal is as it was"
keys h
check see 'zoom into the row'
keys q
check see '^  Overhead'
keys q
ended 0

step "calls are followed"
if need_library capstone; then
	begin 80x24 "$PERF report --children -i x.data"
	check see '^h: help'
	keys / m a n y Enter a
	check see '^many\(\)'
	keys / c a l l Enter Enter
	check see '^leaf\(\)'
	keys Left
	check see '^many\(\)'
	keys '>'
	check see 'there is no other function'
	keys Space q
	check see 'symbols with: many'
	keys q
	ended 0
fi

step "an inlined function: the code where its samples are"
if need_library capstone; then
	cat > inl.c << 'END'
#include <time.h>
volatile unsigned long sink;
static inline __attribute__((always_inline)) void mixer(unsigned long n) { while (n--) sink += n; }
void __attribute__((noinline)) many(void) { mixer(80000); sink++; }
int main(void) { while (clock() < CLOCKS_PER_SEC / 3) many(); return 0; }
END
	check "$CC" -O1 -g -fno-omit-frame-pointer -o inl inl.c
	perf record -q -c 1000000 -g -e cpu-clock:u -o inl.data ./inl
	begin 100x30 "$PERF report --children -i inl.data"
	check see '^h: help'
	keys / m i x e Enter
	check see '0\.00%  inl +inl +\[\.\] mixer \(inlined\)'
	keys a
	check see '^many\(\) '
	check see '^Samples: [1-9][0-9]* of event'
	check see '^ +[1-9][0-9]*\.[0-9]+[ ┌│└]+[0-9a-f: ]*(mov|add|sub|cmp) '
	keys q q
	ended 0
fi

step "how code is shown: -M, --asm-raw, --no-source, --percent-type, --objdump"
if need_library capstone; then
	begin 90x24 "$PERF report -i x.data --no-children -M intel --asm-raw --no-source"
	check see '^h: help'
	keys a
	check see '[0-9a-f]{2} [0-9a-f]{2} .*(mov|add) +rax,|QWORD PTR|DWORD PTR'
	refute grep -q 'while (n--)' out
	keys q q
	ended 0
	begin 90x24 "$PERF report -i x.data --no-children --percent-type nonsense"
	check see 'global-hits'
fi

step "^C leaves; P writes to a file of its own"
echo mine > perf.hist.0
begin 80x24 "$PERF report -i x.data"
check see '^h: help'
keys P
check see 'written to perf.hist.1'
keys x C-c
ended 0
check grep -qx mine perf.hist.0
check grep -q '^# Samples: ' perf.hist.1

step "what is said of stacks is of those that pass the filters, which the saved text names"
check "$CC" -O2 -fomit-frame-pointer -o frameless work.c
perf record -q -c 1000000 -g -e cpu-clock:u -o stacks.data sh -c './work; ./frameless'
begin 150x20 "$PERF report --no-children -s comm,dso,sym -i stacks.data"
check see '^h: help  Stacks: .*most at frameless'
keys / Tab f r a m Enter
check see '^h: help  dsos with: fram  Stacks: .*most at frameless, 100 %\)$'
keys / BSpace BSpace BSpace BSpace w o r k Enter
check see '^h: help  dsos with: work$'
keys w named Enter
check see 'written to named'
keys x
check see '^h: help  dsos with: work$'
keys q
ended 0
check [ "$(head -n 1 named)" = '# Filters:  dsos with: work' ]
refute grep -q 'Stacks' named

step "several events: Tab"
begin 100x24 "$PERF report --no-group -i two.data"
check see 'Available samples'
check grep -qE '│ *[0-9.]+K? +cpu-clock:u' out
check grep -qE '│ *[0-9]+ +page-faults' out
keys Down Enter
check see '^Samples: .*page-faults'
keys Left
check see 'Available samples'
keys Enter
check see '^Samples: .*cpu-clock:u'
check see 'Event 1 of 2'
keys Tab
check see '^Samples: .*page-faults'
keys BTab
check see '^Samples: .*cpu-clock:u'
keys q
ended 0

step "groups of events: side by side, sorted by one of them"
begin 120x24 "$PERF report --group --no-children -i two.data"
check see "^Samples: .* of events 'cpu-clock:u, page-faults'|^Samples: .* of event"
check see '^\+ +[0-9.]+% +[0-9.]+% +work +work +\[\.\] leaf'
keys 1
check see '^Samples'
check see '^ +[0-9.]+% +[1-9][0-9.]+% +work '
check [ "$(sed -n 3p out | grep -c leaf)" -eq 0 ]
keys 0
check see '^\+ +[0-9.]+% +[0-9.]+% +work +work +\[\.\] leaf'
keys q
ended 0
begin 120x24 "$PERF report --group --children -i two.data"
check see '^h: help'
keys 1
check see 'rows with Children are sorted by the first event'
keys x q
ended 0

# sure_rows FILE: share, interval, rank and symbol of its rows
sure_rows() {
	sed -nE 's/^[-+ ]+([0-9.]+%) +([0-9.]+ *- *[0-9.]+%?) +([0-9]+) +\[\.\] ([a-z_]+).*/\1 \2 \3 \4/p' "$1" | tr -s ' '
}

step "--confidence: intervals and ranks, of what is shown"
cat > shares.c << 'END'
volatile unsigned long sink;
#define WORK(name) void __attribute__((noinline)) name(unsigned long n) { while (n--) sink += n; }
WORK(leaf) WORK(other)
int main(void) { for (int i = 0; i < 400; i++) { leaf(200000); other(100000); } return 0; }
END
check "$CC" -O1 -g -o shares shares.c
perf record -q -c 300000 -e cpu-clock:u -o shares.data ./shares
perf report --stdio --no-children --confidence -g none -s sym -i shares.data
check [ $rc -eq 0 ]
sure_rows out > text.rows
first=$(grep 'leaf$' text.rows)
begin 140x24 "$PERF report --no-children --confidence -s sym -i shares.data"
check see '^  Overhead +95 % interval +Rank +Symbol'
check grep -qxF "${first:?}" <(sure_rows out)
# 100 % is what the filter leaves, and so is the share of leaf.
keys / l e a f Enter
check see 'symbols with: leaf'
keys F
check see '100 %: what is shown'
perf report --stdio --no-children --confidence -g none -s sym --symbol-filter leaf --percentage relative -i shares.data
sure_rows out > text.rows
check [ "$(wc -l < text.rows)" -eq 1 ]
screen
check diff text.rows <(sure_rows out)
refute grep -qxF "$first" text.rows
keys q q
ended 0
# Too short for it: what text says in its head.
check "$CC" -O1 -o gen-profile "$TESTS/bench/gen-profile.c"
check ./gen-profile 1 "$PWD/work" short.data
perf report --stdio --no-children --confidence -g none -s sym -i short.data
said=$(sed -n 's/^# Confidence: //p' out)
check [ "$said" = 'as of independent samples: less than 8 slices of 100 ms cannot show bursts' ]
begin 140x24 "$PERF report --no-children --confidence -s sym -i short.data"
check see "^h: help  intervals ${said:?}"
keys q
ended 0

step "sizes: 200x60, 10x3, and changes between"
begin 200x60 "$PERF report -i x.data"
check see '^h: help'
for size in 10x3 80x24 1x1 30x5 200x60; do
	tmux -L perf$nr resize-window -x "${size%x*}" -y "${size#*x}"
	keys Down E C
done
check see '\[\.\] leaf'
keys q
ended 0
begin 10x3 "$PERF report -i x.data"
check see '^Samples'
keys Down q
ended 0

step "a name of 10,000 characters on a screen of 20x5: > moves sideways, messages take rows"
{
	printf 'volatile unsigned long sink;\nvoid longest(void) __asm__("%s");\n' "$(printf '%10000s' E | tr ' ' n)"
	echo 'void longest(void) { for (int i = 0; i < 20000000; i++) sink += i; }'
	echo 'int main(void) { for (int i = 0; i < 5; i++) longest(); return 0; }'
} > long.c
check "$CC" -O0 -o long long.c
perf record -q -c 1000000 -e cpu-clock:u -o long.data ./long
begin 20x5 "$PERF report -i long.data -s sym"
check see '^ +[0-9.]+%  \[\.\] n{4}$'
keys '>'
check see '^  n{18}$'
keys '<'
check see '^ +[0-9.]+%  \[\.\] n{4}$'
keys t
check see '^-s comm,... has such'
keys x m
check see 'Zoom into n{10}$|Annotate n{11}$'
keys Escape L BSpace 1 2 3 4 5 6 7 8 9 0 1 2 3
check see '^Hide rows 567890123'
keys Escape q
ended 0
begin 80x24 "$PERF report -i long.data -s sym"
check see '^h: help'
keys m
check see 'Zoom into n{20}\.\.\.n{19}E symbol'
keys Escape q
ended 0

step "a terminal with a single screen: the prompt gets a line of its own"
begin 80x10 "TERM=vt100 $PERF report -i x.data"
check see '^h: help'
keys q
ended 0
check see 'leaf'
refute grep -q 'help' out

step "a long read says how far it is, on terminals only, and leaves nothing behind"
cat > slow.c << 'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
typedef ssize_t read_fn(int fd, void *buf, size_t size, off_t at);
static ssize_t slow(const char *name, int fd, void *buf, size_t size, off_t at)
{
	if (size >= (getenv("READ_SLOWLY") ? 512 : 65536))
		usleep(getenv("READ_SLOWLY") ? 1500000 : 100000);
	return ((read_fn *)dlsym(RTLD_NEXT, name))(fd, buf, size, at);
}
ssize_t pread(int fd, void *buf, size_t size, off_t at) { return slow("pread", fd, buf, size, at); }
ssize_t pread64(int fd, void *buf, size_t size, off_t at) { return slow("pread64", fd, buf, size, at); }
END
check "$CC" -O1 -w -fPIC -shared -o slow.so slow.c -ldl
check "$CC" -O1 -o gen-profile "$TESTS/bench/gen-profile.c"
check ./gen-profile 40000 "$PWD/work" long-read.data
slow="ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 LD_PRELOAD=$PWD/slow.so $PERF"
begin 80x10 "$slow report -i long-read.data"
check see '^reading the recording +[0-9]+ %  \[#+ *\]  [0-9]+ s left$'
check see '^h: help'
refute grep -q 'reading' out
keys q
ended 0
begin 80x10 "$slow report --stdio -i long-read.data > text"
check see '^reading the recording +[0-9]+ %  \[#'
ended 0
refute grep -q 'reading' out
perf report --stdio -i long-read.data
check cmp out text
begin 30x10 "$slow report --stdio -i long-read.data > text"
check see '^reading the recording'
check [ "$(grep -n '^DONE\|^[^r]' out | wc -l)" -eq 0 ] # one line of it
kill -TERM "$(pgrep -f "^$PERF report --stdio -i long-read.data" | head -n 1)"
ended 143
refute grep -q 'reading' out
# on_terminal COMMAND: all that it writes there, to out
on_terminal() { timeout 60 script -qec "$1" out > err 2>&1 < /dev/null; }
for command in 'report --stdio -i long-read.data > text' 'script -i long-read.data > text' \
	'annotate --stdio -i long-read.data > text' 'inject -i long-read.data -o copy.data'; do
	on_terminal "$slow $command"
	check grep -q 'reading the recording' out
	rm -f copy.data
done
on_terminal "READ_SLOWLY=1 $slow record -o end.data -e cpu-clock:u $PWD/work"
check grep -qE 'finishing the recording +[0-9]+ %  \[' out
check grep -qE 'Captured and wrote .* end.data' out
on_terminal "READ_SLOWLY=1 $slow record -q -o end.data -e cpu-clock:u $PWD/work"
refute grep -q 'finishing' out
on_terminal "$slow report -q --stdio -i long-read.data > text"
refute grep -q 'reading' out
on_terminal "TERM=dumb $slow report --stdio -i long-read.data > text"
refute grep -q 'reading' out
on_terminal "$slow report --stdio -i long-read.data | cat > text"
refute grep -q 'reading' out
on_terminal "$slow report --stdio -i long-read.data > text 2>&1"
refute grep -q 'reading' text

step "^Z gives the shell its terminal, fg takes it back"
end_all
tmux -L perf$nr -f /dev/null new-session -d -x 80 -y 24 "PS1='prompt ' bash --norc -i"
keys "$PERF report -i x.data" Enter
check see '^h: help'
keys C-z
check see 'prompt'
check gone '^h: help'
keys fg Enter
check see '^h: help'
# Stopped by others, it takes the terminal back, too, and goes on.
pid=$(pgrep -f "^$PERF report -i x.data" | head -n 1)
check [ -n "$pid" ]
for signal in TSTP STOP; do
	kill -$signal "$pid"
	check see '^\[1\]\+  Stopped'
	keys fg Enter
	check gone 'Stopped'
	keys d
	check see '^h: help  dso: '
	keys d
	check gone '^h: help  dso: '
	check see '^h: help'
done
keys q
check see 'prompt'
check gone '^h: help'

step "a terminal that goes away ends it"
begin 80x24 "$PERF report -i x.data"
check see '^h: help'
pid=$(pgrep -f "^$PERF report -i x.data" | head -n 1)
check [ -n "$pid" ]
end_all
for _ in $(seq 100); do
	kill -0 "$pid" 2> err || break
	sleep 0.1
done
refute kill -0 "$pid"

step "a signal that ends it, or a crash, leaves the terminal as it was"
for signal in HUP TERM QUIT SEGV; do
	begin 80x24 "$PERF report -i x.data"
	check see '^h: help'
	pid=$(pgrep -f "^$PERF report -i x.data" | head -n 1)
	check kill -$signal "${pid:-0}"
	ended $((128 + $(kill -l $signal)))
done

step "colours: the usual ones, those of the configuration, none"
colors() {
	begin 80x24 "$1 $PERF report --no-children -i x.data"
	check see '^h: help'
	keys E
	check see '^ +- [0-9.]+% '
	tmux -L perf$nr capture-pane -p -e > colored
	keys q
	ended 0
}
printf '[colors]\n\ttop = yellow, default\n\tmedium = yellow\n\tselected = white, blue\n' > colors
colors "NO_COLOR="
check grep -qE '\[3[12]m|;3[12]m' colored
refute grep -qE '\[33m|;33m' colored
colors "PERF_CONFIG=$PWD/colors"
check grep -qE '\[33m|;33m' colored
check grep -q '44m' colored
refute grep -qE '\[3[12]m|;3[12]m' colored
colors "NO_COLOR=1"
refute grep -qE '[[;]3[0-7]m' colored
check grep -qE '[[;]7m' colored
printf '[colors]\n\ttop = purple\n' > colors
begin 200x24 "PERF_CONFIG=$PWD/colors $PERF report -i x.data"
check see "not a colour 'purple'"
check see '^DONE'

step "text where it cannot browse: --stdio, a pipe, a dumb or unknown terminal, NO input"
for command in "$PERF --no-pager report --stdio -i x.data" "$PERF report -i x.data | cat" \
	"TERM=dumb $PERF --no-pager report -i x.data" "TERM=nosuch $PERF --no-pager report -i x.data" \
	"$PERF --no-pager report -i x.data < /dev/null" "$PERF --no-pager report --tui -i x.data < /dev/null" \
	"$PERF --no-pager report -i x.data -t,"; do
	begin 100x200 "$command"
	check see '^# Samples: |^# Overhead'
	check see '^DONE'
done
begin 100x200 "TERM=nosuch $PERF --no-pager report -i x.data"
check see "cannot browse on the terminal 'nosuch'"

step "names from files reach the screen as text"
cp work "$(printf 'w\033[31m\303\251')"
perf record -q -F 2000 -e cpu-clock:u -o name.data "./$(printf 'w\033[31m\303\251')"
begin 100x24 "$PERF report -i name.data"
check see 'w\?\[31mé'
keys q
ended 0

step "names that are wide, combine, or are no characters"
wide=$(printf '\346\274\242\345\255\227') combining=$(printf 'e\314\201x') invalid=$(printf 'w\377x')
for name in "$wide" "$combining" "$invalid"; do cp work "$name"; done
perf record -q -F 2000 -e cpu-clock:u -o wide.data sh -c "./'$wide'; ./'$combining'; ./'$invalid'"
begin 100x24 "$PERF report -i wide.data -s comm,sym"
check see "^ +[0-9.]+%  $wide {5}\[\.\] leaf"
check grep -qE "^ +[0-9.]+%  $combining {7}\[\.\] leaf" out
check grep -qE '^ +[0-9.]+%  w\?x {6}\[\.\] leaf' out
keys / x
check see 'ymbols with.*: x' # some symbol of libc may have one
keys Tab Tab Enter
check see 'comms with: x'
check gone "$wide"
check grep -q "$combining" out
keys q
ended 0

step "each kind of terminal is browsed on, and given back"
for terminal in linux xterm xterm-256color screen tmux; do
	if ! infocmp "$terminal" > terminfo 2>&1; then
		echo "  # this machine knows no $terminal"
		continue
	fi
	begin 80x24 "TERM=$terminal $PERF report --no-children -i x.data"
	check see '^\+ +[0-9.]+% +work +work +\[\.\] leaf'
	keys Down Up Enter # others are sent as tmux's own terminal has them
	check see '^- +[0-9.]+% +work +work +\[\.\] leaf'
	keys h
	check see 'zoom into the row'
	keys q
	check see '^  Overhead'
	keys q
	ended 0
done

step "windows that change size all the time"
begin 80x24 "$PERF report --no-children -i x.data"
check see '^h: help'
pid=$(pgrep -f "^$PERF report --no-children -i x.data" | head -n 1)
for i in $(seq 60); do
	kill -WINCH "${pid:-0}"
	tmux -L perf$nr resize-window -x $((10 + i * 7 % 90)) -y $((3 + i * 5 % 30))
	kill -WINCH "${pid:-0}" "${pid:-0}"
	keys E C
done
tmux -L perf$nr resize-window -x 80 -y 24
keys C
check see '^\+ +[0-9.]+% +work +work +\[\.\] leaf'
check grep -q '^h: help' out
keys q
ended 0

step "a session: expand, E, C, the menu, zoom into the DSO, annotate, and back, with other sizes between"
# at SIZE COLUMNSxROWS: the screen gets that many
at() {
	tmux -L perf$nr resize-window -x "${1%x*}" -y "${1#*x}"
	for _ in $(seq 100); do
		[ "$(tmux -L perf$nr display -p '#{pane_width}x#{pane_height}')" = "$1" ] && return 0
		sleep 0.1
	done
	return 1
}
leaf='\+ +[0-9.]+% +work +work +\[\.\] leaf'
for size in 80x24 200x60 10x3; do
	begin "$size" "$PERF report --no-children -g graph,0.5,callee -i x.data"
	if [ "$size" = 10x3 ]; then
		check see '^Samples: '
		check grep -qE '^\+ +[0-9.]+%$' out # no room for headings: one row
		keys Enter
		check see '^- +[0-9.]+%$'
		keys Down
		check see '^ +[-+] [0-9.]'
		check [ "$(grep -c . out)" -eq 3 ]
		keys Home Enter
		check see '^\+ +[0-9.]+%$'
		check at 80x24
	fi
	check see "^$leaf"
	check [ "$(tmux -L perf$nr capture-pane -p | grep -n '^h: help' | cut -d: -f1)" = "$([ "$size" = 200x60 ] && echo 60 || echo 24)" ]
	keys Enter # a + at an entry with chains: into it
	check see '^- +[0-9.]+% +work +work +\[\.\] leaf'
	check see '^    \+ [0-9.]+% +leaf$'
	keys E
	check see '^      - [0-9.]+% +many$'
	check see '^ +main$'
	check at 10x3
	check see '^- +[0-9.]+%$'
	check at 200x60
	check see '^      - [0-9.]+% +few$'
	keys C
	check gone '^    - '
	check at 80x24
	keys m
	check see '[│|] +Annotate leaf'
	check grep -qE 'Zoom into work DSO' out
	check at 10x3
	check at 80x24
	keys Escape
	check choose 'Zoom into work DSO'
	check see 'dso: work'
	check gone 'Shared Object'
	check see '^\+ +[0-9.]+% +work +\[\.\] leaf'
	if has capstone; then
		check choose 'Annotate leaf'
		check see '^leaf\(\)'
		check see '^ +[0-9]+\.[0-9]+ '
		hot=$(grep -cE '^ +[0-9]+\.[0-9]+ ' out)
		check at 200x60
		check see '^leaf\(\)'
		check [ "${hot:-0}" -gt 0 ]
		check at 10x3
		check at 80x24
		check see '^leaf\(\)'
		keys Escape
	fi
	check see 'dso: work'
	keys Escape
	check see "^$leaf"
	check at "$size"
	keys Escape
	ended 0
done

step "a file that is cut or damaged is named on the screen; W shows what text has on stderr"
bytes=$(stat -c %s x.data)
head -c $((bytes * 2 / 3)) x.data > cut.data
begin 80x24 "$PERF report --no-children -i x.data"
check see '^h: help'
refute grep -qE 'W: |the recording is' out
keys q
ended 0
for size in 80x24 200x60; do
	begin $size "$PERF report --no-children -i cut.data"
	check see '^h: help  W: [1-9][0-9]* warnings?  the recording is cut'
	keys W
	check see '^Messages'
	check grep -qE '^Warning: cut.data is cut: [0-9]+ of ' out
	perf report --stdio -i cut.data 2> said > text
	check [ "$(grep -c '^Warning: ' out)" -eq "$(grep -c '^Warning: ' said)" ]
	keys q
	check see '^h: help'
	keys m
	check see '^.*Warnings'
	keys Escape q
	ended 0
done
cp x.data damaged.data
printf '%02000d' 0 | dd of=damaged.data bs=8 seek=$((bytes / 16)) conv=notrunc 2> dd.err
begin 80x24 "$PERF report --no-children -i damaged.data"
check see 'W: [1-9][0-9]* warnings?  the recording is damaged'
keys q
ended 0

step "files without samples, and with one"
perf record -q -e dummy:u -o none.data true
begin 80x24 "$PERF report -i none.data"
check see '^No samples'
keys Down End PPage E C e + x
check see '^No samples'
keys Enter
check see 'Menu \(Enter'
refute grep -q 'Annotate' out
keys Escape
check see '^h: help'
keys r Enter
check see '^no sample passes'
keys q
check see '^No samples'
keys q
ended 0
check ./gen-profile 1 "$PWD/work" one.data
begin 80x24 "$PERF report --no-children -i one.data"
check see '^\+ +100\.00% +profiled'
keys E
check see '^- +100\.00% +profiled'
keys r End Up Up Enter
check see '^Samples that pass the filters'
check grep -qE '^profiled +1000 ' out
keys q End q
ended 0

step "a program that went while it was looked at; files of others are not written over"
cp work gone
perf record -q -F 2000 -g -e cpu-clock:u -o gone.data ./gone
mkdir -p others
echo mine > victim
ln -s ../victim others/perf.hist.0
ln -s nowhere others/perf.hist.1
begin 80x24 "(cd others && $PERF --buildid-dir $PWD/no-cache report --no-children -i ../gone.data)"
check see '\[\.\] leaf'
rm gone
keys a
check see "gone|No such file|capstone"
keys x
check see '\[\.\] leaf'
keys P
check see 'written to perf.hist.2'
keys x w victim2 Enter
check see 'written to victim2'
keys x w perf.hist.1 Enter
check see "cannot write 'perf.hist.1': File exists"
keys x w ../victim Enter
check see "cannot write '../victim': File exists"
keys x q
ended 0
check grep -qx mine victim
check [ ! -e others/nowhere ]
finish
