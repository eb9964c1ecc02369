"""Network namespaces of our own: devices, relays between them, interface counters, programs that run there.

A namespace is held by a child process which dies with this program and lives a quarter of an hour at most; the kernel
takes the namespace's devices and rules away with it. Nothing outside of these namespaces is touched."""

import ctypes
import fcntl
import json
import os
import random
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import traceback

LIBC = ctypes.CDLL(None, use_errno=True)
NETWORK, MOUNTS, DEATH_SIGNAL = 0x40000000, 0x00020000, 1
CLIENT_MAC, SERVER_MAC = "02:00:00:00:00:01", "02:00:00:00:00:02"
CLIENT, SERVER = "192.0.2.2", "192.0.2.1"
LIFETIME = 900
# All traffic is made on one processor: two packet sockets see packets of two processors in different orders.
PROCESSORS = sorted(os.sched_getaffinity(0))
HOLD = """mount --make-rprivate / && mount -t sysfs sysfs /sys && ip link set lo up
for i in all default lo; do echo 1 >/proc/sys/net/ipv6/conf/$i/disable_ipv6; done
echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save; echo ready; exec sleep %d""" % LIFETIME


def die_with_parent():
    LIBC.prctl(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def enter(holder):
    """Moves this process (a child of ours) into the network namespace that a process holds."""
    descriptor = os.open(f"/proc/{holder}/ns/net", os.O_RDONLY)
    if LIBC.setns(descriptor, NETWORK):
        raise OSError(ctypes.get_errno(), "setns")
    os.close(descriptor)


class Namespace:
    def __init__(self):
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "sh", "-c", HOLD],
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            preexec_fn=die_with_parent,
        )
        if self.holder.stdout.readline() != b"ready\n":
            raise RuntimeError("no network namespace")

    @property
    def pid(self):
        return self.holder.pid

    def command(self, *words):
        return ["nsenter", "-t", str(self.pid), "-n", "-m", "--wd=" + os.getcwd(), "--", *map(str, words)]

    def run(self, *words, check=True):
        run = subprocess.run(self.command(*words), capture_output=True, text=True, timeout=60)
        if check and run.returncode:
            raise RuntimeError(f"{' '.join(map(str, words))}: {run.stderr.strip()[-300:]}")
        return run

    def start(self, *words, **options):
        return subprocess.Popen(self.command(*words), preexec_fn=die_with_parent, **options)

    def counters(self):
        """{device: {"packets", "bytes", "received", "sent", "received_bytes", "sent_bytes", "dropped"}}"""
        found = {}
        with open(f"/proc/{self.pid}/net/dev", encoding="ascii") as file:
            for line in file.readlines()[2:]:
                name, _, rest = line.partition(":")
                v = list(map(int, rest.split()))
                found[name.strip()] = {
                    "packets": v[1] + v[9],
                    "bytes": v[0] + v[8],
                    "received": v[1],
                    "sent": v[9],
                    "received_bytes": v[0],
                    "sent_bytes": v[8],
                    "dropped": v[3] + v[11],
                }
        return found

    def close(self):
        self.holder.kill()
        self.holder.wait()


class Child:
    """A function in a child process, in a namespace, on the traffic's processor; its answer is what JSON can hold."""

    def __init__(self, namespace, function, *arguments, processor=PROCESSORS[0]):
        self.reader, writer = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(writer)
            return
        status = 1
        try:
            die_with_parent()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.sched_setaffinity(0, {processor})
            if namespace:
                enter(namespace.pid)
            answer = function(*arguments)
            os.write(writer, json.dumps(answer).encode())
            status = 0
        except BaseException:
            traceback.print_exc(file=sys.stderr)
        finally:
            os._exit(status)

    def result(self, timeout=60):
        """Waits for the end."""
        text, end = b"", time.monotonic() + timeout
        while True:
            readable, _, _ = select.select([self.reader], [], [], max(0, end - time.monotonic()))
            if not readable:
                self.kill()
                raise RuntimeError("the traffic did not end in time")
            piece = os.read(self.reader, 1 << 16)
            if not piece:
                break
            text += piece
        os.close(self.reader)
        pid, self.pid = self.pid, 0
        if os.waitpid(pid, 0)[1]:
            raise RuntimeError("the traffic failed")
        return json.loads(text)

    def kill(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.reader)
            self.pid = 0


