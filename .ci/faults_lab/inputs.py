"""Inputs that cannot be read to their end, or change while they are read."""

import json
import os
import shutil
import sqlite3
import subprocess
import threading

from stage import NOBODY, ROOT, content

EIO = "Input/output error"


def audit(run):
    return json.loads(run.output)


def captures(stage):
    """A disk error in the middle: what was read before is reported, and what else was named."""
    sound = audit(stage.run(["--format", "json", "long.pcap"]))["capture"]["files"][0]
    for words in (["--format", "json"], ["exchanges"], ["connections"], ["accuracy", "--format", "json"],
                  ["check", "--max-bias", "99%"]):
        run = stage.inject("read:error=EIO:when=9+", [*words, "long.pcap"], stage.long)
        stage.check_end(" ".join(words) + ": a read error in the middle", run, 66, EIO)
        stage.check("… what was read is reported", True, len(run.output) > 0)
    run = stage.inject("read:error=EIO:when=9+", ["--format", "json", "--quiet", "-o", "part.json", "long.pcap"], stage.long)
    part = json.loads(content(stage.path("part.json")))
    file = part["capture"]["files"][0]
    stage.check("… also in a file, with the place and the reason", (66, True, True, EIO, True),
                (run.status, part["ledger"]["balanced"], 0 < file["packets"] < sound["packets"], file["fault"],
                 file["damaged_at"] > 0))
    other = stage.repeated("other.pcap", 600, first=300)
    run = stage.inject("read:error=EIO:when=9+", ["--format", "json", "long.pcap", "other.pcap"], other)
    files = {file["path"]: file for file in audit(run)["capture"]["files"]}
    stage.check("one of two files: the other is read to its end", (66, sound["packets"], None, EIO),
                (run.status, files["long.pcap"]["packets"], files["long.pcap"]["fault"], files["other.pcap"]["fault"]))
    os.remove(other)
    run = stage.inject("read:error=EIO:when=1+", ["-o", "none", "shop.pcap"], stage.shop)
    stage.check_end("a read error at once", run, 66, EIO)
    stage.check("… leaves no result", False, os.path.exists(stage.path("none")))
    expected = stage.run(["exchanges", "shop.pcap"]).output
    run = stage.inject("read:error=EINTR:when=1+2", ["exchanges", "shop.pcap"], stage.shop)
    stage.check("reads that are interrupted are repeated", (0, True), (run.status, run.output == expected))


def beside(stage):
    """The same in what is read beside captures."""
    folder = os.path.join(ROOT, "Captures", "h2-tls")
    keys = stage.path("keys.log")
    with open(keys, "wb") as file:
        file.write(content(os.path.join(folder, "keys.log")) + b"# filler\n" * 30_000)
    words = ["--format", "json", "--keys", "keys.log", os.path.join(folder, "capture.pcap")]
    run = stage.inject("read:error=EIO:when=2+", words, keys)
    stage.check_end("a key log breaks off", run, 66, "cannot read keys.log to its end: " + EIO)
    stage.check("… its keys are used", (EIO, True),
                (audit(run)["capture"]["key_logs"][0]["fault"], audit(run)["capture"]["key_logs"][0]["secrets"] > 0))
    run = stage.inject("read:error=EIO:when=1+", words, keys)
    stage.check_end("a key log without a first byte", run, 66, EIO)
    log = stage.path("long.ndjson")
    with open(log, "wb") as file:
        file.write(content(stage.log) * 300)
    for words in (["accuracy", "--format", "json"], ["check", "accuracy.policy"]):
        run = stage.inject("read:error=EIO:when=4+", [*words, "--sdk-log", "long.ndjson", "shop.pcap"], log)
        stage.check(f"{words[0]}: an SDK log breaks off", (66, True, True),
                    (run.status, "cannot read long.ndjson to its end" in run.errors, len(run.output) > 0))
    database(stage)
    for name, words in (("accuracy.policy", ["check", "accuracy.policy"]),
                        ("base.json", ["check", "--baseline", "base.json"])):
        if name == "base.json":
            stage.run(["accuracy", "--format", "json", "-o", name, "shop.pcap"])
        run = stage.inject("read:error=EIO:when=1+", [*words, "-o", "verdict", "shop.pcap"], stage.path(name))
        stage.check_end(f"{name} cannot be read", run, 66, EIO)
        stage.check("… and there is no verdict", False, os.path.exists(stage.path("verdict")))


