#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf probe takes each function as --funcs prints it, and each name that an error offers: those of C++
# hold blanks, brackets and signs that have a meaning in definitions.
. "$(dirname "$0")/../lib.sh"
plan 4
has libdw || skip_all "this perf is built without libdw"
has demangle || skip_all "this perf is built without a demangler"
command -v g++ > /dev/null || skip_all "no g++"
own_probes

cat > names.cc <<- 'END'
	#include <cstdio>
	#include <string>
	#include <utility>
	#define APART __attribute__((noipa))
	template <typename T, int N> APART T sum(const T (&arr)[N])
	{
		T s = 0;
		for (T v : arr)
			s += v;
		return s;
	}
	namespace { APART int anon(int x) { return x * 2; } }
	namespace ns { namespace in {
	struct Derived {
		int k;
		int over(int v), over(double v), operator()(int v), operator+(int v), operator[](int i), operator->*(int v);
		operator int();
		bool operator<(const Derived &o) const;
		Derived &operator=(int v);
	};
	APART int Derived::over(int v) { return v + k; }
	APART int Derived::over(double v) { return v * k; }
	APART int Derived::operator()(int v) { return v - k; }
	APART int Derived::operator+(int v) { return v * 3 + k; }
	APART int Derived::operator[](int i) { return i ^ k; }
	APART int Derived::operator->*(int v) { return v | k; }
	APART Derived::operator int() { return k; }
	APART bool Derived::operator<(const Derived &o) const { return k < o.k; }
	APART Derived &Derived::operator=(int v) { k = v; return *this; }
	} }
	template <typename T> struct Box { T v; APART long get() { return v.second; } };
	APART std::string abi(int n) { return std::string(n, 'x'); }
	int main(int argc, char **)
	{
		int arr[] = { argc, 2, 39 };
		long more[] = { argc, 7 };
		ns::in::Derived d, e;
		d = argc;
		e = 3;
		Box<std::pair<int, long>> box { { 1, 2 } };
		auto closure = [](int y, char z) APART { return y + z; };
		return printf("%d %ld %d %d %d %d %d %d %d %d %d %ld %d %zu\n", sum(arr), sum(more), anon(argc + 4), d.over(3),
			      d.over(2.0), d(3), d + 1, d[2], d->*4, (int)d, d < e, box.get(), closure(argc, 'a'),
			      abi(5).size()) < 0;
	}
END
g++ -g -O1 -o "./$ME" names.cc || skip_all "g++ builds no program"

# address NAME: of the function that nm knows by its whole name
address() {
	nm -C "./$ME" | sed 's/^\([0-9a-f]*\) [^ ] /\1 /' | awk -v name="$1" '
		{ addr = $1; sub(/^[^ ]* /, "") } $0 == name { sub(/^0*/, "", addr); print "0x" addr; exit }'
}

# one_at DEFINITION NAME: it is one place, where nm has NAME
one_at() {
	perf probe -x "./$ME" -D "$1"
	check [ $rc -eq 0 ]
	check [ "$(grep -c '^p:' out)" -eq 1 ]
	check grep -qE ":$(address "$2")( |\$)" out
}

step "each function that --funcs prints is taken as it is printed"
perf probe -x "./$ME" --funcs
cp out funcs
for name in 'sum<int, 3>' 'sum<long, 2>' '(anonymous namespace)::anon' 'ns::in::Derived::over' 'ns::in::Derived::operator()' \
	'ns::in::Derived::operator+' 'ns::in::Derived::operator[]' 'ns::in::Derived::operator->*' 'ns::in::Derived::operator<' \
	'ns::in::Derived::operator=' 'Box<std::pair<int, long> >::get' 'main::{lambda(int, char)#1}::operator()' 'abi[abi:cxx11]'; do
	check grep -qxF "$name" funcs
	perf probe -x "./$ME" -D "$name"
	check [ $rc -eq 0 ]
	check [ "$(grep -c '^p:' out)" -eq "$(grep -cxF "$name" funcs)" ]
	sed 's/.*:0x\([0-9a-f]*\).*/\1/' out | sort > places
	nm -C "./$ME" | grep -F " $name" | grep -vF ".cold" > known
	refute [ -n "$(sed 's/^0*//; s/ .*//' known | sort | comm -13 - places)" ]
