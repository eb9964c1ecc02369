"""order: exchanges of captures that lost packets, or hold them doubled, cut or in another order.

Each case takes a complete capture, damages it, and holds each exchange that the program finds against the complete one:
it is equal, or a flag admits that it may not be, or the figure is null. A *silent* error is a call with another answer,
method, path, status or message figure, a call that vanished, or a cost, that nothing admits. At most 1 % of the exchanges
that lost no packet may gain a flag or lose a figure."""

import collections
import datetime
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import tempfile
import time

import order_selftest
from damage import damaged
from judge import Fault, Judge, Verdict
from program import Failure, Program
from sources import files, truths

GAIN_BOUND = 0.01
FULL = 100_000
# In every so many cases the sums of connections and of all frames are held against the packets, for two more runs.
SUMS_EVERY = 5


def add_arguments(parser, root):
    parser.add_argument("--program", default=os.path.join(root, ".build", "release", "wireaudit"))
    parser.add_argument("--cases", type=int, default=FULL, help=f"damaged captures (default {FULL})")
    parser.add_argument("--seconds", type=int, help="end after so many seconds, however many cases that were")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, help="one case alone")
    parser.add_argument("--capture", help="damage this capture only (with --case: the one that the case was made of)")
    parser.add_argument("--keep", help="folder for the damaged captures of cases with a fault, and of --case")
    parser.add_argument("--show", type=int, default=10, help="cases to show in full")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--golden", action="store_true", help="the stored captures only, which are the same everywhere")
    parser.add_argument("--transport", choices=("tcp", "quic"), help="captures of one of them; the bound is of each alone")
    parser.add_argument("--lab", default=os.path.join(root, ".build", "lab"))
    parser.add_argument("--shared", default=os.path.join(os.path.dirname(root), "shared"))
    parser.add_argument("--record", default=os.path.join(root, ".ci", "proofs", "order.json"),
                        help=f"where the counts of {FULL} cases or more are written")
    parser.add_argument("--self-test", action="store_true", help="plant errors in the program's answers: each must be found")


class Result:
    """A case that was run."""

    def __init__(self, number, capture, steps, verdict):
        self.number, self.capture, self.steps, self.verdict = number, capture, steps, verdict


class Bench:
    """Makes and judges cases. Truths are known before workers fork."""

    def __init__(self, options, folder):
        self.options, self.folder, self.program = options, folder, Program(options.program)
        found = files(options.root, None if options.golden else options.lab, options.shared)
        if options.transport:
            found = [entry for entry in found if (options.transport == "quic") == entry[0].startswith("h3-")]
        if options.capture:
            found = [entry for entry in found if entry[0] == options.capture]
        self.truths = truths(found, self.program, folder)
        # A long capture takes longer and shows no more.
        self.weights = [1 / (200 + len(truth.packets)) for truth in self.truths]

    def make(self, number):
        """The damaged capture of a case. Which capture it is of has a draw of its own, so that a case can be made again
        where other captures are at hand."""
        seed = self.options.seed
        truth = random.Random(f"{seed}/{number}").choices(self.truths, self.weights)[0]
        return damaged(truth, random.Random(f"{seed}/{number}/{truth.name}"))

    def run(self, number):
        case = self.make(number)
        folder = os.path.join(self.folder, str(number))
        os.mkdir(folder)
        verdict = self.judge(case, folder, number % SUMS_EVERY == 0 or self.options.case is not None)
        if self.options.keep and (verdict.faults or self.options.case is not None):
            target = os.path.join(self.options.keep, f"{self.options.seed}-{number}")
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(folder, target)
            if case.truth.keys:
                shutil.copy(case.truth.keys, os.path.join(target, "keys.log"))
        shutil.rmtree(folder)
        return Result(number, case.truth.name, case.steps, verdict)

    def judge(self, case, folder, audits):
        paths = write(case, folder)
        try:
            return Judge(case, self.program.ask(paths, case.truth.keys, audits)).run()
        except Failure as failure:
            verdict = Verdict()
            verdict.faults.append(Fault("failure", "the program", "status 0", str(failure)))
            return verdict


def write(case, folder):
    paths = []
    for number, content in enumerate(case.files()):
        paths.append(os.path.join(folder, f"damaged{number or ''}.pcap"))
        with open(paths[-1], "wb") as file:
            file.write(content)
    return paths


