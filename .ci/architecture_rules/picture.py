"""The picture of targets, rooms and arrows, drawn from the code as plain text."""
import os
import re

import folders
from sources import ROOT, TARGETS, code, swift_files

ARTICLE = "Sources/WireCore/Documentation.docc/Architecture.md"
BEGIN = "<!-- Drawn by .ci/architecture --draw; do not edit. -->"
END = "<!-- End of the picture. -->"
IMPORT = re.compile(r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal)\s+)?import\s+(?:\w+\s+)?(\w+)")


def draw_targets():
    lines = []
    for target in reversed(TARGETS):
        imported = {match.group(1) for path in swift_files(f"Sources/{target}") for line in code(path)
                    if (match := IMPORT.match(line))}
        lines.append(f"{target:14} imports  {', '.join(sorted(imported & set(TARGETS))) or '-'}")
    return lines


def draw_rooms(target, order):
    """A matrix: a row for each room, what it uses in columns. A mark right of the diagonal lies on a cycle."""
    found = folders.arrows(target, order)
    names = {name for edge in found for name in edge}
    names = [name for name in order if name in names] or [name for group in folders.components(names, found) for name in group]
    width = max(map(len, names))
    lines = [" " * (width + 5) + "".join(f"{number:3}" for number in range(1, len(names) + 1))]
    for number, name in enumerate(names, 1):
        marks = ["  ." if name == other else "  x" if (name, other) in found else "   " for other in names]
        lines.append(f"{number:3}  {name:{width}}{''.join(marks)}".rstrip())
    return lines


def draw(orders):
    """The whole picture; `orders`: the rooms of a target from the lowest to the highest, where they are set."""
    parts = ["Targets:", "", *draw_targets()]
    for target in TARGETS:
        if len({edge[0] for edge in folders.arrows(target, orders.get(target, ()))}) > 1:
            parts += ["", f"{target}: x where the room of the row uses the room of the column:", "",
                      *draw_rooms(target, orders.get(target, ()))]
    return "\n".join([BEGIN, "", "```", *parts, "```", "", END])


def shown():
    """The article's text before the picture, the picture, and the text behind it; None without them."""
    try:
        with open(os.path.join(ROOT, ARTICLE), encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError:
        return None
    start, end = text.find(BEGIN), text.find(END)
    return (text[:start], text[start:end + len(END)], text[end + len(END):]) if 0 <= start < end else None


def check(orders):
    parts = shown()
    if parts is None:
        yield f"{ARTICLE}: has no picture of the rooms"
    elif parts[1] != draw(orders):
        yield f"{ARTICLE}: its picture is not that of the code; run .ci/architecture --draw --update"


def update(orders):
    before, _, after = shown() or (None, None, None)
    if before is None:
        raise SystemExit(f"architecture: {ARTICLE} has no place for the picture")
    with open(os.path.join(ROOT, ARTICLE), "w", encoding="utf-8") as file:
        file.write(before + draw(orders) + after)
