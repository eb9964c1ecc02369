"""Whether memory stays flat while connections, exchanges and APIs come and go."""

import os
import random
import subprocess
import time

from network import SERVER, Child, World
from programs import ENVIRONMENT, Group, Score, wait_all
from traffic import Servers

# Each request has a target of its own, and every fourth connection ends with it.
SCRIPT = """local n = 0
request = function()
  n = n + 1
  if n % 4 == 0 then wrk.headers["Connection"] = "close" else wrk.headers["Connection"] = nil end
  return wrk.format("GET", "/" .. string.char(97 + n % 26, 97 + n / 26 % 26, 97 + n / 676 % 26) .. "/list?page=" .. n)
end
"""


def resident(pid):
    """KiB."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def load(script, seconds):
    subprocess.run(
        ["wrk", "-t", "1", "-c", "32", "-d", f"{round(seconds)}s", "-s", script, f"http://{SERVER}"],
        env=ENVIRONMENT,
        capture_output=True,
        check=True,
        timeout=seconds + 30,
    )
    return True


def run_memory(audits, folder, form, seconds):
    """After the first third nothing may grow by more than a tenth."""
    os.makedirs(folder, exist_ok=True)
    score = Score()
    with open(folder + "/load.lua", "w", encoding="ascii") as file:
        file.write(SCRIPT)
    with World() as world, Group() as group:
        world.link()
        Servers(world, folder + "/servers", random.Random(1))
        running = group.start(
            world.client, [audits.program, "live", "-i", "c0", "--format", form], folder + "/live", output="/dev/null"
        )
        wait_all(running)
        child = Child(world.client, load, folder + "/load.lua", seconds)
        world.children.append(child)
        began, samples = time.monotonic(), []
        while time.monotonic() - began < seconds:
            samples.append(resident(running.pid))
            time.sleep(0.25)
        child.result(60)
        world.settle()
        packets = world.client.counters()["c0"]["packets"]
        score.equal("status", 0, running.stop(timeout=60))
    third = max(samples[: len(samples) // 3])
    score.notes.append(
        f"{packets} packets; resident MiB over time: "
        + " ".join(str(one >> 10) for one in samples[:: max(1, len(samples) // 16)])
    )
    score.true(f"grew from {third >> 10} to {max(samples) >> 10} MiB", max(samples) < 1.1 * third + 4096)
    return score
