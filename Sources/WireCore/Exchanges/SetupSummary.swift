/// The setting up of a host's connections. All of it was counted, nothing estimated; `reuseSaving` is a sum of
/// counts under a supposition that it names. Bytes of the IP layer, both directions.
public struct SetupSummary: Sendable, Equatable {
    /// Connections that began with TLS.
    public var tlsConnections = 0
    /// TLS handshakes of which both hellos were read and that resumed nothing.
    public var fullHandshakes = 0
    public var resumedHandshakes = 0
    /// Those of them that had application data of which none could be read.
    public var unreadConnections = 0
    /// Those of the unread ones whose records tell calls apart (HTTP/1.1), and how many calls these tell.
    public var cutConnections = 0
    public var unnamedCalls = 0
    /// Those of the unread ones whose clients offered Encrypted Client Hello: the name that they show may be the public one of
    /// another host, or the true one beside an extension that says nothing (RFC 9849 §6.2).
    public var publicNames = 0
    /// Those of which some application data could be read and some not.
    public var partlyReadConnections = 0
    /// Those whose handshake failed: they carried no call, and no key could show one. Not among the unread ones.
    public var failedHandshakes = 0
    /// Those whose handshake did not fail and that carried no application data, so that there was nothing to read.
    public var silentConnections = 0
    /// Calls that these connections carried, to whatever host.
    public var exchanges = 0
    /// Certificate messages of the server that could be read.
    public var certificateBytes = 0
    /// setup.dns + setup.tcp + setup.tls + setup.http of all connections, whoever pays them.
    public var setupBytes = 0
    /// `teardown` of all connections, whoever pays it.
    public var teardownBytes = 0
    /// Connections that carried calls, or content that was not read.
    public var usedConnections = 0
    /// Those of them that no idle connection of the same client could have stood in for: see `ConnectionPools`.
    public var neededConnections = 0
    /// Set-up and teardown of the others: what would not have been spent if connections had been kept open.
    public var reuseSaving = 0

    /// Longest time that `reuseSaving` supposes an idle connection to be kept. Common servers and proxies close idle
    /// connections after 60 seconds or later.
    public static let mostIdleSeconds = 60

    public init() {}

    mutating func add(_ other: SetupSummary) {
        exchanges += other.exchanges
        setupBytes += other.setupBytes
        teardownBytes += other.teardownBytes
        usedConnections += other.usedConnections
        neededConnections += other.neededConnections
        reuseSaving += other.reuseSaving
        // Most connections of many captures are without TLS.
        if other.tlsConnections > 0 { addSecurity(other) }
    }

    private mutating func addSecurity(_ other: SetupSummary) {
        tlsConnections += other.tlsConnections
        fullHandshakes += other.fullHandshakes
        resumedHandshakes += other.resumedHandshakes
        unreadConnections += other.unreadConnections
        cutConnections += other.cutConnections
        unnamedCalls += other.unnamedCalls
        publicNames += other.publicNames
        partlyReadConnections += other.partlyReadConnections
        failedHandshakes += other.failedHandshakes
        silentConnections += other.silentConnections
        certificateBytes += other.certificateBytes
    }
}
