/// Connections of one client and host, besides the first, that are kept.
struct KeptConnections {
    /// Until when the calls of each went on.
    var ends: [Int64] = []
    /// All of them, the first too, from the time on that one has pauses between its calls.
    var kept: [KeptConnection] = []

    /// Lets kept connections carry all calls of another; false where they could not. One that stayed open between two of them
    /// shows that a connection to this host can be idle for so long.
    mutating func take(_ calls: [CallTime]) -> Bool {
        if let whole = best(calls[0], { one in calls.dropFirst().allSatisfy { one.idle(before: $0) != nil } }) {
            for call in calls { kept[whole].insert(call) }
            return true
        }
        guard calls.count > 1 else { return false }
        let before = kept
        for call in calls {
            guard let one = best(call, { _ in true }) else {
                kept = before
                return false
            }
            kept[one].insert(call)
        }
        return true
    }

    /// The one that became idle last, of those that can carry a call.
    private func best(_ call: CallTime, _ isFit: (KeptConnection) -> Bool) -> Int? {
        var best: (place: Int, idle: Int64)?
        for (place, one) in kept.enumerated() {
            guard let idle = one.idle(before: call), idle < best?.idle ?? .max,
                idle <= ConnectionPools.mostIdle || one.isUsed(after: call), isFit(one)
            else { continue }
            best = (place, idle)
        }
        return best?.place
    }
}

/// A connection that is kept, with the times at which calls go on on it: its own, and those of connections that it stands
/// in for.
struct KeptConnection {
    private var calls: [CallTime]
    /// Those before it are forgotten.
    private var first = 0

    init(_ calls: [CallTime]) { self.calls = calls }

    var end: Int64 { calls[calls.count - 1].end }

    /// Place of the first call that begins later.
    private func following(_ time: Int64) -> Int {
        var (low, high) = (first, calls.count)
        while low < high {
            let middle = (low + high) / 2
            if calls[middle].begin > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// How long it has been idle when a call begins that it could carry; nil where it could not.
    func idle(before call: CallTime) -> Int64? {
        let next = following(call.begin)
        guard next > first, calls[next - 1].end <= call.begin, next == calls.count || call.end <= calls[next].begin
        else { return nil }
        return call.begin.subtractingReportingOverflow(calls[next - 1].end).partialValue
    }

    /// It was still open when a later call began on it.
    func isUsed(after call: CallTime) -> Bool { following(call.begin) < calls.count }

    /// Takes a call that it could carry.
    mutating func insert(_ call: CallTime) { calls.insert(call, at: following(call.begin)) }

    /// Forgets calls that nothing can follow any more but the last of them.
    mutating func forget(before time: Int64) {
        first = max(following(time) - 1, first)
        // Each is moved once or twice then, not whenever another is forgotten.
        guard first > 16, first * 2 > calls.count else { return }
        calls.removeFirst(first)
        first = 0
    }
}
