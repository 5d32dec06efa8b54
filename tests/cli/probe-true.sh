#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a probe tells is what the program did: the right file is probed where another process sees
# another one under its path, values are those that the program printed or the kernel's own text
# has, and what cannot be true is said.
. "$(dirname "$0")/../lib.sh"
plan 27
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
need_uprobe_events || finish
own_probes
end_tracing() { # of a step that was broken off: the probe cannot be removed before
	local own status=$?
	own=$(tracefs)/instances/$ME
	if [ -d "$own" ]; then
		echo 0 > "$own/events/enable"
		rmdir "$own"
	fi
	(exit $status)
	clear_probes
}
trap end_tracing EXIT

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

# ---- values ----

cat > values.c <<- 'END'
	#include <stdio.h>
	short shorts[4] = { -100, 200, -300, 400 };
	unsigned long longs[3] = { 1, 1ul << 63, ~0ul };
	enum e { A = -3, B = 4 } enums[3] = { A, B, 100 };
	signed char bytes[4] = { -1, -2, 3, 4 };
	char full[8] = { '1', '2', '3', '4', '5', '6', '7', '8' }, letter = 'L', nul, *no_string, empty[4] = "", *names[3] = { "one", 0, "three" }, **nowhere = (char **)8;
	struct node { struct node *next; const char *name; } last = { 0, "last" }, first = { &last, "first" };
	__attribute__((noinline)) int look(struct node *n, int bits) { asm volatile("" ::: "memory"); return bits + !n->name; }
	int main(void) { return printf("%d\n", look(&first, 0x5a)) < 0; }
END
gcc -g -O2 -w -o "${ME}_values" values.c
# texts ARGUMENTS: of a probe with them at look(), by the kernel itself, and by perf script
texts() {
	local own
	own=$(tracefs)/instances/$ME
	perf probe -x "./${ME}_values" -a "$ME:look=look $*"
	check [ $rc -eq 0 ]
	mkdir "$own" && echo 1 > "$own/events/$ME/look/enable"
	"./${ME}_values" > /dev/null # the kernel has a probe either traced or recorded
	echo 0 > "$own/events/$ME/look/enable"
	sed -n 's/.*: look: (0x[0-9a-f]*) //p' "$own/trace" > kernel.txt
	rmdir "$own"
	perf record -q -o values.data -e "$ME:look" "./${ME}_values"
	perf script -i values.data -F trace
	sed 's/^ *([0-9a-f]*) //; s/ *$//' out > perf.txt
	perf probe -q -d "$ME:look"
	check [ "$(wc -l < perf.txt)" -eq 1 ]
}

step "arrays of elements of each size: as the kernel prints them"
texts 'a=shorts:s16[4]' 'b=shorts:x16[2]' 'c=longs:u64[3]' 'd=longs:x64[3]' 'e=enums:s32[3]' 'f=bytes:s8[4]' 'g=bytes:u8[4]' 'h=shorts:u32[2]' 'i=enums:b4@0/32[2]' 'j=longs:s64[2]'
check diff kernel.txt perf.txt
check grep -q '^a={-100,200,-300,400} ' perf.txt
check grep -q ' c={1,9223372036854775808,18446744073709551615} ' perf.txt
perf report -i values.data --stdio -s "$ME:look.e,$ME:look.c"
check grep -q '{-3,4,100}  *{1,9223372036854775808,18446744073709551615}' out

step "characters: as the kernel prints them; what is none by its number"
texts 'a=full:char[8]' 'b=letter:char' 'c=longs[0]:u8' 'd=last.name:string'
check diff kernel.txt perf.txt
check grep -qx "a={'1','2','3','4','5','6','7','8'} b='L' c=1 d=\"last\"" perf.txt
texts 'a=nul:char' 'b=letter:char'
check grep -qx "a='.x00' b='L'" perf.txt

step "a string that cannot be read is a fault, no other one's text, and none is empty by it"
texts 'a=no_string:string' 'b=n->name:string' 'c=empty:string' 'd=n->next->name:string'
check diff kernel.txt perf.txt
check grep -qx 'a=(fault) b="first" c="" d="last"' perf.txt
perf report -i values.data --stdio -s "$ME:look.a,$ME:look.b,$ME:look.c"
check grep -qE '^ +100.00% +\(fault\) +first *$' out
# Arrays of strings, too, which no library here can parse.
texts 'a=names:string[3]' 'b=n->name:string' 'c=names:string[2]'
check diff kernel.txt perf.txt
check grep -qx 'a={"one",(fault),"three"} b="first" c={"one",(fault)}' perf.txt
check [ ! -s err ]
# Of an array that is not there the kernel writes the first place only: the rest is as it was before.
texts 'a=nowhere[0]:string[3]' 'b=names:string[3]' 'c=nowhere[0]:string[4]'
check grep -qx 'a={(fault),(fault),(fault)} b={"one",(fault),"three"} c={(fault),(fault),(fault),(fault)}' perf.txt
# Where even the pointer to it is not there the kernel prints what it read next: "first", "".
texts 'a=n->next->next->name:string' 'b=n->name:string' 'c=n->next->next->next:u64' 'd=n->next->next->name:string' 'e=empty:string' 'f=n->next->next->name:string'
check grep -qx 'a=(fault) b="first" c=0 d=(fault) e="" f=(fault)' perf.txt
check grep -q 'a="first" b="first"' kernel.txt

