#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The perf that was built without any optional library needs the C library and libelf, no more.
#	links.sh PERF
others=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
	grep -vE '^(libc|libm|libpthread|ld-linux[a-z0-9-]*|libelf)\.so')
if [ -z "$others" ]; then
	echo "ok - libc and libelf only"
else
	echo "not ok - it needs more than libc and libelf: $others"
	exit 1
fi
