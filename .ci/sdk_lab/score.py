"""Scores what a program says about the rows of a log against the known exchange of each row.

A row is right at an exchange whose own row (in the true log, of the same kind) agrees with it in all that the format
holds besides times: exchanging two such calls changes no figure. It is right, too, at an exchange that has no row in the
degraded log and is the same on the wire as its own: log and capture are the same whichever of the two calls lost its row. An exchange takes one row of a kind; a second one
is wrong. Of a row and its exact copy either may be matched."""
import collections

import observer
from degrade import DEGRADATIONS, figures, held
from proof import Proof


# Precision and recall.
BOUNDS = {"plain": (1.0, 0.998)}
OTHER_BOUNDS = (0.998, 0.98)


def bounds(name):
    """Of a degradation."""
    return BOUNDS.get(name, OTHER_BOUNDS)


class Tally(collections.Counter):
    """Counts of a scored log.

    rows        in the log
    pairs       rows of the true log that are in it, and whose exchange is on the wire
    decided     rows that the program matched
    right       of these
    wrong       of these
    misled      of the wrong ones those in a log that is the same, field by field, as if they were right, see `Score.is_misled`
    found       pairs with a right row
    ambiguous   other pairs, with a row that the program calls ambiguous
    missed      other pairs
    identical   of the ambiguous ones those that the log does not tell from others, see `Proof`
    likely      of the ambiguous ones those of which other readings are at least as likely, see `Proof`
    close       likewise, less likely than the truth, but too likely for the bound of precision; they excuse no line
    same        of the ambiguous ones those with a change by which log and capture stay the same in every field: the identical ones,
                and those that are exchanged with a call that was never sent, which may be less likely than the truth
    left        pairs that an ideal observer leaves, see `observer`. Only of lines that are beyond their bounds without it
    excused     of the ambiguous pairs those that it leaves, too
    """

    @property
    def precision(self):
        return self["right"] / self["decided"] if self["decided"] else 1.0

    @property
    def decidable_precision(self):
        """Precision without the rows of which the log says something else than the truth."""
        decided = self["decided"] - self["misled"]
        return self["right"] / decided if decided else 1.0

    @property
    def undecidable(self):
        return self["identical"] + self["likely"]

    @property
    def decidable_recall(self):
        """Recall of the pairs that the log can decide."""
        decidable = self["pairs"] - max(self.undecidable, self["excused"])
        return self["found"] / decidable if decidable else 1.0

    @property
    def distinct_recall(self):
        """Recall of the pairs that no change leaves with the same log and capture, and that the ideal observer does not leave."""
        distinct = self["pairs"] - max(self.undecidable, self["excused"], self["same"])
        return self["found"] / distinct if distinct else 1.0

    @property
    def ideal_recall(self):
        """Recall of the ideal observer."""
        return 1 - self["left"] / self["pairs"] if self["pairs"] else 1.0

    @property
    def recall(self):
        return self["found"] / self["pairs"] if self["pairs"] else 1.0


