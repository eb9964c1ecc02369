/// How far an audit is, as one short line: `37 % of 1.40 GB, 1,234,567 packets`.
public func progressText(bytesRead: Int, totalBytes: Int?, packets: Int) -> String {
    let counted = counted(packets, "packet")
    guard let totalBytes, totalBytes > 0, bytesRead >= 0 else {
        return "\(size(bytesRead)), \(counted)"
    }
    let share = bytesRead >= totalBytes ? 100 : bytesRead / max(totalBytes / 100, 1)
    return "\(min(share, 100)) % of \(size(totalBytes)), \(counted)"
}

/// What a run took, for `--verbose`. Times are nanoseconds.
public func runSummary(packets: Int, bytes: Int, wall: Int64, processor: Int64) -> String {
    "\(counted(packets, "packet")) of \(size(bytes)) in \(durationInWords(wall.magnitude)), "
        + "processor time \(durationInWords(processor.magnitude))"
}

private func size(_ bytes: Int) -> String { sizeInWords(bytes) ?? counted(bytes, "byte") }
