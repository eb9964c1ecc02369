"""Instructions of a program by stage, from callgrind.

Each instruction belongs to the source file that it was inlined from (debug information, llvm-symbolizer), and so to a
stage. What libraries do, and code without a source file, belongs to the stages that call it, by what each call took."""
import collections
import json
import math
import os
import re
import shutil
import subprocess

START = "start and end"

# The stage of a file: the first pattern that fits its path below Sources. An empty stage belongs to who inlined it.
STAGES = [
    (r"WireCore/Bytes/", ""),
    (r"WireCapture/(InputFile|SystemCalls|Capture(Source|Inputs|Secrets)|KeyLogFile)|WireNative/", "reading"),
    (r"WireCore/Capture/|WireCapture/", "record walk"),
    (r"WireCore/Packets/", "decode"),
    (r"WireCore/(Reassembly|Transport)/", "reassembly"),
    (r"WireCore/(TLS|HTTP|Content|Streams|Detection)/", "HTTP"),
    (r"WireCore/(Attribution|Findings)/", "ledger"),
    (r"WireCore/Exchanges/(ExchangeTracker\+(Records|Names)|.*Record\.)", "records and report"),
    (r"WireCore/Exchanges/", "exchanges"),
    (r"WireCore/(Summaries/|Audit/(AuditResult|Totals|.*Snapshot)|Flows/.*Snapshot)", "records and report"),
    (r"WireCore/(Names|Flows|Audit)/", "routing and look-up"),
    (r"Wire(Report|Accuracy|Estimates)/|wireaudit/", "records and report"),
]
ORDER = ["reading", "record walk", "decode", "routing and look-up", "reassembly", "HTTP", "exchanges", "ledger",
         "records and report", START]


def stage_of(path):
    """A stage, "" for code that serves all, None for what is not ours."""
    match = re.search(r"/Sources/(\w+/.*)", path)
    if not match:
        return None
    for pattern, stage in STAGES:
        if re.match(pattern, match.group(1)):
            return stage
    return None


def count(program, words, folder):
    """Instructions by stage of one run of the program."""
    output = os.path.join(folder, "callgrind.out")
    command = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no",
               f"--callgrind-out-file={output}", program, *words]
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                         env=dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1"))
    if run.returncode:
        raise SystemExit(f"stages: callgrind failed: {run.stderr[-2000:]}")
    profile = Profile(output, os.path.realpath(program))
    profile.name_stages()
    result = profile.by_stage()
    if not math.isclose(sum(result.values()), profile.collected, rel_tol=1e-6):
        raise SystemExit(f"stages: {sum(result.values()):.0f} instructions have a stage, not {profile.collected}")
    return result


class Profile:
    """What callgrind wrote: own costs by function and address, and calls."""

    def __init__(self, path, program):
        self.program = program
        self.stages = {}
        self.collected = 0
        # (object, function) → {address or None: instructions}; callee → {(caller, address): instructions}.
        self.costs = collections.defaultdict(collections.Counter)
        self.calls = collections.defaultdict(collections.Counter)
        self.read(path)

    def read(self, path):
        place = callee = function = None
        is_call = False
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("0x"):
                    address, _, cost = line.split()[:3]
                    address = int(address, 16) if place == self.program else None
                    if is_call:
                        self.calls[callee][(function, address)] += int(cost)
                        is_call = False
                    else:
                        self.costs[function][address] += int(cost)
                elif line.startswith("ob="):
                    place = os.path.realpath(line[3:].strip())
                elif line.startswith("fn="):
                    function = (place, line[3:].strip())
                    target = place
                elif line.startswith("cob="):
                    target = os.path.realpath(line[4:].strip())
                elif line.startswith("cfn="):
                    callee, target = (target, line[4:].strip()), place
                elif line.startswith("calls="):
                    is_call = True
                elif line.startswith("summary:"):
                    self.collected = int(line.split()[1])

    def name_stages(self):
        """Asks for the source files of all addresses of the program."""
        addresses = {address for costs in self.costs.values() for address in costs if address is not None}
        addresses |= {address for callers in self.calls.values() for _, address in callers if address is not None}
        listed = sorted(addresses)
        tool = shutil.which("llvm-symbolizer")
        if not tool:
            raise SystemExit("stages: llvm-symbolizer is missing; it comes with the Swift toolchain")
        run = subprocess.run([tool, f"--obj={self.program}", "--inlines", "--output-style=JSON"], text=True, check=True,
                             input="".join(f"{address:#x}\n" for address in listed), capture_output=True)
        for address, line in zip(listed, run.stdout.splitlines()):
            # From the innermost function that was inlined outwards.
            found = [stage_of(frame.get("FileName", "")) for frame in json.loads(line).get("Symbol", [])]
            self.stages[address] = next((stage for stage in found if stage), None)

    def by_stage(self):
        """All instructions, each with a stage."""
        result = collections.Counter()
        unknown = {function: 0 for function in self.calls}
        for function, costs in self.costs.items():
            for address, cost in costs.items():
                stage = self.stages.get(address)
                if stage:
                    result[stage] += cost
                else:
                    unknown[function] = unknown.get(function, 0) + cost
        shares = self.shares(unknown)
        for function, cost in unknown.items():
            for stage, part in shares[function].items():
                result[stage] += cost * part
        return result

    def shares(self, functions):
        """For each function the stages that it works for. Chains of calls are followed step by step."""
        shares = {function: {START: 1.0} for function in functions}
        for _ in range(40):
            following = {}
            for function in functions:
                sums = collections.Counter()
                for (caller, address), cost in self.calls.get(function, {}).items():
                    stage = self.stages.get(address)
                    if stage:
                        sums[stage] += cost
                    elif caller != function:
                        for name, part in shares.get(caller, {START: 1.0}).items():
                            sums[name] += cost * part
                whole = sum(sums.values())
                following[function] = {stage: cost / whole for stage, cost in sums.items()} if whole else {START: 1.0}
            shares = following
        return shares
