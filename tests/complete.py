#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Type command lines into an interactive shell on a terminal of its own and press TAB.

	complete.py bash|zsh FILE LINE...	FILE is the completion to load; perf is found by PATH

Prints the line as it stands after the TAB, one for each LINE. Exit status 1 when the shell does not answer.
"""
import os
import pty
import re
import select
import sys
import tempfile

LIMIT = 60  # seconds to wait for the shell; reached only when something is broken
# A key shows the line; the text of its definition must not look like its output.
SETUP = {
    "bash": "PS1= ; bind 'set enable-bracketed-paste off'; bind 'set bell-style none';"
            "bind -x '\"\\C-g\": printf \"BU%s\" \"F[$READLINE_LINE]END\"'; . {file}\n",
    "zsh": "PS1= ; unset zle_bracketed_paste; fpath=({dir} $fpath); autoload -U compinit; "
           "compinit -u -d {dir}/dump; show() {{ print -rn -- BU'F['\"$BUFFER\"]END }}; zle -N show;"
           "bindkey '^G' show; bindkey '^I' complete-word; bindkey '^U' kill-whole-line; setopt no_beep\n",
}
ARGS = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


def answer(fd):
    got = b""
    while True:
        ready, _, _ = select.select([fd], [], [], LIMIT)
        if not ready:
            raise SystemExit("complete.py: no answer, but: %r" % got[-600:])
        try:
            got += os.read(fd, 65536)
        except OSError:
            raise SystemExit("complete.py: the shell has ended: %r" % got[-600:])
        found = re.search(rb"BUF\[(.*?)\]END", got, re.S)
        if found:
            return found.group(1).decode()


def main():
    shell, path, lines = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(path, folder + "/_perf")
        pid, fd = pty.fork()
        if pid == 0:
            os.environ.update(TERM="dumb", INPUTRC="/dev/null", ZDOTDIR=folder)
            os.execvp(ARGS[shell][0], ARGS[shell])
        os.write(fd, SETUP[shell].format(file=path, dir=folder).encode() + b"\x07")
        answer(fd)
        for line in lines:
            os.write(fd, b"\x15" + line.encode() + b"\t\x07")
            print(answer(fd))
        os.write(fd, b"\x15exit\n")
        os.close(fd)
        os.waitpid(pid, 0)


main()
