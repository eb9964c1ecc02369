import WireStatistics

/// What the reader of a merged report must know, in sentences.
package func mergedInWords(_ merged: MergedSessions) -> [String] {
    var sentences = [
        "merged from \(counted(merged.sessions, "session")); quantiles come from buckets and are at most 1/64 off; "
            + "intervals resample sessions where a row has \(MergedSessions.fewestSessions) or more, else calls"
    ]
    if merged.failedSessions > 0 {
        let (count, verb) = (merged.failedSessions, merged.failedSessions == 1 ? "is" : "are")
        sentences.append("! \(counted(count, "session")) of the fleet could not be audited and \(verb) in no figure")
    }
    if merged.damagedFiles > 0 {
        sentences.append("! \(counted(merged.damagedFiles, "capture file")) damaged: audited up to the damage")
    }
    if merged.doubtedLogs > 0 {
        sentences.append("! \(counted(merged.doubtedLogs, "log")) may be of another session than the capture")
    }
    return sentences
}
