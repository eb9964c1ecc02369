import WireCore
import WireLogs

/// What became of one row of a log.
public struct JoinedRow: Sendable {
    /// Raw values stand in outputs.
    public enum State: String, Sendable, CaseIterable {
        /// It speaks of `exchange`.
        case matched
        /// It speaks of one of `alternatives`, and nothing decides which. It is in no error figure.
        case ambiguous
        /// The same row again.
        case duplicate
        /// Its exchange is not in the capture, while its host is.
        case noExchange = "no-exchange"
        /// No readable exchange of the capture has its host.
        case foreignHost = "foreign-host"
        /// The TLS handshake with its host failed at its time: there was no exchange.
        case tlsFailed = "tls-failed"
        /// Its time lies outside the capture.
        case otherTime = "other-time"
        /// Its host's TLS was not read: it is compared in the total of the host.
        case hostTotal = "host-total"
        /// Its host's TLS was decrypted in part: its exchange may be in the other part.
        case partlyRead = "partly-read"
        /// The row could not be read.
        case unusable
    }

    /// An exchange that an ambiguous row may speak of.
    public struct Alternative: Sendable {
        public var exchange: AccuracyCall.Exchange
        /// As of the row.
        public var residual: Int64?
    }

    /// Id of the log among the sources.
    public var source: String
    /// Row or line of the log, from 1; of a database its rowid.
    public var row: Int
    public var kind: LogRow.Kind?
    public var state: State
    /// The report is about the row's exchange (`--host`, `--api`); of an ambiguous row about one that it may have. Nil
    /// where it has none.
    public var isSelected: Bool?
    /// Nil unless matched.
    public var exchange: AccuracyCall.Exchange?
    /// The time that the log has, nanoseconds since the epoch by the log's clock.
    public var time: Int64?
    /// How much later the row is than the first byte of the request (of the response: than its last byte), by the log's
    /// clock: nanoseconds. Nil without times, and unless matched.
    public var residual: Int64?
    /// Of an ambiguous row, the likeliest first; at most nine.
    public var alternatives: [Alternative] = []
    /// What its figures can be, where its call was not read and that is known: `up`, `down`.
    public var bounds: Directions<LogBounds.Figure?>?
    /// Why, in one clause.
    public var reason = ""

    public init(source: String, row: Int, state: State) {
        self.source = source
        self.row = row
        self.state = state
    }
}
