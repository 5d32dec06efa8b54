#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Debug information that compilers make rarely, and what probes make of it: values known by the
# function's caller only, names of Rust, code that was inlined from headers.
. "$(dirname "$0")/../lib.sh"
plan 18
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
ME=tried$$

mine() {
	grep -s ":[a-z_]*${ME}[/_]" "$(tracefs)/uprobe_events"
}
clean() {
	local status=$? name
	mine | sed 's/^[pr][0-9]*:\([^ ]*\) .*/\1/' | sort -u | while read -r name; do
		echo "-:$name" >> "$(tracefs)/uprobe_events"
	done
	at_end $status
}
trap clean EXIT

# ---- values that only the caller knows ----

cat > entry.c <<- 'END'
	#include <stdio.h>
	static volatile int sink;
	__attribute__((noipa)) int use(int v) { return sink += v; }
	__attribute__((noipa)) int lost(int n, int m)
	{
		int r = use(m);
		r += use(r);
		sink = r;
		return r;
	}
	int main(int argc, char **argv) { return printf("n=%d m=%d\n", argc + 41, argc) + lost(argc + 41, argc) < 0; }
END
for version in 4 5; do
	step "DWARF $version: what the function was called with, and is gone: read at the entry, refused behind it"
	check gcc -gdwarf-$version -O2 -w -o "${ME}_e" entry.c
	if ! readelf --debug-dump=loc "${ME}_e" 2> /dev/null | grep -q 'entry_value: (DW_OP_reg'; then
		skip "this compiler writes no DW_OP_entry_value"
		continue
	fi
	perf probe -x "./${ME}_e" -D 'lost:3 n'
	check [ $rc -eq 254 ]
	check [ ! -s out ]
	check grep -q "'n' has no value at this address any more: only what the function was called with is known" err
	check grep -q "where the function begins: 'lost n'" err
	perf probe -x "./${ME}_e" --vars lost:3
	check grep -qx '		int	r' out
	refute grep -q '	n$' out
	perf probe -x "./${ME}_e" -D 'lost:3 $vars'
	check grep -q ' r=%ax:s32' out
	refute grep -q ' n=' out
	perf probe -x "./${ME}_e" -D 'lost n m'
	check grep -q ' n=%di:s32 m=%si:s32$' out
	if [ "$(uname -m)" = x86_64 ] && need_tracefs && [ -w "$(tracefs)/uprobe_events" ]; then
		perf probe -x "./${ME}_e" --try 'lost n m' -- "./${ME}_e"
		check [ "$(grep -o ' n=[0-9]* m=[0-9]*$' out | tail -n 1)" = " $(grep -o '^n=[0-9]* m=[0-9]*$' out)" ]
		check [ -z "$(mine)" ]
	fi
done

# ---- Rust ----

# As rustc writes it: functions have names of the language, linkage names of v0 or of the older kind.
rust() { # LINKAGE-NAME: rust_prog
	cat > rust.c <<- END
		extern int printf(const char *, ...);
		struct Cell { long value; };
		__attribute__((noinline, used)) long gather(struct Cell *self, long by) __asm__("$1");
		__attribute__((noinline, used)) long gather(struct Cell *self, long by) { return self->value += by; }
		int main(int argc, char **argv)
		{
			struct Cell cell = { argc };
			return printf("by=%d value=%ld\n", 3 * argc, cell.value) + gather(&cell, 3 * argc) < 0;
		}
	END
	clang -g -O1 -S -emit-llvm -w -o rust.ll rust.c && sed -i 's/DW_LANG_C[0-9]*/DW_LANG_Rust/' rust.ll &&
		grep -q DW_LANG_Rust rust.ll && clang -g -O1 -w -o "${ME}_r" rust.ll
}
for name in _RNvMNtC7methods4deepNtB2_4Cell6gather _ZN7methods4deep4Cell6gather17h0123456789abcdefE; do
	step "Rust: functions by their names with modules, by the last part, by the linkage name: $name"
	if ! command -v clang > /dev/null || ! rust $name; then
		skip "no clang that makes it"
		continue
	fi
	perf probe -x "./${ME}_r" --funcs '*methods*'
	check grep -qxE '<?methods::deep::Cell>?::gather' out
	for def in 'methods\:\:deep\:\:Cell\:\:gather' methods::deep::Cell::gather 'methods::*::gather' "$(cat out)" gather $name; do
		perf probe -x "./${ME}_r" -D "$def by self->value"
		check [ $rc -eq 0 ]
		check grep -qE "^p:probe_${ME}_r/[A-Za-z_0-9]+ .* by=%si:s64 value=[+]0\(%di\):s64\$" out
	done
	perf probe -x "./${ME}_r" -D 'methods::deep::Cell::gathr by'
	check [ $rc -eq 254 ]
	if need_tracefs && [ -w "$(tracefs)/uprobe_events" ]; then
		perf probe -x "./${ME}_r" --try 'gather by self->value' -- "./${ME}_r"
		check [ "$(grep -o ' by=[0-9]* value=[0-9]*$' out | tail -n 1)" = " $(grep -o '^by=[0-9]* value=[0-9]*$' out)" ]
		check [ -z "$(mine)" ]
	fi
done

