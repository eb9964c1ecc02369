import WireEstimates
import WireLogs

/// One figure of one source for one direction of one exchange.
public struct AccuracyCall: Sendable {
    /// Which exchange.
    public struct Exchange: Sendable {
        public var file: String
        public var connection: Int
        public var exchange: Int
        /// Nanoseconds since the epoch.
        public var time: Int64
        public var api: String
        /// Version of HTTP, such as "1.1"; nil where no start line came whole.
        public var http: String?
        /// Version of TLS; nil without.
        public var tls: String?

        public init(file: String, connection: Int, exchange: Int, time: Int64, api: String) {
            self.file = file
            self.connection = connection
            self.exchange = exchange
            self.time = time
            self.api = api
        }
    }

    /// Id of the source.
    public var source: String
    public var exchange: Exchange?
    public var direction: Direction
    /// Row or line of the log, from 1.
    public var row: Int?
    /// Of a row of a log: what became of it, in a word such as `matched` or `duplicate`.
    public var fate: String?
    /// Bytes; nil where the source has no figure.
    public var estimate: Int?
    public var message: Int?
    public var wire: Int?
    /// The part of `wire` that opening and closing the connection cost, name resolution included. Where the first
    /// exchange pays for it (`SetupPolicy.first`), that exchange alone has it.
    public var setup: Int?
    /// Against the message: sums to estimate − message.
    public var causes = CauseLedger()
    /// The source's formula needs what the capture does not show.
    public var isUnknown = false
    /// A row of the log may speak of this exchange, or of another: no figure.
    public var isAmbiguous = false
    /// Why the source lacks the exchange; nil where it does not.
    public var unseen: ErrorCause?
    /// The message was cut off, or the source recorded the call as failed.
    public var isFailed = false
    /// The exchange counts for accuracy.
    public var isCounted = true

    public init(source: String, exchange: Exchange?, direction: Direction) {
        self.source = source
        self.exchange = exchange
        self.direction = direction
    }
}
