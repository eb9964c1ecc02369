"""Interfaces that go, wrong words, other users: what the program does then."""

import os
import random
import shutil
import time

import endings
from exactness import veth_bytes
from programs import parsed, totals
from stage import Stage, processor_time, refused
from traffic import Servers, plain

NOBODY = 65534

# ------------------------------------------------------------------------------------------------------ interfaces


def removed(stage):
    running = stage.audited()
    stage.http()
    counted = veth_bytes({"c0": stage.delta()})
    stage.world.client.run("ip", "link", "delete", "c0")
    stage.check_end(running, 69, number=None)
    audit = stage.check_same()
    stage.score.equal("packets = interface", counted, (totals(audit)["packets"], totals(audit)["bytes"]))
    stage.score.true("no fault in the report", audit["capture"]["interfaces"][0]["fault"])


def one_removed(stage):
    """The other goes on."""
    Servers(stage.world, stage.path("local"), random.Random(2), stage.world.client, "127.0.0.1")
    running = stage.audited(device=("c0", "lo"))
    stage.http()
    stage.world.client.run("ip", "link", "delete", "c0")
    time.sleep(0.5)
    stage.world.traffic(plain, 3, 12, "127.0.0.1")
    stage.world.settle()
    stage.score.true("it ended with the first interface", running.process.poll() is None)
    stage.check_end(running)
    audit = stage.check_same()
    gone, local = audit["capture"]["interfaces"]
    stage.score.true("no fault of the interface that is gone", gone["fault"])
    stage.score.equal("fault of the other", None, local["fault"])
    stage.score.equal("packets of the other", stage.delta("lo")["sent"], local["packets"])


def down_and_up(stage):
    running = stage.audited()
    stage.http("first")
    stage.world.client.run("ip", "link", "set", "c0", "down")
    began = processor_time(running.pid)
    time.sleep(1.5)
    stage.score.true("it ended", running.process.poll() is None)
    if running.process.poll() is None:
        used = processor_time(running.pid) - began
        stage.score.true(f"{used} s of processor time in 1.5 s of nothing", used < 0.3)
    stage.world.client.run("ip", "link", "set", "c0", "up")
    stage.world.address("c0", "s0")
    stage.http("second")
    stage.check_end(running)
    audit = stage.check_same()
    stage.check_counted(audit)


def renamed(stage):
    running = stage.audited()
    stage.http("first")
    if stage.world.client.run("ip", "link", "set", "c0", "name", "other0", check=False).returncode:
        stage.world.client.run("ip", "link", "set", "c0", "down")
        stage.world.client.run("ip", "link", "set", "c0", "name", "other0")
        stage.world.client.run("ip", "link", "set", "other0", "up")
        stage.world.address("other0", "s0")
    stage.http("second")
    stage.before["other0"] = stage.before["c0"]
    packets = stage.delta("other0")["packets"]
    stage.check_end(running)
    stage.score.equal("packets = interface", packets, totals(stage.check_same())["packets"])


def listed(stage):
    """The command `interfaces`, for root and for nobody."""
    program = stage.audits.program
    run = stage.world.client.run(program, "interfaces", "--format", "json", check=False)
    stage.score.equal(f"status ({run.stderr.strip()})", 0, run.returncode)
    rows = {one["name"]: one for one in parsed(run.stdout)["interfaces"]}
    for name in ("c0", "lo", "any"):
        stage.score.true(f"{name} is not in the list {sorted(rows)}", name in rows)
    stage.score.true("c0 lacks its address", any("192.0.2.2" in address for address in rows["c0"]["addresses"]))
    run = stage.world.client.run(*as_nobody(stage), "interfaces", "--format", "json", check=False)
    stage.score.equal(f"status as nobody ({run.stderr.strip()})", 0, run.returncode)
    rows = {one["name"]: one for one in parsed(run.stdout)["interfaces"]}
    stage.score.equal("nobody may capture", False, rows.get("c0", {}).get("may_capture"))
    text = stage.world.client.run(program, "interfaces").stdout
    stage.score.true("the table lacks c0", "c0" in text)


