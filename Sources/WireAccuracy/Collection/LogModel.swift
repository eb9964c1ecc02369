import WireEstimates

/// The formulas that a log's figures may come from. The ones that give most figures to the byte explain all of them;
/// what they do not give stays unexplained.
struct LogModel {
    /// Parts of a direction's figure. A log that has parts is explained part by part.
    enum Part: Int, CaseIterable {
        case startLine, headers, body, total
    }

    private let candidates: [ChosenEstimator]
    let hasParts: Bool
    /// By direction and part: how many figures each candidate gives exactly.
    private var hits: [[Int]]
    private var compared = [Int](repeating: 0, count: 8)
    /// By direction the candidate of each part, once `settle` was called.
    private var established: [[Part: Int]?] = [nil, nil]

    init(_ format: SDKLogFormat) {
        hasParts = LogModel.hasParts(format)
        candidates = LogModel.words(format).flatMap { (try? EstimatorCatalog.choose($0)) ?? [] }
        hits = Array(repeating: Array(repeating: 0, count: candidates.count), count: 8)
    }

    /// What the candidates want to know of bodies.
    var needs: ContentNeeds { candidates.reduce([]) { $0.union($1.estimator.needs) } }

    private static func hasParts(_ format: SDKLogFormat) -> Bool {
        switch format {
        case .dmSQLite, .dmNDJSON, .dmCSV: true
        default: false
        }
    }

    /// Estimators with their parameters, the most usual first.
    static func words(_ format: SDKLogFormat) -> [String] {
        switch format {
        case .dmSQLite, .dmNDJSON, .dmCSV:
            let requests = ["article", "min", "full", "loader"].flatMap { headers in
                ["stream", "data"].map { "dmurlprotocol:gate=both:headers=\(headers):body=\($0)" }
            }
            let responses = ["none", "lf"].flatMap { end in
                ["Identity", "chunked"].map { "dmurlprotocol:gate=both:statusLineEnd=\(end):te=\($0)" }
            }
            return requests + responses + ["hertz:body=data"]
        case .har: return ["har", "har:harChunk=included", "har-chrome"]
        case .metrics: return ["mtnm", "mtnm:h2HeaderFraming=excluded"]
        case .cfnetwork: return ["cfnetwork", "cfnetwork:h2HeaderFraming=excluded"]
        case .networkeye, .godeye:
            return ["unknown", "contentLength", "decoded"].map { "\(format.rawValue):ecl=\($0)" }
        case .dokit:
            return ["min", "article", "full"].flatMap { headers in
                ["Identity", "chunked"].map { "dokit:headers=\(headers):te=\($0)" }
            }
        }
    }

    // MARK: Choosing

    /// Learns from one matched figure which candidates give it.
    mutating func learn(_ logged: LoggedBytes, _ exchange: ObservedExchange, _ direction: Direction) {
        let estimates = candidates.map { LogModel.estimate($0, exchange, direction) }
        for part in Part.allCases {
            guard let value = part.value(of: logged) else { continue }
            compared[place(direction, part)] += 1
            for (index, estimate) in estimates.enumerated() {
                guard let given = estimate.flatMap({ part.value(of: $0) }) else { continue }
                if given == value { hits[place(direction, part)][index] += 1 }
            }
        }
    }

    private func place(_ direction: Direction, _ part: Part) -> Int {
        (direction == .up ? 0 : 4) + part.rawValue
    }

    private static func estimate(
        _ candidate: ChosenEstimator, _ exchange: ObservedExchange, _ direction: Direction
    ) -> DirectionEstimate? {
        guard case .recorded(let up, let down) = candidate.estimator.estimate(exchange) else { return nil }
        let estimate = direction == .up ? up : down
        return estimate?.isUnknown == true ? nil : estimate
    }

    /// The candidate that gives most figures of the part; of equals the one that gives most of the whole direction, then
    /// the first. Nil where none gives any.
    private func best(_ direction: Direction, _ part: Part) -> Int? {
        let scores = hits[place(direction, part)]
        // A formula that gives a few figures only gives them by chance.
        guard let most = scores.max(), most > 0, most * 5 >= compared[place(direction, part)] else { return nil }
        let whole = candidates.indices.map { index in
            Part.allCases.reduce(0) { $0 + hits[place(direction, $1)][index] }
        }
        return candidates.indices.filter { scores[$0] == most }.max {
            whole[$0] < whole[$1] || (whole[$0] == whole[$1] && $0 > $1)
        }
    }

    // MARK: Judging

    /// Ends the learning: chooses the formulas. Figures that are learned later count only after the next call.
    mutating func settle() {
        established = Direction.allCases.map { established($0) }
    }

    /// By part the candidate that is established for a direction; nil where a part of it has none.
    private func established(_ direction: Direction) -> [Part: Int]? {
        var chosen: [Part: Int] = [:]
        for part in hasParts ? [Part.startLine, .headers, .body] : [.total] {
            let place = place(direction, part)
            guard compared[place] > 0 else { continue }
            guard compared[place] >= 20, let index = best(direction, part),
                hits[place][index] * 10 >= compared[place] * 9
            else { return nil }
            chosen[part] = index
        }
        return chosen.isEmpty ? nil : chosen
    }

