import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

/// What to change in one SDK: each change once, with what it does in both directions.
struct SDKAdvice {
    /// What one change does in one direction.
    struct Effect {
        /// Bytes that its causes lack and add, both without sign.
        var missing = 0
        var surplus = 0
        /// Error over all calls that remains, bytes; nil where nobody can tell.
        var remaining: Int?
        /// What the error is held against.
        var truth = 0
    }

    struct Change {
        let causes: [ErrorCause]
        let advice: String
        /// Requests, responses; nil where the causes have no bytes there.
        let sides: [Effect?]

        /// What the change repairs, of all directions.
        var bytes: Int {
            sides.reduce(0) { sum, side in
                clampedSum(sum, clampedSum(side?.missing ?? 0, side?.surplus ?? 0))
            }
        }

        var causeNames: String { causes.map(\.name).joined(separator: ", ") }

        /// `requests: corrects 310 missing bytes; error left: -12,045 (-2.3 %)`, for each direction that it concerns.
        var effects: [String] {
            zip(Direction.allCases, sides).compactMap { direction, side in
                side.map { side in
                    let left = side.remaining.map { "; error left: " + leftInWords($0, side.truth) } ?? ""
                    return "\(direction.noun)s: corrects \(repairInWords(side))\(left)"
                }
            }
        }

        /// `error left: requests -2.3 %, responses 0.0 %`
        var effectInShort: String {
            let left = zip(Direction.allCases, sides).compactMap { direction, side -> String? in
                guard let side, let bytes = side.remaining else { return nil }
                return "\(direction.noun)s \(signedPercent(bytes, of: side.truth) ?? signedBytes(bytes))"
            }
            return left.isEmpty ? effects.joined(separator: "; ") : "error left: " + left.joined(separator: ", ")
        }
    }

    /// Index in `AccuracyResult.sources`.
    let source: Int
    /// What repairs most first.
    let changes: [Change]
    /// What no change of the SDK repairs, with what to do instead; causes with the same advice together.
    let allowances: [(causes: [ErrorCause], advice: String)]
    /// What remains after all changes, by direction; nil where nobody can tell.
    private let ends: [Effect?]
    /// More are in the JSON.
    static let most = 8

    init(_ index: AccuracyIndex, source: Int) {
        self.source = source
        let log = index.result.logs.first { $0.source == source }
        let platform = log?.platform ?? ClientPlatform(estimator: index.result.sources[source].id)
        let rows = Direction.allCases.map { index.total(source, $0) }
        let advice = rows.map { $0?.advice ?? [] }
        let metrics = Direction.allCases.map { direction in
            platform == .apple ? index.result.taskMetrics.first { $0.direction == direction }.map(SDKAdvice.left) : nil
        }
        let causes = ErrorCause.allCases.filter { cause in advice.contains { $0.contains { $0.cause == cause } } }
        let transferred = causes.filter(\.isRemovedByTransferCounts)
        let isOne = transferred.count > 1 || transferred.contains(.headerCompression)
        let single = (isOne ? causes.filter { !transferred.contains($0) } : causes).map { cause in
            Change(
                causes: [cause], advice: cause.advice(on: platform) ?? "",
                sides: advice.map { SDKAdvice.effect([cause], $0, counts: nil) })
        }
        let counts = Change(
            causes: transferred, advice: platform.transferAdvice,
            sides: zip(advice, metrics).map { SDKAdvice.effect(transferred, $0, counts: $1) })
        let all = (isOne ? [counts] : []) + single
        changes = all.filter { $0.sides.contains { $0 != nil } }.enumerated().sorted { left, right in
            left.element.bytes != right.element.bytes
                ? left.element.bytes > right.element.bytes : left.offset < right.offset
        }.map(\.element)
        // What counts transferred bytes has none of the log's other errors either.
        ends = advice.indices.map { side in
            isOne && metrics[side] != nil && counts.sides[side] != nil
                ? counts.sides[side] : SDKAdvice.effect(causes, advice[side], counts: nil)
        }
        allowances = SDKAdvice.allowances(rows.map { $0?.allowances ?? [] }, platform)
    }

