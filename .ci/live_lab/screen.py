"""A person at the screen: keys are pressed on real traffic, and what is shown is compared with the final report."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from concurrent.futures import ThreadPoolExecutor

from overload import numbered
from programs import ENVIRONMENT, lines, parsed
from stage import Stage
from traffic import odd, plain

try:
    import pyte
except ImportError:
    pyte = None

UP, DOWN, END, PAGE_DOWN, ESCAPE, ENTER, TAB = b"\x1b[A", b"\x1bOB", b"\x1b[F", b"\x1b[6~", b"\x1b", b"\r", b"\t"
SIZES = ((40, 12), (80, 24), (160, 50), (200, 60))


class Person:
    """A terminal with the program on it, as a person sees it."""

    def __init__(self, stage, columns, rows, *words, **environment):
        self.main, self.other = pty.openpty()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.other)
        command = stage.world.client.command(stage.audits.program, "live", "-i", "c0", *words)
        self.program = subprocess.Popen(
            command,
            stdin=self.other,
            stdout=self.other,
            stderr=self.other,
            env={**ENVIRONMENT, "TERM": "xterm-256color", **environment},
            start_new_session=True,
        )
        self.raw = b""
        self.look(1.5)

    def resize(self, columns, rows):
        fcntl.ioctl(self.other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def look(self, seconds=0.7):
        """What comes in this time goes to the screen."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.main], [], [], left)[0]:
                try:
                    piece = os.read(self.main, 1 << 16)
                except OSError:
                    return
                self.raw += piece
                self.stream.feed(piece)

    def press(self, *keys, wait=0.7):
        for key in keys:
            os.write(self.main, key)
            self.look(0.15 if key == ESCAPE else 0.02)
        self.look(wait)

    @property
    def text(self):
        return "\n".join(self.shown)

    @property
    def shown(self):
        return [line.rstrip() for line in self.screen.display]

    @property
    def selected(self):
        """The reversed row; None without one."""
        for number, line in enumerate(self.shown):
            row = self.screen.buffer[number]
            if number > 0 and all(row[column].reverse for column in range(self.screen.columns)):
                return line
        return None

    def table(self, title):
        """The rows below a heading, as {name: {column: number}}; "…" holds what is summed."""
        start = next((i for i, line in enumerate(self.shown) if line.startswith(title)), None)
        if start is None:
            return {}
        heading = re.split(r"  +", self.shown[start])[1:]
        found = {}
        for line in self.shown[start + 1 :]:
            cells = re.split(r"  +", line)
            if not line or len(cells) != len(heading) + 1:
                break
            found[cells[0]] = dict(zip(heading, cells[1:]))
        return found

    def end(self, key=b"q"):
        os.write(self.main, key)
        self.look(1.0)
        try:
            return self.program.wait(8)
        except subprocess.TimeoutExpired:
            self.program.kill()
            return self.program.wait()

    def close(self):
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        os.close(self.main)
        os.close(self.other)


def number(text):
    return int(text.replace(",", ""))


def traffic(stage):
    stage.world.traffic(numbered, "screen", 6, 3)
    stage.world.traffic(plain, 3, 18)
    stage.world.traffic(odd, 5)
    stage.world.settle()


