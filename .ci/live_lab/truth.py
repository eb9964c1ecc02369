"""The truth lab's scenarios as checks of live: a `tcpdump` that stands before the real one starts live beside it, on
the same device and with the same meaning of its arguments, and ends it at the same signal. That tcpdump is here too."""

import os
import signal
import subprocess
import sys
import threading
import time

from frames import CaptureFile
from network import PROCESSORS, die_with_parent
from not_run import not_run
from programs import ENVIRONMENT, Running, Score, body_of, lines, parsed, same_records

NEAR = 50_000_000
SHIM = """#!/bin/sh
exec {python} -B {file} {real} {program} "$@"
"""


def names(lab):
    run = subprocess.run(
        [sys.executable, "-B", os.path.join(lab, "truthlab.py"), "--list"], capture_output=True, text=True, check=True
    )
    return [line.split()[0] for line in run.stdout.splitlines() if line.strip()]


def run_scenario(audits, folder, lab, name, seed):
    """One scenario of the lab, and what live said of each of its captures."""
    score, tools, out = Score(), folder + "/tools", folder + "/lab"
    os.makedirs(tools, exist_ok=True)
    path = os.environ["PATH"]
    real = next(place + "/tcpdump" for place in path.split(":") if os.access(place + "/tcpdump", os.X_OK))
    with open(tools + "/tcpdump", "w", encoding="utf-8") as file:
        file.write(
            SHIM.format(python=sys.executable, file=os.path.abspath(__file__), real=real, program=audits.program)
        )
    os.chmod(tools + "/tcpdump", 0o755)
    run = subprocess.run(
        [
            "taskset",
            "-c",
            str(PROCESSORS[0]),
            sys.executable,
            "-B",
            os.path.join(lab, "truthlab.py"),
            out,
            name,
            "--seed",
            str(seed),
        ],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "PATH": tools + ":" + path},
    )
    if run.returncode:
        raise RuntimeError("the truth lab: " + (run.stdout + run.stderr).strip()[-300:])
    if "skipped" in run.stdout:
        reason = run.stdout.strip().splitlines()[0]
        score.notes.append(reason)
        not_run(f"live, truth {name}", reason)
        return score
    with open(f"{out}/{name}/truth.json", encoding="utf-8") as file:
        truth = parsed(file.read())
    for capture in truth["captures"]:
        stem = f"{out}/{name}/{capture['file']}"
        if os.path.exists(stem + ".live.json"):
            compare(score, audits, stem, capture, name != "tls-nokey")
    score.true("live was not started", score.checked["frames"])
    return score


def compare(score, audits, stem, capture, may_read):
    """Live against tcpdump's file, and against its own evidence."""
    what = capture["file"]
    keys = os.path.join(os.path.dirname(stem), "keys.log")
    options = ["--keys", keys] if may_read and os.path.exists(keys) else []
    with open(stem + ".live.json", encoding="utf-8") as file:
        live = parsed(file.read())
    with open(stem + ".live.ndjson", encoding="utf-8") as file:
        records = lines(file.read())
    for form in ("json", "ndjson"):
        with open(f"{stem}.live-{form}.status", encoding="ascii") as file:
            score.equal(f"{what}: status of {form}", "0", file.read())
    score.equal(f"{what}: balanced", True, live["ledger"]["balanced"])
    score.same(
        f"{what}: audit against the evidence",
        body_of(audits.audit(stem + ".live-json.pcapng", *options)),
        body_of(live),
    )
    same_records(
        score,
        f"{what}: records against the evidence",
        audits.exchanges(stem + ".live-ndjson.pcapng", *options),
        records,
    )
    if drops := live["capture"]["files"][0]["dropped"]:
        score.notes.append(f"{what}: live lost {drops} packets")
        return
    dump = [frame.key() for frame in CaptureFile(stem).frames]
    score.checked["frames"] += len(dump)
    for form in ("json", "ndjson"):
        evidence = [frame.key() for frame in CaptureFile(f"{stem}.live-{form}.pcapng").frames]
        if evidence != dump and sorted(evidence) == sorted(dump):
            score.notes.append(f"{what}: the kernel gave packets to tcpdump and live in different orders")
            continue
        if 0 < len(dump) < len(evidence) and evidence[-len(dump) :] == dump:
            score.notes.append(f"{what}: live saw {len(evidence) - len(dump)} packets before tcpdump began")
            continue
        score.equal(f"{what}: frames of {form}", len(dump), len(evidence))
        score.equal(f"{what}: frames of {form} that differ", 0, sum(a != b for a, b in zip(dump, evidence)))
        if evidence == dump and form == "json":
            score.same(
                f"{what}: audit against tcpdump",
                timeless(body_of(audits.audit(stem, *options))),
                timeless(body_of(live)),
            )
        elif evidence == dump:
            same_records(score, f"{what}: records against tcpdump", audits.exchanges(stem, *options), records, NEAR)


