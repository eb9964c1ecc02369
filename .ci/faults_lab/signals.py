"""The end at any moment."""

import os
import pty
import random
import re
import signal
import sqlite3
import subprocess
import time

from stage import ENVIRONMENT, content


def moments(stage):
    """Signals at random times: under the result's name stands the old file, or a whole new one."""
    generator = random.Random(stage.seed)
    words = ["exchanges", "-o", "result", os.path.basename(stage.repeated("short.pcap", 100))]
    path = stage.path("result")
    begin = time.monotonic()
    run = stage.run(words)
    length = time.monotonic() - begin
    whole = content(path)
    stage.check("the undisturbed run", (0, True), (run.status, len(whole) > 100_000))
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL):
        runs = stage.runs if number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL) else max(1, stage.runs // 10)
        ended, wrong, left = 0, [], 0
        for _ in range(runs):
            with open(path, "wb") as file:
                file.write(b"old")
            status = interrupted(stage, words, number, generator.uniform(0, 1.1 * length))
            state = {b"old": "old", whole: "whole"}.get(content(path), "half")
            ended += status == -number
            left += len(stage.leftovers())
            if status not in (0, -number) or state == "half" or (status == 0 and state != "whole"):
                wrong.append((status, state))
            for name in stage.leftovers():
                os.remove(stage.path(name))
        stage.check(f"{runs} times {number.name}, {ended} of them before the end, files left: {left}",
                    ([], True, True), (wrong, ended > 0, left == 0 or number == signal.SIGKILL))


def interrupted(stage, words, number, delay):
    """The status of a run that gets a signal after some seconds."""
    with open(os.devnull, "wb") as sink:
        process = stage.start(words, stdout=sink, stderr=sink)
    time.sleep(delay)
    process.send_signal(number)
    return process.wait(timeout=60)


def leftover(stage):
    """What a killed run leaves is not in the way of others, and its name says what it is."""
    process = stage.start(["exchanges", "-o", "killed", "long.pcap"])
    deadline = time.monotonic() + 30
    while not stage.leftovers() and time.monotonic() < deadline:
        time.sleep(0.001)
    process.kill()
    process.wait(timeout=60)
    names = stage.leftovers()
    stage.check("a killed run leaves its unfinished file", True,
                names == [f".killed.partial-{process.pid}"] and not os.path.exists(stage.path("killed")))
    run = stage.run(["exchanges", "-o", "killed", "long.pcap"])
    stage.check("… and the next one has its result", (0, names, True),
                (run.status, stage.leftovers(), os.path.getsize(stage.path("killed")) > 1_000_000))
    os.remove(stage.path(names[0]))


def ignored(stage):
    """nohup stays in force."""
    process = stage.start(["exchanges", "-o", "result", "long.pcap"], before=["sh", "-c", 'trap "" HUP; exec "$@"', "sh"])
    time.sleep(0.05)
    process.send_signal(signal.SIGHUP)
    stage.check("a hang-up that is ignored", 0, process.wait(timeout=60))


def piped(stage):
    """Ctrl-C reaches both ends of a pipe: what the other end still sends is reported."""
    with open(stage.long, "rb") as file:
        capture = file.read()
    whole = stage.run(["--format", "json", "-"], stdin=open(stage.long, "rb"))
    for count, expected in ((1, (0, True, True)), (2, (-signal.SIGINT, False, True))):
        process = stage.start(["--format", "json", "--quiet", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # More than a pipe holds: when this returns, the program is reading.
        process.stdin.write(capture[:1 << 20])
        process.stdin.flush()
        for _ in range(count):
            process.send_signal(signal.SIGINT)
            time.sleep(0.2)
        output, errors = process.communicate(capture[1 << 20:], timeout=120)
        stage.check(f"{count} times SIGINT while a pipe is read", expected,
                    (process.returncode, output == whole.output, b"interrupted" in errors))


def terminal(stage):
    """On a terminal the line that tells how far the work is goes too."""
    capture = stage.repeated("longer.pcap", 6000)
    for number in (signal.SIGINT, signal.SIGTERM):
        child, descriptor = pty.fork()
        if child == 0:
            os.chdir(stage.folder)
            os.execv(stage.program, ["wireaudit", "accuracy", "--jobs", "1", "-o", "result", capture])
        seen = b""
        while not re.search(rb"packets\x1b\[K$", seen):
            seen += os.read(descriptor, 65536)
        os.kill(child, number)
        _, status = os.waitpid(child, 0)
        try:
            while piece := os.read(descriptor, 65536):
                seen += piece
        except OSError:
            pass
        os.close(descriptor)
        stage.check(f"{number.name} on a terminal: the line is erased, nothing is left", (-number, True, []),
                    (os.waitstatus_to_exitcode(status), seen.endswith(b"\r\x1b[K"), stage.leftovers()))
    os.remove(capture)


def copies(stage):
    """A database with a write-ahead log is copied to be read: the copy goes too."""
    connection = sqlite3.connect(stage.path("log.sqlite"))
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE log (url, data)")
    connection.executemany("INSERT INTO log VALUES (?, ?)", [("https://example.com", "x" * 1000)] * 30_000)
    connection.commit()
    os.mkdir(stage.path("copies"))
    generator, left, ended = random.Random(stage.seed), [], 0
    with open(os.devnull, "wb") as sink:
        for _ in range(stage.runs // 2):
            process = stage.start(["accuracy", "--sdk-log", "log.sqlite", "shop.pcap"], stdout=sink, stderr=sink,
                                  env={**ENVIRONMENT, "TMPDIR": stage.path("copies")})
            deadline = time.monotonic() + 0.5
            while not os.listdir(stage.path("copies")) and time.monotonic() < deadline and process.poll() is None:
                time.sleep(0.001)
            time.sleep(generator.uniform(0, 0.04))
            process.terminate()
            ended += process.wait(timeout=60) == -signal.SIGTERM
            left += os.listdir(stage.path("copies"))
    connection.close()
    stage.check(f"SIGTERM while a database is copied, {ended} times before the end", ([], True), (left, ended > 0))


SCENARIOS = (moments, leftover, ignored, piped, terminal, copies)
