#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf script --dlfilter: the same filter, built once with our header, is told the same by Linux's perf and by
# ours; what it keeps; how it is found and listed; and filters that fail.
. "$(dirname "$0")/../lib.sh"
plan 9
. "$TESTS/data/fields.sh"
python3 "$TESTS/data/fields.py" output "$PWD/prog" output.data

# filter NAME: built from the C on standard input.
filter() {
	{ printf '#include <perf/perf_dlfilter.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n' && cat; } > "$1.c"
	"${CC:-cc}" -I "$SRC/include" -shared -fPIC -O1 -w -o "$1.so" "$1.c" 2>> cc.err
}

"${CC:-cc}" -I "$SRC/include" -shared -fPIC -w -o told.so "$TESTS/data/told.c" 2> cc.err ||
	skip_all "no shared object can be built: $(head -n 1 cc.err)"

# as_linux FILE OPTION...: what is printed, by the filter, too, is that of Linux's perf.
as_linux() {
	both_scripts "$@"
	# Of x86 only newer perfs know the third word of a weight.
	check diff <(sed -E 's/^((early|event) [0-9]+ [0-9]+) [0-9]+/\1/' ref) <(sed -E 's/^((early|event) [0-9]+ [0-9]+) [0-9]+/\1/' out)
}

step "all that a filter is told: samples, places, code, source, events, arguments"
for file in memory branches jumps plain output; do
	as_linux $file.data -F comm,ip --dlfilter ./told.so --dlarg a --dlarg 'b c'
	check [ "$(grep -c '^early ' out)" -eq 400 ]
	check [ "$(grep -c '^event ' out)" -eq "$(grep -c '^early .* t [0-9]*0 ' out)" ]
done
check grep -qx "start 2 'a' 'b c' 1" out
check grep -qx "stop 400" out
perf script --kallsyms symbols -i memory.data -F comm,ip --dlfilter ./told.so
check grep -q 'OTHER var_[a-z]*+[0-9a-f]* [0-9a-f]* \[[0-9a-f]*,[0-9a-f]*) prog .*KERN kern_one+3 ' out
check grep -qE 'insn [1-9][0-9]* ([0-9a-f]{2} )+src .*/prog.c:[1-9] .* code 8 ' out

step "before and behind the other filters"
for options in '--comms second' '-S fn_2' '--time 5.1,5.2' '-C 1' '--pid 800'; do
	# shellcheck disable=SC2086
	as_linux branches.data -F comm,ip --dlfilter ./told.so $options
	check [ "$(grep -c '^early ' out)" -eq 400 ]
	check [ "$(grep -c '^event ' out)" -lt 300 ]
done

step "only what it keeps is printed: as text, as objects, of a stream, in files for each event"
filter fours << 'END'
struct perf_dlfilter_fns perf_dlfilter_fns;
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(ctx);
	return !al || !al->sym || strcmp(al->sym, "fn_4");
}
END
perf script -F ip,sym -G -i plain.data
cp out all
grep ' fn_4$' all > expected
check [ "$(wc -l < expected)" -ge 20 ]
perf script -F ip,sym -G -i plain.data --dlfilter ./fours.so
check diff expected out
IN=plain.data perf script -F ip,sym -G -i - --dlfilter ./fours.so
check diff expected out
perf script --json -i plain.data --dlfilter ./fours.so
check [ "$(grep -c '^{' out)" -eq "$(wc -l < expected)" ]
perf script --per-event-dump -F ip,sym -G -i plain.data --dlfilter ./fours.so
check diff <(sort expected) <(sort plain.data.*.dump)

step "what a filter prints stands where it was printed, however much that is"
filter prints << 'END'
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	char text[20000];
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = 0;
	printf("%s %llu\n", text, sample->time);
	return 0;
}
END
perf script -F time --ns -i plain.data --dlfilter ./prints.so
check [ "$(wc -l < out)" -eq 800 ]
check [ -z "$(sed 's/x//g; s/[. :]//g' out | sed 's/^0*//' | uniq -c | awk '$1 != 2')" ]

step "where it is found: a path, here, in the exec path; and the list"
mkdir -p exec/dlfilters empty/dlfilters elsewhere
cp fours.so exec/dlfilters/installed.so
cp told.so exec/dlfilters
echo nothing > exec/dlfilters/nothing.so
export PERF_EXEC_PATH=$PWD/exec
for name in "$PWD/fours.so" ./fours.so fours.so installed.so; do
	perf script -F ip,sym -G -i plain.data --dlfilter "$name"
	check diff expected out
