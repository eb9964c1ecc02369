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
            connection.calls = nil
            connection.isComplete = false
        }
        pieces += connection.pieces.count
        byHost[host, default: []].append(connections.count)
        if !connection.isHTTP1 { sharedByServer[connection.server, default: []].append(connections.count) }
        byClientPort[connection.clientPort, default: []].append(connections.count)
        connections.append(connection)
    }

    /// The numbers of the connections that may have carried calls of a host, ascending; none where no connection named it.
    ///
    /// - Parameter port: the client's, where it is known; 0: not known.
    func connections(of host: [UInt8], clientPort port: UInt16) -> [Int] {
        guard let own = byHost[host] else { return [] }
        let servers = Set(own.map { connections[$0].server })
        let all = Set(own + servers.flatMap { sharedByServer[$0] ?? [] })
        let named = all.intersection(port == 0 ? [] : byClientPort[port] ?? [])
        return (named.isEmpty ? all : named).sorted()
    }

    func timeline(of numbers: [Int]) -> HostTimeline { HostTimeline(connections(numbers)) }

    func connections(_ numbers: [Int]) -> [HiddenConnection] { numbers.map { connections[$0] } }

    subscript(number: Int) -> HiddenConnection { connections[number] }

    /// Most of the numbers that rows have are ports of clients: others may be any marks of connections.
    func knowsPorts(of ports: [UInt16]) -> Bool {
        let told = Set(ports).subtracting([0])
        return told.count { byClientPort[$0] != nil } * 2 >= max(told.count, 1)
    }
}