# ---- inlined from a header ----

mkdir -p one two
cat > inc.h <<- 'END'
	int outside(int v, int by);
	static inline __attribute__((always_inline, artificial)) int passed(int v)
	{
		return outside(v, 2);
	}
	static inline __attribute__((always_inline)) int within(int v)
	{
		int r = v * 3;
		if (r > 10)
			r += outside(r, 1);
		return r;
	}
END
printf '#include "../inc.h"\nint first(int n) { return within(n) + 1; }\nint only(int n) { return passed(n); }\n' > one/a.c
cat > two/b.c <<- 'END'
	#include <stdio.h>
	#include "../inc.h"
	__attribute__((noipa)) int outside(int v, int by) { return printf("%d\n", v * by); }
	int first(int n);
	int only(int n);
	int main(int argc, char **argv) { return only(argc) + first(argc + 4) + within(argc) == 0; }
END
for flags in "-O2" "-O2 -flto" "-O1 -gdwarf-4"; do
	step "--line of a function inlined from a header: all lines with code, each can be probed: gcc $flags"
	# shellcheck disable=SC2086 # several
	(cd one && gcc -g $flags -w -c a.c) && (cd two && gcc -g $flags -w -c b.c) && gcc -g $flags -o "${ME}_h" one/a.o two/b.o ||
		skip "gcc cannot build it"
	[ $state != skipped ] || continue
	for function in passed within; do
		perf probe -x "./${ME}_h" --line $function
		check [ $rc -eq 0 ]
		lines=$(sed -n '2,$s/^ *\([0-9][0-9]*\)  .*/\1/p' out)
		check [ "$(head -n 1 out | sed 's/:0>$//; s|.*/||')" = inc.h ]
		# The call, or what is behind it, is of this function only.
		check grep -qE '^ +[0-9]  .*(outside|r > 10)' out
		check [ "$(wc -w <<< "$lines")" -ge 2 ]
		for line in $lines; do
			perf probe -x "./${ME}_h" -D "$function:$line"
			check [ $rc -eq 0 ]
			check grep -q "^p:probe_${ME}_h/" out
		done
	done
	perf probe -x "./${ME}_h" -D within:1 # a brace
	check [ $rc -eq 254 ]
	refute grep -q "'within:1'.*nearest line with code is within:1$" err
done

# ---- types without members ----

cat > declared.c <<- 'END'
	struct cell;
	extern int printf(const char *, ...);
	__attribute__((noinline)) int take(struct cell *cell, void *any) { return printf("%p %p\n", cell, any); }
	int main(int argc, char **argv) { return take((struct cell *)argv, argv) < 0; }
END
step "a type that is only declared, and void: said so"
check gcc -g -O1 -o "${ME}_d" declared.c
perf probe -x "./${ME}_d" -D 'take cell'
check grep -qE ' cell=%di:?x?6?4?$' out
perf probe -x "./${ME}_d" -D 'take cell->value'
check [ $rc -eq 234 ]
check grep -q "the type of 'cell' is only declared where it is used" err
perf probe -x "./${ME}_d" -D 'take any->value'
check [ $rc -eq 234 ]
check grep -q "'any' points to void" err

# ---- units by name ----

# A pattern is looked for in each unit, a name in those that may have it: the answers are the same.
mkdir -p names
cat > names/same.h <<- 'END'
	extern volatile int sink;
	static inline __attribute__((always_inline)) int everywhere(int v) { sink += v; return v * 3; }
	static __attribute__((noinline)) int apart(int v) { sink -= v; return everywhere(v) + 1; }
END
printf '#include "same.h"\nint one(int v) { return everywhere(v) + apart(v); }\n' > names/1.c
printf '#include "same.h"\nstatic int helper(int v) { return sink * v; }\nint two(int v) { return helper(everywhere(v)) + apart(v); }\n' > names/2.c
printf '#include "same.h"\nvolatile int sink;\nint one(int v); int two(int v); int abc(int v) { return helper(v); }\nint helper(int v) { return one(v) + v; }\nint main(int argc, char **argv) { return two(abc(argc)) + everywhere(argc) + apart(argc); }\n' > names/3.c
for compiler in gcc clang; do
	for flags in "-gdwarf-4 -O1" "-g -O2" "-g -O2 -flto" "-g -O1 -fdebug-types-section" "-g -O1 -gsplit-dwarf"; do
		step "a name is found in all units that have it: $compiler $flags"
		# shellcheck disable=SC2086 # several
		(cd names && command -v $compiler > /dev/null && $compiler $flags -w -c 1.c 2.c 3.c && $compiler $flags -w -o "../${ME}_u" 1.o 2.o 3.o) 2> build.log ||
			skip "$compiler cannot build it"
		[ $state != skipped ] || continue
		for name in one two abc helper main everywhere apart; do
			perf probe -x "./${ME}_u" -D "$name"
			check [ $rc -eq 0 ]
			sed 's/.*://' out | sort > want
			perf probe -x "./${ME}_u" -D "[${name:0:1}]${name:1}"
			check diff want <(sed 's/.*://' out | sort)
		done
		perf probe -x "./${ME}_u" -D apart
		check [ "$(wc -l < out)" -ge 1 ]
	done
done
finish
