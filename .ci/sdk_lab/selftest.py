"""Tests the scoring: the true answers, random answers, and true answers with known faults must get the scores they deserve."""
import random

from degrade import degrade
from score import Score


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
    for name in ("plain", "5 % doubled", "all"):
        rows = dict(enumerate((entry.row for entry in degrade(log, name, 1, session.kind)), 1))
        said = truth_answers(session, rows)

        def score(answers):
            return Score(session, log, name, rows, answers).tally

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
        yield from check_undecidable(said, rows, score, session)


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


def check_undecidable(said, rows, score, session):
    """An ambiguous row is excused where its alternative's row is the same, and not where it is another's."""
    matched = [number for number in sorted(rows) if said[number]["state"] == "matched"]
    first = matched[0]
    own = said[first]

    def undecidable(other):
        unsure = {**answer("ambiguous"), "alternatives": [own, said[other]]}
        tally = score({**said, first: unsure, other: unsure})
        return tally["undecidable"], tally["ambiguous"]

    def is_near(other):
        one, two = (dict(session.records[session.places[rows[number].owner]]) for number in (first, other))
        return (one["method"], one["host"], one["path"]) == (two["method"], two["host"], two["path"])

    far = next(number for number in matched[1:] if not is_near(number) and rows[number].kind == rows[first].kind)
    if undecidable(far) != (0, 2):
        yield f"of two rows of different APIs {undecidable(far)[0]} count as undecidable"
    twins = [number for number in matched[1:] if rows[number].values == {**rows[first].values, "occurTime": rows[number].values.get("occurTime")}
             and rows[number].kind == rows[first].kind]
    if twins and undecidable(twins[0]) != (2, 2):
        yield "two rows that agree in all but times count as decidable"
