"""Live figures against the audit of what tcpdump wrote at the same time, against the evidence, and against the
interface's counters, on every kind of device."""

import http.client
import os
import random
import shutil
import signal
import subprocess
import threading
import time

from frames import CaptureFile
from network import SERVER, World, disturbing, has_netem, tagging
from programs import Group, Score, body_of, lines, parsed, same_records, tcpdump, tcpdump_lost, totals, wait_all
from traffic import Servers, everything, plain

ETHERNET, SLL2 = 14, 20
# Nanoseconds between two programs' times of a packet.
NEAR = 50_000_000


class Plan:
    """A device or several, how to make them, and what goes over them."""

    def __init__(self, make, devices=("c0",), tcpdump=(), counted=None, options=(), local=False, load=None):
        self.make, self.devices, self.tcpdump, self.counted = make, devices, tcpdump, counted
        # Of the records and audits alike.
        self.options, self.local = options, local
        # What the client does; everything there is when nothing is said.
        self.load = load


def veth_bytes(delta):
    return delta["c0"]["packets"], delta["c0"]["bytes"]


def loopback(delta, header):
    """Each packet is counted as sent and as received, without its link header; a capture has it once."""
    return delta["lo"]["sent"], delta["lo"]["sent_bytes"] + header * delta["lo"]["sent"]


def counted(*parts):
    """Sum of what the counters of several devices say."""

    def total(delta):
        found = [part(delta) for part in parts]
        return sum(p for p, _ in found), sum(b for _, b in found)

    return total


def any_device(delta):
    local = loopback(delta, SLL2)
    return (
        delta["c0"]["packets"] + local[0],
        delta["c0"]["bytes"] + (SLL2 - ETHERNET) * delta["c0"]["packets"] + local[1],
    )


def lossy(world):
    """Lost before the capture and behind it, as the client sees it."""
    world.link()
    for chain, rate in (("OUTPUT", 0.03), ("INPUT", 0.03)):
        world.server.run(
            "iptables",
            "-A",
            chain,
            "-p",
            "tcp",
            "-m",
            "statistic",
            "--mode",
            "random",
            "--probability",
            rate,
            "-j",
            "DROP",
        )


def netem(world):
    world.link()
    world.server.run(
        "tc",
        "qdisc",
        "add",
        "dev",
        "s0",
        "root",
        "netem",
        "delay",
        "2ms",
        "1ms",
        "loss",
        "2%",
        "duplicate",
        "2%",
        "reorder",
        "5%",
    )


