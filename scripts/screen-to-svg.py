#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A screen of tmux as a picture for the documentation.

    tmux capture-pane -e -p | scripts/screen-to-svg.py "what is shown" > Documentation/pictures/NAME.svg
"""
import re
import sys
import unicodedata
from xml.sax.saxutils import escape

COLORS = ["#000000", "#cc4444", "#4e9a06", "#c4a000", "#3465a4", "#75507b", "#06989a", "#d3d7cf"]
FRONT, BACK = "#d3d7cf", "#1e1e1e"
WIDTH, HEIGHT = 8.4, 17  # pixels of a character


class Style:
    def __init__(self):
        self.front = self.back = None
        self.bold = self.faint = self.reverse = False

    def take(self, codes):
        """The numbers of one SGR sequence."""
        for code in codes:
            if code == 0:
                self.__init__()
            elif code in (1, 2, 7):
                setattr(self, {1: "bold", 2: "faint", 7: "reverse"}[code], True)
            elif 30 <= code <= 37:
                self.front = COLORS[code - 30]
            elif 40 <= code <= 47:
                self.back = COLORS[code - 40]
            elif code == 39:
                self.front = None
            elif code == 49:
                self.back = None

    def colors(self):
        front, back = self.front or FRONT, self.back or BACK
        return (back, front) if self.reverse else (front, back)


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c)
               for c in text)


def draw(screen, title):
    lines = screen.rstrip("\n").split("\n")
    style, rects, texts, columns = Style(), [], [], 80
    for row, line in enumerate(lines):
        at = 0
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            codes = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
            if codes:
                style.take([int(code or 0) for code in codes.group(1).split(";")])
                continue
            part = re.sub(r"[\x00-\x1f]", "", part)
            if not part:
                continue
            front, back = style.colors()
            if back != BACK:
                rects.append('<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>'
                             % (at * WIDTH, row * HEIGHT, width(part) * WIDTH, HEIGHT, back))
            if part.strip():
                texts.append('<text x="%.1f" y="%d" fill="%s" textLength="%.1f"%s%s>%s</text>'
                             % (at * WIDTH, row * HEIGHT + 13, front, width(part) * WIDTH,
                                ' font-weight="bold"' if style.bold else "",
                                ' opacity="0.6"' if style.faint else "", escape(part)))
            at += width(part)
        columns = max(columns, at)
    size = columns * WIDTH + 16, len(lines) * HEIGHT + 16
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 %.0f %.0f" width="%.0f" '
          'height="%.0f" font-family="monospace" font-size="14" xml:space="preserve">'
          % (size + size))
    print("<!-- SPDX-License-Identifier: GPL-2.0-or-later -->")
    print("<title>%s</title>" % escape(title))
    print('<rect x="-8" y="-8" width="%.0f" height="%.0f" rx="6" fill="%s"/>' % (size + (BACK,)))
    print("\n".join(rects + texts))
    print("</svg>")


if len(sys.argv) != 2:
    sys.exit(__doc__)
draw(sys.stdin.read(), sys.argv[1])
