#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Split debug information (-gsplit-dwarf): packages (.dwp), units left in the object file, packed
# ones, type units. A program of one source is asked the same with the compiler's .dwo files and with
# what was made of them: the answers must be equal. What is missing is named.
. "$(dirname "$0")/../lib.sh"
plan 14
has libdw || skip_all "this perf is built without libdw"
command -v gcc > /dev/null || skip_all "no gcc"

mkdir sources
cat > sources/first.c <<- 'END'
	struct cell { int value; struct cell *next; };
	struct bell { long tone; struct cell *of; };
	int printf(const char *, ...);
	int other(int q);
	static volatile int sink;
	static inline __attribute__((always_inline)) int low(struct cell *s) { return s->value * 3 + sink; }
	__attribute__((noinline)) int top(struct cell *s, int k)
	{
		int sum = 0;
		for (int i = 0; i < k; i++)
			sum += low(s->next) + printf("x\n");
		return sum;
	}
	__attribute__((noinline)) long ding(struct bell *b) { return printf("%ld\n", b->tone) + b->of->value; }
	int main(int argc, char **argv)
	{
		struct cell c = { argc, &c };
		struct bell b = { 7, &c };
		return (top(&c, argc) + ding(&b) + other(argc)) & 1;
	}
END
cat > sources/second.c <<- 'END'
	int printf(const char *, ...);
	int other(int q) { return printf("%d\n", q); }
END
{
	echo 'extern "C" {'
	cat sources/first.c
	echo '}'
} > sources/first.cc
sed 's/^int/extern "C" int/' sources/second.c > sources/second.cc

