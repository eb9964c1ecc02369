"""Derives degraded logs from a true one: wrong clocks, late, lost and doubled rows, coarse times, missing columns.

The same session, log, degradation and seed give the same rows. Beside `NAME.sqlite` lies `NAME.map.json`
with the row of the true log that each row was.
"""
import datetime
import json
import math
import os
import random
import sqlite3

SECOND = 1_000_000_000
MILLISECOND = 1_000_000
LOCAL = datetime.timezone(datetime.timedelta(hours=8))
# Columns that hold times, or keys without a meaning to a reader.
TIMES = {"occurTime", "startTime", "endTime", "startDateString", "endDateString", "myID", "requestId", "id"}


class Entry:
    """A row of the degraded log: the row it was, and its times."""

    __slots__ = ("row", "time", "end")

    def __init__(self, row):
        self.row, self.time, self.end = row, row.time, row.end

    def move(self, change):
        self.time = change(self.time)
        if self.end is not None:
            self.end = max(self.time, change(self.end))


# MARK: Steps: each takes entries and a random generator, and gives entries.

def offset(seconds):
    return lambda entries, rng: each(entries, lambda time: time + round(seconds * SECOND))


def drift(parts_per_million):
    def step(entries, rng):
        start = min((entry.time for entry in entries), default=0)
        return each(entries, lambda time: time + round((time - start) * parts_per_million / 1e6))
    return step


def jitter(milliseconds):
    def step(entries, rng):
        return each(entries, lambda time: time + round(rng.uniform(0, milliseconds) * MILLISECOND))
    step.reach = milliseconds * MILLISECOND
    return step


def missing(share):
    return lambda entries, rng: [entry for entry in entries if rng.random() >= share]


def doubled(share):
    """The copy follows at once."""
    return lambda entries, rng: [copy for entry in entries for copy in [entry] * (2 if rng.random() < share else 1)]


def shuffled(entries, rng):
    rng.shuffle(entries)
    return entries


def each(entries, change):
    for entry in entries:
        entry.move(change)
    return entries


class Degradation:
    """Steps over rows; how times are written; columns that are left out."""

    def __init__(self, *steps, form="usual", drops=(), strips_query=False, is_random=False, needs=None):
        self.steps, self.form, self.drops = steps, form, drops
        self.strips_query, self.is_random, self.needs = strips_query, is_random, needs
        self.is_shuffled = shuffled in steps
        # Nanoseconds that a row may be written late.
        self.jitter = next((step.reach for step in steps if hasattr(step, "reach")), 0)

    def fits(self, log):
        """Whether the log has what is degraded here."""
        names = {name for name, _ in log.columns}
        if self.needs == "time":
            return bool(names & {"occurTime", "startTime", "myID"})
        return self.needs is None or self.needs in names or (self.needs == "url" and bool(names & {"url", "requestURLString"}))


ALL = (offset(3), drift(200), missing(0.05), doubled(0.05), shuffled)

DEGRADATIONS = {
    "plain": Degradation(),
    "offset +3 s": Degradation(offset(3), needs="time"),
    "offset -1.7 s": Degradation(offset(-1.7), needs="time"),
    "offset +26 h": Degradation(offset(26 * 3600), needs="time"),
    "drift 200 ppm": Degradation(drift(200), needs="time"),
    "ms": Degradation(form="ms", needs="time"),
    "us": Degradation(form="us", needs="time"),
    "whole seconds": Degradation(form="s", needs="time"),
    "5 % missing": Degradation(missing(0.05), is_random=True),
    "5 % doubled": Degradation(doubled(0.05), is_random=True),
    "shuffled": Degradation(shuffled, is_random=True),
    "jitter 20 ms": Degradation(jitter(20), is_random=True, needs="time"),
    "jitter 150 ms": Degradation(jitter(150), is_random=True, needs="time"),
    "no host": Degradation(drops=("host",), needs="host"),
    "no query": Degradation(strips_query=True, needs="url"),
    "no time zone": Degradation(form="local", needs="time"),
    "all": Degradation(*ALL, is_random=True),
    "all, no query": Degradation(*ALL, strips_query=True, is_random=True, needs="url"),
}


# MARK: Writing

