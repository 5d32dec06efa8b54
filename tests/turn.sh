# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is not worth its time in each run of `make check` is done by turns: the number of commits says
# whose turn it is, so a clone of a commit always does the same, and N commits do all of it.
# `make check-all` does everything.
#
#	is_turn I N	of N things by turns, is it that of number I? TURN=NUMBER in place of the commit
TURN=${TURN:-$(git rev-list --count HEAD 2> /dev/null || echo 0)}

is_turn() {
	[ $((($1 + TURN) % $2)) -eq 0 ]
}
