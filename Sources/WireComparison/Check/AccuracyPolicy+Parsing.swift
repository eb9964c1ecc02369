extension AccuracyPolicy {
    /// Reads a policy. Each line holds one rule, in any order of its parts:
    ///
    ///     bias <= 5%                               each source, each direction, all calls together
    ///     p90-error <= 200 B down                  one direction
    ///     coverage >= 98% of calls                 or: of bytes
    ///     api "POST * /v1/orders*" wire-per-call <= 2500 B
    ///     api * error <= 10% min-calls 20          each API with at least 20 calls
    ///     read >= 95% of bytes except "img.example.com*"
    ///     source sdk.sqlite bias <= 2% up against wire
    ///     baseline accuracy.json within 1%
    ///
    /// `#` begins a comment. Text with blanks stands in double quotes. Keywords ignore case.
    public init(parsing text: [UInt8]) throws(PolicyError) {
        rules = []
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = text.starts(with: mark) ? text[3...] : text[...]
        let lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            guard let line = String(validating: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self) else {
                throw PolicyError("this line is not UTF-8 text", line: index + 1)
            }
            do {
                var parser = PolicyRuleParser(try policyWords(line))
                if let rule = try parser.rule() { rules.append(rule) }
            } catch {
                throw PolicyError(error.message, line: index + 1, column: error.column)
            }
        }
        guard !rules.isEmpty else { throw PolicyError("the policy has no rules; \(PolicyRuleParser.example)") }
    }
}

extension PolicyRule {
    /// The options that make a rule of a value.
    public static let options: [(option: String, metric: Metric)] = [
        ("--max-bias", .bias), ("--max-error", .error), ("--max-p90-error", .p90Error), ("--min-coverage", .coverage),
        ("--min-read", .read), ("--max-wire-per-call", .wirePerCall), ("--max-wire", .wire),
    ]

    /// The rule of an option such as `--max-bias 5%`: for all calls together, each direction, each source.
    public static func rule(option: String, value: String) throws(PolicyError) -> PolicyRule {
        guard let metric = options.first(where: { $0.option == option })?.metric else {
            let known = options.map(\.option)
            throw PolicyError("\(quoted(option)) is not a bound option; use \(known.joined(separator: ", "))")
        }
        guard let amount = PolicyAmount(value) else {
            throw PolicyError("\(option) \(quoted(value)) is not a bound; \(metric.exampleOfBound)")
        }
        do {
            let bound = try metric.bound(amount)
            return PolicyRule(.bound(metric, bound), text: "\(option) \(value)")
        } catch {
            throw PolicyError("\(option) \(quoted(value)): \(error.message)")
        }
    }

    /// The rule that nothing is worse than in an earlier result. The tolerance is a percentage such as `1%`.
    public static func rule(baseline path: String, tolerance: String?) throws(PolicyError) -> PolicyRule {
        let text = "--baseline \(path)" + (tolerance.map { " --tolerance \($0)" } ?? "")
        guard let tolerance else { return PolicyRule(.baseline(path: path, tolerance: 0), text: text) }
        guard let amount = PolicyAmount(tolerance), amount.unit == .percent || amount.value == 0 else {
            throw PolicyError("--tolerance \(quoted(tolerance)) is not a percentage such as 1%")
        }
        return PolicyRule(.baseline(path: path, tolerance: amount.value), text: text)
    }
}

extension PolicyRule.Metric {
    /// How a bound for it is written.
    package var example: String {
        switch self {
        case .bias: "bias <= 5%"
        case .coverage: "coverage >= 98%"
        case .read: "read >= 95%"
        case .wire: "wire <= 2 MB"
        case .wirePerCall: "wire-per-call <= 2500 B"
        case .p50SessionError, .p90SessionError, .p99SessionError, .failedSessions: "\(rawValue) <= 5%"
        default: "\(rawValue) <= 200 B"
        }
    }

    var exampleOfBound: String {
        switch self {
        case .coverage, .read: "write a percentage such as 98%"
        case .p50SessionError, .p90SessionError, .p99SessionError, .failedSessions: "write a percentage such as 5%"
        case .wire, .wirePerCall: "write bytes such as 2500, 2.5kB or 2.5KiB"
        default: "write a percentage such as 5%, or bytes such as 200, 200B or 1.5kB"
        }
    }

    /// The amount as a bound for this metric.
    func bound(_ amount: PolicyAmount) throws(PolicyError) -> PolicyRule.Bound {
        switch self {
        case .coverage, .read:
            guard amount.unit == .percent else {
                throw PolicyError("a bound on \(rawValue) is a percentage such as 98%")
            }
            guard amount.value <= 100 else { throw PolicyError("\(rawValue) cannot exceed 100%") }
            return PolicyRule.Bound(amount.value, self == .read ? .percentOfBytes : .percent)
        case .p50SessionError, .p90SessionError, .p99SessionError, .failedSessions:
            guard amount.unit == .percent else {
                throw PolicyError("a bound on \(rawValue) is a percentage such as 5%")
            }
            return PolicyRule.Bound(amount.value, .percent)
        case .wire, .wirePerCall:
            guard amount.unit != .percent else {
                throw PolicyError("a bound on \(rawValue) is in bytes, such as 2500, 2.5kB or 2.5KiB")
            }
            return PolicyRule.Bound(amount.value, .bytes)
        default: return PolicyRule.Bound(amount.value, amount.unit == .percent ? .percent : .bytes)
        }
    }
}