step "JSON has the fields of probes and of tracepoints: the values that the program has"
texts 'a=shorts:s16[4]' 'c=longs:u64[3]' 'd=full:char[8]' 'e=empty:string' 'f=no_string:string' 'g=names:string[3]' 'h=names[2]:string' 'i=enums[0]:s32' 'j=names:string[1]' 'k=nowhere[0]:string[2]' 'b=bits'
# fields EXPECTED: of the samples in "out"
fields() {
	check [ $rc -eq 0 ]
	python3 - "$1" <<- 'END'
		import json, re, sys
		for line in open("out"):
		    fields = json.loads(line)["fields"]
		    for name in list(fields):
		        if name.startswith("__probe_"):
		            assert re.fullmatch("0x[0-9a-f]+", fields.pop(name)), name
		    assert fields == json.loads(sys.argv[1]), fields
	END
}
want='{"a": [-100, 200, -300, 400], "c": [1, 9223372036854775808, 18446744073709551615], "d": [49, 50, 51, 52, 53, 54, 55, 56], "e": "", "f": null, "g": ["one", null, "three"], "h": "three", "i": -3, "j": ["one"], "k": [null, null], "b": 90}'
perf script --json -i values.data
check fields "$want"
check grep -qE '"fields": {"__probe_ip": "0x[0-9a-f]+"' out
if /usr/bin/python3 -c 'import jsonschema' 2> /dev/null; then
	check /usr/bin/python3 -c 'import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for line in open("out"):
    jsonschema.validate(json.loads(line), schema)' "$SRC/Documentation/sample.schema.json"
fi
perf data convert --force --to-json values.json -i values.data
check [ $rc -eq 0 ]
python3 -c 'import json; [print(json.dumps(s)) for s in json.load(open("values.json"))["samples"]]' > out
check fields "$want"
perf probe -q -x "./${ME}_values" -a "$ME:back=look%return value=\$retval"
perf record -q -o back.data -e "$ME:back__return" "./${ME}_values"
perf script --json -i back.data
check fields '{"value": 90}'
check grep -qE '"fields": {"__probe_func": "0x[0-9a-f]+", "__probe_ret_ip": "0x[0-9a-f]+", ' out
perf probe -q -d "$ME:*"
perf record -q -o switches.data -e sched:sched_process_exit "./${ME}_values"
perf script --json -i switches.data
check grep -qE '"event": "sched:sched_process_exit", "fields": {"comm": "[^"]+", "pid": [0-9]+, "prio": [0-9]+' out
perf record -q -o clock.data -e cpu-clock -c 100000 "./${ME}_values"
perf script --json -i clock.data
refute grep -q '"fields"' out

step "what a function returns has its type: the values that the program printed"
cat > returns.c <<- 'END'
	#include <stdbool.h>
	#include <stdio.h>
	#define NI __attribute__((noinline))
	struct pair { int a, b; };
	NI bool is_a(const char *text) { return *text == 'a'; }
	NI short narrow(long n) { return n * 3; }
	NI unsigned char tiny(long n) { return n + 1; }
	NI int negative(int n) { return -n; }
	NI long wide(long n) { return n * 5; }
	NI double half(int n) { return n / 2.0; }
	NI struct pair both(int n) { return (struct pair){ n, n + 1 }; }
	NI void nothing(int n) { printf("%d\n", n); }
	int main(int argc, char **argv)
	{
		volatile long big = 0x123456789abcdL;
		int yes = is_a("abc"), no = is_a("xyz");

		printf("is_a %#x\nis_a %#x\nnarrow %d\ntiny %#x\nnegative %d\nwide %ld\n", yes, no,
		       narrow(big), tiny(big), negative(argc + 6), wide(big));
		nothing(half(argc) + both(argc).b);
		return 0;
	}
END
for build in g0:gcc:-O0 g2:gcc:-O2 c2:clang:-O2; do
	IFS=: read -r name compiler level <<< "$build"
	command -v "$compiler" > /dev/null || continue
	"$compiler" -g "$level" -w -o "${ME}_$name" returns.c
	set --
	for function in is_a narrow tiny negative wide; do
		set -- "$@" -a "$ME:$function=$function%return \$retval"
	done
	perf probe -q -x "./${ME}_$name" "$@"
	check [ $rc -eq 0 ]
	perf record -q -o returns.data -e "$ME:*" "./${ME}_$name"
	sed 's/ 0$/ 0x0/; /^[0-9]*$/d' out | sort > want
	perf script -i returns.data -F event,trace
	sed 's/.*:\([a-z_]*\)__return: .* arg1=\([^ ]*\).*/\1 \2/' out | sort > got
	check diff want got
	check [ "$(wc -l < got)" -eq 6 ]
	perf probe -q -d "$ME:*"
	for function in 'half:floating point' 'both:struct' 'nothing:returns nothing'; do
		perf probe -x "./${ME}_$name" -D "${function%:*}%return \$retval"
		check [ $rc -ne 0 ]
		check grep -q "^Error: cannot fetch .retval of '${function%:*}': .*${function#*:}" err
		check grep -q 'retval:x64' err
		perf probe -x "./${ME}_$name" -D "${function%:*}%return r=\$retval:x64"
		check grep -q ' r=\$retval:x64$' out
	done
	perf probe -x "./${ME}_$name" -D 'n*%return $retval' # narrow negative nothing
	check [ $rc -eq 0 ]
	check grep -q "^Warning: '.retval' has no value in 1 of 3 places (nothing)" err
done
cp "${ME}_g2" "${ME}_g2s" && strip -g "${ME}_g2s" # nothing tells there
perf probe -x "./${ME}_g2s" -D 'half%return $retval'
check grep -q ' \$retval$' out

step "of several -O the last one tells whether a function is optimized"
for flags in '-O2 -O0' '-O3 -Og -O0' '-O2 -O'; do
	gcc -g $flags -w -o "${ME}_last" values.c
	perf probe -x "./${ME}_last" --try 'look bits' -- "./${ME}_last"
	check [ $rc -eq 0 ]
	check grep -q ' bits=90 *$' out
	refute grep -q '^Warning' err
	perf probe -x "./${ME}_last" -D 'look bits'
	case $flags in # where it is: behind the prologue, or at the entry
		*0) check grep -q ' bits=-[0-9]*(%bp):s32$' out ;;
		*) check grep -q ' bits=%si:s32$' out ;;
	esac
done

step "a line behind the end of a function is refused, and one of it is offered"
cat > ends.c <<- 'END'
	static volatile int sink;
	static inline __attribute__((always_inline)) int inlined(int n)
	{
		sink = n * 7;
		return n + 5;
	}
	__attribute__((noinline)) int before(int n)
	{
		sink = inlined(n);

		sink = n * 3;
		return sink;
	}
	__attribute__((noinline)) int behind(int n)
	{
		sink = n - 4;
		return sink;
	}
	int main(int argc, char **argv)
	{
		sink = before(argc) + behind(argc);
		return sink;
	}
