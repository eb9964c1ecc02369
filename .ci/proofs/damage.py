"""What can happen to a capture: packets lost, doubled, cut, out of order, clocks apart. All is drawn from a seeded
generator, so that each case can be made again."""

import captures
from segments import FIN, RST, SYN

MILLISECOND = 1_000_000


class Item:
    """A packet in a damaged capture: which one it was, its time, how many bytes of it are kept, its interface."""

    __slots__ = ("index", "time", "kept", "interface", "copied")

    def __init__(self, index, time, kept, interface, copied=False):
        self.index, self.time, self.kept, self.interface, self.copied = index, time, kept, interface, copied


class Damaged:
    """A damaged capture: its items in file order, and how they are written."""

    def __init__(self, truth):
        self.truth = truth
        self.items = [Item(index, record.time, len(record.data), record.interface)
                      for index, record in enumerate(truth.capture.records)]
        # What was done, in words; whether it took bytes, added copies, moved packets of one direction, and moved clocks.
        self.steps = []
        self.losses = self.copies = self.reorders = self.skews = False
        # None: one interface as before. "interfaces": two taps in one file. "files": two taps, a file each.
        self.taps = None

    def files(self):
        """The contents of the file or files."""
        truth = self.truth
        records, links = truth.capture.records, truth.capture.links
        if self.taps:
            links = [links[0], links[0]]
        made = [captures.Record(item.time, records[item.index].data[:item.kept], records[item.index].length, item.interface)
                for item in self.items]
        if self.taps != "files":
            return [captures.written(links, made, truth.capture.secrets)]
        parts = [[record for record in made if record.interface == side] for side in (0, 1)]
        for record in made:
            record.interface = 0
        return [captures.written(links[:1], part, truth.capture.secrets) for part in parts if part or not made]


def damaged(truth, rng):
    """The capture of a truth, damaged once, or twice, or three times."""
    result = Damaged(truth)
    if len(result.items) > 400:
        excerpt(result, rng)
    count = rng.choices((1, 2, 3), (70, 20, 10))[0]
    names = []
    while len(names) < count:
        name = rng.choices(list(DAMAGES), [weight for weight, _ in DAMAGES.values()])[0]
        # One pair of taps, and one clock, are enough.
        if name not in names and not {name, *names} >= {"skew", "taps"}:
            names.append(name)
    # Taps come last: their clocks belong to the files, not to the packets.
    for name in sorted(names, key=lambda name: name == "taps"):
        result.steps.append(f"{name}: {DAMAGES[name][1](result, rng)}")
    return result


def excerpt(result, rng):
    """Some connections of a long capture, so that many cases can be had in little time. What is no TCP stays."""
    truth, chosen, size = result.truth, set(), 0
    for connection in rng.sample(truth.connections, len(truth.connections)):
        if size == 0 or size + len(connection.packets) <= 400:
            chosen.add(connection)
            size += len(connection.packets)
    result.items = [item for item in result.items
                    if truth.connection_of.get(item.index) is None or truth.connection_of[item.index] in chosen]
    result.steps.append(f"excerpt: {len(chosen)} of {len(truth.connections)} connections")


def remove(result, lost):
    """Takes out the items at these places."""
    lost = set(lost)
    result.items = [item for place, item in enumerate(result.items) if place not in lost]
    result.losses = True
    return f"{len(lost)} packets"


def drop_few(result, rng):
    count = min(len(result.items), rng.randint(1, 5))
    places = rng.sample(range(len(result.items)), count)
    names = ", ".join(str(result.items[place].index + 1) for place in sorted(places))
    remove(result, places)
    return f"packets {names}"


def drop_burst(result, rng):
    size = rng.randint(1, 20)
    start = rng.randrange(max(1, len(result.items) - size))
    return remove(result, range(start, min(start + size, len(result.items)))) + f" in a row behind {start}"


def drop_share(result, rng):
    share = rng.choice((0.005, 0.02, 0.1, 0.3))
    return remove(result, [place for place in range(len(result.items)) if rng.random() < share]) + f", share {share}"


def drop_direction(result, rng):
    """A share of one direction, or all of it, in one connection or all."""
    up, share = rng.random() < 0.5, rng.choice((0.02, 0.1, 0.5, 1))
    only = rng.choice(result.truth.connections + [None]) if result.truth.connections else None
    chosen = [place for place, item in enumerate(result.items)
              if result.truth.is_up(item.index) == up and rng.random() < share
              and (only is None or result.truth.connection_of.get(item.index) is only)]
    return remove(result, chosen) + f" {'up' if up else 'down'}, share {share}" + (
        "" if only is None else f", connection {only.number}")


def drop_kind(result, rng):
    name = rng.choice(sorted(KINDS))
    share = rng.choice((0.1, 0.5, 1))
    pieces = result.truth.packets
    chosen = [place for place, item in enumerate(result.items)
              if pieces[item.index] and KINDS[name](pieces[item.index], result.truth, item.index) and rng.random() < share]
    return remove(result, chosen) + f", kind {name}, share {share}"


