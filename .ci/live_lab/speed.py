"""How many packets per second live bears, and what a packet costs it: against tcpdump and the file audit.

Each load is captured by `tcpdump -w /dev/null` and by `live --format json -o /dev/null` in turn; last by tcpdump into a
file, which the file audit then reads. Rates are of the packets that the program got; processor time is its own, user
and system, per packet it got. Of each the best run counts: what else the machine does only ever makes it worse. What
the kernel's delivery costs is in tcpdump's time and in live's, and not in the file audit's: so datagrams of 60 bytes,
with which the audit does next to nothing, are reported without a bound on time."""

import ctypes
import os
import random
import resource
import shutil
import socket
import subprocess
import time

from network import LIBC, SERVER, Child, World
from programs import ENVIRONMENT, Group, Score, parsed, tcpdump, totals, wait_all
from traffic import Servers, plain

ROUNDS = 3


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Message(ctypes.Structure):
    """struct mmsghdr of Linux on 64 bits."""

    _fields_ = [
        ("name", ctypes.c_void_p),
        ("name_length", ctypes.c_uint32),
        ("pieces", ctypes.POINTER(Piece)),
        ("count", ctypes.c_size_t),
        ("control", ctypes.c_void_p),
        ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int),
        ("sent", ctypes.c_uint),
    ]


def pour(seconds, size):
    """Datagrams as fast as one processor sends them, many with a call."""
    flood = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    flood.connect((SERVER, 9))
    pieces = [Piece(b"d" * size, size) for _ in range(512)]
    messages = (Message * len(pieces))(*(Message(None, 0, ctypes.pointer(piece), 1, None, 0, 0, 0) for piece in pieces))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        # Refused ones (no one listens) count as tried.
        LIBC.sendmmsg(flood.fileno(), messages, len(pieces), 0)
    return True


def tiny(seconds):
    return pour(seconds, 18)


def browse(seconds):
    """Requests without pause on kept connections."""
    end, total = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        total += plain(7, 60)
    return total


def wrk(target, connections, seconds):
    run = subprocess.run(
        ["wrk", "-t", "1", "-c", str(connections), "-d", f"{max(1, round(seconds))}s", f"http://{SERVER}{target}"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=seconds + 30,
    )
    if run.returncode:
        raise RuntimeError("wrk: " + run.stderr[-200:])
    return True


def loads():
    """{name: what the client does for so many seconds}"""
    found = {"datagrams of 60 bytes": tiny, "requests one by one": browse}
    if shutil.which("wrk"):
        found["short answers"] = lambda seconds: wrk("/answer", 16, seconds)
        found["answers of 10 kB"] = lambda seconds: wrk("/10k", 16, seconds)
        found["answers of 1 MB"] = lambda seconds: wrk("/1m", 4, seconds)
    return found


class Measured:
    def __init__(self, offered, running, seconds):
        self.offered, self.said, self.seconds = offered, running.said, seconds
        self.cost, self.peak = running.usage, running.peak
        self.got = offered - self.lost()

    def lost(self):
        """By the program's own words; live says it several times, with the sum at last."""
        lost = 0
        for line in self.said.splitlines():
            if "dropped by kernel" in line or "packets lost" in line:
                lost = next(int(word) for word in line.replace(",", "").split() if word.isdigit())
        return lost

    @property
    def rate(self):
        return self.got / self.seconds

    @property
    def microseconds(self):
        return self.cost * 1e6 / max(self.got, 1)


def once(folder, words, load, seconds):
    """One capture of one load."""
    with World() as world, Group() as group:
        world.link()
        Servers(world, folder + "/servers", random.Random(1))
        running = group.start(world.client, words, folder + "/program")
        wait_all(running)
        before, began = world.client.counters()["c0"]["packets"], time.monotonic()
        child = Child(world.client, load, seconds)
        world.children.append(child)
        child.result(seconds + 60)
        took = time.monotonic() - began
        world.settle()
        time.sleep(0.2)
        running.stop(timeout=60)
        return Measured(world.client.counters()["c0"]["packets"] - before, running, took)


def run_load(audits, folder, load, seconds):
    os.makedirs(folder, exist_ok=True)
    score = Score()
    dump = tcpdump("c0", "/dev/null", buffer=16384)
    dump = [word for word in dump if word not in ("--immediate-mode", "-U")]
    live = [audits.program, "live", "-i", "c0", "--format", "json", "-o", "/dev/null"]
    kept = [audits.program, "live", "-i", "c0", "--format", "json", "-w", "/dev/null"]
    results = {"tcpdump": [], "live": [], "live -w": []}
    for _ in range(ROUNDS):
        for name, words in (("tcpdump", dump), ("live", live), ("live -w", kept)):
            results[name].append(once(folder, words, load, seconds))
    once(folder, tcpdump("c0", folder + "/load.pcap", buffer=262144), load, seconds)
    costs = file_costs(audits, folder + "/load.pcap")
    rates = {name: max(one.rate for one in found) for name, found in results.items()}
    used = {name: min(one.microseconds for one in found) for name, found in results.items()}
    used["file"] = min(costs)
    for name, found in results.items():
        lost = " ".join(f"{100 * one.lost() / max(one.offered, 1):.2f}%" for one in found)
        score.notes.append(
            f"{name:8} {rates[name]:9.0f} packets/s, lost {lost}; {used[name]:.3f} µs a packet; "
            f"{max(one.peak for one in found) >> 10} MiB"
        )
    score.notes.append(f"file     {used['file']:.3f} µs a packet")
    score.notes.append(
        f"live/tcpdump {rates['live'] / rates['tcpdump']:.2f} in packets/s, "
        f"{used['live'] / used['tcpdump']:.2f} in processor time; "
        f"live/file {used['live'] / used['file']:.2f}; live -w/file {used['live -w'] / used['file']:.2f}; "
        f"(live - tcpdump)/file {(used['live'] - used['tcpdump']) / used['file']:.2f}"
    )
    os.remove(folder + "/load.pcap")
    score.true("live bears less than four fifths of what tcpdump bears", rates["live"] >= 0.8 * rates["tcpdump"])
    if load is not tiny:
        score.true("live costs more than 1.5 times the file audit", used["live"] <= 1.5 * used["file"])
    return score


def file_costs(audits, path):
    """Microseconds per packet of the file audit, each of some runs."""
    costs = []
    for _ in range(ROUNDS):
        began = children_time()
        text = audits.output("--format", "json", "--quiet", "--jobs", "1", path)
        costs.append((children_time() - began) * 1e6 / totals(parsed(text))["packets"])
    return costs


def children_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
