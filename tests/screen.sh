# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests of what is on a terminal, behind lib.sh: a command under tmux, its keys, its screen.
#
#	need_screen || finish			or skip the step
#	begin 80x24 "$PERF report -i x.data"	in a shell of its own
#	check see '^h: help'			it appears, or the command ends; the screen is in the file out
#	keys q
#	ended 0					with that status; the terminal's settings but its size are as before
export LC_ALL=C.UTF-8 TMUX_TMPDIR=$PWD TERM=xterm-256color
unset TMUX NO_COLOR
nr=0 # of the server: one that ends still has its socket for a while
end_all() {
	tmux -L perf$nr kill-server 2> /dev/null
	nr=$((nr + 1))
}
trap 'status=$?; end_all; at_end $status' EXIT

need_screen() {
	command -v tmux > /dev/null || { skip "tmux is not installed" && return 1; }
	need_library ncurses
}

# begin COLUMNSxROWS COMMAND
begin() {
	end_all
	rm -f ended after
	tmux -L perf$nr -f /dev/null new-session -d -x "${1%x*}" -y "${1#*x}" \
		"stty -a > before; PS1='prompt ' bash --norc -i -c '$2; echo \$? > ended; stty -a > after; echo DONE; sleep 100'"
}

screen() { tmux -L perf$nr capture-pane -p > out 2>&1; }

keys() { tmux -L perf$nr send-keys "$@"; }

# becomes COMMAND...: is true of the screen before $LIMIT is over and before the command has ended
becomes() {
	local end=$((SECONDS + LIMIT))
	while [ $SECONDS -lt $end ]; do
		screen
		"$@" && return 0
		! grep -q '^DONE' out || return 1
		sleep 0.1
	done
	return 1
}

# see REGEX: it appears; gone REGEX: it disappears
see() { becomes grep -qE -- "$1" out; }
lacks() { ! grep -qE -- "$1" out; }
gone() { becomes lacks "$1"; }

# tmux tells a pane its size later.
ended() {
	check see '^DONE'
	check [ "$(cat ended)" = "$1" ]
	sed -i 's/rows [0-9]*; columns [0-9]*;//' before after
	check diff before after
}