def clock(time, form):
    """A time as it is written; `form` is us, ms, s or local."""
    if form == "local":
        moment = datetime.datetime.fromtimestamp(time // SECOND, LOCAL)
        return moment.strftime("%Y-%m-%d %H:%M:%S") + f".{time % SECOND // MILLISECOND:03}"
    if form == "s":
        return time // SECOND
    return time // 1000 / 1e6 if form == "us" else time // MILLISECOND / 1e3


def times(entry, values, form):
    """The columns that hold times."""
    if "occurTime" in values:
        written = entry.time // MILLISECOND if form in ("usual", "ms") else clock(entry.time, form)
        return {"occurTime": str(written)}
    if "startTime" in values:
        form = "us" if form == "usual" else form
        return {"startTime": clock(entry.time, form), "endTime": clock(entry.end, form)}
    if "myID" not in values:
        return {}
    # NetworkEye's key is its start with up to 9.9 ms added, and its dates have whole seconds.
    spread = round(values["myID"] * 1e6) * 1000 - entry.row.time
    key = None if form == "local" else clock(entry.time + spread, "us" if form == "usual" else form)
    dates = [datetime.datetime.fromtimestamp(time // SECOND, LOCAL if form == "local" else datetime.timezone.utc)
             for time in (entry.time, entry.end)]
    pattern = "%Y-%m-%d %H:%M:%S" + ("" if form == "local" else " GMT")
    return {"myID": key, "startDateString": dates[0].strftime(pattern), "endDateString": dates[1].strftime(pattern)}


# NetworkEye adds up to so much to the start of a row to make its key.
KEY_SPREAD = 9_900_000


def interval(entry, degradation):
    """What the degraded log leaves of a row's true start and end: (low, high) of each, by the true clock."""
    row, form = entry.row, degradation.form
    if "occurTime" in row.values:
        unit = {"s": SECOND, "us": 1000}.get(form, MILLISECOND)
        return rounded(entry.time, row.time, unit, degradation), None
    if "startTime" in row.values:
        unit = {"s": SECOND, "ms": MILLISECOND, "local": MILLISECOND}.get(form, 1000)
        return rounded(entry.time, row.time, unit, degradation), rounded(entry.end, row.end, unit, degradation)
    if "myID" not in row.values:
        return (-math.inf, math.inf), (-math.inf, math.inf)
    start, end = rounded(entry.time, row.time, SECOND, degradation), rounded(entry.end, row.end, SECOND, degradation)
    if form != "local":
        spread = round(row.values["myID"] * 1e6) * 1000 - row.time
        key = rounded(entry.time + spread, row.time + spread, {"s": SECOND, "ms": MILLISECOND}.get(form, 1000), degradation)
        start = max(start[0], key[0] - KEY_SPREAD), min(start[1], key[1])
    return start, end


def rounded(written, true, unit, degradation):
    """Where the true time may lie, of which a time was written in whole units."""
    if degradation.jitter:
        low = written // unit * unit
        return low - degradation.jitter, low + unit
    low = true - written % unit
    return low, low + unit


def held(row, degradation):
    """What the degraded log holds of the row beside its times."""
    values = {name: value for name, value in row.values.items() if name not in TIMES and name not in degradation.drops}
    if degradation.strips_query:
        for name in ("url", "requestURLString"):
            if name in values:
                values[name] = values[name].partition("?")[0]
    return values


def figures(row, degradation):
    """All that tells rows apart besides their times: rows that agree in it are one class."""
    return (row.kind, *sorted(held(row, degradation).items()))


def degrade(log, name, seed, session):
    """Entries of the degraded log."""
    rng = random.Random(f"{session}/{log.name}/{name}/{seed}")
    entries = [Entry(row) for row in log.rows]
    for step in DEGRADATIONS[name].steps:
        entries = step(entries, rng)
    return entries


def write(path, log, name, entries):
    """Writes the log and its map; returns row number -> entry."""
    degradation = DEGRADATIONS[name]
    columns = [(column, kind) for column, kind in log.columns if column not in degradation.drops and column != "id"]
    if degradation.form == "local":
        columns = [(column, "TEXT" if column in TIMES else kind) for column, kind in columns]
    base = sqlite3.connect(path)
    base.execute("PRAGMA journal_mode=OFF")
    base.execute("PRAGMA synchronous=OFF")
    base.execute(f"CREATE TABLE {log.table}({', '.join(' '.join(column) for column in columns)})")
    statement = f"INSERT INTO {log.table} VALUES({','.join('?' * len(columns))})"
    for entry in entries:
        values = {**entry.row.values, **held(entry.row, degradation), **times(entry, entry.row.values, degradation.form)}
        base.execute(statement, [values[column] for column, _ in columns])
    base.commit()
    base.close()
    numbered = dict(enumerate(entries, 1))
    with open(os.path.splitext(path)[0] + ".map.json", "w", encoding="utf-8") as file:
        json.dump({number: [entry.row.number, *entry.row.owner] for number, entry in numbered.items()}, file)
    return numbered
