#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Probes of programs: defined, listed, removed, counted, recorded; their values are those that the
# program printed itself, however it was compiled. tests/lib.sh leaves probes in groups
# probe_tried... out of its picture: what they leave behind is looked at here.
. "$(dirname "$0")/../lib.sh"
plan 57
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
own_probes
source=$SRC/tests/workloads/probed.c

build() { # NAME COMPILER FLAGS...
	local name=$1
	shift
	"$@" -w -o "${ME}_$name" "$source" 2> build.log
}
build g0 gcc -g -O0 && build g2 gcc -g -O2 || skip_all "gcc cannot build it"
g0=./${ME}_g0 g2=./${ME}_g2

# ---- what needs no kernel ----

step "-D: the line of a function, an offset, an address, a return, with names of one's own"
address=$(nm "$g0" | awk '$3 == "show" { print $1 }')
offset=$(printf '0x%x' $((0x$address)))
perf probe -x "$g0" -D show -D show+4 -D "0x${address#"${address%%[!0]*}"}" -D 'show%return' -D 'g:e=show' -D 'e=show%return'
check [ $rc -eq 0 ]
cat > want <<- END
	p:probe_${ME}_g0/show $PWD/${ME}_g0:$offset
	p:probe_${ME}_g0/show $PWD/${ME}_g0:$(printf '0x%x' $((offset + 4)))
	p:probe_${ME}_g0/abs_${offset#0x} $PWD/${ME}_g0:$offset
	r:probe_${ME}_g0/show__return $PWD/${ME}_g0:$offset
	p:g/e $PWD/${ME}_g0:$offset
	r:probe_${ME}_g0/e__return $PWD/${ME}_g0:$offset
END
check diff want out
check [ ! -s err ]

step "-D: words are one definition, an absolute path in front is the program, any order"
perf probe "$PWD/${ME}_g2" -n show n u
check grep -qx "  probe_${ME}_g2:show *(on show in $PWD/${ME}_g2 with n u)" err
perf probe -D 'show n' -x "$g2"
check grep -q ' n=%di:s32$' out

step "-D: what the kernel knows itself goes through as it is"
perf probe -x "$g2" -D 'show %di:u8 x=%si $stack $stack2 $comm +8(%dx):u64 +0(+8(%dx)):string @0x100:s8 \5'
check grep -q ' %di:u8 x=%si \$stack \$stack2 \$comm +8(%dx):u64 +0(+8(%dx)):string @0x100:s8 \\5$' out
perf probe -x "$g2" -D 'show%return r=$retval:s32 +0($retval):string'
check grep -q '^r:.* r=\$retval:s32 +0(\$retval):string$' out

step "types: asked for, and by the debug information"
perf probe -x "$g2" -D 'show n n:u n:x8 u u:s text text:string wide:s16 flag'
check grep -q ' n=%di:s32 n_u=%di:u32 n_x8=%di:x8 u=%si:x8 u_s=%si:s8 text=[^ ]*:x64 text_string=+0([^ ]*):string wide_s16=%cx:s16 flag=%r9:x8$' out

step "a glob, a file, an inlined function in all its copies, and without them"
perf probe -x "$g2" -D 'sh?w' -D 'show@probed.c' -D 'show@workloads/probed.c'
check [ "$(sort -u out | wc -l)" -eq 1 ]
perf probe -x "$g2" -D 'show@other.c'
check [ $rc -eq 254 ]
perf probe -x "$g2" -D 'twice v'
check [ "$(grep -c "^p:probe_${ME}_g2/twice .* v=" out)" -eq 2 ]
perf probe -x "$g2" --no-inlines -D twice
check [ $rc -eq 254 ]
perf probe -x "$g2" --max-probes 1 -D twice
check [ $rc -ne 0 ]
check grep -q 'max-probes' err

cat > lacking.c <<- 'END'
	#include <stdio.h>
	__attribute__((noinline)) int at_first(int n, int k) { return printf("n=%d\n", n + 0 * k); }
	__attribute__((noinline)) int at_second(int m, long k) { return printf("m=%d\n", m + 0 * (int)k); }
	__attribute__((noinline)) int at_third(void) { return puts("none"); }
	int main(int argc, char **argv) { return at_first(argc, 2) + at_second(argc + 6, 3) + at_third() < 0; }
END
lacking=./${ME}_l lack=0xdeade12d
gcc -g -O2 -w -o "$lacking" lacking.c
by_function() { # what each function's line fetches
	sed 's/^p:[^/]*.\([^ ]*\) [^ ]*/\1/' out | sort | tr '\n' ,
}

step "one of several functions lacks the variable: the others are probed, and it is said"
perf probe -x "$lacking" -D 'at_* n'
check [ $rc -eq 0 ]
check [ "$(by_function)" = "at_first n=%di:s32,at_second n=\\$lack:s32,at_third n=\\$lack:s32," ]
check grep -q "^Warning: .*'n'.*at_second.*-559029971" err
check [ "$(grep -c ^Warning err)" -eq 1 ]
perf probe -q -x "$lacking" -D 'at_* n'
check [ ! -s err ]
perf probe -x "$lacking" -D 'at_* $vars'
check [ "$(by_function)" = "at_first n=%di:s32 k=%si:s32,at_second m=%di:s32 k=%si:s64,at_third," ]
check [ ! -s err ]
perf probe -x "$lacking" -D 'at_* zz' # none has it
check [ $rc -eq 254 ]
perf probe -x "$lacking" -D 'at_* n->x' # a mistake in the one that has it
check [ $rc -eq 234 ]
if need_uprobe_events; then
	perf probe -x "$lacking" -a 'at_* n'
	check [ $rc -eq 0 ]
	perf record -q -o l.data -e "probe_${ME}_l:*" "$lacking"
	perf probe -q -d "probe_${ME}_l:*"
	perf script -i l.data -F event,trace
	check [ "$(sed 's/^.*:\(at_[a-z]*\): ([0-9a-f]*)/\1/; s/ *$//' out | tr '\n' ,)" = "at_first n=1,at_second n=-559029971,at_third n=-559029971," ]
fi

cat > starts.c <<- 'END'
	extern int printf(const char *, ...);
	volatile int sink;
	static inline __attribute__((always_inline)) int within(int start) { int inner = sink; sink = inner + start; return inner; }
	__attribute__((noinline)) int outer(int n, int twice) { int start = within(n); return start + twice * n; }
	int main(int argc, char **argv) { return printf("%d\n", outer(argc, 3)) < 0; }
END
gcc -g -O2 -w -o "${ME}_i" starts.c

step "a function that begins with an inlined one: its own variables, not the other's"
# Only where that is so does the step show anything.
entry=$(nm "${ME}_i" | awk '$3 == "outer" { sub("^0*", "", $1); print $1 }')
if readelf --debug-dump=info "${ME}_i" 2> /dev/null | grep -A6 DW_TAG_inlined_subroutine | grep -q "DW_AT_\(entry\|low\)_pc.*0x$entry\$"; then
	perf probe -x "./${ME}_i" --vars outer
	check grep -qx '		int	n' out
	check grep -qx '		int	twice' out
	perf probe -x "./${ME}_i" -D 'outer $params'
	check grep -q ' n=%di:s32 twice=%si:s32$' out
	perf probe -x "./${ME}_i" --vars within
	check grep -qx '		int	start' out
	refute grep -q twice out
else
	skip "this compiler puts no inlined function there"
fi

step "lines: of a function, of a file, by a pattern; one in several places"
line=$(awk '/sum \+= i/ { print NR }' "$source") first=$(awk '/^APART long loop/ { print NR }' "$source")
perf probe -x "$g0" -D "loop:$((line - first))" -D "probed.c:$line" -D 'loop;sum+=i*3*'
check [ $rc -eq 0 ]
check [ "$(cut -d' ' -f2 out | sort | uniq -c | awk '{ print $1 }' | sort -u)" = 3 ] # each place three times
check [ "$(sed 's/^p:[^/]*.\([^ ]*\) .*/\1/' out | uniq | tr '\n' ' ')" = "loop_L$((line - first)) loop " ]
perf probe -x "$g0" -D "loop:$((line - first - 1))"
check [ "$(wc -l < out)" -ge 2 ]

step "a program without debug information, and one whose is in another file"
strip -g -o "${ME}_bare" "$g0"
perf probe -x "./${ME}_bare" -D show
check grep -q "$offset\$" out
perf probe -x "./${ME}_bare" -D 'show n'
check [ $rc -eq 254 ]
check grep -q 'rebuild it with -g' err
objcopy --only-keep-debug "$g0" "${ME}.debug"
objcopy --add-gnu-debuglink="${ME}.debug" "${ME}_bare"
perf probe -x "./${ME}_bare" -D 'show n'
check grep -q ' n=-[0-9]*(%bp):s32$' out

# The same definitions of two programs made from one source write the same lines.
same_lines() { # PLAIN OTHER
	local def
	for def in 'show n text:string colour' 'show cell->value cell->name:string' 'twice v cell->value' 'loop:5 i' \
		'show global_cell.row[1]' 'twice@probed.c' 'sh*'; do
		perf probe -x "./$1" -D "$def"
		check [ $rc -eq 0 ]
		check [ -s out ]
		mv out want
		perf probe -x "./$2" -D "$def"
		check diff want <(sed "s/$2/$1/g" out)
	done
}

step "what dwz moved into a file of several programs"
if command -v dwz > /dev/null; then
	for version in 4 5; do
		check gcc -gdwarf-$version -O2 -w -o "${ME}_plain" "$source"
		cp "${ME}_plain" "${ME}_dwz"
		cp "${ME}_plain" other
		check dwz -m common "${ME}_dwz" other
		same_lines "${ME}_plain" "${ME}_dwz"
	done
else
	skip "no dwz"
fi

step "split units (.dwo)"
for version in 4 5; do
	check gcc -gdwarf-$version -O2 -w -o "${ME}_plain" "$source"
	check gcc -gdwarf-$version -gsplit-dwarf -O2 -w -o "${ME}_split" "$source"
	check ls ./*.dwo
	same_lines "${ME}_plain" "${ME}_split"
done

step "split units that are gone: said, with the file; functions are probed all the same"
check gcc -g -gsplit-dwarf -O0 -w -o "${ME}_gone" "$source"
dwo=$(echo "${ME}_gone"-*.dwo)
perf probe -x "./${ME}_gone" -D 'main argc'
check [ $rc -eq 0 ]
check rm "$dwo"
perf probe -x "./${ME}_gone" -D main
check [ $rc -eq 0 ]
perf probe -x "./${ME}_gone" -D 'main argc'
check [ $rc -eq 254 ]
check [ ! -s out ]
check grep -q "cannot fetch 'argc': its split debug information cannot be read" err
check grep -qF "put '$dwo' where it was compiled" err

step "C++: methods by their names with namespaces, in both ways"
cat > methods.cc <<- 'END'
	#include <cstdio>
	namespace outer { namespace inner {
	struct Cell { int value; int add(int by); template <class T> T twice(T v); };
	__attribute__((noinline)) int Cell::add(int by) { value += by; return value; }
	template <class T> __attribute__((noinline)) T Cell::twice(T v) { return v * 2 + value; }
	} }
	int main(int argc, char **) { outer::inner::Cell c{argc}; printf("%d %ld\n", c.add(41), c.twice(7L)); }
END
if command -v g++ > /dev/null && check g++ -g -O1 -o "${ME}_cc" methods.cc; then
	for def in 'outer::inner::Cell::add by this->value' 'outer\:\:inner\:\:Cell\:\:add by this->value' 'add by this->value'; do
		perf probe -x "./${ME}_cc" -D "$def"
		check grep -qE "^p:probe_${ME}_cc/add .* by=%si:s32 value=[+]0\(%di\):s32\$" out
	done
	perf probe -x "./${ME}_cc" -D 'outer::inner::Cell::twice<long> v'
	check grep -qE "^p:probe_${ME}_cc/twice .* v=%si:s64\$" out
	if need_uprobe_events; then
		perf probe -x "./${ME}_cc" --try 'outer::inner::Cell::add by this->value' -- "./${ME}_cc"
		check grep -q 'by=41 value=1$' out
		check [ -z "$(mine)" ]
	fi
else
	skip "no g++"
fi

step "Rust: methods by their names with modules"
cat > methods.rs <<- 'END'
	mod deep {
		pub struct Cell { pub value: i64 }
		impl Cell { #[inline(never)] pub fn gather(&mut self, by: i64) -> i64 { self.value += by; self.value } }
	}
	fn main() {
		let mut cell = deep::Cell { value: 1 };
		for by in 0..std::env::args().count() as i64 + 1 { println!("{}", cell.gather(by * 3)); }
	}
END
# rustup's rustc looks for its compilers in the home that this test has none of.
[ -n "${RUSTUP_HOME:-}" ] || RUSTUP_HOME=$(getent passwd "$(id -u)" | cut -d: -f6)/.rustup
export RUSTUP_HOME
if command -v rustc > /dev/null && rustc -g -C opt-level=1 -o "${ME}_rs" methods.rs 2> build.log; then
	for def in 'methods::deep::Cell::gather by' 'gather by'; do
		perf probe -x "./${ME}_rs" -D "$def"
		check grep -qE "^p:probe_${ME}_rs/gather .* by=%si:s64\$" out
	done
else
	skip "no rustc that builds a program"
fi

step "debug information of another build is refused"
cp "$g2" "${ME}.debug"
perf probe -x "./${ME}_bare" -D 'show n'
check [ $rc -eq 254 ]
check [ ! -s out ]

step "--line: the source, numbers where code is"
perf probe -x "$g0" --line loop
check grep -qx "<loop@$source:0>" out
check grep -qx '      0  APART long loop(int n, long start)' out
check grep -q '^      [0-9]  .*sum += i' out
check grep -q '^         {' out
perf probe -x "$g0" -L "loop:4-5"
check [ "$(wc -l < out)" -eq 3 ]
perf probe -x "$g0" -L "loop:4+1"
check [ "$(wc -l < out)" -eq 2 ]
perf probe -x "$g0" -L "probed.c:$line-$line"
check grep -qx "    $(printf %3d "$line")  		sum += i \* 3 + global;" out

step "--line: source that lies elsewhere now"
mkdir -p was/sub now/sub
printf 'int moved(int v)\n{\n\treturn v + 1;\n}\nint main(int argc, char **argv) { return moved(argc); }\n' > was/sub/moved.c
gcc -g -O1 -fno-inline -w -o "${ME}_m" "$PWD/was/sub/moved.c"
mv was/sub/moved.c now/sub/
perf probe -x "./${ME}_m" --line moved
check [ $rc -ne 0 ]
check grep -q -- '--source names the folder' err
for folder in "$PWD/now" now; do
	for lines in moved moved.c:1-3; do
		perf probe -x "./${ME}_m" --source "$folder" --line $lines
		check [ $rc -eq 0 ]
		check grep -qE "^<(moved@)?$folder/sub/moved.c:[01]>\$" out
		if [ -x "$REF" ]; then
			timeout 20 "$REF" probe -x "./${ME}_m" --source "$folder" --line $lines > theirs 2> /dev/null < /dev/null
			check diff <(sed '1s|//|/|' theirs) out
		fi
	done
done

step "--line: not the lines of what was inlined; code of its own beside copies"
cat > inlined.c <<- 'END'
	#include <stdio.h>
	static inline int later(int v);
	int early(int v)
	{
		printf("%d\n", v);
		v = later(v);
		return v;
	}
	int unrelated(int v)
	{
		return printf("%d\n", v);
	}
	static inline __attribute__((always_inline)) int later(int v)
	{
		printf("%d\n", v);
		return v * 2;
	}
	int both(int v)
	{
		printf("%d\n", v);
		return v + 1;
	}
	int main(int argc, char **argv)
	{
		return early(argc) + both(argc) + unrelated(argc);
	}
END
gcc -g -O2 -w -o "${ME}_n" inlined.c
perf probe -x "./${ME}_n" --line early
check grep -q '^      3  .*later(v)' out
perf probe -x "./${ME}_n" --line both
check grep -q '^      0  int both' out
check grep -q '^      3  .*return v + 1' out
if [ -x "$REF" ]; then
	for function in early later both unrelated main; do
		timeout 20 "$REF" probe -x "./${ME}_n" --line $function > theirs 2> /dev/null < /dev/null
		perf probe -x "./${ME}_n" --line $function
		# Of later() all statements are at an address of its caller's: 6.1 shows nothing. And it goes
		# on where a statement of later() was moved into its caller: see cli/probe-line for the rest.
		head -n "$(wc -l < out)" theirs | grep '^ *[0-9]' > marks
		check [ -z "$(grep -vxFf out marks)" ]
		refute grep -q '^ *[0-9].*int unrelated' <(sed '/^ *0 /d' out)
	done
fi

step "--vars: what can be named, with globals, with ranges, of a return, filtered"
perf probe -x "$g2" --vars show
check [ $rc -eq 0 ]
check [ "$(head -n 2 out)" = "Available variables at show
	@<show+0>" ]
check grep -qx '		struct cell\*	cell' out
check grep -qx '		unsigned char	u' out
refute grep -q global out
perf probe --externs -x "$g2" -V show
check grep -qx '		struct cell	global_cell' out
perf probe -V 'show%return' -x "$g2"
check grep -q 'show%return' out
perf probe -V loop -x "$g2" --range --filter 's*'
check [ "$(grep -c '\[[VI]' out)" -eq 2 ]
check grep -q '\[VAL\]	long int	start	@<loop+\[0-' out
perf probe -V loop -x "$g2" --range --externs # globals are everywhere, at a return, too
check grep -qx '		\[EXT\]	int	global' out
check [ "$(grep -c '^		\[[VI][AN][LV]\].*@<loop+\[[0-9]' out)" -eq 3 ]
refute grep -q 'EXT.*@' out
perf probe -V 'loop%return' -x "$g2" --range --externs
check grep -qx '		\[EXT\]	int	global' out
perf probe -V loop -x "$g2" --filter 'nobody'
check grep -qx '		(No matched variables)' out

step "--vars of a line in no function, as of assembly: the place is its address"
cat > naked.S <<- 'END'
	.text
	.globl _start
_start:
	nop
	nop
END
gcc -g -nostdlib -static -o "${ME}_s" naked.S
address=$(nm "./${ME}_s" | awk '$3 == "_start" { print $1 }')
perf probe -x "./${ME}_s" --vars naked.S:5
check [ $rc -eq 0 ]
check [ "$(cat out)" = "Available variables at @naked.S:5
	@<$(printf '0x%x' $((0x$address + 1)))>
		(No matched variables)" ]

step "--funcs: sorted, filtered"
perf probe -x "$g2" -F
check sort -c out
check grep -qx show out
refute grep -q '^_\|@plt' out
perf probe -x "$g2" --funcs 's* & !sh?w & !*@plt | l[a-o]*p'
check [ "$(cat out)" = loop ]
perf probe -x "$g2" --funcs --filter '('
check [ $rc -eq 129 ]

step "--funcs: all names of one place, data, both tables; as in Linux's perf"
cat > aliases.c <<- 'END'
	int sink;
	__attribute__((noinline)) int _hidden_name(int v) { return sink += v; }
	int shown_name(int v) __attribute__((alias("_hidden_name")));
	int main(int argc, char **argv) { return shown_name(argc) < 0; }
END
gcc -O2 -w -o "${ME}_a" aliases.c
perf probe -x "./${ME}_a" --funcs
check grep -qx shown_name out
check grep -qx sink out
perf probe -x "./${ME}_a" -D shown_name -D _hidden_name
check [ "$(sed 's/.*://' out | sort -u | wc -l)" -eq 1 ]
if [ -x "$REF" ]; then
	for object in "./${ME}_a" "$g2" "$(ldd "$g2" | awk '/libc\.so/ { print $3 }')" "$(command -v bash)"; do
		timeout 20 "$REF" probe -x "$object" --funcs > theirs 2> /dev/null < /dev/null
		perf probe -x "$object" --funcs
		check cmp theirs out
	done
fi

cat > small.c <<- 'END'
	struct pair { int x; struct pair *next; };
	int sink;
	__attribute__((noinline)) int small(int v, struct pair *p) { return sink + v + p->x; }
	void _start(void) { struct pair p = { 1, &p }; small(3, &p); for (;;); }
END

step "a kernel that is not running: places by function, the memory of a process"
if gcc -g -O2 -w -nostdlib -static -fno-pic -no-pie -mcmodel=kernel -Wl,-Ttext=0xffffffff81000000 -o vmlinux small.c 2> build.log; then
	perf probe -k ./vmlinux -D 'small v p->x p->next->x@user' -D 'small%return $retval:s32' -D small+2
	check [ $rc -eq 0 ]
	cat > want <<- 'END'
		p:probe/small small+0 v=%di:s32 x=+0(%si):s32 x_2=+u0(+u8(%si)):s32
		r:probe/small__return small+0 $retval:s32
		p:probe/small small+2
	END
	check diff want out
else
	skip "no kernel's code here: $(head -n 1 build.log)"
fi

other_step() { # COMPILER REGISTERS-AT-THE-ENTRY
	step "programs of another architecture: $1"
	# shellcheck disable=SC2086 # flags
	if command -v "${1%% *}" > /dev/null && $1 -g -O2 -w -nostdlib -static -o other small.c 2> build.log; then
		perf probe -x ./other -D 'small v p->x p->next'
		check [ $rc -eq 0 ]
		check grep -q " $2\$" out
	else
		skip "${1%% *} cannot build it"
	fi
}
other_step aarch64-linux-gnu-gcc 'v=%x0:s32 x=+0(%x1):s32 next=+8(%x1):x64'
other_step riscv64-linux-gnu-gcc 'v=%a0:s32 x=+0(%a1):s32 next=+8(%a1):x64'
other_step "gcc -m32" 'v=+4(%sp):s32 x=+0(+8(%sp)):s32 next=+4(+8(%sp)):x32'

# ---- mistakes ----

bad() { # STATUS DEFINITION REGEX...
	local status=$1 def=$2 regex
	shift 2
	perf probe -x "$g2" -D "$def"
	check [ $rc -eq "$status" ]
	check [ ! -s out ]
	for regex; do
		check grep -qiE -e "$regex" err
	done
}

step "names of data, and of functions that the program only calls: said"
perf probe -x "$g2" -D global_cell
check [ $rc -eq 254 ]
check grep -q "^Error: Probe point not found: 'global_cell': that is data, where no probe can stand" err
check grep -q "behind a place its value is fetched: 'FUNCTION global_cell'" err
called=$(readelf -rW "$g2" | sed -n 's/.* R_[A-Z0-9_]*JU*MP_SLO*T.* \([a-z_]*\)@.*/\1/p' | head -n 1)
check [ -n "$called" ]
perf probe -x "$g2" -D "$called"
check [ $rc -eq 254 ]
check grep -q "^Error: Probe point not found: '$called': it is a function of another object, which '.*' calls" err
check grep -qF "from here: '$called\\@plt'" err
perf probe -x "$g2" -D "$called\\@plt"
check [ $rc -eq 0 ]
perf probe -x "$g2" -D "${called}x"
refute grep -q "another object" err

step "definitions that are none"
bad 129 'a-b=show' 'letters, digits'
bad 129 '=show' 'letters, digits'
bad 129 'show+x' 'number of bytes'
bad 129 'show:x' 'line number'
bad 129 'show%foo' '%return'
bad 129 'show%return+4' 'returns at no'
bad 129 'show:3;x*' 'exclude'
bad 129 'show;' 'pattern'
bad 129 ';x' 'names no function'
bad 129 '0x12zz' 'no address'
bad 234 'show%return n' 'gone when a function returns' '\$retval'
bad 129 'show n->' 'parts are written'
bad 129 'show n[x]' 'number'
bad 129 '%sdt_a:b-c' 'PROVIDER:POINT'
perf probe -x "$g2" -D ''
check [ $rc -eq 129 ]

step "names that are not there: the nearest are offered"
bad 254 shwo 'Probe point not found' "did you mean 'show'"
bad 254 shwo@probed.c 'nothing in .* has this name' "did you mean 'show'"
bad 254 porbed.c:3 "'@porbed.c:3': nothing in .* has this name" "did you mean 'probed.c'"
bad 254 workloads/porbed.c:3 'nothing in .* has this name' "did you mean 'workloads/probed.c'"
bad 254 show@nosuch.c 'nothing in .* has this name' "a function 'show' is in 'probed.c'"
bad 254 another.c:3 'nothing in .* has this name' "perf probe --line FUNCTION names a function's file"
bad 254 'show nn' "cannot find the variable 'nn'" "did you mean 'n'"
bad 234 'show cell->valeu' "no member 'valeu'" "did you mean 'value'"
bad 254 'nobody.c:3' 'not found'
while read -r lines advice; do
	perf probe -x "$g2" --line "$lines"
	check [ $rc -ne 0 ]
	check grep -q "$advice" err
done << 'END'
shwo did you mean 'show'
porbed.c:3 did you mean 'probed.c'
show@nosuch.c a function 'show' is in 'probed.c'
END
bad 254 '%sdt_nobody:here' 'static probe point'
mkdir -p near
cp "$g2" "near/${ME}_program"
perf probe -x "near/${ME}_prgoram" -D show
check [ $rc -eq 254 ]
check grep -q "did you mean 'near/${ME}_program'" err
perf probe -x "near/nothing_like_it" -D show
refute grep -q 'did you mean' err

step "chains and types that do not fit"
bad 234 'show n->x' 'is no pointer'
bad 234 'show cell.value' 'taken with ->'
bad 234 'show n[1]' 'no array or pointer'
bad 234 'show n:string' 'no array of or pointer'
bad 234 'show cell:string' 'does not hold characters'

step "a line without code, and an offset behind the end: said, with the nearest"
bad 254 'loop:1' '(sharing|nearest line)'
bad 254 'show:1000' 'nearest line with code is show:'
bad 254 'show+100000' 'fewer than the offset'

# steps() is an instruction of ten bytes with a constant of eight in it, one of one, and a return.
cat > borders.c <<- 'END'
	#include <stdio.h>
	unsigned long steps(void);
	__asm__(".text\n.globl steps\n.type steps,@function\nsteps:\n"
	        "movabs $0x1122334455667788, %rax\nnop\nret\n.size steps, . - steps\n");
	int main(void) { return printf("%lx\n", steps()) < 0; }
END
borders=$PWD/${ME}_b at=0
gcc -g -O0 -w -o "$borders" borders.c 2> build.log && at=$(nm "$borders" | awk '$3 == "steps" { print $1 }')
step "an offset inside an instruction: refused, with the borders beside it"
if ! has capstone; then
	skip "this perf is built without capstone"
elif [ ! -x "$borders" ]; then
	skip "not x86-64"
else
	for inside in steps+1 steps+3 steps+9 "$(printf '0x%x' $((0x$at + 4)))"; do
		perf probe -x "$borders" -D "$inside"
		check [ $rc -eq 234 ]
		check [ ! -s out ]
		check grep -q "'$inside': it is inside an instruction" err
		check grep -q 'use steps+0 or steps+10, where instructions start' err
	done
	for border in 0 10 11; do
		perf probe -x "$borders" -D "steps+$border"
		check [ $rc -eq 0 ]
		check grep -q ":$(printf '0x%x' $((0x$at + border)))\$" out
	done
fi

step "what that would do to a program, and that a border does not"
if [ ! -x "$borders" ]; then
	skip "as above"
elif need_uprobe_events; then
	check [ "$("$borders")" = 1122334455667788 ]
	# As anybody may write it: the breakpoint becomes a byte of the constant.
	check sh -c "echo 'p:$ME/inside $borders:$(printf '0x%x' $((0x$at + 3)))' >> '$(tracefs)/uprobe_events'"
	"$REF" stat -e "$ME:inside" "$borders" > damaged 2> /dev/null
	check [ "$(cat damaged)" != 1122334455667788 ]
	echo "-:$ME/inside" >> "$(tracefs)/uprobe_events"
	perf probe -q -x "$borders" -a "$ME:border=steps+10"
	check [ $rc -eq 0 ]
	perf stat -x, -e "$ME:border" "$borders"
	check grep -qx 1122334455667788 out
	check grep -q "^1,,$ME:border" err
	perf probe -q -d "$ME:*"
	check [ -z "$(mine)" ]
fi

step "a variable that was optimized out: where it has a value"
bad 254 'loop sum' 'optimized out' "has a value at 'loop:[0-9]"

step "files that are none, and options that exclude each other"
perf probe -x ./nosuch -D main
check [ $rc -ne 0 ]
check grep -q "cannot probe './nosuch'" err
perf probe -x "$source" -D main
check [ $rc -ne 0 ]
perf probe -x . -D main
check [ $rc -ne 0 ]
perf probe -x "$g2" -V show --add loop
check [ $rc -eq 129 ]
check grep -q -- '--vars' err
perf probe
check [ $rc -eq 129 ]

# ---- in the kernel ----

step "added, listed as source, used, removed: the texts of Linux's perf"
if need_uprobe_events; then
	perf probe -x "$g2" 'show n value=cell->value'
	check [ $rc -eq 0 ]
	check [ ! -s out ]
	name=probe_${ME}_g2:show
	printf 'Added new event:\n  %-20s (on show in %s with n value=cell->value)\n\nYou can now use it in all perf tools, such as:\n\n\tperf record -e %s -aR sleep 1\n\n' "$name" "$PWD/${ME}_g2" "$name" > want
	check diff want err
	perf probe --list "*$ME*:*"
	check [ "$(cat out)" = "$(printf '  %-20s (on show@%s in %s with n value)' "$name" "$source" "$PWD/${ME}_g2")" ]
	perf list "$name"
	check grep -q "$name .*Tracepoint event" out
	perf stat -x, -e "$name" "$g2"
	check grep -q "^3,,$name" err
	perf record -q -o a.data -e "$name" --filter 'n > 2' "$g2"
	perf script -i a.data -F event,trace
	check [ "$(grep -c "$name: ([0-9a-f]*) n=3 value=" out)" -eq 1 ]
	check [ "$(wc -l < out)" -eq "$(grep -c "$name" out)" ]
	perf probe --del "probe_${ME}_*:sh*"
	check [ $rc -eq 0 ]
	check [ "$(cat err)" = "Removed event: $name" ]
	check [ -z "$(mine)" ]
	perf script -i a.data -F event,trace # the recording knows it still
	check grep -q 'n=3 value=' out
	perf record -q -o b.data -e "$name" "$g2"
	check [ $rc -eq 129 ]
fi

step "a name twice: refused, forced, in one command"
if need_uprobe_events; then
	perf probe -q -x "$g2" -a show
	check [ ! -s err ]
	perf probe -x "$g2" -a show
	check [ $rc -eq 239 ]
	check grep -q 'event "show" already exists' err
	check grep -q -- 'perf probe -f' err
	check [ "$(mine | wc -l)" -eq 1 ]
	perf probe -x "$g2" -f -a 'show n' -a show
	check [ "$(mine | sed 's/^p:[^/]*.\([^ ]*\) .*/\1/' | tr '\n' ' ')" = "show show_1 show_2 " ]
	perf probe -n -d "probe_$ME*:*"
	check [ "$(mine | wc -l)" -eq 3 ]
	perf probe -d "probe_$ME*:show" -d "probe_$ME*:show_?"
	check [ -z "$(mine)" ]
	perf probe -d "probe_$ME*:show"
	check [ $rc -eq 254 ]
	check grep -q 'does not hit any event' err
fi

step "what fails half way leaves nothing"
if need_uprobe_events; then
	deep=%di # too deep for the kernel; what no kernel takes is refused before (probe-refused)
	for i in $(seq 20); do
		deep="+$i($deep)"
	done
	perf probe -x "$g2" -a show -a loop -a "main $deep"
	check [ $rc -ne 0 ]
	check grep -q 'the kernel refuses ' err
	check [ -z "$(mine)" ]
	perf probe -x "$g2" -a show -a nosuch
	check [ $rc -eq 254 ]
	check [ -z "$(mine)" ]
fi

step "dry: nothing is written"
if need_uprobe_events; then
	perf probe -n -v -x "$g2" -a 'show n'
	check [ $rc -eq 0 ]
	check grep -q '^Writing event: p:.* n=%di:s32$' err
	check [ -z "$(mine)" ]
fi

step "without rights, and in a tracefs that cannot be written"
mkdir -p traces/events
touch traces/uprobe_events
chmod 755 .. . traces
if need_root && command -v setpriv > /dev/null; then
	chmod 700 traces/uprobe_events
	cp "$PERF" ./perf-of-all
	PERF_TRACEFS_DIR=$PWD/traces setpriv --reuid 65534 --regid 65534 --clear-groups ./perf-of-all probe -x "$g2" show > out 2> err
	rc=$?
	check [ $rc -ne 0 ]
	check grep -qi 'permission denied' err
	setpriv --reuid 65534 --regid 65534 --clear-groups ./perf-of-all probe -x "$g2" -D 'show n' > out 2> err
	check grep -q ' n=%di:s32$' out
fi
rmdir traces/uprobe_events 2> /dev/null || rm traces/uprobe_events
mkdir traces/uprobe_events
PERF_TRACEFS_DIR=$PWD/traces perf probe -x "$g2" show
check [ $rc -ne 0 ]
check grep -q 'Failed to add events' err

step "a program in a container: the file that the process sees"
if need_uprobe_events && unshare --mount true 2> /dev/null; then
	mkdir inside
	cp "$g0" "inside/${ME}_ns"
	cp "$g2" "${ME}_ns"
	unshare --mount sh -c "mount --bind '$PWD/inside/${ME}_ns' '$PWD/${ME}_ns' && exec sleep 60" &
	CHILDREN="$CHILDREN $!"
	child=$!
	for _ in $(seq 100); do
		! cmp -s "/proc/$child/root$PWD/${ME}_ns" inside/"${ME}_ns" || break
		sleep 0.1
	done
	perf probe --target-ns $child -x "$PWD/${ME}_ns" -D 'show n'
	check grep -q "^p:probe_${ME}_ns/show /proc/$child/root$PWD/${ME}_ns:0x[0-9a-f]* n=-[0-9]*(%bp):s32\$" out
	perf probe -x "$PWD/${ME}_ns" -D 'show n'
	check grep -q ' n=%di:s32$' out
	{ kill -KILL $child && wait $child; } 2> /dev/null
else
	[ $state = skipped ] || skip "no mount namespaces here"
fi

step "tracefs mounted read-only: said, with what to do; nowhere: mounted, or asked for"
if need_uprobe_events && unshare --mount true 2> /dev/null; then
	cat > inside.sh <<- 'END'
		mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 1
		"$2" probe -x "$3" show > ro.out 2> ro.err
		echo $? > ro.rc
		while umount -l "$1" 2> /dev/null; do :; done
		! [ -e "$1/uprobe_events" ] || exit 1
		umount -l /sys/kernel/debug 2> /dev/null
		"$2" probe -x "$3" show > none.out 2> none.err
		echo $? > none.rc
	END
	check unshare --mount sh inside.sh "$(tracefs)" "$PERF" "$g2"
	check [ "$(cat ro.rc)" != 0 ]
	check grep -q "uprobe_events': Read-only file system" ro.err
	check grep -q 'mount -o remount,rw' ro.err
	if [ "$(cat none.rc)" -eq 0 ]; then
		check [ "$(mine | wc -l)" -eq 1 ]
		perf probe -q -d "probe_${ME}_g2:*"
	else
		check grep -q 'mount -t tracefs' none.err
	fi
	check [ -z "$(mine)" ]
fi

# A program of a thousand functions.
{
	seq -f 'void __attribute__((noinline)) fn%04g(void) { __asm__ volatile(""); }' 0 999
	echo 'int main(void) {'
	seq -f '	fn%04g();' 0 999
	echo '	return 0; }'
} > thousand.c
gcc -g -O1 -w -o "${ME}_k" thousand.c

step "a path with blanks, which the kernel cannot take: said, with a way out"
if need_uprobe_events; then
	mkdir -p "a folder"
	cp "$g2" "a folder/${ME}_bl"
	perf probe -x "a folder/${ME}_bl" -D show
	check grep -q "^p:probe_${ME}_bl/show $PWD/a folder/${ME}_bl:0x" out
	perf probe -x "a folder/${ME}_bl" -a loop -a show
	check [ $rc -eq 234 ]
	check grep -q "cannot probe '$PWD/a folder/${ME}_bl': .*blanks" err
	check grep -q 'a hard link' err
	check [ -z "$(mine)" ]
	ln "a folder/${ME}_bl" "${ME}_bl"
	perf probe -q -x "${ME}_bl" -a show
	check [ $rc -eq 0 ]
	perf stat -x, -e "probe_${ME}_bl:show" "a folder/${ME}_bl" # the same file
	check grep -q "^3,,probe_${ME}_bl:show" err
	perf probe -q -d "probe_${ME}_bl:show"
fi

step "a thousand probes at once: each is there, counts, and goes"
if need_uprobe_events; then
	perf probe -q -x "./${ME}_k" -a 'fn*' --max-probes 1000
	check [ $rc -eq 0 ]
	check [ "$(mine | sort -u | wc -l)" -eq 1000 ]
	perf probe -l "probe_${ME}_k:*"
	check [ "$(grep -c "probe_${ME}_k:fn0*[0-9]* " out)" -eq 1000 ]
	perf stat -x, -e "probe_${ME}_k:fn0000" -e "probe_${ME}_k:fn0999" "./${ME}_k"
	check [ "$(grep -c "^1,,probe_${ME}_k:fn0" err)" -eq 2 ]
	perf probe -q -d "probe_${ME}_k:*"
	check [ -z "$(mine)" ]
fi

step "killed between two writes: what is left is listed, and can be removed"
if need_uprobe_events; then
	"$PERF" probe -q -x "./${ME}_k" -a 'fn*' --max-probes 1000 > out 2> err &
	CHILDREN="$CHILDREN $!"
	child=$!
	while kill -0 $child 2> /dev/null && [ -z "$(mine)" ]; do :; done
	{ kill -KILL $child; wait $child; } 2> /dev/null
	left=$(mine | wc -l)
	check [ "$left" -ge 1 ]
	perf probe -l "probe_${ME}_k:*"
	check [ "$(grep -c "^  probe_${ME}_k:fn" out)" -eq "$left" ]
	perf probe -x "./${ME}_k" "$(mine | sed -n '1s/^p:[^/]*\/\(fn[0-9]*\) .*/\1/p')"
	check grep -q 'already exists' err
	perf probe -q -d "probe_${ME}_k:*"
	check [ -z "$(mine)" ]
fi

# ---- values ----

# What the program printed for FUNCTION, and what a probe read: lines "name=value ...".
printed() {
	sed -n "s/^$1 //p" printed
}
read_by() { # PROGRAM DEFINITION
	rm -f v.data
	perf probe -q -x "$1" -a "v=$2" &&
		perf record -q -o v.data -e "probe_${1##*/}:v" "$1"
	mv out printed
	perf probe -q -d "probe_${1##*/}:v*"
	perf script -i v.data -F trace
	sed 's/^ *([0-9a-f]*) //; s/ *$//' out
}

compare_values() { # PROGRAM [THE LAST THAT IS KNOWN AT THE ENTRY]
	local last=${2:-ninth} more=' global_cell.row[1]'
	[[ $1 != *_cl ]] || more= # with -flto clang keeps two bytes of it only
	read_by "$1" "$(echo show n u ch wide big flag colour text:string ninth | sed "s/\b$last.*/$last/")" > have
	check [ "$(printed show | wc -l)" -eq 6 ] # with "returns"
	check diff <(printed show | grep -v returns | sed -E "s/($last=[^ ]*).*/\1/") have
	read_by "$1" "show${2:+:3} "'cell->value cell->row[1] cell->row[3] cell->name:string cell->bits cell->wide cell->any.number cell->inner.deep[1][2] cell->next->value' > have
	check diff <(printed chain) have
	read_by "$1" "show global counter global_text:string global_pointer:string$more" > have
	check diff <(printed globals | sed "s/${more:- row=.*}\$//") have
	read_by "$1" 'twice v cell->value' > have
	check diff <(printed twice) have
	perf probe -q -x "$1" -a 'v=loop%return got=$retval:s64' && perf record -q -o v.data -e "probe_${1##*/}:v__return" "$1"
	mv out printed
	perf probe -q -d "probe_${1##*/}:v__return"
	perf script -i v.data -F trace
	check grep -q '([0-9a-f]* <- [0-9a-f]*) got=' out
	check [ "$(sed 's/.*got=//; s/ *$//' out)" = "$(sed -n 's/^loop returns //p' printed)" ]
	line=$(awk '/printf\("loop i/ { print NR }' "$source")
	if [ -z "${2:-}" ]; then
		read_by "$1" "probed.c:$line i sum" > have
		check diff <(printed loop | grep -v returns) <(sort -u have)
	else # clang has no sum there
		read_by "$1" "probed.c:$line i" > have
		check diff <(printed loop | sed '/returns/d; s/ sum.*//') <(sort -u have)
	fi
}

values_step() { # NAME COMPILER FLAGS...
	local last
	step "values are those that the program printed: ${*:2}"
	need_uprobe_events || return 0
	if command -v "$2" > /dev/null && build "$@"; then
		[[ $1 != c[25l] ]] || last=flag # clang does not say where those on the stack are at once
		compare_values "./${ME}_$1" "${last:-}"
	else
		skip "$2 cannot build it"
	fi
}
values_step v0 gcc -g -O0
values_step v2 gcc -g -O2
values_step v4 gcc -gdwarf-4 -O2 -no-pie
values_step vl gcc -g -O2 -flto
values_step c0 clang -g -O0
values_step c2 clang -gdwarf-4 -O2
values_step c5 clang -gdwarf-5 -O2
values_step cl clang -g -O2 -flto

step "--symfs: a program and its debug file below a folder, by its name there or here"
root=$PWD/root
mkdir -p "$root/opt/tried/bin" "$root/usr/lib/debug/opt/tried/bin"
cp "$g2" "${ME}_fs"
perf probe -x "./${ME}_fs" -D 'show n cell->value'
sed "s|$PWD/${ME}_fs:|PLACE:|" out > want
check grep -q '^p:.* PLACE:0x[0-9a-f]* n=%.* value=+' want
check objcopy --only-keep-debug "${ME}_fs" "${ME}_fs.debug"
check objcopy --strip-all --add-gnu-debuglink="${ME}_fs.debug" "${ME}_fs" "$root/opt/tried/bin/${ME}_fs"
mv "${ME}_fs.debug" "$root/usr/lib/debug/opt/tried/bin/"
at=opt/tried/bin/${ME}_fs
asked() { # SYMFS PROGRAM THE PATH OF THE EVENT
	perf probe --symfs "$1" -x "$2" -D 'show n cell->value'
	check [ $rc -eq 0 ]
	check diff <(sed "s|PLACE:|$3:|" want) out
}
asked "$root" "/$at" "/$at"
asked root "/$at" "/$at"
asked "$root" "$root/$at" "$root/$at"
asked "$root" "root/$at" "$root/$at"
asked root/ "./root/$at" "$root/$at"
id=$(id_of "$root/$at") # the other place of debug files
mkdir -p "$root/usr/lib/debug/.build-id/${id:0:2}"
mv "$root/usr/lib/debug/$at.debug" "$root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
asked "$root" "/$at" "/$at"
asked "$root" "root/$at" "$root/$at"
if [ -x "$REF" ]; then
	"$REF" probe --symfs "$root" -x "root/$at" -D 'show n' > theirs 2> /dev/null < /dev/null
	check diff <(sed "s|PLACE:|$root/$at:|; s/ value=.*//" want) theirs
fi
perf probe --symfs "$root" -x "/$at" --vars show
check grep -q '		int	n$' out
perf probe --symfs "$root" -x "/$at" --line twice
check grep -q "^<twice@" out
perf probe -x "root/$at" -D 'show n' # not the folder's debug file
check [ $rc -ne 0 ]
check grep -q 'no debug information' err
perf probe --symfs "$PWD/nowhere" -x "/$at" -D show
check [ $rc -eq 254 ]
check grep -q "cannot probe '/$at': No such file" err
if need_uprobe_events; then
	perf probe -q --symfs "$root" -x "root/$at" -a "$ME:fs=show n"
	check [ $rc -eq 0 ]
	perf record -q -o v.data -e "$ME:fs" "$root/$at"
	perf script -i v.data -F event
	check [ "$(grep -c "$ME:fs" out)" -ge 3 ]
	perf probe -q -d "$ME:fs"
fi

# ---- static probe points ----

step "static probe points: places, arguments, semaphores; one that is not there"
readelf -n "$WORKLOADS/probes" | grep -q planted || skip "a machine whose probe points we do not plant"
[ $state = skipped ] || cp "$WORKLOADS/probes" "${ME}_sdt"
perf probe -x "./${ME}_sdt" -D '%sdt_planted:many'
check grep -q "^p:sdt_planted/many $PWD/${ME}_sdt:0x[0-9a-f]* arg1=%di:u64 arg2=-20(%bp):s32 arg3=.7:s32 arg4=+0(%ax):u64 arg5=%r9:u16 arg7=%di:u8\$" out
perf probe -x "./${ME}_sdt" -D 'sdt_planted:many2'
check grep -q '(0x[0-9a-f]*) arg1=%si:s64$' out
perf probe -x "./${ME}_sdt" -D 'e=%twice'
check [ "$(sed 's/ .*//' out | tr '\n' ' ')" = "p:sdt_planted/e p:sdt_planted/e_1 " ]
perf probe -x "./${ME}_sdt" -D '%sdt_planted:meny'
check [ $rc -eq 254 ]
check grep -q "did you mean 'planted:many'" err

step "static probe points: counted in all places, waited for"
[ -e "${ME}_sdt" ] || skip "as above"
if need_uprobe_events; then
	perf probe -x "./${ME}_sdt" -a "$ME:twice=%sdt_planted:twice" -a "$ME:many2=%many2"
	check [ $rc -eq 0 ]
	check grep -q "^  $ME:twice *(on %twice in $PWD/${ME}_sdt)\$" err
	perf stat -x, -e "$ME:twice*" -e "$ME:many2" "./${ME}_sdt"
	# Its places have other arguments: each is an event.
	check grep -q "^1,,$ME:twice\b" err
	check grep -q "^1,,$ME:twice_1" err
	check grep -q "^1,,$ME:many2" err
	check grep -q '^waited for' out
	perf probe -q -d "$ME:*"
	check [ -z "$(mine)" ]
fi

step "--try: added, run, counted, shown, removed"
if need_uprobe_events; then
	perf probe -x "$g2" --try 'show n' --try 'loop%return $retval:s64' -- "$g2" word
	check [ $rc -eq 0 ]
	check grep -q "^ *3  probe_${ME}_g2:show (on show in " out
	check grep -q "^ *1  probe_${ME}_g2:loop__return " out
	check grep -q 'The first of 4 hits:' out
	check grep -q "probe_${ME}_g2:show: ([0-9a-f]*) n=2" out
	check [ -z "$(mine)" ]
	perf probe -x "$g2" --try 'show n' -- sh -c 'exit 7'
	check [ $rc -eq 7 ]
	check [ -z "$(mine)" ]
	check grep -qx 'The probe was not hit.' out
	refute grep -q 'perf-probe-\|has no samples' err # a file that is gone by then
	perf probe -x "$g2" --try 'show n' --try show -- true
	check grep -qx 'None of the probes was hit.' out
	check [ "$(grep -c '^ *0  probe_' out)" -eq 2 ]
	perf probe -x "$g2" --try 'show n'
	check [ $rc -eq 129 ]
fi
finish
