"""A recorded session: its rows, whose they are, and where their exchanges stand in wireaudit's numbering.

Three sources are joined here, none of which knows the others: the app's truth (log row -> call and leg), the server's log
(client port and number of the request -> call), and `wireaudit exchanges` (client port and number -> connection and
exchange). Where they contradict each other the session is of no use, and this says so."""
import collections
import json
import os
import sqlite3
import subprocess
import sys
import urllib.parse

from closes import Closes


class Row:
    """A row of a log as the SDK wrote it."""

    __slots__ = ("number", "values", "owner", "kind", "time", "end")

    def __init__(self, number, values, truth):
        self.number, self.values = number, values
        # The exchange that the row describes: call and leg.
        self.owner = (truth["call"], truth["leg"])
        self.kind, self.time, self.end = truth["kind"], truth["time"], truth["end"]


class Log:
    """All rows of a log, in the order of writing."""

    def __init__(self, folder, name, truth):
        self.name = name[:-len(".sqlite")]
        base = sqlite3.connect(f"file:{os.path.join(folder, name)}?mode=ro", uri=True)
        self.table = base.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'").fetchone()[0]
        self.columns = [(column[1], column[2]) for column in base.execute(f"PRAGMA table_info({self.table})")]
        self.names = names = [column for column, _ in self.columns]
        self.rows = []
        for values in base.execute(f"SELECT rowid, * FROM {self.table} ORDER BY rowid"):
            self.rows.append(Row(values[0], dict(zip(names, values[1:])), truth[values[0]]))
        base.close()


class Session:
    def __init__(self, program, folder):
        self.folder, self.kind = folder, os.path.basename(folder)
        self.capture = os.path.join(folder, "capture.pcap")
        keys = os.path.join(folder, "keys.log")
        self.keys = ["--keys", keys] if os.path.exists(keys) else []
        truth = collections.defaultdict(dict)
        for line in lines(os.path.join(folder, "truth.ndjson")):
            truth[line["log"]][line["row"]] = line
        self.logs = [Log(folder, name, rows) for name, rows in truth.items()]
        self.closes = Closes(self.capture)
        # What `wireaudit exchanges` says, by (connection, exchange).
        self.records = {}
        self.owners = self.join(program)
        # Places by call and leg.
        self.places = {owner: place for place, owner in self.owners.items()}
        self.check()

    def join(self, program):
        """(connection, exchange) -> (call, leg)."""
        served = self.served()
        owners, unread = {}, []
        for key, records in self.requests(program).items():
            for record, following in zip(records, [*records[1:], None]):
                place = record["connection"], record["exchange"]
                line, leg = take(served[key], record, following)
                if line is None and record["status"] is None:
                    unread.append((place, record))
                    continue
                if line is None or (line["method"], line["target"]) != (record["method"], record["target"]):
                    sys.exit(f"sdk-lab: {self.folder}: exchange {place[0]}/{place[1]} is unknown to the server")
                owners[place] = line["id"], leg
                self.records[place] = record
        left = [key for key, entries in served.items() if entries]
        if left:
            sys.exit(f"sdk-lab: {self.folder}: wireaudit does not show requests of {len(left)} ports that the server read: {left[:3]}")
        self.add_unread(owners, unread, served_calls={call for call, _ in owners.values()})
        return owners

    def early_close(self, place):
        """When the app closed the exchange's connection, if its response had not ended then; None otherwise. A response of which
        a part never came had not ended: where bytes wait unread the close is a reset, behind which the server sends no more. The
        lab's server cuts no response, so whatever is not whole was given up by the app."""
        record = self.records[place]
        start = round(record["time"] * 1e9)
        close = self.closes.of(int(record["client"].rsplit(":", 1)[1]), start)
        is_whole = record["status"] is not None and record["response"]["complete"]
        if close is None or not is_whole:
            return close
        # Times of records have the capture's microseconds; a float of that size keeps a quarter of one.
        is_early = record["duration"] is None or close + 1000 < start + round(record["duration"] * 1e9)
        return close if is_early else None

    def served(self):
        """What the server read, with the leg of its call, by (client port, number in the connection), in order of time: a
        port serves several connections, one after the other."""
        legs, served = collections.Counter(), collections.defaultdict(list)
        for line in lines(os.path.join(self.folder, "server.ndjson")):
            if "id" in line:
                served[(line["port"], line["number"])].append((line, legs[line["id"]]))
                legs[line["id"]] += 1
        return served

    def requests(self, program):
        """The requests of the capture by the same keys, in order of time."""
        found = collections.defaultdict(list)
        for record in run(program, "exchanges", "--format", "ndjson", "--quiet", *self.keys, self.capture):
            if record["method"] is not None:
                found[(int(record["client"].rsplit(":", 1)[1]), record["exchange"])].append(record)
        for records in found.values():
            records.sort(key=lambda record: record["time"])
        return found

    def add_unread(self, owners, unread, served_calls):
        """Requests that the app took back before the server read them: each is of the call that asked for it and was never
        served; among several such calls for the same, of the first, for their rows are alike."""
        asked = collections.defaultdict(list)
        for log in self.logs:
            if log.name == "networkeye":
                for row in log.rows:
                    if row.owner[0] not in served_calls:
                        asked[(row.values["requestHTTPMethod"], row.values["requestURLString"])].append(row.owner)
        for place, record in unread:
            scheme = "https" if self.keys else "http"
            calls = asked[(record["method"], f"{scheme}://{record['host']}{record['target']}")]
            if not calls:
                sys.exit(f"sdk-lab: {self.folder}: no call asked for exchange {place[0]}/{place[1]}, which the server did not read")
            owners[place] = calls.pop(0)
            self.records[place] = record

    def check(self):
        """Each row's path is the one that the server read, for all rows that hold their own leg's path."""
        paths = {}
        for line in lines(os.path.join(self.folder, "server.ndjson")):
            if "id" in line:
                paths.setdefault(line["id"], []).append(line["target"])
        for log in self.logs:
            if log.name != "dm-hops":
                continue
            for row in log.rows:
                call, leg = row.owner
                asked = paths.get(call, [])
                if leg < len(asked) and decoded(asked[leg]) != row.values["path"]:
                    sys.exit(f"sdk-lab: {self.folder}: row {row.number} has {row.values['path']}, the server read {asked[leg]}")


def take(served, record, following):
    """Removes and returns what the server read of this request, with its leg: before the next request of the same port and
    number was sent. (None, 0) where the server read nothing."""
    if served and (following is None or served[0][0]["time"] < following["time"]):
        return served.pop(0)
    return None, 0


def decoded(target):
    path = urllib.parse.unquote(target.partition("?")[0])
    return path[:-1] if len(path) > 1 and path.endswith("/") else path


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"sdk-lab: {' '.join(arguments)}: status {done.returncode}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]
