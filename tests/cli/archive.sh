#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf archive: what a recording needs is packed and unpacked, as with Linux's perf in both directions; an
# archive that would lead out of the cache is refused; two machines print the same report.
. "$(dirname "$0")/../lib.sh"
plan 14
need_events || finish
for tool in bzip2 tar; do
	command -v $tool > /dev/null || skip_all "$tool is not installed"
done

cp "$WORKLOADS/planted" prog
"$PERF" record -q -g -e cpu-clock -F 2000 -o x.data ./prog 0.3 > /dev/null 2>&1
id=$(id_of prog)
[ -n "$id" ] || skip_all "no readelf, or a linker that makes no build-ids"

step "packs what samples fell into, each with its link in front"
perf archive x.data
check [ $rc -eq 0 ]
check [ "$(cat out)" = "Now please run:

\$ tar xvf x.data.tar.bz2 -C ~/.debug

wherever you need to run 'perf report' on." ]
check tar tf x.data.tar.bz2
cp check.log members
check grep -qxF ".build-id/${id:0:2}/${id:2}" members
check grep -qxF "${PWD#/}/prog/$id/elf" members
perf buildid-list -H -i x.data
cut -d' ' -f1 out > listed
sed -n 's|^\.build-id/\(..\)/|\1|p' members > packed
check diff listed <(grep -xFf listed packed)
check [ "$(sed -n '/^\.build-id/{n;p}' members | grep -c "/$")" -eq "$(wc -l < packed)" ]

step "the file is perf.data where none is named"
cp x.data perf.data
perf archive
check [ $rc -eq 0 ]
check [ -s perf.data.tar.bz2 ]
check grep -qF 'tar xvf perf.data.tar.bz2' out

step "tar and --unpack make the same cache"
mkdir -p by-tar/.debug there/home
check tar xf x.data.tar.bz2 -C by-tar/.debug
HOME=$PWD/there/home perf archive --unpack x.data.tar.bz2
check [ $rc -eq 0 ]
check grep -qxF "$(wc -l < packed) objects are in $PWD/there/home/.debug now" out
check diff -r by-tar/.debug there/home/.debug
cp x.data.tar.bz2 perf.data.tar.bz2
HOME=$PWD/there/home perf archive --unpack
check [ $rc -eq 0 ]
bunzip2 -c x.data.tar.bz2 > plain.tar
HOME=$PWD/plain perf archive --unpack plain.tar
check [ $rc -eq 255 -o $rc -eq 1 ] # no such folder as HOME
check grep -q 'cannot unpack' err
mkdir plain
HOME=$PWD/plain perf archive --unpack plain.tar
check [ $rc -eq 0 ]
check diff -r by-tar/.debug plain/.debug

step "long paths"
long=$PWD/$(printf 'a%.0s' {1..90})/$(printf 'b%.0s' {1..90})
mkdir -p "$long"
cp prog "$long/prog"
"$PERF" record -q -e cpu-clock -F 2000 -o long.data "$long/prog" 0.2 > /dev/null 2>&1
perf buildid-cache -u "$long/prog"
perf archive long.data
mkdir -p long-tar/.debug long-ours
check tar xf long.data.tar.bz2 -C long-tar/.debug
check [ -x "long-tar/.debug$long/prog/$id/elf" ]
HOME=$PWD/long-ours perf archive --unpack long.data.tar.bz2
check [ $rc -eq 0 ]
check diff -r long-tar/.debug long-ours/.debug
perf buildid-cache -u prog

step "what the cache lacks is left out and said"
perf buildid-cache -r prog
perf archive x.data
check [ $rc -eq 0 ]
check grep -qF "leaving out '$PWD/prog': it is not in the build-id cache" err
check grep -qF 'perf buildid-cache --add' err
refute grep -qF "$id" <(tar tf x.data.tar.bz2)
rm x.data.tar.bz2
HOME=$PWD/nowhere perf archive x.data
check [ $rc -eq 1 ]
check grep -q 'nothing to pack' err
check [ ! -e x.data.tar.bz2 ]
perf buildid-cache -a prog

step "no build-ids, no file: as Linux's perf, status 1"
perf archive nofile
check [ $rc -eq 1 ]
check grep -qxF 'perf archive: no build-ids found' err
"$PERF" record -q -B -e cpu-clock -o none.data true > /dev/null 2>&1
perf archive none.data
check [ $rc -eq 1 ]
check grep -qxF 'perf archive: no build-ids found' err
perf archive --unpack nofile
check [ $rc -eq 1 ]
check grep -qF "cannot open 'nofile'" err
perf archive x.data more
check [ $rc -eq 129 ]

step "the cache is where PERF_BUILDID_DIR says"
PERF_BUILDID_DIR=$PWD/else-cache perf buildid-cache -a prog
PERF_BUILDID_DIR=$PWD/else-cache perf archive x.data
check [ $rc -eq 0 ]
check [ "$(tar tf x.data.tar.bz2 | grep -c '^\.build-id')" -eq 1 ]
perf --buildid-dir "$PWD/unpacked" archive --unpack x.data.tar.bz2
check [ $rc -eq 0 ]
check diff -r unpacked else-cache

step "no bzip2"
rm x.data.tar.bz2
env PATH="$PWD/no-bin" "$PERF" archive x.data > out 2> err
check [ $? -eq 1 ]
check grep -qF "install the package 'bzip2'" err
check [ ! -e x.data.tar.bz2 ]

step "^C and SIGTERM: no half archive is left"
mkdir slow-bin
printf '#!/bin/sh\nhead -c 1\ntouch begun\nexec sleep 3600\n' > slow-bin/bzip2
chmod +x slow-bin/bzip2
for signal in INT TERM; do
	set -m
	PATH=$PWD/slow-bin:$PATH "$PERF" archive x.data > out 2> err &
	child=$! CHILDREN="$CHILDREN $!"
	set +m
	until_true [ -e begun ]
	check rm begun # half of it is written
	kill -$signal -- "-$child"
	wait $child 2> /dev/null
	check [ $? -gt 128 ]
	check [ ! -e x.data.tar.bz2 ]
done

step "a full disk: said, and no half archive is left"
if [ -e /dev/full ]; then
	cp x.data full.data && ln -s /dev/full full.data.tar.bz2
	perf archive full.data
	check [ $rc -eq 1 ]
	check grep -q '^Error: ' err
else
	skip "no /dev/full"
fi

step "archives that lead out of the cache are refused"
perf archive x.data
cat > bad.py << 'END'
import io, sys, tarfile
ident = '00112233445566778899aabbccddeeff01020304'
def make(name, *members):
    with tarfile.open(name, 'w') as tar:
        for member, kind, target in members:
            info = tarfile.TarInfo(member)
            info.type = kind
            info.linkname = target
            info.size = 4 if kind == tarfile.REGTYPE else 0
            tar.addfile(info, io.BytesIO(b'evil') if info.size else None)
F, D, S, H = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE
link = '.build-id/00/' + ident[2:]
make('bad1.tar', (sys.argv[1] + '/victim/' + ident + '/elf', F, ''))
make('bad2.tar', ('../../victim/' + ident + '/elf', F, ''))
make('bad3.tar', ('usr/../../../victim/' + ident + '/elf', F, ''))
make('bad4.tar', (link, S, '../../../../victim/' + ident))
make('bad5.tar', (link, S, '/etc/' + ident))
make('bad6.tar', ('usr/bin', S, sys.argv[1] + '/victim'), ('usr/bin/' + ident + '/elf', F, ''))
make('bad7.tar', ('usr/bin/' + ident + '/elf', H, '../../victim/' + ident + '/secret'))
make('bad8.tar', ('usr/bin/' + ident + '/elf', tarfile.FIFOTYPE, ''))
make('bad9.tar', ('.bashrc', F, ''))
END
if python3 bad.py "$PWD" 2> /dev/null; then
	mkdir -p victim bad-home
	for n in 1 2 3 4 5 6 7 8 9; do
		HOME=$PWD/bad-home perf archive --unpack bad$n.tar
		check [ $rc -eq 1 ]
		check grep -q 'it is not a member of an archive of a build-id cache' err
	done
	check [ -z "$(ls -A victim)" ]
	check [ -z "$(find bad-home ! -type d)" ]
else
	skip "no python3"
fi

step "archives that are cut off or damaged"
size=$(stat -c %s plain.tar)
for bytes in 100 700 $((size / 2)) $((size - 9000)); do
	head -c "$bytes" plain.tar > cut.tar
	HOME=$PWD/plain perf archive --unpack cut.tar
	check [ $rc -le 1 ]
	mkdir "cut-$bytes"
	HOME=$PWD/cut-$bytes perf archive --unpack cut.tar
	check [ $rc -le 1 ]
	# Whole or not at all.
	while read -r file; do
		check cmp -s "cut-$bytes/.debug/$file" "by-tar/.debug/$file"
	done < <(cd "cut-$bytes/.debug" 2> /dev/null && find . -type f)
done
head -c 3000 x.data.tar.bz2 > cut.tar.bz2
HOME=$PWD/plain perf archive --unpack cut.tar.bz2
check [ $rc -eq 1 ]
check grep -qE "^Error: .*bzip2" err
perf archive --unpack x.data
check [ $rc -eq 1 ]
check grep -q 'damaged or cut off, or it is not one' err

step "Linux's perf packs and we unpack, and the other way round"
if [ -x "$REF" ]; then
	cp x.data ref.data
	"$REF" archive ref.data > ref 2>&1
	perf archive x.data
	# Other tests link the same system libraries into caches of their own meanwhile.
	check diff <(sed s/x.data/ref.data/ out) <(grep -v ': file changed as we read it$' ref)
	# Those of call chains alone are in ours only.
	check [ -z "$(comm -13 <(tar tf x.data.tar.bz2 | sort) <(tar tf ref.data.tar.bz2 | sort))" ]
	mkdir -p ref-home ref-tar/.debug
	HOME=$PWD/ref-home perf archive --unpack ref.data.tar.bz2
	check [ $rc -eq 0 ]
	tar xf ref.data.tar.bz2 -C ref-tar/.debug
	check diff -r ref-tar/.debug ref-home/.debug
	HOME=$PWD/there/home "$REF" buildid-cache -l > ref 2> /dev/null
	HOME=$PWD/there/home perf buildid-cache -l
	check diff out ref
	check grep -qF "$id" out
else
	skip "'$REF' is not there"
fi

# ---- two machines ----

step "another machine, without the programs, prints the same reports"
if need_machine "$(type -P bzip2)"; then
	perf archive x.data
	cp x.data x.data.tar.bz2 machine/root
	for options in '-g none --sort comm,dso,sym' '-g caller' '--children -g none -s dso,sym'; do
		there report -i /root/x.data $options > before 2> /dev/null
		perf report -i x.data $options
		refute diff <(grep -v '^#' out) <(grep -v '^#' before)
	done
	check there archive --unpack /root/x.data.tar.bz2
	for options in '-g none --sort comm,dso,sym' '-g caller' '--children -g none -s dso,sym'; do
		there report -i /root/x.data $options > after 2> after.err
		perf report -i x.data $options
		check [ -s out ]
		check diff <(grep -v '^#' out) <(grep -v '^#' after)
	done
	there script -i /root/x.data -F comm,ip,sym,symoff,dso > after 2> /dev/null
	perf script -i x.data -F comm,ip,sym,symoff,dso
	check cmp out after
	check grep -q "prog" out
fi
finish
