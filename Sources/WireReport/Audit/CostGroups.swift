import WireCore
import WireRecords

/// What bytes were spent on, in few words.
enum CostGroup: Int, CaseIterable {
    case messages, carrying, opening, resent, unread, other

    /// The group that a cause is in.
    init(_ cause: Cause) {
        switch cause {
        case .startLine, .headers, .framing, .body: self = .messages
        case .tlsRecords, .tcpip, .quic, .ack: self = .carrying
        case .setupDNS, .setupTCP, .setupTLS, .setupQUIC, .setupHTTP, .teardown, .keepalive: self = .opening
        case .retransmission: self = .resent
        case .opaque: self = .unread
        }
    }

    var name: String {
        switch self {
        case .messages: "messages"
        case .carrying: "carrying"
        case .opening: "set-up, closing"
        case .resent: "resent"
        case .unread: "not read"
        case .other: "other"
        }
    }

    var paint: Paint {
        switch self {
        case .messages: .message
        case .carrying: .overhead
        case .opening: .opening
        case .resent: .loss
        case .unread: .outside
        case .other: .faint
        }
    }

    /// A cell of a bar. Where there is no colour the shape tells the groups apart.
    func mark(_ style: TerminalStyle) -> Character {
        if style.unicode, style.color { return "▆" }
        let marks: [Character] = style.unicode ? ["█", "▓", "▒", "░", "─", "·"] : ["#", "=", "+", "x", "-", "."]
        return marks[rawValue]
    }
}

/// Bytes by group.
struct CostGroups {
    private var values = InlineArray<6, Int>(repeating: 0)

    subscript(group: CostGroup) -> Int {
        get { values[group.rawValue] }
        set { values[group.rawValue] = newValue }
    }

    var total: Int {
        var sum = 0
        for index in values.indices { sum += values[index] }
        return sum
    }

    /// The wire bytes of an API, all of them.
    init(_ costs: Directions<CostVector>, _ options: ReportOptions) {
        add(costs.up)
        add(costs.down)
        // What the chosen layer adds carries the rest.
        self[.carrying] += options.wire(costs) - costs.up.internet - costs.down.internet
    }

    /// All bytes of a ledger.
    init(_ ledger: LedgerSummary) {
        add(ledger.causes.up)
        add(ledger.causes.down)
        self[.other] = ledger.bytes - total
    }

    init() {}

    /// IP bytes of one direction.
    init(_ costs: CostVector) { add(costs) }

    mutating func add(_ other: CostGroups) {
        for group in CostGroup.allCases { self[group] &+= other[group] }
    }

    private mutating func add(_ costs: CostVector) {
        for cause in Cause.allCases { self[CostGroup(cause)] += costs[cause] }
    }

    /// A bar of the groups one after the other. Each ends where the bytes up to there end, so a small one may have no
    /// cell; the bar as a whole has one at least.
    func bar(of whole: Int, cells: Int, style: TerminalStyle) -> String {
        let sum = total
        guard sum > 0, whole > 0, cells > 0 else { return "" }
        let length = max(scaled(sum, of: whole, to: cells), 1)
        var bar = ""
        var bytes = 0
        var used = 0
        for group in CostGroup.allCases {
            bytes += self[group]
            let halves = scaled(bytes, of: sum, to: 2 * length)
            let cells = (halves + 1) / 2 - used
            guard cells > 0 else { continue }
            used += cells
            bar += style.paint(String(repeating: group.mark(style), count: cells), group.paint)
        }
        return bar
    }
}
