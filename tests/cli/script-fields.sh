#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf script -F: each field that a sample can have, as Linux's perf prints it, and what is said where a
# recording lacks it. And what is shown between two events.
. "$(dirname "$0")/../lib.sh"
plan 21
. "$TESTS/data/fields.sh"

# same FILE FIELDS: the text is that of Linux's perf.
same() {
	"$REF" script --kallsyms symbols -F "$2" -i "$1" < /dev/null 2> ref.err > ref
	perf script --kallsyms symbols -F "$2" -i "$1"
	check [ $rc -eq 0 ]
	check [ "$(wc -l < ref)" -ge 3 ]
	check diff ref out
}

step "branches: addresses, names, addresses in their objects, dsos"
for fields in brstack brstack,dso brstacksym brstackoff ip,brstack ip,sym,brstacksym ip,sym,dso,brstacksym \
	comm,brstack,brstacksym,brstackoff time,event,brstackoff,period; do
	same branches.data "comm,$fields"
	same jumps.data "comm,$fields"
done
perf script -F brstack -i jumps.data
for kind in COND RET IND_CALL NO_TX; do
	check grep -q "/$kind " out
done

step "the instruction at the address: its bytes and their number, user's and kernel's"
for fields in insn insnlen insn,insnlen sym,dso,insn,insnlen; do
	same memory.data "comm,ip,$fields"
	same branches.data "ip,$fields"
	same plain.data "comm,ip,$fields"
done

if command -v objdump > /dev/null; then
	# The last code of the file is not long enough for the longest of instructions.
	# shellcheck disable=SC2046 # addresses
	python3 "$TESTS/data/at.py" prog last.data $(objdump -dj .fini prog | sed -nE 's/^ +([0-9a-f]+):.*/\1/p')
	perf script -F ip,insn -i last.data
	check [ "$(wc -l < out)" -ge 3 ]
	check cmp <(sed 's/^ *//; s/ *$//' out) <(objdump -dj .fini prog | sed -nE 's/^ +([0-9a-f]+):\t([0-9a-f ]*[0-9a-f]) .*/\1 insn: \2/p')
fi

step "disasm: the text that objdump has there"
perf script -F ip,disasm -i memory.data
if command -v objdump > /dev/null && need_library capstone; then
	# Samples are anywhere: those at the starts of instructions are what objdump can tell of.
	objdump -d --no-show-raw-insn prog | sed -nE 's/^ +([0-9a-f]+):\t([a-z]+).*/\1 \2/p' | sort > starts
	sed -E 's/^ *([0-9a-f]+)\t\t([a-z]+).*/\1 \2/' out | sort -u > ours
	join starts ours > both
	check [ "$(wc -l < both)" -ge 10 ]
	check awk '$2 != $3 { print; bad = 1 } END { exit bad }' both
fi

step "data sources, whole: Linux's perf cuts them off at 99 letters"
"$REF" script -F data_src -i memory.data 2> ref.err | sed 's/ *$//' > ref
perf script -F data_src -i memory.data
check diff ref <(cut -c 1-99 out | sed 's/ *$//')
check [ "$(awk '{ print length($0) }' out | sort -n | tail -n 1)" -gt 99 ]
check grep -qE '^ +[0-9a-f]+ \|OP [^|]+\|LVL [^|]+\|SNP [^|]+\|TLB [^|]+\|LCK [^|]+\|BLK  [^|]+$' out
refute grep -qvE '\|BLK  (N/A|Data|Addr|Data Addr) *$' out

step "weights and latencies, flags, what decoders fill"
for fields in weight ins_lat,weight flags,event,ip synth,ip ipc,ip machine_pid,vcpu,ip addr,weight,phys_addr,data_page_size; do
	same memory.data "comm,$fields"
done
perf script -F weight,ins_lat,retire_lat -i memory.data
check [ "$(awk '{ print $3 }' out | sort -n | uniq | tr '\n' ' ')" = "0 5 9 " ] # tests/data/fields.py

