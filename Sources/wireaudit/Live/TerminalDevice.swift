import Platform
import WireRecords

/// A terminal's device. It is opened once more, so that reading and writing without waiting does not change what the
/// shell and other programs see: standard input, output and error are one open file with theirs.
final class TerminalDevice {
    /// To be polled for reading.
    let descriptor: Int32
    /// It is a descriptor of ours, and never waits. Else it is the given one.
    private let isOwn: Bool
    /// The terminal was closed, or the line to it broke.
    private(set) var isGone = false

    /// Nil when `given` is no terminal.
    init?(_ given: Int32) {
        guard System.isTerminal(given) else { return nil }
        let opened = Self.open(sameAs: given)
        isOwn = opened != nil
        descriptor = opened ?? given
    }

    deinit {
        if isOwn { _ = System.close(descriptor) }
    }

    /// Nil where the name of the device is not known here (containers) or may not be opened.
    private static func open(sameAs given: Int32) -> Int32? {
        var name = [CChar](repeating: 0, count: 1024)
        let length = name.count
        guard unsafe name.withUnsafeMutableBufferPointer({ unsafe ttyname_r(given, $0.baseAddress!, length) }) == 0
        else { return nil }
        let opened = openDevice(name)
        guard opened >= 0 else { return nil }
        var (first, second) = (stat(), stat())
        guard unsafe fstat(given, &first) == 0 && fstat(opened, &second) == 0, first.st_rdev == second.st_rdev,
            System.isTerminal(opened)
        else {
            _ = System.close(opened)
            return nil
        }
        return opened
    }

    private static func openDevice(_ name: [CChar]) -> Int32 {
        unsafe Platform.open(name, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }

    /// What the terminal says; nil when it does not.
    var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    var isInForeground: Bool { TerminalRestoring.isInForeground(descriptor) }

    // MARK: Modes

    /// Keys come one by one and are not echoed; Ctrl-C, Ctrl-Z and Ctrl-\ still send their signals, Ctrl-S does not
    /// stop the output. Whatever ends the program restores what was before.
    func enterKeyMode() -> Bool {
        var original = termios()
        guard unsafe tcgetattr(descriptor, &original) == 0 else { return false }
        TerminalRestoring.arm(descriptor, original: original)
        return setKeyMode(original)
    }

    /// Once more, after something else may have changed the modes; what is to be restored stays.
    func renewKeyMode() {
        var current = termios()
        if unsafe tcgetattr(descriptor, &current) == 0 { _ = setKeyMode(current) }
    }

    private func setKeyMode(_ base: termios) -> Bool {
        var modes = base
        unsafe cfmakeraw(&modes)
        modes.c_oflag = base.c_oflag
        modes.c_lflag |= tcflag_t(ISIG)
        return unsafe tcsetattr(descriptor, TCSANOW, &modes) == 0
    }

    /// Leaves the alternate screen and gives the modes back.
    func restore() { TerminalRestoring.disarm() }

    // MARK: Bytes

    /// Bytes that are there; none when nothing is.
    func read(limit: Int) -> [UInt8] {
        guard !isGone, isOwn || System.isReadable(descriptor) else { return [] }
        let result = System.readAvailable(descriptor, limit: limit)
        // In the background reading fails too, with the same code as on a closed terminal.
        if result.hasEnded, isInForeground { isGone = true }
        return result.bytes
    }

    /// Writes what the terminal takes until `deadline` (monotonic time): how many of the bytes.
    func write(_ bytes: ArraySlice<UInt8>, until deadline: Int64) -> Int {
        var rest = bytes
        while !rest.isEmpty, !isGone {
            // A descriptor that waits must get no more than surely fits.
            let piece = isOwn ? rest : rest.prefix(256)
            let isReady = isOwn || System.isWritable(descriptor, milliseconds: 0)
            let count = isReady ? System.writeSome(piece, descriptor) : 0
            if let count, count > 0 {
                rest = rest.dropFirst(count)
            } else if count == nil {
                isGone = true
            } else {
                let left = (deadline - System.monotonicTime()) / 1_000_000
                guard left > 0, System.isWritable(descriptor, milliseconds: Int(left)) else { break }
            }
        }
        return bytes.count - rest.count
    }
}