END
for build in gcc:-O0 gcc:-O2 clang:-O2; do
	IFS=: read -r compiler level <<< "$build"
	command -v "$compiler" > /dev/null || continue
	"$compiler" -g "$level" -w -o "${ME}_ends" ends.c
	for line in 7 8 9 10 11 12 13 14 99; do # of behind(), main(), none
		perf probe -x "./${ME}_ends" -D "before:$line"
		check [ $rc -ne 0 ]
		check [ ! -s out ]
		check grep -q "^Error: Probe point not found: 'before:$line': \(the function ends before this line\|this line has no code\)$" err
		check grep -q "the nearest line with code is before:[56]$" err
	done
	for line in 4 5; do
		perf probe -x "./${ME}_ends" -D "before:$line"
		check [ $rc -eq 0 ]
		check grep -q "^p:probe_${ME}_ends/before_L$line " out
	done
	perf probe -x "./${ME}_ends" -D "inlined:2" # of an inlined one the lines are where its copies are
	check [ $rc -eq 0 ]
	perf probe -x "./${ME}_ends" -D "inlined:10"
	check [ $rc -ne 0 ]
	perf probe -x "./${ME}_ends" -D "ends.c:17" # of the file: no function's
	check [ $rc -eq 0 ]
done

step "what a variable reads as where one of the places lacks it is said, for each type"
kinds='short:s16: unsigned_char:u8: bool:b: int:s32: unsigned:u32: long:s64: void*:p: char*:t:string char*:s:s8 char*:x:x16 char*:c:char char*:f:b5@3/16 char*:u:u64 int*:i:s32[2] char**:n:string[2]'
{
	echo '#include <stdbool.h>'
	for kind in $kinds; do
		IFS=: read -r type name _ <<< "$kind"
		echo "__attribute__((noipa)) void ${name}_has(${type//_/ } v) { } __attribute__((noipa)) void ${name}_not(void) { }"
	done
	echo 'int main(void) {'
	for kind in $kinds; do
		IFS=: read -r type name _ <<< "$kind"
		echo "${name}_has(0); ${name}_not();"
	done
	echo '}'
} > lacking.c
gcc -g -O1 -w -o "${ME}_lacking" lacking.c
for kind in $kinds; do
	IFS=: read -r type name cast <<< "$kind"
	of=() && [ "${cast%]}" = "$cast" ] || of=('[0]')
	perf probe -x "./${ME}_lacking" --try "$ME:$name=${name}_* v=v${of[*]}${cast:+:$cast}" -- "./${ME}_lacking"
	check [ $rc -eq 0 ]
	said=$(sed -n "s/^Warning: 'v.*' is not known in 1 of 2 places (${name}_not): there it reads as \([^ ,]*\).*/\1/p" err)
	check [ -n "$said" ]
	case $name in
		i) check [ "$(grep -c ' v={0,0} *$' out)" -eq 2 ] ;;
		n) check [ "$(grep -c ' v={(fault),(fault)} *$' out)" -eq 2 ] ;;
		*) check grep -q " v=$said *$" out ;;
	esac
	case $name in # what looks like any other value
		s16 | u8 | b | s | x | c | f | i) check grep -q "reads as $said, as a value may, too$" err ;;
		*) check grep -q "reads as $said$" err ;;
	esac
done

step "a reference of C++ is what it refers to, by its type and by any other"
cat > refers.cc <<- 'END'
	#include <cstdio>
	struct pair { int a; short b; };
	enum class e : short { A = -5 };
	__attribute__((noipa)) void refs(int &r, const unsigned char &c, pair &s, e &&move, const char *&text, int (&all)[3], int *&to, void (&call)(int))
	{
		printf("r=%d c=%#x a=%d b=%d move=%d text=\"%s\" one=%d all={%d,%d,%d} here=%d low=%d\n", r, c, s.a, s.b, (int)move, text, all[1], all[0], all[1],
		       all[2], *to, (signed char)r);
		call(r);
	}
	static void called(int n) { }
	int main()
	{
		int r = -300, all[3] = { 1, -2, 3 }, *to = &all[2];
		unsigned char c = 200;
		pair s = { -7, 5 };
		const char *text = "text";

		refs(r, c, s, e::A, text, all, to, called);
	}
END
for build in g++:-O0 g++:-O2 clang++:-O0; do
	IFS=: read -r compiler level <<< "$build"
	command -v "$compiler" > /dev/null && "$compiler" -g "$level" -w -o "${ME}_refers" refers.cc 2> build.log || continue
	perf probe -x "./${ME}_refers" --try "$ME:refs=refs r c s.a s->b move text=text:string one=all[1] all=all:s32[3] here=to[0] low=r:s8" -- "./${ME}_refers"
	check [ $rc -eq 0 ]
	sed -n 's/^r=/ r=/p' out > want
	sed -n 's/.*:refs: ([0-9a-f]*)//; s/ *$//p' out | grep '^ r=' | tail -n 1 > got
	check [ -s want ]
	check diff <(head -n 1 want) got
	perf probe -x "./${ME}_refers" --vars refs
	for type in 'int&	r' 'unsigned char&	c' 'struct pair&	s' 'enum e&&	move' 'char\*&	text' 'int\*&	all'; do
		check grep -q "^		$type$" out
	done
	perf probe -x "./${ME}_refers" -D 'refs call' # a function has no value
	check [ $rc -eq 0 ]
	refute grep -q ' call=+0(' out
	perf probe -x "./${ME}_refers" -D 'refs r.a'
	check grep -q "'r' is no struct or union" err
	perf probe -x "./${ME}_refers" -D 'refs r[0]'
	check grep -q "'r' is no array or pointer" err
done

