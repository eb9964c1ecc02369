"""Capture sessions of a made-up fleet, written from scratch: packets, what the SDK logged, and the truth.

Every session is a device with a network of its own: latency, losses, and a bias of its SDK that all its calls share. So
calls of a session are not independent, and only a test by sessions has the false alarms that it promises."""
import json
import os
import random
import struct

APIS = [
    ("GET", "/v1/feed", 900), ("POST", "/v1/orders", 250), ("GET", "/v1/items", 1800), ("PUT", "/v1/profile", 120),
    ("GET", "/v1/search", 600),
]
HOST = "api.example.com"
DEVICES, NETWORKS = ("phone-a", "phone-b"), ("wifi", "lte")


class Plant:
    """What is wrong with one build."""

    def __init__(self, header=None, sdk=None):
        # build whose requests have 40 more header bytes; build whose SDK is off by bytes in two APIs
        self.header, self.sdk = header, sdk

    HEADER_BYTES, SDK_BYTES, SDK_APIS = 40, 25, ("/v1/orders", "/v1/search")


class Capture:
    """A pcap file of Ethernet frames."""

    def __init__(self):
        self.blocks = [struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1)]

    def packet(self, time, source, target, ports, seq, ack, flags, payload=b""):
        tcp = struct.pack(">HHIIBBHHH", *ports, seq & 0xFFFFFFFF, ack & 0xFFFFFFFF, 0x50, flags, 65535, 0, 0) + payload
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), 0, 0x4000, 64, 6, 0, bytes(source), bytes(target))
        ip = ip[:10] + struct.pack(">H", checksum(ip)) + ip[12:]
        pseudo = bytes(source) + bytes(target) + struct.pack(">BBH", 0, 6, len(tcp))
        tcp = tcp[:16] + struct.pack(">H", checksum(pseudo + tcp)) + tcp[18:]
        frame = b"\x02\0\0\0\0\1\x02\0\0\0\0\2\x08\0" + ip + tcp
        self.blocks.append(struct.pack("<IIII", time // 10**9, time % 10**9, len(frame), len(frame)) + frame)

    def write(self, path):
        with open(path, "wb") as file:
            file.write(b"".join(self.blocks))


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def session(folder, number, build, rng, plant):
    """Writes capture and log of a session; returns its line of the manifest."""
    capture, rows = Capture(), []
    network = rng.choice(NETWORKS)
    latency = rng.randint(20, 60) * 10**6 if network == "wifi" else rng.randint(60, 200) * 10**6
    bias = rng.gauss(0, 3)
    time = 1_795_000_000 * 10**9 + number * 613 * 10**9
    client, server = (10, 0, number >> 8 & 255, number & 255 or 1), (192, 0, 2, 1)
    for connection in range(rng.randint(1, 3)):
        time = dialogue(capture, rows, (client, server), 40000 + connection, time, latency, bias, build, rng, plant)
        time += 10**9
    name = f"s{number:05d}"
    capture.write(os.path.join(folder, name + ".pcap"))
    with open(os.path.join(folder, name + ".ndjson"), "w", encoding="ascii") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return f"{name},{name}.pcap,{name}.ndjson,{build},{rng.choice(DEVICES)},{network}\n"


def dialogue(capture, rows, ends, port, time, latency, bias, build, rng, plant):
    client, server = ends
    up, down = 1000, 5000

    def send(payload, is_up, flags=0x18):
        nonlocal up, down, time
        time += latency // 2
        for start in range(0, max(len(payload), 1), 1400):
            piece = payload[start:start + 1400]
            copies = 2 if piece and rng.random() < 0.02 else 1
            for _ in range(copies):
                if is_up:
                    capture.packet(time, client, server, (port, 80), up, down, flags, piece)
                else:
                    capture.packet(time, server, client, (80, port), down, up, flags, piece)
                time += 10**6
            length = len(piece) + (1 if flags & 3 else 0)
            up, down = (up + length, down) if is_up else (up, down + length)

    send(b"", True, 2)
    send(b"", False, 0x12)
    send(b"", True, 0x10)
    for _ in range(rng.randint(3, 8)):
        method, path, size = rng.choice(APIS)
        request, response = messages(method, path, size, build, rng, plant)
        start = time
        send(request, True)
        middle = time + latency
        time = middle
        send(response, False)
        error = round(bias + rng.gauss(0, 2))
        if plant.sdk == build and path in Plant.SDK_APIS:
            error += Plant.SDK_BYTES
        log(rows, path, start, len(request) + error, len(response))
    send(b"", True, 0x11)
    send(b"", False, 0x11)
    send(b"", True, 0x10)
    return time


def messages(method, path, size, build, rng, plant):
    body = b"x" * rng.randint(10, 60) if method in ("POST", "PUT") else b""
    # The length of the agent varies by device and version.
    head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nUser-Agent: app/{'1' * rng.randint(1, 9)}\r\n"
    if plant.header == build:
        head += "X-Trace: " + "t" * (Plant.HEADER_BYTES - 11) + "\r\n"
    if body:
        head += f"Content-Length: {len(body)}\r\n"
    answer = b"y" * max(1, round(rng.gauss(size, size / 10)))
    reply = f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {len(answer)}\r\n\r\n".encode()
    return head.encode() + b"\r\n" + body, reply + answer


def log(rows, path, start, request, response):
    for kind, length, time in (("request", request, start), ("response", response, start)):
        rows.append({
            "path": path, "host": HOST, "type": kind, "lineLength": 0, "headerLength": length, "bodyLength": 0,
            "length": length, "occurTime": time // 10**6,
        })


def fleet(folder, sessions, builds, seed, plant):
    """Writes the fleet; returns the path of its manifest. Builds take turns."""
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(seed)
    path = os.path.join(folder, "manifest.csv")
    with open(path, "w", encoding="ascii") as file:
        file.write("session,capture,log,build,device,network\n")
        for number in range(sessions):
            file.write(session(folder, number, builds[number % len(builds)], random.Random(rng.random()), plant))
    return path
