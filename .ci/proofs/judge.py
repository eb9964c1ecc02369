"""Holds what the program says about a damaged capture against what is known of the complete one."""

import functools

from pairing import paired
from segments import sums
from truth import SIDES

# What a flag admits. "all": any figure of the exchange may be wrong or missing. "answer", "request": those of this message.
EXCUSES = {
    "gap": "all", "snapped": "all", "no-start": "all", "malformed": "all", "drops": "all",
    "no-request": "request", "no-response": "answer", "aborted": "cut", "reset": "cut", "no-end": "cut",
}
REQUEST = ("method", "host", "path", "query", "target")
FIGURES = ("start_line", "headers", "framing", "body", "body_decoded", "headers_decoded")
COSTS = ("tls_records", "tcpip", "quic", "ack", "retransmission", "teardown", "keepalive", "opaque", "link")
SETUP = ("tcp", "tls", "quic", "http")
# What says that a connection was not read whole.
BROKEN = {"gap", "snapped", "no-start", "no-end", "malformed", "drops"}


class Fault:
    """Something wrong that nothing admits: its kind, the call, and what was expected and seen."""

    def __init__(self, kind, place, expected, seen):
        self.kind, self.place, self.expected, self.seen = kind, place, expected, seen

    @property
    def is_cost(self):
        return self.kind.startswith("cost")

    def line(self):
        return f"{self.kind}: {self.place}: expected {self.expected!r}, got {self.seen!r}"


class Verdict:
    """Of a damaged capture: faults, exchanges that lost no packet, those of them that gained a flag or lost a figure."""

    def __init__(self):
        self.faults, self.gains = [], []
        self.exchanges = self.whole = 0
        # Exchanges whose figure `framing` lacks whole control frames that the capture lost.
        self.lowered = 0