step "an array without a type is all of its numbers, and no others"
cat > arrays.c <<- 'END'
	#include <stdio.h>
	enum e { A = -3, B = 4 };
	struct all { short s[3]; unsigned char c[2]; enum e e[2]; int m[2][2]; unsigned long u[2]; struct { int a; } in[3]; char text[4]; int many[65]; int open[]; };
	union { int whole; signed char parts[4]; } un = { -2 };
	struct all all = { { 1, -2, 3 }, { 7, 255 }, { A, B }, { { 1, 2 }, { -3, 4 } }, { 1, ~0ul }, { { 5 } }, "abc" };
	struct all *volatile at = &all;
	__attribute__((noinline)) int look(struct all *p)
	{
		return printf("s={%d,%d,%d} c={%#x,%#x} e={%d,%d} m={%d,%d,%d,%d} u={%#lx,%#lx} text={%d,%d,%d,%d} parts={%d,%d,%d,%d}\n", p->s[0], p->s[1], p->s[2], p->c[0], p->c[1],
		              p->e[0], p->e[1], p->m[0][0], p->m[0][1], p->m[1][0], p->m[1][1], p->u[0], p->u[1], p->text[0], p->text[1], p->text[2], p->text[3],
		              un.parts[0], un.parts[1], un.parts[2], un.parts[3]);
	}
	int main(void) { return look(at) < 0; }
END
for compiler in gcc clang; do
	command -v $compiler > /dev/null && $compiler -g -O2 -w -o "${ME}_arrays" arrays.c || continue
	perf probe -x "./${ME}_arrays" --try "$ME:look=look p->s p->c p->e p->m p->u p->text un.parts" -- "./${ME}_arrays"
	check [ $rc -eq 0 ]
	refute grep -q ^Warning err
	sed -n 's/.*:look: ([0-9a-f]*) //; s/ *$//p' out | tail -n 1 > got
	check diff <(grep '^s={' out) got
	perf probe -x "./${ME}_arrays" -D 'look p->s:x p->s:u32 p->s:s16[2]' # what was asked for
	check grep -q ' s=+0(%di):x16.3. s_2=+0(%di):u32 s_3=+0(%di):s16.2.$' out
	perf probe -x "./${ME}_arrays" -D 'look p->many'
	check grep -q ':s32.64.$' out
	check grep -q "^Warning: 'p->many' .*first 64" err
	perf probe -x "./${ME}_arrays" -D 'look p->in p->open'
	check grep -q "^Warning: 'p->in' .*first 8 bytes" err
	check grep -q "^Warning: 'p->open' .*unknown length" err
done
# An event has a page: $vars takes four of six with 512 bytes.
echo 'int main(void) { volatile long a[64], b[64], c[64], d[64], e[64], f[64]; return a[0] = b[0] = c[0] = d[0] = e[0] = f[0] = 0; }' > many.c
gcc -g -O0 -w -o "${ME}_many" many.c
perf probe -x "./${ME}_many" -D 'main:0 $vars'
check [ "$(grep -o ':s64.64.' out | wc -l)" -eq 4 ]

step "an indirect function: said, with what it is on this machine, where the calls are seen"
cat > lengths.c <<- 'END'
	#include <string.h>
	#include <stdio.h>
	int main(int argc, char **argv)
	{
		size_t sum = 0;

		for (int i = 0; i < 1000; i++) {
			sum += strlen(argv[0]);
			asm volatile("" ::: "memory");
		}
		return printf("%zu\n", sum) < 0;
	}
END
gcc -O1 -fno-builtin -w -o "${ME}_lengths" lengths.c
libc=$(ldd "./${ME}_lengths" | awk '$1 ~ /^libc\./ { print $3 }')
if [ -n "$libc" ] && readelf -sW --dyn-syms "$libc" | grep -q ' IFUNC .* strlen@'; then
	perf probe -x "$libc" -a "$ME:it=strlen"
	check [ $rc -eq 0 ]
	check grep -q "^Warning: 'strlen' is an indirect function (IFUNC): " err
	chosen=$(sed -n "s/^Warning:.* here '\([^']*\)': .*/\1/p" err)
	check [ -n "$chosen" ]
	perf probe -q -x "$libc" -a "$ME:chosen=$chosen"
	perf stat -e "$ME:it,$ME:chosen" "./${ME}_lengths"
	check [ "$(hits "$ME:it")" -lt 100 ]
	check [ "$(hits "$ME:chosen")" -ge 1000 ]
	perf probe -q -d "$ME:*"
	perf probe -x "$libc" -D "$chosen"
	check [ ! -s err ]
else
	skip "the C library here has no such strlen"
fi
cat > chooses.c <<- 'END'
	#include <stdio.h>
	static int one(void) { return printf("1\n"); }
	static int (*choose(void))(void) { return one; }
	int number(void) __attribute__((ifunc("choose")));
	int main(void) { return number() < 0; }
END
if gcc -g -O1 -w -o "${ME}_chooses" chooses.c 2> build.log; then
	perf probe -x "./${ME}_chooses" -D number
	check grep -q "^Warning: 'number' is an indirect function (IFUNC): .* no call of it is seen" err
	perf probe -x "./${ME}_chooses" -D choose # what was meant
	check [ ! -s err ]
	strip -g "${ME}_chooses"
	perf probe -x "./${ME}_chooses" -D 'numb*'
	check grep -q "^Warning: 'number' is an indirect function (IFUNC)" err
fi

step "a library's global variable that the program has instead: said; read in the program it is right"
cat > library.c <<- 'END'
	#include <stdio.h>
	int shared = -3;
	static int own = 7;
	__attribute__((visibility("hidden"))) int hidden = 8;
	__attribute__((noinline)) void in_library(void) { printf("library %d %d %d\n", shared, own++, hidden++); }
END
cat > user.c <<- 'END'
	#include <stdio.h>
	extern int shared, missing;
	void in_library(void);
	__attribute__((noinline)) void in_program(int n) { printf("program %d\n", shared + 0 * n); }
	int main(int argc, char **argv) { shared = 42; in_program(argc); in_library(); return 0; }