class Score:
    def __init__(self, session, log, name, entries, answers, proves=True):
        """`entries`: row number -> entry of the degraded log. `answers`: row number -> line of the program."""
        self.session, self.log, self.entries, self.answers = session, log, entries, answers
        self.rows = {number: entry.row for number, entry in entries.items()}
        self.degradation = DEGRADATIONS[name]
        self.classes = {row: self.figures(row) for row in log.rows}
        self.own = {(row.owner, row.kind): row for row in log.rows}
        self.tally = Tally(rows=len(entries))
        self.present = set(self.rows.values())
        self.proves, self.proof = proves, Proof(session, log, self.degradation, entries)
        # How many rows of a class the log has; rows of classes that have a copy.
        self.counts = collections.Counter(self.classes[row] for row in self.rows.values())
        distinct = collections.Counter(self.classes[row] for row in self.present)
        self.doubled = {row for row in self.present if self.counts[self.classes[row]] > distinct[self.classes[row]]}
        # Row number -> why it is wrong; (row number, answer) of pairs without a right row.
        self.wrong, self.lost = {}, []
        self.judge_decided()
        self.judge_pairs()

    def figures(self, row):
        return figures(row, self.degradation)

    def place(self, answer):
        return answer["connection"], answer["exchange"]

    def holder(self, place, kind):
        """The row that the SDK wrote of an exchange; None where it wrote none."""
        return self.own.get((self.session.owners.get(place), kind))

    def is_alike(self, row, place):
        holder = self.holder(place, row.kind)
        if holder is not None and self.classes[holder] == self.classes[row]:
            return True
        own = self.session.places.get(row.owner)
        return own is not None and holder not in self.present and self.proof.is_same_call(row, own, place)

    def judge_decided(self):
        decided = [(number, self.rows[number], self.place(answer)) for number, answer in self.answers.items()
                   if answer["state"] == "matched"]
        # Rows at their own exchange come first: another one there is the one too many.
        decided.sort(key=lambda item: (self.session.places.get(item[1].owner) != item[2], item[0]))
        taken = set()
        self.right = set()
        for number, row, place in decided:
            if not self.is_alike(row, place):
                self.wrong[number] = "another's exchange"
            elif (place, row.kind) in taken:
                self.wrong[number] = "an exchange that has its row"
            else:
                taken.add((place, row.kind))
                self.right.add(number)
        misled = [number for number, row, place in decided if number in self.wrong and self.is_misled(row, place)]
        for number in misled:
            self.wrong[number] += ", but the log is the same as if it were this one's"
        self.tally.update(decided=len(decided), wrong=len(self.wrong), right=len(self.right), misled=len(misled))

    def is_misled(self, row, place):
        """Whether the log would be the same, row for row and field by field, were the answer right: a row of a log without
        times and order is doubled, and the exchange is one whose own row would be equal to it but was lost. Then it is as if
        that row were there and none doubled. Likewise where the exchange's own row tells of a failure and has an equal one:
        then it is as if that one were doubled instead."""
        row = next((other for other in self.doubled if self.classes[other] == self.classes[row] and other.owner in self.session.places), None)
        if row is None or not self.degradation.is_shuffled or not self.proof.has_no_times(row):
            return False
        holder = self.holder(place, row.kind)
        if holder is not None and holder in self.present:
            return self.proof.tells_failure(holder) and self.counts[self.classes[holder]] > 1 and self.proof.may_be_row(row, place)
        return self.proof.may_be_row(row, place)

    def judge_pairs(self):
        """Pairs and right rows of a class are counted against each other: which row has which exchange changes nothing."""
        pairs, spare = collections.defaultdict(dict), collections.Counter()
        # Exchanges that have a right row, maybe not their own but one of its class.
        held = {(self.place(self.answers[number]), self.rows[number].kind) for number in self.right}
        for number, row in self.rows.items():
            spare[self.classes[row]] += number in self.right
            if row.owner in self.session.places:
                pairs[self.classes[row]].setdefault(row, []).append(number)
        for kind, members in pairs.items():
            found = min(len(members), spare[kind])
            self.tally.update(pairs=len(members), found=found)
            unfound = [(row, numbers) for row, numbers in members.items() if not self.right.intersection(numbers)]
            unfound = [numbers for row, numbers in sorted(
                unfound, key=lambda item: (self.session.places[item[0].owner], item[0].kind) in held)]
            for numbers in unfound[:len(members) - found]:
                self.judge_lost(numbers)

    def judge_lost(self, numbers):
        """A pair without a right row: the numbers of its row and of that row's copies."""
        unsure = [number for number in numbers if self.answers[number]["state"] == "ambiguous"]
        self.tally["ambiguous" if unsure else "missed"] += 1
        number = (unsure or numbers)[0]
        swap = None
        if self.proves:
            swap = self.proof.of(number)
        if unsure and swap and swap.kind != "decidable":
            self.tally[swap.kind] += 1
        if unsure and swap and (swap.has_same or swap.is_proof):
            self.tally["same"] += 1
        self.lost.append((number, swap))

    def observe(self, precision):
        """Counts and returns what an ideal observer leaves that holds this precision."""
        pairs = {}
        for number, row in self.rows.items():
            if row.owner in self.session.places:
                pairs.setdefault(row, number)
        truths = {number: self.proof.truth(number) for number in pairs.values()}
        left = observer.left(truths, precision)
        lost = {pairs[self.rows[number]] for number, _ in self.lost if self.answers[number]["state"] == "ambiguous"}
        self.tally.update(left=len(left), excused=len(left & lost))
        return left

    def details(self):
        """Lines about each row that is wrong or missed."""
        for number, reason in sorted(self.wrong.items()):
            yield f"wrong: {self.describe(number)}: {reason}"
        for number, swap in sorted(self.lost, key=lambda item: item[0]):
            if number in self.wrong:
                continue
            unsure = self.answers[number]["state"] == "ambiguous"
            kind = "missed" if not unsure else "undecidable" if swap and swap.is_proof else "decidable"
            yield f"{kind}: {self.describe(number)}: {swap.text(self.fields(swap.holder)) if swap else 'no swap'}"

    def fields(self, number):
        return " ".join(map(str, held(self.rows[number], self.degradation).values())) if number else ""

    def describe(self, number):
        row, answer = self.rows[number], self.answers[number]
        values = held(row, self.degradation)
        text = f"row {number} ({row.kind} {values.get('path') or values.get('requestURLString') or values.get('url')})"
        own = self.session.places.get(row.owner)
        text += f" of {row.owner[0]} leg {row.owner[1]}, exchange {own and '/'.join(map(str, own))}: {answer['state']}"
        if answer["state"] == "matched":
            call = self.session.owners.get(self.place(answer))
            text += f" with {answer['connection']}/{answer['exchange']} of {call and call[0]}"
        others = [f"{place['connection']}/{place['exchange']}" for place in answer.get("alternatives") or []]
        if others:
            text += " alternatives " + " ".join(others[:8])
        if answer.get("residual") is not None:
            text += f" residual {answer['residual']}"
        return text + (f" ({answer['why']})" if answer.get("why") else "")


