"""Which rows a log cannot decide, shown without any answer of a program.

Row r is of exchange e. Let a be another exchange, and s the row that the log has of it, if any. The swap gives r the exchange
a and s the exchange e. Longer changes do the same with several rows: r gets a, s gets b, and so on, until the last row gets e,
or an exchange without row is reached. The row is undecidable when nothing that log and capture hold refutes some change:

  names    r and s could be of a and e by host, path, query and method, as far as the degraded log has them; where a row
           holds the first URL of a redirected call, also if the wire leaves open which call followed, see redirections.py
  figures  each row's figures are those that the SDK gives for its new exchange. A row of zeros (no answer was seen) has
           none, and may be of any exchange of its names
  times    each row's time fits its new exchange as well, see below. Where a log has no times, its order stands for them

Changes that no report shows are no proof: the row that gets e agrees with r in all but times, or none gets it, and the
exchange without row that is reached has the same figures on the wire. Whichever of the two is said is right. But where such a
log has neither times nor order, and a row of zeros of a call that was never sent, that row may be of e: then the call of the
exchange without row, whose row was lost, was never sent. Likewise with a copy of a row of zeros, which is as if it were a row of
its own. All such changes of a row together are as likely as it is that an exchange that ended like e has a row of zeros, however
many such rows and exchanges there are: more of either make no exchange a likelier one. Log and capture stay the same in every
field by such a change, too, but it is less likely than the truth by as much as such rows of zeros are rare in this log. No
program knows how rare they are. These changes are told apart from those that are as likely as the truth (`has_same`).

Times are weighed with what no program can know: the delays of all true pairs of this log, before its times were degraded.
The true time of a row lies in an interval: what rounding and jitter leave of it, and in a log that was not shuffled between
the true times of the rows before and behind it: of rows that tell when they were written, for nobody knows that of a row of zeros
whose log has no times, or whole seconds. Where the app closed the connection of such a row's exchange, the row was written as long
behind that as such rows are in this log. A pair is as likely as a delay in that interval is, times how often an
exchange that ended like this one has a row that tells of a failure; the row of a response also times how often the log has such
a row and that of its request, or lacks the latter. An exchange whose connection the app closed before its response had ended
ends there: see closes.py. The odds of a change are its likelihood against the
truth's. Without times and order, and with equal outcomes, they are 1: log and capture are identical. Elsewhere a row is
undecidable when its changes together are at least as likely as the truth. Where they are less likely, but leave the truth
less than the bound of precision (0.998), the row is close: that is told, but excuses no line.
"""
import bisect
import collections
import functools
import math

from degrade import SECOND, held, interval
from redirections import Redirections

# The probability of the truth below which other readings together are as likely, and that which a program needs that
# decides such rows and keeps the bound of precision.
LIKELY, CLOSE = 0.5, 0.998
# Logarithm of odds that are not followed further.
LEAST_ODDS = -10.0
MOST_MOVES = 8
# Weight of delays that no true pair has, in pairs.
RARE = 0.5