done
perf script --list-dlfilters
check [ $rc -eq 0 ]
check [ "$(head -n 1 out)" = "List of available dlfilters:" ]
check grep -qx '  told.so                              prints what it sees' out
check grep -qE '^  installed.so +$' out
refute grep -q 'nothing' out
cp out ours
perf script --list-dlfilters -v
check grep -qx '                                       all that it is told' out
(cd empty && "$REF" --exec-path="$OLDPWD/exec" script -v --list-dlfilters < /dev/null 2> ../ref.err) | grep -A1 told > ref
check diff <(head -n 2 ref) <(grep -A1 told out)
PERF_EXEC_PATH=$PWD/empty perf script --list-dlfilters
check [ $rc -eq 0 ]
check [ "$(wc -l < out)" -eq 1 ]

step "what is no filter, or not there"
filter other << 'END'
int nothing;
END
for name in nosuch.so ./nosuch.so nothing.so ./other.so ./prog.c; do
	perf script -i plain.data --dlfilter $name
	check [ $rc -eq 255 ]
	check [ ! -s out ]
	check grep -q "dlfilter '$name'" err
done
check grep -q "cannot load the dlfilter './prog.c'" err
perf script -i plain.data --dlarg a
check [ $rc -eq 255 ]
check grep -q "cannot use '--dlarg'" err

step "a filter that says no: the error has its name, and what was printed stays"
filter refuses << 'END'
static int at, end;
struct perf_dlfilter_fns perf_dlfilter_fns;
int start(void **data, void *ctx)
{
	int nr;
	char **args = perf_dlfilter_fns.args(ctx, &nr);
	at = atoi(args[0]);
	end = nr > 1;
	return at ? 0 : -22;
}
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	return !at-- ? -5 : 0;
}
int stop(void *data, void *ctx)
{
	return end ? -7 : 0;
}
END
perf script -F ip,sym -G -i plain.data
cp out all
perf script -F ip,sym -G -i plain.data --dlfilter ./refuses.so --dlarg 0
check [ $rc -eq 255 ]
check [ ! -s out ]
check grep -q "dlfilter refused './refuses.so': its start() returned -22" err
perf script -F ip,sym -G -i plain.data --dlfilter ./refuses.so --dlarg 100
check [ $rc -eq 255 ]
check cmp out <(head -n 100 all)
check grep -q "its filter_event() returned -5" err
perf script -F ip,sym -G -i plain.data --dlfilter ./refuses.so --dlarg 1000
check [ $rc -eq 0 ]
check cmp out all
perf script -F ip,sym -G -i plain.data --dlfilter ./refuses.so --dlarg 1000 --dlarg end
check [ $rc -eq 255 ]
check cmp out all
check grep -q "its stop() returned -7" err

step "a fault in a filter ends perf with its name, and what was printed stays"
filter faults << 'END'
struct perf_dlfilter_fns perf_dlfilter_fns;
static const char *how;
static volatile int zero, depth;
static int deeper(volatile char *p) { volatile char here[4096]; here[0] = p[0]; depth++; return deeper(here) + here[1]; }
static int fault(void *ctx)
{
	char c = 0;
	if (!strcmp(how, "null")) *(volatile int *)0 = 1;
	if (!strcmp(how, "abort")) abort();
	if (!strcmp(how, "divide")) return 1234 / zero;
	if (!strcmp(how, "stack")) return deeper(&c);
	if (!strcmp(how, "bad")) return perf_dlfilter_fns.resolve_address(ctx, 1, (void *)8);
	return 0;
}
int start(void **data, void *ctx)
{
	int nr;
	char **args = perf_dlfilter_fns.args(ctx, &nr);
	how = args[0];
	return nr > 1 ? fault(ctx) : 0;
}
int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	static int nr;
	return ++nr == 51 ? fault(ctx) : 0;
}
int stop(void *data, void *ctx) { puts("stopped"); return 0; }
END
while read -r how signal; do
	perf script -F ip,sym -G -i plain.data --dlfilter ./faults.so --dlarg "$how"
	check [ $rc -eq 255 ]
	check cmp out <(head -n 50 all)
	check grep -qE "fault in the dlfilter './faults.so': $signal.* in its filter_event\(\)" err
done << 'END'
null Segmentation
abort Aborted
divide Floating
stack Segmentation
bad Segmentation
END
perf script -i plain.data --dlfilter ./faults.so --dlarg null --dlarg start
check [ $rc -eq 255 ]
check [ ! -s out ]
check grep -q "in its start()" err
perf script -F ip,sym -G -i plain.data --dlfilter ./faults.so --dlarg none
check [ $rc -eq 0 ]
check cmp <(sed '/^stopped$/d' out) all
check [ "$(tail -n 1 out)" = stopped ]

step "a filter that was built for Linux's perf runs as it is"
theirs=/usr/lib/perf-core/dlfilters/dlfilter-show-cycles.so
if [ -e $theirs ]; then
	for file in branches plain; do
		as_linux $file.data --dlfilter $theirs
		check grep -qE '^ +0 +(:701|first|second) ' out
	done
else
	skip "none is installed"
fi
finish
