"""Which folder of a target uses what another one declares: types, functions of the module, members of extensions.

Swift's compiler knows this, but tells nobody; here names are compared. A name counts where it is declared in one folder of
the target alone. Members count when their extension stands in another folder than its type, or the type is foreign:
otherwise whoever calls the member uses the type already."""
import collections
import re

from sources import ALIAS, DECLARATION, EXTENSION, code, room_of, swift_files

FUNCTION = re.compile(r"^(?:(?:public|package|internal|@\w+(?:\([^)]*\))?)\s+)*func\s+(\w+)")
MEMBER = re.compile(r"^    (?:(?:public|package|internal|static|mutating|borrowing|consuming|@\w+(?:\([^)]*\))?)\s+)*(?:func|var|let)\s+(\w+)")
ANY_MEMBER = re.compile(r"\b(?:func|var|let|case)\s+(\w+)|\b(\w+):\s")
CASES = re.compile(r"^\s*(?:indirect )?case ((?:\w+(?:, )?)+)")
TYPE_NAME = re.compile(r"\b[A-Z]\w*\b")
CALL = re.compile(r"(?<![.\w])(?<!func )([a-z]\w*)\(")
USE = re.compile(r"\.([a-z]\w*)\b")
# Names that the standard library's types have as well.
STANDARD = set("append add insert remove removeAll removeFirst removeLast contains count isEmpty first last map filter reduce "
               "sorted sort min max index hash write read description text name value bytes span next prefix suffix words "
               "lowercased uppercased advanced extracting split joined reversed hasPrefix hasSuffix starts".split())


def declarations(target, rooms):
    """Types, functions and members of extensions by name: {name: set of rooms}."""
    types, functions, members, others = (collections.defaultdict(set) for _ in range(4))
    extended = []
    for path in swift_files(f"Sources/{target}"):
        room, current = room_of(path, rooms), None
        for line in code(path):
            if match := DECLARATION.match(line) or ALIAS.match(line):
                types[match.group(1)].add(room)
                current = None
            elif match := FUNCTION.match(line):
                functions[match.group(1)].add(room)
                current = None
            elif match := EXTENSION.match(line):
                current = match.group(1).split(".")[0]
            elif current and (match := MEMBER.match(line)):
                extended.append((match.group(1), current, room))
                continue
            named = [match.group(1) or match.group(2) for match in ANY_MEMBER.finditer(line)]
            if match := CASES.match(line):
                named += match.group(1).split(", ")
            for name in named:
                others[name].add(room)
    for name, extended_type, room in extended:
        if types.get(extended_type, set()) != {room}:
            members[name].add(room)
        else:
            others[name].add(room)
    return types, functions, {name: found for name, found in members.items() if name not in others and name not in STANDARD}


def arrows(target, rooms=()):
    """{(user, used): an example of what is used}, between different folders of the target."""
    types, functions, members = declarations(target, rooms)
    found = {}
    for path in swift_files(f"Sources/{target}"):
        room = room_of(path, rooms)
        for line in code(path):
            for pattern, homes in ((TYPE_NAME, types), (CALL, functions), (USE, members)):
                for match in pattern.finditer(line):
                    name = match.group(1) if pattern.groups else match.group(0)
                    home = homes.get(name, ())
                    if len(home) == 1 and room not in home:
                        found.setdefault((room, next(iter(home))), f"{name} in {path}")
    return found


def components(names, edges):
    """Groups of folders that reach each other (Tarjan), those that are used before those that use them."""
    following = collections.defaultdict(list)
    for user, used in sorted(edges):
        following[user].append(used)
    number, low, stack, groups = {}, {}, [], []

    def visit(name):
        number[name] = low[name] = len(number)
        stack.append(name)
        for other in following[name]:
            if other not in number:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == number[name]:
            place = stack.index(name)
            groups.append(sorted(stack[place:]))
            del stack[place:]

    for name in sorted(names):
        if name not in number:
            visit(name)
    return groups


def cyclic(target, rooms=()):
    """The arrows that lie on a cycle, with an example of each."""
    found = arrows(target, rooms)
    home = {name: group for group, names in enumerate(components({n for edge in found for n in edge}, found)) for name in names}
    return {edge: example for edge, example in found.items() if home[edge[0]] == home[edge[1]]}


def spelled(edge):
    return f"{edge[0]} > {edge[1]}"


def check(target, exceptions, rooms=()):
    """Violations; `exceptions`: arrows on cycles that were there already, each spelled "user > used"."""
    found = cyclic(target, rooms)
    for edge, example in sorted(found.items()):
        if spelled(edge) not in exceptions:
            yield f"{target}: {edge[0]} uses {edge[1]}, and that lies on a cycle ({example})"
    for name in sorted(set(exceptions) - {spelled(edge) for edge in found}):
        yield f"{target}: '{name}' is on no cycle any more; take its exception away (.ci/architecture --shrink)"


def shrunk(target, exceptions, rooms=()):
    found = {spelled(edge) for edge in cyclic(target, rooms)}
    return sorted(set(exceptions) & found)
