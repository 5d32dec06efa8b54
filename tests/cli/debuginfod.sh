#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Debug files from a debuginfod server on this machine; only when that is asked for.
. "$(dirname "$0")/../lib.sh"
plan 6

CC=${CC:-cc}
for tool in "$CC" strip objcopy readelf debuginfod; do
	command -v "$tool" > /dev/null || skip_all "debuginfod: $tool is not installed"
done
has debuginfod || skip_all "debuginfod: perf was built without it"
need_events || finish
cat > loop.c << 'END'
#include <time.h>
static void __attribute__((noinline)) busy_loop(void)
{
	for (volatile int i = 0; i < 100000; i++)
		;
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 5)
		busy_loop();
	return 0;
}
END
SERVER=
end_server() {
	if [ -n "$SERVER" ]; then
		kill "$SERVER" 2> /dev/null
		wait "$SERVER" 2> /dev/null
	fi
	SERVER=
}

# A report by a client that has nothing kept.
attempt=0
report() { # OPTION...
	attempt=$((attempt + 1))
	export DEBUGINFOD_CACHE_PATH=$PWD/cache.$attempt
	perf report --stdio --no-children --sort sym --buildid-dir "$PWD/nothing" -i x.data "$@"
}

step "a stripped program, its debug file elsewhere, a server"
mkdir debug
check "$CC" -O1 -Wl,--build-id -o loop loop.c
check objcopy --only-keep-debug loop debug/loop.debug
check strip -o bare loop
perf record -q -F 2000 -e cpu-clock:u -o x.data ./bare
report
refute grep -q busy_loop out
for port in $((20000 + $$ % 20000)) $((20001 + $$ % 20000)) $((41000 + $$ % 20000)); do
	debuginfod -F debug -p "$port" -d "$PWD/db.$port" > server.log 2>&1 &
	SERVER=$!
	for _ in $(seq 100); do
		! grep -q 'started http server' server.log || break
		kill -0 "$SERVER" 2> /dev/null || break
		sleep 0.1
	done
	! kill -0 "$SERVER" 2> /dev/null || break
done
if ! kill -0 "$SERVER" 2> /dev/null; then
	skip_all "the server does not start: $(tail -n 1 server.log)"
fi
url=http://127.0.0.1:$port

step "--debuginfod names it"
for _ in $(seq 30); do # until the server has seen the file
	report "--debuginfod=$url"
	! grep -q busy_loop out || break
	sleep 0.5
done
check [ $rc -eq 0 ]
check grep -qE '[0-9]% +\[\.\] busy_loop' out
refute grep -q debuginfod err
perf script -F ip,sym --buildid-dir "$PWD/nothing" -i x.data "--debuginfod=$url"
check grep -q busy_loop out
export DEBUGINFOD_URLS=$url
report --debuginfod
check grep -qE '\[\.\] busy_loop' out
good=$DEBUGINFOD_CACHE_PATH

step "nobody is asked without the option"
asked=$(grep -c 'GET /buildid' server.log)
check [ "$asked" -ge 1 ]
report
refute grep -q busy_loop out
report --debuginfod --no-debuginfod
refute grep -q busy_loop out
check [ "$(grep -c 'GET /buildid' server.log)" -eq "$asked" ]
if command -v strace > /dev/null; then
	check env -u DEBUGINFOD_URLS ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=openat -o calls "$PERF" report --stdio -i x.data
	refute grep -q "libdebuginfod\.so" calls
else
	skip "strace is not installed"
fi

step "a file of another build is not believed"
sed 's/busy_loop/other_loop/' loop.c > other.c
check "$CC" -O2 -Wl,--build-id -o other other.c
id=$(readelf -n bare | sed -n 's/^ *Build ID: //p')
check [ -s "$good/$id/debuginfo" ]
rm -f "$good/$id/debuginfo" && cp other "$good/$id/debuginfo"
export DEBUGINFOD_CACHE_PATH=$good
perf report --stdio --sort sym --buildid-dir "$PWD/nothing" -i x.data --debuginfod
check [ $rc -eq 0 ]
refute grep -qE 'busy_loop|other_loop' out
check grep -q "not using the debug file '.*debuginfo'.*another build of 'bare'" err

step "servers that are not there, and that do not answer: said once, in bounded time"
end_server
report --debuginfod
check [ $rc -eq 0 ]
check [ "$(grep -c 'nothing more is asked' err)" -eq 1 ]
check grep -q "DEBUGINFOD_URLS is '$url'" err
unset DEBUGINFOD_URLS
report --debuginfod
check [ $rc -eq 0 ]
check grep -q 'cannot ask a debuginfod server: none is named' err
if command -v python3 > /dev/null; then
	python3 -c '
import socket
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(5)
print(server.getsockname()[1], flush=True)
server.settimeout(100)
held = []
while True:
	held.append(server.accept())
' > silent.port 2> silent.log &
	SERVER=$!
	for _ in $(seq 100); do
		[ ! -s silent.port ] || break
		sleep 0.1
	done
	export DEBUGINFOD_MAXTIME=1
	report "--debuginfod=http://127.0.0.1:$(cat silent.port)"
	check [ $rc -eq 0 ]
	check grep -q 'seconds were spent on asking' err
	end_server
	unset DEBUGINFOD_MAXTIME
else
	skip "python3 is not installed"
fi

step "a slow one: on a terminal the progress is shown, and ^C ends perf"
if ! command -v python3 > /dev/null || ! command -v script > /dev/null; then
	skip "python3 or script is not installed"
else
	python3 -c '
import http.server, sys, time
data = open("debug/loop.debug", "rb").read()
class Slow(http.server.BaseHTTPRequestHandler):
	def log_message(self, *words):
		pass
	def do_GET(self):
		if not self.path.endswith("/debuginfo"):
			self.send_error(404)
			return
		self.send_response(200)
		self.send_header("Content-Length", str(len(data)))
		self.end_headers()
		open("asked", "w").close()
		for i in range(8):
			self.wfile.write(data[i * len(data) // 8:(i + 1) * len(data) // 8])
			self.wfile.flush()
			time.sleep(0.5)
server = http.server.HTTPServer(("127.0.0.1", 0), Slow)
print(server.server_port, flush=True)
server.serve_forever()
' > slow.port 2> slow.log &
	SERVER=$!
	for _ in $(seq 100); do
		[ ! -s slow.port ] || break
		sleep 0.1
	done
	ask="$PERF --no-pager report --stdio --no-children --sort sym --buildid-dir $PWD/nothing -i x.data --debuginfod=http://127.0.0.1:$(cat slow.port)"
	export DEBUGINFOD_CACHE_PATH=$PWD/cache.slow
	timeout 200 script -qec "$ask" /dev/null < /dev/null > out 2> err
	check grep -q busy_loop out
	check grep -qE 'debuginfod: [a-z.-]+, [0-9]+( of [0-9]+)? kB \(\^C ends perf\)' out
	export DEBUGINFOD_CACHE_PATH=$PWD/cache.ended
	rm asked
	asked() { [ -e asked ]; }
	perf_signal INT asked report --stdio --sort sym --buildid-dir "$PWD/nothing" -i x.data "--debuginfod=http://127.0.0.1:$(cat slow.port)"
	check [ $rc -ne 0 ]
	refute grep -q busy_loop out
	end_server
fi
finish
