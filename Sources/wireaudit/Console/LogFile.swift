import WireCapture
import WireLogs

/// A text or database file beside the captures, such as an SDK's log, read from front to back and decompressed when it
/// is gzip or zstd, whatever its name is.
package final class LogFile: LogByteSource {
    private static let pieceSize = 256 << 10

    package let path: String
    /// Why the file cannot be opened, in one clause; nil when it can, or was not tried.
    package private(set) var openingFault: String?
    /// Why its bytes end before the file should, in one clause; nil while they do not.
    package private(set) var fault: String?
    /// The system could not read on: that fault is not the file's own.
    package private(set) var hasReadingFault = false
    private var source: CaptureSource?
    private var isOpened = false
    private var hasEnded = false

    /// Takes standard input for "-". The file is opened when its first bytes are asked for.
    package init(path: String) {
        self.path = path
    }

    /// The next bytes; nil at the end, and where reading has to end (`openingFault`, `fault`).
    package func next() -> [UInt8]? {
        if !isOpened { open() }
        guard let source, !hasEnded else { return nil }
        var piece = [UInt8](repeating: 0, count: LogFile.pieceSize)
        switch source.read(into: &piece, 0..<piece.count) {
        case .bytes(let count):
            piece.removeLast(piece.count - count)
            return piece
        case .end: break
        case .broken(let fault):
            self.fault = fault.reason
            if case .system = fault { hasReadingFault = true }
        }
        hasEnded = true
        source.close()
        return nil
    }

    private func open() {
        isOpened = true
        guard path == "-" || InputFile.kind(of: path) != .directory else {
            openingFault = "it is a directory; name a file"
            return
        }
        do throws(CaptureError) {
            source = try CaptureSource(path: path)
        } catch .cannotOpen(_, let reason) {
            openingFault = reason
        } catch {
            openingFault = error.message
        }
    }
}