# ------------------------------------------------------------------------------------------------------ devices

OFFLOADS = ("tso", "gso", "gro", "tx", "rx", "sg")
OPEN_TUN, TUN, TAP, NO_INFORMATION = 0x400454CA, 1, 2, 0x1000


def open_tun(namespace, name, kind):
    """A tun or tap device of a namespace: the descriptor that holds it, opened by a thread's moment in there."""
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    enter(namespace.pid)
    try:
        descriptor = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(descriptor, OPEN_TUN, struct.pack("16sH22x", name.encode(), kind | NO_INFORMATION))
    finally:
        LIBC.setns(own, NETWORK)
        os.close(own)
    return descriptor


def open_device(namespace, name):
    """A raw socket on a device, for what arrives there."""
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    enter(namespace.pid)
    try:
        raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        raw.bind((name, 0))
        raw.setsockopt(263, 8, 1)  # SOL_PACKET, PACKET_AUXDATA: the kernel keeps the VLAN tag apart
        raw.setsockopt(263, 23, 1)  # PACKET_IGNORE_OUTGOING
        raw.setsockopt(socket.SOL_SOCKET, 33, 8 << 20)  # SO_RCVBUFFORCE
    finally:
        LIBC.setns(own, NETWORK)
        os.close(own)
    return raw


def received(raw):
    """A frame with its VLAN tag put back."""
    data, control, _, _ = raw.recvmsg(1 << 17, 256)
    for level, kind, value in control:
        if level == 263 and kind == 8 and len(value) >= 20:
            status, _, _, _, _, tag, protocol = struct.unpack("=IIIHHHH", value[:20])
            if status & 0x10:
                data = data[:12] + struct.pack("!HH", protocol if status & 0x40 else 0x8100, tag) + data[12:]
    return data


class World:
    """Client and server, each in a namespace, and the way between them. `tap` is the client's device to capture on."""

    def __init__(self):
        self.client, self.server = Namespace(), Namespace()
        self.children, self.programs, self.open = [], [], []
        self.tap = "c0"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in self.programs:
            if program.poll() is None:
                program.kill()
                program.wait()
        for child in self.children:
            child.kill()
        for one in self.open:
            one.close() if hasattr(one, "close") else os.close(one)
        self.client.close()
        self.server.close()

    def link(self, offload=False, mtu=1500, addressed=True):
        """A veth pair: c0 at the client, s0 at the server."""
        subprocess.run(
            [
                "ip",
                "link",
                "add",
                "c0",
                "address",
                CLIENT_MAC,
                "mtu",
                str(mtu),
                "netns",
                str(self.client.pid),
                "type",
                "veth",
                "peer",
                "name",
                "s0",
                "address",
                SERVER_MAC,
                "mtu",
                str(mtu),
                "netns",
                str(self.server.pid),
            ],
            check=True,
            capture_output=True,
        )
        for namespace, device in ((self.client, "c0"), (self.server, "s0")):
            for name in OFFLOADS if not offload else reversed(OFFLOADS):
                namespace.run("ethtool", "-K", device, name, "on" if offload else "off", check=False)
            namespace.run("ip", "link", "set", device, "up")
        if addressed:
            self.address("c0", "s0")
        return self

    def address(self, client_device, server_device, neighbours=True):
        """Addresses, and neighbours that need no question."""
        for namespace, device, own, other, mac in (
            (self.client, client_device, CLIENT, SERVER, SERVER_MAC),
            (self.server, server_device, SERVER, CLIENT, CLIENT_MAC),
        ):
            namespace.run("ip", "link", "set", device, "up")
            namespace.run("ip", "address", "replace", own + "/24", "dev", device)
            if neighbours:
                namespace.run("ip", "neigh", "replace", other, "lladdr", mac, "dev", device, "nud", "permanent")

    def relayed(self, change, mtu=1500):
        """Addresses at taps (t0) in both; frames go over the veth through `change(frame, to_server, at_server)`, which
        gives the frames to pass on. The changed frames are on c0 and s0, the plain ones on the client's t0."""
        self.link(mtu=mtu, addressed=False)
        ways = []
        for namespace, device, at_server in ((self.client, "c0", False), (self.server, "s0", True)):
            tap, wire = open_tun(namespace, "t0", TAP), open_device(namespace, device)
            self.open += [tap, wire]
            namespace.run("ip", "link", "set", "t0", "address", SERVER_MAC if at_server else CLIENT_MAC)
            # The kernel shall not take what is meant for the tap from the veth.
            namespace.run("ip", "link", "set", device, "address", "02:00:00:00:01:0" + ("2" if at_server else "1"))
            namespace.run("ip", "link", "set", device, "arp", "off")
            ways.append((tap, wire, at_server))
        self.address("t0", "t0")
        self.children.append(Child(None, relay, ways, change))
        return self

    def tunnelled(self):
        """tun0 at both ends, without any link layer, joined by a program."""
        pair = [open_tun(self.client, "tun0", TUN), open_tun(self.server, "tun0", TUN)]
        self.open += pair
        self.address("tun0", "tun0", neighbours=False)
        self.children.append(Child(None, join, *pair))
        self.tap = "tun0"
        return self

    def settle(self, quiet=0.25, limit=8):
        """Waits until no packet comes any more."""
        last, since, end = None, time.monotonic(), time.monotonic() + limit
        while time.monotonic() < end:
            now = (self.client.counters(), self.server.counters())
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since >= quiet:
                return
            time.sleep(0.03)
        raise RuntimeError("the network does not become quiet")

    def traffic(self, function, *arguments, timeout=60):
        """Runs a client's function to its end."""
        child = Child(self.client, function, *arguments)
        self.children.append(child)
        return child.result(timeout)


