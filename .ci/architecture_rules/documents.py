"""Documents that comments cite, by the name of their file, stand in the repository, and so do the sections they name. Links in
documents lead to files and headings that are there."""
import os
import re

from sources import ROOT

CITATION = re.compile(r"([\w+-]+\.md)(?:[ ,]+§(\d+(?:\.\d+)*)((?:, §\d+(?:\.\d+)*)*))?")
# A document named without its file: nobody can follow that.
NAMELESS = re.compile(r"\b(ledger|layers|architecture|estimators|output|design)(?:\.md)? §", re.IGNORECASE)
HEADING = re.compile(r"^#+ (\d+(?:\.\d+)*)\.? ", re.MULTILINE)
COMMENT = {".swift": "//", ".py": "#"}
FOLDERS = ("Sources", "Tests", ".ci")


def documents():
    """{name of a Markdown file: numbers of its sections}"""
    found = {}
    for place, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in (".build", ".git")]
        for name in names:
            if name.endswith(".md"):
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    found.setdefault(name, set()).update(HEADING.findall(file.read()))
    return found


# A link or a picture that is no address of the web; a link of DocC to an article.
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)|<doc:(\w+)>")
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def anchors(text):
    """The names by which GitHub links to the headings of a document."""
    return {re.sub(r"[^\w\- ]", "", line.lower()).strip().replace(" ", "-")
            for line in re.findall(r"^#+ +(.*)$", text, re.MULTILINE)}


def check_links():
    """Violations: a link of a Markdown file whose target is not in the repository."""
    texts = {}
    for place, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in (".build", ".git")]
        for name in names:
            if name.endswith(".md"):
                path = os.path.join(place, name)
                with open(path, encoding="utf-8") as file:
                    texts[path] = CODE_BLOCK.sub("", file.read())
    for path, text in sorted(texts.items()):
        for target, anchor, article in LINK.findall(text):
            target = f"{article}.md" if article else target
            goal = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if not os.path.exists(goal):
                yield f"{os.path.relpath(path, ROOT)}: links to {target}, which is not there"
            elif anchor and goal in texts and anchor not in anchors(texts[goal]):
                yield f"{os.path.relpath(path, ROOT)}: links to {target}#{anchor}, and there is no such heading"


def comments():
    """(path, number of the line, text of the comment) of the sources and scripts."""
    for folder in FOLDERS:
        for place, folders, names in os.walk(os.path.join(ROOT, folder)):
            folders[:] = [name for name in folders if name not in ("Corpus", "Failures", "__pycache__", "architecture_rules")]
            for name in sorted(names):
                path = os.path.join(place, name)
                mark = COMMENT.get(os.path.splitext(name)[1]) or ("#" if folder == ".ci" and "." not in name else None)
                if mark is None:
                    continue
                with open(path, encoding="utf-8") as file:
                    for number, line in enumerate(file, 1):
                        if mark in line:
                            yield os.path.relpath(path, ROOT), number, line.partition(mark)[2]


def check(exceptions):
    """Violations; `exceptions`: files whose comments may still name a document without its file, {path: how many}."""
    known, nameless = documents(), {}
    for path, number, comment in comments():
        for name, section, more in CITATION.findall(comment):
            if name not in known:
                yield f"{path}:{number}: cites {name}, which is not in the repository"
                continue
            for each in [section, *re.findall(r"§([\d.]+)", more)]:
                if each and each not in known[name]:
                    yield f"{path}:{number}: cites {name} §{each}, and there is no such section"
        if NAMELESS.search(comment):
            nameless.setdefault(path, []).append(number)
    for path, numbers in nameless.items():
        if len(numbers) > exceptions.get(path, 0):
            yield f"{path}:{numbers[0]}: cites a document without the name of its file, such as 'ByteLedger.md §5'"
    for path in sorted(exceptions.keys() - nameless.keys()):
        yield f"{path}: names its documents now; take its exception away (.ci/architecture --shrink)"


def shrunk(exceptions):
    found = {}
    for path, _, comment in comments():
        if NAMELESS.search(comment):
            found[path] = found.get(path, 0) + 1
    return {path: min(count, found[path]) for path, count in sorted(exceptions.items()) if path in found}
