import WireEstimates
import WireJoin
import WireLogs
import WireStatistics

/// Calls and bytes that a source covers, of all that the capture has for it.
public struct Coverage: Sendable, Equatable {
    /// Exchanges that count for accuracy, and those of them that the source recorded.
    public var calls = 0
    public var recordedCalls = 0
    /// Their message bytes in the direction.
    public var messageBytes = 0
    public var recordedMessageBytes = 0
    public var wireBytes = 0
    public var recordedWireBytes = 0

    public init() {}

    public static func += (left: inout Coverage, right: Coverage) {
        left.calls &+= right.calls
        left.recordedCalls &+= right.recordedCalls
        left.messageBytes &+= right.messageBytes
        left.recordedMessageBytes &+= right.recordedMessageBytes
        left.wireBytes &+= right.wireBytes
        left.recordedWireBytes &+= right.recordedWireBytes
    }
}

/// Accuracy of one source for one API (or all) in one direction.
public struct AccuracyRow: Sendable {
    /// Index in `AccuracyResult.sources`.
    public var source: Int
    /// Index in `AccuracyResult.apis`; nil: all APIs together.
    public var api: Int?
    public var direction: Direction
    public var coverage = Coverage()
    public var message = ErrorStatistics()
    public var wire = ErrorStatistics()
    /// Error of the recorded exchanges against the wire by cause; sums to `wire.errorTotal`.
    public var causes = CauseLedger()
    /// Error against the messages by cause; sums to `message.errorTotal`. Equal to `causes` without transport causes,
    /// but for sources that count transport bytes themselves.
    public var messageCauses = CauseLedger()
    /// Message bytes of exchanges that the source did not record, by the reason; negative, as all undercounts.
    public var unseen = CauseLedger()
    /// How the single calls spread; nil where that was not kept.
    public var spread: RowSpread?
    /// How the errors of sessions are distributed; nil unless the row was merged from sessions.
    public var sessions: SessionQuantiles?

    public init(source: Int, api: Int?, direction: Direction) {
        self.source = source
        self.api = api
        self.direction = direction
    }
}

/// An estimator that was simulated, or a log that was read.
public struct AccuracySource: Sendable {
    public enum Kind: Sendable {
        case simulated
        case log
    }

    /// Key in outputs: the estimator's id with its parameters, or the log's name.
    public var id: String
    public var title: String
    public var kind: Kind
    /// Parameters of a simulated estimator, all of them, for the reader; of a log the formula that explains it best.
    public var note: String
    /// Of a log: the published formula and the one fitted to its figures, by direction.
    public var formulas: [LogFormula] = []
    /// Exchanges that count but for which the source gives no figure, since the capture does not show what its formula
    /// needs.
    public var unknown = 0
    /// Responses for which a simulated SDK logs no size but -1, the platform's word for a length that it does not know.
    /// They are in no error.
    public var unstated = 0
    /// Bytes that the SDK itself puts on the wire with the exchanges that count: fields that it adds, where they were
    /// seen.
    public var addedBytes = 0
    /// The formula reads counts of the transferred bytes, so that it is exact for every message of HTTP/1,
    /// interim responses aside.
    public var isExactOnHTTP1 = false

    public init(id: String, title: String, kind: Kind, note: String) {
        self.id = id
        self.title = title
        self.kind = kind
        self.note = note
    }
}

/// What became of a log.
public struct LogSummary: Sendable {
    /// Index in `AccuracyResult.sources`.
    public var source: Int
    public var path: String
    public var format: SDKLogFormat
    public var platform: ClientPlatform
    /// What its columns hold, as an option would say it, in a log with columns of its owner's.
    public var columns: String?
    public var rows = 0
    public var matched = 0
    public var ambiguous = 0
    /// By direction the least and the most that the error in total against the messages can be, bytes, whichever calls
    /// the ambiguous rows belong to. Nil where it is not known.
    public var ambiguousBounds: [Direction: ClosedRange<Int>]?
    /// What the figures of rows can be whose calls nobody could read (`hostTotal`).
    public var bounds: LogBounds?
    /// What makes the bounds of one row, where that was asked for.
    public var explanation: BoundsExplanation?
    /// The log has that row, whether or not its call was read.
    public var hasExplainedRow = false
    public var duplicates = 0
    public var withoutExchange = 0
    public var foreignHost = 0
    /// Of hosts whose TLS connections nobody could read: compared in total only (`AccuracyResult.hostLogs`).
    public var hostTotal = 0
    /// Of hosts whose TLS connections were decrypted in part, without an exchange in the part that was.
    public var partlyRead = 0
    public var outsideCapture = 0
    /// Of calls whose TLS handshake failed: they have no exchange.
    public var tlsFailed = 0
    /// Matched to exchanges that the report is not about (`--host`, `--api`).
    public var notSelected = 0
    public var rejected = 0
    /// The rows in the capture's time whose calls the capture does not show, by host: `hostTotal`, `partlyRead`,
    /// `foreignHost` and `withoutExchange`.
    public var unreadRows: [ReadShare.Part] = []
    /// The log ends early or is damaged: what it lacks says nothing about what the app recorded.
    public var isIncomplete = false
    /// It stands for the logs of merged sessions, whose clocks are not in it.
    public var isMerged = false
    public var clock: ClockFit?
    /// Why the log may be of another session than the capture; nil where nothing says so.
    public var sessionDoubt: SessionDoubt?
    /// How the log records redirections; nil where none is in the capture, or no row tells.
    public var redirects: RedirectConvention?
    /// Exchanges that the report is about without any row, and their message and wire bytes, both directions. Those of hosts
    /// that the log never names and hops of redirected calls are not among them.
    public var exchangesUnseen = 0
    public var exchangesTotal = 0
    /// Of the unseen: some row that found no exchange, or fits several, may be theirs.
    public var exchangesNotJoined = 0
    /// Of the unseen: nothing but the SDK explains that there is no row. Rows of the others are lost.
    public var exchangesInvisible = 0
    /// The log has a random part of the calls; nil where it is not seen to be so.
    public var sample: Sample?
    /// Of hosts that the log never names: what it lacks of them is no error of the SDK.
    public var exchangesForeign = 0
    public var foreignWireBytes = 0
    /// Hops of redirected calls, which have one row for the whole call.
    public var mergedHops = 0
    public var unseenMessageBytes = 0
    public var unseenWireBytes = 0
    /// Matched figures that the explaining formula gives to the byte, of all compared.
    public var explainedFigures = 0
    public var comparedFigures = 0
    public var problems: [LogProblem] = []