step "srccode: the line of the source, when a thread comes to another"
same memory.data comm,ip,srccode
same memory.data comm,ip,sym,srccode,weight
same memory.data ip,sym,srcline,srccode
perf script -F ip,srccode -i branches.data # which has chains
check grep -q '^|2        FN(1)' out

step "tod: the time of the wall, also before the lines of other records"
perf record -q -k CLOCK_MONOTONIC -e cpu-clock -o tod.data "$WORKLOADS/planted" 0.1
same tod.data comm,tod,time,event
TZ=Asia/Kathmandu same tod.data misc,tod,event
perf script --ns -F tod -i tod.data
check grep -qE "^$(date +%Y)-[0-9-]{5} [0-9:]{8}\.[0-9]{9} \$" out
perf script -F comm,tod -i memory.data
check [ $rc -eq 255 ]
check grep -q "Can't provide 'tod' time, missing clock data. Please record with -k/--clockid option." err

step "--json: the objects of data convert, one to a line; filters; what does not go with it"
for kind in memory plain; do
	perf data convert --force --to-json all.json -i $kind.data
	perf script --json -i $kind.data
	check python3 -c '
import json
lines = [json.loads(line) for line in open("out")]
assert len(lines) == 400 and lines == json.load(open("all.json"))["samples"]'
done
perf script -F event -G -i plain.data
tr -d ': ' < out > events
check [ "$(sort -u events | tr '\n' ' ')" = "cycles instructions " ]
perf script --json -i plain.data
check diff events <(sed -E 's/.*"comm": "[a-z:0-9]*", "event": "([a-z]*)", .*/\1/' out)
if /usr/bin/python3 -c 'import jsonschema' 2> /dev/null; then # of Debian's packages
	check /usr/bin/python3 -c '
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for line in open("out"):
    jsonschema.validate(json.loads(line), schema)' "$SRC/Documentation/sample.schema.json"
fi
perf script --json -i plain.data --comms second --max-stack 2
check python3 -c '
import json
lines = [json.loads(line) for line in open("out")]
assert 50 < len(lines) < 350 and all(s["comm"] == "second" for s in lines)
assert max(len(s["callchain"]) for s in lines) == 2'
for option in '-F ip' -D --header --show-mmap-events; do
	# shellcheck disable=SC2086
	perf script --json -i plain.data $option
	check [ $rc -eq 255 ]
	check grep -q "cannot use '${option:0:2}.*--json prints an object for each sample" err
	check [ ! -s out ]
done

