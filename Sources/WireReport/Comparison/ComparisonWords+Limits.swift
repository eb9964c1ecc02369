import WireComparison
import WireCore
import WireJoin
import WireRecords

/// What a comparison of means per call does not say.
extension ComparisonWords {
    /// Sentences on what is in no mean per call.
    var outside: [ReportText] {
        guard !comparison.isIdentical else { return [] }
        return oneSided(.new) + oneSided(.vanished) + undecided + (calls + unread + rest).map { ReportText($0) }
    }

    /// How little was compared, where that is less than a verdict on all calls needs.
    var base: [String] {
        guard comparison.isLittleRead, !comparison.choosesNothing else { return [] }
        let shares = [comparison.before, comparison.after].map { side in
            smallPercentInWords(side.callWire(comparison.measure), of: side.wire(comparison.measure))
        }
        return ["Only \(shares[0]) of the bytes before and \(shares[1]) after could be compared."]
    }

    /// APIs that one side alone has, where they are a notable part of its wire bytes.
    private func oneSided(_ verdict: APIChange.Verdict) -> [ReportText] {
        let isNew = verdict == .new
        func wire(_ row: APIChange) -> Int {
            comparison.measure.wire(((isNew ? row.after : row.before) ?? ComparedAPI()).costs)
        }
        let rows = apis(verdict).filter { !$0.isEncrypted }.sorted { wire($0) > wire($1) }
        let whole = (isNew ? comparison.after : comparison.before).wire(comparison.measure)
        let part = rows.reduce(0) { $0 &+ wire($1) }
        guard whole > 0, part > 0 else { return [] }
        let share = Double(part) / Double(whole) * 100
        guard share > CostComparison.notable else { return [] }
        let verb = isNew ? (rows.count == 1 ? "makes up" : "make up") : "made up"
        let names = rows.prefix(2).map { "\(name: $0.api) (\(size(wire($0))))" as ReportText }.joined(separator: ", ")
        let what = "\(counted(rows.count, "\(verdict.rawValue) API")) \(verb) \(percentWords(share))"
        return ["\(what) of the wire bytes \(isNew ? "after" : "before"): \(names)\(others(rows))."]
    }

    /// APIs with too few calls that are a notable part of a side and differ.
    private var undecided: [ReportText] {
        let rows = comparison.undecided
        guard !rows.isEmpty else { return [] }
        let names = rows.prefix(2).map { row -> ReportText in
            let wire = row.wire ?? CostChange()
            return "\(name: row.api) (\(bytes(wire.before)) B per call before, \(bytes(wire.after)) B after)"
        }.joined(separator: ", ")
        let verb = rows.count == 1 ? "differs" : "differ"
        return ["\(counted(rows.count, "API")) with too few calls to judge \(verb): \(names)\(others(rows))."]
    }

    /// Growth above the bound that may be chance, as far as the result depends on it.
    var unjudgedGrowth: ReportText? {
        let rows = comparison.unjudgedGrowth
        guard !rows.isEmpty else { return nil }
        let names = rows.prefix(2).map { "\(name: $0.api) \(percent($0.wire?.percent))" as ReportText }
        let limit = percentWords(comparison.maximumGrowth ?? 0)
        return """
            with too few calls to tell growth from chance, \(counted(rows.count, "API")) grew by more than \(limit) per \
            call: \(names.joined(separator: ", "))\(others(rows))
            """
    }

    /// Of rows of which a sentence names two.
    private func others(_ rows: [APIChange]) -> String {
        rows.count > 2 ? " and \(counted(rows.count - 2, "other"))" : ""
    }

    /// Another number of calls is no change per call, but one of the traffic.
    private var calls: [String] {
        let (before, after) = (comparison.before.calls, comparison.after.calls)
        let difference = abs(Double(after) - Double(before))
        guard difference * 100 > Double(before) * CostComparison.notable else { return [] }
        return ["Calls: \(grouped(before)) before, \(grouped(after)) after."]
    }

    /// TLS and QUIC that was not read, where the sides differ in it.
    var unread: [String] {
        let before = comparison.before.unreadWire(comparison.measure)
        let after = comparison.after.unreadWire(comparison.measure)
        guard before != after else { return [] }
        return [
            "Traffic whose calls are not known: \(size(before)) before, \(size(after)) after; it is not judged."
        ]
    }

    /// What no call has, where the sides differ in a notable part of their bytes.
    var rest: [String] {
        let (before, after) = (
            comparison.before.restWire(comparison.measure), comparison.after.restWire(comparison.measure)
        )
        let whole = max(comparison.before.wire(comparison.measure), comparison.after.wire(comparison.measure))
        let difference = abs(Double(after) - Double(before))
        guard before >= 0, after >= 0, difference * 100 > Double(whole) * CostComparison.notable else { return [] }
        return ["Traffic of no call: \(size(before)) before, \(size(after)) after; it is not judged."]
    }

    /// APIs of which nothing is said but the numbers, and those differ.
    var fewCalls: [APIChange] { apis(.tooFewCalls).filter { $0.wire?.isNothing == false } }

    func size(_ bytes: Int) -> String { sizeInWords(bytes) ?? bytesInWords(grouped(bytes)) }

    /// Numbers of both sides, with a dash where there is none, or nobody knows it.
    static func pair(_ before: Int?, _ after: Int?, dash: String = "—") -> String {
        "\(before.map { grouped($0) } ?? dash)/\(after.map { grouped($0) } ?? dash)"
    }

    /// What makes figures doubtful.
    var doubts: String? {
        let words = [("before", comparison.before), ("after", comparison.after)].compactMap { name, side -> String? in
            guard !side.allDoubts.isEmpty else { return nil }
            return "\(name): " + listed(side.allDoubts.sorted().map(ComparisonWords.doubt), most: 4)
        }
        guard !words.isEmpty else { return nil }
        return
            "\(ComparisonWords.isPart.plain.dropLast()) (\(words.joined(separator: "; "))). What is missing on one side only is no change; "
            + "'wireaudit FILE' has the details."
    }

    /// A finding in a few words, with its code.
    private static func doubt(_ code: String) -> String {
        switch code {
        case ComparedSide.droppedPackets: return "the capturing program lost packets"
        case ComparedSide.unreadCalls: return "TLS or QUIC was not read"
        case ComparedSide.unreadFrames: return "frames without IP were not read"
        default: break
        }
        guard let finding = FindingCode.allCases.first(where: { $0.code == code }) else { return code }
        let clause = finding.sentence.prefix { $0 != ";" && $0 != "." }
        let isName = clause.dropFirst().first?.isUppercase == true
        return (isName ? String(clause) : clause.prefix(1).lowercased() + clause.dropFirst()) + " (\(code))"
    }
}

extension APIChange {
    /// TLS or QUIC that was not read: its calls are not known.
    var isEncrypted: Bool { before?.isEncrypted == true || after?.isEncrypted == true }

    /// Calls of both sides; nil where they are not known.
    var knownCalls: Int? { isEncrypted ? nil : (before?.calls ?? 0) &+ (after?.calls ?? 0) }
}

extension CostComparison.Obstacle {
    /// A clause of a sentence.
    public var sentence: String {
        switch self {
        case .nothingChosen: "no API or host matches the selection"
        case .littleRead:
            "too little of the traffic was read; decrypt it with --keys FILE, or choose what was read with --host or --api"
        case .nothingShared: "no API has calls on both sides"
        case .tooFewCalls:
            "too few calls on each side to tell growth from chance"
        }
    }
}
