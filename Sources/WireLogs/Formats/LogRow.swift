/// Bytes that a log gives for one direction. Nil where the log has no such column or the value is unusable.
/// Sizes are kept in 8 bytes each: a log may have millions of rows.
public struct LoggedBytes: Sendable, Hashable {
    private var values = (Int.min, Int.min, Int.min, Int.min, Int.min)

    public init() {}

    public var startLine: Int? {
        get { LoggedBytes.known(values.0) }
        set { values.0 = newValue ?? .min }
    }
    public var headers: Int? {
        get { LoggedBytes.known(values.1) }
        set { values.1 = newValue ?? .min }
    }
    /// Body as the log counts it (see the format for what that is).
    public var body: Int? {
        get { LoggedBytes.known(values.2) }
        set { values.2 = newValue ?? .min }
    }
    /// The figure for the direction. Nil: the log makes no statement about it.
    public var total: Int? {
        get { LoggedBytes.known(values.3) }
        set { values.3 = newValue ?? .min }
    }
    /// Body after decoding, where the log has it beside `body`.
    public var decodedBody: Int? {
        get { LoggedBytes.known(values.4) }
        set { values.4 = newValue ?? .min }
    }

    private static func known(_ value: Int) -> Int? { value == .min ? nil : value }

    public static func == (left: LoggedBytes, right: LoggedBytes) -> Bool { left.values == right.values }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(values.0)
        hasher.combine(values.1)
        hasher.combine(values.2)
        hasher.combine(values.3)
        hasher.combine(values.4)
    }
}

/// One row of an SDK's log. Texts are numbers in the log's `InternedTexts`.
public struct LogRow: Sendable {
    public enum Kind: UInt8, Sendable {
        /// One direction only; the other has a row of its own.
        case request, response
        case exchange
    }

    /// Row or line in the log, from 1.
    public var number: Int
    /// Lower-case host without port; -1 unknown.
    public var host: Int32 = -1
    /// Path in the form that all paths of the log have (see `SDKLog.pathForm`); -1 unknown.
    public var path: Int32 = -1
    /// Upper-case method; -1 unknown.
    public var method: Int32 = -1
    /// 0 unknown.
    public var status: Int16 = 0
    /// 0 unknown.
    public var clientPort: UInt16 = 0
    /// The port that the URL names, or else that of the connection; 0 unknown.
    public var serverPort: UInt16 = 0
    public var kind: Kind
    /// The row has a URL that says `http:` or `ws:`: there was no TLS.
    public var isPlain = false
    /// Nanoseconds since the epoch by the log's clock; `Int64.min` unknown. Of a request or exchange its start, of a
    /// response its end.
    public var time: Int64 = .min
    /// End of an exchange; `Int64.min` unknown.
    public var end: Int64 = .min
    /// When it began; where that is unknown, when it ended.
    var anyTime: Int64 { time == .min ? end : time }
    public var up = LoggedBytes()
    public var down = LoggedBytes()

    public init(kind: Kind, number: Int) {
        self.kind = kind
        self.number = number
    }
}

/// Texts that occur again and again, by number.
public struct InternedTexts: Sendable {
    private var numbers: [[UInt8]: Int32] = [:]
    public private(set) var texts: [[UInt8]] = []

    public init() {}

    public mutating func number(_ text: [UInt8]) -> Int32 {
        if let number = numbers[text] { return number }
        let number = Int32(texts.count)
        numbers[text] = number
        texts.append(text)
        return number
    }

    /// The number of a text that is in the table.
    public func find(_ text: [UInt8]) -> Int32? { numbers[text] }

    public subscript(number: Int32) -> [UInt8] { texts[Int(number)] }
}

/// A log as it was read.
public struct SDKLog: Sendable {
    /// How the log writes paths; exchanges are brought into the same form before they are compared.
    public enum PathForm: Sendable {
        /// Percent-decoded, without query, without a trailing slash (`NSURL.path`).
        case decoded
        /// As in the URL, without query.
        case encoded
        /// As in the URL, with query (and `?`).
        case encodedWithQuery
        /// With query, of which both were decoded before bytes that no URL holds were encoded again (OkHttp's `HttpUrl`).
        case decodedWithQuery
    }

    public var path: String
    public var format: SDKLogFormat
    /// Who wrote a HAR file.
    public var writer = HARWriter.other
    /// What its columns hold, in a log with columns of its owner's.
    public var columns: LogColumns?
    /// The platforms that its rows name, each once.
    package var toldPlatforms: [ClientPlatform] = []
    /// What the figures of its rows are, where its names for them tell.
    package var figures = LogFigures()
    public var pathForm: PathForm
    public var rows: [LogRow] = []
    public var texts = InternedTexts()
    /// Smallest difference that the log's times can show, nanoseconds: 1 for seconds with many decimals, 1,000,000 for
    /// milliseconds, 1,000,000,000 for whole seconds. 0: rows have no times.
    public var timeResolution: Int64 = 0
    /// Rows that could not be used at all.
    public var rejectedRows = 0
    /// The first of them, with the reasons.
    public var rejections: [LogRejection] = []
    /// The log ends early or is damaged: rows are missing that may have been there.
    public var isIncomplete = false
    /// The system could not read it to its end.
    public var hasReadingFault = false
    /// What was wrong, each kind once with its count and the first row that has it.
    public var problems: [LogProblem] = []