END
if gcc -g -O1 -w -fPIC -shared -o "lib${ME}.so" library.c && gcc -g -O1 -w -o "${ME}_user" user.c "./lib${ME}.so" &&
	readelf -rW "${ME}_user" | grep -q '_COPY .* shared'; then
	perf probe -x "./lib${ME}.so" -a "$ME:l=in_library shared own hidden"
	check [ $rc -eq 0 ]
	check [ "$(grep -c ^Warning err)" -eq 1 ]
	check grep -q "^Warning: 'shared' is read in the library's own memory: " err
	perf probe -x "./${ME}_user" -a "$ME:p=in_program shared"
	check [ $rc -eq 0 ]
	refute grep -q ^Warning err
	perf record -q -o user.data -e "$ME:*" "./${ME}_user"
	check grep -qx 'program 42' out
	check grep -qx 'library 42 7 8' out
	perf script -i user.data -F event,trace
	check grep -q ":p: .* shared=42 *$" out
	check grep -q ":l: .* own=7 hidden=8 *$" out
	refute grep -q ":l: .* shared=42" out # as it was said
	perf probe -q -d "$ME:*"
	# A library that takes its own symbols first, a program: no doubt.
	gcc -g -O1 -w -fPIC -shared -Wl,-Bsymbolic -o "lib${ME}b.so" library.c
	perf probe -x "./lib${ME}b.so" -D 'in_library shared'
	refute grep -q ^Warning err
	gcc -g -O1 -w -rdynamic -o "${ME}_whole" library.c user.c
	perf probe -x "./${ME}_whole" -D 'in_library shared'
	refute grep -q ^Warning err
else
	skip "programs have no copies here"
fi
perf probe -x "./${ME}_user" -D 'in_program missing'
check [ $rc -ne 0 ]
refute grep -q "did you mean 'missing'" err

step "--try: all hits are counted, in children that run at the same time, too"
cat > forks.c <<- 'END'
	#include <sys/wait.h>
	#include <unistd.h>
	volatile long sum;
	__attribute__((noinline)) void hot(int i) { sum += i; }
	int main(void)
	{
		for (int i = 0; i < 8; i++)
			if (!fork()) {
				for (int k = 0; k < 500; k++)
					hot(k);
				_exit(0);
			}
		while (wait(0) > 0)
			;
		return 0;
	}
END
gcc -g -O1 -w -o "${ME}_forks" forks.c
for _ in $(seq 10); do
	perf probe -x "./${ME}_forks" --try "$ME:hot=hot" -- "./${ME}_forks"
	check [ $rc -eq 0 ]
	grep -q 'may be missed\|were lost' err || check grep -q "^ *4000  $ME:hot " out
done
check [ -z "$(mine)" ]

step "a probe that ftrace has on: perf record ends, and says it"
perf probe -q -x "./${ME}_forks" -a "$ME:hot=hot"
own=$(tracefs)/instances/$ME
mkdir "$own" && echo 1 > "$own/events/$ME/hot/enable"
LIMIT=20 perf record -o traced.data -e "$ME:hot" "./${ME}_forks"
echo 0 > "$own/events/$ME/hot/enable"
rmdir "$own"
check [ $rc -ne 0 ]
check grep -q "cannot open '$ME:hot': it is a probe that ftrace traces" err
perf probe -q -d "$ME:*"
check [ -z "$(mine)" ]

step "--try: a signal that would end it ends the command, and the probe goes"
# With the terminal gone (HUP), or by kill: the command is told, which runs no longer than we do.
runs_command() {
	[ -n "$(mine)" ] && pgrep -f "^sleep 31.$fraction\$" > /dev/null
}
fraction=$$
for signal in HUP TERM QUIT INT; do
	perf_signal $signal runs_command probe -x "./${ME}_forks" --try "$ME:hot=hot" -- sleep "31.$fraction"
	check [ $rc -ne 0 ]
	check [ -z "$(mine)" ]
	check [ -z "$(pgrep -f "^sleep 31.$fraction\$")" ]
done
for signal in PIPE ALRM USR1 USR2 PROF XCPU; do
	DIES=1 perf_signal $signal runs_command probe -x "./${ME}_forks" --try "$ME:hot=hot" -- sleep "31.$fraction"
	check [ $rc -ne 0 ]
	check [ -z "$(mine)" ]
	check [ -z "$(pgrep -f "^sleep 31.$fraction\$")" ]
done
# nohup: what is ignored ends nothing.
trap "" HUP
perf_signal HUP runs_command probe -x "./${ME}_forks" --try "$ME:hot=hot" -- sh -c "sleep 31.$fraction & sleep 1; kill \$!"
trap - HUP
check [ $rc -eq 0 ]
check grep -qx 'The probe was not hit.' out
check [ -z "$(mine)" ]
perf probe -n -x "./${ME}_forks" --try "$ME:hot=hot" -- touch done.by.command
check [ $rc -eq 129 ]
check grep -q "cannot use option '--dry-run': --try adds probes and runs a command" err
check [ ! -e done.by.command ]

step "--try: a reader that ends first, and a disk that is full"
# The command ends once the reader has closed its end.
for status in 0 7; do
	rm -f closed
	"$PERF" probe -x "./${ME}_forks" --try "$ME:hot=hot" -- sh -c "until [ -e closed ]; do sleep 0.05; done; exit $status" 2> err < /dev/null |
		{ exec < /dev/null && echo > closed; }
	check [ "${PIPESTATUS[0]}" -eq $((status ? status : 141)) ]
	check [ -z "$(mine)" ]
done
"$PERF" probe -x "./${ME}_forks" --try "$ME:hot=hot" -- true > /dev/full 2> err < /dev/null
check [ $? -eq 1 ]
check grep -q "cannot write the hits: No space left on device" err
check [ -z "$(mine)" ]

step "--add of many: a kill between two writes leaves none of them"
# A write(2) that sends the signal when the third of six is written.
cat > kills.c <<- 'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <signal.h>
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>
	ssize_t write(int fd, const void *buf, size_t len)
	{
		static ssize_t (*next)(int, const void *, size_t);
		static int nr;
		if (!next)
			next = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
		ssize_t n = next(fd, buf, len);
		if (n > 2 && !memcmp(buf, "p:", 2) && ++nr == 3) {
			next(2, "third\n", 6);
			kill(getpid(), atoi(getenv("KILL_BY")));
		}
		return n;
	}