def session(stage):
    """All tables and what can be opened in them, against the report and the records of the evidence."""
    person = Person(stage, 160, 50, "--format", "json", "-o", stage.path("live.json"), "-w", stage.path("evidence.pcapng"))
    try:
        traffic(stage)
        # Exchanges and connections are final two seconds later.
        person.look(4.5)
        apis = person.table("APIs BY WIRE BYTES")
        person.press(DOWN)
        first = person.selected
        stage.score.true(f"no row is selected:\n{person.text}", first)
        person.press(ENTER)
        opened = facts(person)
        person.press(ESCAPE, TAB)
        hosts = person.table("HOSTS BY WIRE BYTES")
        person.press(DOWN, DOWN, ENTER)
        host = facts(person)
        host_name = next((name for name in hosts if name in person.text), None)
        person.press(ESCAPE, b"3", DOWN, ENTER)
        connection = facts(person)
        number_shown = re.search(r"^connection (\d+) ", person.text, re.MULTILINE)
        person.press(ESCAPE)
        status = person.end()
        stage.score.equal("status", 0, status)
        stage.score.equal("terminal settings", person.before, termios.tcgetattr(person.other))
        audit = stage.check_same()
        check_tables(stage.score, audit, apis, hosts)
        stage.score.true(f"the first row of the APIs: {first!r}", first and first.startswith(next(iter(apis))))
        row = audit["apis"][0]
        stage.score.equal("an opened API: wire", row["wire"], number(opened.get("wire", "-1")))
        stage.score.equal("an opened API: calls", row["exchanges"], number(opened.get("calls", "-1")))
        wires = {one["host"]: one["wire"] for one in audit["hosts"]}
        stage.score.equal("an opened host: wire", wires.get(host_name), number(host.get("wire", "-1")))
        records = lines(
            stage.audits.output("connections", "--format", "ndjson", "--quiet", stage.path("evidence.pcapng"))
        )
        stage.score.true(f"no connection is open:\n{person.text}", number_shown)
        if number_shown:
            record = next(one for one in records if one["connection"] == int(number_shown[1]))
            both = [record["up"], record["down"]]
            stage.score.equal("an opened connection: wire", sum(one["ip"] for one in both), number(connection["wire"]))
            stage.score.equal("frames", sum(one["frames"] for one in both), number(connection["frames"]))
            stage.score.equal("payload", sum(one["payload"] for one in both), number(connection["payload"]))
            stage.score.equal("packets", sum(one["packets"] for one in both), number(connection["packets"]))
    finally:
        person.close()


def facts(person):
    """Labels and values of the cells."""
    found = {}
    for line in person.shown[5:]:
        for label, value in re.findall(r"([a-z][a-zA-Z, ]*?)  +(\S(?:[^ ]| (?! ))*)", line):
            found.setdefault(label, value)
    return found


def check_tables(score, audit, apis, hosts):
    score.true("no API is shown", apis)
    rows = {one["api"]: one for one in audit["apis"]}
    for name, cells in apis.items():
        if name.startswith("…"):
            continue
        row = rows.get(name)
        score.true(f"{name!r} is on the screen and not in the report", row)
        if row:
            score.equal(f"{name}: wire", row["wire"], number(cells["wire"]))
            score.equal(f"{name}: calls", row["exchanges"], number(cells["calls"]))
    by_name = {one["host"]: one for one in audit["hosts"]}
    score.equal("hosts", sorted(by_name), sorted(hosts))
    for name, cells in hosts.items():
        row = by_name.get(name)
        if row:
            score.equal(f"{name}: wire", row["wire"], number(cells["wire"]))
            # A dash stands where UDP has no such figure, and where TLS hides the calls.
            is_udp = row["datagrams"] is not None
            score.equal(f"{name}: connections", "—" if is_udp else f"{row['connections']:,}", cells["conn"])
            no_calls = is_udp or row["exchanges"] == 0 and cells["calls"] == "—"
            score.equal(f"{name}: calls", "—" if no_calls else f"{row['exchanges']:,}", cells["calls"])


def frozen(stage):
    """The screen stands still while packets come, has every table, and goes on afterwards."""
    person = Person(stage, 80, 24, "--format", "json", "-o", stage.path("live.json"))
    try:
        traffic(stage)
        person.look(3)
        person.press(b" ")
        before = person.shown
        stage.score.true(f"it does not say that it is frozen: {before[0]!r}", "FROZEN" in before[0])
        stage.world.traffic(numbered, "more", 20, 3)
        stage.world.settle()
        person.look(1)
        stage.score.equal("the frozen screen", before, person.shown)
        person.press(TAB)
        stage.score.true(f"no hosts in a frozen picture:\n{person.text}", person.table("HOSTS BY WIRE BYTES"))
        person.press(TAB, b"s", DOWN, ENTER)
        stage.score.true(f"no connection in a frozen picture:\n{person.text}", "connection " in person.text)
        person.press(ESCAPE, b"1", b" ")
        shown = number(re.search(r"packets +([\d,]+)", person.text)[1])
        stage.score.true("it does not say that it goes on", "FROZEN" not in person.text)
        stage.score.equal("status", 0, person.end())
        audit = stage.report()
        stage.score.equal("packets", sum(file["packets"] for file in audit["capture"]["files"]), shown)
    finally:
        person.close()


