import WireAccuracy
import WireEstimates
import WireLogs
import WireStatistics

/// An earlier result to compare with: what `wireaudit accuracy --format json` wrote.
public struct AccuracyBaseline: Sendable {
    package struct Key: Hashable, Sendable {
        package var source: String
        /// Nil: all APIs together.
        package var api: String?
        package var direction: Direction
    }

    private(set) var sources: [String] = []
    /// Those of the sources that are logs.
    private(set) var logs: [String] = []
    private(set) var apis: Set<String> = []
    /// By API: its calls that are compared; none where an earlier version wrote it.
    private(set) var apiCalls: [String: Int] = [:]
    /// Nil: an earlier version wrote it.
    public package(set) var choices: ResultChoices?
    private var rows: [Key: AccuracyRow] = [:]

    package init() {}

    package mutating func add(source: String, isLog: Bool) {
        sources.append(source)
        if isLog { logs.append(source) }
    }

    package mutating func add(api: String, _ calls: Int?) {
        apis.insert(api)
        apiCalls[api] = calls
    }

    package mutating func add(_ row: AccuracyRow, _ source: String, _ api: String?, _ direction: Direction) {
        rows[Key(source: source, api: api, direction: direction)] = row
    }

    package func row(_ source: String, _ api: String?, _ direction: Direction) -> AccuracyRow? {
        rows[Key(source: source, api: api, direction: direction)]
    }
}