def join(one, other):
    """Packets of a tun device to another, until killed."""
    while True:
        for source in select.select([one, other], [], [], LIFETIME)[0]:
            os.write(other if source == one else one, os.read(source, 1 << 17))


def relay(ways, change):
    taps = {tap: (wire, at_server) for tap, wire, at_server in ways}
    wires = {wire: (tap, at_server) for tap, wire, at_server in ways}
    while True:
        for source in select.select([*taps, *wires], [], [], LIFETIME)[0]:
            if source in taps:
                wire, at_server = taps[source]
                for frame in change(os.read(source, 1 << 17), not at_server, at_server):
                    wire.send(frame)
            else:
                tap, at_server = wires[source]
                frame = received(source)
                for frame in change(frame, at_server, at_server):
                    os.write(tap, frame)


def tagging(identifier):
    """VLAN tags on the veth, none at the taps."""
    tag = struct.pack("!HH", 0x8100, 3 << 13 | identifier)

    def change(frame, _to_server, _at_server):
        if frame[12:14] == b"\x81\x00":
            return [frame[:12] + frame[16:]]
        return [frame[:12] + tag + frame[12:]]

    return change


def disturbing(seed, loss, swap, repeat):
    """Frames lost, swapped with their successor, and sent twice: the server's on their way to the veth, the client's
    behind it, so that a capture at the client's veth sees each kind."""
    rng, held = random.Random(seed), {}

    def change(frame, to_server, at_server):
        if not at_server:
            return [frame]
        if rng.random() < loss:
            return []
        frames = [frame] * 2 if rng.random() < repeat else [frame]
        if to_server in held:
            return frames + [held.pop(to_server)]
        if rng.random() < swap:
            # Kept until its successor comes, or for as long as its own repetition takes.
            held[to_server] = frame
            return []
        return frames

    return change


def has_netem(namespace):
    return (
        namespace.run("tc", "qdisc", "add", "dev", "lo", "root", "netem", "limit", "1000", check=False).returncode == 0
    )


def missing_programs(*names):
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return [name for name in names if not shutil.which(name, path=path)]
