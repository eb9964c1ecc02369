import WireAccuracy
import WireEstimates
import WireStatistics

/// The sums of a row as integers, by the names that partial results write.
extension CallSums {
    /// In the order of outputs.
    public var integers: [(name: String, values: [Int128])] {
        [
            ("coverage", coverageIntegers), ("message", message.integers), ("wire", wire.integers),
            ("message_spread", messageErrors.integers), ("wire_spread", wireErrors.integers),
            ("sizes", sizes.integers), ("completed", completed.integers), ("without_bodies", withoutBodies.integers),
            ("failed", failed.integers), ("session_errors", sessionErrors.integers),
            ("session_count", [Int128(sessions.count)]), ("session_totals", sessions.total.integers),
            ("sessions", sessions.sessions.flatMap { [Int128($0.id.high), Int128($0.id.low)] + $0.sums.integers }),
            ("replicates", sessions.resampled.flatMap(\.integers)),
        ]
    }

    /// Bytes by cause, by the names that partial results write.
    public var causes: [(name: String, ledger: CauseLedger)] {
        [("message_causes", messageCauses), ("transport", transport), ("unseen", unseen)]
    }

    private var coverageIntegers: [Int128] { CallSums.coveragePaths.map { Int128(coverage[keyPath: $0]) } }

    private static var coveragePaths: [WritableKeyPath<Coverage, Int>] {
        [
            \.calls, \.recordedCalls, \.messageBytes, \.recordedMessageBytes, \.wireBytes, \.recordedWireBytes,
        ]
    }

    /// Nil where a list is missing or is not what its name says.
    package init?(integers: [String: [Int128]], causes: [String: CauseLedger]) {
        guard let coverage = integers["coverage"]?.compactMap({ Int(exactly: $0) }),
            coverage.count == CallSums.coveragePaths.count,
            let message = integers["message"].flatMap({ ErrorAccumulator(integers: $0) }),
            let wire = integers["wire"].flatMap({ ErrorAccumulator(integers: $0) }),
            let messageErrors = integers["message_spread"].flatMap({ RelativeErrorSums(integers: $0) }),
            let wireErrors = integers["wire_spread"].flatMap({ RelativeErrorSums(integers: $0) }),
            let sizes = integers["sizes"].flatMap({ SizeSums(integers: $0) }),
            let completed = integers["completed"].flatMap({ ErrorSums(integers: $0) }),
            let withoutBodies = integers["without_bodies"].flatMap({ ErrorSums(integers: $0) }),
            let failed = integers["failed"].flatMap({ ErrorSums(integers: $0) }),
            let sessionErrors = integers["session_errors"].flatMap({ ErrorAccumulator(integers: $0) }),
            let sessions = SessionSums(integers),
            let messageCauses = causes["message_causes"], let transport = causes["transport"],
            let unseen = causes["unseen"]
        else { return nil }
        self.init()
        for (path, value) in zip(CallSums.coveragePaths, coverage) { self.coverage[keyPath: path] = value }
        (self.message, self.wire, self.sessionErrors) = (message, wire, sessionErrors)
        (self.messageErrors, self.wireErrors, self.sizes) = (messageErrors, wireErrors, sizes)
        (self.completed, self.withoutBodies, self.failed) = (completed, withoutBodies, failed)
        (self.messageCauses, self.transport, self.unseen) = (messageCauses, transport, unseen)
        self.sessions = sessions
    }
}

extension SessionSums {
    /// Of the lists that partial results write. A session has the halves of its id and its sums, a replicate its sums.
    fileprivate init?(_ lists: [String: [Int128]]) {
        let width = Sums.paths.count
        guard let integers = lists["sessions"], integers.count % (width + 2) == 0,
            let replicates = lists["replicates"], replicates.count % width == 0,
            let totals = lists["session_totals"], totals.count == width,
            let counts = lists["session_count"], counts.count == 1, let count = Int(exactly: counts[0])
        else { return nil }
        var sessions: [(id: SessionID, sums: Sums)] = []
        for place in stride(from: 0, to: integers.count, by: width + 2) {
            guard let high = UInt64(exactly: integers[place]), let low = UInt64(exactly: integers[place + 1]) else {
                return nil
            }
            let sums = Sums(integers[(place + 2)..<(place + 2 + width)])
            sessions.append((SessionID(high: high, low: low), sums))
        }
        self.init(
            total: Sums(totals[...]), count: count, sessions: sessions,
            resampled: stride(from: 0, to: replicates.count, by: width).map { Sums(replicates[$0..<$0 + width]) })
    }
}

extension SessionSums.Sums {
    fileprivate var integers: [Int128] { Self.paths.map { self[keyPath: $0] } }

    /// Of as many integers as there are sums.
    fileprivate init(_ integers: ArraySlice<Int128>) {
        self.init()
        for (path, value) in zip(Self.paths, integers) { self[keyPath: path] = value }
    }
}
