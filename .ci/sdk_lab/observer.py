"""What an ideal observer decides of a log: one that knows what no program can, the delays of all true pairs and how often
rows tell of failures, see proof.py. It leaves the log's least certain pairs, as many as the bound of precision asks for. A pair
that it leaves nobody can decide who holds the bound, other than by luck."""

# A bound of 1 is held by an observer that is right in all it decides in 19 of 20 logs.
RISK = 0.05


def left(truths, precision):
    """Pairs that the observer leaves. `truths`: pair -> probability of its true exchange. `precision`: what it must expect of
    the pairs that it decides."""
    order = sorted(truths, key=lambda pair: (-truths[pair], pair))
    wrong = 0.0
    for count, pair in enumerate(order, 1):
        wrong += 1 - truths[pair]
        if truths[pair] <= 0.5 or wrong > max(RISK, (1 - precision) * count):
            return set(order[count - 1:])
    return set()