def verdict(name, tally):
    """pass, undecid. (within the bounds without the pairs that the log cannot decide), same (within them without those, too, that
    can be exchanged so that log and capture stay the same, if by a less likely reading), or FAIL."""
    precision, recall = bounds(name)
    if tally.decidable_precision < precision or tally.distinct_recall < recall:
        return "FAIL"
    if tally.decidable_recall < recall:
        return "same"
    return "pass" if tally.precision >= precision and tally.recall >= recall else "undecid."


def answers(lines, rows):
    """Row number -> line. Each row of the log has one."""
    found = {}
    for line in lines:
        if line["schema"] == "wireaudit.row/1":
            if line["row"] in found:
                raise ValueError(f"row {line['row']} has two lines")
            found[line["row"]] = line
    absent = [number for number in rows if number not in found]
    if absent or len(found) > len(rows):
        raise ValueError(f"{len(found)} lines for {len(rows)} rows; none for {absent[:5]}")
    return found


def answers_of_calls(lines, rows):
    """As `answers`, from the lines of calls: for programs that give no line for each row."""
    found = {number: {"state": "unusable", "connection": None, "exchange": None} for number in rows}
    for line in lines:
        if line["schema"] != "wireaudit.call/1" or line.get("row") is None:
            continue
        fate = line.get("fate") or "matched"
        found[line["row"]] = {"state": fate if line["connection"] is not None or fate != "matched" else "no-exchange",
                              "connection": line["connection"], "exchange": line["exchange"]}
    return found