    /// Whether the established formula gives all figures of the direction to the byte. A row of zeros is given by an
    /// exchange whose response is missing or cut. Nil where no formula is established for the direction (fewer than 20
    /// learned figures in a part, or fewer than 90 % of them exact), and where the row has no figure. Call `settle`
    /// after learning.
    func gives(_ logged: LoggedBytes, _ exchange: ObservedExchange, _ direction: Direction) -> Bool? {
        guard let chosen = established[direction == .up ? 0 : 1] else { return nil }
        let parts = chosen.filter { $0.key.value(of: logged) != nil }
        guard !parts.isEmpty else { return nil }
        if direction == .down, parts.allSatisfy({ $0.key.value(of: logged) == 0 }),
            exchange.response?.isComplete != true
        {
            return true
        }
        return parts.allSatisfy { part, index in
            LogModel.estimate(candidates[index], exchange, direction).flatMap { part.value(of: $0) }
                == part.value(of: logged)
        }
    }

    // MARK: Explaining

    /// Why a logged figure differs from the message: sums to total − message. Adds to the counts how many figures were
    /// compared with a formula, and how many it gives.
    func explain(
        _ logged: LoggedBytes, _ exchange: ObservedExchange, _ direction: Direction, _ message: Int,
        _ counts: inout (explained: Int, compared: Int)
    ) -> CauseLedger {
        if let whole = wholeCauses(logged, exchange, direction, &counts) { return whole }
        var causes = CauseLedger()
        for part in hasParts ? [Part.startLine, .headers, .body] : [.total] {
            guard let value = part.value(of: logged) else { continue }
            counts.compared += 1
            guard let index = best(direction, part),
                let estimate = LogModel.estimate(candidates[index], exchange, direction),
                part.value(of: estimate) == value
            else { continue }
            counts.explained += 1
            for (cause, bytes) in estimate.causes.posts where part.holds(cause) { causes[cause] += bytes }
        }
        causes[.unexplained] = (logged.total ?? 0) &- message &- causes.sum
        return causes
    }

    /// Of a log with parts: the causes of one chosen formula that gives all parts of the figure, those that concern the
    /// exchange as a whole included.
    private func wholeCauses(
        _ logged: LoggedBytes, _ exchange: ObservedExchange, _ direction: Direction,
        _ counts: inout (explained: Int, compared: Int)
    ) -> CauseLedger? {
        let parts = [Part.startLine, .headers, .body].filter { $0.value(of: logged) != nil }
        guard hasParts, !parts.isEmpty else { return nil }
        for part in parts {
            guard let index = best(direction, part),
                let estimate = LogModel.estimate(candidates[index], exchange, direction),
                estimate.total == logged.total,
                parts.allSatisfy({ $0.value(of: estimate) == $0.value(of: logged) })
            else { continue }
            counts.compared += parts.count
            counts.explained += parts.count
            return estimate.causes
        }
        return nil
    }

    /// The formulas that were chosen, for a reader: `dmurlprotocol (135 of 135 figures)`, or by direction and part
    /// where they differ.
    var text: String {
        var clauses: [String] = []
        for direction in Direction.allCases {
            var chosen: [(index: Int, parts: [String], exact: Int, compared: Int)] = []
            for part in hasParts ? [Part.startLine, .headers, .body] : [.total] {
                guard let index = best(direction, part) else { continue }
                let place = place(direction, part)
                if let known = chosen.firstIndex(where: { $0.index == index }) {
                    chosen[known].parts.append(part.name)
                    chosen[known].exact += hits[place][index]
                    chosen[known].compared += compared[place]
                } else {
                    chosen.append((index, [part.name], hits[place][index], compared[place]))
                }
            }
            for choice in chosen {
                let parts = chosen.count > 1 ? " " + choice.parts.joined(separator: ", ") : ""
                clauses.append(
                    (direction == .up ? "requests" : "responses") + parts
                        + " by \(candidates[choice.index].id.replacing(":gate=both", with: "")) (\(choice.exact) of \(choice.compared) figures)"
                )
            }
        }
        return clauses.joined(separator: "; ")
    }
}

extension LogModel.Part {
    var name: String {
        switch self {
        case .startLine: "start line"
        case .headers: "headers"
        case .body: "body"
        case .total: "total"
        }
    }

    func value(of logged: LoggedBytes) -> Int? {
        switch self {
        case .startLine: logged.startLine
        case .headers: logged.headers
        case .body: logged.body
        case .total: logged.total
        }
    }

    func value(of estimate: DirectionEstimate) -> Int? {
        switch self {
        case .startLine: estimate.startLine
        case .headers: estimate.headers
        case .body: estimate.body
        case .total: estimate.total
        }
    }

    /// Whether a cause concerns the part.
    func holds(_ cause: ErrorCause) -> Bool {
        switch cause {
        case .startLineEnd, .startLineNotCounted, .startLineRewritten, .queryDropped, .pathRewritten:
            self == .startLine || self == .total
        case .fieldLineEnd, .emptyLine, .fieldsMissing, .fieldsFormat, .fieldsRewritten, .fieldsNotCounted, .cookie,
            .retry, .headerCompression:
            self == .headers || self == .total
        case .bodyMissing, .bodyRecompressed, .bodyDecoded, .encodingTest, .expectedLength, .chunkFraming,
            .lastBlockOnly:
            self == .body || self == .total
        default: self == .total
        }
    }
}
