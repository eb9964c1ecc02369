/// Status lines that an SDK writes with a reason phrase of its own, instead of the one that the server sent. In HTTP/2
/// there is none on the wire at all.
///
/// A status belongs here when the log's start line has the same size in nearly all of its rows, and the formula gives
/// another one.
package struct GuessedReasons: Sendable, Equatable {
    private struct Key: Hashable {
        var status: Int
        var isHTTP2: Bool
    }

    /// Bytes of the start line that the SDK writes.
    private var lengths: [Key: Int] = [:]

    package init() {}

    package var isEmpty: Bool { lengths.isEmpty }
    /// The statuses in ascending order.
    package var statuses: [Int] { Set(lengths.keys.map(\.status)).sorted() }

    /// Learns from rows of responses, and keeps what other rows confirm.
    package init(
        _ formula: ChosenEstimator, fitting: some Sequence<RecordedRow>, confirming: some Sequence<RecordedRow>
    ) {
        let found = GuessedReasons.constantLengths(formula, fitting, atLeast: 3)
        let confirmed = GuessedReasons.constantLengths(formula, confirming, atLeast: 1)
        lengths = found.filter { confirmed[$0.key] == $0.value }
    }

    private static func constantLengths(
        _ formula: ChosenEstimator, _ rows: some Sequence<RecordedRow>, atLeast least: Int
    ) -> [Key: Int] {
        var seen: [Key: [Int: (rows: Int, wrong: Int)]] = [:]
        for row in rows {
            guard let key = key(row.exchange), let logged = row.figures.startLine, logged > 0,
                let given = formula.estimate(row.exchange, .response)?.startLine
            else { continue }
            let known = seen[key]?[logged] ?? (0, 0)
            seen[key, default: [:]][logged] = (known.rows + 1, known.wrong + (given == logged ? 0 : 1))
        }
        return seen.compactMapValues { lengths in
            let all = lengths.values.reduce(0) { $0 + $1.rows }
            guard let most = lengths.max(by: { ($0.value.rows, $0.key) < ($1.value.rows, $1.key) }),
                most.value.wrong >= least, most.value.rows * 5 >= all * 4
            else { return nil }
            return most.key
        }
    }

    private static func key(_ exchange: ObservedExchange) -> Key? {
        exchange.response.map { Key(status: $0.status, isHTTP2: $0.http2 != nil) }
    }

    /// Bytes of the start line that the SDK writes for the response; nil where it takes the phrase as it was sent.
    package func startLine(_ exchange: ObservedExchange) -> Int? {
        GuessedReasons.key(exchange).flatMap { lengths[$0] }
    }
}