END
if check gcc -shared -fPIC -w -o kills.so kills.c -ldl; then
	killed=$PERF
	for signal in 15 1 2 3 10 13 14; do
		cat > killed <<- END
			#!/bin/sh
			export ASAN_OPTIONS="\${ASAN_OPTIONS:-}:verify_asan_link_order=0"
			KILL_BY=$signal LD_PRELOAD=$PWD/kills.so exec "$killed" "\$@"
		END
		chmod +x killed
		# shellcheck disable=SC2046 # words
		PERF=./killed DIES=1 perf probe -x "./${ME}_forks" $(printf -- '-a %s=hot ' "$ME":p{1..6}) 2> /dev/null
		check [ $rc -eq $((128 + signal)) ]
		check grep -qx third err
		check [ -z "$(mine)" ]
		# shellcheck disable=SC2046 # words
		PERF=./killed DIES=1 perf probe -x "./${ME}_forks" $(printf -- '--try %s=hot ' "$ME":p{1..6}) -- touch done.by.command 2> /dev/null
		check [ $rc -eq $((128 + signal)) ]
		check [ -z "$(mine)" ]
		check [ ! -e done.by.command ]
		perf probe -q -d "$ME:*"
	done
fi

step "a text of the definition: none in programs, where it reads as nothing; the kernel's have it"
for value in '\"lit"' 'named=\"two words"'; do
	perf probe -x "./${ME}_forks" -D "hot $value"
	check [ $rc -eq 234 ]
	check [ ! -s out ]
	check grep -qF "cannot fetch '${value#*=}': in programs the kernel looks for the text in the program's memory" err
done
# As it is if nobody refuses it: the kernel's own text of the event.
own=$(tracefs)/instances/$ME
echo "p:$ME/text $PWD/${ME}_forks:$(printf '0x%x' "0x$(nm "${ME}_forks" | awk '$3 == "hot" { print $1 }')") v=\\\"lit\":string n=\\5" >> "$(tracefs)/uprobe_events"
mkdir "$own" && echo 1 > "$own/events/$ME/text/enable"
"./${ME}_forks"
grep -m 1 ' text: ' "$own/trace" > text
echo 0 > "$own/events/$ME/text/enable"
rmdir "$own"
check grep -q 'v=(fault) n=0x5$' text
perf probe -q -d "$ME:*"
if [ -r /proc/kallsyms ] && grep -q ' T vfs_read$' /proc/kallsyms; then
	perf probe -D "$ME:k=vfs_read \\\"lit\":string"
	check [ $rc -eq 0 ]
	check grep -qF '\"lit":string' out
fi

step "an entry of the PLT, as --funcs lists it: its calls are counted"
cat > plt.c <<- 'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	int main(int argc, char **argv)
	{
		long sum = 0;
		for (int i = 0; i < 7; i++)
			sum += labs(strlen(argv[i % argc]));
		return sum > 9000;
	}
END
# With -fcf-protection there are two entries for a function, of which the second is called.
for flags in "-g -O1" "-O1 -no-pie -s" "-O1 -fcf-protection=branch -Wl,-z,ibtplt"; do
	# shellcheck disable=SC2086 # flags
	if ! gcc $flags -fno-builtin -Wl,-z,lazy -w -o "${ME}_plt" plt.c 2> build.log; then
		continue
	fi
	if [[ $flags != *' -s' ]]; then # without symbols it lists nothing
		perf probe -x "./${ME}_plt" --funcs '*@plt'
		check grep -qx 'strlen@plt' out
	fi
	perf probe -x "./${ME}_plt" --try "$ME:a=strlen\\@plt" --try "$ME:b=labs\\@plt n=%di:s64" -- "./${ME}_plt" 5
	check [ $rc -eq 0 ]
	check grep -q "^ *7  $ME:a (on strlen" out
	check grep -q "^ *7  $ME:b (on labs" out
	check grep -q "$ME:b: ([0-9a-f]*) n=1" out
	perf probe -x "./${ME}_plt" -D 'strlen\@plt'
	check grep -q "^p:probe_${ME}_plt/strlen $PWD/${ME}_plt:0x[0-9a-f]*\$" out
done
perf probe -x "./${ME}_plt" -D 'nosuch\@plt'
check [ $rc -eq 254 ]
perf probe -x "./${ME}_plt" -D 'strlen@plt'
check [ $rc -ne 0 ]
check grep -qF "an entry of the PLT is written with a backslash: 'strlen\\@plt'" err
perf probe -x "./${ME}_plt" -D '*' # a glob means functions
refute grep -q '/strlen' out

step "--list: a probe in a program that was built again since is not shown by the new one's lines"
printf 'int called(int n) { return n + 1; }\nint main(int c, char **v) { return called(c) < 0; }\n' > again.c
(echo 'int before(int n) { return n * 3 + 7; }' && cat again.c) > longer.c
gcc -g -O0 -w -o "${ME}_again" again.c
was=$(stat -c %i "${ME}_again")
perf probe -q -x "./${ME}_again" -a "$ME:old=called n"
perf probe -l "$ME:*"
check grep -q "^  $ME:old *(on called+[0-9]*@.*again.c in $PWD/${ME}_again with n)" out
check [ ! -s err ]
check gcc -g -O0 -w -o new longer.c
touch -d '2020-01-01' new # as packages have it: only the file itself is new
mv new "${ME}_again"
check [ "$(stat -c %i "${ME}_again")" != "$was" ]
if [ "$(stat -c %W "${ME}_again")" -gt 0 ]; then # else only what was written later is known
	perf probe -l "$ME:*"
	check [ $rc -eq 0 ]
	check grep -q "^  $ME:old *(on 0x[0-9a-f]* in $PWD/${ME}_again with n)" out
	check grep -qx "Warning: '$PWD/${ME}_again' is newer than the probe '$ME:old', which was made for what was there before" err
	perf probe -q -l "$ME:*"
	check [ ! -s err ]
