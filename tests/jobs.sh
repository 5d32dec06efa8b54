# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Jobs side by side, what they say added up: for run.sh, which names them.
#
#	logs=DIR parallel=NUMBER wanted=(TEXT...)	where logs are kept; only jobs with one of the texts
#	job NAME SECONDS COMMAND...
#	after NAME				waits until that job has ended
#	finish_jobs; again; summary
#
# $parallel jobs run at a time. Most of what tests do is wait: for what is recorded, for signals, for
# the end of a time. So up to $most of them do where the processors had little to do in the last second.
#
# A job is a program that prints results as lines "ok ...", "not ok ..." or "FAIL ...", "skip
# NAME: REASON". One that fails without such a line is one failure; exit status 77 is a skip whose
# reason is its last line. One that ends well without such a line has failed, too, unless its name
# is one of $silent.
#
# A job that fails beside others is run again alone at the end: what it says then counts. One that
# passes alone is *unsteady*, because a test that depends on what else runs is a mistake of its own:
# named in a line of its own, and a failure when it was so in two of the last ten whole runs, which
# $logs/unsteady remembers, one line each.
#
# The line of a job tells how long it took and how much of the processors: what waits beside others
# costs nothing. Those that cost most are listed at the end, and all together in percent of the
# processors that there were; $logs/times has the rest.
passed=0 failed=0 skipped=0
running=()
start=$SECONDS
mkdir -p "$logs/bin" && rm -f "$logs"/*.log "$logs"/*.spent "$logs"/failures "$logs"/times

# A python3 that is a script, as pyenv's is, starts ten times as slowly as the program: jobs have that.
if python=$(command -v python3) && [ "$(head -c 2 "$python" | tr -d '\0')" = '#!' ]; then
	[ -x /usr/bin/python3 ] && python=/usr/bin/python3 || python=$("$python" -c 'import sys; print(sys.executable)')
	ln -sf "$python" "$logs/bin/python3"
	PATH=$logs/bin:$PATH
fi

stop() {
	local pid
	for pid in "${running[@]}"; do
		kill -TERM "$pid" 2> /dev/null
	done
	wait
	exit 130
}
trap stop INT TERM

is_wanted() {
	local text
	[ ${#wanted[@]} -gt 0 ] || return 0
	for text in "${wanted[@]}"; do
		case $1 in *"$text"*) return 0 ;; esac
	done
	return 1
}

# failed_steps LOG: each result that is bad, below what was said before it.
failed_steps() {
	awk '/^(ok|skip|SKIP) / { n = 0; next }
	     { said[n++] = $0 }
	     /^(not ok|FAIL) / {
		for (i = 0; i < n; i++)
			if (i < 20 || i >= n - 10)
				print said[i]
		n = 0
	     }' "$1"
}

# Does a job of this name end well without a word?
is_silent() {
	local pattern
	for pattern in "${silent[@]}"; do
		# shellcheck disable=SC2053 # a pattern
		[[ $1 != $pattern ]] || return 0
	done
	return 1
}

# report NAME LOG STATUS SECONDS: count and print what a job said.
report() {
	local name=$1 log=$2 status=$3 took=$4 ok bad skip spent
	spent=$(cat "${log%.log}.spent" 2> /dev/null)
	[ -z "$spent" ] || printf '%s\t%s\t%s\n' "$spent" "$took" "$name" >> "$logs/times"
	ok=$(grep -cE '^ok ' "$log")
	bad=$(grep -cE '^(not ok|FAIL) ' "$log")
	skip=$(grep -cE '^(skip|SKIP) ' "$log")
	if [ "$status" -eq 77 ] && [ $((ok + bad + skip)) -eq 0 ]; then
		skip=1
		echo "skip  $name: $(tail -n 1 "$log")"
	elif [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		bad=1
		{
			echo "FAIL  $name (status $status, ${took} s), the end of $log:"
			tail -n 25 "$log" | sed 's/^/      /'
		} | tee -a "$logs/failures"
	elif [ "$bad" -gt 0 ]; then
		{
			echo "FAIL  $name ($bad of $((ok + bad)), ${took} s), from $log:"
			failed_steps "$log" | sed 's/^/      /'
		} | tee -a "$logs/failures"
	elif [ $((ok + skip)) -eq 0 ] && ! is_silent "$name"; then
		bad=1
		echo "FAIL  $name (${took} s): it says no result, in $log" | tee -a "$logs/failures"
	else
		[ $((ok + skip)) -gt 0 ] || ok=1
		echo "ok    $name ($ok, ${took} s${spent:+, CPU $spent s})"
	fi
	grep -E '^(skip|SKIP) ' "$log" | sed 's/^/      /'
	passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
	results_of[$name]="$ok $bad $skip"
	[ "$bad" -eq 0 ] || failed_jobs+=("$name")
}

declare -A name_of log_of since_of limit_of command_of results_of
failed_jobs=() unsteady=()

# Another job that ended in the same moment is no job any more for `wait -n` (bash 5.2), which then
# names none; `wait PID` still knows how it ended.
reap() {
	local pid='' status i
	wait -n -p pid "${running[@]}" 2> /dev/null
	status=$?
	if [ -z "${pid:-}" ]; then
		for i in "${running[@]}"; do
			kill -0 "$i" 2> /dev/null || pid=$i
		done
		[ -n "${pid:-}" ] || { sleep 0.1 && return; }
		wait "$pid"
		status=$?
	fi
	for i in "${!running[@]}"; do
		[ "${running[i]}" != "$pid" ] || unset "running[i]"
	done
	running=("${running[@]}")
	report "${name_of[$pid]}" "${log_of[$pid]}" "$status" $((SECONDS - since_of[$pid]))
}

job_py=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/job.py

# Clock ticks that the processors had nothing to do, and all; /proc/stat.
ticks() {
	local i words
	read -r -a words < /proc/stat
	idle=$((words[4] + words[5])) all=0
	for i in "${words[@]:1:8}"; do
		all=$((all + i))
	done
}

# Is there room for one more? At most $parallel, or up to $most while a quarter of the processors' time
# is left over. Waits a second to know.
has_room() {
	local idle all idle_before all_before
	[ ${#running[@]} -ge "$parallel" ] || return 0
	[ ${#running[@]} -lt "${most:-$parallel}" ] || return 1
	ticks
	idle_before=$idle all_before=$all
	sleep 1
	ticks
	[ $((4 * (idle - idle_before))) -gt $((all - all_before)) ]
}

# A job that has ended already?
has_ended() {
	local pid
	for pid in "${running[@]}"; do
		kill -0 "$pid" 2> /dev/null || return 0
	done
	return 1
}

# after NAME: of a job that was started and still runs.
after() {
	local pid runs=yes
	while [ $runs = yes ]; do
		runs=no
		for pid in "${running[@]}"; do
			[ "${name_of[$pid]}" != "$1" ] || runs=yes
		done
		[ $runs = no ] || reap
	done
}

# job NAME SECONDS COMMAND...: start it as soon as there is room. In a session of its own, so that
# a key at the terminal does not end it; job.py sees to it that nothing of it is left running.
job() {
	local name=$1 limit=$2 log
	shift 2
	is_wanted "$name" || return 0
	log=$logs/$(echo "$name" | tr '/ ' '--').log
	limit_of[$name]=$limit command_of[$name]=$(printf '%q ' "$@")
	until has_room; do
		if [ ${#running[@]} -ge "${most:-$parallel}" ] || has_ended; then
			reap
		fi
	done
	JOB_SPENT=${log%.log}.spent setsid "$job_py" "$limit" "$@" > "$log" 2>&1 < /dev/null &
	running+=($!)
	name_of[$!]=$name log_of[$!]=$log since_of[$!]=$SECONDS
}

finish_jobs() {
	while [ ${#running[@]} -gt 0 ]; do
		reap
	done
}

# Each failed job alone. Its first results do not count when it passes.
again() {
	local name names=("${failed_jobs[@]}") ok bad skip
	for name in "${names[@]}"; do
		[ -n "${command_of[$name]:-}" ] || continue
		echo "again, alone: $name"
		mv "$logs/$(echo "$name" | tr '/ ' '--').log"{,.first}
		read -r ok bad skip <<< "${results_of[$name]}"
		failed_jobs=()
		passed=$((passed - ok)) failed=$((failed - bad)) skipped=$((skipped - skip))
		eval "job '$name' ${limit_of[$name]} ${command_of[$name]}"
		finish_jobs
		[ ${#failed_jobs[@]} -gt 0 ] || unsteady+=("$name")
	done
}

# The unsteady jobs of this run behind those of the nine before.
remember() {
	touch "$logs/unsteady"
	{ tail -n 9 "$logs/unsteady" && printf 'run' && printf '\t%s' "${unsteady[@]}" && echo; } > "$logs/unsteady.new"
	mv "$logs/unsteady.new" "$logs/unsteady"
}

# Each job that was unsteady twice.
often_unsteady() {
	cut -f2- "$logs/unsteady" | tr '\t' '\n' | grep . | sort | uniq -c | awk '$1 > 1 { times = $1; sub(/^ *[0-9]+ /, ""); print times, $0 }'
}

# What cost most: seconds of the processors, seconds on the clock.
say_times() {
	[ -s "$logs/times" ] || return 0
	sort -rn "$logs/times" | head -n 12 | awk -F '\t' '{ printf "%s%s %.0f s (%d s)", (NR > 1 ? ", " : "most CPU: "), $3, $1, $2 }
		END { print "" }'
	awk -F '\t' -v took=$((SECONDS - start)) -v cpus="$(nproc)" '{ spent += $1; slots += $2 }
		END { printf "%d jobs: CPU %.0f s, %.0f%% of %d processors; %d s side by side\n", NR, spent,
			100 * spent / (cpus * (took ? took : 1)), cpus, slots }' "$logs/times"
}

# What all jobs said; status 1 when something failed.
summary() {
	local name times
	[ ${#wanted[@]} -gt 0 ] || remember
	if [ -e "$logs/unsteady" ]; then
		while read -r times name; do
			echo "FAIL  $name: unsteady in $times of the last $(wc -l < "$logs/unsteady") runs: mend it and take it out of $logs/unsteady" |
				tee -a "$logs/failures"
			failed=$((failed + 1))
		done < <(often_unsteady)
	fi
	if [ -s "$logs/failures" ]; then
		echo "what failed, first and again:"
		cat "$logs/failures"
	fi
	[ ${#unsteady[@]} -eq 0 ] ||
		echo "${#unsteady[@]} unsteady (failed beside others, passed alone): $(printf '%s\n' "${unsteady[@]}" | paste -sd, | sed 's/,/, /g')"
	say_times
	echo "$((SECONDS - start)) s"
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}
