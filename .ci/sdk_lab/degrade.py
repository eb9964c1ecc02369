"""Derives degraded logs from a true one, as real logs are: wrong clocks, early starts, batches, samples, lost and doubled rows, coarse
times, cut URLs, calls of others.

The same session, log, degradation and seed give the same rows. Beside `NAME.sqlite` lies `NAME.map.json`
with the row of the true log that each row was.
"""
import collections
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
    step.late = (milliseconds * MILLISECOND,) * 2
    return step


def early(milliseconds):
    """Starts are noted early, by at least 100 ms: before a queue, or a dialogue of the app."""
    def step(entries, rng):
        for entry in entries:
            if entry.row.kind != "response":
                entry.time -= round(rng.uniform(100, milliseconds) * MILLISECOND)
        return entries
    step.early = (milliseconds * MILLISECOND, 0)
    return step


def ends(milliseconds):
    """Ends are noted early or late."""
    def step(entries, rng):
        for entry in entries:
            change = round(rng.uniform(-milliseconds, milliseconds) * MILLISECOND)
            if entry.row.kind == "response":
                entry.time += change
            elif entry.end is not None:
                entry.end = max(entry.time, entry.end + change)
        return entries
    step.late = step.early = (milliseconds * MILLISECOND,) * 2
    return step


def batch(seconds):
    """A row's time is that of the batch in which it was written."""
    def step(entries, rng):
        length = seconds * SECOND
        phase = rng.randrange(length)
        return each(entries, lambda time: time + (phase - time) % length)
    step.late = (seconds * SECOND,) * 2
    return step


def summer_time_ends(entries, rng):
    """Clocks that tell local time go back by an hour in the middle."""
    times = sorted(entry.time for entry in entries)
    middle = times[len(times) // 2] if times else 0
    return each(entries, lambda time: time - (3600 * SECOND if time >= middle else 0))


def missing(share):
    return lambda entries, rng: [entry for entry in entries if rng.random() >= share]


def sampled(share):
    """Whole calls are recorded, or not."""
    def step(entries, rng):
        chosen = collections.defaultdict(lambda: rng.random() < share)
        return [entry for entry in entries if chosen[entry.row.owner[0]]]
    return step


def own_paths(share):
    """All other calls are those of other apps, which this log does not know."""
    def step(entries, rng):
        # All hops of a call are of the app that made it.
        first = {}
        for entry in sorted(entries, key=lambda entry: entry.row.owner[1]):
            first.setdefault(entry.row.owner[0], target(entry.row).partition("?")[0])
        chosen = collections.defaultdict(lambda: rng.random() < share)
        return [entry for entry in entries if chosen[first[entry.row.owner[0]]]]
    return step


def target(row):
    return str(next((row.values[name] for name in ("url", "requestURLString", "path") if name in row.values), ""))


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
    """Steps over rows; how times are written; columns that are left out; characters that URLs keep."""

    def __init__(self, *steps, form="usual", drops=(), strips_query=False, url_limit=None, is_random=False, needs=None):
        self.steps, self.form, self.drops = steps, form, drops
        self.strips_query, self.url_limit, self.is_random, self.needs = strips_query, url_limit, is_random, needs
        self.is_shuffled = shuffled in steps
        # Nanoseconds that a row's start and end may be written late, and early.
        self.late = next((step.late for step in steps if hasattr(step, "late")), (0, 0))
        self.early = next((step.early for step in steps if hasattr(step, "early")), (0, 0))

    def fits(self, log):
        """Whether the log has what is degraded here."""
        names = {name for name, _ in log.columns}
        if self.needs == "time":
            return bool(names & {"occurTime", "startTime", "myID"})
        return self.needs is None or self.needs in names or (self.needs == "url" and bool(names & {"url", "requestURLString"}))


ALL = (offset(3), drift(200), missing(0.05), doubled(0.05))

DEGRADATIONS = {
    "plain": Degradation(),
    **{f"offset {milliseconds:+} ms": Degradation(offset(milliseconds / 1000), needs="time") for milliseconds in (4, -4, 10, -10, 50, -50)},
    "offset +3 s": Degradation(offset(3), needs="time"),
    "offset -1.7 s": Degradation(offset(-1.7), needs="time"),
    "offset +26 h": Degradation(offset(26 * 3600), needs="time"),
    "drift 200 ppm": Degradation(drift(200), needs="time"),
    **{f"early {milliseconds} ms": Degradation(early(milliseconds), is_random=True, needs="time") for milliseconds in (200, 2000)},
    "ends 150 ms": Degradation(ends(150), is_random=True, needs="time"),
    "whole seconds": Degradation(form="s", needs="time"),
    **{f"batches {seconds} s": Degradation(batch(seconds), is_random=True, needs="occurTime") for seconds in (1, 5, 30)},
    "10 % sampled": Degradation(sampled(0.1), is_random=True),
    "30 % sampled": Degradation(sampled(0.3), is_random=True),
    "5 % missing": Degradation(missing(0.05), is_random=True),
    "5 % doubled": Degradation(doubled(0.05), is_random=True),
    "shuffled": Degradation(shuffled, is_random=True, needs="time"),
    "summer time": Degradation(summer_time_ends, needs="time"),
    "jitter 20 ms": Degradation(jitter(20), is_random=True, needs="time"),
    "jitter 150 ms": Degradation(jitter(150), is_random=True, needs="time"),
    "foreign 1 x": Degradation(own_paths(0.5), is_random=True),
    "foreign 3 x": Degradation(own_paths(0.25), is_random=True),
    "foreign 10 x": Degradation(own_paths(0.09), is_random=True),
    "two apps": Degradation(sampled(0.5), is_random=True),
    "no host": Degradation(drops=("host",), needs="host"),
    "no query": Degradation(strips_query=True, needs="url"),
    "URLs of 36": Degradation(url_limit=36, needs="url"),
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
        return rounded(entry.time, row.time, unit, degradation, row.kind == "response"), None
    if "startTime" in row.values:
        unit = {"s": SECOND, "ms": MILLISECOND, "local": MILLISECOND}.get(form, 1000)
        return rounded(entry.time, row.time, unit, degradation), rounded(entry.end, row.end, unit, degradation, True)
    if "myID" not in row.values:
        return (-math.inf, math.inf), (-math.inf, math.inf)
    start, end = rounded(entry.time, row.time, SECOND, degradation), rounded(entry.end, row.end, SECOND, degradation, True)
    if form != "local":
        spread = round(row.values["myID"] * 1e6) * 1000 - row.time
        key = rounded(entry.time + spread, row.time + spread, {"s": SECOND, "ms": MILLISECOND}.get(form, 1000), degradation)
        start = max(start[0], key[0] - KEY_SPREAD), min(start[1], key[1])
    return start, end


def rounded(written, true, unit, degradation, is_end=False):
    """Where the true time may lie, of which a time was written in whole units."""
    late, early = degradation.late[is_end], degradation.early[is_end]
    if late or early:
        low = written // unit * unit
        return low - late, low + unit + early
    low = true - written % unit
    return low, low + unit


def held(row, degradation):
    """What the degraded log holds of the row beside its times."""
    values = {name: value for name, value in row.values.items() if name not in TIMES and name not in degradation.drops}
    if degradation.strips_query:
        for name in ("url", "requestURLString"):
            if name in values:
                values[name] = values[name].partition("?")[0]
    if degradation.url_limit:
        for name in ("url", "requestURLString"):
            if name in values:
                values[name] = values[name][:degradation.url_limit]
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