class Delays:
    """How often a delay lies in an interval: a histogram whose bins widen with the distance from the median."""

    RATIO, FINEST, SIDE = math.sqrt(2), 20_000, 60

    def __init__(self, samples):
        samples = sorted(samples)
        self.centre = samples[len(samples) // 2] if samples else 0
        half = [self.FINEST * (self.RATIO ** bin - 1) for bin in range(self.SIDE)]
        self.edges = [-edge for edge in reversed(half[1:])] + half
        counts = [0.0] * (len(self.edges) - 1)
        for sample in samples:
            place = bisect.bisect_right(self.edges, sample - self.centre) - 1
            counts[min(max(place, 0), len(counts) - 1)] += 1
        smooth = [0.5 * count + 0.25 * (counts[max(0, place - 1)] + counts[min(len(counts) - 1, place + 1)])
                  + 2 * RARE / len(counts) for place, count in enumerate(counts)]
        total = sum(smooth)
        self.sums = [0.0]
        for count in smooth:
            self.sums.append(self.sums[-1] + count / total)

    def below(self, delay):
        """Share of delays below this one."""
        delay -= self.centre
        place = bisect.bisect_right(self.edges, delay) - 1
        if place < 0:
            return 0.0
        if place >= len(self.sums) - 1:
            return 1.0
        part = (delay - self.edges[place]) / (self.edges[place + 1] - self.edges[place])
        return self.sums[place] + part * (self.sums[place + 1] - self.sums[place])

    @functools.cached_property
    def shares(self):
        """(delay, share) by bin."""
        middles = [self.centre + (low + high) / 2 for low, high in zip(self.edges, self.edges[1:])]
        return list(zip(middles, (high - low for low, high in zip(self.sums, self.sums[1:]))))

    def within(self, low, high):
        """Share of delays in an interval; of one without length that of the microsecond around it."""
        if high - low < 1000:
            low, high = low - 500, high + 500
        return max(self.below(high) - self.below(low), 1e-300)


def nanoseconds(seconds):
    return round(seconds * SECOND)


def redirections(session):
    """The same for all logs of a session."""
    if not hasattr(session, "redirections"):
        session.redirections = Redirections(session, Delays)
    return session.redirections


class Change:
    """A proof for one row: its exchange, the ones that rows move to, and the number of the last one's row (None: it has
    none). `is_same`: log and capture stay the same in every field. `unsent`: the number of a row without exchange that gets the
    first. `classes`: which class of rows each exchange gets that had another. `truth`: the probability that all changes leave the
    truth. `has_same`: whether this change or another one of the row leaves log and capture the same."""

    def __init__(self, places, holder, odds, is_same, unsent, classes):
        self.places, self.holder, self.odds, self.is_same, self.unsent = places, holder, odds, is_same, unsent
        # Only then is it as likely as the truth.
        self.is_identical = is_same and not unsent
        self.classes = classes
        self.truth, self.has_same = 1.0, is_same

    @property
    def is_proof(self):
        return self.is_identical or self.truth <= LIKELY

    @property
    def kind(self):
        return "identical" if self.is_identical else "likely" if self.truth <= LIKELY else "close" if self.truth < CLOSE else "decidable"

    def text(self, fields):
        """The evidence, for people. `fields`: what the log holds of the last exchange's row."""
        own, *others = ("/".join(map(str, place)) for place in self.places)
        row = f"its row {self.holder} ({fields})" if self.holder else "which has no row"
        if self.unsent:
            row += f", and row {self.unsent}, of no exchange, gets the first"
        kind = "identical" if self.is_identical else f"odds {self.odds:.2g}" + ", log and capture the same" * self.is_same
        return f"{' -> '.join([own, *others])} ({row}): {kind}; all changes leave the truth {self.truth:.1%}"


class Proof:
    def __init__(self, session, log, degradation, entries):
        """`entries`: row number -> entry of the degraded log."""
        self.session, self.log, self.degradation, self.entries = session, log, degradation, entries
        self.own = {(row.owner, row.kind): row for row in log.rows}
        self.classes = {row: self.figures(row) for row in log.rows}
        self.name_lists = {row: self.names(row) for row in log.rows}
        # The first number of each row of the true log.
        self.numbers = {}
        for number, entry in entries.items():
            self.numbers.setdefault(entry.row, number)
        self.has_order = not degradation.is_shuffled
        self.intervals = {number: self.true_times(number) for number in entries}
        self.closes = {number: self.bounding_closes(number) for number in entries} if self.has_order else {}
        self.learn()
        self.declared = self.declared_lengths()
        self.redirections = redirections(session)
        self.possible, self.groups, self.likelihoods, self.unsent_rows = {}, {}, {}, {}

    # MARK: Names and figures

    def figures(self, row):
        return (row.kind, *sorted(held(row, self.degradation).items(), key=str))

    def tells_failure(self, row):
        values = row.values
        status = values.get("responseStatusCode", values.get("statusCode"))
        if status is not None:
            return int(status) == 0
        return row.kind == "response" and values["length"] == 0

    def names(self, row):
        """What the log holds of the request's target."""
        values = held(row, self.degradation)
        return [values.get(name) for name in ("host", "path", "url", "requestURLString", "method", "requestHTTPMethod")]

    def has_same_names(self, row, place):
        """Whether the format gives a row of the exchange the names of this row."""
        other = self.own.get((self.session.owners[place], row.kind))
        if other:
            return self.name_lists[other] == self.name_lists[row]
        own, record = (self.session.records[key] for key in (self.session.places[row.owner], place))
        keys = ["host", "path", "method"]
        if not self.degradation.strips_query and ("url" in row.values or "requestURLString" in row.values):
            keys.append("query")
        return all(own[key] == record[key] for key in keys)

    def other_chain(self, row, place):
        """Of a row with its call's first URL at the end of another chain: see `Redirections.of`."""
        own = self.session.places[row.owner]
        if row.kind == "request" or own == place or self.has_same_names(row, place):
            return None
        return self.redirections.of(own, place)

    def may_have_names(self, row, place):
        return self.has_same_names(row, place) or self.other_chain(row, place) is not None

    def declared_lengths(self):
        """Length of the whole body, by method, target, status and head: what a response that was cut had declared."""
        lengths = {}
        for record in self.session.records.values():
            if record["response"] and record["response"]["complete"]:
                lengths.setdefault(self.head(record), set()).add(record["down"]["body"])
        return {head: values.pop() for head, values in lengths.items() if len(values) == 1}

    @staticmethod
    def head(record):
        return record["method"], record["host"], record["target"], record["status"], record["down"]["headers"]

    def wire_figures(self, place, kind):
        """What the SDK's formula takes from the wire, and more, for a row of this kind."""
        record = self.session.records[place]
        figures = []
        if "up" in self.sides(kind):
            figures += [record["up"][name] for name in ("start_line", "headers", "framing", "body", "body_decoded")]
        if "down" not in self.sides(kind):
            return figures
        response, down = record["response"], record["down"]
        figures += [record["status"], down["start_line"], down["headers"], response and response["framing"]]
        if self.counts_received(kind):
            return figures + [down["body"], down.get("body_decoded"), response and response["complete"]]
        whole = response and response["complete"]
        return figures + [down["body"] if whole else self.declared.get(self.head(record), ("unknown", place))]

    def is_same_on_wire(self, kind, *places):
        """Whether a report on rows of this kind has the same figures for two exchanges."""
        one, two = (self.session.records[place] for place in places)
        sizes = ("start_line", "headers", "framing", "body", "body_decoded")
        return all((one[side] or {}).get(name) == (two[side] or {}).get(name) for side in self.sides(kind) for name in sizes) and (
            kind == "request" or (one["status"], self.outcome(places[0])) == (two["status"], self.outcome(places[1])))

    def is_same_call(self, row, own, place):
        """Whether nothing on the wire tells two exchanges of a row's names apart."""
        return self.has_same_names(row, place) and self.is_same_on_wire(row.kind, own, place)

    def sides(self, kind):
        """Directions of which the format holds figures."""
        if kind != "exchange":
            return {"request": ["up"], "response": ["down"]}[kind]
        return ["up", "down"] if "uploadFlow" in self.log.names else ["down"]

    def counts_received(self, kind):
        """DM counts what was received, the others what the response declares."""
        return kind == "response"

    def has_figures_of(self, row, place):
        """Whether the row's figures are those that the SDK gives for the exchange."""
        if self.tells_failure(row):
            return True
        other = self.own.get((self.session.owners[place], row.kind))
        if other and not self.tells_failure(other) and self.has_same_names(row, place):
            return self.classes[other] == self.classes[row]
        own = self.session.places[row.owner]
        return self.wire_figures(own, row.kind) == self.wire_figures(place, row.kind)

    # MARK: Times

    def true_times(self, number):
        """(low, high) of the row's start and end: what the degraded log leaves of its true times."""
        entry = self.entries[number]
        start, end = interval(entry, self.degradation)
        if self.has_order:
            key = "end" if entry.row.end is not None else "time"
            low, high = self.neighbours(number, key)
            if key == "end":
                end = (max(end[0], low), min(end[1], high))
            else:
                start = (max(start[0], low), min(start[1], high))
        return start, end

    def neighbours(self, number, key):
        """True times of the rows before and behind, copies apart. Nobody knows when a row of zeros was written that says nothing
        of it itself: no response on the wire tells it. For what a close tells see `bounding_closes`."""
        found = []
        for step in (-1, 1):
            place = self.told_neighbour(number, key, step)
            found.append(getattr(self.entries[place].row, key) if place in self.entries else step * math.inf)
        return found

    def told_neighbour(self, number, key, step):
        own = self.entries[number].row
        place = number + step
        while place in self.entries and (self.entries[place].row is own or self.is_untold(place, key)):
            place += step
        return place

    def bounding_closes(self, number):
        """(place before, place behind): exchanges of untold rows around this one whose connection the app closed early, the latest
        before and the earliest behind; None for none. Such a row was written about then. Where equal rows stand on the other side
        nobody knows which of them is the exchange's."""
        own = self.entries[number].row
        if own.kind == "request":
            return None, None
        key = "end" if own.end is not None else "time"
        run = range(self.told_neighbour(number, key, -1) + 1, self.told_neighbour(number, key, 1))
        kinds = [{self.classes[self.entries[other].row] for other in side}
                 for side in (range(run.start, number + 1), range(number, run.stop))]
        found = []
        for side, others, best in ((range(run.start, number), kinds[1], max), (range(number + 1, run.stop), kinds[0], min)):
            rows = [self.entries[other].row for other in side]
            places = [self.session.places.get(row.owner) for row in rows if self.classes[row] not in others]
            places = [place for place in places if place and self.session.early_close(place) is not None]
            found.append(best(places, key=self.session.early_close, default=None))
        return tuple(found)

    def is_untold(self, number, key):
        entry = self.entries[number]
        low, high = interval(entry, self.degradation)[key == "end"]
        return self.tells_failure(entry.row) and high - low >= SECOND

    def events(self, place, row):
        """Start and end of what a row for this exchange describes; end is None where the wire has none."""
        record = self.session.records[place]
        start = nanoseconds(record["time"])
        if row.kind == "exchange":
            call, leg = self.session.owners[place]
            first = self.session.places.get((call, 0))
            start = nanoseconds(self.session.records[first or place]["time"])
        close = self.session.early_close(place)
        if close is not None:
            return start, close
        end = None if record["duration"] is None else nanoseconds(record["time"] + record["duration"])
        return start, end

    def outcome(self, place):
        record = self.session.records[place]
        if record["status"] is None:
            return "unanswered"
        return "whole" if record["response"]["complete"] else "cut"

    def ending(self, place):
        """How an exchange ended, as the app may have seen it: its outcome, and whether the app had closed the connection before
        that, with or without the first byte of a response."""
        record, close = self.session.records[place], self.session.early_close(place)
        if close is None:
            return self.outcome(place)
        heard = record["ttfb"] is not None and close > nanoseconds(record["time"] + record["ttfb"])
        return self.outcome(place), "heard" if heard else "unheard"

    def learn(self):
        """Delays of true pairs, by what kind of pair they are; and how often rows tell of failures."""
        starts, ends = collections.defaultdict(list), collections.defaultdict(list)
        failures, given_up = collections.Counter(), collections.defaultdict(list)
        for row in self.log.rows:
            place = self.session.places.get(row.owner)
            if place is None:
                continue
            start, end = self.events(place, row)
            starts[row.kind, self.waits(place)].append(row.time - start)
            if row.kind != "request":
                key = (row.kind, self.tells_failure(row), self.ending(place))
                failures[key] += 1
                moment = row.time if row.kind == "response" else row.end
                ends[key].append(moment - (start if end is None else end))
                if key[1] and self.session.early_close(place) is not None:
                    given_up[row.kind].append(moment - end)
        self.starts = {key: Delays(samples) for key, samples in starts.items()}
        self.ends = {key: Delays(samples) for key, samples in ends.items()}
        # Of rows of zeros, behind the close of the connection.
        self.given_up = {kind: Delays(samples) for kind, samples in given_up.items()}
        self.failures = failures
        places = [self.session.places.get(row.owner) for row in self.numbers if row.kind == "response"]
        lacking = sum(place is not None and not self.has_request(place) for place in places)
        self.lacking = (lacking + 0.5) / (len(places) + 1)

    def has_request(self, place):
        return self.holder(place, "request") is not None

    def waits(self, place):
        """The first request of a connection waits for it."""
        return place[1] == 0

    def log_likelihood(self, number, place):
        """Of a row, were it of this exchange."""
        key = number, place
        if key not in self.likelihoods:
            self.likelihoods[key] = self.weigh(number, place)
        return self.likelihoods[key]

    def weigh(self, number, place):
        row = self.entries[number].row
        start, end = self.intervals[number]
        first, last = self.events(place, row)
        total = 0.0
        if chain := self.other_chain(row, place):
            # Half for each of the two rows that change places.
            total, first = chain[0] / 2, nanoseconds(chain[1])
        if row.kind != "response" and start != (-math.inf, math.inf):
            delays = self.starts.get((row.kind, self.waits(place))) or self.starts[row.kind, not self.waits(place)]
            total += math.log(delays.within(start[0] - first, start[1] - first))
        if row.kind == "request":
            return total
        if row.kind == "response":
            total += math.log(1 - self.lacking if self.has_request(place) else self.lacking)
        key = (row.kind, self.tells_failure(row), self.ending(place))
        both = self.failures[key] + self.failures[(row.kind, not key[1], key[2])]
        total += math.log((self.failures[key] + 0.1) / (both + 0.2))
        low, high = start if row.kind == "response" else end
        if (low, high) != (-math.inf, math.inf):
            event = first if last is None else last
            delays = self.ends.get(key)
            if delays is None:
                delays = Delays([])
            total += math.log(self.share(delays, event, low, high, number, place))
        return total

    def share(self, delays, event, low, high, number, place):
        """How often a row that is written behind an event lies in an interval, and behind or before the rows of calls that were
        given up around it, as far as closes tell of these."""
        before, behind = ((close if close != place else None) for close in self.closes.get(number, (None, None)))
        share = 0.0
        for earliest, weight in self.close_times(before, number, -math.inf):
            for latest, other in self.close_times(behind, number, math.inf):
                start, end = max(low, earliest), min(high, latest)
                if start < end:
                    share += weight * other * delays.within(start - event, end - event)
        return max(share, 1e-300)

    def close_times(self, place, number, unknown):
        """When the row of an exchange was written whose connection the app closed: (time, probability)."""
        if place is None:
            return [(unknown, 1.0)]
        close = self.session.early_close(place)
        return [(close + delay, weight) for delay, weight in self.given_up[self.entries[number].row.kind].shares]

    # MARK: Proofs

    def of(self, number):
        """The likeliest change of a row, with the probability that all leave the truth; None where there is none."""
        row = self.entries[number].row
        own = self.session.places[row.owner]
        changes = self.changes(number, row, own)
        if not changes:
            return None
        truth = 1 / (1 + sum(min(change.odds, 1e12) for change in changes))
        best = max(changes, key=lambda change: (change.is_identical, change.odds))
        best.truth, best.has_same = truth, any(change.is_same for change in changes)
        return best

    def truth(self, number):
        """The probability of the row's true exchange."""
        found = self.of(number)
        return found.truth if found else 1.0

    def changes(self, number, row, own):
        """All swaps, and for each exchange at which a longer change ends the likeliest one. Of those by which each exchange gets
        the same class of rows, the likeliest: equal rows that change places make no other reading."""
        found = {}
        # By exchange: the likeliest way to it, as (log odds, exchanges, rows that move to them).
        ways = {own: (0.0, (own,), (number,))}
        for _ in range(MOST_MOVES):
            next_ways = {}
            for odds, places, movers in ways.values():
                for place in self.group(row):
                    step = self.step(odds, places, movers, place)
                    if step is None:
                        continue
                    holder = self.holder(place, row.kind)
                    self.note(found, step, holder, row, own)
                    if holder and step[0] > next_ways.get(place, (LEAST_ODDS,))[0]:
                        next_ways[place] = (*step, (*movers, holder))
            ways = next_ways
        distinct = {}
        for change in found.values():
            other = distinct.setdefault(change.classes, change)
            if (change.is_identical, change.odds) > (other.is_identical, other.odds):
                distinct[change.classes] = change
        return list(distinct.values())

    def step(self, odds, places, movers, place):
        """The last of the rows moves to one more exchange: (log odds, exchanges); None where it cannot be of that."""
        mover = movers[-1]
        if place in places or not self.may_be(mover, place):
            return None
        odds += self.log_likelihood(mover, place) - self.log_likelihood(mover, places[-1])
        return (odds, (*places, place)) if odds > LEAST_ODDS else None

    def note(self, found, step, holder, row, own):
        """Enters a change that ends here: at an exchange without row, or with its row at the first exchange."""
        odds, places = step
        unsent = None
        rows = [self.entries[self.holder(place, row.kind)].row for place in places[1:-1]]
        if holder:
            last = self.entries[holder].row
            if self.classes[last] == self.classes[row] or not self.may_be(holder, own):
                return
            odds += self.log_likelihood(holder, own) - self.log_likelihood(holder, places[-1])
        elif all(self.classes[other] == self.classes[row] for other in rows) and self.is_same_on_wire(row.kind, own, places[-1]):
            unsent = self.unsent(row)
            if unsent is None:
                return
            odds += self.failure_odds(row.kind, own) - math.log(self.count_free(row, own))
        key = places if len(places) == 2 else places[-1]
        if key not in found or math.log(found[key].odds) < odds:
            involved = [self.holder(place, row.kind) for place in places]
            is_same = len({self.ending(place) for place in places}) == 1 and all(
                times == (-math.inf, math.inf) for key in involved if key for times in self.intervals[key])
            found[key] = Change(places, holder, math.exp(max(min(odds, 50), LEAST_ODDS)), is_same, unsent,
                                self.changed_classes(row, places, holder))

    def changed_classes(self, row, places, holder):
        """The class of rows that each exchange gets, where it had another."""
        holders = [self.holder(place, row.kind) for place in places]
        had = [key and self.classes[self.entries[key].row] for key in holders]
        gets = [holder and had[-1], *had[:-1]]
        return frozenset(item for item in zip(places, gets, had) if item[1] != item[2])

    def unsent(self, row):
        """Number of a row of zeros of a call that was never sent, or of a copy of one, with the names of this row; None where
        there is none, or where times or order tell the two apart."""
        if self.has_order or not self.has_no_times(row):
            return None
        key = row.kind, str(self.name_lists[row])
        if key not in self.unsent_rows:
            self.unsent_rows[key] = next((
                number for number, entry in self.entries.items()
                if self.has_no_exchange(number) and self.tells_failure(entry.row) and self.has_no_times(entry.row)
                and (entry.row.kind, str(self.name_lists[entry.row])) == key), None)
        return self.unsent_rows[key]

    def count_free(self, row, own):
        """How many exchanges without row a row of this one could be of."""
        return sum(self.holder(place, row.kind) is None and self.is_same_on_wire(row.kind, own, place) for place in self.group(row))

    def has_no_exchange(self, number):
        """Whether a row is of a call that was never sent, or a copy."""
        row = self.entries[number].row
        return row.owner not in self.session.places or self.numbers[row] != number

    def failure_odds(self, kind, place):
        """Of a row of zeros of this exchange against another."""
        ending = self.ending(place)
        return math.log((self.failures[kind, True, ending] + 0.1) / (self.failures[kind, False, ending] + 0.1))

    def may_be(self, number, place):
        key = number, place
        if key not in self.possible:
            row = self.entries[number].row
            self.possible[key] = self.may_have_names(row, place) and self.has_figures_of(row, place)
        return self.possible[key]

    def may_be_row(self, row, place):
        """Whether a row of this class could be of the exchange, by its names and figures."""
        return self.may_be(self.numbers[row], place)

    def has_no_times(self, row):
        return all(times == (-math.inf, math.inf) for times in self.intervals[self.numbers[row]] if times)

    def holder(self, place, kind):
        """Number of the row that the degraded log has of an exchange; None for none."""
        return self.numbers.get(self.own.get((self.session.owners[place], kind)))

    def group(self, row):
        """Exchanges of the row's names."""
        key = row.kind, str(self.name_lists[row])
        if key not in self.groups:
            self.groups[key] = [place for place in self.session.records if self.has_same_names(row, place)]
        own = self.session.places[row.owner]
        return self.groups[key] + [place for place in self.redirections.others.get(own, ()) if self.other_chain(row, place)]