step "--per-event-dump: each event's entries in a file of its own"
mkdir dumps theirdumps
cp plain.data dumps/a.data
cp plain.data theirdumps/a.data
(cd theirdumps && "$REF" script --kallsyms ../symbols --per-event-dump -i a.data > /dev/null 2> ../ref.err)
perf script --kallsyms symbols --per-event-dump --show-cgroup-events -i dumps/a.data
check [ $rc -eq 0 ]
refute grep -v '^\[ perf script: Wrote 0\.0[0-9]* MB dumps/a\.data\.[a-z]*\.dump ([0-9]* samples) \]$' out
check diff -r dumps theirdumps
check [ "$(sed -E 's/.*\(([0-9]+) .*/\1/' out | awk '{ n += $1 } END { print n }')" -eq 400 ]
chmod 600 dumps/a.data dumps/*.dump
perf script --per-event-dump --json --show-task-events -i dumps/a.data
check [ $rc -eq 255 ]
check diff -r dumps theirdumps
perf script --per-event-dump --json -i dumps/a.data --comms first
check [ "$(cat dumps/*.dump | grep -c '^{"timestamp": .*}$')" -eq "$("$PERF" script -G -i plain.data --comms first -F comm | wc -l)" ]
check [ "$(stat -c %a dumps/a.data.cycles.dump)" = 600 ]
perf record -q -e cpu-clock/period=1000000/u -e cpu-clock/period=1000000/u -o twice.data "$WORKLOADS/planted" 0.05
perf script --per-event-dump -i twice.data -F ip
check [ $rc -eq 0 ]
check [ "$(wc -l < 'twice.data.cpu-clock_period=1000000_u.dump')" -gt 10 ]
check [ "$(wc -l < 'twice.data.cpu-clock_period=1000000_u.2.dump')" -gt 10 ]

cp twice.data dir.data
mkdir 'dir.data.cpu-clock_period=1000000_u.2.dump' # the second file cannot be made: so none is
perf script --per-event-dump -i dir.data
check [ $rc -eq 255 ]
check grep -q "dir.data.cpu-clock_period=1000000_u.2.dump" err
check [ "$(echo dir.data*)" = "dir.data dir.data.cpu-clock_period=1000000_u.2.dump" ]
"$PERF" record -q -o - -e cpu-clock -g "$WORKLOADS/planted" 0.1 2> err > live.data
IN=live.data perf script --json -i -
check python3 -c 'import json; assert [json.loads(line) for line in open("out")][-1]["callchain"]'

step "-S: addresses, ranges; -d; --graph-function"
at=$(nm prog | sed -nE 's/^0*([0-9a-f]+) T fn_1$/\1/p')
for filter in "-S $at" "-S 0x$at" "-S fn_2,$at" "-S $at --addr-range 9" "-S fn_3,0x$at,ffffffff81001000 --addr-range 0x41" "--addr-range 3"; do
	# shellcheck disable=SC2086
	"$REF" script --kallsyms symbols -G -F ip,sym,symoff -i plain.data ${filter/0x41/65} < /dev/null > ref 2> ref.err
	# shellcheck disable=SC2086
	perf script --kallsyms symbols -G -F ip,sym,symoff -i plain.data $filter
	check [ $rc -eq 0 ]
	check [ -s ref ]
	check diff ref out
done
perf script -i plain.data -S "${at}zz,0x12" --addr-range 3
check [ ! -s out ]
check grep -q "no sample has the symbol '0x12'" err
check grep -q "no sample has the symbol '${at}zz'" err
perf script -d -i plain.data
check grep -qx 'Misordered timestamps: 0' err
perf script -i plain.data --graph-function fn_1
check [ $rc -eq 255 ]
check grep -q "cannot use '--graph-function'" err

step "bpf-output: what programs write, as bytes and as text; by default, too"
python3 "$TESTS/data/fields.py" output "$PWD/prog" output.data
for fields in +misc +phys_addr +insn,+phys_addr,-period sw:+srccode -bpf-output; do
	same output.data $fields
done
check [ "$(wc -l < out)" -eq 400 ]
perf script -F bpf-output,comm -i output.data
check grep -qx '      BPF string: "hello, world"' out
check [ "$(grep -c '^ *\(:701\|first\|second\) *$' out)" -eq 400 ]
refute grep -q "$(printf '[\033\001]')" out
perf script -F hw:bpf-output -i plain.data
check [ $rc -eq 129 ]

step "--show-bpf-events, --show-text-poke-events"
for options in '' '-F comm,pid,ip,misc,time'; do
	# shellcheck disable=SC2086
	"$REF" script --kallsyms symbols --show-bpf-events --show-text-poke-events $options -i output.data 2> ref.err |
		grep -E 'PERF_RECORD|(Old|New) bytes' > ref
	# shellcheck disable=SC2086
	perf script --kallsyms symbols --show-bpf-events --show-text-poke-events $options -i output.data
	check [ $rc -eq 0 ]
	check [ "$(wc -l < ref)" -eq 7 ]
	check diff ref <(grep -E 'PERF_RECORD|(Old|New) bytes' out)
done
perf script --show-bpf-events -i output.data
check [ "$(grep -c PERF_RECORD out)" -eq 4 ]

step "types of events; metrics of samples"
for type in hw_cache other breakpoint break; do
	perf script -F $type:comm -i plain.data -G # which has none of these
	check [ $rc -eq 0 ]
	check grep -q ' cycles: ' out
done
same memory.data +metric
perf record -q -e '{cpu-clock,task-clock}:S' -o counts.data "$WORKLOADS/planted" 0.05
perf script -F +metric -i counts.data
check [ $rc -eq 255 ]
check grep -q "cannot print field 'metric'.* have counts" err

step "dsoff: where in its object"
perf script -F ip,dso,dsoff -i branches.data
check grep -qE "^	 +11b3 \($PWD/prog\+0x11b3\)$" out

step "what a recording lacks is said with the option that keeps it"
while read -r field file attribute option; do
	perf script -F "comm,$field" -i "$file.data"
	check [ $rc -eq 255 ]
	check grep -qF "Samples for 'cycles' event do not have $attribute attribute set. Cannot print '$field' field." err
	check grep -q -e "record.*$option" err
	"$REF" script -F "comm,$field" -i "$file.data" < /dev/null > ref 2> ref.err
	[ "$field" = retire_lat ] || check grep -qF "do not have $attribute attribute set. Cannot print '$field' field." ref.err
done << 'END'
data_src branches DATA_SRC -d
weight branches WEIGHT --weight
ins_lat branches WEIGHT_STRUCT --weight
phys_addr branches PHYS_ADDR --phys-data
retire_lat branches WEIGHT_STRUCT --weight
END

# as_linux FILE OPTION...: the text is that of Linux's perf.
as_linux() {
	both_scripts "$@"
	check [ "$(wc -l < ref)" -ge 3 ]
	check diff ref out
}

step "-L, --insn-trace, --call-trace, --call-ret-trace: other lines"
for file in memory branches jumps plain; do
	as_linux $file.data -L
	as_linux $file.data -L -F comm,pid,tid,cpu,time,event
	as_linux $file.data --call-trace
	as_linux $file.data --call-ret-trace
	as_linux $file.data --insn-trace
	as_linux $file.data --insn-trace -F +period
done
perf script --xed -i memory.data
check [ $rc -eq 255 ]
check grep -q 'F +disasm prints the text of instructions' err

step "-F folded: one line a stack, from its outermost frame on"
perf script --kallsyms symbols -F comm,ip,sym -i plain.data
awk '/^[^\t ]/ { comm = $1; n = 0 } /^\t/ { n++; name[n] = $2 } /^$/ { line = comm; while (n) line = line ";" name[n--]; print line " 1" }' out > expected
perf script --kallsyms symbols -F folded -i plain.data
check [ "$(wc -l < out)" -eq 400 ]
check diff expected out
perf script --kallsyms symbols -F folded,period -i plain.data
check diff <(sed 's/ [0-9]*$//' expected) <(sed 's/ [0-9]*$//' out)
perf script -F period -i plain.data
check cmp <(tr -d ' ' < out) <("$PERF" script --kallsyms symbols -F folded,period -i plain.data | sed 's/.* //')
perf script -F folded -i memory.data # no chains: the function alone
check grep -qxE 'first;fn_[1-6] 1' out
perf script -F folded,time -i plain.data
check [ $rc -eq 255 ]
check grep -q 'of other fields only period' err

step "--stop-bt: a chain ends at a function, also of the kernel, also one that was inlined"
for functions in fn_3 fn_3,fn_1 kern_one nosuch; do
	as_linux branches.data --stop-bt $functions
	as_linux plain.data --stop-bt $functions
done
cat > inlined.c << 'END'
static inline __attribute__((always_inline)) int within(int i) { volatile int x = i; while (i--) x += i * i; return x; }
__attribute__((noinline)) int below(int i) { return within(i) + 1; }
int main(void) { int n = 0; for (int i = 0; i < 40; i++) n += below(1000000); return n == 7; }
END
check "${CC:-cc}" -O1 -g -fno-omit-frame-pointer -o inlined inlined.c
perf record -q -g -e cpu-clock:u -o inlined.data ./inlined
# ends_of: the last frame of each chain that `within` is in; a sample may also be of main itself, or before it.
ends_of() {
	awk -v RS= '/ within/ { print $NF }' out | sort | uniq -c
}
perf script --inline -F ip,sym -i inlined.data
check grep -q ' main$' out
refute grep -q ' below$' <(ends_of)
perf script --inline -F ip,sym -i inlined.data --stop-bt within
check grep -q ' below$' <(ends_of) # which within is inlined into
check [ "$(ends_of | wc -l)" -eq 1 ]

step "--dump-unsorted-raw-trace: the records as they stand in the file"
for file in memory branches; do
	"$REF" script --dump-unsorted-raw-trace -i $file.data < /dev/null 2> ref.err | sed '/^\.\.\. weight: /d' > ref
	perf script --dump-unsorted-raw-trace -i $file.data
	check diff ref <(sed '/^\.\.\. weight: /d' out)
	check grep -q PERF_RECORD_SAMPLE out
done

# What both print alike of a report.
rows() {
	sed -nE 's/ +$//; /^#.*(Samples:|Event count)|^ /p' "$1"
}

step "--switch-on, --switch-off: the samples between two events, in script and report"
for options in '--switch-on cycles' '--switch-on instructions --switch-off cycles' '--switch-on instructions --switch-off instructions' \
	'--switch-on cycles --switch-off instructions --show-on-off-events'; do
	# shellcheck disable=SC2086
	"$REF" script --kallsyms symbols -F comm,tid,time,event,ip -i jumps.data $options > ref 2> ref.err
	# shellcheck disable=SC2086
	perf script --kallsyms symbols -F comm,tid,time,event,ip -i jumps.data $options
	check [ $rc -eq 0 ]
	check diff ref out
	[[ $options == *'off cycles' ]] || check [ "$(wc -l < out)" -ge 100 ] # nothing is between those
	# shellcheck disable=SC2086
	"$REF" report --stdio --kallsyms symbols -i memory.data $options > ref 2> ref.err
	# shellcheck disable=SC2086
	perf report --stdio --kallsyms symbols -i memory.data $options
	check diff <(rows ref) <(rows out)
	[[ $options == *'off cycles' ]] || check grep -q '^ .*%' out
done
perf report --stdio -i memory.data --switch-on instructions --switch-off cycles
check grep -q 'none of the 400 samples passes --switch-on, --switch-off' err
perf script -F event -i jumps.data --switch-off instructions
check [ "$(sort out | uniq -c | tr -s ' ')" = " 2 cycles: " ] # the third sample is the first of instructions
perf script -F event,time -i jumps.data --switch-on cycles --time ,5.1
check [ "$(wc -l < out)" -ge 10 ]
check awk '$1 + 0 > 5.1 { exit 1 }' out
"$PERF" record -q -o - -e cpu-clock -e task-clock "$WORKLOADS/planted" 0.2 2> err | "$PERF" script -i - -F event --switch-on task-clock > out 2> err
check grep -q cpu-clock out

step "--switch-on, --switch-off: an event that is not there, and one that never comes"
for command in script report; do
	perf $command -i jumps.data --switch-on cycle
	check [ $rc -eq 255 ]
	check grep -q "switch-on event not found: 'cycle'" err
	check grep -q "did you mean 'cycles'" err
	perf $command -i jumps.data --switch-off nosuch
	check [ $rc -eq 255 ]
	check grep -q "switch-off event not found: 'nosuch'" err
done
perf record -q -e cpu-clock -e major-faults:k -o never.data "$WORKLOADS/planted" 0.1
perf script -F event -i never.data --switch-on major-faults:k
check [ $rc -eq 0 ]
check [ ! -s out ]
check grep -q "no sample of 'major-faults:k'" err
finish
