# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by run.sh: writes and builds the programs that are recorded. Each keeps one thing busy.

write_workloads() {
	cd "$1" || return 1
	PYTHON=$(command -v python3) || { echo "python3 is not there"; return 1; }
	# Functions that call each other at random, up to a depth.
	local last=$((${FUNCTIONS:-64} - 1))
	{
		echo '#include <stdint.h>'
		echo '#include <stdio.h>'
		echo '#include <stdlib.h>'
		echo 'volatile uint64_t sink;'
		echo 'typedef uint64_t (*step)(int, uint64_t);'
		echo 'extern step steps[];'
		echo "enum { NR = $last + 1 };"
		printf '#ifndef TURNS\n#define TURNS 50\n#endif\n'
		for i in $(seq 0 $last); do
			echo "__attribute__((noinline)) uint64_t step_$i(int depth, uint64_t s)"
			echo "{ uint64_t x = s * 6364136223846793005u + 2 * $i + 1;"
			echo "for (int i = 0; i < TURNS; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;"
			echo "sink = x; return depth ? steps[(x >> 33) % NR](depth - 1, x) + sink : x; }"
		done
		printf 'step steps[] = {'
		for i in $(seq 0 $last); do
			printf ' step_%d,' "$i"
		done
		echo ' };'
		echo 'int main(int argc, char **argv) { uint64_t s = 1;'
		echo 'for (long n = argc > 1 ? atol(argv[1]) : 1; n; n--) s ^= steps[n % NR]('"${DEPTH:-20}"', s + n);'
		echo 'printf("%llu\n", (unsigned long long)s); return 0; }'
	} > deep.c
	cat > storm.c <<-'C'
		#include <spawn.h>
		#include <stdlib.h>
		#include <sys/wait.h>
		extern char **environ;
		int main(int argc, char **argv)
		{
			char *args[] = { "true", 0 };
			for (int n = argc > 1 ? atoi(argv[1]) : 10; n; n--) {
				pid_t pid;
				if (posix_spawn(&pid, "/bin/true", 0, 0, args, environ))
					return 1;
				waitpid(pid, 0, 0);
			}
			return 0;
		}
	C
	cat > threads.cc <<-'C'
		#include <cstdlib>
		#include <map>
		#include <mutex>
		#include <string>
		#include <thread>
		#include <vector>
		template <class Key> struct Counter {
			std::map<Key, long> counts;
			std::mutex lock;
			__attribute__((noinline)) void add(const Key &key)
			{
				std::lock_guard<std::mutex> guard(lock);
				counts[key]++;
			}
		};
		static Counter<std::string> counter;
		__attribute__((noinline)) static unsigned long mix(unsigned long s)
		{
			for (int i = 0; i < 3000; i++)
				s ^= s << 13, s ^= s >> 7, s ^= s << 17;
			return s;
		}
		int main(int argc, char **argv)
		{
			std::vector<std::thread> all;
			long rounds = argc > 2 ? atol(argv[2]) : 100;
			for (int t = argc > 1 ? atoi(argv[1]) : 2; t; t--)
				all.emplace_back([=] {
					unsigned long s = t;
					for (long i = 0; i < rounds; i++)
						counter.add(std::to_string((s = mix(s)) % 500));
				});
			for (auto &thread : all)
				thread.join();
			return counter.counts.empty();
		}
	C
	cat > cxx.cc <<-'C'
		#include <algorithm>
		#include <cstdlib>
		#include <functional>
		#include <set>
		#include <string>
		#include <unordered_map>
		#include <vector>
		template <int N> struct Level {
			template <class T>
			static __attribute__((noinline)) T run(std::vector<T> &v)
			{
				std::unordered_map<T, std::string> names;
				for (size_t i = N % 7; i < v.size(); i += 11)
					names.emplace(v[i], std::to_string(v[i] ^ i));
				std::set<std::string> sorted;
				for (auto &pair : names)
					sorted.insert(pair.second);
				std::sort(v.begin(), v.end(), [](const T &a, const T &b) { return (a ^ N) < (b ^ N); });
				v[N % v.size()] ^= std::hash<std::string>{}(*sorted.begin());
				return v[0] + Level<N - 1>::template run<T>(v);
			}
		};
		template <> struct Level<0> {
			template <class T> static T run(std::vector<T> &v) { return v[0]; }
		};
		int main(int argc, char **argv)
		{
			std::vector<unsigned long> a(2000);
			std::vector<unsigned> b(2000);
			for (size_t i = 0; i < a.size(); i++)
				a[i] = i * 2654435761u, b[i] = i * 40503;
			unsigned long sum = 0;
			for (long n = argc > 1 ? atol(argv[1]) : 1; n; n--)
				sum += Level<30>::run(a) + Level<20>::run(b);
			return sum == 1;
		}
	C
	cat > load.py <<-'P'
		import json, re
		for i in range(60):
		    json.loads(json.dumps([dict(a=i, b=[str(j) for j in range(60)]) for k in range(20)]))
		    re.sub("(a|b)+", "x", "abababc" * 200)
	P
	# Many parts of python at work, for ever.
	cat > work.py <<-'P'
		import ast, json, random, re, zlib
		random.seed(7)
		words = ["".join(random.choices("abcdefgh", k=random.randint(2, 9))) for i in range(4000)]
		source = "def f(x):\n return [%s]\n" % ", ".join("x + %d" % i for i in range(300))
		def tree(depth):
		    return dict(w=random.choice(words), k=[tree(depth - 1), 1.5]) if depth else random.random()
		while True:
		    text = json.dumps([tree(8) for i in range(30)])
		    json.loads(text)
		    counts = {}
		    for word in re.findall("[a-h]+", text):
		        counts[word] = counts.get(word, 0) + 1
		    sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
		    zlib.decompress(zlib.compress(text.encode()))
		    compile(ast.parse(source), "work", "exec")
	P
	cat > loop.sh <<-'S'
		i=0
		while [ $i -lt 40000 ]; do
			i=$((i + 1))
			[ $((i % 100)) -ne 0 ] || /bin/true
		done
	S
	cat > mix.sh <<-'S'
		while :; do
			g++ -O1 -c cxx.cc -o /dev/null &
			./storm 100 &
			./threads 4 2000 &
			python3 load.py &
			wait
		done
	S
	cat > pipes.sh <<-'S'
		while :; do
			head -c 3000000 /dev/zero | dd bs=512 2> /dev/null | cat > /dev/null
		done
	S
}

