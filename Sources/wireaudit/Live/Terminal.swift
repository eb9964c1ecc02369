/// The screen of a live audit, and its keys. Made before privileges are dropped: the device may be another user's then.
///
/// Drawing never waits for a slow terminal: what it did not take is sent with the next frame. In the background nothing
/// is drawn or read; back in the foreground the screen appears by itself. Whatever ends the program leaves the terminal
/// as it was.
package final class Terminal {
    /// The most time that one call spends on writing: nanoseconds.
    private static let writingTime: Int64 = 30_000_000
    /// An escape byte without anything after it for so long is the key: nanoseconds.
    private static let escapeTime: Int64 = 100_000_000
    /// Lines are not wrapped; the cursor is hidden.
    private static let entering = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[0m\u{1B}[H\u{1B}[2J"

    private let device: TerminalDevice
    private var frame = TerminalFrame()
    private var keyReader = KeyReader()
    private var lastByteTime: Int64 = 0
    /// Bytes of the last frame that the terminal has not taken.
    private var unsent: ArraySlice<UInt8> = []
    /// The screen is wanted; it may have to wait until this process is in the foreground.
    private var isEntered = false
    /// The terminal is in our modes.
    private var isActive = false
    private var wasInBackground = false

    /// Nil when the descriptor is no terminal, or one that cannot place its cursor. `kind` is the variable TERM.
    package init?(_ descriptor: Int32, kind: String? = System.environment("TERM")) {
        guard let kind, !kind.isEmpty, kind != "dumb", kind != "unknown", let device = TerminalDevice(descriptor)
        else { return nil }
        self.device = device
    }

    deinit { leave() }

    /// Columns and rows now; 80 and 24 when the terminal does not say.
    package var size: (columns: Int, rows: Int) { device.size ?? (80, 24) }

    /// The terminal was closed: nothing can be shown or typed any more.
    package var isGone: Bool { device.isGone }

    /// To be polled for keys; -1 while there can be none.
    package var inputDescriptor: Int32 { isActive && !wasInBackground && !isGone ? device.descriptor : -1 }

    // MARK: The screen

    /// Shows the screen, empty, or as soon as this process is in the foreground.
    package func enter() {
        isEntered = true
        activate()
    }

    /// Gives the terminal back as it was.
    package func leave() {
        isEntered = false
        guard isActive else { return }
        isActive = false
        unsent = []
        device.restore()
    }

    /// After the process was continued: the terminal may be in any state.
    package func renew() {
        guard isEntered, !isGone else { return }
        guard isActive else { return activate() }
        wasInBackground = !device.isInForeground
        guard !wasInBackground else { return }
        device.renewKeyMode()
        show()
    }

    /// Shows these lines, the first at the top; those that do not fit are left out. They hold colours, but no other
    /// control character. At most as wide as the terminal: the rest of a line is not seen.
    package func draw(_ lines: [String]) {
        guard isEntered, !isGone else { return }
        guard device.isInForeground else {
            wasInBackground = true
            return
        }
        if !isActive { activate() } else if wasInBackground { renew() }
        guard isActive, flush() else { return }
        let size = size
        unsent = ArraySlice(frame.update(lines, columns: size.columns, rows: size.rows))
        _ = flush()
    }

    private func activate() {
        guard !isActive, !isGone, device.isInForeground, device.enterKeyMode() else { return }
        isActive = true
        wasInBackground = false
        show()
    }

    private func show() {
        frame.forget()
        unsent = ArraySlice(Self.entering.utf8)
        _ = flush()
    }

    /// True when the terminal has taken everything.
    private func flush() -> Bool {
        guard !unsent.isEmpty else { return true }
        unsent = unsent.dropFirst(device.write(unsent, until: System.monotonicTime() + Self.writingTime))
        return unsent.isEmpty
    }

    // MARK: Keys

    /// Keys that were pressed since the last call. Does not wait.
    package func readKeys() -> [Key] {
        guard isActive, !isGone, device.isInForeground else { return [] }
        let bytes = device.read(limit: 1024)
        let now = System.monotonicTime()
        if !bytes.isEmpty {
            lastByteTime = now
            return keyReader.read(bytes)
        }
        return keyReader.isWaiting && now - lastByteTime >= Self.escapeTime ? keyReader.endWait() : []
    }

    /// Milliseconds after which `readKeys` should be called even when nothing came; `Int.max` when it need not.
    package var longestWait: Int {
        guard isActive, keyReader.isWaiting else { return .max }
        return max(0, Int((lastByteTime + Self.escapeTime - System.monotonicTime()) / 1_000_000) + 1)
    }
}
