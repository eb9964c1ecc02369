"""Signals, closed pipes, terminals, full disks, limits: how the program ends, and what it leaves behind."""

import fcntl
import http.client
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import threading
import time

from frames import CaptureFile
from network import SERVER, Child
from overload import numbered, slow
from programs import ENVIRONMENT, body_of, lines, parsed, same_records, tcpdump, totals, wait_all
from traffic import encrypted, everything

# ------------------------------------------------------------------------------------------------------ signals


def ended_by(number):
    def scenario(stage):
        running = stage.audited()
        stage.http()
        stage.check_end(running, (0, 128 + number), number)
        stage.check_counted(stage.check_same())

    return scenario


def hurried(stage):
    """Two interrupts at once; while packets come."""
    running = stage.audited()
    one = Child(stage.world.client, slow, 40, "slow.lab.test")
    stage.world.children.append(one)
    time.sleep(0.6)
    running.send(signal.SIGINT)
    running.send(signal.SIGINT)
    status = running.wait(5)
    stage.score.true(f"status {status}", status in (0, 130))
    if status == 0:
        stage.check_same()
    one.result()


def closed_pipe(stage):
    """The reader of the records goes."""
    reader, writer = os.pipe()
    running = stage.live("--format", "ndjson", "-w", stage.path("evidence.pcapng"), stdout=writer)
    os.close(writer)
    stage.http("first")
    readable, _, _ = select.select([reader], [], [], 6)
    stage.score.true("no record came while packets still come", readable)
    os.close(reader)
    stage.http("second")
    end = time.monotonic() + 8
    while running.process.poll() is None and time.monotonic() < end:
        stage.http("more", 1, 1)
    stage.score.true("it did not end with its reader", running.process.returncode is not None)
    if running.process.returncode is None:
        running.stop()
    else:
        running.status = running.process.returncode
    stage.score.true(f"status {running.status}, it said {running.said!r}", running.status in (0, 74, 141, -13))
    CaptureFile(stage.path("evidence.pcapng"))


def suspended(stage):
    """Stopped for a while with a large buffer: nothing is lost."""
    running = stage.audited("--buffer", "64MiB")
    stage.http("first")
    running.send(signal.SIGSTOP)
    stage.http("stopped", 10, 10)
    time.sleep(1)
    running.send(signal.SIGCONT)
    stage.http("second")
    stage.check_end(running)
    stage.check_counted(stage.check_same())


def steady(seconds):
    """Kept connections with a request now and then, at once."""

    def ask(number):
        connection, end, count = http.client.HTTPConnection(SERVER, 80, timeout=30), time.monotonic() + seconds, 0
        while time.monotonic() < end:
            connection.request("GET", f"/10k?{number}-{count}", headers={"Host": "shop.lab.test"})
            connection.getresponse().read()
            count += 1
            time.sleep(0.05)
        connection.close()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return True


def long_suspended(stage):
    """Stopped while packets come, for longer than exchanges wait for late ones; one interface is silent."""
    path = stage.path("evidence.pcapng")
    running = stage.live("--format", "ndjson", "--buffer", "64MiB", "-w", path, device=("c0", "lo"))
    child = Child(stage.world.client, steady, 8)
    stage.world.children.append(child)
    time.sleep(1.2)
    running.send(signal.SIGSTOP)
    time.sleep(5.5)
    running.send(signal.SIGCONT)
    child.result()
    stage.world.settle()
    stage.check_end(running)
    stage.score.equal("packets = interface", stage.delta()["packets"], len(CaptureFile(path).frames))
    same_records(stage.score, "records against the evidence", stage.audits.exchanges(path), lines(running.printed))


