#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The perf that was built without any optional library needs the C library and libelf, no more.
# And a build without libelf says what is missing.
#	links.sh PERF MAKE
bad=0

others=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
	grep -vE '^(libc|libm|libpthread|ld-linux[a-z0-9-]*|libelf)\.so')
if [ -z "$others" ]; then
	echo "ok - libc and libelf only"
else
	echo "not ok - it needs more than libc and libelf: $others"
	bad=1
fi

dir=$(mktemp -d) || exit 2
trap 'rm -rf -- "${dir:?}"' EXIT
"${2:-make}" O="$dir" INCS_libelf="-include $dir/nothing.h" > "$dir/out" 2>&1
status=$?
if [ $status -eq 2 ] && grep -q 'libelf is needed: .*package, libelf.*; .*/features/libelf.log' "$dir/out"; then
	echo "ok - a build without libelf names the package"
else
	sed 's/^/  # /' "$dir/out"
	echo "not ok - a build without libelf names the package (status $status)"
	bad=1
fi
exit $bad