fi
touch "${ME}_again"
perf probe -q -x "./${ME}_again" --cache -a "$ME:new=called n"
perf probe -l "$ME:*"
check grep -q "^  $ME:old *(on 0x" out
check grep -q "^  $ME:new *(on called+[0-9]*@" out
check [ "$(grep -c '^Warning' err)" -eq 1 ]
if [ "$(stat -c %W "${ME}_again")" -gt 0 ]; then
	said="Warning: nothing was counted of '$ME:old': '$PWD/${ME}_again' is newer than the probe, which was made for what was there before"
	perf stat -x, -e "$ME:old,$ME:new" "./${ME}_again"
	check grep -q "^0,.*$ME:old" err
	check grep -q "^1,.*$ME:new" err
	check [ "$(grep -c '^Warning' err)" -eq 1 ]
	check grep -qxF "$said" err
	check grep -q "add the probe again: perf probe -d $ME:old, perf probe -x $PWD/${ME}_again -a " err
	perf stat -x, -e "$ME:new" true # nothing is wrong with it
	check grep -q "^0,.*$ME:new" err
	refute grep -q Warning err
	perf record -o again.data -e "$ME:old,$ME:new" "./${ME}_again"
	check [ "$(grep -c '^Warning' err)" -eq 1 ]
	check grep -qxF "$said" err
	perf record -o again.data -e "$ME:new" true
	refute grep -q Warning err
	perf record -q -o again.data -e "$ME:old" "./${ME}_again"
	refute grep -q Warning err
fi

step "--list: a program that was touched or written in place has its probe still"
perf probe -q -d "$ME:old"
perf probe -q -x "./${ME}_again" -a "$ME:uncached=called"
sleep 0.05
touch "${ME}_again" # the cache knows of the one that it was made for this build
perf probe -l "$ME:*"
check grep -q "^  $ME:new *(on called+[0-9]*@" out
check grep -q "^  $ME:uncached *(on called@" out
if [ "$(stat -c %W "${ME}_again")" -gt 0 ]; then
	check grep -qx "Warning: '$PWD/${ME}_again' was written or touched since the probe '$ME:uncached' was made, whose place may be another by now" err
	check [ "$(grep -c '^Warning' err)" -eq 1 ]
	gcc -g -O0 -w -DOTHER=1 -o newer again.c
	cat newer > "${ME}_again"
	perf probe -l "$ME:*"
	check grep -qF "since the probe '$ME:new' was made" err
	check [ "$(grep -c '^Warning' err)" -eq 2 ]
	refute grep -qE "^  $ME:(new|uncached) *\(on 0x" out # it is in this file
fi
perf probe -q -d "$ME:*"
perf probe -q -x "./${ME}_again" --cache -d 'new*'

step "what was inlined everywhere, and a string that is a number: the reason, and what to write instead"
cat > within.c <<- 'END'
	#include <stdlib.h>
	volatile int s;
	static inline __attribute__((always_inline)) int within(int n) { return n * s; }
	__attribute__((noinline)) char *text(int n) { return getenv("ME_TEXT") + n; }
	int main(int c, char **v) { return within(c) + within(c + 1) + !text(0); }
END
gcc -g -O2 -w -o "${ME}_within" within.c
perf probe -x "./${ME}_within" -D 'within%return'
check [ $rc -eq 254 ]
check grep -q "'within%return': it was inlined everywhere, and such copies have no return" err
refute grep -q 'did you mean' err
perf probe -x "./${ME}_within" --no-inlines -D within
check [ $rc -eq 254 ]
check grep -q "'within': it was inlined everywhere$" err
check grep -q 'without --no-inlines its copies are probed' err
perf probe -x "./${ME}_within" -D within
check [ "$(wc -l < out)" -ge 1 ]
perf probe -x "./${ME}_within" -D 'withim%return' # a name that is none
check grep -q "did you mean 'within'" err
perf probe -x "./${ME}_within" -a "$ME:t=text%return \$retval:string"
check [ $rc -ne 0 ]
check [ -z "$(mine)" ]
if grep -q 'String accepts only memory' err; then # the kernel says so since Linux 5.1
	check grep -qF '+0(VALUE):string is the text that a value points to' err
fi
export ME_TEXT=words
perf probe -x "./${ME}_within" --try "$ME:t=text%return +0(\$retval):string" -- "./${ME}_within"
check grep -q 'arg1="words"' out

step "--try: returns of calls nested more than 64 deep are not seen: said"
cat > deep.c <<- 'END'
	#include <stdlib.h>
	__attribute__((noinline)) int deep(int n) { int r = n > 1 ? deep(n - 1) : 0; __asm__ volatile(""); return r + 1; }
	int main(int argc, char **argv) { return deep(atoi(argv[1])) != atoi(argv[1]); }
END
gcc -O1 -o "${ME}_deep" deep.c
perf probe -x "./${ME}_deep" --try "$ME:in=deep" --try "$ME:out=deep%return" -- "./${ME}_deep" 60
check grep -q "^ *60  $ME:in " out
check grep -q "^ *60  $ME:out__return " out
refute grep -q "left out" err
perf probe -x "./${ME}_deep" --try "$ME:in=deep" --try "$ME:out=deep%return" -- "./${ME}_deep" 101
check grep -q "^ *101  $ME:in " out
if grep -q "^ *64  $ME:out__return " out; then
	# For certain by the log, unless it told of others just before or cannot be read.
	check grep -q "^Warning: the kernel \(left\|may have left\) out returns, .*those of calls that are nested more than 64 deep" err
	perf probe -x "./${ME}_deep" --try "$ME:in=deep" -- "./${ME}_deep" 101
	refute grep -q "left out" err
	perf probe -q -x "./${ME}_deep" --try "$ME:out=deep%return" -- "./${ME}_deep" 101
	check [ ! -s err ]
else
	check grep -q "^ *101  $ME:out__return " out # a kernel without the limit
	refute grep -q "left out" err
fi
check [ -z "$(mine)" ]

step "%return of a function that an exception passes ends the program: said"
cat > throws.cc <<- 'END'
	#include <cstdio>
	#include <stdexcept>
	extern "C" __attribute__((noinline)) int plain(int n) { return n + 1; }
	__attribute__((noinline)) int passed(int n) { if (n > 0) throw std::runtime_error("x"); return n; }
	int main(int argc, char **argv)
	{
		try { passed(plain(argc)); } catch (std::exception &e) { printf("caught %s\n", e.what()); }
		return 0;
	}
