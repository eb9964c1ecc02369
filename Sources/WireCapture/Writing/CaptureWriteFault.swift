/// Why a capture is not written, or not written on.
public struct CaptureWriteFault: Error, Sendable, Equatable {
    /// The file in question; "-" is standard output.
    public var path: String
    /// One clause, in the system's words where it has any.
    public var reason: String
    /// What stands in the files of this capture all the same; those that were deleted again are counted too.
    public var packetsWritten = 0
    public var bytesWritten = 0

    public init(path: String, reason: String, packetsWritten: Int = 0, bytesWritten: Int = 0) {
        self.path = path
        self.reason = reason
        self.packetsWritten = packetsWritten
        self.bytesWritten = bytesWritten
    }

    /// For people: what is wrong, where, and what was written before.
    public var message: String {
        let name = path == "-" ? "standard output" : path
        guard bytesWritten > 0 else { return "cannot write \(name): \(reason)" }
        let packets = packetsWritten == 1 ? "1 packet was" : "\(packetsWritten) packets were"
        return "cannot continue writing \(name): \(reason); \(packets) written, later packets were not"
    }
}
