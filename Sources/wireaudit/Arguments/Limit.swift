import WireAccuracy
import WireCapture
import WireCore
import WireLogs
import WireReport

/// All that `--limit` can set. The defaults are those of the libraries.
package struct ProgramLimits: Sendable {
    /// Limits that options set, by their names, as they were given; --reorder is one of them.
    private(set) var given: [String: String] = [:]
    var areGiven: Bool { !given.isEmpty }
    mutating func note(_ name: String, _ value: String) { given[name] = value }

    package var audit = AuditOptions()
    package var accuracy = AccuracyOptions()
    /// Most rows of an SDK log.
    package var logRows = SDKLogReader.standardRowLimit
    /// Most bytes of its texts.
    package var logTexts = SDKLogReader.standardTextBudget
    /// Most claims that `annotate` notes.
    package var claims = ClaimTrace.standardLimit
    /// Most bytes held while several interfaces wait for one another.
    package var liveBytes = LiveOptions().heldBytesLimit

    /// Most calls and connections that a page shows one by one.
    package var pageCalls = TrafficSample.standardCalls
    package var pageConnections = TrafficSample.standardConnections

    package init() {}

    /// How much of bodies estimators look at: decoded sizes have one limit, whoever decodes.
    var content: ContentLimits {
        var content = accuracy.content
        content.decodedBody = audit.decodedBodyLimit
        content.decodedTotal = audit.totalDecodedLimit
        return content
    }
}

/// A limit that can be set: its name, where it stands, and what is done and said when it is reached.
package struct Limit: Sendable {
    package enum Place: Sendable {
        case count(any WritableKeyPath<ProgramLimits, Int> & Sendable)
        case bytes(any WritableKeyPath<ProgramLimits, Int> & Sendable)
        /// Nanoseconds.
        case time(any WritableKeyPath<ProgramLimits, Int64> & Sendable)
    }

    package let name: String
    package let place: Place
    /// What it limits.
    package let meaning: String
    /// What is done beyond it.
    package let beyond: String
    /// What is said then; nil where no finding is.
    package let finding: FindingCode?
    /// Where that is to be seen without a finding.
    package let told: String?
    /// Shared out among the parts of the connections.
    package let isShared: Bool

    init(
        _ name: String, _ place: Place, _ meaning: String, beyond: String, _ finding: FindingCode? = nil,
        told: String? = nil, isShared: Bool = false
    ) {
        self.name = name
        self.place = place
        self.meaning = meaning
        self.beyond = beyond
        self.finding = finding
        self.told = told
        self.isShared = isShared
    }

    package static func named(_ name: String) -> Limit? { all.first { $0.name == name } }

    /// The default, or what it was set to: a number, bytes, or nanoseconds.
    package func value(in limits: ProgramLimits = ProgramLimits()) -> Int {
        switch place {
        case .count(let path), .bytes(let path): limits[keyPath: path]
        case .time(let path): Int(limits[keyPath: path])
        }
    }

    /// The values it can be set to, both included. Numbers of things are kept in 32 bits here and there.
    package var range: ClosedRange<Int> {
        switch place {
        case .count: 1...1_000_000_000
        case .bytes: 1...1 << 40
        case .time: 1_000_000...365 * 86_400 * 1_000_000_000
        }
    }

    func set(_ value: Int, in limits: inout ProgramLimits) {
        switch place {
        case .count(let path), .bytes(let path): limits[keyPath: path] = value
        case .time(let path): limits[keyPath: path] = Int64(value)
        }
    }
}

// MARK: Values as people write them

extension Limit {
    /// Reads a value; nil where it is none of the limit's kind.
    package func read(_ text: String) -> Int? {
        switch place {
        case .count: return Self.number(text)
        case .bytes:
            if let plain = Int(text), plain >= 0 { return plain }
            guard case .bytes(let size)? = try? Quantity(parsing: text) else { return nil }
            return size
        case .time:
            guard case .nanoseconds(let time)? = try? Quantity(parsing: text) else { return nil }
            return Int(time)
        }
    }

    /// Digits, and k, M or G for thousands, millions and thousands of millions.
    private static func number(_ text: String) -> Int? {
        let factors: [Character: Int] = ["k": 1000, "m": 1_000_000, "g": 1_000_000_000]
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let unit = text.dropFirst(digits.count).lowercased()
        if unit.isEmpty { return number }
        guard unit.count == 1, let factor = unit.first.flatMap({ factors[$0] }) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }

    /// Of which kind its values are, with an example.
    var wanted: String {
        switch place {
        case .count: "a number such as 1000 or 32k"
        case .bytes: "a size such as 64KiB or 4MiB"
        case .time: "a time such as 500ms, 30s or 10min"
        }
    }
}
