"""TCP segments and UDP datagrams of frames, decoded without wireaudit: Ethernet with VLAN tags, Linux cooked, loopback and raw IP."""

import ipaddress
import struct

ETHERNET, COOKED, COOKED2, NULL, LOOP, RAW, RAW_OLD = 1, 113, 276, 0, 108, 101, 12
FIN, SYN, RST, PUSH, ACK = 1, 2, 4, 8, 16


class Segment:
    """A TCP segment or a UDP datagram, which has no numbers and flags: addresses as wireaudit prints them, numbers, lengths by the IP header, and what was captured of
    its payload."""

    __slots__ = ("source", "target", "pair", "seq", "ack", "flags", "size", "payload", "ip_size", "fixed", "head", "start",
                 "client")

    def __init__(self, source, target, seq, ack, flags, size, payload, ip_size, fixed, head):
        self.source, self.target, self.pair = source, target, frozenset((source, target))
        self.seq, self.ack, self.flags = seq, ack, flags
        # Lengths of what the frame holds up to the options of TCP, and up to its payload.
        self.size, self.payload, self.ip_size, self.fixed, self.head = size, payload, ip_size, fixed, head
        # Set where its connection is known: stream offset of its first byte; whether the client sent it.
        self.start = self.client = None


def decoded(data, link, length):
    """The segment or datagram in a frame of a complete capture, or None for a fragment, a tunnel, and anything else."""
    kind, place = network(data, link)
    if kind == 0x0800 and len(data) >= place + 20:
        header, total = (data[place] & 15) * 4, int.from_bytes(data[place + 2:place + 4], "big")
        fragment = int.from_bytes(data[place + 6:place + 8], "big") & 0x3FFF
        protocol = data[place + 9]
        if fragment:
            return None
        addresses = data[place + 12:place + 16], data[place + 16:place + 20]
        total = total or length - place
    elif kind == 0x86DD and len(data) >= place + 40:
        header, total = 40, 40 + int.from_bytes(data[place + 4:place + 6], "big")
        protocol = data[place + 6]
        addresses = data[place + 8:place + 24], data[place + 24:place + 40]
    else:
        return None
    if protocol not in READERS:
        return None
    return READERS[protocol](data, place, header, min(total, length - place), addresses)


def segment(data, place, header, total, addresses):
    tcp = place + header
    if len(data) < tcp + 20:
        return None
    ports = struct.unpack_from(">HH", data, tcp)
    seq, ack, offset, flags = struct.unpack_from(">IIBB", data, tcp + 4)
    head = tcp + (offset >> 4) * 4
    size = total - header - (offset >> 4) * 4
    source, target = (endpoint(address, port) for address, port in zip(addresses, ports))
    return Segment(source, target, seq, ack, flags, size, data[head:head + size], total, tcp + 20, head)


def datagram(data, place, header, total, addresses):
    udp, head = place + header, place + header + 8
    if len(data) < head:
        return None
    ports = struct.unpack_from(">HH", data, udp)
    size = total - header - 8
    source, target = (endpoint(address, port) for address, port in zip(addresses, ports))
    return Segment(source, target, None, None, 0, size, data[head:head + size], total, head, head)


READERS = {6: segment, 17: datagram}


def network(data, link):
    """EtherType and place of the network header."""
    if link == ETHERNET:
        place = 12
    elif link == COOKED:
        place = 14
    elif link == COOKED2:
        return int.from_bytes(data[:2], "big"), 20
    elif link in (NULL, LOOP):
        return (0x0800 if data[4:5] and data[4] >> 4 == 4 else 0x86DD), 4
    elif link in (RAW, RAW_OLD):
        return (0x0800 if data[:1] and data[0] >> 4 == 4 else 0x86DD), 0
    else:
        return None, 0
    kind = int.from_bytes(data[place:place + 2], "big")
    while kind in (0x8100, 0x88A8, 0x9100):
        place += 4
        kind = int.from_bytes(data[place:place + 2], "big")
    return kind, place + 2


def sender(data, link):
    """The address that sent a frame, as it stands before a port, or None."""
    kind, place = network(data, link)
    if kind == 0x0800:
        return endpoint(data[place + 12:place + 16], 0).rpartition(":")[0]
    return endpoint(data[place + 8:place + 24], 0).rpartition(":")[0] if kind == 0x86DD else None


def endpoint(address, port):
    text = str(ipaddress.ip_address(address))
    return f"[{text}]:{port}" if ":" in text else f"{text}:{port}"


def distance(number, origin):
    """How far a sequence number lies behind another, which may be less than zero."""
    return (number - origin + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def sums(packets, records, indexes):
    """Packets, frame bytes, IP bytes and payload of these packets, by pair of addresses and sender."""
    result = {}
    for index in indexes:
        piece = packets[index]
        if piece:
            row = result.setdefault(piece.pair, {}).setdefault(piece.source, [0] * 4)
            for place, value in enumerate((1, records[index].length, piece.ip_size, piece.size)):
                row[place] += value
    return result
