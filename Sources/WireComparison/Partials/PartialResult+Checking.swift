import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireStatistics

/// What no session can have: somebody or something changed a partial result after it was written.
extension PartialResult {
    /// Looks at counts and the names of sessions of a result that was read. Whether its `ledger` balances is another question.
    ///
    /// - Parameter version: the program's own. Sums of other versions may follow other rules.
    public mutating func check(version: String) throws(PartialError) {
        guard self.version == version else {
            let other = self.version.map { "version \($0)" } ?? "an unknown version"
            throw PartialError(
                message: "\(other) of wireaudit wrote it, this is \(version); make all parts with one version")
        }
        for (key, row) in rows {
            guard let column = row.negativeCount else { continue }
            let name = ([key.kind.rawValue] + key.names).joined(separator: " ")
            throw PartialError(message: "its \(column) of '\(name)' is negative")
        }
        for (id, name) in sessions where id != SessionID(Array("name:\(name)".utf8)) && name != id.text.prefix(16) {
            throw PartialError(message: "the id of its session '\(name)' is of another name")
        }
        try checkSizes()
        try checkRows()
        try checkCalls()
    }

    private mutating func checkSizes() throws(PartialError) {
        var sum: UInt128 = 0
        for row in rows.values {
            for (column, value) in zip(row.kind.columns, row.values) {
                guard let value else { continue }
                if column.merging == .sum { sum = min(sum, 1 << 126) + min(value.magnitude, 1 << 126) }
                guard value.magnitude < SumLimits.counts else {
                    throw PartialError(message: "its \(column.name) of '\(row.kind.rawValue)' is too large")
                }
            }
        }
        for sums in calls.values {
            for magnitude in sums.countMagnitudes { sum = min(sum, 1 << 126) + UInt128(magnitude) }
        }
        guard sum <= UInt128(SumLimits.counts) else {
            throw PartialError(message: "its counts add up to more than any capture has")
        }
        magnitude = sum
    }

    /// Every result has a row of its capture, and one of accuracy has calls where exchanges were compared.
    private func checkRows() throws(PartialError) {
        guard rows[PartialKey(.capture)] != nil else { throw PartialError(message: "it has no row of its capture") }
        let compared = row(.capture).integer("compared")
        guard report == .accuracy else {
            guard compared == 0, calls.isEmpty else {
                throw PartialError(message: "it has calls, as no result of an audit has")
            }
            return
        }
        for direction in Direction.allCases {
            let all = calls[CallKey(source: CallKey.packets, api: nil, direction: direction)]?.coverage.calls ?? 0
            guard all == compared else {
                throw PartialError(message: "it has \(all) calls, and \(compared) exchanges that were compared")
            }
        }
    }

    private func checkCalls() throws(PartialError) {
        for (key, sums) in calls {
            let coverage = sums.coverage
            guard coverage.isPossible, sums.sessions.isPossible else {
                throw PartialError(message: "its counts of calls of '\(key.api ?? key.source)' contradict each other")
            }
            guard 0...sessions.count ~= sums.sessions.count,
                sums.sessions.sessions.allSatisfy({ sessions[$0.id] != nil })
            else { throw PartialError(message: "its calls of '\(key.api ?? key.source)' are of other sessions") }
        }
    }
}

extension Coverage {
    /// What was recorded is a part of all.
    fileprivate var isPossible: Bool {
        func holds(_ part: Int, _ all: Int) -> Bool { part >= 0 && part <= all }
        return holds(recordedCalls, calls) && holds(recordedMessageBytes, messageBytes)
            && holds(recordedWireBytes, wireBytes)
    }
}

extension SessionSums {
    /// No session has fewer calls or bytes than none. What is estimated may be below 0.
    fileprivate var isPossible: Bool {
        ([total] + sessions.map(\.sums) + resampled).allSatisfy { sums in
            [sums.calls, sums.message, sums.wire, sums.allCalls, sums.allMessage, sums.allWire].allSatisfy { $0 >= 0 }
                && Sums.paths.allSatisfy { sums[keyPath: $0].magnitude <= SumLimits.totals }
        }
    }
}

extension CallSums {
    /// How large its integers of 64 bits are.
    fileprivate var countMagnitudes: [UInt] {
        let ledgers = [messageCauses, transport, unseen].flatMap { ledger in
            ErrorCause.allCases.map { ledger[$0].magnitude }
        }
        return ledgers + [
            coverage.calls.magnitude, coverage.messageBytes.magnitude, coverage.wireBytes.magnitude,
            sessions.count.magnitude,
        ]
    }
}

extension PartialRow {
    /// Columns whose values may be below 0: times, errors, and what is added to figures.
    private static let signed: Set<String> = [
        "first", "last", "added_bytes", "reuse_saving", "max", "estimate", "before", "after", "length",
    ]

    /// A column that counts and is negative; nil where there is none.
    var negativeCount: String? {
        for (column, value) in zip(kind.columns, values) {
            guard let value, value < 0, !PartialRow.signed.contains(column.name) else { continue }
            if !column.name.hasPrefix("ambiguous_"), !column.name.hasSuffix(".length") { return column.name }
        }
        return nil
    }
}
