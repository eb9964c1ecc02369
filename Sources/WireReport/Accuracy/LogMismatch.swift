import WireAccuracy
import WireRecords

/// Why a log and a capture have nothing in common: what the log lacks then says nothing about the SDK.
enum LogMismatch {
    /// Every row of a host of the capture lies before or after it.
    case otherTime
    /// No row has a host of the capture.
    case otherHosts

    /// With the log's name as the subject before it.
    var predicate: String {
        switch self {
        case .otherTime: "covers a different time than the capture"
        case .otherHosts: "has no row for any host of this capture"
        }
    }

    var sentence: String { "the log " + predicate }
}

extension LogSummary {
    /// Nil where the log and the capture can be compared.
    var mismatch: LogMismatch? {
        guard matched == 0, ambiguous == 0, notSelected == 0, hostTotal == 0, withoutExchange == 0, tlsFailed == 0
        else { return nil }
        if outsideCapture > 0 { return .otherTime }
        return foreignHost > 0 ? .otherHosts : nil
    }
}

extension AccuracyResult {
    /// By source, of the logs that have nothing in common with the capture.
    var mismatches: [Int: LogMismatch] {
        Dictionary(logs.compactMap { log in log.mismatch.map { (log.source, $0) } }) { first, _ in first }
    }
}

/// A warning that the log may be of another session, with what log and capture agree on. Nil where nothing says so.
func sessionDoubtInWords(_ log: LogSummary) -> String? {
    guard let doubt = log.sessionDoubt else { return nil }
    var text = "clock differs by \(offsetInWords(doubt.clockOffset.magnitude)); check that log and capture are from "
    text += "the same session: another run of the same test makes the same calls"
    if log.comparedFigures > 0 {
        text += " (\(grouped(log.explainedFigures)) of \(counted(log.comparedFigures, "figure")) agree to the byte, "
        text += "\(counted(doubt.agreeingSizes, "different size")))"
    }
    return text
}
