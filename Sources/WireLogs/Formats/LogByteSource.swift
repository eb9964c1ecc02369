/// The bytes of a log file, decompressed. The command line reads them from a file.
public protocol LogByteSource: AnyObject {
    /// The next bytes; nil at the end, and where reading has to end.
    func next() -> [UInt8]?
    /// Why the file cannot be opened, in one clause; nil when it can.
    var openingFault: String? { get }
    /// Why its bytes end before the file should, in one clause; nil while they do not.
    var fault: String? { get }
    /// The system could not read on: the fault is not the log's own.
    var hasReadingFault: Bool { get }
}

/// Bytes of a log whose beginning was looked at and is read again.
final class LogBytes {
    /// So much is looked at to recognise a log, bytes.
    static let windowSize = 1 << 20

    let source: any LogByteSource
    private(set) var window: [UInt8] = []
    /// The window is the whole log.
    private(set) var isWhole = false
    private var isWindowGiven = false

    init(_ source: any LogByteSource) {
        self.source = source
        while window.count < LogBytes.windowSize {
            guard let piece = source.next() else {
                isWhole = true
                return
            }
            window += piece
        }
    }

    /// The next bytes from the beginning of the log.
    func next() -> [UInt8]? {
        guard isWindowGiven else {
            isWindowGiven = true
            let first = window
            window = []
            return first
        }
        return isWhole ? nil : source.next()
    }
}