class Tally:
    """Counts over cases."""

    def __init__(self):
        self.cases = self.exchanges = self.whole = self.silent = self.costs = self.gains = self.lowered = 0
        self.by_kind, self.by_capture = collections.Counter(), collections.Counter()
        # By damage: cases, silent ones, ones with wrong costs, exchanges that gained a flag.
        self.by_damage = collections.defaultdict(lambda: [0, 0, 0, 0])
        self.silent_cases, self.gain_cases = [], []

    def add(self, result):
        verdict = result.verdict
        self.cases += 1
        self.exchanges += verdict.exchanges
        self.whole += verdict.whole
        silent = any(not fault.is_cost for fault in verdict.faults)
        costs = any(fault.is_cost for fault in verdict.faults)
        self.silent += silent
        self.costs += costs
        self.gains += len(verdict.gains)
        self.lowered += verdict.lowered
        damages = [step.partition(":")[0] for step in result.steps if not step.startswith("excerpt")]
        row = self.by_damage[damages[0] if len(damages) == 1 else "several of these"]
        for place, value in enumerate((1, silent, costs, len(verdict.gains))):
            row[place] += value
        self.by_capture[result.capture] += bool(verdict.faults)
        self.by_kind.update({fault.kind for fault in verdict.faults})
        if verdict.faults:
            self.silent_cases.append(result)
        if verdict.gains:
            self.gain_cases.append(result)

    @property
    def passes(self):
        """The share of calls that gained a flag is judged by the full count: in a sample it scatters with the captures."""
        return self.silent == 0 and self.costs == 0 and (self.cases < FULL or self.gains <= GAIN_BOUND * self.whole)


def run(options):
    folder = tempfile.mkdtemp(prefix="wireaudit-proof-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        bench = Bench(options, folder)
        if not bench.truths:
            print("order: no captures")
            return 1
        if options.self_test:
            return order_selftest.run(bench)
        begin = time.monotonic()
        tally = measure(bench, options)
        report(tally, options, time.monotonic() - begin)
        if tally.cases >= FULL:
            record(tally, options, len(bench.truths))
        return 0 if tally.passes else 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measure(bench, options):
    tally = Tally()
    if options.case is not None:
        tally.add(bench.run(options.case))
        return tally
    deadline = None if options.seconds is None else time.monotonic() + options.seconds
    with multiprocessing.get_context("fork").Pool(options.jobs, start_worker, (bench,)) as pool:
        for result in pool.imap_unordered(run_case, range(options.cases), chunksize=4):
            tally.add(result)
            if deadline is not None and time.monotonic() > deadline:
                pool.terminate()
                break
    tally.silent_cases.sort(key=lambda result: result.number)
    tally.gain_cases.sort(key=lambda result: result.number)
    return tally


worker_bench = None


def start_worker(bench):
    global worker_bench
    worker_bench = bench


def run_case(number):
    return worker_bench.run(number)


def report(tally, options, seconds):
    share = 100 * tally.gains / max(1, tally.whole)
    bound = f"bound {100 * GAIN_BOUND:g} %" + (f" of a count of {FULL:,} captures" if tally.cases < FULL else "")
    print(f"order: {tally.silent} silent of {tally.cases} damaged captures (seed {options.seed}), {tally.costs} with costs "
          f"that are not those of their packets; {tally.gains} of "
          f"{tally.whole} exchanges that lost no packet gained a flag or lost a figure ({share:.2f} %, {bound}); "
          f"{tally.lowered} lack control frames that were lost; "
          f"{tally.exchanges} exchanges compared; {tally.cases / seconds:.1f} cases per second")
    if tally.silent or tally.costs:
        print("by kind, cases: " + ", ".join(f"{kind} {count}" for kind, count in tally.by_kind.most_common()))
        print("by capture: " + ", ".join(f"{name} {count}" for name, count in tally.by_capture.most_common() if count))
    print(f"{'damage':18}{'cases':>8}{'silent':>8}{'costs':>8}{'gained':>8}")
    for name, row in sorted(tally.by_damage.items(), key=lambda entry: (entry[0].startswith("several"), entry[0])):
        print(f"{name:18}" + "".join(f"{value:8}" for value in row))
    for result in tally.silent_cases[:options.show]:
        show(result, options, result.verdict.faults)
    if tally.gains > GAIN_BOUND * tally.whole or options.case is not None:
        for result in tally.gain_cases[:options.show]:
            show(result, options, result.verdict.gains)


def show(result, options, faults):
    print(f"\ncase {result.number} of {result.capture}: {'; '.join(result.steps)}")
    print(f"  .ci/proof order --seed {options.seed} --case {result.number} --capture {result.capture} --keep DIR")
    for fault in faults[:6]:
        print("  " + fault.line())
    if len(faults) > 6:
        print(f"  … and {len(faults) - 6} more")


def record(tally, options, captures):
    """What README cites: written for the full count only."""
    def git(*words):
        return subprocess.run(["git", "-C", options.root, *words], capture_output=True, text=True, check=False).stdout.strip()
    content = {
        "proof": "order", "date": datetime.date.today().isoformat(), "commit": git("rev-parse", "HEAD"),
        "changed": bool(git("status", "--porcelain", "--", "Sources", "Package.swift")), "seed": options.seed,
        "captures": captures, "cases": tally.cases, "silent": tally.silent, "wrong_costs": tally.costs, "exchanges": tally.exchanges,
        "exchanges_that_lost_no_packet": tally.whole, "of_these_gained_a_flag": tally.gains,
        "exchanges_that_lack_lost_control_frames": tally.lowered,
        "silent_by_kind": dict(sorted(tally.by_kind.items())), "passes": tally.passes,
    }
    with open(options.record, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")
