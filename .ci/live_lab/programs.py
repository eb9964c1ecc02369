"""The programs under test: tcpdump and wireaudit, started on devices, awaited and ended; and what wireaudit says."""

import collections
import json
import os
import re
import signal
import subprocess
import time
from decimal import Decimal

from network import die_with_parent

ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "SSLKEYLOGFILE"}


class Score:
    """Counts what was checked and keeps what was wrong."""

    def __init__(self):
        self.checked, self.wrong, self.notes = collections.Counter(), [], []

    def equal(self, what, wanted, found):
        self.checked["values"] += 1
        if wanted != found:
            self.wrong.append(f"{what}: {found!r}, wanted {wanted!r}")

    def true(self, what, value):
        self.checked["values"] += 1
        if not value:
            self.wrong.append(what)

    def same(self, what, wanted, found):
        """Two JSON values; says the first places where they differ."""
        self.checked["documents"] += 1
        differences = list(differing(wanted, found, ""))
        for path, a, b in differences[:4]:
            self.wrong.append(f"{what}: {path}: {shortened(b)}, wanted {shortened(a)}")
        if len(differences) > 4:
            self.wrong.append(f"{what}: {len(differences) - 4} more differences")


def shortened(value):
    text = repr(value)
    return text if len(text) < 300 else text[:300] + "…"


def differing(a, b, path):
    """The order of an object's members counts: the output shall be the same to the byte."""
    if isinstance(a, dict) and isinstance(b, dict):
        if list(a) != list(b):
            yield path + " members", list(a), list(b)
            return
        for key in a:
            yield from differing(a[key], b[key], f"{path}.{key}")
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            yield path + " length", len(a), len(b)
            return
        for i, (x, y) in enumerate(zip(a, b)):
            yield from differing(x, y, f"{path}[{i}]")
    elif a != b:
        yield path, a, b


def parsed(text):
    """JSON with numbers as they are written."""
    return json.loads(text, parse_float=Decimal)


def lines(text):
    return [parsed(line) for line in text.splitlines() if line.strip()]


class Running:
    """A program that captures, in a namespace. Its output goes to files."""

    def __init__(self, namespace, words, stem, sockets=1, output=None, before=(), **options):
        self.words, self.sockets, self.output, self.error = (
            list(map(str, words)),
            sockets,
            output or stem + ".out",
            stem + ".err",
        )
        self.status = None
        command = [*before, *self.words]
        if namespace:
            command = namespace.command(*command)
        with open(self.error, "wb") as error, open(self.output, "wb") as out:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=options.pop("stdout", out),
                stderr=error,
                env=ENVIRONMENT,
                preexec_fn=options.pop("preexec_fn", die_with_parent),
                **options,
            )

    @property
    def pid(self):
        return self.process.pid

    @property
    def said(self):
        with open(self.error, encoding="utf-8", errors="replace") as file:
            return file.read()

    @property
    def printed(self):
        with open(self.output, encoding="utf-8", errors="replace") as file:
            return file.read()

    def capturing(self):
        """Number of its packet sockets that are bound and running."""
        try:
            own = {os.readlink(f"/proc/{self.pid}/fd/{name}") for name in os.listdir(f"/proc/{self.pid}/fd")}
            with open(f"/proc/{self.pid}/net/packet", encoding="ascii") as file:
                rows = [line.split() for line in file.readlines()[1:]]
        except OSError:
            return 0
        return sum(f"socket:[{row[8]}]" in own and row[5] == "1" for row in rows)

    def wait_ready(self, timeout=15):
        end = time.monotonic() + timeout
        while self.capturing() < self.sockets:
            if self.process.poll() is not None:
                raise RuntimeError(
                    f"{self.short} ended with status {self.process.returncode}: {self.said.strip()[-300:]}"
                )
            if time.monotonic() > end:
                raise RuntimeError(f"{self.short} does not capture: {self.said.strip()[-300:]}")
            time.sleep(0.02)

    @property
    def short(self):
        return " ".join(os.path.basename(word) if word.startswith("/") else word for word in self.words)

    def send(self, number):
        if self.process.poll() is None:
            os.kill(self.pid, number)

    def wait(self, timeout=20):
        """The exit status, and the processor time as `usage`."""
        end = time.monotonic() + timeout
        while self.status is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.usage = usage.ru_utime + usage.ru_stime
                self.peak = usage.ru_maxrss
                self.status = self.process.returncode = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                self.process.returncode = self.status = -9
                raise RuntimeError(f"{self.short} does not end: {self.said.strip()[-300:]}")
            else:
                time.sleep(0.01)
        return self.status

    def stop(self, number=signal.SIGINT, timeout=20):
        self.send(number)
        return self.wait(timeout)

    def kill(self):
        if self.status is None:
            self.send(signal.SIGKILL)
            self.process.wait()


