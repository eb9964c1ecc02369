"""The captures with known truth that proofs damage: the golden ones, the lab's, and complete ones that are shared."""

import glob
import os

import captures
from not_run import not_run
from program import Failure
from truth import Truth

# Not complete, or not in order, as they were captured; with frames that the proof's own reader does not take apart; with copies already.
# multipath: acknowledgments and FINs of a joined subflow may be charged elsewhere after a loss (WeakPoints.md).
UNFIT = {"http1-reorder-dup", "http1-snaplen", "http1-midstream", "h3", "invented-link", "snat-any", "snat-late", "multipath"}
LONGEST = 6000


def files(root, lab, shared):
    """Names with the paths of captures and their keys. `lab`: None for the stored ones only."""
    found = []
    for path in sorted(glob.glob(os.path.join(root, "Captures", "*", "capture.*"))):
        name = os.path.basename(os.path.dirname(path))
        if name not in UNFIT:
            found.append((name, path, key_log(path)))
    if lab is None:
        return found
    recorded = sorted(glob.glob(os.path.join(lab, "*", "*", "capture.pcap"))
                      + glob.glob(os.path.join(lab, "*", "*", "capture-2if.pcapng")))
    if not recorded:
        not_run("order, the lab's captures", "none are recorded here (.ci/run lab)")
    for path in recorded:
        scenario = os.path.dirname(path)
        seed, name = os.path.basename(os.path.dirname(scenario)), os.path.basename(scenario)
        if name not in UNFIT and not name.startswith("h3"):
            several = "-2if" if path.endswith("-2if.pcapng") else ""
            found.append((f"lab/{seed}/{name}{several}", path, None if name == "tls-nokey" else key_log(path)))
    repeated = sorted(glob.glob(os.path.join(shared, "repro", "*-original.pcap")))
    if not repeated:
        not_run("order, shared captures", "no ../shared beside this folder")
    for path in repeated:
        name = os.path.basename(path).removesuffix("-original.pcap")
        keys = [key for key in sorted(glob.glob(os.path.join(shared, "repro", "*.keys")))
                if os.path.basename(key).startswith(name + "-")]
        found.append((f"shared/{name}", path, keys[0] if keys else None))
    return found


def key_log(path):
    keys = os.path.join(os.path.dirname(path), "keys.log")
    return keys if os.path.exists(keys) else None


def truths(found, program, folder):
    """The captures with their exchanges; those that cannot be used are named."""
    result = []
    for name, path, keys in found:
        try:
            capture = captures.read(path)
            if len(capture.records) > LONGEST:
                not_run(f"order, {name}", f"{len(capture.records)} packets are more than {LONGEST}")
                continue
            result.append(Truth(name, capture, keys, program, folder))
        except (captures.Unreadable, Failure) as error:
            not_run(f"order, {name}", str(error))
    return result
