import WireCore

/// What no session can have: somebody or something changed a partial result after it was written.
extension PartialResult {
    /// Looks at counts and the names of sessions of a result that was read. Whether its `ledger` balances is another question.
    ///
    /// - Parameter version: the program's own. Sums of other versions may follow other rules.
    public func check(version: String) throws(PartialError) {
        if let other = self.version, other != version {
            throw PartialError(
                message: "version \(other) of wireaudit wrote it, this is \(version); make all parts with one version")
        }
        for (key, row) in rows {
            guard let column = row.negativeCount else { continue }
            let name = ([key.kind.rawValue] + key.names).joined(separator: " ")
            throw PartialError(message: "its \(column) of '\(name)' is negative")
        }
        for (id, name) in sessions where id != SessionID(Array("name:\(name)".utf8)) && name != id.text.prefix(16) {
            throw PartialError(message: "the id of its session '\(name)' is of another name")
        }
        try checkCalls()
    }

    private func checkCalls() throws(PartialError) {
        for (key, sums) in calls {
            let coverage = sums.coverage
            let isPossible =
                0...coverage.calls ~= coverage.recordedCalls
                && 0...coverage.messageBytes ~= coverage.recordedMessageBytes
                && 0...coverage.wireBytes ~= coverage.recordedWireBytes
            guard coverage.calls >= 0, coverage.messageBytes >= 0, coverage.wireBytes >= 0, isPossible else {
                throw PartialError(message: "its counts of calls of '\(key.api ?? key.source)' contradict each other")
            }
            guard 0...sessions.count ~= sums.sessions.count,
                sums.sessions.sessions.allSatisfy({ sessions[$0.id] != nil })
            else { throw PartialError(message: "its calls of '\(key.api ?? key.source)' are of other sessions") }
        }
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
