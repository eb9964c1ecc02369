"""Client and server on a veth with the program on it: what the checks of bad input stand on."""

import os
import random
import signal

from exactness import veth_bytes
from frames import CaptureFile
from network import World
from overload import numbered
from programs import Group, Score, body_of, parsed, totals, wait_all
from traffic import Servers


class Stage:
    """A veth with servers behind it, and the program on it."""

    def __init__(self, audits, folder, seed):
        self.audits, self.folder, self.seed, self.score = audits, folder, seed, Score()
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o755)

    def __enter__(self):
        self.world, self.group = World(), Group()
        try:
            self.world.link()
            Servers(self.world, self.folder + "/servers", random.Random(self.seed))
        except BaseException:
            self.__exit__()
            raise
        self.before = self.world.client.counters()
        return self

    def __exit__(self, *_):
        self.group.__exit__()
        self.world.__exit__()

    def path(self, name):
        return os.path.join(self.folder, name)

    def live(self, *words, device="c0", ready=True, name="live", **options):
        interfaces = ["-i", device] if isinstance(device, str) else [word for one in device for word in ("-i", one)]
        running = self.group.start(
            self.world.client,
            [self.audits.program, "live", *interfaces, *words],
            self.path(name),
            sockets=len(interfaces) // 2,
            **options,
        )
        if ready:
            wait_all(running)
        return running

    def audited(self, *words, **options):
        """Live with audit and evidence."""
        return self.live(
            "--format", "json", "-o", self.path("live.json"), "-w", self.path("evidence.pcapng"), *words, **options
        )

    def http(self, prefix="x", count=5, connections=4):
        self.world.traffic(numbered, prefix, count, connections)
        self.world.settle()

    def delta(self, device="c0"):
        now, then = self.world.client.counters()[device], self.before[device]
        return {key: now[key] - then[key] for key in now}

    def report(self, name="live.json"):
        with open(self.path(name), encoding="utf-8") as file:
            return parsed(file.read())

    def check_same(self, audit=None, name="evidence.pcapng", options=()):
        """The audit of the evidence is live's."""
        audit = audit or self.report()
        self.score.equal("balanced", True, audit["ledger"]["balanced"])
        self.score.equal("packets of the evidence", len(CaptureFile(self.path(name)).frames), totals(audit)["packets"])
        self.score.same(
            "audit against the evidence", body_of(self.audits.audit(self.path(name), *options)), body_of(audit)
        )
        return audit

    def check_counted(self, audit):
        packets, size = veth_bytes({"c0": self.delta()})
        self.score.equal("packets = interface", packets, totals(audit)["packets"])
        self.score.equal("bytes = interface", size, totals(audit)["bytes"])

    def check_end(self, running, wanted=0, number=signal.SIGINT):
        status = running.stop(number) if number else running.wait()
        self.score.true(
            f"status {status}, wanted {wanted}; it said {running.said.strip()[-200:]!r}",
            status in (wanted if isinstance(wanted, tuple) else (wanted,)),
        )


def refused(stage, words, status, *said, before=(), device="c0"):
    """The program does not start; its reason has these words."""
    running = stage.live(*words, device=device, ready=False, before=before)
    try:
        found = running.wait(8)
    finally:
        running.kill()
    stage.score.equal(f"{' '.join(words)}: status", status, found)
    for one in said:
        stage.score.true(f"{' '.join(words)}: {running.said.strip()!r} lacks {one!r}", one in running.said)
    stage.score.equal(f"{' '.join(words)}: lines on standard error", 1, len(running.said.strip().splitlines()))
    return running


def processor_time(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
