"""Packets lost because the program does not come to fetch them: told, flagged, and in balance."""

import http.client
import os
import random
import re
import signal
import socket
import time

from frames import CaptureFile
from network import PROCESSORS, SERVER, Child, World
from programs import Group, Score, body_of, lines, parsed, same_records, tcpdump, tcpdump_lost, totals, wait_all
from traffic import Servers

# What tells the reader that an exchange's figures may lack something.
TELLING = {"drops", "gap", "no-start", "no-end", "no-request", "no-response"}


def numbered(prefix, count, connections=1):
    """Requests of a target each."""
    for c in range(connections):
        connection = http.client.HTTPConnection(SERVER, 80, timeout=30)
        for i in range(count):
            connection.request("GET", f"/10k?{prefix}-{c}-{i}", headers={"Host": "shop.lab.test"})
            connection.getresponse().read()
        connection.close()
    return count * connections


def slow(pieces, name):
    """One long answer."""
    connection = http.client.HTTPConnection(SERVER, 8000, timeout=60)
    connection.request("GET", f"/slow/{pieces}", headers={"Host": name})
    return len(connection.getresponse().read())


def burst(packets, size):
    """Datagrams as fast as they go, each its own."""
    flood = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for i in range(packets):
        flood.sendto(i.to_bytes(4, "big") + b"d" * (size - 4), (SERVER, 9))
    return packets


