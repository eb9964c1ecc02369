/// How far an audit is.
public struct AuditProgress: Sendable {
    /// Bytes read from the files, as they lie there (compressed).
    public var bytesRead: Int
    /// Sizes of all files; nil when one is a pipe or standard input.
    public var totalBytes: Int?
    /// Frames read, those that a filter left out included.
    public var packets: Int

    public init(bytesRead: Int, totalBytes: Int?, packets: Int) {
        self.bytesRead = bytesRead
        self.totalBytes = totalBytes
        self.packets = packets
    }
}
