import WireCore

/// How much of the traffic, or of the rows of a log, was read. What was not read cannot be judged.
public struct ReadShare: Sendable, Equatable {
    public enum Unit: Sendable {
        /// IP bytes of the traffic.
        case bytes
        /// Rows of one log.
        case rows
    }

    public enum Reason: Sendable {
        /// TLS or QUIC that was not decrypted.
        case undecrypted
        /// No protocol that has a reader.
        case unreadable
        /// No readable call of the capture has the host of the rows.
        case hostNotCaptured
        /// The capture has calls with the host of the rows, and not these.
        case callNotCaptured
    }

    /// Something that was not read.
    public struct Part: Sendable, Equatable {
        /// The name by which a policy allows it; nil of logs of merged sessions.
        public var host: String?
        public var amount: Int
        public var reason: Reason

        public init(host: String?, amount: Int, reason: Reason) {
            (self.host, self.amount, self.reason) = (host, amount, reason)
        }
    }

    /// What is known of keys for what was not decrypted.
    public enum Keys: Sendable {
        case none
        /// They decrypt some connections.
        case incomplete
        /// They decrypt nothing: probably they are of another capture.
        case foreign
    }

    public var unit: Unit
    public var whole: Int
    /// The largest first.
    public var parts: [Part]
    public var keys: Keys

    public init(_ unit: Unit, whole: Int, parts: [Part], keys: Keys) {
        (self.unit, self.whole, self.keys) = (unit, whole, keys)
        self.parts = parts.filter { $0.amount > 0 }.sorted { ($1.amount, $0.host ?? "") < ($0.amount, $1.host ?? "") }
    }

    public var unread: Int { min(parts.reduce(0) { $0 &+ $1.amount }, whole) }
    public var read: Int { whole &- unread }

    /// Nil where there is nothing to read.
    public var percent: Double? { whole > 0 ? Double(read) / Double(whole) * 100 : nil }

    /// Below this share, in percent, no verdict on all calls is given unless a policy says otherwise.
    public static let least = 95.0
    public var isTooLittle: Bool { percent.map { $0 < ReadShare.least } ?? false }
}

// MARK: The traffic

extension ReadShare {
    /// Names under which bytes without a host are allowed.
    package static let otherIP = "(other IP)"
    static let otherFrames = "(frames without IP)"

    /// The bytes of a capture.
    ///
    /// - Parameter includes: the hosts that are judged, by their names in the table of hosts.
    public init(_ audit: AuditResult, includes: (String) -> Bool = { _ in true }) {
        let loss = CaptureLoss(audit)
        var whole = loss.wholeBytes
        var parts: [Part] = []
        let rest: [(String, Int)] = [
            (ReadShare.otherIP, audit.ledger.other.otherIP), (ReadShare.otherFrames, audit.ledger.unreadFrames),
        ]
        for (name, bytes) in rest {
            guard includes(name) else {
                whole &-= bytes
                continue
            }
            parts.append(Part(host: name, amount: bytes, reason: .unreadable))
        }
        for row in audit.hostRows {
            guard includes(row.host) else {
                whole &-= row.costs.up.internet &+ row.costs.down.internet
                continue
            }
            let reason: Reason = row.protocols.isDisjoint(with: .unread) ? .unreadable : .undecrypted
            parts.append(Part(host: row.host, amount: row.unreadBytes, reason: reason))
        }
        self.init(.bytes, whole: max(whole, 0), parts: parts, keys: Keys(audit))
    }
}

extension ReadShare.Keys {
    package init(_ audit: AuditResult) {
        let setups = audit.hosts.lazy.map(\.setup)
        let decrypted = setups.reduce(0) {
            $0 &+ $1.tlsConnections &- $1.unreadConnections &- $1.failedHandshakes &- $1.silentConnections
        }
        self = audit.keyLogs.isEmpty ? .none : decrypted > 0 ? .incomplete : .foreign
    }
}

extension HostSummary {
    /// IP bytes that nobody read: payload of connections, and UDP other than DNS as a whole.
    fileprivate var unreadBytes: Int {
        guard let datagrams else { return costs.up[.opaque] &+ costs.down[.opaque] }
        return datagrams.protocols == .dns ? 0 : costs.up.internet &+ costs.down.internet
    }
}

// MARK: A log

extension ReadShare {
    /// The rows of a log that lie in the capture's time, as far as they may have a call: those that found one, and those
    /// whose calls were not read.
    public init(_ log: LogSummary, keys: Keys = .none, includes: (String) -> Bool = { _ in true }) {
        let parts = log.unreadRows.filter { part in part.host.map(includes) ?? true }
        let found = log.matched &+ log.ambiguous &+ log.duplicates
        self.init(.rows, whole: parts.reduce(found) { $0 &+ $1.amount }, parts: parts, keys: keys)
    }
}

extension ProtocolSet {
    /// What nobody could read.
    package static let unread: ProtocolSet = [.hidden, .hiddenQUIC]
}
