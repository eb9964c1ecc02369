import WireAccuracy
import WireRecords

extension LogMismatch {
    /// With the log's name as the subject before it.
    var predicate: String {
        switch self {
        case .otherTime: "covers a different time than the capture"
        case .otherHosts: "has no row for any host of this capture"
        }
    }

    var sentence: String { "the log " + predicate }
}

extension AccuracyResult {
    /// By source, of the logs that have nothing in common with the capture.
    var mismatches: [Int: LogMismatch] {
        Dictionary(logs.compactMap { log in log.mismatch.map { (log.source, $0) } }) { first, _ in first }
    }
}

extension SessionDoubt {
    /// That the log may be of another session.
    var words: String {
        "clock differs by \(offsetInWords(clockOffset.magnitude)); check that log and capture are from the same session: "
            + "another run of the same test makes the same calls"
    }
}

/// A warning that the log may be of another session, with what log and capture agree on. Nil where nothing says so.
func sessionDoubtInWords(_ log: LogSummary) -> String? {
    guard let doubt = log.sessionDoubt else { return nil }
    guard log.comparedFigures > 0 else { return doubt.words }
    return doubt.words
        + " (\(grouped(log.explainedFigures)) of \(counted(log.comparedFigures, "figure")) agree to the byte, "
        + "\(counted(doubt.agreeingSizes, "different size")))"
}
