"""Plants errors in the program's answers, and holds what the proof says of them against what it has to say."""

import copy
import itertools
import random

from damage import DAMAGES, Damaged, damaged
from judge import Judge, is_broken
from program import Answer

ROUNDS = 3


def run(bench):
    """Status 0 where each planted error was found, and nothing was found where there was none."""
    wrong, planted = [], 0
    for truth in bench.truths:
        undamaged = judged(truth, truth.answer)
        if undamaged.faults or undamaged.gains:
            wrong.append(f"{truth.name}: the true answer has {(undamaged.faults + undamaged.gains)[0].line()}")
        rng = random.Random(truth.name)
        for plant, _ in itertools.product(PLANTS, range(ROUNDS)):
            answer = copied(truth.answer)
            told = plant(answer, truth, rng)
            if told is None:
                continue
            planted += 1
            if not told(judged(truth, answer)):
                wrong.append(f"{truth.name}: nothing found: {plant.__doc__}")
    wrong += list(check_cases(bench))
    for line in sorted(set(wrong)):
        print(line)
    print(f"order, self-test: {planted} planted errors, {len(wrong)} judged wrongly")
    return 1 if wrong or not planted else 0


def judged(truth, answer):
    return Judge(Damaged(truth), answer).run()


def copied(answer):
    connections = copy.deepcopy(answer.connections)
    result = Answer(copy.deepcopy(answer.exchanges), lambda: connections, answer.make_audit)
    result.audit = copy.deepcopy(answer.audit)
    return result


def check_cases(bench):
    """Cases are made again from their seed, all kinds occur, and a program that fails is a fault."""
    seen = set()
    for number in range(600):
        case = bench.make(number)
        seen |= {step.partition(":")[0] for step in case.steps}
        if number % 20 == 0 and case.files() != bench.make(number).files():
            yield f"case {number} is another one when it is made again"
    yield from (f"no case of kind {name}" for name in DAMAGES if name not in seen)
    truth = bench.truths[0]
    for seed in range(20):
        case = damaged(truth, random.Random(seed))
        if any(item.kept > len(truth.capture.records[item.index].data) for item in case.items):
            yield "a damaged packet is longer than it was"


# Plants: each changes an answer and returns what has to be said of it, or None where there is no place for it.

def has(*kinds):
    return lambda verdict: any(fault.kind in kinds for fault in verdict.faults)


def shown(answer, truth, needs=lambda row: True):
    """Records of an answer whose calls are held against the truth."""
    calls = {id(call.row): call for call in truth.exchanges}
    return [row for row, known in zip(answer.exchanges, truth.answer.exchanges) if calls[id(known)].shown and needs(row)]


def answered(answer, truth):
    """Records of HTTP/1 with the time at which their answer begins."""
    calls = {id(call.row): call for call in truth.exchanges}
    rows = shown(answer, truth, lambda row: row["stream"] is None and row["ttfb"] is not None)
    known = {id(row): calls[id(old)] for row, old in zip(answer.exchanges, truth.answer.exchanges)}
    return [(row, truth.capture.records[min(known[id(row)].first["down"])].time) for row in rows
            if known[id(row)].first["down"]]


def one(rows, rng):
    return rng.choice(rows) if rows else None


def swap_answers(answer, truth, rng):
    """two calls of a connection have each other's answer"""
    rows = answered(answer, truth)
    pairs = [(a, b) for a, b in itertools.combinations(rows, 2) if a[0]["connection"] == b[0]["connection"] and a[1] != b[1]]
    if not pairs:
        return None
    (a, begin), (b, other) = rng.choice(pairs)
    for name in ("status", "down", "response"):
        a[name], b[name] = b[name], a[name]
    a["ttfb"], b["ttfb"] = a["ttfb"] + other - begin, b["ttfb"] + begin - other
    return has("pairing", "status", "down.headers", "down.body")


def shift_answers(answer, truth, rng):
    """from a call on, each has the answer of the next one"""
    rows = answered(answer, truth)
    connection = one(sorted({row["connection"] for row, _ in rows}), rng)
    rows = [(row, begin) for row, begin in rows if row["connection"] == connection]
    if len({begin for _, begin in rows}) < 3:
        return None
    for (row, begin), (other, moved) in zip(rows, rows[1:]):
        row["ttfb"] += moved - begin
        for name in ("status", "down", "response"):
            row[name] = other[name]
    return has("pairing", "status", "down.headers", "down.body")


def set_figure(side, name, change):
    def plant(answer, truth, rng):
        row = one(shown(answer, truth, lambda row: row[side].get(name) is not None), rng)
        if row is None:
            return None
        row[side][name] += change
        return has(f"{side}.{name}")
    plant.__doc__ = f"{side}.{name} is {change:+}"
    return plant


