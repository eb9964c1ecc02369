"""Capture files, read by ourselves: pcap and pcapng of this machine's byte order."""

import struct


class Frame:
    __slots__ = ("time", "interface", "length", "data", "dropped")

    def __init__(self, time, interface, length, data, dropped=0):
        self.time, self.interface, self.length, self.data, self.dropped = time, interface, length, data, dropped

    def key(self):
        """What makes it the same frame in another file."""
        return self.length, self.data


class CaptureFile:
    """Frames in their order, with times in nanoseconds; and what a pcapng says of its interfaces."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.frames, self.interfaces, self.secrets, self.statistics, self.section = [], [], b"", [], {}
        magic = data[:4]
        if magic == b"\x0a\x0d\x0d\x0a":
            self.digits = 9
            self.read_blocks(data)
        elif magic in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1"):
            self.digits = 9 if magic[0] == 0x4D else 6
            self.read_records(data, 1 if self.digits == 9 else 1000)
        else:
            raise ValueError(f"{path} is no capture of this machine")

    @property
    def bytes(self):
        return sum(frame.length for frame in self.frames)

    @property
    def dropped(self):
        return sum(frame.dropped for frame in self.frames)

    def read_records(self, data, unit):
        self.interfaces = [{"link": struct.unpack_from("<I", data, 20)[0] & 0xFFFF}]
        place = 24
        while place + 16 <= len(data):
            seconds, fraction, held, length = struct.unpack_from("<IIII", data, place)
            place += 16
            if place + held > len(data):
                break
            self.frames.append(Frame(seconds * 10**9 + fraction * unit, 0, length, data[place : place + held]))
            place += held

    def read_blocks(self, data):
        place = 0
        while place < len(data):
            kind, length = struct.unpack_from("<II", data, place)
            if length < 12 or length % 4 or place + length > len(data):
                raise ValueError(f"block at {place} has length {length} of {len(data) - place}")
            if struct.unpack_from("<I", data, place + length - 4)[0] != length:
                raise ValueError(f"block at {place}: its lengths differ")
            self.read_block(kind, data[place + 8 : place + length - 4])
            place += length

    def read_block(self, kind, body):
        if kind == 0x0A0D0D0A:
            if struct.unpack_from("<I", body)[0] != 0x1A2B3C4D:
                raise ValueError("not this machine's byte order")
            self.section = dict(options(body[16:]))
        elif kind == 1:
            link, _, snapshot = struct.unpack_from("<HHI", body)
            found = dict(options(body[8:]))
            if found.get(9, b"\x06") != b"\x09":
                raise ValueError("times are not in nanoseconds")
            self.interfaces.append(
                {
                    "link": link,
                    "snapshot": snapshot,
                    "name": found.get(2, b"").decode(),
                    "filter": found.get(11, b"")[1:].decode(),
                }
            )
        elif kind == 6:
            interface, high, low, held, length = struct.unpack_from("<IIIII", body)
            if interface >= len(self.interfaces) or 20 + held > len(body):
                raise ValueError("packet block that cannot be")
            lost = dict(options(body[20 + (held + 3) // 4 * 4 :])).get(4, b"\0")
            self.frames.append(
                Frame(high << 32 | low, interface, length, body[20 : 20 + held], int.from_bytes(lost, "little"))
            )
        elif kind == 10:
            length = struct.unpack_from("<I", body, 4)[0]
            self.secrets += body[8 : 8 + length]
        elif kind == 5:
            found = dict(options(body[12:]))
            self.statistics.append(
                {
                    "interface": struct.unpack_from("<I", body)[0],
                    **{
                        name: int.from_bytes(found[code], "little")
                        for code, name in ((4, "received"), (5, "interface_drops"), (7, "system_drops"))
                        if code in found
                    },
                }
            )


def options(data):
    place = 0
    while place + 4 <= len(data):
        code, length = struct.unpack_from("<HH", data, place)
        if code == 0:
            return
        if place + 4 + length > len(data):
            raise ValueError("option that is longer than its block")
        yield code, data[place + 4 : place + 4 + length]
        place += 4 + (length + 3) // 4 * 4
    if place != len(data):
        raise ValueError("options that do not end with their block")