KINDS = {
    "syn": lambda piece, truth, index: piece.flags & SYN and piece.client,
    "syn-ack": lambda piece, truth, index: piece.flags & SYN and not piece.client,
    "fin": lambda piece, truth, index: piece.flags & FIN,
    "rst": lambda piece, truth, index: piece.flags & RST,
    "acknowledgments": lambda piece, truth, index: piece.size == 0 and not piece.flags & (SYN | FIN | RST),
    "small data": lambda piece, truth, index: 0 < piece.size <= 100,
    "full data": lambda piece, truth, index: piece.size >= 1000,
    "first bytes of requests": lambda piece, truth, index: index in truth.first_packets["up"],
    "first bytes of answers": lambda piece, truth, index: index in truth.first_packets["down"],
    "openings": lambda piece, truth, index: index in truth.openings,
    "payload behind first bytes": lambda piece, truth, index:
        piece.size > 0 and index not in truth.first_packets["up"] and index not in truth.first_packets["down"],
}


def copy(result, rng):
    """Exact copies that come at once or later, in the place of their time."""
    share, longest = rng.choice((0.02, 0.2, 1)), rng.choice((0, 1000, 5 * MILLISECOND, 60 * MILLISECOND, 1500 * MILLISECOND))
    added = []
    for item in result.items:
        added.append(item)
        if rng.random() < share:
            added.append(Item(item.index, item.time + rng.randint(0, longest), item.kept, item.interface, True))
    count = len(added) - len(result.items)
    added.sort(key=lambda item: item.time)
    result.items, result.copies = added, True
    return f"{count} packets, up to {longest / MILLISECOND} ms later"


def snap(result, rng):
    length, share = rng.choice((54, 60, 66, 80, 96, 128, 200, 500, 1000)), rng.choice((0.02, 0.2, 1))
    count = 0
    for item in result.items:
        if item.kept > length and rng.random() < share:
            item.kept = length
            count += 1
    result.losses = True
    return f"{count} packets to {length} bytes"


def swap(result, rng):
    """Packets change places with the next; times stay with the packets, or with the places."""
    count, restamps = rng.choice((1, 1, 3, 10)), rng.random() < 0.7
    places = sorted(rng.randrange(max(1, len(result.items) - 1)) for _ in range(count))
    times = [item.time for item in result.items]
    for place in places:
        if place + 1 < len(result.items):
            result.items[place:place + 2] = reversed(result.items[place:place + 2])
    if restamps:
        restamp(result, times)
    result.reorders = True
    numbers = ", ".join(str(place + 1) for place in places)
    return f"places {numbers}, times {'of the places' if restamps else 'kept'}"


def shuffle(result, rng):
    """Packets are mixed within windows."""
    size, share, restamps = rng.choice((2, 3, 5, 10)), rng.choice((0.05, 0.3, 1)), rng.random() < 0.7
    times = [item.time for item in result.items]
    for start in range(0, len(result.items), size):
        if rng.random() < share:
            window = result.items[start:start + size]
            rng.shuffle(window)
            result.items[start:start + size] = window
    if restamps:
        restamp(result, times)
    result.reorders = True
    return f"windows of {size}, share {share}, times {'of the places' if restamps else 'kept'}"


def restamp(result, times):
    for item, time in zip(result.items, times):
        item.time = time


def shift(rng):
    """0.05 to 50 ms, each magnitude as likely, to either side, in ns."""
    return int(rng.choice((-1, 1)) * 50_000 * 1000 ** rng.random())


def skew(result, rng):
    """The clock of one direction is off, in all connections or in one."""
    up, offset = rng.random() < 0.5, shift(rng)
    only = rng.choice(result.truth.connections) if result.truth.connections and rng.random() < 0.2 else None
    for item in result.items:
        if result.truth.is_up(item.index) == up and (only is None or result.truth.connection_of.get(item.index) is only):
            item.time += offset
    result.items.sort(key=lambda item: item.time)
    result.skews = True
    return f"{'up' if up else 'down'} by {offset / MILLISECOND:.3f} ms" + ("" if only is None else f", connection {only.number}")


def queues(result, rng):
    """Each direction waits in a queue of its own: its packets keep their order and come late by changing times."""
    longest = abs(shift(rng))
    waits, latest = {}, {}
    for item in result.items:
        up = result.truth.is_up(item.index)
        if up not in waits or rng.random() < 0.2:
            waits[up] = rng.randint(0, longest)
        item.time = latest[up] = max(item.time + waits[up], latest.get(up, 0))
    result.items.sort(key=lambda item: item.time)
    result.skews = True
    return f"up to {longest / MILLISECOND:.3f} ms"


def taps(result, rng):
    """Each direction was captured by a tap with a clock of its own; both are one file, or two."""
    if len(result.truth.capture.links) > 1:
        return "none: the capture has several interfaces"
    result.taps, offset = rng.choice(("interfaces", "files")), rng.choice((0, shift(rng)))
    for item in result.items:
        item.interface = 0 if result.truth.is_up(item.index) else 1
        item.time += offset * item.interface
    result.items.sort(key=lambda item: item.time)
    result.skews = True
    return f"two {result.taps}, down {offset / MILLISECOND:.3f} ms off"


def cut_start(result, rng):
    """The capture begins late, or ends early (below)."""
    return remove(result, range(rng.randint(1, max(1, len(result.items) * 3 // 4))))


def cut_end(result, rng):
    size = len(result.items)
    return remove(result, range(rng.randint(size // 4, max(size // 4, size - 1)), size))


DAMAGES = {
    "drop few": (20, drop_few), "drop burst": (8, drop_burst), "drop share": (8, drop_share),
    "drop direction": (6, drop_direction), "drop kind": (10, drop_kind), "copy": (6, copy), "snap": (8, snap),
    "swap": (12, swap), "shuffle": (6, shuffle), "skew": (12, skew), "queues": (4, queues), "taps": (8, taps),
    "cut start": (5, cut_start), "cut end": (4, cut_end),
}
