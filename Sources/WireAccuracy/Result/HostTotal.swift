import WireLogs

/// A host with TLS connections of which no call could be read: what they cost together.
///
/// Only TLS connections without readable application data are in it. Connections of the same host that were decrypted
/// are not, not even those that could be read in part: their calls are compared one by one. These totals are in no
/// statistics of calls.
public struct HostTotal: Sendable {
    /// Bytes of one direction.
    public struct Side: Sendable, Equatable {
        /// All that the connections cost, by the choices of the report: from name resolution to closing.
        public var wire = 0
        /// TLS set-up: handshakes, tickets, and the headers of packets that carried nothing else.
        public var setup = 0
        /// Application data without record overhead. An upper bound of what messages took: padding, TLS 1.3's encrypted
        /// handshake messages and HTTP/2's own frames cannot be told from it.
        public var application = 0

        public init() {}
    }

    /// Lower case: the name that TLS asked for, else the server's DNS name, else its address.
    public var host: String
    /// Ports of the servers, ascending, at most 8.
    public var ports: [UInt16] = []
    public var connections = 0
    /// First and last packet of the connections: nanoseconds since the epoch.
    public var first: Int64
    public var last: Int64
    /// `up` is client to server.
    public var up = Side()
    public var down = Side()

    public init(host: String, first: Int64, last: Int64) {
        self.host = host
        self.first = first
        self.last = last
    }

    public subscript(direction: Direction) -> Side { direction == .up ? up : down }

    /// Lower case, without the dot that may end a full name.
    static func plain(_ name: some Sequence<UInt8>) -> [UInt8] {
        var plain = name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        if plain.count > 1, plain.last == 0x2E { plain.removeLast() }
        return plain
    }
}

/// A host with TLS connections whose handshake failed. No call was sent over them: they are neither among the calls nor
/// among the hosts that nobody could read.
public struct FailedHandshakes: Sendable, Equatable {
    /// Named as in `HostTotal`.
    public var host: String
    public var connections = 0
    /// Those of them that an alert ended; the others were closed before any application data.
    public var alerts = 0
    /// All that the connections cost, by the choices of the report. `up` is client to server.
    public var wireUp = 0
    public var wireDown = 0

    public init(host: String) { self.host = host }

    public var wire: Int { wireUp + wireDown }
}

/// What one log has in total for a host of `HostTotal`.
///
/// Its rows are those of this host, and of one of these ports where a row has one, that lie in the capture's time: from
/// the first to the last packet of any connection, by the log's clock as far as that is known, with a second more on
/// both sides. A row that lies in it in part is in it with all its bytes; a row without a usable time is in it. Not
/// among them are rows that were matched to a call, repetitions of rows that were told as such, and rows whose URL says
/// `http:`.
public struct HostLogTotal: Sendable {
    public struct Side: Sendable, Equatable {
        /// Rows that have a figure for the direction.
        public var rows = 0
        /// The sum of their figures: of each the total, else the parts that it has.
        public var bytes = 0

        public init() {}
    }

    /// Index in `AccuracyResult.sources`.
    public var source: Int
    /// Index in `AccuracyResult.hosts`.
    public var host: Int
    public var rows = 0
    /// Further rows of the host, before or after the capture.
    public var rowsOutside = 0
    /// First and last time of the rows by the capture's clock, nanoseconds since the epoch; nil where they have none.
    public var first: Int64?
    public var last: Int64?
    public var up = Side()
    public var down = Side()

    public init(source: Int, host: Int) {
        self.source = source
        self.host = host
    }

    public subscript(direction: Direction) -> Side { direction == .up ? up : down }
}