build() { # COMPILER FLAGS...: prog, of first.o and second.o
	local end=c
	[[ $1 != *++ ]] || end=cc
	rm -f first.* second.* prog prog.dwp
	cp sources/* .
	"$@" -w -c first.$end && "$@" -w -c second.$end && "$@" first.o second.o -o prog
}

# What is asked of a program: places and values, variables, lines, lines of an address.
ask() {
	local def
	for def in 'top s->next->value k' 'low s->value' 'ding b->tone b->of->value' 'other q' 'top:4 i'; do
		"$PERF" probe -x ./prog -D "$def" 2>&1
	done
	"$PERF" probe -x ./prog --vars top --externs && "$PERF" probe -x ./prog --line low &&
		"$PERF" probe -x ./prog --line other
}

# The same answers as before.
same() {
	ask > have
	check [ $? -eq 0 ]
	check diff want have
	check [ "$(grep -c '^p:.*=' have)" -ge 4 ]
	check grep -q ' value=+0(' have
	check grep -qE 'cell\*	s$' have
}

step "packages: of gcc and clang, DWARF 4 and 5, by dwp and llvm-dwp"
packages=0
for compiler in gcc clang; do
	for version in 4 5; do
		# llvm-dwp 14 loops on what gcc makes of most programs in DWARF 5, not of this one at -O0.
		level=-O2
		[ $compiler$version != gcc5 ] || level=-O0
		command -v $compiler > /dev/null && check build $compiler -gdwarf-$version -gsplit-dwarf $level || continue
		check [ -e first.dwo ]
		ask > want
		check [ $? -eq 0 ]
		for tool in dwp llvm-dwp; do
			# binutils' dwp 2.40 crashes on DWARF 5
			[ $tool$version != dwp5 ] && command -v $tool > /dev/null || continue
			check $tool -e prog -o prog.dwp
			mkdir -p away && mv ./*.dwo away/
			same
			packages=$((packages + 1))
			mv away/*.dwo . && rm prog.dwp
		done
	done
done
[ $packages -gt 0 ] || skip "no dwp, no llvm-dwp"

step "a package beside what was stripped off: PROG.debug and PROG.dwp"
if [ $packages -gt 0 ] && command -v llvm-dwp > /dev/null; then
	check build gcc -gdwarf-4 -gsplit-dwarf -O2
	ask > want
	check llvm-dwp -e prog -o prog.dwp
	rm ./*.dwo
	check objcopy --only-keep-debug prog prog.debug
	check strip -g prog
	check objcopy --add-gnu-debuglink=prog.debug prog
	same
else
	skip "no llvm-dwp"
fi

step "a package beside the program, whose debug file lies elsewhere"
if [ $packages -gt 0 ] && command -v llvm-dwp > /dev/null; then
	check build gcc -gdwarf-4 -gsplit-dwarf -O2
	ask > want
	check llvm-dwp -e prog -o prog.dwp
	rm ./*.dwo
	mkdir .debug
	check objcopy --only-keep-debug prog .debug/prog.debug
	check strip -g prog
	check objcopy --add-gnu-debuglink=.debug/prog.debug prog
	same
	mv prog.dwp .debug/
	same
	mv .debug/prog.dwp away/
	perf probe -x ./prog -D 'top k'
	check [ $rc -eq 254 ]
	check grep -q "put 'first.dwo'" err
	check grep -qF "beside the program: $PWD/prog.dwp" err
	rm -r .debug
else
	skip "no llvm-dwp"
fi

step "the debug file beside a stripped program: by its link, not by the program's name; a wrong one is named"
check build gcc -g -O1 -Wl,--build-id=none
mkdir .debug
check objcopy --only-keep-debug prog .debug/prog
cp .debug/prog right.debug
check strip prog
for def in 'top k' 'top'; do # nothing says that the file there is of it
	perf probe -x ./prog -D "$def"
	check [ $rc -eq 254 ]
	check [ ! -s out ]
	refute grep -q 'not using the debug file' err
done
check grep -q "Failed to load symbols from '.*/prog': it has none" err
check grep -q 'please ensure the file is not stripped' err
check objcopy --add-gnu-debuglink=.debug/prog prog
for def in 'top k' 'top'; do
	perf probe -x ./prog -D "$def"
	check [ $rc -eq 0 ]
done
cp prog .debug/prog # of another build, for functions, too
for def in 'top k' 'top'; do
	perf probe -x ./prog -D "$def"
	check [ $rc -eq 254 ]
	check [ ! -s out ]
	check grep -q "not using the debug file '.*/.debug/prog': it is of another build of 'prog': its checksum" err
done
cp right.debug .debug/prog
perf probe -x ./prog -D top
check [ $rc -eq 0 ]
rm -r .debug

step "a package that is packed, and one of another build, and a damaged one: never wrong"
if [ $packages -gt 0 ] && command -v llvm-dwp > /dev/null; then
	check build gcc -gdwarf-4 -gsplit-dwarf -O2
	ask > want
	check llvm-dwp -e prog -o whole.dwp
	rm ./*.dwo
	cp whole.dwp prog.dwp
	check objcopy --compress-debug-sections=zlib prog.dwp
	same
	sed -i 's/sum = 0/sum = 9/' sources/first.c
	check build gcc -gdwarf-4 -gsplit-dwarf -O1
	rm ./*.dwo
	cp whole.dwp prog.dwp
	perf probe -x ./prog -D 'top k'
	check [ $rc -eq 254 ]
	check grep -q "put 'first.dwo'" err
	size=$(stat -c %s whole.dwp)
	for at in 0 64 $((size / 3)) $((size / 2)) $((size - 200)) $((size - 1)); do
		head -c "$at" whole.dwp > prog.dwp
		perf probe -x ./prog -D 'top k'
		check [ $rc -eq 254 ]
	done
else
	skip "no llvm-dwp"
fi

step "split units in the object file itself: clang -gsplit-dwarf=single"
if command -v clang > /dev/null && build clang -g -gsplit-dwarf -O2; then
	for version in 4 5; do
		check build clang -gdwarf-$version -gsplit-dwarf -O2
		ask > want
		check build clang -gdwarf-$version -gsplit-dwarf=single -O2
		check [ ! -e first.dwo ]
		same
		rm first.o
		perf probe -x ./prog -D 'top k'
		check [ $rc -eq 254 ]
		check grep -q "put 'first.o'" err
	done
else
	skip "no clang"
fi

step "packed with zlib and zstd"
for way in zlib zstd; do
	[ $way = zlib ] || has zstd || continue
	check build gcc -gdwarf-4 -gsplit-dwarf -O2
	ask > want
	for dwo in *.dwo; do
		objcopy --compress-debug-sections=$way "$dwo" 2> /dev/null || continue 2
	done
	same
done

step "type units: in the program, in .dwo files, in a package"
for compiler in g++ clang++; do
	for version in 4 5; do
		command -v $compiler > /dev/null && check build $compiler -gdwarf-$version -O2 || continue
		ask > want
		check build $compiler -gdwarf-$version -fdebug-types-section -O2
		same
		check build $compiler -gdwarf-$version -fdebug-types-section -gsplit-dwarf -O2
		same
		# as above
		[ $compiler$version != g++5 ] && command -v llvm-dwp > /dev/null || continue
		check llvm-dwp -e prog -o prog.dwp
		rm ./*.dwo
		same
	done
done

step "inlined functions of samples, from a package, and no more when it is gone"
cat > hot.c <<- 'END'
	static volatile unsigned long sink;
	static inline __attribute__((always_inline)) unsigned long spin(unsigned long n)
	{
		unsigned long sum = 0;
		for (unsigned long i = 0; i < n; i++)
			sum += sink + i * 3;
		return sum;
	}
	__attribute__((noinline)) unsigned long work(unsigned long n) { return spin(n) + 1; }
	int main(void)
	{
		unsigned long sum = 0;
		for (int i = 0; i < 100; i++)
			sum += work(1000000);
		return sum & 1;
	}
END
if command -v llvm-dwp > /dev/null && check gcc -gdwarf-4 -gsplit-dwarf -O2 -c hot.c && check gcc hot.o -o hot; then
	check llvm-dwp -e hot -o hot.dwp
	rm hot.dwo
	touch -d '1 minute ago' hot hot.dwp
	perf record -q -g -e cpu-clock -c 1000000 -o hot.data ./hot
	check [ $rc -eq 0 ]
	for _ in 1 2; do # the second time from the index
		perf report -i hot.data --stdio --no-children -s sym -g caller
		check grep -q 'spin (inlined)' out
	done
	mkdir .debug # and beside the program, whose debug file is elsewhere
	check objcopy --only-keep-debug hot .debug/hot.debug
	cp hot whole
	check strip -g hot
	check objcopy --add-gnu-debuglink=.debug/hot.debug hot
	perf record -q -N -g -e cpu-clock -c 1000000 -o away.data ./hot
	perf buildid-cache --purge-all
	for _ in 1 2; do
		perf report -i away.data --stdio --no-children -s sym -g caller
		check grep -q 'spin (inlined)' out
	done
	rm -r .debug
	mv whole hot
	mv hot.dwp away.dwp
	perf report -i hot.data --stdio --no-children -s sym -g caller
	check grep -q ' work$' out
	refute grep -q 'spin (inlined)' out
else
	skip "no llvm-dwp"
fi

# ---- what is missing is named ----

step "units that cannot be read: the file is named, and nothing is said to be nothing"
check build gcc -gdwarf-4 -gsplit-dwarf -O2
rm first.dwo
unread() { # REGEX ARGUMENT...
	local regex=$1
	shift
	perf probe -x ./prog "$@"
	check [ $rc -eq 254 ]
	check [ ! -s out ]
	check grep -q "$regex" err
	check grep -qF "put 'first.dwo' where it was compiled (in $PWD)" err
	check grep -qF "$PWD/prog.dwp" err
}
named='its split debug information cannot be read' maybe='; but some split debug information cannot be read'
unread "the variables at 'main': $named" --vars main
unread "'main': $named" --line main
unread "'main:2': $named" -D main:2
unread "'argc': $named" -D 'main argc'
unread "'main': $named" -D 'main;r*'
unread "'low': .*has this name$maybe" -D low
unread "'low': .*$maybe" --vars low
unread "'low': .*$maybe" --line low
unread "'first.c': .*$maybe" --line first.c
unread "'@first.c:5': .*$maybe" -D first.c:5
perf probe -x ./prog --vars other
check [ $rc -eq 0 ]
check grep -qx '		int	q' out
perf probe -x ./prog -D main
check [ $rc -eq 0 ]
perf probe -x ./prog --line other
check [ $rc -eq 0 ]

step "report, script and annotate say, each time, that inlined functions are missing, and why"
if need_events; then
	mkdir there
	cd there || exit
	cp ../hot.c .
	for version in 4 5; do
		check gcc -gdwarf-$version -gsplit-dwarf -O2 -c hot.c && check gcc hot.o -o hot
		perf record -q -g -e cpu-clock -c 1000000 -o hot.data ./hot
		silent() { # ARGUMENT...
			perf "$@" -i hot.data
			refute grep -q 'split debug' err
		}
		silent report --stdio --no-children -s sym -g caller
		check grep -q 'spin (inlined)' out
		cp hot.dwo away.dwo
		rm hot.dwo
		missing() { # WHY ARGUMENT...
			local why=$1
			shift
			perf "$@" -i hot.data
			check [ $rc -eq 0 ]
			check [ "$(grep -c 'split debug' err)" -eq 1 ]
			check grep -q "^Warning: cannot read the split debug information 'hot.dwo': functions that were inlined into its code are not shown$why" err
			check grep -qF "put 'hot.dwo' where it was compiled (in $PWD), or a package of all such files beside the program: $PWD/hot.dwp" err
		}
		for _ in 1 2; do # an index of what is known keeps nothing of it
			missing '$' report --stdio --no-children -s sym -g caller
			refute grep -q 'spin (inlined)' out
		done
		missing '$' report --stdio -s srcline -g none
		missing '$' script --inline -F ip,sym
		missing '$' annotate --stdio work
		silent report --stdio --no-children -s sym -g caller --no-inline
		silent script -F ip,sym --no-inline
		sed 's/n) + 1/n) + n/' hot.c > other.c
		check gcc -gdwarf-$version -gsplit-dwarf -O2 -DOTHER -c other.c
		mv other.dwo hot.dwo # of another build
		missing "; '$PWD/hot.dwo' is there, but of another build: its id is [0-9a-f]*, not [0-9a-f]*$" report --stdio --no-children -s sym -g caller
		refute grep -q 'spin (inlined)' out
		mv away.dwo hot.dwo
		silent report --stdio --no-children -s sym -g caller
		check grep -q 'spin (inlined)' out
	done
	cd .. || exit
fi

step "one unit of two cannot be read: what was found stands, and it is said that there may be more"
cat > hdr.h <<- 'END'
	extern volatile int total;
	static inline __attribute__((always_inline)) int inhdr(int acc)
	{
		for (int i = 0; i < acc; i++)
			total += acc * i;
		return total;
	}
END
cat > a.c <<- 'END'
	#include "hdr.h"
	volatile int total;
	int in_b(int n);
	__attribute__((noinline)) int in_a(int n) { return inhdr(n) + 1; }
	int main(int argc, char **argv) { return in_a(argc) + in_b(argc); }
END
cat > b.c <<- 'END'
	#include "hdr.h"
	__attribute__((noinline)) int in_b(int n) { return inhdr(n) + 2; }
END
pair() { # FLAGS...: p, of a.c and b.c
	"$@" -O1 -c a.c && "$@" -O1 -c b.c && "$@" a.o b.o -o p
}
said="^Warning: cannot read the split debug information 'b\.\(dwo\|o\)': places in 1 such file were not looked for"
found() { # PLACES ARGUMENT...: places are found, status 0; with b's unit nothing is said, else it is
	local places=$1
	shift
	perf probe -x ./p "$@"
	check [ $rc -eq 0 ]
	[ -z "$places" ] || check [ "$(grep -c '^p:' out)" -eq "$places" ]
	check [ -s out ]
}
whole() { # PLACES ARGUMENT...
	found "$@"
	check [ ! -s err ]
}
halved() {
	found "$@"
	check grep -q "$said" err
	check [ "$(grep -c Warning: err)" -eq 1 ]
	check grep -q "put 'b.d\?w\?o' where it was compiled" err
}
searches() { # FUNCTION PLACES
	"$1" "$2" -D 't:in1=inhdr acc'
	"$1" "$2" -D 'hdr.h:5'
	"$1" "$2" -D 'inhdr@hdr.h'
	"$1" "$2" -D 'inhdr;total*'
	"$1" '' --vars inhdr
	"$1" '' --line inhdr
	"$1" '' --line hdr.h
}
for flags in 'gcc -gdwarf-4 -gsplit-dwarf' 'gcc -gdwarf-5 -gsplit-dwarf' 'clang -gdwarf-4 -gsplit-dwarf=single' \
	'clang -gdwarf-5 -gsplit-dwarf=single'; do
	command -v ${flags%% *} > /dev/null && check pair $flags || continue
	searches whole 2
	rm -f b.o b.dwo
	searches halved 1
	halved '' -D inhdr -D in_a # once
	halved '' -D in_b # as it may be inlined elsewhere in its unit
	# What cannot lie in it.
	whole 1 -D 'in_a n'
	whole '' --vars in_a
	whole '' --line in_a
	whole '' -D 'a.c:5'
	whole 1 -D "0x$(nm p | awk '$3 == "in_a" { print $1 }')"
	perf probe -q -x ./p -D inhdr
	check [ ! -s err ]
done
perf probe -x ./p -D inhdr -D nowhere # an error says it, too: once
check [ $rc -eq 254 ]
refute grep -q Warning: err
check grep -qF "$maybe" err

# "ID" as readelf tells it, of the unit b.c in FILE.
unit_id() { # FILE
	readelf --debug-dump=info "$1" 2> /dev/null |
		sed -n 's/.*\(DW_AT_GNU_dwo_id *:\|DWO ID:\) *0x\([0-9a-f]*\).*/000000000000000\2/p' |
		sed 's/.*\(.\{16\}\)$/\1/' | tail -n 1
}
step "files of another build are refused by the ids of their units, which are told"
sed 's/int n/long n/; s/+ 2/+ n/' b.c > other.c
for flags in 'gcc -gdwarf-4 -gsplit-dwarf' 'gcc -gdwarf-5 -gsplit-dwarf' 'gcc -gdwarf-5 -gsplit-dwarf -gz=zlib' \
	'clang -gdwarf-4 -gsplit-dwarf=single' 'clang -gdwarf-5 -gsplit-dwarf=single' 'clang -gdwarf-5 -gsplit-dwarf'; do
	command -v ${flags%% *} > /dev/null && check pair $flags || continue
	split=$([[ $flags == *single ]] && echo o || echo dwo)
	want=$(unit_id p)
	found '' --vars in_b
	check grep -qx '		int	n' out
	check $flags -O1 -c other.c
	mv other.$split b.$split
	have=$(unit_id b.$split)
	check [ ${#have} -eq 16 ] && check [ ${#want} -eq 16 ] && check [ "$have" != "$want" ]
	perf probe -x ./p --vars in_b
	check [ $rc -eq 254 ]
	check [ ! -s out ]
	check grep -qF "; '$PWD/b.$split' is there, but of another build: its id is $have, not $want" err
done

step "a package or a file that is there, and of no use: why"
why() { # REGEX
	local regex=$1
	perf probe -x ./p -D 't:in1=inhdr acc'
	check [ $rc -eq 0 ]
	check grep -q "$said; $regex" err
	perf probe -x ./p --vars in_b
	check [ $rc -eq 254 ]
	check grep -q "its split debug information cannot be read; $regex" err
	check grep -q "put 'b.dwo' where it was compiled" err
	refute grep -q 'a package of all such files' err
}
check pair gcc -gdwarf-4 -gsplit-dwarf
cp b.dwo right.dwo
for size in 0 60 500; do
	head -c $size right.dwo > b.dwo
	perf probe -x ./p --vars in_b
	check grep -qF "; '$PWD/b.dwo' is there, but damaged, or no such file" err
done
sed 's/int n/long n/' b.c > other.c
check gcc -gdwarf-4 -gsplit-dwarf -O1 -c other.c
mv other.dwo b.dwo
perf probe -x ./p --vars in_b
check grep -q "; '$PWD/b.dwo' is there, but of another build: its id is [0-9a-f]\{16\}, not [0-9a-f]\{16\}$" err
rm b.dwo
head -c 0 p > p.dwp
why "'$PWD/p.dwp' is there, but is empty, or no ELF file"
head -c 500 /dev/urandom | tr '\177' x > p.dwp
why "'$PWD/p.dwp' is there, but is empty, or no ELF file"
cp a.dwo p.dwp
why "'$PWD/p.dwp' is there, but is damaged, or no package"
rm p.dwp
mkdir p.dwp
why "'$PWD/p.dwp' is there, but Is a directory"
rmdir p.dwp
if command -v llvm-dwp > /dev/null; then
	check llvm-dwp a.dwo -o p.dwp
	why "'$PWD/p.dwp' is there, but lacks this unit: it is of another build, or not of all files"
	cp right.dwo b.dwo # then it need not be in the package
	searches whole 2
fi
finish
