import WireAccuracy

/// Why figures that could be computed are not judged.
public enum CheckObstacle: Sendable, Equatable {
    /// Too little was read, of the traffic or of the log: figures of all calls together are those of a part.
    case unread(ReadShare)
    /// The log may be of another session than the capture.
    case otherSession(SessionDoubt)
    /// The log and the capture have nothing in common.
    case mismatch(LogMismatch)
    /// The calibration was fitted to something else: to what, and what is here.
    case otherConditions([String])

    /// It concerns single APIs as well.
    var isOfAPIs: Bool {
        if case .unread = self { false } else { true }
    }
}

extension PolicyEvaluation {
    /// Judges how much was read, and finds what must not be judged for it.
    mutating func judgeReading(_ index: Int, _ rule: PolicyRule, _ bound: PolicyRule.Bound) {
        let includes = { [isOfReport = context.includesHost] (host: String) in
            // Logs name hosts without their ports.
            isOfReport(host) && !rule.exceptions.contains { $0.matches(host) || $0.matches(withoutPort(host)) }
        }
        let traffic = ReadShare(audit, includes: includes)
        hasReadLittle = traffic.isTooLittle
        if judge(traffic, bound, CheckPlace(rule: index)) { trafficObstacle = .unread(traffic) }
        for log in result.logs where result.sources.indices.contains(log.source) {
            let share = ReadShare(log, keys: traffic.keys, includes: includes)
            let place = CheckPlace(rule: index, source: result.sources[log.source].id)
            if judge(share, bound, place) { obstacles[log.source] = obstacles[log.source] ?? .unread(share) }
            if share.isTooLittle { partlyRead.insert(log.source) }
        }
    }

    /// Returns whether too little was read.
    private mutating func judge(_ share: ReadShare, _ bound: PolicyRule.Bound, _ place: CheckPlace) -> Bool {
        guard let percent = share.percent else {
            let what = share.unit == .bytes ? "the capture has no bytes of the hosts that are judged" : "no row to read"
            addNothing(what, place, .notApplicable)
            return false
        }
        let isTooLittle = CheckFigure(.read, percent, bound.unit).exceeds(bound.value)
        add(place.outcome(isTooLittle ? .unjudged : .passed, .reading(share, bound: bound)))
        return isTooLittle
    }

    /// What the logs and the calibration say of themselves.
    mutating func findObstacles() {
        for log in result.logs {
            if let mismatch = log.mismatch {
                obstacles[log.source] = .mismatch(mismatch)
            } else if let doubt = log.sessionDoubt {
                obstacles[log.source] = .otherSession(doubt)
            }
        }
        let misfits = context.calibrationMisfits
        guard !misfits.isEmpty, let source = result.calibratedSource, obstacles[source] == nil else { return }
        obstacles[source] = .otherConditions(misfits)
    }

    /// The outcome, or that there is none because of an obstacle.
    func obstructed(_ outcome: CheckOutcome) -> CheckOutcome {
        if case .reading = outcome.finding { return outcome }
        guard outcome.verdict != .notApplicable, let obstacle = obstacle(outcome),
            outcome.api == nil || obstacle.isOfAPIs
        else { return outcome }
        // What was not read is in the figure.
        if case .measured(let figure, _) = outcome.finding, figure.range != nil, !obstacle.isOfAPIs { return outcome }
        var outcome = outcome
        outcome.verdict = .unjudged
        outcome.finding = .obstructed(obstacle)
        (outcome.explanation, outcome.calibration) = (nil, nil)
        return outcome
    }

    private func obstacle(_ outcome: CheckOutcome) -> CheckObstacle? {
        if let id = outcome.source {
            let source = result.sources.firstIndex { $0.id == id }
            return source.flatMap { obstacles[$0] } ?? trafficObstacle
        }
        // The bytes of the traffic are known whether it was read or not; of its calls they are not.
        switch outcome.finding {
        case .measured(let figure, _), .compared(let figure, _, _, _, _):
            return figure.metric == .wirePerCall ? trafficObstacle : nil
        default: return nil
        }
    }
}

/// `api.example.com` of `api.example.com:8443`.
private func withoutPort(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber) else { return host }
    return String(host[..<colon])
}
