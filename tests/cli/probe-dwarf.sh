#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Debug information that compilers make rarely, and what probes make of it: values known by the
# function's caller only, names of Rust, code that was inlined from headers.
. "$(dirname "$0")/../lib.sh"
plan 4
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"
ME=rare$$

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
finish