def database(stage):
    """An SDK's database, larger than what SQLite reads at first."""
    path = stage.path("traffic.sqlite")
    rows = [json.loads(line) for line in content(stage.log).splitlines()]
    columns = sorted({name for row in rows for name in row})
    values = [[row.get(name) if not isinstance(row.get(name), (dict, list)) else json.dumps(row[name])
               for name in columns] for row in rows]
    with sqlite3.connect(path) as connection:
        names = ", ".join(f'"{name}"' for name in columns)
        connection.execute(f"CREATE TABLE log ({names})")
        for _ in range(100):
            connection.executemany(f"INSERT INTO log VALUES ({', '.join('?' * len(columns))})", values)
    connection.close()
    words = ["accuracy", "--format", "json", "--sdk-log", "traffic.sqlite", "shop.pcap"]
    stage.check("a database", 0, stage.run(words).status)
    run = stage.inject("pread64:error=EIO:when=40+", words, path)
    stage.check("a database breaks off", (66, True), (run.status, "cannot read traffic.sqlite to its end" in run.errors))
    run = stage.inject("pread64:error=EIO:when=1+", words, path)
    stage.check("a database cannot be read at all", (66, True), (run.status, "traffic.sqlite" in run.errors))


def kinds(stage):
    """What is no file to be read."""
    os.mkdir(stage.path("folder"))
    for name in ("empty", "secret"):
        shutil.copy(os.devnull if name == "empty" else stage.shop, stage.path(name))
    os.chmod(stage.path("secret"), 0o600)
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    for name, status, words, before in (
            ("folder", 66, "it is a directory", ()), ("missing", 66, "No such file", ()),
            ("empty", 65, "is not a capture", ()), ("secret", 66, "Permission denied", user)):
        stage.check_end(f"a capture: {name}", stage.run([name], before=before), status, words)
        for option in ("--keys", "--sdk-log", "--baseline"):
            command = {"--keys": "audit", "--sdk-log": "accuracy", "--baseline": "check"}[option]
            run = stage.run([command, option, name, "shop.pcap"], before=before)
            expected = {"empty": {"--keys": 0, "--baseline": 65}.get(option, 65)}.get(name, 66)
            stage.check(f"{option} {name}", (expected, 1), (run.status, run.errors.count("\n")))
    expected = stage.run(["exchanges", "shop.pcap"]).output.replace(b"shop.pcap", b"fifo")
    os.mkfifo(stage.path("fifo"))
    process = stage.start(["exchanges", "fifo"], stdout=subprocess.PIPE)
    with open(stage.path("fifo"), "wb", buffering=0) as writer:
        data = content(stage.shop)
        for start in range(0, len(data), 997):
            writer.write(data[start:start + 997])
    output = process.communicate(timeout=60)[0]
    stage.check("a pipe in small pieces", (0, True), (process.returncode, output == expected))


def changing(stage):
    """Files that grow or shrink under the reader, which is slowed down."""
    slow = "read:delay_enter=30000:when=3+"
    data = content(stage.long)
    for what, change in (("shrinks", lambda path: os.truncate(path, len(data) // 2 + 5)),
                         ("is emptied", lambda path: os.truncate(path, 0)),
                         ("grows", lambda path: append(path, data[24:]))):
        path = stage.path("changing.pcap")
        with open(path, "wb") as file:
            file.write(data)
        timer = threading.Timer(0.6, change, [path])
        timer.start()
        run = stage.inject(slow, ["--format", "json", "-o", "result", "changing.pcap"], path)
        timer.join()
        file = json.loads(content(stage.path("result")))
        cut = file["capture"]["files"][0]["damaged_at"] is not None
        stage.check(f"a file {what} while it is read", (0, True, what != "grows" and cut, True),
                    (run.status, file["ledger"]["balanced"], cut, file["capture"]["files"][0]["packets"] > 0))


def append(path, data):
    with open(path, "ab") as file:
        file.write(data)


SCENARIOS = (captures, beside, kinds, changing)
