import WireCore
import WireEstimates
import WireLogs

/// The parts of a message that the system's metrics and their users tell apart.
public enum MessagePart: String, Sendable, CaseIterable {
    /// Start line, header fields and all framing that is not the body's.
    case head
    /// The body as transferred, with its framing: chunks in HTTP/1, headers of DATA frames in HTTP/2.
    case body
}

/// One part of the messages of one direction as one source has it: the four sizes that SDKs on the system's metrics
/// store are four such rows. Only calls of which the source has both parts are in it.
public struct PartRow: Sendable, Equatable {
    /// Index in `AccuracyResult.sources`.
    public var source: Int
    public var direction: Direction
    public var part: MessagePart
    public var calls = 0
    /// Calls whose part is right to the byte.
    public var exactCalls = 0
    /// Sums over the calls, bytes.
    public var truth = 0
    public var estimate = 0
    /// Largest |estimate − truth| of a call.
    public var maximum = 0

    public init(source: Int, direction: Direction, part: MessagePart) {
        self.source = source
        self.direction = direction
        self.part = part
    }

    package mutating func add(_ estimate: Int, truth: Int) {
        calls += 1
        let (error, overflow) = estimate.subtractingReportingOverflow(truth)
        if error == 0, !overflow { exactCalls += 1 }
        self.truth = self.truth.saturatingSum(truth)
        self.estimate = self.estimate.saturatingSum(estimate)
        maximum = max(maximum, overflow ? .max : Int(clamping: error.magnitude))
    }
}

/// The recorded calls that TLS carried, of one source and direction: their sizes before and after encryption.
public struct EncryptionRow: Sendable, Equatable {
    /// Index in `AccuracyResult.sources`.
    public var source: Int
    public var direction: Direction
    public var calls = 0
    /// Sums over the calls, bytes: what the source has; the messages, which is what is encrypted; and the messages with
    /// the TLS records around them.
    public var estimate = 0
    public var before = 0
    public var after = 0

    public init(source: Int, direction: Direction) {
        self.source = source
        self.direction = direction
    }

    package mutating func add(_ estimate: Int, before: Int, after: Int) {
        calls += 1
        self.estimate = self.estimate.saturatingSum(estimate)
        self.before = self.before.saturatingSum(before)
        self.after = self.after.saturatingSum(after)
    }
}

/// One line of the screen of a monitor that keeps requests and responses as rows of their own: a host and a path with
/// rows that nobody paired, beside what the capture has for them. All rows of the log count, those before and after the
/// capture and repeated ones too, as on the screen.
public struct ScreenRow: Sendable, Equatable {
    public struct Side: Sendable, Equatable {
        public var rows = 0
        /// Sum of the rows' lengths.
        public var length = 0
        /// Those of them whose calls the capture does not show: what it has beside them is not all.
        public var unreadRows = 0
        /// Messages of the capture, and the sum of their bytes.
        public var messages = 0
        public var messageBytes = 0

        public init() {}
    }

    /// Index in `AccuracyResult.sources`.
    public var source: Int
    public var host: String
    public var path: String
    public var up = Side()
    public var down = Side()

    public init(source: Int, host: String, path: String) {
        self.source = source
        self.host = host
        self.path = path
    }

    public subscript(direction: Direction) -> Side {
        get { direction == .up ? up : down }
        set { if direction == .up { up = newValue } else { down = newValue } }
    }
}

extension AccuracyResult {
    /// Hosts and paths as logs name them, without values (`RedactedURL`); those of the capture's calls have none.
    public mutating func redactURLs() {
        func redact(_ text: inout String) {
            text = String(decoding: RedactedURL.of(Array(text.utf8)), as: UTF8.self)
        }
        for index in screens.indices {
            redact(&screens[index].host)
            redact(&screens[index].path)
        }
        for index in hosts.indices { redact(&hosts[index].host) }
        for index in failedHandshakes.indices { redact(&failedHandshakes[index].host) }
        for log in logs.indices {
            for part in logs[log].unreadRows.indices {
                guard var host = logs[log].unreadRows[part].host else { continue }
                redact(&host)
                logs[log].unreadRows[part].host = host
            }
            for api in (logs[log].bounds?.apis ?? []).indices { redact(&logs[log].bounds!.apis[api].host) }
        }
    }
}

extension Int {
    /// The sum, or the limit that it would pass: sizes of a log may be anything.
    func saturatingSum(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
