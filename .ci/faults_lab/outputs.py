"""Results that cannot be written, or not to their end."""

import os
import re
import resource
import subprocess
import time

from stage import NOBODY, Wrong, content


def commands(stage):
    """Every command that has a result, with its forms."""
    log = ["--sdk-log", stage.log]
    for form in ("table", "json"):
        yield ["audit", "--format", form]
    for command in ("exchanges", "connections"):
        for form in ("table", "ndjson", "csv"):
            yield [command, "--format", form]
    for form in ("table", "json", "csv", "md", "html", "ndjson"):
        yield ["accuracy", "--format", form, *log]
    for form in ("table", "junit"):
        yield ["check", "accuracy.policy", "--format", form, *log]


def steady(result):
    """A result without what it tells of the time that bodies took to be decoded."""
    text = re.sub(r"[\d.,]+\s+(µs|ms|s)\b", "T", result.decode())
    return re.sub(r'("[a-z_]*(?:seconds|time|nanoseconds)"):[\d.]+', r"\1", text).split()


def whole(stage):
    for words in commands(stage):
        expected = stage.run([*words, "shop.pcap"])
        path = stage.path("result")
        with open(path, "wb") as file:
            file.write(b"x" * 200_000)
        run = stage.run([*words, "-o", "result", "shop.pcap"])
        stage.check(" ".join(words[:4]) + " -o: as on standard output, old content gone, nothing beside it",
                    (expected.status, True, b"", []),
                    (run.status, steady(content(path)) == steady(expected.output), run.output, stage.leftovers()))


def full(stage):
    """A disk of a few pages without any room."""
    disk = stage.path("disk")
    os.mkdir(disk)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], check=True)
    try:
        with open(disk + "/result", "wb") as file:
            file.write(b"old")
        try:
            with open(disk + "/filler", "wb", buffering=0) as file:
                while True:
                    file.write(b"x" * 4096)
        except OSError:
            pass
        for words in commands(stage):
            run = stage.run([*words, "-o", "disk/result", "shop.pcap"])
            state = (run.status, "No space left" in run.errors, content(disk + "/result"), stage.leftovers(disk))
            stage.check(" ".join(words[:3]) + " on a full disk: said, old file untouched, nothing beside it",
                        (74, True, b"old", []), state)
        run = stage.run(["exchanges", "-o", "disk/new", "shop.pcap"])
        stage.check("a new file on a full disk", (74, False, []),
                    (run.status, os.path.exists(disk + "/new"), stage.leftovers(disk)))
    finally:
        subprocess.run(["umount", disk], check=True)


