"""What is known of a complete capture: its exchanges, and the packets that hold their messages.

The exchanges are those of wireaudit's own audit of the complete, ordered capture, which other checks hold against
programs and kernels. The packets are found without it: by stream offsets of the segments, decoded here."""

import bisect
import os

import captures
import segments
from segments import SYN, distance

SIDES = ("up", "down")
# Flags that say nothing against the figures of a call.
HARMLESS = {"upgraded", "tunnel", "pushed"}


class Stream:
    """One direction of a connection: its payload segments by stream offset, or its datagrams by the order of the capture."""

    def __init__(self):
        self.origin, self.pieces, self.bytes, self.length = None, [], bytearray(), 0

    def add(self, index, piece):
        if piece.seq is None:
            # A datagram: it lies where the bytes of those before it end.
            piece.start, self.origin = self.length, 0
            self.length += piece.size
            self.pieces.append((piece.start, self.length, index))
            return
        if self.origin is None:
            self.origin = piece.seq + (1 if piece.flags & SYN else 0)
        if piece.size > 0:
            piece.start = distance(piece.seq + (1 if piece.flags & SYN else 0), self.origin)
            self.pieces.append((piece.start, piece.start + piece.size, index))
            self.fill(piece)

    def fill(self, piece):
        """Keeps content that follows what is there, for the proof that offsets are right."""
        known = len(self.bytes)
        if piece.start <= known < piece.start + len(piece.payload):
            self.bytes += piece.payload[known - piece.start:]

    def close(self):
        self.pieces.sort()
        self.longest = max((end - start for start, end, _ in self.pieces), default=0)

    def distinct(self, present=None):
        """Bytes of the stream that these packets hold, or all."""
        total = place = 0
        for start, end, index in self.pieces:
            if present is None or index in present:
                total += max(0, end - max(start, place))
                place = max(place, end)
        return total

    def holders(self, start, end):
        """Indexes of the packets that hold a byte of the range."""
        first = bisect.bisect_left(self.pieces, (start - self.longest,))
        found = set()
        for low, high, index in self.pieces[first:]:
            if low >= end:
                break
            if high > start:
                found.add(index)
        return found


class Connection:
    """A connection of the complete capture, of TCP or QUIC."""

    def __init__(self, number, row):
        self.number, self.row = number, row
        self.client, self.server = row["client"], row["server"]
        self.pair = frozenset((self.client, self.server))
        self.packets, self.streams = [], {"up": Stream(), "down": Stream()}
        self.exchanges = []
        self.opening = set()

    def add(self, index, piece):
        piece.client = piece.source == self.client
        self.packets.append(index)
        self.streams["up" if piece.client else "down"].add(index, piece)


class Exchange:
    """A call of the complete capture: its record, and the packets with a byte of its messages.

    `first` holds, by side, the packets with the first byte of a message. `shown` tells whether its figures can be held
    against others."""

    def __init__(self, row, connection):
        self.row, self.connection = row, connection
        self.packets = {"up": set(), "down": set()}
        self.first = {"up": set(), "down": set()}
        self.shown = not set(row["flags"]) - HARMLESS and row["request"] is not None and row["response"] is not None

    @property
    def stream(self):
        return self.row["stream"]


