import WireCore
import WireLogs

/// What makes the bounds of one row of a log, or why it has none.
public struct BoundsExplanation: Sendable {
    /// A record of TLS, or a packet of QUIC, that may be of the row's call.
    public struct Record: Sendable, Equatable {
        /// Why it is in the list.
        public enum Reason: Sendable, Equatable {
            /// It was sent in the row's time, and in that of so many other rows that may be of its connection.
            case inTime(others: Int)
            /// It came behind the row's time: as a WINDOW_UPDATE frame may that credits what the row received.
            case credit
            /// It was sent in the row's time, and is of another call in the order of the connection.
            case otherCall
        }

        /// Number of its connection in the audit.
        public var connection: Int
        public var time: Int64
        public var direction: Direction
        /// The whole of it, and the most of its content that counts for the row.
        public var bytes: Int
        public var content: Int
        public var reason: Reason
    }

    /// Another row whose call may have been at the same time.
    public struct Neighbour: Sendable, Equatable {
        public var row: Int
        public var name: String
        public var window: ClosedRange<Int64>
    }

    /// A connection that may have carried the row's call.
    public struct Connection: Sendable, Equatable {
        /// Number in the audit.
        public var number: Int
        public var clientPort: UInt16
        /// Calls that its records tell apart; nil where they do not.
        public var calls: Int?
    }

    /// Why the interval is what it is.
    public enum Basis: Sendable, Equatable {
        /// The row names its connection, which has as many calls as rows: this is the call of its place, from 1.
        case place(Int, of: Int)
        /// At least the smallest call that lies in the row's time, at most all that was sent in it.
        case callsInTime
        /// No other row's call went on in its time: at least what is left of its records without frames of the connection, at
        /// most all of them.
        case alone
        /// At most all that was sent in the row's time.
        case recordsInTime
        case none(LogBounds.Reason)
    }

    /// As in `JoinedRow`.
    public var row: Int
    public var name = ""
    public var basis = Basis.none(.noTimes)
    /// From when to when by the log's clock, and by the capture's as wide as the clock is unknown.
    public var time: ClosedRange<Int64>?
    public var window: ClosedRange<Int64>?
    public var figures = Directions<LogBounds.Figure?>(up: nil, down: nil)
    /// By number, by time, and by row.
    public var connections: [Connection] = []
    public var records: [Record] = []
    public var neighbours: [Neighbour] = []

    public init(row: Int) { self.row = row }
}
