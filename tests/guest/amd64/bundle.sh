#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# guest: programs=planted mem=768
# A machine with another kernel: what record --bundle and archive take along of it and of a program.
# host/amd64-bundle.sh shows the recording on this machine.
. "$(dirname "$0")/../lib.sh"

step "record --bundle of the kernel and a program"
perf record --bundle -q -g -F 200 -e cpu-clock -o /out/bundle.data sh -c './planted 0.3; i=0; while [ $i -lt 30 ]; do i=$((i + 1)); cat /proc/self/maps; done > maps'
check [ $rc -eq 0 ]
cat > /out/views << 'END_OF_VIEWS'
report -g none -s comm,dso,sym
report -g caller --inline
script -F +sym,+symoff
END_OF_VIEWS
n=0
while read -r view; do
	n=$((n + 1))
	# shellcheck disable=SC2086 # the view is words
	perf $view -i /out/bundle.data
	check [ $rc -eq 0 ]
	grep -v '^#' out > /out/bundle-$n.txt
done < /out/views
check grep -qF '[k] ' /out/bundle-1.txt

step "the list of kernel symbols is kept, and goes into an archive"
kept=$(find ~/.debug -name kallsyms)
check cmp /proc/kallsyms "$kept"
mkdir bin && printf '#!/bin/sh\nexec cat\n' > bin/bzip2 && chmod +x bin/bzip2 # packing 9 MB takes a minute here
PATH=$PWD/bin:$PATH perf archive /out/bundle.data
check [ $rc -eq 0 ]
tar tf /out/bundle.data.tar.bz2 > members
check grep -qx "\[kernel.kallsyms\]/.*/kallsyms" members
rm /out/bundle.data.tar.bz2
finish