    public init(path: String, format: SDKLogFormat, pathForm: PathForm) {
        self.path = path
        self.format = format
        self.pathForm = pathForm
    }
}

/// The formats that are read. Raw values are the words of `--sdk-format`.
public enum SDKLogFormat: String, Sendable, CaseIterable {
    /// DMNetworkTrafficLog in SQLite.
    case dmSQLite = "dm-sqlite"
    /// The same columns, one JSON object per line.
    case dmNDJSON = "dm-ndjson"
    /// The same columns with a header line.
    case dmCSV = "dm-csv"
    case har
    /// The store of Pulse (package, SQLite).
    case pulse
    /// URLSessionTaskMetrics as JSON: Pulse's or a plain dump.
    case metrics
    /// OpenTelemetry's spans in OTLP JSON, one value or one on each line.
    case otlp
    /// A NetLog of Chromium.
    case netlog
    /// qlog of HTTP/3 connections, JSON or JSON text sequences.
    case qlog
    /// Sentry's envelopes or events as JSON: network breadcrumbs and spans.
    case sentry
    /// Resource events of Datadog RUM as JSON.
    case datadog
    /// New Relic's MobileRequest and MobileRequestError events as JSON.
    case newrelic
    /// CFNetwork's task summary lines.
    case cfnetwork
    /// Lines of OkHttp's HttpLoggingInterceptor.
    case okhttpLog = "okhttp-log"
    /// Chucker's table of transactions.
    case chucker
    /// Charles's JSON sessions (.chlsj).
    case charles
    /// dart:io's HTTP profile, as the Dart VM or DevTools write it.
    case flutter
    /// Table nenetworkhttpeyes.
    case networkeye
    /// Table t_natwork.
    case godeye
    /// DoKit's flow models (SQLite table, JSON or NDJSON).
    case dokit
    /// Columns of the owner's own (CSV, JSON, NDJSON, SQLite), see `LogColumns`.
    case columns
}

extension SDKLogFormat {
    /// What a log of the format is called where all are listed; formats of one kind have one title.
    public var title: String {
        switch self {
        case .dmSQLite, .dmNDJSON, .dmCSV: "DMNetworkTrafficLog (SQLite, NDJSON, CSV)"
        case .har: "HAR 1.2"
        case .metrics: "URLSessionTaskMetrics as JSON"
        case .pulse: "stores of Pulse"
        case .otlp: "OpenTelemetry spans (OTLP JSON)"
        case .netlog: "NetLog of Chromium"
        case .qlog: "qlog"
        case .sentry: "JSON of Sentry"
        case .datadog: "JSON of Datadog RUM"
        case .newrelic: "JSON of New Relic"
        case .cfnetwork: "CFNetwork task summaries"
        case .okhttpLog: "lines of OkHttp's HttpLoggingInterceptor"
        case .chucker: "database of Chucker"
        case .charles: "JSON sessions of Charles"
        case .flutter: "HTTP profile of Flutter"
        case .networkeye: "tables of NetworkEye"
        case .godeye: "tables of GodEye"
        case .dokit: "tables of DoKit"
        case .columns: "columns of your own (CSV, NDJSON, SQLite)"
        }
    }

    /// All titles, each once.
    public static let titles: [String] = allCases.map(\.title).reduce(into: []) { titles, title in
        if titles.last != title { titles.append(title) }
    }
}

/// Programs whose HAR files give sizes of their own meaning, by `creator.name`.
public enum HARWriter: Sendable {
    /// Sizes are taken as HAR 1.2 means them.
    case other
    /// Chrome's developer tools: WebInspector.
    case chrome
    /// Playwright, of a browser that it steers.
    case playwright
    /// Firefox: `bodySize` of a response is what was transferred, its head included.
    case firefox
    /// Safari's Web Inspector: sizes are those of the system's metrics.
    case webKit
    /// Chucker: sums of fields and bodies as an interceptor of OkHttp gets them.
    case chucker
    /// Flutter's DevTools: bodies as the app read them; heads are texts of another form.
    case devTools

    package init(_ name: [UInt8]) {
        switch name.display {
        case "WebInspector": self = .chrome
        case "Playwright": self = .playwright
        case "Firefox": self = .firefox
        case "WebKit Web Inspector": self = .webKit
        case "Chucker": self = .chucker
        case "devtools": self = .devTools
        default: self = .other
        }
    }
}

/// A row that could not be used at all.
public struct LogRejection: Sendable {
    /// Row or line of the log, from 1.
    public var row: Int
    public var what: String
}

/// Something odd in a log. Nothing is lost by it silently.
public struct LogProblem: Sendable, Equatable {
    /// In words, such as "length is not the sum of its parts".
    public var what: String
    public var count: Int
    /// Row or line of the first, from 1; nil where it concerns the whole log.
    public var firstRow: Int?

    public init(what: String, count: Int, firstRow: Int?) {
        self.what = what
        self.count = count
        self.firstRow = firstRow
    }
}

/// A log that cannot be read at all. One line: what, where, what to do.
public struct SDKLogError: Error, Sendable {
    public enum Kind: Sendable {
        case cannotOpen
        /// Not a log of a known (or the forced) format, or damaged.
        case notALog
    }

    public var kind: Kind
    public var message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
