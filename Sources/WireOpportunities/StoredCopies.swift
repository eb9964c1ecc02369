import WireCore

/// A response that a cache could hold.
struct StoredCopy {
    /// Of the content: what it is, and its bytes as sent.
    var digest: UInt64
    var size: Int
    /// When it had come, nanoseconds since the epoch.
    var since: Int64
    /// When it was 0 seconds old (RFC 9111 §4.2.3).
    var born: Int64
    var freshness: ResponseFreshness
    /// Only for this user; nil where it is for all.
    var owner: UInt64?
    var varied: [[UInt8]?]

    /// Nanoseconds since the epoch.
    var freshUntil: Int64 {
        let (until, overflow) = born.addingReportingOverflow(Int64(freshness.seconds) * 1_000_000_000)
        return overflow ? .max : until
    }

    func isFor(_ user: UInt64) -> Bool { owner == nil || owner == user }
}

/// The copies of one URL that the users at one address could hold: the newest of each, and those that are still to come.
struct StoredCopies {
    /// Copies that are kept; beyond it the oldest of other users goes.
    private static let limit = 8

    /// In the order of their requests.
    private var copies: [StoredCopy] = []

    var count: Int { copies.count }

    /// The newest that had come by this time.
    func newest(for user: UInt64, at time: Int64) -> StoredCopy? {
        var newest: StoredCopy?
        for copy in copies where copy.isFor(user) && copy.since <= time && copy.since >= newest?.since ?? .min {
            newest = copy
        }
        return newest
    }

    /// Keeps a copy that was asked for at this time. Until it has come, the one before stays of use.
    mutating func keep(_ copy: StoredCopy, askedAt time: Int64) {
        var newest: [UInt64?: Int64] = [:]
        for copy in copies where copy.since <= time { newest[copy.owner] = max(copy.since, newest[copy.owner] ?? .min) }
        copies.removeAll { $0.since < newest[$0.owner] ?? .min }
        if copies.count >= StoredCopies.limit {
            let own = copies.firstIndex { $0.owner == copy.owner && $0.since <= time }
            let other = copies.firstIndex { $0.owner != copy.owner && $0.since <= time }
            // Where one user asks again and again, what comes first is of use first.
            copies.remove(at: other.map { own ?? $0 } ?? copies.count - 1)
        }
        copies.append(copy)
    }

    mutating func removeAll(of user: UInt64) { copies.removeAll { $0.isFor(user) } }
}
