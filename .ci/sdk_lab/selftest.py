"""Tests the scoring: the true answers, random answers, and true answers with known faults must get the scores they deserve."""
import random

import observer
from degrade import DEGRADATIONS, KEY_SPREAD, degrade
from proof import Proof
from score import Score, bounds, verdict


def truth_answers(session, rows):
    """The answers of a program that knows the truth."""
    said, taken = {}, set()
    for number, row in rows.items():
        place = session.places.get(row.owner)
        if place is None:
            said[number] = answer("no-exchange")
        elif (place, row.kind) in taken:
            said[number] = answer("duplicate")
        else:
            taken.add((place, row.kind))
            said[number] = answer("matched", place)
    return said


def answer(state, place=(None, None)):
    return {"state": state, "connection": place[0], "exchange": place[1], "alternatives": []}


def check(session, log):
    """Yields a sentence for each error of the scoring."""
    rng = random.Random(1)
    yield from check_keys(log)
    yield from check_observer()
    yield from check_closes(session)
    yield from check_excuses(session, log)
    for name in ("plain", "5 % doubled", "all"):
        entries = dict(enumerate(degrade(log, name, 1, session.kind), 1))
        rows = {number: entry.row for number, entry in entries.items()}
        said = truth_answers(session, rows)

        def score(answers):
            return Score(session, log, name, entries, answers, proves=False).tally

        tally = score(said)
        if (tally.precision, tally.recall, tally["missed"]) != (1, 1, 0):
            yield f"{name}: the truth has precision {tally.precision}, recall {tally.recall}"
        pairs = tally["pairs"]
        tally = score({number: answer("ambiguous") for number in rows})
        if (tally["decided"], tally.recall, tally["ambiguous"]) != (0, 0, pairs):
            yield f"{name}: all ambiguous has recall {tally.recall}"
        places = [place for place in session.owners]
        tally = score({number: answer("matched", rng.choice(places)) for number in rows})
        if tally.precision > 0.1 or tally.recall > 0.1:
            yield f"{name}: chance has precision {tally.precision}"
        yield from check_rotation(said, rows, score)
        yield from check_single_faults(said, rows, score, tally["pairs"])
        yield from check_proofs(session, log, name, entries)


def check_observer():
    """Whom the ideal observer leaves: nobody who is certain, everybody who is likelier another's, and of the others as many as
    the bound asks for."""
    certain = {pair: 1.0 for pair in range(428)}
    cases = ((certain, 1.0, set()), ({**certain, 500: 0.8, 501: 0.8}, 1.0, {500, 501}), ({**certain, 500: 0.99}, 1.0, set()),
             ({**certain, 500: 0.8, 501: 0.8}, 0.998, set()), ({**certain, 500: 0.4}, 0.9, {500}),
             ({**certain, 500: 0.6, 501: 0.7, 502: 0.6}, 0.998, {502}))
    for truths, precision, expected in cases:
        left = observer.left(truths, precision)
        if left != expected:
            yield f"an ideal observer that holds {precision} leaves {left}, not {expected}"


def check_closes(session):
    """The app closed the connection of each exchange that the program calls aborted, before its response had ended: also where
    nothing came behind the close, or nothing at all. It closed no connection before the end of a response that ended at once."""
    for place, record in session.records.items():
        is_whole = record["status"] is not None and record["response"]["complete"]
        if "aborted" in record["flags"]:
            variants = [record]
            if not is_whole:
                variants += [{**record, "duration": 0.0}, {**record, "status": None, "response": None, "duration": 0.0}]
            if not all(closes_early(session, place, variant) for variant in variants):
                yield f"exchange {place[0]}/{place[1]} was aborted, and its connection was closed no earlier than its response ended"
        elif is_whole and closes_early(session, place, {**record, "duration": 0.0}):
            yield f"exchange {place[0]}/{place[1]} ended at once, and its connection was closed before that"


def closes_early(session, place, record):
    """Whether the connection was closed before the response of an exchange had ended, were this its record."""
    own = session.records[place]
    session.records[place] = record
    try:
        return session.early_close(place) is not None
    finally:
        session.records[place] = own


def check_excuses(session, log):
    """Only the pairs that the ideal observer leaves are excused: a program that calls all rows ambiguous, or one in a hundred
    of the others beside them, is beyond its bounds, and one that leaves no others is within them."""
    name = "plain"
    entries = dict(enumerate(degrade(log, name, 1, session.kind), 1))
    said = truth_answers(session, {number: entry.row for number, entry in entries.items()})
    matched = [number for number in said if said[number]["state"] == "matched"]

    def judge(unsure):
        score = Score(session, log, name, entries, {**said, **{number: answer("ambiguous") for number in unsure}})
        left = score.observe(bounds(name)[0])
        return verdict(name, score.tally), left

    judged, left = judge(said)
    if judged != "FAIL":
        yield f"{name}: all ambiguous is {judged}"
    if len(left) > len(matched) // 20:
        yield f"{name}: an ideal observer leaves {len(left)} pairs of {len(matched)}"
    if judge(left)[0] == "FAIL":
        yield f"{name}: a program that decides what an ideal observer decides is beyond its bounds"
    others = [number for number in matched if number not in left]
    if judge([*left, *others[::50]])[0] != "FAIL":
        yield f"{name}: pairs that an ideal observer decides are excused"


