"""When the client of each connection closed it, read from the capture itself: the first FIN or RST that the client sent. The app
gave up a call whose connection it closed before the response had ended, and its row tells of that moment; what the server
still sends tells nothing of it."""
import bisect
import collections
import struct

FIN, SYN, RST = 1, 2, 4
ETHERNET, IPV4, TCP = 14, 0x0800, 6


def packets(path):
    """(nanoseconds, frame) of a classic capture of Ethernet frames."""
    with open(path, "rb") as file:
        data = file.read()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    fraction = 1 if data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
    place = 24
    while place + 16 <= len(data):
        seconds, part, length, _ = struct.unpack_from(order + "IIII", data, place)
        yield seconds * 1_000_000_000 + part * fraction, data[place + 16:place + 16 + length]
        place += 16 + length


class Closes:
    def __init__(self, path):
        # Client port -> [(opened, closed)] in order of time; closed is None where the client never did.
        self.connections = collections.defaultdict(list)
        # Sequence number of each port's last SYN: another one begins another connection.
        numbers = {}
        for time, frame in packets(path):
            if len(frame) < ETHERNET + 40 or struct.unpack_from(">H", frame, 12)[0] != IPV4 or frame[ETHERNET + 9] != TCP:
                continue
            tcp = ETHERNET + 4 * (frame[ETHERNET] & 15)
            port, (flags,) = struct.unpack_from(">H", frame, tcp)[0], struct.unpack_from("B", frame, tcp + 13)
            if flags & SYN and not flags & 16:
                number = frame[tcp + 4:tcp + 8]
                if numbers.get(port) != number:
                    self.connections[port].append((time, None))
                numbers[port] = number
            elif flags & (FIN | RST) and self.connections.get(port) and self.connections[port][-1][1] is None:
                self.connections[port][-1] = self.connections[port][-1][0], time

    def of(self, port, time):
        """When the client closed the connection that it had opened from this port before a time; None for never."""
        opened = self.connections.get(port, [])
        place = bisect.bisect_right(opened, time, key=lambda connection: connection[0]) - 1
        return opened[place][1] if place >= 0 else None