def spin(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return True


def stopped(world, group, lives):
    """The program stands still while everything happens."""
    for live in lives:
        live.send(signal.SIGSTOP)
    world.traffic(numbered, "during", 5, 10)
    world.traffic(burst, 30000, 1200)
    world.traffic(numbered, "lost", 5, 10)
    for live in lives:
        live.send(signal.SIGCONT)


def crowded(world, group, lives):
    """The program has to share its processor with others that go first."""
    others = [Child(None, spin, 4, processor=PROCESSORS[-1]) for _ in range(4)]
    world.children += others
    for live in lives:
        os.sched_setaffinity(live.pid, {PROCESSORS[-1]})
        os.setpriority(os.PRIO_PROCESS, live.pid, 19)
    senders = [Child(world.client, burst, 40000, 1200)]
    world.children += senders
    world.traffic(numbered, "during", 5, 10)
    for child in senders + others:
        child.result()
    for live in lives:
        os.setpriority(os.PRIO_PROCESS, live.pid, 0)


def run_overload(audits, folder, disturb, seed):
    os.makedirs(folder, exist_ok=True)
    score = Score()
    with World() as world, Group() as group:
        world.link()
        Servers(world, folder + "/servers", random.Random(seed))
        command = [audits.program, "live", "-i", "c0", "--buffer", "1MiB"]
        dump = group.start(world.client, tcpdump("c0", folder + "/all.pcap", buffer=262144), folder + "/tcpdump")
        lives = [
            group.start(
                world.client,
                command + ["--format", form, "-o", f"{folder}/live.{form}", "-w", f"{folder}/{form}.pcapng"],
                f"{folder}/live-{form}",
            )
            for form in ("json", "ndjson")
        ]
        wait_all(dump, *lives)
        before = world.client.counters()["c0"]
        world.traffic(numbered, "before", 5, 2)
        # Longer than the flags reach back from where drops are told.
        time.sleep(2.6)
        long = Child(world.client, slow, 60, "slow.lab.test")
        world.children.append(long)
        time.sleep(0.4)
        disturb(world, group, lives)
        long.result()
        time.sleep(1)
        world.traffic(numbered, "after", 5, 2)
        world.settle()
        after = world.client.counters()["c0"]
        for one in group.running:
            one.stop()
    score.equal("tcpdump: drops", 0, tcpdump_lost(dump))
    packets = after["packets"] - before["packets"]
    every = CaptureFile(folder + "/all.pcap")
    score.equal("tcpdump: packets", packets, len(every.frames))
    for live, form in zip(lives, ("json", "ndjson")):
        compare(score, audits, folder, form, live, every)
    return score


def compare(score, audits, folder, form, live, every):
    evidence = CaptureFile(f"{folder}/{form}.pcapng")
    lost = missing(score, form, every, evidence)
    score.equal(f"{form}: status ({live.said.strip()[-200:]})", 0, live.status)
    score.true(f"{form}: nothing was lost", len(lost) > 0)
    score.true(
        f"{form}: standard error has no count of drops: {live.said.strip()[-200:]!r}",
        re.search(r"\b" + grouped(len(lost)) + r"\b.*(drop|lost)", live.said)
        or re.search(r"(drop|lost).*\b" + grouped(len(lost)), live.said),
    )
    statistics = evidence.statistics
    score.equal(
        f"{form}: drops in the evidence's statistics", len(lost), sum(one.get("system_drops", 0) for one in statistics)
    )
    score.true(f"{form}: drops in the evidence's packets: {evidence.dropped}", 0 < evidence.dropped <= len(lost))
    kept = audits.audit(f"{folder}/{form}.pcapng")
    records = audits.exchanges(f"{folder}/{form}.pcapng")
    score.equal(f"{form}: drops in the evidence's audit", len(lost), kept["capture"]["files"][0]["dropped"])
    if form == "json":
        with open(folder + "/live.json", encoding="utf-8") as file:
            audit = parsed(file.read())
        score.equal("json: balanced", True, audit["ledger"]["balanced"])
        score.equal("json: dropped_by_kernel", len(lost), audit["capture"]["interfaces"][0]["dropped_by_kernel"])
        score.equal("json: dropped", len(lost), audit["capture"]["files"][0]["dropped"])
        score.equal("json: packets", len(every.frames) - len(lost), totals(audit)["packets"])
        score.equal(
            "json: warning",
            [len(lost)],
            [one["count"] for one in audit["warnings"] if one["code"] == "packets-dropped"],
        )
        score.same("json: audit against the evidence", body_of(kept), body_of(audit))
    else:
        with open(folder + "/live.ndjson", encoding="utf-8") as file:
            same_records(score, "ndjson: records against the evidence", records, lines(file.read()))
    compare_flags(score, form, audits.exchanges(folder + "/all.pcap"), records, lost)


def grouped(number):
    """A count as a text may show it: 12345, 12,345, 12 345."""
    return re.sub(r"(?<=\d)(?=(\d{3})+$)", "[, '\u202f\u00a0]?", str(number))


def missing(score, form, every, evidence):
    """Frames that tcpdump has and the evidence has not; the evidence shall be a part of it, in its order."""
    place, lost = 0, []
    for frame in every.frames:
        if place < len(evidence.frames) and evidence.frames[place].key() == frame.key():
            place += 1
        else:
            lost.append(frame)
    score.equal(f"{form}: frames that tcpdump has not", 0, len(evidence.frames) - place)
    score.checked["frames"] += len(every.frames)
    return lost


def client_port(frame):
    """Of a TCP packet over IPv4 and Ethernet."""
    data = frame.data
    if data[12:14] != b"\x08\x00" or data[23] != 6:
        return None
    place = 14 + 4 * (data[14] & 15)
    return max(int.from_bytes(data[place : place + 2], "big"), int.from_bytes(data[place + 2 : place + 4], "big"))


def compare_flags(score, form, whole, records, lost):
    """Exchanges that lack packets say so; those before and after do not."""
    found = {(one["client"], one["target"]): one for one in records}
    times = {}
    for frame in lost:
        times.setdefault(client_port(frame), []).append(frame.time)
    unsaid, unseen, hurt = [], 0, 0
    for one in whole:
        begin = int(one["time"] * 10**9)
        end = begin + int((one["duration"] or 0) * 10**9)
        if not any(begin <= time <= end for time in times.get(int(one["client"].rsplit(":", 1)[1]), [])):
            continue
        hurt += 1
        mine = found.get((one["client"], one["target"]))
        unseen += mine is None
        if mine and not TELLING & set(mine["flags"]):
            unsaid.append(f"{one['client']} {one['target']}: {', '.join(mine['flags']) or 'no flag'}")
    score.equal(
        f"{form}: exchanges with packets lost that do not say so (of {hurt}, {unseen} not seen)", [], unsaid[:5]
    )
    score.true(f"{form}: no exchange lost packets", hurt)
    for one in records:
        name = (one["target"] or "").partition("?")[2].partition("-")[0]
        if name in ("before", "after"):
            score.equal(f"{form}: {one['target']}: flags", [], one["flags"])
    long = [one for one in records if (one["target"] or "").startswith("/slow/")]
    score.equal(f"{form}: long answers", 1, len(long))
    for one in long:
        score.true(
            f"{form}: the long answer has no flag of drops: {one['flags']}", {"drops", "gap"} & set(one["flags"])
        )


SCENARIOS = {"stopped": stopped, "crowded": crowded}