END
if ! command -v g++ > /dev/null; then
	skip "no g++"
else
	g++ -g -O1 -o "${ME}_throws" throws.cc
	for debug in with without; do
		[ $debug = with ] || strip -g "${ME}_throws"
		perf probe -x "./${ME}_throws" --try "$ME:r=passed%return" -- sh -c "'./${ME}_throws'; echo status \$?"
		check grep -q "^Warning: an exception or panic that passes 'passed' ends the program: where returns are probed unwinders do not find the caller" err
		check grep -qx 'status 134' out # by the deed
		perf probe -x "./${ME}_throws" -D 'passed%return'
		check grep -q "^Warning: an exception" err
		perf probe -x "./${ME}_throws" --try "$ME:r=passed" --try "$ME:p=plain%return" -- "./${ME}_throws"
		check [ $rc -eq 0 ]
		check grep -qx 'caught x' out
		refute grep -q "exception" err
		perf probe -q -x "./${ME}_throws" -D 'passed%return'
		check [ ! -s err ]
	done
	perf probe -x "./${ME}_deep" -D 'deep%return'
	check [ ! -s err ]
	check [ -z "$(mine)" ]
fi

step "an ordinary user: what is said to let him in does"
as_user() {
	setpriv --reuid 12345 --regid "$1" --clear-groups env HOME="$PWD" "$SCRATCH/dir/perf-of-all" "${@:2}" > out 2> err
}
if ! setpriv --reuid 12345 --regid 12345 --clear-groups true 2> /dev/null; then
	skip "no other users here"
elif setpriv --reuid 12345 --regid 12345 --clear-groups test -r "$(tracefs)/events"; then
	skip "tracefs is open to all here"
else
	chmod 755 .. . "${ME}_forks"
	touch out err
	cp "$PERF" perf-of-all && chmod 755 perf-of-all
	at=$(tracefs) mode=$(stat -c %a "$(tracefs)") group=$(stat -c %g "$(tracefs)")
	for words in "-x ./${ME}_forks -a $ME:hot=hot" "-d $ME:hot" "-x ./${ME}_forks --try $ME:hot=hot -- true"; do
		as_user 12345 probe $words # words
		check [ $? -ne 0 ]
		check grep -q "let this group write probes: mount -o remount,mode=750,gid=12345 $at && chmod g+w $at/uprobe_events\$" err
		fix=$(sed -n 's/.*write probes: //p' err)
		as_user 65534 probe $words
		check grep -q "let a group (nogroup is everybody's) write probes: mount -o remount,mode=750,gid=GROUP " err
	done
	check [ -n "$fix" ]
	sh -c "$fix"
	as_user 12345 probe -x "./${ME}_forks" -a "$ME:hot=hot"
	check [ $? -eq 0 ]
	check [ "$(mine | wc -l)" -eq 1 ]
	as_user 12345 probe -d "$ME:hot"
	check [ $? -eq 0 ]
	check [ -z "$(mine)" ]
	# The half of it that lets read only.
	chmod g-w "$at/uprobe_events"
	as_user 12345 probe -x "./${ME}_forks" -a "$ME:hot=hot"
	check [ $? -ne 0 ]
	check grep -q "let this group write probes: .* && chmod g+w $at/uprobe_events" err
	mount -o "remount,mode=$mode,gid=$group" "$at"
fi

step "--del and --list: filters of events as 6.1 reads them, and silence of what is not there"
hot=0x$(nm "${ME}_forks" | awk '$3 == "hot" { print $1 }')
here=$PWD/${ME}_forks
make_four() {
	printf 'p:%s %s:%s\n' "${ME}y/a" "$here" "$hot" "${ME}y/b" "$here" "$hot" "${ME}z/a" "$here" "$hot" "${ME}z/b" "$here" "$hot" > four
	while read -r line; do
		echo "$line" >> "$(tracefs)/uprobe_events"
	done < four
}
left() {
	mine | sed "s/^p:${ME}\([^ ]*\) .*/\1/" | sort | tr '\n' ' '
}
while IFS=: read -r filter gone; do
	filter=${filter//./:} filter=${filter//ME/$ME}
	make_four
	perf probe -l "$filter"
	check [ "$(sed "s/^ *${ME}\([^ ]*\) .*/\1/; s/:/\//" out | sort | tr '\n' ' ')" = "$gone" ]
	if [ -x "$REF" ] && [[ $filter != *'('* ]]; then
		timeout 20 "$REF" probe -l "$filter" > theirs 2> /dev/null < /dev/null
		check [ "$(sed "s/^ *${ME}\([^ ]*\) .*/\1/; s/:/\//" theirs | sort | tr '\n' ' ')" = "$gone" ]
	fi
	perf probe -d "$filter"
	check [ $rc -eq 0 ]
	check [ "$(grep -c '^Removed event: ' err)" -eq "$(wc -w <<< "$gone")" ]
	check [ "$(for event in y/a y/b z/a z/b; do [[ " $gone" == *" $event "* ]] || printf '%s ' $event; done)" = "$(left)" ]
	while read -r line; do # what is left
		echo "-:$line" >> "$(tracefs)/uprobe_events"
	done < <(mine | sed 's/^p:\([^ ]*\) .*/\1/')
done <<- 'END'
	MEy.a|MEy.b:y/a y/b 
	MEy.a|MEz.a:y/a z/a 
	MEy.* & !MEy.a:y/b 
	ME*.a:y/a z/a 
	(MEy.a|MEz.b) & !b:y/a 
	ME*.* & (a|MEy.b):y/a y/b z/a 
END
for options in -d "-n -d"; do
	perf probe $options "$ME:nothing|$ME:none" # words
	check [ $rc -eq 254 ]
	check grep -q "does not hit any event" err
	perf probe -q $options "$ME:nothing|$ME:none"
	check [ $rc -eq 254 ]
	check [ ! -s err ]
done
for action in -d -l; do
	perf probe $action "$ME:(a"
	check [ $rc -eq 129 ]
	check grep -q "cannot understand the filter '$ME:(a'" err
done
finish
