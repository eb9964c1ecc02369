/// Whose costs those of a completed exchange are: where the names stand in the text of `CompletedFlows`.
struct ExchangeNames: Sendable {
    var api: Range<Int>
    var host: Range<Int>
    var protocols: ProtocolSet
    /// Number of the process that its connection was of so far.
    var process: UInt16
    /// Numbers of the media types of its messages, in its shard.
    var types: Directions<UInt16>
}

/// A connection that has ended.
struct CompletedConnection: Sendable {
    var host: [UInt8]
    var client: IPAddress
    var serverPort: UInt16
    /// Place of its first frame.
    var ordinal: Int
    /// What it paid itself.
    var own: Directions<CostVector>
    /// Not nil where TLS hides all that it carried.
    var hidden: HiddenProtocol?
    var protocols: ProtocolSet
    /// What is known of reuse is not in it yet.
    var setup: SetupSummary
    /// Nil where it carried nothing.
    var use: ConnectionUse?
    var transport: ConnectionTransport
    /// Its beginning was not captured.
    var isLate: Bool
    /// Exchanges whose end was not captured.
    var unfinished: Int
    var process: UInt16
    var hasExchanges: Bool { setup.exchanges > 0 }
}

/// Exchanges and connections that have ended, in the order in which they did, until the totals take them.
struct CompletedFlows {
    enum Kind: UInt8 { case exchange, connection, answer }

    /// When something ended.
    struct Moment: Comparable {
        /// Place in the order in which the audit takes what comes.
        var ordinal: Int
        /// The step of time that it ended at; `.max` where it was none.
        var step: Int64

        @inline(__always)
        static func < (one: Self, other: Self) -> Bool {
            one.ordinal != other.ordinal ? one.ordinal < other.ordinal : one.step < other.step
        }
    }

    struct Entry {
        var kind: Kind
        var moment: Moment
        var place: FindingPlace
    }

    private(set) var entries: [Entry] = []
    private(set) var exchanges: [ExchangeNames] = []
    /// What they cost: two for each, up and down. Apart, because they are large and are best copied once.
    private(set) var costs: [CostVector] = []
    private(set) var connections: [CompletedConnection] = []
    private(set) var answers: [LearnedAnswer] = []
    /// When calls went on on connections, by their places, where there were pauses.
    private var times: [Int: CallTimes] = [:]
    /// Names of the exchanges.
    var text: [UInt8] = []
    /// One for each exchange, and each connection, where records are wanted.
    var exchangeRecords: [ExchangeRecord] = []
    var connectionRecords: [ConnectionRecord] = []
    /// Places of the first frames of connections that began, where they are asked for.
    var begun: [Int] = []

    /// The step of time that is being done; `.max` where none is.
    var step = Int64.max

    var isEmpty: Bool { entries.isEmpty }

    @inline(__always)
    mutating func add(_ exchange: ExchangeNames, up: CostVector, down: CostVector, at findings: FindingSink) {
        add(.exchange, findings)
        exchanges.append(exchange)
        costs.append(up)
        costs.append(down)
    }

    mutating func add(_ connection: CompletedConnection, at findings: FindingSink) {
        add(.connection, findings)
        connections.append(connection)
    }

    /// Of the latest connection.
    mutating func add(_ latest: CallTimes) { times[connections.count - 1] = latest }

    /// Some connection has such times.
    var hasCallTimes: Bool { !times.isEmpty }

    func callTimes(ofConnection place: Int) -> CallTimes? { times[place] }

    mutating func add(_ answer: LearnedAnswer, at findings: FindingSink) {
        add(.answer, findings)
        answers.append(answer)
    }

    private mutating func add(_ kind: Kind, _ findings: FindingSink) {
        entries.append(
            Entry(kind: kind, moment: Moment(ordinal: findings.ordinal, step: step), place: findings.place))
    }

    /// Memory is kept for what comes next.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        CompletedFlows.empty(&exchanges)
        CompletedFlows.empty(&costs)
        if !connections.isEmpty {
            connections.removeAll(keepingCapacity: true)
            if !times.isEmpty { times.removeAll() }
        }
        CompletedFlows.empty(&answers)
        CompletedFlows.empty(&exchangeRecords)
        CompletedFlows.empty(&connectionRecords)
        CompletedFlows.empty(&begun)
        CompletedFlows.empty(&text)
    }

    /// Most of them are empty, which takes as long to make as what is not.
    @inline(__always)
    private static func empty<Element>(_ list: inout [Element]) {
        if !list.isEmpty { list.removeAll(keepingCapacity: true) }
    }
}
