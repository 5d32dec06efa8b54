#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Probes of the kernel, as far as they need no kernel with kprobes: what would be written for the one
# that runs, for modules by name and by path, for bootconfig; and what is shown of a tracefs that has
# kprobe_events.
. "$(dirname "$0")/../lib.sh"
plan 11

cat > small.c <<- 'END'
	int sink, *to_sink;
	struct { int first, second; } pair;
	__attribute__((noinline)) int small(int v) { return sink + v + pair.second + *to_sink; }
	__attribute__((noinline)) int readable(int v) __asm__("_ZN5outer8readableEi");
	__attribute__((noinline)) int readable(int v) { return sink * v; }
	void _start(void) { small(3); readable(4); for (;;); }
END
command -v gcc > /dev/null || skip_all "no gcc"
gcc -g -O2 -w -ffreestanding -c -o small.o small.c || skip_all "gcc cannot build it"

# The kernel's list with addresses: for root, unless they are hidden from all.
need_list() {
	need_root || return 1
	grep -q '^0*[1-9a-f][0-9a-f]* T _text$' /proc/kallsyms && return 0
	skip "the kernel's addresses are hidden"
	return 1
}

step "%returnN: so many calls at the same time are watched"
if gcc -g -O2 -w -nostdlib -static -fno-pic -no-pie -mcmodel=kernel -Wl,-Ttext=0xffffffff81000000 -o vmlinux small.c 2> build.log; then
	perf probe -k ./vmlinux -D 'small%return16 $retval:s32' -D 'e=small%return4096'
	check [ "$(cat out)" = "r16:probe/small__return small+0 \$retval:s32
r4096:probe/e__return small+0" ]
	for def in small%return0 small%return4097 small%return99999999999999999999 small%return-1 small%return1x; do
		perf probe -k ./vmlinux -D "$def"
		check [ $rc -eq 129 ]
		check [ ! -s out ]
	done
	perf probe -k ./vmlinux -D small%return4097
	check grep -q 'from 1 to 4096' err
	perf probe -x ./vmlinux -D small%return16
	check [ $rc -eq 234 ]
	check grep -q "only of the kernel's functions" err
else
	skip "no kernel's code here: $(head -n 1 build.log)"
fi

step "the kernel's variables: by their symbols"
if [ -e vmlinux ]; then
	perf probe -k ./vmlinux -D 'small v sink pair.second to_sink' -D 'small target=to_sink[2]'
	check [ $rc -eq 0 ]
	check [ "$(cat out)" = "p:probe/small small+0 v=%di:s32 sink=@sink+0:s32 second=@pair+4:s32 to_sink=@to_sink+0:x64
p:probe/small small+0 target=+8(@to_sink+0):s32" ]
	if [ -x "$REF" ]; then
		timeout 20 "$REF" probe -k ./vmlinux -D 'small v sink pair.second to_sink' > theirs 2> theirs.err < /dev/null
		check diff theirs <(head -n 1 out)
	fi
else
	skip "as above"
fi

step "--funcs of a kernel: names as they are, readable with --demangle-kernel"
if [ -e vmlinux ]; then
	perf probe -k ./vmlinux --funcs '*readable*'
	check [ "$(cat out)" = _ZN5outer8readableEi ]
	if has demangle 2> /dev/null; then
		perf probe -k ./vmlinux --demangle-kernel --funcs '*readable*'
		check grep -qx 'outer::readable.*' out
	fi
	perf probe -k ./vmlinux --no-demangle-kernel --funcs '*readable*'
	check [ "$(cat out)" = _ZN5outer8readableEi ]
else
	skip "as above"
fi

step "a module by the path of its file: its name is in front"
cp small.o nf-small.ko
perf probe -m ./nf-small.ko -D small -D small%return -D small+2
check [ $rc -eq 0 ]
check [ "$(cat out)" = "p:probe/small nf_small:small+0
r:probe/small__return nf_small:small+0
p:probe/small nf_small:small+2" ]
if has libdw; then
	perf probe -m ./nf-small.ko -D 'small v' -D 'small:0 v sink'
	check [ "$(cat out)" = "p:probe/small nf_small:small+0 v=%di:s32
p:probe/small nf_small:small+0 v=%di:s32 sink=@sink+0:s32" ]
	perf probe -m ./nf-small.ko --vars small
	check grep -q '	int	v$' out
	perf probe -m ./nf-small.ko --line small
	check grep -q "^<small@$PWD/small.c:0>" out
	check grep -q '^      0 .*int small(int v)' out
fi

step "a module by its name: the file that modules.dep names"
kernel=lib/modules/$(uname -r)
mkdir -p "symfs/$kernel/kernel/net"
cp small.o "symfs/$kernel/kernel/net/nf-small.ko"
printf 'kernel/fs/other.ko: kernel/net/nf-small.ko\nkernel/net/nf-small.ko: kernel/fs/other.ko\n' > "symfs/$kernel/modules.dep"
for name in nf_small nf-small; do
	perf probe --symfs "$PWD/symfs" -m $name -D small
	check [ "$(cat out)" = "p:probe/small nf_small:small+0" ]
	check [ ! -s err ]
done
perf probe --symfs "$PWD/symfs" -m other -D small # named, but not there
check [ $rc -eq 254 ]
check grep -q "other.ko': No such file" err

step "a module whose path is not found: a warning, and the symbols of what is loaded"
module=$(sed -n 's/.* t [a-z_0-9]*	\[\([a-zA-Z_0-9]*\)\]$/\1/p' /proc/kallsyms | head -n 1)
function=$(sed -n "s/.* t \\([a-z_0-9]*\\)	\\[$module\\]\$/\\1/p" /proc/kallsyms | head -n 1)
if ! need_list; then
	:
elif [ -z "$module" ]; then
	skip "no module is loaded"
else
	perf probe --symfs "$PWD/nowhere" -m "$module" -D "$function"
	check [ $rc -eq 0 ]
	check [ "$(cat out)" = "p:probe/$function $module:$function+0" ]
	check grep -q "^Warning: Failed to find path of kernel module '$module'" err
	perf probe --symfs "$PWD/nowhere" -q -m "$module" --funcs '*'
	check grep -qx "$function" out
	check [ ! -s err ]
	perf probe -m nosuch_module -D f
	check [ $rc -ne 0 ]
	check grep -q "^Warning: Failed to find path of kernel module 'nosuch_module'" err
	check grep -q "module 'nosuch_module': it is not loaded" err
	perf probe --symfs "$PWD/nowhere" -m "$module" --line "$function"
	check [ $rc -eq 254 ]
	check grep -q -- '--vmlinux and --module' err
fi

step "the kernel that runs: the lines of Linux's perf"
if ! need_list; then
	:
elif [ -x "$REF" ]; then
	for def in vfs_read 'vfs_read%return $retval' vfs_read+4 'vfs_rea*' 'g:e=vfs_write %di x=%si $stack2' nosuch_function \
		vfs_read+400000 'vfs_read buf' vfs_read:3 "0x$(awk '$3 == "vfs_read" { print $1; exit }' /proc/kallsyms)"; do
		timeout 20 "$REF" probe -D "$def" > theirs 2> theirs.err < /dev/null
		status=$?
		perf probe -D "$def"
		check [ $rc -eq $status ]
		check diff theirs out
	done
	# Several functions of one name: returns, too, are told apart.
	name=$(awk '$2 ~ /[tT]/ && !$4 { print $3 }' /proc/kallsyms | sort | uniq -c | awk '$1 > 1 && $1 < 9 && $2 ~ /^[a-z_]*$/ { print $2; exit }')
	perf probe -D "$name%return"
	check [ "$(grep -c "^r:probe/${name}__return _text+[0-9]*\$" out)" -gt 1 ]
	timeout 20 "$REF" probe --funcs > theirs 2> theirs.err < /dev/null
	perf probe --funcs
	check cmp theirs out
else
	skip "'$REF' is not there"
fi

step "--bootconfig: as the kernel reads it when it boots"
perf probe -m ./nf-small.ko --bootconfig -D 'small %di x=%si' -D 'g:e=small%return'
check [ "$(cat out)" = "ftrace.event.kprobes.small.probe = 'nf_small:small+0 %di x=%si'
ftrace.event.kprobes.e__return.probe = 'nf_small:small+0'" ]
check grep -q "^Warning: the group 'g' is left out" err
perf probe -x "$PERF" --bootconfig -D main
check [ $rc -eq 234 ]
check grep -q "bootconfig doesn't support uprobes" err
perf probe --bootconfig -l
check [ $rc -eq 129 ]
if need_list && [ -x "$REF" ]; then
	set -- --bootconfig -D vfs_read -D 'vfs_write%return $retval' -D 'g:e=ksys_read+4 %di x=%si' -D 'vfs_open $stack'
	timeout 20 "$REF" probe "$@" > theirs 2> theirs.err < /dev/null
	perf probe "$@"
	check diff theirs out
fi

# A tracefs that has what this kernel may lack: plain files.
mkdir -p traces/events
export PERF_TRACEFS_DIR=$PWD/traces

step "written to kprobe_events, with the confirmation"
: > traces/kprobe_events
perf probe -m ./nf-small.ko -a 'small %di' -a 'small%return8 $retval'
check [ $rc -eq 0 ]
check [ "$(sed 's/\(.\)\(r8*:\)/\1\n\2/' traces/kprobe_events)" = "p:probe/small nf_small:small+0 %di
r8:probe/small__return nf_small:small+0 \$retval:s32" ]
check [ "$(cat err)" = "Added new events:
  probe:small          (on small in nf_small with %di)
  probe:small__return  (on small%return8 in nf_small with \$retval)

You can now use it in all perf tools, such as:

	perf record -e probe:small__return -aR sleep 1" ]

step "listed: returns, offsets, and places that are only an offset from _text"
printf 'p:probe/at nf_small:small+4\nr8:probe/back small\nr:probe/far nf_small:small+0 arg1=$retval\n' > traces/kprobe_events
perf probe --list
check [ $rc -eq 0 ]
check [ "$(cat out)" = "  probe:at             (on small+4 in nf_small)
  probe:back           (on small%return)
  probe:far            (on small%return in nf_small with arg1)" ]
if need_list; then
	text=$(awk '$3 == "_text" { print "0x" $1; exit }' /proc/kallsyms)
	at=$(awk '$3 == "vfs_read" { print "0x" $1; exit }' /proc/kallsyms)
	printf 'p:probe/read _text+%d\np:probe/within _text+%d\n' $((at - text)) $((at - text + 4)) > traces/kprobe_events
	perf probe -l
	check [ "$(cat out)" = "  probe:read           (on vfs_read)
  probe:within         (on vfs_read+4)" ]
fi

step "kprobe_events or uprobe_events missing: the other half is listed"
rm traces/kprobe_events
echo "p:probe_x/main $PERF:0x1000" > traces/uprobe_events
perf probe -l
check [ $rc -eq 0 ]
check grep -q '^  probe_x:main ' out
perf probe -l -v
check grep -q 'CONFIG_KPROBE_EVENTS' err
perf probe -m ./nf-small.ko small
check [ $rc -eq 254 ]
check grep -q 'CONFIG_KPROBE_EVENTS' err
rm traces/uprobe_events
echo 'p:probe/at small+4' > traces/kprobe_events
perf probe -l
check [ $rc -eq 0 ]
check grep -q '^  probe:at ' out
finish
