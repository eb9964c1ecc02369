import WireLogs

/// What matching knows of an exchange on the wire. Texts are numbers in the `InternedTexts` of the log it is compared
/// with, -1 where the log has no such text.
public struct WireCall: Sendable {
    /// Number among the exchanges, in the order of their times.
    public var number: Int
    public var host: Int32
    /// In the log's form of paths.
    public var path: Int32
    public var method: Int32
    /// 0: no response.
    public var status: Int16
    public var clientPort: UInt16
    public var serverPort: UInt16
    /// First byte of the request; `Int64.min` where there is none.
    public var start: Int64
    /// Last byte of the response (as far as it came), or when its requester closed or reset before that; `Int64.min`
    /// where there is neither.
    public var end: Int64
    /// First packet of its connection; `Int64.min` where that is not known.
    public var opened: Int64 = .min
    /// The first exchange of its connection: the app waited for the connection to be set up.
    public var isFirst = false
    /// The response is missing or was cut: an app may have seen a failure.
    public var isFailed = false
    /// Its requester closed or reset before the response had come whole: `end` is when.
    public var isGivenUp = false
    /// So early that no app has seen a head of a response.
    public var isUnheard = false
    /// The same for exchanges that are alike in all that a row of their request could tell; -1: like no other.
    public var requestLikeness: Int32 = -1
    /// Likewise of their response, and of a row for both.
    public var responseLikeness: Int32 = -1
    public var exchangeLikeness: Int32 = -1
    /// Place of the exchange whose redirection led to this one; -1 for none.
    public var redirectedFrom: Int32 = -1
    /// Place of an earlier call for the same target: each of the two may have followed the other's redirection. -1 for none.
    public var redirectRival: Int32 = -1

    public init(
        number: Int, host: Int32, path: Int32, method: Int32, status: Int16, clientPort: UInt16, serverPort: UInt16,
        start: Int64, end: Int64
    ) {
        self.number = number
        self.host = host
        self.path = path
        self.method = method
        self.status = status
        self.clientPort = clientPort
        self.serverPort = serverPort
        self.start = start
        self.end = end
    }
}

extension WireCall {
    /// The same for exchanges that are alike for rows of a kind; nil: like no other.
    package func likeness(for kind: LogRow.Kind) -> Int32? {
        let likeness =
            switch kind {
            case .request: requestLikeness
            case .response: responseLikeness
            case .exchange: exchangeLikeness
            }
        return likeness < 0 ? nil : likeness
    }
}

/// How the log's clock differs from the capture's: log time = capture time + offset + drift × (capture time − origin).
public struct ClockFit: Sendable, Equatable {
    /// Nanoseconds at `origin`.
    public var offset: Int64
    /// Parts per million.
    public var drift: Double
    /// Capture time, nanoseconds since the epoch.
    public var origin: Int64
    /// Pairs that the fit rests on; 0: no fit was possible and clocks were taken as equal.
    public var pairs: Int
    /// Median distance of those pairs from the fit, nanoseconds.
    public var spread: Int64
    /// Half widths of the 95 % intervals of `offset` (nanoseconds) and `drift` (ppm); nil where they are not known.
    public var offsetError: Int64?
    public var driftError: Double?

    public init(offset: Int64, drift: Double, origin: Int64, pairs: Int, spread: Int64) {
        self.offset = offset
        self.drift = drift
        self.origin = origin
        self.pairs = pairs
        self.spread = spread
    }
}

/// What became of each row of a log, and of each exchange in its eyes.
public struct LogMatching: Sendable {
    public enum Fate: UInt8, Sendable {
        case matched
        /// Several exchanges fit, and neither times nor figures decide between them. `exchanges` has the likeliest, if
        /// there is one; the row is in no error figure.
        case ambiguous
        /// The same row again (all columns equal).
        case duplicate
        /// Its exchange is not in the capture, while its host is.
        case withoutExchange
        /// No exchange of the capture has its host.
        case foreignHost
        /// Its time lies outside the capture.
        case outsideCapture
    }

    /// By row index.
    public var fates: [Fate]
    /// By row index: number of the exchange, -1 for none.
    public var exchanges: [Int32]
    /// By exchange number: index of its row for the request (or for the whole exchange), -1 for none.
    public var requestRows: [Int32]
    /// By exchange number: index of its row for the response (or for the whole exchange), -1 for none.
    public var responseRows: [Int32]
    public var clock: ClockFit
    /// The log's clock jumped by an hour; the times of the rows on one side were moved.
    public internal(set) var jump: HourJump?
    /// How the log records redirections; nil where the capture has none, or no row tells.
    public var redirects: RedirectConvention?
    /// By row index: other exchanges that an ambiguous row might have, the likeliest first.
    public var alternatives: [Int32: [Int32]] = [:]
    /// By row index: −ln(odds) of the next best assignment in thousandths, as far as they were looked at.
    public var margins: [Int32]
    /// By row index: the figures decided, its own or those of rows near it, where times left several exchanges or told another.
    public var isByFigures: [Bool]
    /// By row index: it might as well be of another exchange that is alike in all that the report tells of it.
    public var hasAlike: [Bool]

    public init(rows: Int, exchanges count: Int, clock: ClockFit) {
        margins = Array(repeating: 0, count: rows)
        isByFigures = Array(repeating: false, count: rows)
        hasAlike = Array(repeating: false, count: rows)
        fates = Array(repeating: .withoutExchange, count: rows)
        exchanges = Array(repeating: -1, count: rows)
        requestRows = Array(repeating: -1, count: count)
        responseRows = Array(repeating: -1, count: count)
        self.clock = clock
    }

    var certainRows: Int { fates.count { $0 == .matched } }

    /// A row (-1 for none) that has an exchange by its time alone.
    package func isByTimes(_ row: Int32) -> Bool {
        row >= 0 && fates[Int(row)] == .matched && !isByFigures[Int(row)]
    }
}