    public init(source: Int, path: String, format: SDKLogFormat) {
        self.source = source
        self.path = path
        self.format = format
        platform = format.platform
    }
}

/// One call for a picture of estimates against truth.
public struct ScatterPoint: Sendable {
    public var source: Int
    public var api: Int
    public var direction: Direction
    public var message: Int
    public var wire: Int
    public var estimate: Int

    public init(source: Int, api: Int, direction: Direction, message: Int, wire: Int, estimate: Int) {
        self.source = source
        self.api = api
        self.direction = direction
        self.message = message
        self.wire = wire
        self.estimate = estimate
    }
}

/// How far estimates are off: per API, source and direction, against two truths, by cause.
public struct AccuracyResult: Sendable {
    /// Exchanges of the capture, those that count, and those left out by the flag that leaves them out ("gap",
    /// "snapped", "no-start", "no-end", "no-request", "no-response"), or "cut-head" where a message ended within or
    /// before its head, "unread-fields" where compressed fields of HTTP/2 could not be read, and "pushed" for what a
    /// server sent unasked.
    public var exchanges = 0
    public var counted = 0
    public var leftOut: [(reason: String, count: Int)] = []
    public var sources: [AccuracySource] = []
    /// Names of APIs; rows refer to them.
    public var apis: [String] = []
    /// Exchanges that count, per API.
    public var apiCalls: [Int] = []
    /// Rows of all APIs, by source, then API, then direction; and rows over all APIs.
    public var rows: [AccuracyRow] = []
    public var totals: [AccuracyRow] = []
    public var logs: [LogSummary] = []
    /// Where there are logs: hosts with TLS connections that nobody could read, the largest first.
    public var hosts: [HostTotal] = []
    /// Rows of each log for each of these hosts, by log, then by host.
    public var hostLogs: [HostLogTotal] = []
    /// Hosts with TLS connections whose handshake failed, the largest first.
    public var failedHandshakes: [FailedHandshakes] = []
    /// What users of single SDKs ask: the sizes that they store part by part, sizes before and after encryption, and
    /// the lines of a monitor's screen.
    public var parts: [PartRow] = []
    public var encryption: [EncryptionRow] = []
    public var screens: [ScreenRow] = []
    /// A fair sample of calls, at most a few hundred for each source and direction.
    public var scatter: [ScatterPoint] = []
    public var work = ContentWork()
    /// What Apple's counts of transferred bytes are off by, over all APIs; empty where that was not simulated.
    public var taskMetrics: [AccuracyRow] = []
    /// What the calibration did, where one was applied: rows and totals of its source are after it, their causes
    /// before it.
    public var calibration: CalibrationEffect?
    /// What the calibration expected, by API and direction.
    public var expectations: [CalibrationExpectation] = []
    /// Index of the source that was calibrated.
    public var calibratedSource: Int?

    public init() {}

    /// Takes the simulated source out of the report; `taskMetrics` keeps its rows over all APIs.
    package mutating func keepAsTaskMetrics(_ source: Int) {
        taskMetrics = totals.filter { $0.source == source }
        sources.remove(at: source)
        func remove<Row>(_ rows: inout [Row], _ path: WritableKeyPath<Row, Int>) {
            rows.removeAll { $0[keyPath: path] == source }
            for index in rows.indices where rows[index][keyPath: path] > source { rows[index][keyPath: path] -= 1 }
        }
        remove(&rows, \.source)
        remove(&totals, \.source)
        remove(&logs, \.source)
        remove(&parts, \.source)
        remove(&encryption, \.source)
        remove(&screens, \.source)
        remove(&hostLogs, \.source)
        remove(&scatter, \.source)
    }
}
