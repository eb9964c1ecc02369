"""Which of two redirected calls a last exchange is of, where the wire does not tell.

Two requests for one target are under way, and both may be the one that followed a redirection: each came behind its end.
Then the chains may be read the other way round, and a log that holds the first URL with the last response may have either row
at either end. Weighed with the delays of all redirections of the session."""
import collections
import math

# Requests that are farther behind a redirection than the latest that followed one are no rivals.
PATIENCE = 1.0


class Redirections:
    def __init__(self, session, delays):
        """`delays`: makes a distribution of delays in nanoseconds."""
        self.session = session
        # Last exchange -> {last exchange of the other chain: (log odds of the other reading, start of the row's call in it)}
        self.others = collections.defaultdict(dict)
        legs = collections.defaultdict(list)
        for call, leg in sorted(session.places):
            legs[call].append(session.places[call, leg])
        followed = [self.delay(call, leg) for call in legs for leg in range(1, len(legs[call]))]
        if not followed:
            return
        spread = delays([round(delay * 1e9) for delay in followed])
        self.likelihood = lambda delay: math.log(spread.within(round(delay * 1e9), round(delay * 1e9)))
        for call in legs:
            for leg in range(1, len(legs[call])):
                for other in legs:
                    for place in range(len(legs[other])):
                        if other != call:
                            self.weigh(legs, (call, leg), (other, place))

    def record(self, call, leg):
        return self.session.records[self.session.places[call, leg]]

    def start(self, call, leg):
        return self.record(call, leg)["time"]

    def end(self, call, leg):
        record = self.record(call, leg)
        return record["time"] + (record["duration"] or 0)

    def delay(self, call, leg):
        return self.start(call, leg) - self.end(call, leg - 1)

    def weigh(self, legs, one, two):
        """Enters the reading in which the two requests change places, if nothing refutes it."""
        (call, leg), (other, place) = one, two
        if any(self.record(*one)[name] != self.record(*two)[name] for name in ("method", "host", "target")):
            return
        behind = self.start(*two) - self.end(call, leg - 1)
        odds = self.step(behind, self.delay(call, leg))
        if place:
            odds += self.step(self.start(*one) - self.end(other, place - 1), self.delay(other, place))
        if odds == -math.inf:
            return
        ends = legs[call][-1], legs[other][-1]
        starts = self.start(call, 0), self.start(*(one if place == 0 else (other, 0)))
        for own, end, start in zip(ends, reversed(ends), starts):
            if odds > self.others[own].get(end, (-math.inf,))[0]:
                self.others[own][end] = odds, start

    def step(self, other, true):
        return self.likelihood(other) - self.likelihood(true) if 0 <= other <= PATIENCE else -math.inf

    def of(self, own, place):
        """(log odds, start in seconds) of the row of one last exchange at another; None where it cannot be."""
        return self.others.get(own, {}).get(place)
