#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Lines and inlined functions equal those of addr2line -i on 3,500 random addresses of seven binaries:
# of gcc and clang, DWARF 4 and 5, with dwz's alternate file, with split units. Each tool is asked
# about the forms that it can read (see differences.md for what binutils' 2.40 cannot).
. "$(dirname "$0")/../lib.sh"
unit=$(dirname "$PERF")/unit-tests
[ -x "$unit" ] || skip_all "lines: the unit tests are not built"
perf version --build-options
grep -q 'dwarf: \[ on' out || skip_all "lines: this perf is built without libdw"

# Functions in unnamed places (lambdas) have no linkage name: differences.md.
cat > deep.cc << 'END'
#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
};
template <int N> struct polygon : shape {
	double side;
	explicit polygon(double s) : side(s) {}
	double area() const override { return N * side * side / 4; }
};

template <typename T> T total(const std::vector<T> &v)
{
	return std::accumulate(v.begin(), v.end(), T());
}

struct by_count {
	template <typename T> bool operator()(const T &a, const T &b) const { return a.second < b.second; }
};
struct by_area {
	bool operator()(const shape *a, const shape *b) const { return a->area() < b->area(); }
};

static int words(const std::string &text)
{
	std::map<std::string, int> counts;
	std::string word;

	for (char c : text) {
		if (c == ' ') {
			counts[word]++;
			word.clear();
		} else {
			word += c;
		}
	}
	return std::max_element(counts.begin(), counts.end(),
	                        by_count())->second;
}

int main(int argc, char **argv)
{
	std::vector<shape *> shapes;
	std::vector<double> areas;
	std::unordered_map<long, std::vector<std::string>> table;

	for (int i = 0; i < argc * 10; i++) {
		shapes.push_back(new polygon<4>(i));
		shapes.push_back(new polygon<6>(i));
		table[i % 7].push_back(std::string(argv[0]) + std::to_string(i));
	}
	std::sort(shapes.begin(), shapes.end(), by_area());
	for (auto *s : shapes)
		areas.push_back(s->area());
	for (auto &entry : table)
		std::sort(entry.second.begin(), entry.second.end());
	std::printf("%f %d\n", total(areas), words(table[1][0] + " a b a "));
	for (auto *s : shapes)
		delete s;
	return 0;
}
END

# agree TOOL FILE...: 500 addresses of each. PERF_LINES_PLACES: whatever the functions are called.
agree() {
	local tool=$1 files=
	shift
	command -v "$tool" > /dev/null || { skip "$tool is not installed" && return 1; }
	for file; do
		files=$files:$PWD/$file
	done
	PERF_LINES_TOOL=$tool PERF_LINES_ADDRESSES=500 PERF_LINES_SEED=${SEED:-1} PERF_LINES_FILES=${files#:} \
		"$unit" debug_info_agrees_with_addr2line_on_files > told 2>&1
	check [ $? -eq 0 ]
	check [ "$(grep -c ': 500 addresses, 0 different$' told)" -eq $# ]
}

build() {
	command -v "$1" > /dev/null || { skip "$1 is not installed" && return 1; }
	check "$@" deep.cc
}

step "gcc, DWARF 5 and 4"
build g++ -O2 -gdwarf-5 -o gcc5 && build g++ -O2 -gdwarf-4 -o gcc4 && agree addr2line gcc5 gcc4

step "clang, DWARF 5 and 4"
build clang++ -O2 -gdwarf-5 -o clang5 && build clang++ -O2 -gdwarf-4 -o clang4 &&
	agree llvm-addr2line clang5 clang4

step "what dwz took out of two programs into one file"
build g++ -O1 -g -o dwz1 && build g++ -O3 -g -o dwz2 && if command -v dwz > /dev/null; then
	check dwz -m common dwz1 dwz2
	check grep -q gnu_debugaltlink <(readelf -SW dwz1 dwz2)
	agree addr2line dwz1 dwz2
else
	skip "dwz is not installed"
fi

step "units in files of their own"
build g++ -O2 -g -gsplit-dwarf -o split && PERF_LINES_PLACES=1 agree llvm-addr2line split
finish
