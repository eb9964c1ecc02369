import Spelling
import WireAccuracy
import WireEstimates

/// Makes a rule of the words of a line.
struct PolicyRuleParser {
    static let example = "write one such as bias <= 5%"
    private static let keywords = [
        "api", "source", "up", "down", "against", "min-calls", "baseline", "within", "except",
    ]

    private let words: [PolicyWord]
    private var index = 0
    private var demand: (demand: PolicyRule.Demand, word: PolicyWord)?
    private var parts = PolicyRule(.baseline(path: "", tolerance: 0), text: "")
    private var tolerance: (percent: Double, word: PolicyWord)?
    /// The word that gave each part, to complain of.
    private var seen: [String: PolicyWord] = [:]

    init(_ words: [PolicyWord]) { self.words = words }

    /// Nil for a line without words.
    mutating func rule() throws(PolicyError) -> PolicyRule? {
        guard let first = words.first else { return nil }
        while let word = next() { try take(word) }
        guard let (demand, word) = demand else {
            throw error("this rule has no metric; \(PolicyRuleParser.example)", at: first)
        }
        parts.demand = demand
        if case .baseline(let path, _) = demand {
            parts.demand = .baseline(path: path, tolerance: tolerance?.percent ?? 0)
        } else if let tolerance {
            throw error("\"within\" needs a baseline, as in baseline accuracy.json within 1%", at: tolerance.word)
        }
        try checkCombination(word)
        parts.text = words.map(\.source).joined(separator: " ")
        return parts
    }

    private mutating func next() -> PolicyWord? {
        guard index < words.count else { return nil }
        index += 1
        return words[index - 1]
    }

    private func error(_ message: String, at word: PolicyWord) -> PolicyError {
        PolicyError(message, column: word.column)
    }
}

// MARK: Parts of a rule

extension PolicyRuleParser {
    private mutating func take(_ word: PolicyWord) throws(PolicyError) {
        guard let keyword = word.keyword else { throw unknown(word) }
        if let metric = PolicyRuleParser.metric(keyword) {
            let bound = try bound(metric, word)
            return try setDemand(.bound(metric, bound), word)
        }
        switch keyword {
        case "api":
            try once(word)
            let pattern = try value(word, "a pattern, such as api \"POST api.example.com /v1/*\"")
            parts.api = TextPattern(pattern, anywhere: true)
        case "source":
            try once(word)
            let pattern = try value(word, "an estimator or log, such as source sdk.sqlite")
            parts.source = TextPattern(pattern, anywhere: false)
        case "up", "down":
            if let other = seen["direction"] {
                throw error(
                    "this rule already says \(quoted(other.text)); leave both out to check each direction", at: word)
            }
            seen["direction"] = word
            parts.direction = keyword == "up" ? .up : .down
        case "against": try takeTruth(word)
        case "min-calls": try takeMinimumCalls(word)
        case "baseline":
            let path = try value(word, "the JSON file of an earlier result, such as baseline accuracy.json")
            try setDemand(.baseline(path: path, tolerance: 0), word)
        case "except":
            let pattern = try value(word, "a host that need not be read, such as except img.example.com")
            parts.exceptions.append(TextPattern(pattern, anywhere: false))
            seen["except"] = word
        case "within":
            try once(word)
            guard let amount = try amount(after: word), amount.unit == .percent else {
                throw error("\"within\" needs a percentage, such as within 1%", at: word)
            }
            tolerance = (amount.value, word)
        default: throw unknown(word)
        }
    }

    private static func metric(_ keyword: String) -> PolicyRule.Metric? {
        switch keyword {
        case "mean-error": .error
        case "median-error": .p50Error
        default: PolicyRule.Metric(rawValue: keyword)
        }
    }

    private mutating func bound(_ metric: PolicyRule.Metric, _ word: PolicyWord) throws(PolicyError)
        -> PolicyRule.Bound
    {
        let comparison = next()
        guard let comparison, let sign = comparison.keyword, sign.hasPrefix("<") || sign.hasPrefix(">") else {
            throw error("\(quoted(word.text)) needs a bound, as in \(metric.example)", at: comparison ?? word)
        }
        let wanted = metric.isMinimum ? ">=" : "<="
        guard sign == wanted else {
            let kind = metric.isMinimum ? "minimum" : "maximum"
            throw error("\(metric.rawValue) is a \(kind): write \(wanted), as in \(metric.example)", at: comparison)
        }
        guard let start = index < words.count ? words[index] : nil else {
            throw error("\(wanted) needs a bound; \(metric.exampleOfBound)", at: comparison)
        }
        guard let amount = try amount(after: comparison) else {
            throw error("\(quoted(start.text)) is not a bound; \(metric.exampleOfBound)", at: start)
        }
        do throws(PolicyError) {
            var bound = try metric.bound(amount)
            if metric == .coverage || metric == .read, let unit = takesUnit() {
                guard metric == .coverage || unit == .percentOfBytes else {
                    throw PolicyError("read is a share of bytes; write \(metric.example)")
                }
                bound.unit = unit
            }
            return bound
        } catch {
            throw self.error(error.message, at: start)
        }
    }

