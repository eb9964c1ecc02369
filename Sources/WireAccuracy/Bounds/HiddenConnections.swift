import WireCore

/// The connections of which nobody could read a call, gathered while an audit runs.
struct HiddenConnections {
    /// Most pieces that are kept; connections beyond it count as incomplete.
    private static let pieceLimit = 1 << 24
    private var connections: [HiddenConnection] = []
    private var pieces = 0
    /// By host, and of those that may carry calls of several hosts by the server's address.
    private var byHost: [[UInt8]: [Int]] = [:]
    private var sharedByServer: [Endpoint: [Int]] = [:]
    private var byClientPort: [UInt16: [Int]] = [:]

    var clientPorts: some Sequence<UInt16> { byClientPort.keys }

    mutating func add(_ record: ConnectionRecord, host: [UInt8]) {
        guard var connection = HiddenConnection(record, host: host) else { return }
        if pieces + connection.pieces.count > HiddenConnections.pieceLimit {
            connection.pieces = []
            connection.turns = nil
            connection.isComplete = false
        }
        pieces += connection.pieces.count
        byHost[host, default: []].append(connections.count)
        if !connection.isHTTP1 { sharedByServer[connection.server, default: []].append(connections.count) }
        byClientPort[connection.clientPort, default: []].append(connections.count)
        connections.append(connection)
    }

    /// What may have carried calls of a host; nil where no connection named it.
    ///
    /// - Parameter port: the client's, where it is known; 0: not known.
    func timeline(of host: [UInt8], clientPort port: UInt16) -> HostTimeline? {
        guard let own = byHost[host] else { return nil }
        let servers = Set(own.map { connections[$0].server })
        var numbers = Set(own + servers.flatMap { sharedByServer[$0] ?? [] })
        if port != 0, let named = byClientPort[port] {
            let both = numbers.intersection(named)
            if !both.isEmpty { numbers = both }
        }
        return HostTimeline(numbers.sorted().map { connections[$0] })
    }
}