def crowd():
    """Many at once, and large answers."""
    threads = [threading.Thread(target=plain, args=(number, 400)) for number in range(12)]
    threads += [threading.Thread(target=fetch, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return True


def fetch(number):
    connection = http.client.HTTPConnection(SERVER, 80, timeout=60)
    for count in range(12):
        connection.request("GET", f"/1m?{number}-{count}", headers={"Host": "large.lab.test"})
        connection.getresponse().read()
    connection.close()


def vlan_device(world):
    """The kernel's own VLAN device where there is one."""
    world.link(addressed=False)
    for namespace, device in ((world.client, "c0"), (world.server, "s0")):
        namespace.run("ip", "link", "add", "link", device, "name", device + ".7", "type", "vlan", "id", 7)
    world.address("c0.7", "s0.7")


def plans(world_has):
    """The scenarios by name; `world_has` tells what the kernel can do."""
    every = {
        "veth": Plan(lambda w: w.link(), counted=veth_bytes),
        "offload": Plan(lambda w: w.link(offload=True), counted=veth_bytes, options=("--undo-offload",)),
        "loss": Plan(lossy, counted=veth_bytes),
        "disturbed": Plan(
            lambda w: w.relayed(disturbing(7, 0.02, 0.05, 0.03)), counted=veth_bytes, options=("--setup", "even")
        ),
        "vlan-tags": Plan(lambda w: w.relayed(tagging(7), mtu=1504), counted=veth_bytes, options=("--layer", "link")),
        "vlan-inside": Plan(
            lambda w: w.relayed(tagging(7), mtu=1504),
            devices=("t0",),
            counted=lambda d: (d["t0"]["packets"], d["t0"]["bytes"]),
        ),
        "tun": Plan(
            lambda w: w.tunnelled(), devices=("tun0",), counted=lambda d: (d["tun0"]["packets"], d["tun0"]["bytes"])
        ),
        "any": Plan(lambda w: w.link(), devices=("any",), tcpdump=("-y", "LINUX_SLL2"), counted=any_device, local=True),
        "loopback": Plan(lambda w: w.link(), devices=("lo",), counted=lambda d: loopback(d, ETHERNET), local=True),
        "busy": Plan(lambda w: w.link(), counted=veth_bytes, load=crowd),
        "several": Plan(
            lambda w: w.link(),
            devices=("c0", "lo"),
            local=True,
            options=("--setup", "separate"),
            counted=counted(veth_bytes, lambda d: loopback(d, ETHERNET)),
        ),
    }
    if world_has("netem"):
        every["netem"] = Plan(netem, counted=veth_bytes)
    if world_has("vlan"):
        every["vlan-device"] = Plan(
            vlan_device, devices=("c0.7",), counted=lambda d: (d["c0.7"]["packets"], d["c0.7"]["bytes"])
        )
    return every


DEFAULT = (
    "veth",
    "offload",
    "loss",
    "disturbed",
    "vlan-tags",
    "tun",
    "any",
    "several",
    "loopback",
    "busy",
    "netem",
    "vlan-device",
)


def kernel_features():
    """What the kernel offers beyond the least."""
    with World() as world:
        found = {"netem"} if has_netem(world.client) else set()
        if (
            world.client.run(
                "ip", "link", "add", "link", "lo", "name", "lo.7", "type", "vlan", "id", 7, check=False
            ).returncode
            == 0
        ):
            found.add("vlan")
    return found


class Run:
    """One scenario's files and figures."""

    def __init__(self, audits, folder, plan, seed):
        self.audits, self.folder, self.plan, self.seed = audits, folder, plan, seed
        self.keys, self.late = folder + "/keys.log", folder + "/late.log"
        self.delta = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def live(self, *words):
        interfaces = [word for device in self.plan.devices for word in ("-i", device)]
        common = ["--buffer", "64MiB", "--keys", self.keys, *self.plan.options]
        return [self.audits.program, "live", *interfaces, *common, *words]

    def record(self):
        with World() as world, Group() as group:
            self.plan.make(world)
            servers = self.path("servers")
            Servers(world, servers, random.Random(self.seed))
            if self.plan.local:
                Servers(world, self.path("local"), random.Random(self.seed), world.client, "127.0.0.1")
            with open(self.keys, "wb"):
                pass
            self.start(world, group)
            wait_all(*group.running)
            before = world.client.counters()
            if self.plan.load:
                world.traffic(self.plan.load)
            else:
                world.traffic(everything, self.seed, self.keys, self.late)
            if self.plan.local:
                world.traffic(plain, self.seed + 9, 24, "127.0.0.1")
                world.traffic(everything, self.seed + 10, self.keys, self.late + ".2", 1, "127.0.0.1")
            world.settle()
            after = world.client.counters()
            self.delta = {
                device: {key: after[device][key] - value for key, value in before[device].items()} for device in before
            }
            time.sleep(0.1)
            for one in group.running:
                one.send(signal.SIGINT)
            for one in group.running:
                one.wait()

    def start(self, world, group):
        devices, count = self.plan.devices, len(self.plan.devices)
        self.dumps = [
            group.start(
                world.client,
                tcpdump(device, self.path(device + ".pcap"), *self.plan.tcpdump),
                self.path("tcpdump-" + device),
            )
            for device in devices
        ]
        self.audit = group.start(
            world.client,
            self.live("--format", "json", "-o", self.path("live.json"), "-w", self.path("evidence.pcapng")),
            self.path("live-json"),
            sockets=count,
        )
        self.records = group.start(
            world.client,
            self.live("--format", "ndjson", "-w", self.path("evidence-2.pcapng")),
            self.path("live-ndjson"),
            sockets=count,
        )


def compare(run, score):
    """False when the kernel gave packets to two programs in different orders, so that nothing can be said."""
    for one in run.dumps:
        score.equal(f"{one.short}: status", 0, one.status)
        score.equal(f"{one.short}: drops", 0, tcpdump_lost(one))
    for one in (run.audit, run.records):
        score.equal(f"{one.short}: status ({one.said.strip()[-200:]})", 0, one.status)
    dumps = [CaptureFile(run.path(device + ".pcap")) for device in run.plan.devices]
    evidence = CaptureFile(run.path("evidence.pcapng"))
    is_same_order = compare_frames(score, "evidence", dumps, evidence)
    is_same_order &= compare_frames(score, "evidence of the records", dumps, CaptureFile(run.path("evidence-2.pcapng")))
    with open(run.path("live.json"), encoding="utf-8") as file:
        live = parsed(file.read())
    compare_audits(run, score, live, is_same_order)
    compare_head(run, score, live, evidence)
    return is_same_order


def compare_frames(score, what, dumps, evidence):
    """Each device's frames, with their bytes and lengths, in tcpdump's order; those of several by their times. The
    kernel gives each program a time of its own for a packet received, so times are only near."""
    is_same_order = True
    for i, dump in enumerate(dumps):
        found = [frame for frame in evidence.frames if frame.interface == i]
        a, b = [frame.key() for frame in dump.frames], [frame.key() for frame in found]
        score.equal(f"frames of the {what}", len(a), len(b))
        score.checked["frames"] += len(a)
        if a != b and sorted(a) == sorted(b):
            is_same_order = False
            score.notes.append(f"the kernel gave packets to tcpdump and the {what} in different orders")
            continue
        score.equal(f"frames of the {what} that differ from tcpdump's", 0, sum(x != y for x, y in zip(a, b)))
        far = [abs(x.time - y.time) for x, y in zip(dump.frames, found)]
        score.true(f"times of the {what} are {max(far, default=0)} ns off", max(far, default=0) < NEAR)
    steps = zip(evidence.frames, evidence.frames[1:])
    score.equal(
        f"frames of the {what} before their time",
        0,
        sum(a.time > b.time for a, b in steps if a.interface != b.interface),
    )
    return is_same_order


def compare_audits(run, score, live, is_same_order):
    options = list(run.plan.options)
    kept = run.audits.audit(run.path("evidence.pcapng"), *options)
    with_keys = run.audits.audit(run.path("evidence.pcapng"), "--keys", run.keys, *options)
    score.same("audit, live against its evidence", body_of(kept), body_of(live))
    score.same("audit, live against its evidence with keys", body_of(with_keys), body_of(live))
    records = lines(run.records.printed)
    record_options = ["--keys", run.keys, *options]
    same_records(
        score,
        "records, live against its evidence",
        run.audits.exchanges(run.path("evidence-2.pcapng"), *record_options),
        records,
    )
    if not is_same_order or len(run.plan.devices) > 1:
        return
    path = run.path(run.plan.devices[0] + ".pcap")
    score.same("audit, live against tcpdump", body_of(run.audits.audit(path, *record_options)), body_of(live))
    same_records(score, "records, live against tcpdump", run.audits.exchanges(path, *record_options), records, NEAR)


def compare_head(run, score, live, evidence):
    """Counts of the capture against the interfaces' and the evidence's."""
    score.equal("balanced", True, live["ledger"]["balanced"])
    packets, size = run.plan.counted(run.delta)
    found = totals(live)
    score.equal("packets = interface", packets, found["packets"])
    score.equal("bytes = interface", size, found["bytes"])
    score.equal("bytes of the ledger", found["bytes"], live["ledger"]["bytes"])
    score.equal("packets = evidence", len(evidence.frames), found["packets"])
    interfaces = live["capture"].get("interfaces", [])
    score.equal("interfaces", list(run.plan.devices), [one.get("name") for one in interfaces])
    score.equal("evidence's interfaces", list(run.plan.devices), [one.get("name") for one in evidence.interfaces])
    for i, one in enumerate(interfaces):
        mine = [frame for frame in evidence.frames if frame.interface == i]
        score.equal(f"{one.get('name')} packets", len(mine), one.get("packets"))
        score.equal(f"{one.get('name')} bytes", sum(frame.length for frame in mine), one.get("bytes"))
        score.equal(f"{one.get('name')} dropped by the kernel", 0, one.get("dropped_by_kernel"))
        score.equal(f"{one.get('name')} fault", None, one.get("fault"))
    score.equal("drops of the evidence", 0, evidence.dropped)
    score.equal("statistics of the evidence", len(run.plan.devices), len(evidence.statistics))
    compare_reader(score, run.path("evidence.pcapng"), packets, size)
    if os.path.getsize(run.keys):
        score.true("the evidence lacks its keys", evidence.secrets.count(b"\n") > 0)


def compare_reader(score, path, packets, size):
    """Wireshark's reader, where it is installed, finds the same in the evidence."""
    if not shutil.which("capinfos"):
        return
    run = subprocess.run(["capinfos", "-M", "-c", "-d", path], capture_output=True, text=True, timeout=60)
    score.equal("capinfos: status", 0, run.returncode)
    found = [int(word) for line in run.stdout.splitlines() for word in line.split() if word.isdigit()]
    score.equal("capinfos: packets and bytes", [packets, size], found[-2:])


def run_plan(audits, folder, plan, seed):
    """A scenario, up to three times while packets were lost, or came in different orders to different programs."""
    for attempt in range(3):
        place = f"{folder}-{attempt}" if attempt else folder
        os.makedirs(place, exist_ok=True)
        run, score, reason = Run(audits, place, plan, seed), Score(), "the packets came in different orders"
        run.record()
        if any(tcpdump_lost(one) for one in run.dumps) or "packets lost" in run.audit.said + run.records.said:
            reason = "packets were lost"
        elif compare(run, score) or score.wrong:
            return score
    score.wrong.append(f"three times: {reason}")
    return score
