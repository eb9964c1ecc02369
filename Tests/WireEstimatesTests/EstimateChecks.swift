import Testing
import WireEstimates

/// The one estimator that a text chooses.
func estimator(_ text: String) throws -> any Estimator {
    let chosen = try EstimatorCatalog.choose(text)
    return try #require(chosen.count == 1 ? chosen.first : nil, "\(text)").estimator
}

/// Both directions of an exchange that is recorded.
func recorded(_ text: String, _ exchange: ObservedExchange) throws -> (up: DirectionEstimate?, down: DirectionEstimate?)
{
    guard case .recorded(let up, let down) = try estimator(text).estimate(exchange) else {
        Issue.record("\(text) has no record")
        return (nil, nil)
    }
    return (up, down)
}

/// The outcome in a word, for tests: "recorded", "unknown" where a direction is, or the cause.
func outcome(_ text: String, _ exchange: ObservedExchange) throws -> String {
    switch try estimator(text).estimate(exchange) {
    case .recorded(let up, let down): up?.isUnknown == true || down?.isUnknown == true ? "unknown" : "recorded"
    case .unseen(let cause): cause.name
    case .unknown: "unknown"
    }
}

extension CauseLedger {
    /// Causes by name, without those of 0 bytes.
    var byName: [String: Int] { Dictionary(uniqueKeysWithValues: posts.map { ($0.cause.name, $0.bytes) }) }
}

extension DirectionEstimate {
    /// Start line, headers, body, total.
    var figures: [Int?] { [startLine, headers, body, total] }
}
