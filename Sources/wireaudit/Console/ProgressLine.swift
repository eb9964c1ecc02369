import WireCapture
import WireRecords
import WireReport

/// One line on standard error that tells how far long work is: from the first 0.3 s on, ten times a second at most, and
/// gone at the end.
final class ProgressLine {
    private static let firstDelay: Int64 = 300_000_000
    private static let interval: Int64 = 100_000_000

    private let isEnabled: Bool
    private var isShown = false
    private var next: Int64

    init(isEnabled: Bool) {
        self.isEnabled = isEnabled && System.isTerminal(Console.standardError)
        next = System.monotonicTime() + Self.firstDelay
    }

    func update(_ progress: AuditProgress) {
        show {
            progressText(bytesRead: progress.bytesRead, totalBytes: progress.totalBytes, packets: progress.packets)
        }
    }

    /// Shows a text, if it is time.
    func show(_ text: () -> String) {
        guard isEnabled else { return }
        let now = System.monotonicTime()
        guard now >= next else { return }
        next = now + Self.interval
        isShown = true
        SuddenEnd.noteProgressLine(true)
        write("\r" + text() + "\u{1B}[K")
    }

    func erase() {
        guard isShown else { return }
        isShown = false
        SuddenEnd.noteProgressLine(false)
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        _ = System.write(Array(text.utf8).span, to: Console.standardError)
    }
}