class Truth:
    """A complete capture with its connections and exchanges."""

    def __init__(self, name, capture, keys, program, folder):
        self.name, self.capture, self.keys = name, capture, keys
        path = os.path.join(folder, name.replace("/", "+") + ".pcap")
        with open(path, "wb") as file:
            file.write(captures.written(capture.links, capture.records, capture.secrets))
        self.answer = program.ask([path], keys)
        said = self.answer.connections
        os.unlink(path)
        self.packets = [segments.decoded(record.data, capture.links[record.interface], record.length)
                        for record in capture.records]
        self.connections = [Connection(number, row) for number, row in enumerate(
            sorted(said, key=lambda row: row["connection"]))]
        self.connection_of = {}
        self.assign_packets()
        # Numbers may have gaps: what was captured at two places has one of them only.
        numbered = {connection.row["connection"]: connection for connection in self.connections}
        self.exchanges = [Exchange(row, numbered[row["connection"]]) for row in self.answer.exchanges]
        for exchange in sorted(self.exchanges, key=lambda exchange: exchange.row["exchange"]):
            exchange.connection.exchanges.append(exchange)
        for connection in self.connections:
            self.locate(connection)
        self.copies = self.answer.audit["ledger"]["layers"]["duplicate"] > 0
        self.by_pair = {}
        for connection in self.connections:
            self.by_pair.setdefault(connection.pair, []).append(connection)
        self.first_packets = {side: {index for call in self.exchanges for index in call.first[side]} for side in SIDES}
        self.openings = set().union(*(connection.opening for connection in self.connections))
        self.quic_pairs = {pair for pair, known in self.by_pair.items() if known[0].row["transport"] == "quic"}
        self.udp_pairs = {piece.pair for piece in self.packets if piece and piece.seq is None}
        self.summed = self.find_summed()
        self.clients = {connection.client.rpartition(":")[0] for connection in self.connections}
        self.directions = [self.find_direction(index) for index in range(len(self.packets))]

    def find_summed(self):
        """The pairs of addresses whose packets are all decoded here: for them the program's sums are those made here."""
        said = {}
        for connection in self.connections:
            for source, side in ((connection.client, "up"), (connection.server, "down")):
                row = said.setdefault(connection.pair, {}).setdefault(source, [0, 0, 0, 0])
                for place, name in enumerate(("packets", "frames", "ip", "payload")):
                    row[place] += connection.row[side][name]
        here = segments.sums(self.packets, self.capture.records, range(len(self.packets)))
        return {pair for pair in said if here.get(pair) == said[pair]}

    def is_up(self, index):
        """Whether a client sent this packet."""
        return self.directions[index]

    def find_direction(self, index):
        piece = self.packets[index]
        if index in self.connection_of:
            return piece.client
        record = self.capture.records[index]
        return segments.sender(record.data, self.capture.links[record.interface]) in self.clients

    def assign_packets(self):
        """A packet belongs to the connection of its addresses that began last before it."""
        begun = {}
        starts = {connection.row["first_packet"] - 1: connection for connection in self.connections}
        for index, piece in enumerate(self.packets):
            if index in starts:
                begun[starts[index].pair] = starts[index]
            connection = begun.get(piece.pair) if piece else None
            if connection:
                connection.add(index, piece)
                self.connection_of[index] = connection
        for connection in self.connections:
            for stream in connection.streams.values():
                stream.close()

    def locate(self, connection):
        """Finds the packets of each message of a connection, by offsets where messages follow each other without
        anything between them, else by the times of their first and last bytes."""
        if not self.locate_by_offsets(connection):
            self.locate_by_times(connection)
        calls = connection.exchanges
        # In a tunnel the handshake comes behind CONNECT.
        inside = [call for call in calls if call.row["tls"]] or calls
        places = [min(self.packets[index].start for index in call.first["up"]) for call in inside if call.first["up"]]
        before = min(places, default=0)
        answers = [min(self.packets[index].start for index in call.first["down"]) for call in inside if call.first["down"]]
        connection.opening = {index for index in connection.packets if self.packets[index].flags & SYN}
        if connection.row["tls"] or any(call.stream is not None for call in calls):
            connection.opening |= connection.streams["up"].holders(0, before)
            connection.opening |= connection.streams["down"].holders(0, min(answers, default=0))

    def locate_by_offsets(self, connection):
        if connection.row["tls"] or any(call.stream is not None for call in connection.exchanges):
            return False
        ranges = {}
        for side, word in (("up", None), ("down", b"HTTP/")):
            stream, place, ranges[side] = connection.streams[side], 0, []
            for call in connection.exchanges:
                size = call.row[side]["message"] + call.row[side]["opaque"]
                start = stream.bytes[place:place + 16]
                if size and not start.startswith(word or (call.row["method"] or "?").encode()):
                    return False
                ranges[side].append((place, place + size))
                place += size
            if place != connection.row[side]["payload_new"]:
                return False
        for side, list_ in ranges.items():
            for call, (start, end) in zip(connection.exchanges, list_):
                call.packets[side] = connection.streams[side].holders(start, end)
                call.first[side] = connection.streams[side].holders(start, min(start + 1, end))
        return True

    def locate_by_times(self, connection):
        """What lies between the first byte of a message and the last one of its exchange, or the next message of the
        connection where streams are not interleaved."""
        calls = connection.exchanges
        spans = {"up": [], "down": []}
        for call in calls:
            asked = self.at(connection, "up", call.row["time"])
            for side, index in (("up", asked), ("down", self.answer_start(connection, call, asked))):
                spans[side].append(None if index is None else self.packets[index].start)
        for side in SIDES:
            stream = connection.streams[side]
            for number, call in enumerate(calls):
                start = spans[side][number]
                if start is None:
                    if call.stream is not None:
                        call.packets[side] = self.sent_between(connection, side, call)
                    continue
                call.first[side] = stream.holders(start, start + 1)
                end = self.end(connection, side, call)
                if call.stream is None:
                    following = [place for place in spans[side][number + 1:] if place is not None and place > start]
                    end = min([end] + following[:1])
                call.packets[side] = stream.holders(start, max(end, start + 1))

    def at(self, connection, side, time):
        """The packet with payload in this direction that was captured at this time."""
        for index in connection.packets:
            piece = self.packets[index]
            if piece.client == (side == "up") and piece.size > 0 and self.capture.records[index].time == time:
                return index
        return None

    def answer_start(self, connection, call, asked):
        """The packet in which the answer begins. Its time is told from the end of the request: from one of the packets
        that the client sent since the request began."""
        if call.row["ttfb"] is None or asked is None:
            return None
        last = call.row["time"] + call.row["duration"]
        for index in reversed(connection.packets):
            piece, time = self.packets[index], self.capture.records[index].time
            if piece.client and piece.size > 0 and index >= asked and time <= last:
                start = self.at(connection, "down", time + call.row["ttfb"])
                if start is not None:
                    return start
        return None

    def sent_between(self, connection, side, call):
        """For a message of a stream whose first byte is not known: all that was sent while its exchange went on."""
        first, last = call.row["time"], call.row["time"] + call.row["duration"]
        return {index for index in connection.packets if self.packets[index].size > 0
                and self.packets[index].client == (side == "up") and first <= self.capture.records[index].time <= last}

    def end(self, connection, side, call):
        """Stream offset behind the last byte sent before the exchange ended."""
        last = call.row["time"] + call.row["duration"]
        return max((piece.start + piece.size for index in connection.packets for piece in [self.packets[index]]
                    if piece.size > 0 and piece.client == (side == "up") and self.capture.records[index].time <= last),
                   default=0)
