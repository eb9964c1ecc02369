import WireAccuracy

/// What the reader of a merged report must know, in sentences.
func mergedInWords(_ merged: MergedSessions) -> [String] {
    var sentences = [
        "merged from \(counted(merged.sessions, "session")); quantiles come from buckets and are at most 1/64 off; "
            + "intervals resample sessions where a row has \(MergedSessions.fewestSessions) or more, else calls"
    ]
    if merged.damagedFiles > 0 {
        sentences.append("! \(counted(merged.damagedFiles, "capture file")) damaged: audited up to the damage")
    }
    if merged.doubtedLogs > 0 {
        sentences.append("! \(counted(merged.doubtedLogs, "log")) may be of another session than the capture")
    }
    return sentences
}
