"""Fleets: planted changes are found with their sizes; fleets without a plant raise no alarm.

A made-up fleet has three builds. One has 40 more header bytes in each request, one an SDK that counts 25 bytes too many
in two APIs. Both must be reported as significant, with the planted size within 5 % or within the 95 % interval, and in
no other API or build. Then fleets without a plant: none may have a significant change. An interrupted run must end with
the same report as a whole one, byte by byte, and so must a run in another order."""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import fleet_traffic
from fleet_traffic import Plant

BUILDS = ("1.0", "1.1", "1.2")
REPORTS = ("fleet.json", "fleet.part", "sessions.ndjson")


def add_arguments(parser, root):
    parser.add_argument("--program", default=os.path.join(root, ".build", "release", "wireaudit"))
    parser.add_argument("--sessions", type=int, default=2000, help="of the fleet with plants")
    parser.add_argument("--quiet-fleets", type=int, default=20, help="fleets without a plant")
    parser.add_argument("--quiet-sessions", type=int, default=300, help="sessions of each of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", action="store_true", help="also measure one process against two")


def run(options):
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        manifest = fleet_traffic.fleet(
            os.path.join(folder, "planted"), options.sessions, BUILDS, options.seed, Plant(header="1.1", sdk="1.2"))
        results = os.path.join(folder, "out")
        seconds, memory = audit(options.program, manifest, results)
        print(f"{options.sessions} sessions in {seconds:.1f} s, {memory} MB of the fleet's own process")
        faults += planted(load(results))
        faults += [f"the report of {text}" for text in restarted(options.program, manifest, results, folder)]
        faults += records(results)
        if options.speed:
            speed(options.program, manifest, folder)
        alarms = 0
        for number in range(options.quiet_fleets):
            seed = options.seed * 1000 + number + 1
            quiet = os.path.join(folder, f"quiet-{number}")
            manifest = fleet_traffic.fleet(quiet, options.quiet_sessions, BUILDS, seed, Plant())
            audit(options.program, manifest, quiet + "-out")
            found = [change for change in load(quiet + "-out")["changes"] if change["significant"]]
            alarms += len(found) > 0
            faults += [f"seed {seed}: no plant, but {words(change)}" for change in found]
            shutil.rmtree(quiet)
            shutil.rmtree(quiet + "-out")
        print(f"{alarms} false alarms in {options.quiet_fleets} fleets of {options.quiet_sessions} sessions")
    for fault in faults:
        print("WRONG: " + fault)
    return 1 if faults else 0


def arguments(program, manifest, results, *more):
    return [program, "fleet", "--estimators", "none", "--quiet", *more, manifest, "-o", results]


def audit(program, manifest, results, *more):
    """Seconds, and the most memory of the process in MB."""
    start = time.monotonic()
    with subprocess.Popen(arguments(program, manifest, results, *more), stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"the fleet ended with status {process.returncode}")
    return time.monotonic() - start, usage.ru_maxrss >> 10


def load(results):
    with open(os.path.join(results, "fleet.json"), encoding="utf-8") as file:
        return json.load(file)


def words(change):
    return (f"{change['label']} {change['value']}: {change['measure']} of {change['api'] or 'all APIs'} {change['direction']} "
            f"{change['difference']:+.1f} ({change['low']} to {change['high']})")


def planted(report):
    """What is wrong with the changes that the report has."""
    expected = {}
    paths = [f"{method} {fleet_traffic.HOST} {path}" for method, path, _ in fleet_traffic.APIS]
    for api in paths:
        expected["1.1", "message", api] = Plant.HEADER_BYTES
        if api.split(" ")[2] in Plant.SDK_APIS:
            expected["1.2", "error", api] = Plant.SDK_BYTES
    faults, found = [], set()
    for change in report["changes"]:
        key = change["value"], change["measure"], change["api"]
        size = expected.get(key) if change["direction"] == "up" and change["label"] == "build" else None
        if size is not None:
            near = abs(change["difference"] - size) <= 0.05 * size or change["low"] <= size <= change["high"]
            if change["significant"] and near:
                found.add(key)
            else:
                faults.append(f"planted {size:+} was found as {words(change)}")
        elif change["significant"] and not follows(change):
            faults.append(f"nothing was planted there: {words(change)}")
    faults += [f"not in the report: {key}" for key in expected.keys() - found if not faults]
    print(f"{len(found)} of {len(expected)} planted changes found")
    return faults


def follows(change):
    """Changes that the plants bring with them: sums over APIs, and the wire bytes of longer requests."""
    if change["label"] != "build" or change["direction"] != "up":
        return False
    return (change["value"] == "1.1" and change["measure"] in ("message", "wire")) or (
        change["value"] == "1.2" and change["measure"] == "error" and change["api"] is None)


def restarted(program, manifest, results, folder):
    """Kills a run twice and lets it end; runs the list in another order with one process."""
    broken = os.path.join(folder, "broken")
    for _ in range(2):
        process = subprocess.Popen(arguments(program, manifest, broken), stdout=subprocess.DEVNULL)
        before = parts(broken)
        while process.poll() is None and parts(broken) < before + 20:
            time.sleep(0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
    done = parts(broken)
    audit(program, manifest, broken)
    print(f"killed twice after {done} sessions, then ended")
    shuffled = manifest + ".shuffled.csv"
    with open(manifest, encoding="ascii") as file:
        head, *lines = file.readlines()
    # The first lines stay: they say which group is the first of its label.
    rest = lines[30:]
    random.Random(5).shuffle(rest)
    with open(shuffled, "w", encoding="ascii") as file:
        file.writelines([head, *lines[:30], *rest])
    other = os.path.join(folder, "other")
    audit(program, shuffled, other, "--jobs", "1")
    for name in REPORTS:
        with open(os.path.join(results, name), "rb") as file:
            whole = file.read()
        with open(os.path.join(broken, name), "rb") as file:
            if file.read() != whole:
                yield f"an interrupted run differs: {name}"
        if name != "sessions.ndjson":
            with open(os.path.join(other, name), "rb") as file:
                if file.read() != whole:
                    yield f"another order differs: {name}"
    left = [path for path, _, names in os.walk(broken) for name in names if name.endswith((".ndjson.part", ".log"))]
    if left:
        yield f"an interrupted run left unfinished files in {left[0]}"
    shutil.rmtree(broken)
    shutil.rmtree(other)


def parts(results):
    try:
        return sum(name.endswith(".part") and not name.startswith(".") for name in os.listdir(os.path.join(results, "parts")))
    except FileNotFoundError:
        return 0


def records(results):
    """The records and the sums speak of the same exchanges."""
    count = 0
    for path, _, names in os.walk(os.path.join(results, "records")):
        for name in names:
            with open(os.path.join(path, name), encoding="utf-8") as file:
                count += sum(1 for _ in file)
    with open(os.path.join(results, "sessions.ndjson"), encoding="utf-8") as file:
        exchanges = sum(json.loads(line)["exchanges"] for line in file)
    print(f"{count} records of {exchanges} exchanges")
    return [] if count == exchanges else [f"{count} records, but {exchanges} exchanges"]


def speed(program, manifest, folder):
    times = [audit(program, manifest, os.path.join(folder, f"speed-{jobs}"), "--jobs", str(jobs))[0] for jobs in (1, 2)]
    print(f"one process {times[0]:.1f} s, two {times[1]:.1f} s: {times[0] / times[1]:.2f} times as fast")