    /// After a share: `calls`, `bytes`, `of calls` or `of bytes`, all of which may be missing.
    private mutating func takesUnit() -> PolicyRule.Unit? {
        var place = index
        if place < words.count, words[place].keyword == "of" { place += 1 }
        guard place < words.count, let keyword = words[place].keyword, keyword == "calls" || keyword == "bytes" else {
            return nil
        }
        index = place + 1
        return keyword == "bytes" ? .percentOfBytes : .percent
    }

    /// A number and its unit, in one word or two.
    private mutating func amount(after word: PolicyWord) throws(PolicyError) -> PolicyAmount? {
        guard let number = next(), !number.isQuoted, let amount = PolicyAmount(number.text) else { return nil }
        guard amount.unit == .none, index < words.count, let unit = words[index].keyword, PolicyAmount.isUnit(unit)
        else { return amount }
        index += 1
        return PolicyAmount(number.text + unit)
    }

    private mutating func takeTruth(_ word: PolicyWord) throws(PolicyError) {
        try once(word)
        let wanted = "\"against\" needs message (HTTP messages) or wire (all IP bytes)"
        guard let value = next() else { throw error(wanted, at: word) }
        guard let keyword = value.keyword, let truth = Truth(rawValue: keyword) else { throw error(wanted, at: value) }
        parts.truth = truth
    }

    private mutating func takeMinimumCalls(_ word: PolicyWord) throws(PolicyError) {
        try once(word)
        let wanted = "\"min-calls\" needs a whole number, such as min-calls 20"
        guard let value = next() else { throw error(wanted, at: word) }
        let isNumber = value.text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        guard isNumber, let number = Int(value.text) else { throw error(wanted, at: value) }
        parts.minimumCalls = number
    }

    private mutating func value(_ word: PolicyWord, _ wanted: String) throws(PolicyError) -> String {
        guard let value = next(), !value.text.isEmpty else {
            throw error("after \(quoted(word.text)) comes \(wanted)", at: word)
        }
        return value.text
    }
}

// MARK: What does not go together

extension PolicyRuleParser {
    private mutating func setDemand(_ new: PolicyRule.Demand, _ word: PolicyWord) throws(PolicyError) {
        if let (_, first) = demand {
            throw error(
                "a rule has one bound: \(quoted(word.text)) after \(quoted(first.text)) needs a line of its own",
                at: word)
        }
        demand = (new, word)
    }

    private mutating func once(_ word: PolicyWord) throws(PolicyError) {
        let keyword = word.text.lowercased()
        if seen[keyword] != nil { throw error("\(quoted(keyword)) appears twice in this rule", at: word) }
        seen[keyword] = word
    }

    private func checkCombination(_ word: PolicyWord) throws(PolicyError) {
        var isBaseline = true
        if case .bound(let metric, let bound) = parts.demand {
            isBaseline = false
            if metric.isWire, let source = seen["source"] {
                throw error("\(metric.rawValue) does not depend on a source; leave it out", at: source)
            }
            if metric.isWire, let against = seen["against"] {
                throw error("\(metric.rawValue) has only its bound to compare with; leave \"against\" out", at: against)
            }
            for word in ["source", "against", "api", "direction"] where metric.isOfWhole {
                guard let other = seen[word] else { continue }
                let whole = metric.isOfFleet ? "sessions" : "traffic"
                throw error("\(metric.rawValue) is of all \(whole); leave \(quoted(other.text)) out", at: other)
            }
            if metric.isOfSessions, let against = seen["against"] {
                throw error("\(metric.rawValue) is against messages; leave \"against\" out", at: against)
            }
            if metric == .coverage, bound.unit == .percent, let against = seen["against"] {
                throw error("\"against\" needs bytes; write coverage >= 98% of bytes against wire", at: against)
            }
        }
        if parts.reading == nil, let other = seen["except"] {
            throw error(
                "\"except\" names hosts that need not be read, as in read >= 95% except img.example.com", at: other)
        }
        if parts.api == nil, !isBaseline, let minimum = seen["min-calls"] {
            throw error("\"min-calls\" is for single APIs; add a pattern such as api *", at: minimum)
        }
    }

    private func unknown(_ word: PolicyWord) -> PolicyError {
        guard !word.isQuoted else {
            return error("text in quotation marks belongs after api, source or baseline", at: word)
        }
        let metrics = PolicyRule.Metric.allCases.map(\.rawValue)
        if let keyword = word.keyword, let sign = keyword.firstIndex(of: "="),
            let metric = PolicyRuleParser.metric(String(keyword[..<sign]))
        {
            return error("a bound is written with \(metric.isMinimum ? ">=" : "<="), as in \(metric.example)", at: word)
        }
        let known = metrics + PolicyRuleParser.keywords
        guard let near = nearestWord(to: word.text, among: known) else {
            return error(
                "\(quoted(word.text)) is not part of a rule; metrics are \(metrics.joined(separator: ", ")); "
                    + "other words are \(PolicyRuleParser.keywords.joined(separator: ", "))", at: word)
        }
        return error("\(quoted(word.text)) is not part of a rule; did you mean \(quoted(near))?", at: word)
    }
}
