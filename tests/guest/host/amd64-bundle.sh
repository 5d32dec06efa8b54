#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the amd64 guest recorded with --bundle, shown on this machine, whose kernel is another: as it
# was shown there.
. "$(dirname "$0")/../../lib.sh"
plan 1
PERF=${PERF_HOST:-$SRC/build/perf}
mkdir empty # no file of this machine is looked at

step "bundle.data of the guest, shown here"
n=0
while read -r view; do
	n=$((n + 1))
	# shellcheck disable=SC2086 # the view is words
	perf $view --symfs "$PWD/empty" -i "$GUEST_OUT/bundle.data"
	check [ $rc -eq 0 ]
	check diff <(grep -v '^#' out) "$GUEST_OUT/bundle-$n.txt"
done < "$GUEST_OUT/views"
finish
