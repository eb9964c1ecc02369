import WireCore

/// How far an audit is, as one short line: `37 % of 1.40 GB, 1,234,567 packets`.
public func progressText(bytesRead: Int, totalBytes: Int?, packets: Int) -> String {
    let counted = counted(packets, "packet")
    guard let totalBytes, totalBytes > 0, bytesRead >= 0 else {
        return "\(size(bytesRead)), \(counted)"
    }
    let share = bytesRead >= totalBytes ? 100 : bytesRead / max(totalBytes / 100, 1)
    return "\(min(share, 100)) % of \(size(totalBytes)), \(counted)"
}

/// How far a live capture is: `12.3 s, 1,234 packets of 1.40 MB, none lost`.
public func liveProgressText(elapsed: Int64, packets: Int, bytes: Int, dropped: Int) -> String {
    let lost = dropped > 0 ? "\(grouped(dropped)) lost" : "none lost"
    return "\(durationInWords(UInt64(max(elapsed, 0)))), \(counted(packets, "packet")) of \(size(bytes)), \(lost)"
}

/// What interfaces of a live capture lost so far, and what to do about it.
public func lossText(_ interfaces: [CaptureInterfaceSummary]) -> String {
    let kernel = interfaces.reduce(0) { $0 + $1.droppedByKernel }
    let device = interfaces.reduce(0) { $0 + $1.droppedByInterface }
    let places = [
        kernel > 0 ? "\(grouped(kernel)) because the buffer was full" : "",
        device > 0 ? "\(grouped(device)) by the interface" : "",
    ]
    let remedy = kernel > 0 ? "; a larger --buffer or a narrower --filter loses fewer" : ""
    let lost = places.filter { !$0.isEmpty }.joined(separator: ", ")
    return "\(counted(kernel + device, "packet")) lost: " + lost + remedy
}

/// Where the packets of a live capture were written to.
public func evidenceText(packets: Int, path: String, files: Int, deleted: Int) -> String {
    let place = path == "-" ? "standard output" : path
    let written = "\(counted(packets, "packet")) written to "
    guard files > 1 else { return written + place }
    let gone = deleted > 0 ? ", \(grouped(deleted)) of them deleted since" : ""
    return written + "\(counted(files, "file"))\(gone); the last is \(place)"
}

/// What a run took, for `--verbose`. Times are nanoseconds.
public func runSummary(packets: Int, bytes: Int, wall: Int64, processor: Int64) -> String {
    "\(counted(packets, "packet")) of \(size(bytes)) in \(durationInWords(wall.magnitude)), "
        + "processor time \(durationInWords(processor.magnitude))"
}

private func size(_ bytes: Int) -> String { sizeInWords(bytes) ?? counted(bytes, "byte") }
