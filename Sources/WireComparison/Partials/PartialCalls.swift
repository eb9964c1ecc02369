import WireAccuracy
import WireStatistics

extension Coverage {
    private static var paths: [WritableKeyPath<Coverage, Int>] {
        [
            \.calls, \.recordedCalls, \.messageBytes, \.recordedMessageBytes, \.wireBytes, \.recordedWireBytes,
        ]
    }

    package var integers: [Int128] { Coverage.paths.map { Int128(self[keyPath: $0]) } }

    /// Nil where the integers are of no coverage.
    package init?(integers: [Int128]) {
        let values = integers.compactMap { Int(exactly: $0) }
        guard values.count == Coverage.paths.count, integers.count == values.count else { return nil }
        self.init()
        for (path, value) in zip(Coverage.paths, values) { self[keyPath: path] = value }
    }
}

/// The sums of sessions as lists of integers. A session has the halves of its id and its sums, a replicate its sums.
package struct SessionLists: Sendable {
    package var count: [Int128] = []
    package var totals: [Int128] = []
    package var sessions: [Int128] = []
    package var replicates: [Int128] = []

    package init() {}

    package init(_ sums: SessionSums) {
        count = [Int128(sums.count)]
        totals = sums.total.integers
        sessions = sums.sessions.flatMap { [Int128($0.id.high), Int128($0.id.low)] + $0.sums.integers }
        replicates = sums.resampled.flatMap(\.integers)
    }

    /// Nil where a list is not what its name says.
    package var sums: SessionSums? {
        let width = SessionSums.Sums.paths.count
        guard sessions.count % (width + 2) == 0, replicates.count % width == 0, totals.count == width,
            count.count == 1, let count = Int(exactly: count[0])
        else { return nil }
        var read: [(id: SessionID, sums: SessionSums.Sums)] = []
        for place in stride(from: 0, to: sessions.count, by: width + 2) {
            guard let high = UInt64(exactly: sessions[place]), let low = UInt64(exactly: sessions[place + 1]) else {
                return nil
            }
            let sums = SessionSums.Sums(sessions[(place + 2)..<(place + 2 + width)])
            read.append((SessionID(high: high, low: low), sums))
        }
        let resampled = stride(from: 0, to: replicates.count, by: width)
            .map { SessionSums.Sums(replicates[$0..<$0 + width]) }
        return SessionSums(total: SessionSums.Sums(totals[...]), count: count, sessions: read, resampled: resampled)
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
