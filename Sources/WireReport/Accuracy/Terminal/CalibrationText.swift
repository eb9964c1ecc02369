import WireAccuracy
import WireLogs
import WireRecords

/// What was written to a calibration, and what it is worth on calls that it was not fitted to.
public func calibrationText(_ calibration: Calibration, path: String, style: TerminalStyle) -> OutputBuffer {
    let conditions = calibration.conditions
    var lines = ["", style.paint("CALIBRATION \(style.safe(path))", .heading)]
    let fitted = calibration.apis.count { api in
        Direction.allCases.contains { api[$0]?.constants != nil }
    }
    let share = percent(conditions.recorded, of: conditions.figures) ?? "none"
    let sentences = [
        "Constants for \(style.safe(conditions.source)), to be added to its figures: \(counted(fitted, "API")) of "
            + "\(calibration.apis.count) with constants of their own; those with fewer than \(Calibration.fewestCalls) calls "
            + "and unknown ones take the fallback.",
        "Fitted to the calls before \(moment(conditions.split)), checked on the later ones; \(share) of all figures "
            + "were recorded.",
    ]
    for sentence in sentences {
        lines += wrappedSentence(style.plain(sentence), width: style.width - 2, indent: 2).map { "  " + $0 }
    }
    for direction in Direction.allCases {
        guard let total = calibration[direction] else { continue }
        for text in clauses(direction, total) {
            lines += wrappedSentence(style.plain(text), width: style.width - 2, indent: 2).map { "  " + $0 }
        }
    }
    let withheld = calibration.withheld
    if !withheld.isEmpty {
        let names = withheld.prefix(5).map { api in
            "\(style.safe(api.api)) (\(api.direction == .up ? "requests" : "responses")): \(api.reason)"
        }
        let more = withheld.count > 5 ? "; and \(withheld.count - 5) more" : ""
        let text = "Warning: no constants of their own are written for " + names.joined(separator: "; ") + more + "."
        lines += wrappedSentence(style.plain(text), width: style.width - 2, indent: 2).map { "  " + $0 }
    }
    return textBuffer([lines], style)
}

private func clauses(_ direction: Direction, _ total: Calibration.Total) -> [String] {
    let side = direction == .up ? "requests" : "responses"
    var texts: [String] = []
    if let constants = total.all.constants {
        var text =
            "\(side), fallback: \(bytes(constants.message.mean)) a call to the message, "
            + "\(bytes(constants.transport.mean)) more to the wire (\(counted(total.all.calls, "call")))"
        if let spread = constants.message.deviation { text += ", APIs spread by \(bytes(spread))" }
        if let setup = total.setup {
            text += "; \(bytes(setup.mean)) for each connection (\(setup.count))"
        }
        texts.append(text)
    }
    if let heldOut = total.all.heldOut {
        texts.append(
            "\(side), \(counted(heldOut.calls, "later call")): error against messages \(chain(heldOut.message)); "
                + "against wire bytes \(chain(heldOut.wire))")
    }
    return texts
}

/// `-4.6 % before, -0.08 % with one constant, +0.001 % with one per API`
private func chain(_ errors: Calibration.HeldOut.Errors) -> String {
    guard errors.truth > 0 else { return "of 0 bytes" }
    let truth = Double(errors.truth)
    return "\(smallPercent(Double(errors.before) / truth)) before, "
        + "\(smallPercent(errors.withFallback / truth)) with the fallback alone, "
        + "\(smallPercent(errors.after / truth)) with one constant per API"
}

/// With as many decimals as two digits take.
func smallPercent(_ share: Double) -> String {
    let value = share * 100
    var (places, size) = (1, abs(value))
    while places < 4, size < 1 {
        size *= 10
        places += 1
    }
    return (value > 0 ? "+" : "") + (decimalText(value, places: places) ?? "?") + " %"
}

private func bytes(_ value: Double) -> String { (value > 0 ? "+" : "") + (decimalText(value, places: 1) ?? "?") + " B" }

private func moment(_ time: Int64) -> String {
    let moment = CalendarTime(nanoseconds: time)
    return "\(moment.date) \(moment.time) UTC"
}

// MARK: Checks

/// What a calibration did to the figures that a check judges, one line for each direction.
public func calibrationLines(_ effect: CalibrationEffect, path: String) -> [String] {
    Direction.allCases.compactMap { direction in
        let side = effect[direction]
        guard side.calls > 0 else { return nil }
        let fallback = side.byFallback == 0 ? "" : ", \(grouped(side.byFallback)) of them by the fallback"
        return "calibrated by \(displayText(path)): \(direction == .up ? "request" : "response") error "
            + "\(change(side.messageBefore, side.messageAfter, of: side.message)) against messages, "
            + "\(change(side.wireBefore, side.wireAfter, of: side.wire)) against wire bytes "
            + "(\(counted(side.calls, "call"))\(fallback))"
    }
}

private func change(_ before: Int, _ after: Int, of truth: Int) -> String {
    guard truth > 0 else { return "of 0 bytes" }
    return "\(smallPercent(Double(before) / Double(truth))) becomes \(smallPercent(Double(after) / Double(truth)))"
}