class Judge:
    """One damaged capture with the program's answer."""

    def __init__(self, damaged, answer):
        self.damaged, self.truth, self.answer = damaged, damaged.truth, answer
        self.verdict = Verdict()
        records = self.truth.capture.records
        self.kept, self.at, self.copied = {}, {}, set()
        # Pairs of addresses whose calls vanished with their connections.
        self.unlisted = set()
        for item in damaged.items:
            self.at.setdefault(item.time, set()).add(item.index)
            self.kept[item.index] = max(item.kept, self.kept.get(item.index, 0))
            if item.copied:
                self.copied.add(item.index)
        self.cut = {index for index, kept in self.kept.items() if kept < len(records[index].data)}

    def run(self):
        rows = {}
        for row in self.answer.exchanges:
            rows.setdefault(frozenset((row["client"], row["server"])), []).append(row)
        for pair, known in self.truth.by_pair.items():
            self.judge_pair(known, rows.pop(pair, []))
        for list_ in rows.values():
            for row in list_:
                self.judge_stranger(row)
        if self.unlisted:
            self.judge_unlisted()
        if self.answer.audit:
            self.judge_ledger()
            self.judge_sums()
        return self.verdict

    @functools.cached_property
    def connections(self):
        """The program's connections by pair of addresses. Mostly nobody asks for them, which saves a run of it."""
        result = {}
        for row in self.answer.connections:
            result.setdefault(frozenset((row["client"], row["server"])), []).append(row)
        return result

    def is_lost(self, index):
        return index not in self.kept or index in self.cut

    def remains(self, index):
        """Whether any payload of this packet was captured."""
        return self.kept.get(index, 0) > self.truth.packets[index].head

    def judge_pair(self, known, rows):
        if not known[0].packets:
            return
        packets = {index for connection in known for index in connection.packets}
        calls = [call for connection in known for call in connection.exchanges]

        def packets_at(time):
            return self.at.get(time, frozenset()) & packets

        pairing = paired(calls, rows, packets_at)
        for call in calls:
            if call.shown:
                self.judge_call(call, pairing, packets_at)
        for row in pairing.strangers:
            self.judge_stranger(row)

    def lost_nothing(self, call):
        connection = call.connection
        parts = [call.packets["up"], call.packets["down"]]
        if call is connection.exchanges[0] or connection.row["tls"] or call.stream is not None:
            parts.append(connection.opening)
        if call.stream is not None:
            # Field blocks refer to those before them: what they leave out was in other packets.
            last = max((index for part in parts for index in part), default=-1)
            parts.append({index for index in connection.packets if index <= last and self.truth.packets[index].size > 0})
        return not any(self.is_lost(index) for part in parts for index in part)

    def judge_call(self, call, pairing, packets_at):
        self.verdict.exchanges += 1
        whole = self.lost_nothing(call)
        self.verdict.whole += whole
        row = pairing.rows.get(call)
        if row is None:
            self.judge_missing(call, pairing.answers.get(call), whole)
            return
        excused = excuses(row, call.row)
        if call.row["stream"] == 1 and row["stream"] is None and row["status"] is None and not call.row["up"]["start_line"]:
            # A request that asked for an upgrade to HTTP/2, of whose answer nothing is there: whether it was a message of HTTP/1
            # or set-up is decided by the answer.
            excused = excused | {"request"}
        faults = list(self.differences(call, row, packets_at))
        open_faults = [fault for fault in faults if fault[0] not in excused and fault[3] is not None]
        if self.lacks_frames(call, open_faults):
            # Their bytes are in no packet, and nothing tells whose they were.
            self.verdict.lowered += 1
            open_faults = []
        self.verdict.faults += [Fault(kind, place_of(call), expected, seen) for _, kind, expected, seen in open_faults]
        gained = sorted(set(row["flags"]) - set(call.row["flags"]))
        nulls = [kind for _, kind, expected, seen in faults if seen is None]
        if whole and (gained or nulls):
            self.verdict.gains.append(Fault("gained", place_of(call), call.row["flags"], gained + nulls))
        if not excused and self.keeps_costs(call.connection):
            self.judge_costs(call, row)

    def lacks_frames(self, call, faults):
        """Whether all that differs is that whole WINDOW_UPDATE or RST_STREAM (13 bytes each) or PRIORITY frames (14) are missing in
        `framing`, on a connection that lost packets: its costs are those of the packets that are there."""
        if call.stream is None or not faults or not any(self.is_lost(index) for index in call.connection.packets):
            return False
        if any(kind not in ("up.framing", "down.framing") for _, kind, _, _ in faults):
            return False
        missing = [expected - seen for _, _, expected, seen in faults]
        return all(size > 0 and any((size - 14 * count) % 13 == 0 for count in range(size // 14 + 1)) for size in missing)

    def judge_missing(self, call, answer, whole):
        remain = [index + 1 for side in SIDES for index in sorted(call.packets[side]) if self.remains(index)]
        if whole:
            self.verdict.gains.append(Fault("gained", place_of(call), "a call", "none"))
        if not remain or answer:
            return
        known = call.connection
        if self.is_quic(known.pair) and not self.connections.get(known.pair):
            # Nothing was read of these datagrams, which must stand with the bytes of no connection.
            self.unlisted.add(known.pair)
            return
        if not any(is_broken(row, known.row) for row in self.connections.get(known.pair, [])):
            self.verdict.faults.append(Fault("vanished", place_of(call), f"a call, of packets {remain[:8]}", "none, and no flag"))

    def differences(self, call, row, packets_at):
        """Each difference of a record: what it is about, its kind, what is expected and seen."""
        known = call.row
        if (row["client"], row["server"]) != (known["client"], known["server"]):
            yield "both", "direction", known["client"], row["client"]
        for name in REQUEST:
            if row[name] != known[name]:
                yield "request", "path" if name in ("query", "target") else name, known[name], row[name]
        if row["status"] != known["status"]:
            yield "answer", "status", known["status"], row["status"]
        for part, side in (("request", "up"), ("answer", "down")):
            for name in FIGURES:
                if row[side].get(name) != known[side].get(name):
                    yield part, f"{side}.{name}", known[side].get(name), row[side].get(name)
        for part, name in (("request", "request"), ("answer", "response")):
            told = row[name]
            if told is not None and known[name] is not None and told["content_type"] is None:
                # Null is not known: a table of fields that lacks an insertion names no type.
                told = {**told, "content_type": known[name]["content_type"]}
            if told is not None and told != known[name]:
                yield part, name, known[name], told
        other = self.other_answer(call, row, packets_at)
        if other:
            yield "answer", "pairing", f"the answer in packets {sorted(call.packets['down'])[:4]}", f"that in {other}"

    def other_answer(self, call, row, packets_at):
        """The packets in which the answer of a record began, where they are another answer's."""
        if row["ttfb"] is None or call.stream is not None or not call.packets["down"]:
            return None
        # It is told from the end of the request, which is one of its packets.
        there = set().union(*(packets_at(time + row["ttfb"]) for time in self.times_of(call.packets["up"])))
        there = {index for index in there if not self.truth.packets[index].client and self.truth.packets[index].size > 0}
        return sorted(there) if there and not there & call.packets["down"] else None

    def times_of(self, indexes):
        return [item.time for item in self.damaged.items if item.index in indexes]

    def judge_stranger(self, row):
        """A record about no call of the complete capture: a flag has to say that it may be none."""
        flags = set(row["flags"])
        if "no-response" in flags:
            # A late copy of a request, behind the end of its connection, is a connection of its own, which lacks the rest.
            flags |= {flag for other in self.answer.connections if other["connection"] == row["connection"]
                      for flag in other["flags"]}
        if not flags & {"gap", "snapped", "no-start", "malformed", "drops", "no-request"}:
            self.verdict.faults.append(Fault("phantom", f"{row['client']} {row['method']} {row['target']}", None, row["status"]))

    # Costs

    def keeps_costs(self, connection):
        """Whether all packets of a connection, and of others with its addresses, are there once and in the order of
        their direction."""
        return not self.damaged.reorders and not any(
            self.is_lost(index) or index in self.copied
            for known in self.truth.by_pair[connection.pair] for index in known.packets)

    def judge_costs(self, call, row):
        for side in SIDES:
            pairs = [(name, call.row[side][name], row[side][name]) for name in COSTS]
            pairs += [("setup." + name, call.row[side]["setup"][name], row[side]["setup"][name]) for name in SETUP]
            if call.row[side]["setup"]["dns"] != row[side]["setup"]["dns"]:
                # Which look-up a connection was for is told by the times of packets that are no TCP.
                pairs = [pair for pair in pairs if pair[0] != "link"]
            for name, expected, seen in pairs:
                if expected != seen:
                    self.verdict.faults.append(Fault(f"cost {side}.{name}", place_of(call), expected, seen))
        if row["unseen_bytes"] != call.row["unseen_bytes"]:
            self.verdict.faults.append(Fault("cost unseen", place_of(call), call.row["unseen_bytes"], row["unseen_bytes"]))

    def judge_ledger(self):
        """The books hold every byte of the files."""
        ledger = self.answer.audit["ledger"]
        size = sum(self.truth.capture.records[item.index].length for item in self.damaged.items)
        if not ledger["balanced"] or ledger["bytes"] != size:
            self.verdict.faults.append(Fault("ledger", "all frames", size, ledger["bytes"]))

    def judge_sums(self):
        """What connections cost is what their packets are long."""
        records = self.truth.capture.records
        if self.damaged.copies or self.truth.copies:
            return
        expected = sums(self.truth.packets, records, [item.index for item in self.damaged.items])
        # A packet that was cut inside of its headers is nobody's.
        hidden = {self.truth.packets[index].pair for index in self.cut
                  if self.truth.packets[index] and self.kept[index] < self.truth.packets[index].fixed}
        elsewhere = 0
        for pair in self.truth.summed - hidden:
            seen = {}
            for row in self.connections.get(pair, []):
                for source, side in ((row["client"], "up"), (row["server"], "down")):
                    seen[source] = [one + row[side][name] for one, name in
                                    zip(seen.get(source, [0] * 4), ("packets", "frames", "ip", "payload"))]
            for source in pair:
                wanted, got = expected.get(pair, {}).get(source, [0] * 4), seen.get(source, [0] * 4)
                self.judge_new_bytes(pair, source, self.connections.get(pair, []))
                if got != wanted and self.is_quic(pair) and self.admits_absence(pair, got, wanted):
                    elsewhere += wanted[2] - got[2]
                elif got != wanted:
                    place = f"packets, frame, IP and payload bytes from {source}"
                    self.verdict.faults.append(Fault("cost sum", place, wanted, seen.get(source)))
        if self.has_only_quic and not hidden and elsewhere != self.other_bytes():
            self.verdict.faults.append(Fault("cost sum", "IP bytes of UDP of no connection", elsewhere, self.other_bytes()))

    def is_quic(self, pair):
        return self.truth.by_pair[pair][0].row["transport"] == "quic"

    @functools.cached_property
    def has_only_quic(self):
        """All UDP of the complete capture is that of connections of QUIC whose bytes are judged."""
        return self.truth.quic_pairs and self.truth.quic_pairs == self.truth.udp_pairs and self.truth.quic_pairs <= self.truth.summed

    def other_bytes(self):
        other = self.answer.audit["ledger"]["other"]
        return other["udp"] + other["quic"]

    def admits_absence(self, pair, seen, wanted):
        """A datagram of QUIC tells its connection by an ID alone, so one whose beginning is missing is of none. Connections that
        lack some admit it by a flag."""
        rows = self.connections.get(pair, [])
        return all(one <= most for one, most in zip(seen, wanted)) and all(
            any(is_broken(row, known.row) for known in self.truth.by_pair[pair]) for row in rows)

    def judge_unlisted(self):
        """Of calls whose connection is not there, every byte stands with UDP of no connection."""
        self.answer.ask_audit()
        records = self.truth.capture.records
        indexes = {item.index for item in self.damaged.items if self.remains(item.index)}
        expected = sums(self.truth.packets, records, sorted(indexes))
        wanted = sum(side[2] for pair in self.unlisted for side in expected.get(pair, {}).values())
        if self.other_bytes() < wanted:
            self.verdict.faults.append(
                Fault("vanished", f"{len(self.unlisted)} connections of QUIC", f"{wanted} bytes of no connection", self.other_bytes()))

    def judge_new_bytes(self, pair, source, rows):
        """Bytes that come for the first time: of one connection, whose packets all have their place in its streams."""
        known = self.truth.by_pair[pair]
        side = "up" if source == known[0].client else "down"
        stream = known[0].streams[side]
        if len(known) > 1 or stream.distinct() != known[0].row[side]["payload_new"]:
            return
        wanted = stream.distinct(self.kept)
        seen = sum(row[part]["payload_new"] for row in rows for part, sender in (("up", "client"), ("down", "server"))
                   if row[sender] == source)
        if seen != wanted:
            self.verdict.faults.append(Fault("cost new bytes", f"payload from {source}", wanted, seen))


def place_of(call):
    stream = "" if call.stream is None else f" stream {call.stream}"
    return (f"connection {call.connection.number} exchange {call.row['exchange']}{stream} "
            f"{call.row['method']} {call.row['target']}")


def excuses(row, known):
    """The parts of a record that its flags admit to be wrong: "request", "answer", "both"."""
    parts = set()
    for flag in set(row["flags"]) - set(known["flags"]):
        what = EXCUSES.get(flag)
        if what == "all":
            return {"request", "answer", "both"}
        if what in ("request", "answer"):
            parts.add(what)
        elif what == "cut":
            parts |= {part for part, name in (("request", "request"), ("answer", "response"))
                      if row[name] is None or not row[name]["complete"]}
    return parts


def is_broken(row, known):
    """Whether the record of a connection says that it was not read whole."""
    if set(row["flags"]) & BROKEN or row["up"]["unseen"] or row["down"]["unseen"]:
        return True
    tls = row["tls"]
    return bool(tls and known["tls"] and (tls["decrypted"] is not True or tls["blindness"]) and known["tls"]["decrypted"])
