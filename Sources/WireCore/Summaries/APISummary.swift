/// One row of the API table.
public struct APISummary: Sendable {
    /// `method host path-template`; exchanges without request have the method `?`. What TLS hides of a host stands as
    /// `https://host (encrypted)` where it is HTTP, else as `tls://host (encrypted)`, with the protocol behind
    /// `encrypted` where ALPN or the port names it.
    public var api: String
    public var exchanges = 0
    public var costs = Directions<CostVector>()
    /// The row of a host whose application data could not be read: how many calls there were is not known.
    public var isEncrypted = false

    public init(api: String) { self.api = api }
}

/// All that went to and from one host.
public struct HostSummary: Sendable {
    public var host: String
    public var connections = 0
    public var protocols = ProtocolSet()
    public var exchanges = 0
    /// Connections on which no exchange was found, those left out whose TLS was not read.
    public var connectionsWithoutExchange = 0
    /// Everything: the host's exchanges and its connections' own costs.
    public var costs = Directions<CostVector>()
    /// The part that no API row has: connections without exchange, payload between messages, and with
    /// `setup: separate` set-up, teardown and keep-alives.
    public var unassigned = Directions<CostVector>()

    /// Not nil for UDP that is of no QUIC connection: `host` is its endpoint then, and it has no connections.
    public internal(set) var datagrams: DatagramSummary?

    /// What its connections cost before they could carry a message, and after.
    public var setup = SetupSummary()

    public init(host: String) { self.host = host }
}

extension ExchangeRecord {
    /// Its API as the row of the API table is named.
    public var apiName: String { NameTable.text(api) }
}
