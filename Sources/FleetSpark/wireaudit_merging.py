"""Merges of sums by `wireaudit merge`, which gives the same result in any order and any tree."""
import os
import subprocess
import tempfile
import zlib


def tree(pairs, program, fan_in):
    """From (name, sums) to one pair for each name. A merge takes at most `fan_in` parts of a name that lie in a partition,
    then of so many partitions, and so on. The memory of a task does not grow with the sessions."""
    width = pairs.getNumPartitions()
    merged = pairs.mapPartitionsWithIndex(
        lambda index, some: (((name, index), part) for name, part in some)).mapPartitions(merging(program, fan_in))
    while width > 1:
        width = -(-width // fan_in)
        merged = merged.map(moved(width)).partitionBy(width * 4, place).mapPartitions(merging(program, fan_in))
    return merged.map(lambda pair: (pair[0][0], pair[1]))


def moved(width):
    """Parts of one name and of places that are equal by the width come together."""
    return lambda pair: ((pair[0][0], pair[0][1] % width), pair[1])


def place(key):
    """The same in every process; Python's own hash of a text is not."""
    return zlib.crc32(repr(key).encode())


def merging(program, fan_in):
    """For mapPartitions: from (key, sums) to one pair for each key. Sums lie on the disk."""
    def pairs(some):
        with tempfile.TemporaryDirectory() as folder:
            piles, count = {}, 0
            for key, part in some:
                pile = piles.setdefault(key, [])
                path = os.path.join(folder, f"{count}.part")
                count += 1
                with open(path, "wb") as file:
                    file.write(part)
                pile.append(path)
                if len(pile) == fan_in:
                    merge(program, pile)
            for key, pile in piles.items():
                merge(program, pile)
                with open(pile[0], "rb") as file:
                    yield key, file.read()
    return pairs


def merge(program, pile):
    """Makes one part of those of the pile. A session that is in two of them is an error: nothing may count twice."""
    if len(pile) == 1:
        return
    merged = pile[0] + ".merged"
    made = subprocess.run(
        [program, "merge", "--format", "partial", "-o", merged, *pile], capture_output=True, check=False, encoding="utf-8")
    if made.returncode:
        raise RuntimeError(made.stderr.strip())
    for path in pile:
        os.unlink(path)
    os.rename(merged, pile[0])
    del pile[1:]