def keys(stage):
    """Keys that come in pieces, unknown ones, a filter, other sizes, help, no colour."""
    person = Person(stage, 80, 24)
    try:
        traffic(stage)
        person.look(2)
        for piece in (b"\x1b", b"[", b"B"):
            os.write(person.main, piece)
            time.sleep(0.03)
        person.look()
        stage.score.true(f"a key in three pieces selects no row:\n{person.text}", person.selected)
        selected = person.selected
        person.press(b"\x1b[99;7~", b"\x1b[I", b"\xff\xfe", b"\x1bOP", b"Z")
        stage.score.equal("selection after unknown keys", selected.split()[:3], (person.selected or "").split()[:3])
        person.press(b"/", b"moved", ENTER)
        rows = person.table("APIs BY WIRE BYTES")
        stage.score.true(f"the filter left {list(rows)}", rows and all("moved" in name for name in rows))
        person.press(ESCAPE, ESCAPE)
        for columns, height in SIZES:
            person.resize(columns, height)
            person.program.send_signal(signal.SIGWINCH)
            person.press(b"?")
            for word in ("KEYS", "move", "filter", "back", "quit"):
                told = word in person.text or word == "move" and "select a row" in person.text
                told = told or word == "quit" and "end the capture" in person.text
                told = told or word == "filter" and "contain a text" in person.text
                stage.score.true(f"help at {columns}x{height} lacks {word!r}:\n{person.text}", told)
            person.press(b"?", TAB)
            stage.score.true(f"{columns}x{height}: no hosts", "HOSTS" in person.text)
            person.press(b"1", END, PAGE_DOWN, UP)
            stage.score.true(f"{columns}x{height}: no selection", person.selected)
        stage.score.equal("status", 0, person.end())
        stage.score.equal("terminal settings", person.before, termios.tcgetattr(person.other))
    finally:
        person.close()


def colourless(stage):
    """NO_COLOR: no attribute is sent, and the selected row has a mark."""
    person = Person(stage, 80, 24, NO_COLOR="1")
    try:
        traffic(stage)
        person.look(1)
        person.press(DOWN)
        stage.score.true(f"no row has a mark:\n{person.text}", any(line.startswith("> ") for line in person.shown))
        attributes = set(re.findall(rb"\x1b\[([0-9;]*)m", person.raw)) - {b"0"}
        stage.score.equal("attributes sent", set(), attributes)
        stage.score.equal("status", 0, person.end())
    finally:
        person.close()


def busy(stage):
    """Keys all the time while packets come: none is lost, and the report is that of the evidence."""
    person = Person(stage, 120, 40, "--format", "json", "-o", stage.path("live.json"), "-w", stage.path("evidence.pcapng"))
    try:
        with ThreadPoolExecutor(1) as pool:
            work = pool.submit(lambda: stage.world.traffic(numbered, "busy", 150, 6))
            order = (DOWN, DOWN, ENTER, ESCAPE, TAB, b"s", b"r", END, b"?", b"?", b"/", b"a", ESCAPE, b" ", b" ")
            while not work.done():
                person.press(*order, wait=0.05)
            work.result()
        stage.world.settle()
        stage.score.equal("status", 0, person.end())
        stage.check_counted(stage.check_same())
    finally:
        person.close()


def opportunities(stage):
    """The report at the end has them where they were asked for, as the audit of the evidence has."""
    person = Person(
        stage, 80, 24, "--opportunities", "--format", "json", "-o", stage.path("live.json"), "-w",
        stage.path("evidence.pcapng"),
    )
    try:
        traffic(stage)
        person.look(1)
        stage.score.equal("status", 0, person.end())
        audit = stage.report()
        again = parsed(
            stage.audits.output("--format", "json", "--quiet", "--opportunities", stage.path("evidence.pcapng"))
        )
        stage.score.true("no opportunities in the report", audit.get("opportunities"))
        stage.score.same("opportunities", again.get("opportunities"), audit.get("opportunities"))
    finally:
        person.close()


SCENARIOS = {
    "session": session,
    "frozen": frozen,
    "keys": keys,
    "colourless": colourless,
    "busy": busy,
    "opportunities": opportunities,
}


def run_scenario(audits, folder, function, seed):
    with Stage(audits, folder, seed) as stage:
        function(stage)
    return stage.score
