/// When a capture goes on in a new file, and how many files are kept.
public struct CaptureRotation: Sendable, Equatable {
    /// A file holds at most so many bytes, unless a single packet, or the keys that came at one time, need more. A few
    /// packets more it holds where their times go back: no file is to begin before the end of the one before it.
    public var maximumBytes: Int?
    /// A file holds no packet that came so many nanoseconds after its first one.
    public var maximumDuration: Int64?
    /// Only so many files are kept: with a new one the oldest of this run goes. nil: all are kept.
    public var fileCount: Int?

    /// Smaller files would hold little else than what every file begins with.
    package static let smallestFile = 4096

    public init(maximumBytes: Int? = nil, maximumDuration: Int64? = nil, fileCount: Int? = nil) {
        self.maximumBytes = maximumBytes
        self.maximumDuration = maximumDuration
        self.fileCount = fileCount
    }
}