def set_field(name, value, kind):
    def plant(answer, truth, rng):
        row = one(shown(answer, truth, lambda row: row[name] not in (None, value)), rng)
        if row is None:
            return None
        row[name] = value
        return has(kind)
    plant.__doc__ = f"{name} is {value}"
    return plant


def remove_call(answer, truth, rng):
    """a call is missing"""
    calls = {id(call.row): call for call in truth.exchanges}
    known = {id(row): calls[id(old)].connection.row for row, old in zip(answer.exchanges, truth.answer.exchanges)}
    # A connection that says that it was not read whole, as one without an end, may lack a call.
    row = one(shown(answer, truth, lambda row: not is_broken(known[id(row)], known[id(row)])), rng)
    if row is None:
        return None
    answer.exchanges.remove(row)
    return lambda verdict: has("vanished")(verdict) and verdict.gains


def add_call(answer, truth, rng):
    """a call is there twice"""
    row = one(shown(answer, truth), rng)
    if row is None:
        return None
    row = dict(row, exchange=row["exchange"] + 1000)
    answer.exchanges.append(row)
    return has("phantom")


def harmless_flag(answer, truth, rng):
    """a wrong body stands behind a flag that admits nothing"""
    told = set_figure("down", "body", 1)(answer, truth, rng)
    for row in answer.exchanges:
        row["flags"] = row["flags"] + ["upgraded", "resumed"]
    return told


def other_side_flag(answer, truth, rng):
    """a wrong request stands behind a flag of the answer"""
    told = set_figure("up", "headers", 2)(answer, truth, rng)
    for row in answer.exchanges:
        row["flags"] = row["flags"] + ["no-response", "no-end"]
    return told


def flag_all(answer, truth, rng):
    """all calls are flagged"""
    for row in answer.exchanges:
        row["flags"] = row["flags"] + ["gap"]
    count = len(shown(answer, truth))
    return (lambda verdict: len(verdict.gains) == count) if count else None


def unknown_body(answer, truth, rng):
    """a figure is null"""
    row = one(shown(answer, truth), rng)
    if row is None:
        return None
    row["down"]["body"] = None
    return lambda verdict: len(verdict.gains) == 1 and not verdict.faults


def move_cost(answer, truth, rng):
    """acknowledgments are paid by another call"""
    row = one(shown(answer, truth, lambda row: row["up"]["ack"] > 0), rng)
    if row is None or truth.copies:
        return None
    row["up"]["ack"] -= 1
    return has("cost up.ack")


def longer_connection(answer, truth, rng):
    """a connection has a byte more than its frames"""
    rows = [row for row in answer.connections if frozenset((row["client"], row["server"])) in truth.summed]
    row = one(rows, rng)
    if row is None or truth.copies:
        return None
    row["up"]["frames"] += 1
    return has("cost sum")


def remove_connection(answer, truth, rng):
    """a connection of QUIC is missing, and its bytes stand nowhere else"""
    row = one([row for row in shown(answer, truth) if ends(row) in truth.quic_pairs], rng)
    if row is None:
        return None
    for rows in (answer.exchanges, answer.connections):
        rows[:] = [other for other in rows if ends(other) != ends(row)]
    return has("vanished")


def ends(row):
    return frozenset((row["client"], row["server"]))


def newer_bytes(answer, truth, rng):
    """a retransmission counts as new"""
    rows = [row for row in answer.connections if frozenset((row["client"], row["server"])) in truth.summed
            and len(truth.by_pair[frozenset((row["client"], row["server"]))]) == 1 and row["down"]["payload_repeated"] == 0]
    row = one(rows, rng)
    if row is None or truth.copies:
        return None
    row["down"]["payload_new"] += 1
    return has("cost new bytes")


def shorter_ledger(answer, truth, rng):
    """the ledger lacks a byte"""
    answer.audit["ledger"]["bytes"] -= 1
    return has("ledger")


def unbalanced(answer, truth, rng):
    """the ledger is out of balance"""
    answer.audit["ledger"]["balanced"] = False
    return has("ledger")


PLANTS = [
    swap_answers, shift_answers, remove_call, add_call, harmless_flag, other_side_flag, flag_all, unknown_body, move_cost,
    longer_connection, remove_connection, newer_bytes, shorter_ledger, unbalanced,
    set_field("status", 299, "status"), set_field("method", "OTHER", "method"), set_field("target", "/other", "path"),
    set_field("path", "/other", "path"), set_field("host", "other.example", "host"),
    *(set_figure(side, name, change) for side in ("up", "down")
      for name in ("start_line", "headers", "framing", "body", "body_decoded", "headers_decoded") for change in (1, -1)),
]
