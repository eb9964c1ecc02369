import WireLogs

/// What the figures of a log can be where nobody read its calls: from the lengths and times of records and packets alone.
///
/// A figure that is larger than all that was sent in its row's time cannot be true, whatever was in the records. On
/// connections that carry one call at a time (HTTP/1.1) the least that a call took is known, too; on others (HTTP/2) that of rows in
/// whose time no other row's call went on.
///
/// That holds if the capture has all packets of these connections; if the app noted the start of a call before it sent
/// anything, and its end after the answer came; if calls went over connections that named their host or led to an address of
/// it; and, for what is least, if calls were not pipelined, were sent at all, and were not padded; in HTTP/2 also if the log
/// has every call of the connection, and records have no more frames beside those of calls than `LoneCalls` allows.
public struct LogBounds: Sendable {
    /// A row may begin so much too late, and end so much too early, nanoseconds: HAR files that Playwright writes have ends up
    /// to 9 ms before the last byte came.
    public static let jitter: Int64 = 20_000_000

    /// Why a row has no bounds.
    public enum Reason: String, Sendable, CaseIterable {
        /// It lacks the time of its start or of its end.
        case noTimes = "no-times"
        /// The log has other numbers of requests and of responses of its path: rows are missing, or there twice.
        case unpaired
        /// It says that its call failed: what came after that is in no figure.
        case failed
        /// Nothing tells how the clocks of log and capture differ.
        case clockUnknown = "clock-unknown"
        /// The capture lacks bytes of a connection that was open in its time.
        case incompleteCapture = "incomplete-capture"
        /// No request of its host was sent and answered in its time: it was answered from a cache, or its times are wrong.
        case nothingSent = "nothing-sent"
    }

    /// One direction of the calls of one API.
    public struct Side: Sendable, Equatable {
        /// Rows with a figure and bounds.
        public var rows = 0
        /// The sum of their figures.
        public var logged = 0
        /// The least and the most that their messages can have taken together.
        public var least = 0
        public var most = 0
        /// The most, if the log has the body bytes of other rows as they were sent.
        public var mostGivenBodies = 0
        /// Rows of which both are the same.
        public var exact = 0
        /// Rows whose figure is above the most, and below the least.
        public var tooHigh = 0
        public var tooLow = 0

        public init() {}

        /// Rows whose figure cannot be true.
        public var refuted: Int { tooHigh + tooLow }
    }

    public struct API: Sendable {
        /// Named as the APIs of the audit are.
        public var name: String
        public var host: String
        /// Rows of hosts that were not read.
        public var rows = 0
        /// Those of them without bounds.
        public var unbounded = 0
        public var up = Side()
        public var down = Side()

        public init(name: String, host: String) { (self.name, self.host) = (name, host) }

        public subscript(direction: Direction) -> Side {
            get { direction == .up ? up : down }
            set { if direction == .up { up = newValue } else { down = newValue } }
        }
    }

    /// What one figure can be.
    public struct Figure: Sendable, Equatable {
        public var logged: Int
        /// What its message can have taken.
        public var message: ClosedRange<Int>
        /// The most that it can have taken, if the log has the body bytes of all other rows as they were sent: what these need of the records
        /// cannot be this row's. A claim of the log, which decides nothing else.
        public var mostGivenBodies: Int

        init(logged: Int, message: ClosedRange<Int>) {
            (self.logged, self.message, mostGivenBodies) = (logged, message, message.upperBound)
        }

        /// The message is known to the byte.
        public var isExact: Bool { message.lowerBound == message.upperBound }

        /// In outputs.
        public enum Certainty: String, Sendable, CaseIterable {
            /// The message is known to the byte, and the figure may be compared with it.
            case exact
            /// The message lies between two numbers, and the figure, too.
            case interval
            /// The figure cannot be true.
            case refuted
        }

        public var certainty: Certainty {
            message.contains(logged) ? isExact ? .exact : .interval : .refuted
        }
    }

    /// How far the log's clock is ahead of the capture's, nanoseconds: all offsets that are possible. Nil: not known.
    public var clock: ClosedRange<Int64>?
    /// By logged bytes, most first.
    public var apis: [API] = []
    /// Rows without bounds.
    public var unbounded: [(reason: Reason, rows: Int)] = []

    public init() {}

    /// Figures with bounds, those that cannot be true, and those of which the message is known to the byte.
    public var figures: Int { apis.reduce(0) { $0 + $1.up.rows + $1.down.rows } }
    public var refuted: Int { apis.reduce(0) { $0 + $1.up.refuted + $1.down.refuted } }
    public var exact: Int { apis.reduce(0) { $0 + $1.up.exact + $1.down.exact } }
}