build_workloads() {
	# The same, linked and compiled in other ways; each may fail where a library is not there.
	gcc -O1 -no-pie deep.c -o nopie
	gcc -O1 -static deep.c -o static
	gcc -O1 -static-pie deep.c -o staticpie
	gcc -O2 -s deep.c -o bare
	gcc -O2 -Wl,--build-id=none deep.c -o noid
	clang -O2 -g deep.c -o clanged
	for lang in rs go; do
		cp "$here/../stacks/work.$lang" . || return 1
	done
	/usr/bin/rustc -O -o rusty work.rs # (one of a home of its own does not work here)
	GOCACHE=$PWD/gocache GO111MODULE=off go build -o gone work.go
	cat > load.pl <<-'P'
		my %h;
		for my $i (1 .. 100000) { $h{$i % 1000} .= "x" if $i =~ /7/ }
		my @s = sort map { rand } 1 .. 50000;
	P
	cat > load.js <<-'J'
		function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
		let all = {}
		for (let i = 0; i < 100000; i++)
			all['k' + (i % 5000)] = JSON.stringify([i, fib(i % 12)])
	J
	gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls deep.c -o deep &&
		gcc -O2 storm.c -o storm &&
		g++ -O2 -g -fno-omit-frame-pointer -pthread threads.cc -o threads &&
		g++ -O2 -g -fno-omit-frame-pointer cxx.cc -o cxx
}
