"""Little of what the system gives: descriptors, address space."""

import json
import os
import resource
import subprocess

from not_run import not_run
from stage import ROOT

MEBIBYTE = 1 << 20
# Of the shop in each of many captures.
COPIES = 10
GENERATOR = os.path.join(ROOT, "..", "shared", "lab", "gen_pcap.c")
# Captures of other shapes, about a gigabyte each: words of the generator, and what is done with them.
SHAPES = {
    "web": (["--mix", "web"], ("audit", "exchanges")),
    "fat": (["--mix", "fat", "--concurrent", "8"], ("audit",)),
    "tiny": (["--mix", "tiny", "--exchanges", "=1"], ("audit", "connections")),
}


def descriptors(stage):
    """300 captures of one time, which are all read at once, and 300 that follow each other."""
    for what, step in (("of one time", 1), ("one after the other", COPIES)):
        names = [os.path.basename(stage.repeated(f"{number}.pcap", COPIES, first=number * step)) for number in range(300)]
        expected = stage.run(["--format", "json", *names])
        stage.check(f"300 captures {what}", (0, 300 * COPIES * 94),
                    (expected.status, sum(file["packets"] for file in json.loads(expected.output)["capture"]["files"])))
        for count in (20, 10):
            run = stage.run(["--format", "json", "-o", "result", *names], limits=[(resource.RLIMIT_NOFILE, count)])
            with open(stage.path("result"), "rb") as file:
                same = file.read() == expected.output
            stage.check(f"… with {count} descriptors", (0, "", True), (run.status, run.errors, same))
        # One is left, and that is the result's.
        run = stage.run(["-o", "none", *names], limits=[(resource.RLIMIT_NOFILE, 4)])
        stage.check_end("… with none", run, 66, "Too many open files")
        for name in names:
            os.remove(stage.path(name))


def memory(stage):
    """256 MiB of address space: program, libraries, stacks and all that was reserved."""
    measure(stage, "calls", stage.repeated("calls.pcap", 25_000), ("audit", "exchanges", "connections", "accuracy"))
    os.remove(stage.path("calls.pcap"))
    if not os.path.exists(GENERATOR):
        not_run("faults, memory with " + ", ".join(SHAPES), "no ../shared beside this folder")
        return
    generator = stage.path("generator")
    subprocess.run(["clang", "-O2", "-o", generator, GENERATOR, "-lz", "-lm"], check=True, capture_output=True)
    for shape, (words, commands) in SHAPES.items():
        capture = stage.path(shape + ".pcap")
        subprocess.run([generator, "-o", capture, *words, "--bytes", "1G"], check=True, capture_output=True)
        measure(stage, shape, capture, commands)
        os.remove(capture)


def measure(stage, name, capture, commands):
    size = os.path.getsize(capture)
    for command in commands:
        process = stage.start([command, "--format", "json" if command in ("audit", "accuracy") else "ndjson", capture],
                              limits=[(resource.RLIMIT_AS, 256 * MEBIBYTE)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
        errors = process.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        stage.check(f"{command} of {size / 1e9:.2f} GB ({name}) in 256 MiB, {usage.ru_maxrss / 1024:.0f} MiB in RAM",
                    (0, ""), (process.returncode, errors[:300]))


def exhausted(stage):
    """No memory at all: a clear end, and nothing left. Looked at around the size that just suffices, where memory may end at any
    step of the work."""
    program = subprocess.run([stage.program, "--version"], check=True, capture_output=True)
    assert program.stdout
    least, most = 40, 256
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if outcome(stage, middle) == "whole" else (middle, most)
    outcomes = {outcome(stage, size) for size in [*range(40, least - 8, 8), *range(least - 8, most + 4)]}
    stage.check(f"with less and less memory, around {most} MiB: whole results, or none and a word", {"whole", "said"}, outcomes)
    stage.check("… and nothing beside them", [], stage.leftovers())


def outcome(stage, size):
    """What a run in so many MiB gives: "whole" results, or none and "said" why; else what came instead."""
    run = stage.run(["exchanges", "--jobs", "1", "-o", "none", "long.pcap"], limits=[(resource.RLIMIT_AS, size * MEBIBYTE)])
    has_result = os.path.exists(stage.path("none"))
    if has_result:
        os.remove(stage.path("none"))
    said = "ended by a fault: no memory left" in run.errors or "cannot allocate" in run.errors.lower() \
        or "failed to map" in run.errors
    if (run.status, has_result) == (0, True):
        return "whole"
    return "said" if run.status != 0 and not has_result and said else f"{size} MiB: {run.status} {run.errors[-300:]}"


SCENARIOS = (descriptors, memory, exhausted)
