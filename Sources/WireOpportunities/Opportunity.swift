import WireCore

/// Bytes that need not have been spent, of one kind: how many, for what, and how sure that is.
public struct Opportunity: Sendable {
    /// What would have to change.
    public enum Kind: String, Sendable, CaseIterable {
        case freshRepeat = "fresh-repeat"
        case noRevalidation = "no-revalidation"
        case missingValidator = "missing-validator"
        case uncompressedBody = "uncompressed-body"
        case uncompressedStream = "uncompressed-stream"
        case compressionOffer = "compression-offer"
        case uncompressedRequest = "uncompressed-request"
        case connectionReuse = "connection-reuse"
        case fullHandshake = "full-handshake"
        case sessionResumption = "session-resumption"
        case certificateChain = "certificate-chain"
        case certificateCompression = "certificate-compression"
        case certificateOffer = "certificate-compression-offer"
        case ellipticCertificates = "elliptic-certificates"
        case redirect
        case headerCompression = "header-compression"
        case retransmission
        case smallCalls = "small-calls"
        case polling

        /// It is found in connections, not in calls.
        public var isOfConnections: Bool {
            switch self {
            case .connectionReuse, .fullHandshake, .sessionResumption, .certificateChain, .certificateCompression,
                .certificateOffer, .ellipticCertificates:
                true
            default: false
            }
        }
    }

    /// Connections that their server closed, though the client had not.
    public struct ServerCloses: Sendable, Equatable {
        public var count: Int
        /// How long the one that was idle for the shortest time had been so: nanoseconds.
        public var shortestIdle: Int64

        public init(count: Int, shortestIdle: Int64) { (self.count, self.shortestIdle) = (count, shortestIdle) }
    }

    /// An API or a host, with its part.
    public struct Subject: Sendable, Equatable {
        public var name: String
        public var bytes: Int
        /// Calls; connections where the kind is about connections.
        public var count: Int

        public init(name: String, bytes: Int, count: Int) {
            (self.name, self.bytes, self.count) = (name, bytes, count)
        }
    }

    /// A call or a connection, with its part.
    public struct Part: Sendable, Equatable {
        /// Both as in the records.
        public var connection: Int
        /// Nil: the set-up and closing of the connection.
        public var exchange: Int?
        /// Of the first byte, nanoseconds since the epoch.
        public var time: Int64
        public var host: [UInt8]
        public var path: [UInt8]?
        public var query: [UInt8]?
        public var bytes: Int
    }

    public var kind: Kind
    /// Bytes of the IP layer, both directions, without packets that only acknowledge: how many of these a system sends changes
    /// with the age of a connection, with load, and from run to run.
    public var bytes = 0
    /// Calls concerned; connections where the kind is about connections.
    public var count = 0
    /// From bytes that were captured. Otherwise it rests on suppositions and is in no sum.
    public var isComputed: Bool
    /// The largest first.
    public var subjects: [Subject] = []
    /// How many subjects there are besides.
    public var furtherSubjects = 0
    /// The calls or connections, those with most bytes first; of very many not all.
    public var parts: [Part] = []
    /// Of reuse: connections to these hosts that the server closed sooner than idle ones are supposed to be kept.
    public var serverCloses: ServerCloses?
    /// Of reuse: some of these connections have TLS that was not decrypted.
    public var hidesSetup = false

    public init(_ kind: Kind, isComputed: Bool) {
        self.kind = kind
        self.isComputed = isComputed
    }

    /// What is not among the first `shown` parts: calls or connections, and bytes.
    public func further(behind shown: Int) -> (count: Int, bytes: Int) {
        let shown = parts.prefix(shown)
        // A connection among calls carried nothing else, and is not counted.
        let counted = kind.isOfConnections ? shown.count : shown.count { $0.exchange != nil }
        return (max(count - counted, 0), bytes - shown.reduce(0) { $0 + $1.bytes })
    }
}

/// All opportunities of a capture, those with most bytes first.
public struct OpportunityReport: Sendable {
    public var opportunities: [Opportunity] = []
    /// What all computed ones save if they are applied together, bytes: a call that is not made needs no compression.
    public var computedTotal = 0
    /// All IP bytes of the capture: what shares are of.
    public var wire = 0
    /// Calls that could not be looked at, because their messages were not read whole.
    public var unreadCalls = 0

    public init() {}
}