def check_keys(log):
    """NetworkEye's primary keys: each row has its own, so that the SDK lost none, no earlier than the row's start."""
    keys = [row.values["myID"] for row in log.rows if "myID" in row.values]
    if len(set(keys)) != len(keys):
        yield f"{len(keys) - len(set(keys))} rows have the key of another one"
    spreads = [round(row.values["myID"] * 1e6) - row.time // 1000 for row in log.rows if "myID" in row.values]
    if any(not 0 <= spread <= KEY_SPREAD // 1000 for spread in spreads):
        yield f"keys are {min(spreads)} to {max(spreads)} us behind the start of their rows"


def check_rotation(said, rows, score):
    """Each matched row gets the answer of the next one."""
    matched = [number for number in sorted(rows) if said[number]["state"] == "matched"]
    moved = dict(said)
    for number, other in zip(matched, matched[1:] + matched[:1]):
        moved[number] = said[other]
    tally = score(moved)
    if tally.precision > 0.4 or tally.recall > 0.4:
        yield f"a truth moved by one row has precision {tally.precision:.3f}, recall {tally.recall:.3f}"


def check_single_faults(said, rows, score, pairs):
    """One fault costs one pair, or two where two rows change places; a second row at an exchange is wrong."""
    matched = [number for number in sorted(rows) if said[number]["state"] == "matched"]
    first = matched[len(matched) // 2]
    lost = score({**said, first: answer("no-exchange")})
    if (lost["found"], lost["missed"], lost["wrong"]) != (pairs - 1, 1, 0):
        yield "a pair that is not found is not counted as missed"
    other = next(number for number in matched if rows[number].values != rows[first].values and rows[number].kind == rows[first].kind
                 and score({**said, first: said[number], number: said[first]})["wrong"])
    swapped = score({**said, first: said[other], other: said[first]})
    if swapped["wrong"] != 2 or swapped["found"] != pairs - 2:
        yield f"two rows that changed places count as {swapped['wrong']} wrong"
    for number in rows:
        if said[number]["state"] == "duplicate":
            own = next(n for n in matched if rows[n] is rows[number])
            twice = score({**said, number: said[own]})
            if twice["wrong"] != 1 or twice["found"] != pairs:
                yield "a copy at the exchange of its original is not wrong"
            moved = score({**said, number: said[own], own: answer("duplicate")})
            if moved["wrong"] or moved["found"] != pairs:
                yield "the copy does not hold the pair in its original's stead"
            return


def check_proofs(session, log, name, entries):
    """Of rows that are alike but for their calls' outcomes some are undecidable without times; none is where rows of two
    APIs change places; and what the proof says of a swap it says of both its rows."""
    proof = Proof(session, log, DEGRADATIONS[name], entries)
    paired = [number for number, entry in entries.items() if entry.row.owner in session.places]
    for number in paired[::7]:
        row = entries[number].row
        found = proof.of(number)
        if found is None:
            continue
        if not all(proof.may_have_names(row, place) for place in found.places):
            yield f"{name}: row {number} is proved undecidable with an exchange of another API"
        if found.holder and proof.classes[entries[found.holder].row] == proof.classes[row]:
            yield f"{name}: row {number} is proved undecidable by a row of its own class"
        if found.unsent:
            yield from check_unsent(session, proof, name, row, found)
        changes = proof.changes(number, row, session.places[row.owner])
        if len({change.classes for change in changes}) < len(changes) or not all(change.classes for change in changes):
            yield f"{name}: two changes of row {number} are one reading, or one changes nothing"
        if not 0 < found.truth < 1:
            yield f"{name}: row {number} has the truth {found.truth}"
    yield from check_bounding_closes(session, proof, name)
    if name == "plain" and sum(bool(found and found.is_proof) for found in map(proof.of, paired)) > len(paired) // 10:
        yield f"{name}: more than a tenth of the rows count as undecidable"


def check_bounding_closes(session, proof, name):
    """The row of an exchange whose close bounds another row stands on that side of it, tells nothing else of its time, and has no
    equal row between that row and the next one on the other side that tells its time."""
    for number, places in proof.closes.items():
        row = proof.entries[number].row
        key = "end" if row.end is not None else "time"
        for step, place in zip((-1, 1), places):
            if place is None:
                continue
            other = proof.holder(place, row.kind)
            across = range(number, proof.told_neighbour(number, key, -step), -step)
            if (other - number) * step <= 0 or not proof.is_untold(other, key):
                yield f"{name}: row {number} is bound by row {other}, which tells its time or stands elsewhere"
            if proof.classes[proof.entries[other].row] in [proof.classes[proof.entries[equal].row] for equal in across]:
                yield f"{name}: row {number} is bound by row {other}, which has an equal one on the other side"


def check_unsent(session, proof, name, row, found):
    """Only a row of zeros of a call that was never sent, or a copy of one, of a log without times and order, takes the exchange of
    a row that goes to one without row."""
    other = proof.entries[found.unsent].row
    if not proof.has_no_exchange(found.unsent) or not proof.tells_failure(other) or proof.name_lists[other] != proof.name_lists[row]:
        yield f"{name}: row {found.unsent} is neither of a call for the same that was never sent nor a copy"
    if found.is_identical:
        yield f"{name}: a row of a call that was never sent takes the exchange of an answered row, and nothing is said to be different"
    if found.holder or proof.has_order or not proof.has_no_times(row):
        yield f"{name}: a row of a call that was never sent takes the exchange of a row whose time or order is known"
