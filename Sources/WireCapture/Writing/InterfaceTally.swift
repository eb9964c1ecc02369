import WireCore

/// What is to be said of one interface at the end of a file: what was counted since the file's start.
///
/// A file's drops are those that its packets tell of (`CaptureFrame.droppedBefore`); the last file takes all that no
/// packet told of. So the files of a capture add up to the system's counts.
struct InterfaceTally {
    /// In this file.
    private(set) var packets = 0
    private var dropped = 0
    /// The system's counts of the whole capture, as they were told last.
    private var latest: CaptureInterfaceSummary?
    /// What earlier files said.
    private var reportedReceived = 0
    private var reportedByKernel = 0
    private var reportedByInterface = 0

    @inline(__always)
    mutating func count(droppedBefore: Int) {
        packets &+= 1
        if droppedBefore > 0 { dropped = Self.sum(dropped, droppedBefore) }
    }

    mutating func note(_ summary: CaptureInterfaceSummary) {
        latest = summary
    }

    /// Ends a file.
    mutating func take(from start: Int64, to end: Int64, isLast: Bool) -> CaptureBlocks.Statistics {
        var total = dropped
        var byKernel = dropped
        var accepted: Int?
        if let latest {
            if isLast {
                let known = Self.sum(latest.droppedByKernel, latest.droppedByInterface)
                total = max(total, known - Self.sum(reportedByKernel, reportedByInterface))
            }
            byKernel = min(total, max(0, latest.droppedByKernel - reportedByKernel))
            if let received = latest.received {
                accepted = max(0, received - reportedReceived)
                reportedReceived = max(received, reportedReceived)
            }
        }
        reportedByKernel = Self.sum(reportedByKernel, byKernel)
        reportedByInterface = Self.sum(reportedByInterface, total - byKernel)
        defer { (packets, dropped) = (0, 0) }
        return CaptureBlocks.Statistics(
            start: start, end: end, accepted: accepted, delivered: packets, droppedByInterface: total - byKernel,
            droppedByKernel: byKernel, fault: latest?.fault)
    }

    private static func sum(_ one: Int, _ other: Int) -> Int {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
