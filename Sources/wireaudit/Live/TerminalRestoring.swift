import Platform
import Synchronization

/// Gives the terminal back as it was, wherever the program ends: at `exit`, in a handler of a signal, after a trap.
///
/// Only async-signal-safe calls are made in `restore`, on memory that was made before.
enum TerminalRestoring {
    /// The terminal to restore; -1 when there is nothing to do.
    private static let descriptor = Atomic<Int32>(-1)
    nonisolated(unsafe) private static let modes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The actions that the handler of crashes replaced, by signal number.
    nonisolated(unsafe) private static let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
    private static let isRegistered = Atomic<Bool>(false)

    /// Ends a synchronised update, colours, the alternate screen; lines wrap, the cursor is seen. Its first byte ends
    /// any sequence that was cut.
    private static let leaving: StaticString = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    /// Milliseconds that a terminal gets to take that in: when the program leaves in peace, and at a sudden end.
    private static let patience: Int32 = 5000
    private static let shortPatience: Int32 = 500

    /// Ends the process without the program having its say: traps, aborts, Ctrl-\.
    private static let fatalSignals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// Makes the globals, so that a handler finds them.
    static func prepare() {
        _ = descriptor.load(ordering: .relaxed)
        _ = unsafe modes
        _ = unsafe actions
        _ = leaving
    }

    /// From now on `original` is what is restored.
    static func arm(_ terminal: Int32, original: termios) {
        prepare()
        unsafe modes.pointee = original
        if !isRegistered.exchange(true, ordering: .relaxed) { atexit(restoreAtExit) }
        if descriptor.exchange(terminal, ordering: .sequentiallyConsistent) < 0 { catchFatalSignals() }
    }

    /// Restores it once; whoever comes second does nothing.
    static func restore() { restore(patience: shortPatience) }

    private static func restore(patience: Int32) {
        let terminal = descriptor.exchange(-1, ordering: .sequentiallyConsistent)
        guard terminal >= 0 else { return }
        // In the background the modes belong to the shell, and setting them would stop this process.
        if isInForeground(terminal) { _ = unsafe tcsetattr(terminal, TCSANOW, modes) }
        // Last, as a second signal may end the wait for a terminal that takes nothing.
        writeLeaving(terminal, patience)
    }

    /// As `restore`, and what the system does at fatal signals is as it was before.
    static func disarm() {
        let isArmed = descriptor.load(ordering: .relaxed) >= 0
        restore(patience: patience)
        guard isArmed else { return }
        for number in fatalSignals { unsafe SignalAction.set(number, actions[Int(number)]) }
    }

    /// This process may use the terminal. A terminal that does not control this session knows no background.
    static func isInForeground(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        return group < 0 || group == getpgrp()
    }

    /// The descriptor may be one that waits: it is asked first.
    private static func writeLeaving(_ terminal: Int32, _ patience: Int32) {
        var written = 0
        while written < leaving.utf8CodeUnitCount {
            var entry = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
            let ready = unsafe poll(&entry, 1, patience)
            if ready < 0, errno == EINTR { continue }
            guard ready == 1, entry.revents & Int16(POLLOUT) != 0 else { return }
            let count = unsafe write(
                terminal, leaving.utf8Start + written, leaving.utf8CodeUnitCount - written)
            if count > 0 { written += count } else if errno != EINTR, errno != EAGAIN { return }
        }
    }

    private static func catchFatalSignals() {
        for number in fatalSignals {
            guard let old = SignalAction.current(number) else { continue }
            unsafe actions[Int(number)] = old
            guard !SignalAction.isIgnored(old) else { continue }
            // A stack that overflowed needs another one, where there is one.
            SignalAction.set(number, handleFatal, flags: Int32(SA_ONSTACK))
        }
    }

    private static let handleFatal: SignalAction.Handler = { number in
        restore()
        unsafe SignalAction.set(number, actions[Int(number)])
        // Waits until this handler returns; then it has its usual effect.
        _ = raise(number)
    }
}

private func restoreAtExit() { TerminalRestoring.restore() }