def wait_all(*running):
    """All of them capture; their filters are in place a moment later."""
    for one in running:
        one.wait_ready()
    time.sleep(0.3)


class Group:
    """Programs that are ended with the block, at the latest."""

    def __init__(self):
        self.running = []

    def __enter__(self):
        return self

    def start(self, *arguments, **options):
        self.running.append(Running(*arguments, **options))
        return self.running[-1]

    def __exit__(self, *_):
        for one in self.running:
            one.kill()


def tcpdump(device, path, *more, buffer=65536):
    """Immediate: tcpdump does not drain its buffer at its end."""
    return [
        "tcpdump",
        "-i",
        device,
        "-n",
        "-Z",
        "root",
        "--immediate-mode",
        "-U",
        "-B",
        buffer,
        "-s",
        "262144",
        "--time-stamp-precision=nano",
        "-w",
        path,
        *more,
    ]


def tcpdump_lost(running):
    found = re.search(r"(\d+) packets? dropped by kernel", running.said)
    return int(found[1]) if found else None


class Audits:
    """What the program says of a file."""

    def __init__(self, program):
        self.program = program

    def output(self, *words):
        run = subprocess.run([self.program, *words], capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
        if run.returncode:
            raise RuntimeError(f"{' '.join(words)}: status {run.returncode}: {run.stderr.strip()[-300:]}")
        return run.stdout

    def audit(self, path, *options):
        return parsed(self.output("--format", "json", "--quiet", *options, path))

    def exchanges(self, path, *options):
        return lines(self.output("exchanges", "--format", "ndjson", "--quiet", *options, path))


def body_of(audit):
    """An audit without its head; what is left shall be the same for the same packets."""
    rest = {key: value for key, value in audit.items() if key not in ("capture", "options", "version")}
    rest["warnings"] = [
        {key: value for key, value in warning.items() if key != "file"} for warning in rest.get("warnings", [])
    ]
    return rest


def totals(audit):
    files = audit["capture"]["files"]
    return {"packets": sum(file["packets"] for file in files), "bytes": sum(file["bytes"] for file in files)}


SECONDS = ("time", "duration", "ttfb")
TIMES = tuple(f"{name}_ns" for name in SECONDS)


def as_set(records):
    """Records by their place; times apart, so that they can be compared with a tolerance."""
    placed = {}
    for record in records:
        bare = {key: value for key, value in record.items() if key not in ("file", *SECONDS, *TIMES)}
        place = (record["client"], record["server"], record["connection"], record["exchange"], record["stream"])
        placed[str(place)] = (bare, [record.get(name) for name in TIMES])
    return placed


def same_records(score, what, wanted, found, nanoseconds=0):
    """Two lists of NDJSON records as sets; times may differ by so much."""
    a, b = as_set(wanted), as_set(found)
    score.equal(f"{what}: number of records", len(wanted), len(found))
    score.equal(f"{what}: places of records once each", len(found), len(b))
    score.equal(f"{what}: records missing", [], sorted(set(a) - set(b))[:3])
    score.equal(f"{what}: records too many", [], sorted(set(b) - set(a))[:3])
    wrong = 0
    for place in a.keys() & b.keys():
        differences = list(differing(a[place][0], b[place][0], ""))
        times = [
            (x, y)
            for x, y in zip(a[place][1], b[place][1])
            if (x is None) != (y is None) or x is not None and abs(x - y) > nanoseconds
        ]
        score.checked["records"] += 1
        if differences or times:
            wrong += 1
            if wrong <= 3:
                path, x, y = differences[0] if differences else ("times", *times[0])
                score.wrong.append(f"{what}: {place} {path}: {shortened(y)}, wanted {shortened(x)}")
    if wrong > 3:
        score.wrong.append(f"{what}: {wrong - 3} more records differ")
