import WireCore

/// Calls of one connection that need not be made.
struct SparedCalls {
    var kind: Opportunity.Kind
    var api: [UInt8]
    var count = 0
    /// The last one.
    var exchange = 0
    /// What they cost, without packets that only acknowledge.
    var bytes = 0
    /// Headers of packets of HTTP/2, of those since the last call that has to be made.
    var headers = Directions(up: 0, down: 0)

    init(kind: Opportunity.Kind, api: [UInt8]) { (self.kind, self.api) = (kind, api) }

    /// Takes a call, and returns what it saves of its bytes: headers of packets that it shares are sent for others.
    mutating func add(_ record: ExchangeRecord, _ wire: Int) -> Int {
        let before = headers
        count += 1
        exchange = record.exchange
        if record.stream != nil, record.transport == .tcp {
            headers.up += record.costs.up[.tcpip]
            headers.down += record.costs.down[.tcpip]
        }
        func shared(_ sums: Directions<Int>) -> Int {
            [sums.up, sums.down].reduce(0) { $0 + PacketSaving.shared(of: $1, record.client.address) }
        }
        let saved = wire - shared(headers) + shared(before)
        bytes += saved
        return saved
    }
}
