import WireAccuracy
import WireCapture

/// A log's bytes come from a file as captures do, decompressed.
extension LogFile: LogByteSource {}