def closed(stage):
    for words in commands(stage):
        with open("/dev/full", "wb") as device:
            run = stage.run([*words, "shop.pcap"], stdout=device)
        stage.check_end(" ".join(words[:3]) + " >/dev/full", run, 74, "No space left on device")
    reason = "cannot write standard output: it is closed"
    # The input is missing: what is said first shows that the output is looked at before it.
    run = stage.run(["missing.pcap"], before=["sh", "-c", '"$@" >&-', "sh"])
    stage.check_end(">&- is told before the reading", run, 74, reason)
    run = stage.run(["-o", "result", "shop.pcap"], before=["sh", "-c", '"$@" <&- >&-', "sh"])
    stage.check("-o with the other streams closed", (0, True),
                (run.status, content(stage.path("result")) == stage.run(["shop.pcap"]).output))
    cut = stage.path("cut.pcap")
    with open(cut, "wb") as file:
        file.write(content(stage.shop)[:-3])
    run = stage.run(["-o", "result", "cut.pcap"], before=["sh", "-c", '"$@" 2>&-', "sh"])
    stage.check("2>&-: a warning does not go into the result", (0, False),
                (run.status, b"wireaudit: warning" in content(stage.path("result"))))
    for words in (["exchanges"], ["connections", "--format", "csv"], ["exchanges", "--jobs", "2"],
                  ["accuracy", "--format", "ndjson"]):
        process = stage.start([*words, "long.pcap"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        stage.check(" ".join(words) + " | head -1 ends quietly", (0, b""), (process.wait(timeout=60), errors))


def slow(stage):
    """Writes that are interrupted, cut short, or would have to wait."""
    expected = stage.run(["exchanges", "shop.pcap"]).output
    run = stage.inject("write:error=EINTR:when=1+2", ["exchanges", "-o", "result", "shop.pcap"])
    stage.check("interrupted writes are repeated", (0, True), (run.status, content(stage.path("result")) == expected))
    expected = stage.run(["exchanges", "long.pcap"]).output
    process = stage.start(["exchanges", "long.pcap"], stdout=subprocess.PIPE)
    time.sleep(0.3)
    got = process.stdout.read()
    stage.check("a reader that is slow gets all", (0, True), (process.wait(timeout=60), got == expected))
    end, start = os.pipe()
    os.set_blocking(start, False)
    process = stage.start(["exchanges", "long.pcap"], stdout=start)
    os.close(start)
    pieces = []
    while piece := os.read(end, 50_000):
        pieces.append(piece)
    os.close(end)
    stage.check("a pipe that does not wait gets all", (0, True), (process.wait(timeout=60), b"".join(pieces) == expected))
    run = stage.run(["exchanges", "-o", "limited", "long.pcap"], limits=[(resource.RLIMIT_FSIZE, 100_000)])
    stage.check_end("a limit of the file size", run, 74, "File too large")
    stage.check("… leaves nothing", (False, []), (os.path.exists(stage.path("limited")), stage.leftovers()))


def places(stage):
    """What the path leads to."""
    expected = stage.run(["shop.pcap"]).output
    os.mkdir(stage.path("elsewhere"))
    os.symlink("elsewhere/target", stage.path("link"))
    run = stage.run(["-o", "link", "shop.pcap"])
    stage.check("a symbolic link stays, and what it leads to is written", (0, True, True),
                (run.status, os.path.islink(stage.path("link")), content(stage.path("elsewhere/target")) == expected))
    os.mkfifo(stage.path("pipe"))
    reader = subprocess.Popen(["cat", stage.path("pipe")], stdout=subprocess.PIPE)
    run = stage.run(["-o", "pipe", "shop.pcap"])
    stage.check("a pipe with a name", (0, True), (run.status, reader.communicate(timeout=60)[0] == expected))
    run = stage.run(["-o", "/dev/stdout", "shop.pcap"])
    stage.check("/dev/stdout", (0, True), (run.status, run.output == expected))
    stage.check("/dev/null", 0, stage.run(["-o", "/dev/null", "shop.pcap"]).status)
    for path, reason in (("elsewhere", "Is a directory"), ("none/a", "No such file"), ("/dev/full", "No space left"),
                         ("shop.pcap/a", "Not a directory")):
        run = stage.run(["-o", path, "shop.pcap"])
        stage.check_end(f"-o {path}", run, 74, reason)
    os.chmod(stage.path("elsewhere"), 0o755)
    os.chmod(stage.path("elsewhere/target"), 0o666)
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    for path in ("elsewhere/new", "elsewhere/target"):
        run = stage.run(["-o", path, "missing.pcap"], before=user)
        stage.check_end(f"-o {path} in a folder of others, told before the reading", run, 74, "Permission denied in its")
    run = stage.inject("rename,renameat,renameat2:error=EBUSY", ["-o", "kept", "shop.pcap"])
    kept = stage.leftovers()
    stage.check_end("the last step fails", run, 74, "the whole result is in .kept.partial-")
    if len(kept) != 1:
        raise Wrong(f"one file should be kept: {kept}")
    stage.check("… and the result is kept", True, content(stage.path(kept[0])) == expected)
    os.remove(stage.path(kept[0]))


SCENARIOS = (whole, full, closed, slow, places)
