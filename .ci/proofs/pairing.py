"""Which record of a damaged capture is about which call of the complete one.

A call is known by its request: by the packet that held its first byte, which the record's time tells, by its method and
target, by its size and by its place in the order. The answer has no part in this, so that an answer that stands with
another request is seen as an error and not as another call."""

ENOUGH = 8


class Pairing:
    """Records by call, records of answers without a request by call, and records that are about no call."""

    def __init__(self):
        self.rows, self.answers, self.strangers = {}, {}, []


def paired(calls, rows, packets_at):
    """`calls`: exchanges of a pair of addresses in their order. `packets_at`: the packets that a time stands for."""
    result = Pairing()
    rows = sorted(rows, key=lambda row: (row["connection"], row["exchange"]))
    asked = [row for row in rows if row["request"] is not None]
    rest_calls, rest_rows = by_stream(calls, [row for row in asked if row["stream"] is not None], packets_at, result)
    rest_calls = [call for call in rest_calls if call.stream is None or "upgraded" in call.row["flags"] or call.stream == 1]
    align(rest_calls, [row for row in asked if row["stream"] is None], packets_at, result)
    result.strangers += rest_rows
    settle_copies(calls, packets_at, result)
    for row in rows:
        if row["request"] is None:
            place_answer(row, calls, packets_at, result)
    return result


def settle_copies(calls, packets_at, result):
    """Late copies of packets are out of order, and may be all that is left of a call: a record that begins with the request of a
    call that has no record is about that call. Of two records that begin with it, the one without a flag is."""
    for row in list(result.strangers):
        for call in calls:
            known = result.rows.get(call)
            if call.stream is None and row["stream"] is None and likeness(call, row, packets_at) >= ENOUGH and (
                    known is None or known["flags"] and not row["flags"]):
                result.rows[call] = row
                result.strangers.remove(row)
                if known is not None:
                    result.strangers.append(known)
                break


def by_stream(calls, rows, packets_at, result):
    """HTTP/2: the number of the stream; where several connections had one, the time."""
    left = list(calls)
    strangers = []
    for row in rows:
        fitting = [call for call in left if call.stream == row["stream"]]
        fitting.sort(key=lambda call: (-likeness(call, row, packets_at), abs(call.row["time"] - row["time"])))
        if fitting:
            result.rows[fitting[0]] = row
            left.remove(fitting[0])
        else:
            strangers.append(row)
    return left, strangers


def align(calls, rows, packets_at, result):
    """HTTP/1: both stand in the order of requests. The likeliest alignment that keeps this order. What stands first or last and fits
    no other call better is taken at once, if there is one connection: late copies of a call can be a second one, which fits nearly
    as well."""
    is_single = len({row["connection"] for row in rows}) == 1

    def fits(call, row):
        likely = likeness(call, row, packets_at)
        return likely >= ENOUGH and likely >= max(likeness(other, row, packets_at) for other in calls)

    while is_single and calls and rows and fits(calls[0], rows[0]):
        result.rows[calls[0]] = rows[0]
        calls, rows = calls[1:], rows[1:]
    while is_single and calls and rows and fits(calls[-1], rows[-1]):
        result.rows[calls[-1]] = rows[-1]
        calls, rows = calls[:-1], rows[:-1]
    best = [[0] * (len(rows) + 1) for _ in range(len(calls) + 1)]
    scores = [[likeness(call, row, packets_at) for row in rows] for call in calls]
    for i in range(len(calls) - 1, -1, -1):
        for j in range(len(rows) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + scores[i][j])
    i = j = 0
    while i < len(calls) and j < len(rows):
        if scores[i][j] > 0 and best[i][j] == best[i + 1][j + 1] + scores[i][j]:
            result.rows[calls[i]] = rows[j]
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            result.strangers.append(rows[j])
            j += 1
    result.strangers += rows[j:]


def likeness(call, row, packets_at):
    """How much the request of a record is like that of a call; above 0 where it may be."""
    there = packets_at(row["time"])
    score = 0
    if there & call.first["up"]:
        score += 8
    elif there & call.packets["up"]:
        score += 5
    elif there:
        score -= 4
    known, said = call.row, row
    if said["target"] is not None:
        score += 3 if said["target"] == known["target"] else -4
    if said["method"] is not None:
        score += 1 if said["method"] == known["method"] else -2
    if said["up"]["message"] == known["up"]["message"]:
        score += 1
    return score


def place_answer(row, calls, packets_at, result):
    """An answer without a request: the call whose answer began, or at least lay, in the packet of its time."""
    there = packets_at(row["time"])
    for part in ("first", "packets"):
        for call in calls:
            if there & getattr(call, part)["down"] and call not in result.answers:
                result.answers[call] = row
                return
    if row["stream"] is not None:
        for call in calls:
            if call.stream == row["stream"] and call not in result.answers:
                result.answers[call] = row
                return
    result.strangers.append(row)