done

step "the one that was meant: arguments, parameters, lines and arguments behind them"
one_at 'sum<int, 3> arr' 'int sum<int, 3>(int const (&) [3])'
check grep -qF 'arr=+0(%di):s32[3]' out
one_at 'sum<int,3>' 'int sum<int, 3>(int const (&) [3])'
one_at 'sum<long, 2>' 'long sum<long, 2>(long const (&) [2])'
one_at 'sum<long int, 2>' 'long sum<long, 2>(long const (&) [2])'
one_at 'ev=(anonymous namespace)::anon x:x32' '(anonymous namespace)::anon(int)'
check grep -qE "^p:probe_$ME/ev .* x_x32=%di:x32\$" out
one_at 'ns::in::Derived::over(int) v' 'ns::in::Derived::over(int)'
check grep -qF 'v=%si:s32' out
one_at 'ns::in::Derived::over(double)' 'ns::in::Derived::over(double)'
one_at 'ns::in::Derived::operator<(ns::in::Derived const&) this->k' 'ns::in::Derived::operator<(ns::in::Derived const&) const'
one_at 'ns::in::Derived::operator\ int' 'ns::in::Derived::operator int()'
one_at 'Box<std::pair<int,long>>::get' 'Box<std::pair<int, long> >::get()'
perf probe -x "./$ME" -D 'sum<*>'
check [ "$(grep -c '^p:' out)" -eq 2 ]
perf probe -x "./$ME" -D 'ns::in::Derived::over'
check [ "$(grep -c '^p:' out)" -eq 2 ]
perf probe -x "./$ME" -D 'sum<int, 3>:3 arr'
check grep -qE "^p:probe_$ME/sum_L3 .* arr=" out
perf probe -x "./$ME" -D 'ns::in::Derived::over(int)%return'
check grep -qE "^r:probe_$ME/over__return " out
perf probe -x "./$ME" -V '(anonymous namespace)::anon'
check grep -qx '		int	x' out
perf probe -x "./$ME" -L 'sum<int, 3>:1-3'
check grep -qx '      3  for (T v : arr)' out
for wrong in 'sum<int, 4>' 'ns::in::Derived::over(char)' 'sum<int' '(anonymous'; do
	perf probe -x "./$ME" -D "$wrong"
	check [ $rc -eq 254 ]
	check [ ! -s out ]
done

step "what an error offers can be written"
for wrong in 'sum<int, 4>' 'ns::in::Derived::ovr' 'ns::in::Derived::operatr\=' 'ns::in::Derived::operator\ in' 'sun<int, 3>' 'abi[abi:cxx12]'; do
	perf probe -x "./$ME" -D "$wrong"
	check [ $rc -eq 254 ]
	check grep -q "did you mean '" err
	sed -n "s/^  did you mean '\(.*\)'?\$/\1/p" err | sed "s/', '/\n/g; s/' or '/\n/g" > offered
	check [ -s offered ]
	while IFS= read -r name; do
		perf probe -x "./$ME" -D "$name"
		check [ $rc -eq 0 ]
		perf probe -x "./$ME" -L "$name"
		check [ $rc -eq 0 ]
		perf probe -x "./$ME" -V "$name"
		check [ $rc -eq 0 ]
	done < offered
	perf probe -x "./$ME" -L "$wrong"
	check [ $rc -eq 254 ]
	check grep -q "did you mean '" err
done

step "such a probe counts what the program calls"
if need_uprobe_events; then
	perf probe -x "./$ME" --try 'sum<int, 3> arr' --try '(anonymous namespace)::anon x' \
		--try 'intover=ns::in::Derived::over(int) v' -- "./$ME"
	check [ $rc -eq 0 ]
	check grep -qE "^ +1  probe_$ME:sum .*sum<int, 3>" out
	check grep -q 'arr={1,2,39}$' out
	check grep -q "probe_$ME:anon: .* x=5\$" out
	check grep -q "probe_$ME:intover: .* v=3\$" out
	check grep -qE "^ +1  probe_$ME:intover " out
fi
finish