def timeless(body):
    """Without the warning of times that go back: tcpdump's microseconds may hide it."""
    return {**body, "warnings": [one for one in body["warnings"] if one["code"] != "time-went-back"]}


# ------------------------------------------------------------------------------------------------------ as tcpdump


def translated(words):
    """What tcpdump's arguments are for live: the device, the file, options, and the filter."""
    taking = {"-i": None, "-w": None, "-B": None, "-s": "--snapshot-length", "-y": None, "-Z": None, "-Q": None}
    device = path = None
    options, rest, i = [], [], 0
    while i < len(words):
        word = words[i]
        if word in taking:
            value = words[i + 1]
            if word == "-i":
                device = value
            elif word == "-w":
                path = value
            elif taking[word]:
                options += [taking[word], value]
            i += 1
        elif not word.startswith("-"):
            rest.append(word)
        i += 1
    if rest:
        options += ["--filter", " ".join(rest)]
    return device, path, options


class Follower(threading.Thread):
    """Copies what a key log that others may make comes to hold; so there is none where the lab has none."""

    def __init__(self, source, target):
        super().__init__(daemon=True)
        self.source, self.target, self.place, self.is_over = source, target, 0, False
        with open(target, "wb"):
            pass

    def copy(self):
        if os.path.exists(self.source):
            with open(self.source, "rb") as file:
                file.seek(self.place)
                data = file.read()
            self.place += len(data)
            with open(self.target, "ab") as file:
                file.write(data)

    def run(self):
        while not self.is_over:
            self.copy()
            time.sleep(0.01)


def stand_in(real, program, words):
    device, path, options = translated(words)
    # The lab is held on one processor for its packets' order; the programs are not.
    os.sched_setaffinity(0, range(os.cpu_count()))
    if not device or not path:
        os.execv(real, [real, *words])
    folder = os.path.dirname(path)
    follower = None
    if os.path.basename(folder) != "tls-nokey":
        follower = Follower(folder + "/keys.log", path + ".live-keys")
        follower.start()
        options += ["--keys", path + ".live-keys"]
    lives = []
    for form in ("json", "ndjson"):
        command = [
            program,
            "live",
            "-i",
            device,
            "--buffer",
            "64MiB",
            *options,
            "--format",
            form,
            "-w",
            f"{path}.live-{form}.pcapng",
        ]
        lives.append(Running(None, command, f"{path}.live-{form}", output=f"{path}.live.{form}"))
    dump = None

    def end(number, _frame):
        if dump:
            dump.send_signal(number)

    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    try:
        for live in lives:
            live.wait_ready()
        time.sleep(0.3)
        dump = subprocess.Popen([real, *words], env=ENVIRONMENT, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)
        status = dump.wait()
    finally:
        if follower:
            follower.is_over = True
            follower.join()
            follower.copy()
        for live in lives:
            live.send(signal.SIGINT)
        for live, form in zip(lives, ("json", "ndjson")):
            with open(f"{path}.live-{form}.status", "w", encoding="ascii") as file:
                file.write(str(live.wait(10)))
    return status


if __name__ == "__main__":
    sys.exit(stand_in(sys.argv[1], sys.argv[2], sys.argv[3:]))
