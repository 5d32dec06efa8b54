#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The index in Documentation/design.md: each room, and each header by its first sentence.

    index.py            prints design.md as it should be
    index.py --write    makes it so

A room's own words are those of the list in "The rooms"; headers that belong to one concept alone
(NAME_private.h, NAME_local.h) are left out.
"""

import re
import sys
from pathlib import Path

DESIGN = Path("Documentation/design.md")
START, END = "<!-- index: made by `make index` -->\n", "<!-- end of the index -->\n"


def first_sentence(header):
    comment = re.search(r"^/\* SPDX.*?\*/\s*/\*(.*?)\*/", header.read_text(), re.S | re.M)
    if not comment:
        return ""
    paragraph = re.split(r"\n \*\n|:\n \*?(?=\t| -)", comment.group(1))[0]
    text = " ".join(line.strip().lstrip("*").strip() for line in paragraph.splitlines()).strip()
    return re.split(r"(?<=[.?])\s", text)[0].rstrip(".") + "."


def rooms(design):
    """The folders of the list of rooms, in its order."""
    return re.findall(r"^    ((?:ui|util)/\w+|selftest|arch)/ ", design, re.M)


def index(design):
    lines = []
    for room in rooms(design):
        lines.append(f"**{room}**\n\n")
        for header in sorted(Path(room).glob("*.h")):
            if not re.search(r"_(private|local)\.h$", header.name):
                lines.append(f"- `{header.name}`: {first_sentence(header)}\n")
        lines.append("\n")
    return "".join(lines)


def main():
    design = DESIGN.read_text()
    before, rest = design.split(START)
    whole = before + START + "\n" + index(design) + END + rest.split(END)[1]
    if "--write" in sys.argv:
        DESIGN.write_text(whole)
    else:
        sys.stdout.write(whole)


main()
