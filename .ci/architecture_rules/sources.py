"""The Swift sources of the project as the rules of .ci/architecture read them."""
import functools
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARGETS = ("Platform", "Spelling", "WireNative", "WireCore", "WireCapture", "WireEstimates", "WireStatistics", "WireLogs", "WireJoin", "WireAccuracy",
           "WireComparison", "WireOpportunities", "WireRecords", "WireReport", "wireaudit")

MODIFIERS = r"(?:(?:public|package|internal|private|fileprivate|final|indirect|nonisolated|unsafe|@\w+(?:\([^)]*\))?)\s+)*"
DECLARATION = re.compile(rf"^{MODIFIERS}(?:struct|class|enum|protocol|actor)\s+(\w+)")
ALIAS = re.compile(rf"^{MODIFIERS}typealias\s+(\w+)")
EXTENSION = re.compile(rf"^{MODIFIERS}extension\s+([\w.]+)")


def swift_files(folder):
    for path, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
        for name in sorted(names):
            if name.endswith(".swift"):
                yield os.path.relpath(os.path.join(path, name), ROOT)


@functools.cache
def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


@functools.cache
def code(path):
    """A file's lines without comments and without what string literals hold."""
    plain = re.sub(r'"""(.*?)"""', lambda match: "\n" * match.group(0).count("\n"), text(path), flags=re.S)
    plain = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group(0).count("\n"), plain, flags=re.S)
    plain = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', plain)
    return re.sub(r"//[^\n]*", "", plain).split("\n")


def target_of(path):
    return path.split(os.sep)[1]


def room_of(path, rooms=()):
    """The folder below the target that a file lies in: the longest of `rooms` that holds it, else the first folder; of
    files beside the folders the target's name."""
    below = os.path.dirname(path).split(os.sep)[2:]
    for count in range(len(below), 0, -1):
        if "/".join(below[:count]) in rooms:
            return "/".join(below[:count])
    return below[0] if below else target_of(path)


def blocks(path):
    """Each declaration of a type, and each extension, at the outermost level of a file: type, kind, count of lines."""
    start = None
    for number, line in enumerate(code(path), 1):
        declared, extended = DECLARATION.match(line), EXTENSION.match(line)
        if declared or extended:
            start = (declared or extended).group(1), "type" if declared else "extension", number
        if start and (line.startswith("}") or (start[2] == number and line.count("{") == line.count("}") > 0)):
            yield start[0], start[1], number - start[2] + 1
            start = None