def terminal(stage):
    """The screen on a small terminal and a large one; left as it was found, whatever ends it."""
    for columns, rows, end in ((20, 5, b"q"), (80, 24, signal.SIGTERM), (200, 60, signal.SIGINT)):
        main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        before = termios.tcgetattr(other)
        command = stage.world.client.command("env", "TERM=xterm-256color", stage.audits.program, "live", "-i", "c0")
        program = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, env=ENVIRONMENT, start_new_session=True
        )
        shown = read_for(main, 1.0)
        stage.world.traffic(numbered, "screen", 3, 2)
        shown += read_for(main, 0.8)
        what = f"{columns}x{rows}"
        stage.score.true(f"{what}: no alternate screen", b"\x1b[?1049h" in shown)
        stage.score.true(f"{what}: nothing to see", len(shown) > 60)
        if isinstance(end, bytes):
            os.write(main, end)
        else:
            program.send_signal(end)
        shown += read_for(main, 1.5)
        try:
            status = program.wait(5)
        except subprocess.TimeoutExpired:
            program.kill()
            status = program.wait()
        stage.score.true(f"{what}: status {status}", status in (0, 128 + 15, 128 + 2))
        stage.score.true(f"{what}: the screen is not left", shown.rfind(b"\x1b[?1049l") > shown.rfind(b"\x1b[?1049h"))
        stage.score.true(f"{what}: the cursor stays hidden", shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l"))
        stage.score.equal(f"{what}: terminal settings", before, termios.tcgetattr(other))
        os.close(main)
        os.close(other)


def read_for(descriptor, seconds):
    found, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([descriptor], [], [], left)[0]:
            try:
                found += os.read(descriptor, 1 << 16)
            except OSError:
                break
    return found


# ------------------------------------------------------------------------------------------------ files and limits


def full_disk(stage):
    small = stage.path("small")
    os.makedirs(small, exist_ok=True)
    stage.world.client.run("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", small)
    running = stage.live("--format", "json", "-o", stage.path("live.json"), "-w", small + "/evidence.pcapng")
    stage.http("fill", 10, 4)
    end = time.monotonic() + 3
    while "No space left on device" not in running.said and time.monotonic() < end:
        time.sleep(0.1)
    stage.score.true(f"the full disk is not said at once: {running.said!r}", "No space left on device" in running.said)
    stage.http("more")
    stage.check_end(running, 74)
    audit = stage.report()
    stage.score.equal("balanced", True, audit["ledger"]["balanced"])
    stage.check_counted(audit)
    # The small disk is there in the namespace only.
    copy = stage.path("cut.pcapng")
    stage.world.client.run("cp", small + "/evidence.pcapng", copy)
    frames = CaptureFile(copy).frames
    stage.score.true("nothing of the evidence was kept", frames)
    stage.score.equal("damage of the evidence", None, stage.audits.audit(copy)["capture"]["files"][0]["damaged_at"])


def duration(stage):
    began = time.monotonic()
    running = stage.audited("--duration", "2s")
    stage.http()
    stage.check_end(running, number=None)
    took = time.monotonic() - began
    stage.score.true(f"2 s took {took:.2f} s", 1.9 < took < 4)
    stage.check_counted(stage.check_same())


def packet_limit(stage):
    for limit in (1, 57):
        running = stage.audited("--packets", str(limit))
        stage.http()
        stage.check_end(running, number=None)
        stage.score.equal("packets", limit, totals(stage.check_same())["packets"])


def exchange_limit(stage):
    running = stage.live("--format", "ndjson", "--exchanges", "5", "-w", stage.path("evidence.pcapng"))
    stage.http("some", 3, 4)
    end = time.monotonic() + 10
    while running.process.poll() is None and time.monotonic() < end:
        stage.http("more", 2, 1)
    stage.score.true("it did not end by itself", running.process.returncode is not None)
    running.status = running.process.returncode
    if running.status is None:
        running.stop()
    stage.score.equal("status", 0, running.status)
    records = lines(running.printed)
    stage.score.true(f"{len(records)} records, at least 5 wanted", len(records) >= 5)
    same_records(
        stage.score, "records against the evidence", stage.audits.exchanges(stage.path("evidence.pcapng")), records
    )


def options(stage):
    """Frames cut short, at once, without promiscuous mode, by a filter."""
    dump = stage.group.start(
        stage.world.client, tcpdump("c0", stage.path("c0.pcap"), "tcp port 80"), stage.path("tcpdump")
    )
    running = stage.audited(
        "--snapshot-length", "96", "--immediate", "--no-promiscuous", "--buffer", "4MiB", "--filter", "tcp port 80"
    )
    wait_all(dump)
    stage.world.traffic(everything, 4, None, None)
    stage.world.settle()
    stage.check_end(running)
    dump.stop()
    audit = stage.check_same()
    every, cut = CaptureFile(stage.path("c0.pcap")), CaptureFile(stage.path("evidence.pcapng"))
    stage.score.equal(
        "frames, cut", [(one.length, one.data[:96]) for one in every.frames], [one.key() for one in cut.frames]
    )
    stage.score.equal("filter in the evidence", "tcp port 80", cut.interfaces[0]["filter"])
    stage.score.equal("snapshot length in the evidence", 96, cut.interfaces[0]["snapshot"])
    stage.score.equal("bytes", every.bytes, totals(audit)["bytes"])


def rotated(stage):
    """All files together are the whole; a ring keeps its latest."""
    words = ["--format", "json", "-o", stage.path("live.json"), "-w", stage.path("ring.pcapng"), "--rotate"]
    running = stage.live(*words, "200kB")
    stage.http("long", 10, 10)
    stage.check_end(running)
    audit, names = stage.report(), sorted(name for name in os.listdir(stage.folder) if name.startswith("ring"))
    stage.score.true(f"only {len(names)} files", len(names) > 3)
    paths = [stage.path(name) for name in names]
    every = parsed(stage.audits.output("--format", "json", "--quiet", *paths))
    stage.score.same("audit of all files", body_of(every), body_of(audit))
    stage.score.equal(
        "packets of all files", sum(len(CaptureFile(path).frames) for path in paths), totals(audit)["packets"]
    )
    for path in paths:
        stage.score.true(f"{os.path.basename(path)} is too long", os.path.getsize(path) < 260_000)
        os.remove(path)
    running = stage.live(*words, "100kB,3files", name="ring-run")
    stage.http("ring", 10, 10)
    stage.check_end(running)
    names = [name for name in os.listdir(stage.folder) if name.startswith("ring_") or name == "ring.pcapng"]
    stage.score.equal("files of the ring", 3, len(names))
    for name in names:
        CaptureFile(stage.path(name))


def late_key_log(stage):
    """The key log is made by the app's first handshake, after live has begun."""
    keys = stage.path("made-later.log")
    running = stage.audited("--keys", keys)
    stage.world.traffic(encrypted, keys, 3, stage.path("late.log"))
    stage.world.settle()
    stage.check_end(running)
    audit = stage.check_same()
    stage.score.same(
        "audit against the evidence with its keys",
        body_of(stage.audits.audit(stage.path("evidence.pcapng"), "--keys", keys)),
        body_of(audit),
    )
    stage.score.true("no exchange was read", sum(api["exchanges"] for api in audit["apis"]) > 4)


SCENARIOS = {
    "sigterm": ended_by(signal.SIGTERM),
    "sighup": ended_by(signal.SIGHUP),
    "two-interrupts": hurried,
    "closed-pipe": closed_pipe,
    "suspended": suspended,
    "long-suspended": long_suspended,
    "terminal": terminal,
    "full-disk": full_disk,
    "duration": duration,
    "packets": packet_limit,
    "exchanges": exchange_limit,
    "options": options,
    "rotate": rotated,
    "late-key-log": late_key_log,
}
