"""No type above a number of lines over all its extensions, and none in more than a number of files."""
import collections

from sources import TARGETS, blocks, swift_files, target_of

MOST_LINES = 900
MOST_FILES = 8


def sizes():
    """{"Target.Type": (lines of its declaration and all extensions, files)}, of the types that the project declares."""
    homes, lines, files = collections.defaultdict(set), collections.Counter(), collections.defaultdict(set)
    every = [(path, *block) for target in TARGETS for path in swift_files(f"Sources/{target}") for block in blocks(path)]
    for path, name, kind, _ in every:
        if kind == "type":
            homes[name].add(target_of(path))
    for path, name, _, count in every:
        # An extension belongs to the type of its own target, else to the only one of that name; of Outer.Inner to Outer.
        name = name.split(".")[0]
        owners = homes[name] if target_of(path) not in homes[name] else {target_of(path)}
        if len(owners) == 1:
            key = f"{next(iter(owners))}.{name}"
            lines[key] += count
            files[key].add(path)
    return {key: (lines[key], len(files[key])) for key in lines}


def check(exceptions):
    """Violations; `exceptions`: the largest figures that types above the bounds may have, "Target.Type": [lines, files]."""
    found = sizes()
    for key, (lines, files) in sorted(found.items()):
        most_lines, most_files = exceptions.get(key, (MOST_LINES, MOST_FILES))
        if lines > most_lines:
            yield f"{key}: {lines} lines over all its extensions, at most {most_lines}"
        if files > most_files:
            yield f"{key}: in {files} files, at most {most_files}"
    for key in exceptions:
        if not exceeds(found.get(key)):
            yield f"{key}: keeps the bounds now; take its exception away (.ci/architecture --shrink)"


def exceeds(size):
    return size is not None and (size[0] > MOST_LINES or size[1] > MOST_FILES)


def shrunk(exceptions):
    """The exceptions that are still needed, with figures of today where those are smaller."""
    found = sizes()
    return {key: [max(MOST_LINES, min(lines, found[key][0])), max(MOST_FILES, min(files, found[key][1]))]
            for key, (lines, files) in sorted(exceptions.items()) if exceeds(found.get(key))}