# ------------------------------------------------------------------------------------------------------ words and users


def as_nobody(stage):
    """The words before the program's that run it as nobody; a copy of it, since its folder may be closed to others."""
    copy = stage.path("wireaudit")
    if not os.path.exists(copy):
        shutil.copy(stage.audits.program, copy)
        os.chmod(copy, 0o755)
    return ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", "--", copy]


def wrong_words(stage):
    told = (
        stage.world.client.run("tcpdump", "-i", "c0", "-d", "tcp prot 80", check=False)
        .stderr.rpartition(": ")[2]
        .strip()
    )
    refused(stage, ["--filter", "tcp prot 80"], 64, told)
    refused(stage, [], 66, "c0", device="co")
    refused(stage, ["--packets", "0x"], 64)
    refused(stage, ["--duration", "soon"], 64)
    refused(stage, ["--buffer", "much"], 64)
    refused(stage, ["--rotate", "often"], 64)
    refused(stage, ["-w", "/nowhere/evidence.pcapng"], 74, "/nowhere/evidence.pcapng", "No such file or directory")
    refused(stage, ["-Z", "nobody-of-this-name"], 64, "nobody-of-this-name")


def no_permission(stage):
    words = as_nobody(stage) + ["live", "-i", "c0"]
    running = stage.group.start(stage.world.client, words, stage.path("nobody"))
    stage.score.equal(f"status ({running.said.strip()})", 77, running.wait(8))
    stage.score.true(f"{running.said!r} lacks setcap", "setcap" in running.said and "cap_net_raw" in running.said)


def other_user(stage):
    """-Z, and the user who called sudo."""
    folder = stage.path("theirs")
    os.makedirs(folder, exist_ok=True)
    os.chown(folder, NOBODY, NOBODY)
    for name, words, environment in (
        ("Z", ["-Z", "nobody"], {}),
        ("sudo", [], {"SUDO_UID": str(NOBODY), "SUDO_GID": str(NOBODY)}),
    ):
        before = ["env", *(f"{key}={value}" for key, value in environment.items())]
        running = stage.live(
            "--format",
            "json",
            "-o",
            f"{folder}/{name}.json",
            "-w",
            f"{folder}/{name}.pcapng",
            *words,
            before=before,
            name=name,
        )
        with open(f"/proc/{running.pid}/status", encoding="ascii") as file:
            fields = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        stage.score.equal(f"{name}: user", "\t".join([str(NOBODY)] * 4), fields["Uid"])
        stage.score.equal(f"{name}: group", "\t".join([str(NOBODY)] * 4), fields["Gid"])
        stage.score.equal(f"{name}: capabilities", 0, int(fields["CapEff"], 16) | int(fields["CapPrm"], 16))
        stage.http(name)
        stage.check_end(running)
        for form in ("json", "pcapng"):
            stage.score.equal(f"{name}: owner of {form}", NOBODY, os.stat(f"{folder}/{name}.{form}").st_uid)
        stage.check_same(stage.report(f"theirs/{name}.json"), f"theirs/{name}.pcapng")


def two_runs(stage):
    """Both on one interface; but not into one file."""
    first = stage.audited()
    second = stage.live(
        "--format", "json", "-o", stage.path("second.json"), "-w", stage.path("second.pcapng"), name="second"
    )
    refused(stage, ["-w", stage.path("evidence.pcapng")], 74, "evidence.pcapng")
    stage.http()
    stage.check_end(first)
    stage.check_end(second)
    stage.check_counted(stage.check_same())
    stage.check_counted(stage.check_same(stage.report("second.json"), "second.pcapng"))


SCENARIOS = {
    "removed": removed,
    "one-removed": one_removed,
    "down-up": down_and_up,
    "renamed": renamed,
    "interfaces": listed,
    "wrong-words": wrong_words,
    "no-permission": no_permission,
    "other-user": other_user,
    "two-runs": two_runs,
    **endings.SCENARIOS,
}


def run_scenario(audits, folder, function, seed):
    with Stage(audits, folder, seed) as stage:
        function(stage)
    return stage.score
