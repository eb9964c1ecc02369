"""Capture files as lists of records, and back: pcap and pcapng, plain, in gzip or zstd."""

import ctypes
import ctypes.util
import gzip
import struct

PCAP_MAGICS = {0xA1B2C3D4: 1000, 0xA1B23C4D: 1}
SECTION, INTERFACE, SIMPLE, SECRETS, ENHANCED = 0x0A0D0D0A, 1, 3, 0x0A, 6
LONGEST = 262144


class Unreadable(Exception):
    """A file that cannot be read here, with the reason."""


class Record:
    """A packet as its file holds it: time in ns, captured bytes, original length, interface."""

    __slots__ = ("time", "data", "length", "interface")

    def __init__(self, time, data, length, interface=0):
        self.time, self.data, self.length, self.interface = time, data, length, interface


class Capture:
    """The records of a file, the link type of each interface, and the blocks of secrets that stand in it."""

    def __init__(self, links, records, secrets=()):
        self.links, self.records, self.secrets = list(links), list(records), list(secrets)


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    elif data[:4] == b"\x28\xb5\x2f\xfd":
        data = zstd_decompressed(data)
    return read_pcapng(data) if data[:4] == b"\x0a\x0d\x0d\x0a" else read_pcap(data)


def zstd_decompressed(data):
    """By the C library that wireaudit needs as well: Python's own library has none."""
    name = ctypes.util.find_library("zstd")
    if name is None:
        raise Unreadable("libzstd is missing")
    library = ctypes.CDLL(name)
    decompress = library.ZSTD_decompress
    decompress.restype = ctypes.c_size_t
    decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    # A few MB are enough for a golden capture; a size that the frame tells would be another call.
    room = ctypes.create_string_buffer(64 * len(data) + (1 << 22))
    size = decompress(room, len(room), data, len(data))
    if library.ZSTD_isError(ctypes.c_size_t(size)):
        raise Unreadable("damaged zstd frame")
    return room.raw[:size]


def read_pcap(data):
    for order in "<>":
        magic = struct.unpack_from(order + "I", data)[0]
        if magic in PCAP_MAGICS:
            break
    else:
        raise Unreadable("neither pcap nor pcapng")
    unit = PCAP_MAGICS[magic]
    link = struct.unpack_from(order + "I", data, 20)[0] & 0xFFFF
    header, records, place = struct.Struct(order + "IIII"), [], 24
    while place + 16 <= len(data):
        seconds, fraction, captured, length = header.unpack_from(data, place)
        place += 16
        records.append(Record(seconds * 10**9 + fraction * unit, data[place:place + captured], length))
        place += captured
    return Capture([link], records)


def read_pcapng(data):
    links, units, records, secrets = [], [], [], []
    place, order = 0, "<"
    while place + 12 <= len(data):
        if data[place:place + 4] == b"\x0a\x0d\x0d\x0a":
            order = "<" if data[place + 8:place + 12] == b"\x4d\x3c\x2b\x1a" else ">"
            if links:
                raise Unreadable("pcapng with several sections")
        kind, size = struct.unpack_from(order + "II", data, place)
        body = data[place + 8:place + size - 4]
        if kind == INTERFACE:
            links.append(struct.unpack_from(order + "H", body)[0])
            units.append(time_unit(body[8:], order))
        elif kind == ENHANCED:
            interface, high, low, captured, length = struct.unpack_from(order + "IIIII", body)
            unit, offset = units[interface]
            records.append(Record(unit(high << 32 | low) + offset, body[20:20 + captured], length, interface))
        elif kind == SIMPLE:
            raise Unreadable("pcapng with packets without a time")
        elif kind == SECRETS:
            type_, length = struct.unpack_from(order + "II", body)
            secrets.append((type_, body[8:8 + length]))
        place += max(size, 12)
    return Capture(links, records, secrets)


def time_unit(options, order):
    """How an interface's ticks become nanoseconds, and its offset."""
    resolution, offset, place = 6, 0, 0
    while place + 4 <= len(options):
        code, size = struct.unpack_from(order + "HH", options, place)
        value = options[place + 4:place + 4 + size]
        if code == 9:
            resolution = value[0]
        elif code == 14:
            offset = struct.unpack(order + "q", value)[0]
        elif code == 0:
            break
        place += 4 + (size + 3) // 4 * 4
    if resolution & 0x80:
        return (lambda ticks: ticks * 10**9 >> (resolution & 0x7F)), offset * 10**9
    return (lambda ticks: ticks * 10**9 // 10**resolution), offset * 10**9


def written(links, records, secrets=()):
    """A file with these records: pcap in ns, or pcapng where it has several interfaces or secrets."""
    if len(links) == 1 and not secrets:
        parts = [struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, LONGEST, links[0])]
        pack = struct.Struct("<IIII").pack
        for record in records:
            seconds, fraction = divmod(record.time, 10**9)
            parts += (pack(seconds, fraction, len(record.data), record.length), record.data)
        return b"".join(parts)
    parts = [block(SECTION, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))]
    for link in links:
        # Option 9: times in 10^-9 s.
        parts.append(block(INTERFACE, struct.pack("<HHIHHB3xHH", link, 0, LONGEST, 9, 1, 9, 0, 0)))
    for type_, text in secrets:
        parts.append(block(SECRETS, struct.pack("<II", type_, len(text)) + text))
    for record in records:
        parts.append(block(ENHANCED, struct.pack(
            "<IIIII", record.interface, record.time >> 32, record.time & 0xFFFFFFFF, len(record.data), record.length) + record.data))
    return b"".join(parts)


def block(kind, body):
    body += bytes(-len(body) % 4)
    size = struct.pack("<I", 12 + len(body))
    return struct.pack("<I", kind) + size + body + size
