import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

/// What to change in one SDK: each change once, with what it does in both directions.
struct SDKAdvice {
    struct Change {
        var cause: ErrorCause
        /// Requests, responses; nil where the cause has no bytes there.
        var sides: [Advice?]

        /// What the change repairs, of all directions.
        var bytes: UInt {
            sides.reduce(0) { sum, side in
                let (total, overflow) = sum.addingReportingOverflow(side?.bytes.magnitude ?? 0)
                return overflow ? .max : total
            }
        }

        /// `requests: corrects 310 missing bytes; error left: -12,045 (-2.3 %)`, for each direction that it concerns.
        var effects: [String] {
            zip(Direction.allCases, sides).compactMap { direction, side in
                side.map {
                    "\(direction.noun)s: corrects \(repairInWords($0.bytes)); error left: "
                        + leftInWords($0.remaining, $0.truth)
                }
            }
        }

        /// `error left: requests -2.3 %, responses 0 %`
        var effectInShort: String {
            let sides = zip(Direction.allCases, sides).compactMap { direction, side in
                side.map {
                    let left = signedPercent($0.remaining, of: $0.truth) ?? signedBytes($0.remaining)
                    return "\(direction.noun)s \(left)"
                }
            }
            return "error left: " + sides.joined(separator: ", ")
        }
    }

    /// Index in `AccuracyResult.sources`.
    let source: Int
    /// What repairs most first.
    let changes: [Change]
    /// What no change of the SDK repairs, with what to do instead; causes with the same advice together.
    let allowances: [(causes: [ErrorCause], advice: String)]
    /// More are in the JSON.
    static let most = 8

    init(_ index: AccuracyIndex, source: Int) {
        self.source = source
        let rows = Direction.allCases.map { index.total(source, $0) }
        changes = SDKAdvice.changes(rows.map { $0?.advice ?? [] })
        var allowances: [(causes: [ErrorCause], advice: String)] = []
        for change in SDKAdvice.changes(rows.map({ $0?.allowances ?? [] })) {
            guard let advice = change.cause.advice else { continue }
            if let known = allowances.firstIndex(where: { $0.advice == advice }) {
                allowances[known].causes.append(change.cause)
            } else {
                allowances.append(([change.cause], advice))
            }
        }
        self.allowances = allowances
    }

    private static func changes(_ sides: [[Advice]]) -> [Change] {
        let all = ErrorCause.allCases.compactMap { cause -> Change? in
            let found = sides.map { side in side.first { $0.cause == cause } }
            return found.contains { $0 != nil } ? Change(cause: cause, sides: found) : nil
        }
        return all.enumerated().sorted { left, right in
            left.element.bytes != right.element.bytes
                ? left.element.bytes > right.element.bytes : left.offset < right.offset
        }.map(\.element)
    }

    var shown: ArraySlice<Change> { changes.prefix(SDKAdvice.most) }

    /// What remains after all changes: `After all 5 changes, the remaining error is 0 for requests and …`
    var remainder: String? {
        let ends = Direction.allCases.indices.compactMap { side -> String? in
            let last = changes.compactMap { $0.sides[side] }.min { left, right in
                left.bytes.magnitude != right.bytes.magnitude
                    ? left.bytes.magnitude < right.bytes.magnitude : left.cause.rawValue > right.cause.rawValue
            }
            return last.map {
                leftInWords($0.remainingWithAbove, $0.truth) + " for \(Direction.allCases[side].noun)s"
            }
        }
        guard changes.count > 1, !ends.isEmpty else { return nil }
        return "After all \(grouped(changes.count)) changes, the remaining error is \(ends.joined(separator: " and "))."
    }
}

extension AccuracyIndex {
    /// Advice for the logs; without logs for estimators, as long as there are not many of them.
    var advice: [SDKAdvice] {
        let logs = sources.filter { result.sources[$0].kind == .log }
        let chosen = !logs.isEmpty ? logs : sources.count <= 2 ? sources : []
        return chosen.map { SDKAdvice(self, source: $0) }.filter { !$0.changes.isEmpty }
    }
}

private func repairInWords(_ bytes: Int) -> String {
    let size = Int(clamping: bytes.magnitude)
    return counted(size, bytes < 0 ? "missing byte" : "surplus byte")
}

private func leftInWords(_ bytes: Int, _ truth: Int) -> String {
    signedBytes(bytes) + (bytes == 0 ? "" : signedPercent(bytes, of: truth).map { " (\($0))" } ?? "")
}

/// What the figures of the block mean.
let adviceLegend = """
    corrects: bytes that this change alone puts right, in all calls, recorded or not. error left: against the message bytes, \
    or against the wire bytes for bytes below HTTP.
    """
