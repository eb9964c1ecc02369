/// Matches rows and exchanges of one group, by predicted times.
struct GroupMatcher {
    struct Pair {
        /// Index in the log.
        var row: Int32
        var rowTime: Int64
        /// Place among the group's exchanges.
        var call: Int32
        /// The row that it repeats, or the row itself.
        var identity: Int32
        var isAmbiguous = false
    }

    /// Rows that could be repetitions or rows of other exchanges; empty where the log's times are fine enough to tell.
    var copies: [Int32: [Int32]] = [:]
    /// Smallest difference of the log's times.
    var resolution: Int64 = 1
    private(set) var assignment = LineAssignment()

    init() {}

    /// - Parameters:
    ///   - rows: ascending times, lag taken off; indices in the log.
    ///   - calls: ascending times, brought to the log's clock.
    mutating func match(_ rows: [TimedEntry], _ calls: [TimedEntry], _ noise: TimeNoise) -> [Pair] {
        assignment.solve(rows: rows.map(\.time), calls: calls.map(\.time), limit: noise.limit)
        var pairs: [Pair] = []
        var freeRows: [TimedEntry] = []
        var isTaken = [Bool](repeating: false, count: calls.count)
        for (place, entry) in rows.enumerated() {
            let call = assignment.partners[place]
            guard call >= 0 else {
                freeRows.append(entry)
                continue
            }
            isTaken[Int(call)] = true
            pairs.append(Pair(row: entry.index, rowTime: entry.time, call: call, identity: entry.index))
        }
        if !copies.isEmpty { matchCopies(calls, noise, &pairs, &isTaken) }
        let late = matchLate(freeRows, calls, noise, &isTaken)
        if !late.isEmpty {
            let lateRows = Set(late.map(\.row))
            freeRows.removeAll { lateRows.contains($0.index) }
        }
        markAmbiguous(&pairs, freeRows, calls, isTaken, noise)
        return pairs + late
    }

    private func markAmbiguous(
        _ pairs: inout [Pair], _ freeRows: [TimedEntry], _ calls: [TimedEntry], _ isTaken: [Bool], _ noise: TimeNoise
    ) {
        if pairs.count == 1, calls.count == 1, freeRows.isEmpty { return }
        pairs.sort { $0.call < $1.call }
        let ambiguous = AmbiguousPairs.find(
            pairs.map { AmbiguousPairs.Pair(row: $0.rowTime, call: calls[Int($0.call)].time, identity: $0.identity) },
            freeRows: freeRows.map(\.time), freeCalls: calls.indices.filter { !isTaken[$0] }.map { calls[$0].time },
            slack: noise.slack)
        for index in pairs.indices { pairs[index].isAmbiguous = ambiguous[index] }
    }

    // MARK: Coarse times

    /// In a log with coarse times, rows that are equal in all columns may be rows of as many exchanges as there are at
    /// that time. They take what other rows have left.
    private func matchCopies(
        _ calls: [TimedEntry], _ noise: TimeNoise, _ pairs: inout [Pair], _ isTaken: inout [Bool]
    ) {
        var next = Array(0...calls.count)
        func free(from place: Int, _ isTaken: [Bool]) -> Int {
            var place = place
            while place < calls.count, isTaken[place] {
                next[place] = next[max(next[place], place + 1)]
                place = next[place]
            }
            return place
        }
        let reach = (resolution / 2).saturatingAdd(noise.slack)
        for index in pairs.indices {
            guard let equal = copies[pairs[index].row] else { continue }
            let (time, call) = (pairs[index].rowTime, calls[Int(pairs[index].call)].time)
            let lowest = max(time.saturatingSubtract(reach), call.saturatingSubtract(resolution))
            let highest = min(time.saturatingAdd(reach), call.saturatingAdd(resolution))
            var place = calls.position(of: lowest, in: 0..<calls.count)
            for row in equal {
                place = free(from: place, isTaken)
                guard place < calls.count, calls[place].time <= highest else { break }
                isTaken[place] = true
                pairs.append(
                    Pair(
                        row: row, rowTime: time, call: Int32(truncatingIfNeeded: place), identity: pairs[index].row))
            }
        }
    }

    // MARK: Stragglers

    /// Rows that came later than rows usually do, where nothing else is left that fits.
    private mutating func matchLate(
        _ rows: [TimedEntry], _ calls: [TimedEntry], _ noise: TimeNoise, _ isTaken: inout [Bool]
    ) -> [Pair] {
        if rows.isEmpty || noise.farLimit <= noise.limit { return [] }
        let free = calls.indices.filter { !isTaken[$0] }
        if free.isEmpty { return [] }
        let (rowTimes, callTimes) = (rows.map(\.time), free.map { calls[$0].time })
        assignment.solve(rows: rowTimes, calls: callTimes, limit: noise.farLimit)
        var pairs: [Pair] = []
        for (place, entry) in rows.enumerated() where assignment.partners[place] >= 0 {
            let call = Int(assignment.partners[place])
            let distance = entry.time.distance(from: callTimes[call])
            let rival = min(
                GroupMatcher.nearestOther(callTimes, call, to: entry.time),
                GroupMatcher.nearestOther(rowTimes, place, to: callTimes[call]))
            guard rival > noise.farLimit || rival / 3 > distance else { continue }
            isTaken[free[call]] = true
            pairs.append(
                Pair(
                    row: entry.index, rowTime: entry.time, call: Int32(truncatingIfNeeded: free[call]),
                    identity: entry.index, isAmbiguous: rival <= noise.farLimit))
        }
        return pairs
    }

    /// How far a time is from the nearest of ascending times, one of them left out.
    private static func nearestOther(_ times: [Int64], _ place: Int, to time: Int64) -> Int64 {
        var nearest = Int64.max
        if place > 0 { nearest = times[place - 1].distance(from: time) }
        if place + 1 < times.count { nearest = min(nearest, times[place + 1].distance(from: time)) }
        return nearest
    }
}
