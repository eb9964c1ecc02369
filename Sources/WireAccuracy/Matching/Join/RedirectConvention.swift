/// How a log records calls that were redirected.
public enum RedirectConvention: String, Sendable, CaseIterable {
    /// A row for each hop, with its own URL.
    case hops
    /// A row for each hop; that of the last response has the first URL.
    case firstURLOnLast = "first-url-on-last"
    /// A row for the call: the first URL with the last response.
    case task
}

/// Redirected calls as a log with a certain convention sees them.
struct RedirectChains {
    /// By place among the calls: the first hop; -1 where the call is no hop.
    private var firstHops: [Int32]
    /// Another hop follows.
    private var isFollowed: [Bool]
    let isEmpty: Bool
    private let calls: [WireCall]

    init(_ calls: [WireCall]) {
        self.calls = calls
        firstHops = Array(repeating: -1, count: calls.count)
        isFollowed = Array(repeating: false, count: calls.count)
        var found = false
        for (place, call) in calls.enumerated() {
            let before = Int(call.redirectedFrom)
            // A hop follows one before it: chains have no circles.
            guard before >= 0, before < place else { continue }
            found = true
            isFollowed[before] = true
            if firstHops[before] < 0 { firstHops[before] = Int32(truncatingIfNeeded: before) }
            firstHops[place] = firstHops[before]
        }
        isEmpty = !found
    }

    func isHop(_ place: Int) -> Bool { firstHops[place] >= 0 }

    /// The calls under names and times by which rows of the convention know them. A call that has no row of its own is
    /// left out: its number is -1.
    func calls(as convention: RedirectConvention, for kind: LogRow.Kind) -> [WireCall] {
        if convention == .hops || isEmpty { return calls }
        return calls.indices.map { place in
            var call = calls[place]
            guard firstHops[place] >= 0 else { return call }
            if isFollowed[place] {
                if convention == .task { call.number = -1 }
                return call
            }
            let first = calls[Int(firstHops[place])]
            (call.host, call.path, call.method) = (first.host, first.path, first.method)
            if kind == .exchange {
                (call.start, call.opened, call.isFirst) = (first.start, first.opened, first.isFirst)
            }
            return call
        }
    }

    /// Conventions that rows of a kind may follow. The row of a request is that of its own hop in all of them.
    static func conventions(_ kind: LogRow.Kind) -> [RedirectConvention] {
        switch kind {
        case .request: [.hops]
        case .response: [.hops, .firstURLOnLast, .task]
        case .exchange: [.hops, .task]
        }
    }
}