    /// What the causes do together in one direction; nil where they have no bytes, or where the change repairs nothing.
    ///
    /// - Parameter counts: what the platform's own counts were simulated to be off by.
    private static func effect(_ causes: [ErrorCause], _ advice: [Advice], counts: Effect?) -> Effect? {
        let posts = advice.filter { causes.contains($0.cause) }
        guard let first = posts.first else { return nil }
        let error = clampedSum(first.remaining, first.bytes)
        var effect = Effect(truth: first.truth)
        for post in posts {
            let size = Int(clamping: post.bytes.magnitude)
            if post.bytes < 0 {
                effect.missing = clampedSum(effect.missing, size)
            } else {
                effect.surplus = clampedSum(effect.surplus, size)
            }
        }
        if let counts {
            guard let left = counts.remaining, left.magnitude < error.magnitude || causes.count > 1 else { return nil }
            (effect.remaining, effect.truth) = (left, counts.truth)
            return effect
        }
        let left = posts.reduce(error) { clampedDifference($0, $1.bytes) }
        // Less than nothing is no count, and whether a platform counts compressed fields is not known without simulation.
        let isKnown = left >= -first.truth && !causes.contains(.headerCompression)
        effect.remaining = isKnown ? left : nil
        return effect
    }

    /// The error of a row over all calls, as if a call without record had 0 bytes.
    private static func left(_ row: AccuracyRow) -> Effect {
        Effect(
            remaining: clampedSum(row.message.errorTotal, row.unseen.sum),
            truth: clampedDifference(row.message.truthTotal, row.unseen.sum))
    }

    private static func allowances(
        _ sides: [[Advice]], _ platform: ClientPlatform
    ) -> [(causes: [ErrorCause], advice: String)] {
        let sizes = ErrorCause.allCases.map { cause in
            sides.joined().reduce(0) { clampedSum($0, $1.cause == cause ? Int(clamping: $1.bytes.magnitude) : 0) }
        }
        let sorted = zip(ErrorCause.allCases, sizes).filter { $0.1 > 0 }.enumerated().sorted { left, right in
            left.element.1 != right.element.1 ? left.element.1 > right.element.1 : left.offset < right.offset
        }
        var allowances: [(causes: [ErrorCause], advice: String)] = []
        for cause in sorted.map(\.element.0) {
            guard let advice = cause.advice(on: platform) else { continue }
            if let known = allowances.firstIndex(where: { $0.advice == advice }) {
                allowances[known].causes.append(cause)
            } else {
                allowances.append(([cause], advice))
            }
        }
        return allowances
    }

    var shown: ArraySlice<Change> { changes.prefix(SDKAdvice.most) }

    /// What remains after all changes: `After all 5 changes, the remaining error is 0 for requests and …`
    var remainder: String? {
        let told = zip(Direction.allCases, ends).compactMap { direction, end -> String? in
            guard let end, let left = end.remaining else { return nil }
            return leftInWords(left, end.truth) + " for \(direction.noun)s"
        }
        guard changes.count > 1, !told.isEmpty else { return nil }
        return "After all \(grouped(changes.count)) changes, the remaining error is \(told.joined(separator: " and "))."
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

private func repairInWords(_ effect: SDKAdvice.Effect) -> String {
    let sizes = [(effect.surplus, "surplus byte"), (effect.missing, "missing byte")].filter { $0.0 > 0 }
    return sizes.map { counted($0.0, $0.1) }.joined(separator: " and ")
}

private func leftInWords(_ bytes: Int, _ truth: Int) -> String {
    signedBytes(bytes) + (bytes == 0 ? "" : signedPercent(bytes, of: truth).map { " (\($0))" } ?? "")
}

/// What the figures of the block mean.
let adviceLegend = """
    corrects: bytes that this change alone puts right, in all calls, recorded or not. error left: against the message bytes, \
    or against the wire bytes for bytes below HTTP.
    """
