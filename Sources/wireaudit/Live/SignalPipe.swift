import Platform
import Synchronization

/// What the system tells this process by a signal.
package enum LiveSignal: Equatable, Sendable {
    /// SIGINT: a person wants the end.
    case interrupt
    /// SIGTERM, SIGQUIT.
    case terminate
    /// SIGHUP: the terminal is gone.
    case hangUp
    /// SIGWINCH: the terminal may have another size.
    case resize
    /// SIGTSTP: to be stopped, see `SignalPipe.suspend`.
    case suspend
    /// SIGCONT: goes on after a stop.
    case proceed
}

/// Signals as bytes of a pipe, so that one wait covers them, packets and keys. There is one at a time.
///
/// The first SIGINT, SIGTERM or SIGQUIT is only told; the next one ends the process at once, with the terminal restored. What
/// comes within half a second of the first is the same wish: `timeout` and `sudo` may send theirs twice.
package final class SignalPipe {
    private static let signals: [(number: Int32, meaning: LiveSignal)] = [
        (SIGINT, .interrupt), (SIGTERM, .terminate), (SIGQUIT, .terminate), (SIGHUP, .hangUp), (SIGWINCH, .resize),
        (SIGTSTP, .suspend),
        (SIGCONT, .proceed),
    ]

    /// To be polled for reading.
    package let descriptor: Int32
    private let writeEnd: Int32
    private var previous: [(number: Int32, action: sigaction)] = []

    /// Nil when the system has no descriptor left.
    package init?() {
        var ends: [Int32] = [-1, -1]
        let result = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
        guard result == 0 else { return nil }
        (descriptor, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        // Also makes the globals that the handler reads, before it can run.
        SignalState.firstEnd.store(0, ordering: .relaxed)
        SignalState.pipe.store(writeEnd, ordering: .sequentiallyConsistent)
        TerminalRestoring.prepare()
        for (number, _) in Self.signals {
            // Without a controlling shell these are ignored, and nohup wants hang-ups ignored.
            guard let old = SignalAction.current(number),
                !((number == SIGHUP || number == SIGTSTP) && SignalAction.isIgnored(old))
            else { continue }
            previous.append((number, old))
            SignalAction.set(number, noteSignal, flags: Int32(SA_RESTART))
        }
    }

    deinit {
        for (number, action) in previous { SignalAction.set(number, action) }
        SignalState.pipe.store(-1, ordering: .sequentiallyConsistent)
        _ = System.close(writeEnd)
        _ = System.close(descriptor)
    }

    /// Signals since the last call, in their order; those of one kind that came together are one.
    package func take() -> [LiveSignal] {
        var found: [LiveSignal] = []
        for byte in System.readAvailable(descriptor, limit: 4096).bytes {
            guard let signal = Self.signals.first(where: { $0.number == Int32(byte) }) else { continue }
            if found.last != signal.meaning { found.append(signal.meaning) }
        }
        return found
    }

    /// Stops this process, as the shell's user wants after Ctrl-Z. Returns when it is continued; `proceed` follows.
    package func suspend() {
        SignalAction.set(SIGTSTP, SIG_DFL, flags: 0)
        _ = raise(SIGTSTP)
        SignalAction.set(SIGTSTP, noteSignal, flags: Int32(SA_RESTART))
    }
}

/// What the handler needs; nothing but lock-free numbers.
private enum SignalState {
    /// End of the pipe to write to; -1 when there is none.
    static let pipe = Atomic<Int32>(-1)
    /// Monotonic time of the first SIGINT or SIGTERM, nanoseconds; 0 before.
    static let firstEnd = Atomic<Int64>(0)
    static let samePressTime: Int64 = 500_000_000

    /// It is a second wish to end, not the first one told twice.
    static func isRepeated() -> Bool {
        let now = max(System.monotonicTime(), 1)
        let (isFirst, first) = firstEnd.compareExchange(expected: 0, desired: now, ordering: .relaxed)
        return !isFirst && now - first > samePressTime
    }
}

/// Async-signal-safe: it calls `clock_gettime`, `write` and what restores the terminal, and allocates nothing.
private func noteSignal(_ number: Int32) {
    let savedError = errno
    if number == SIGINT || number == SIGTERM || number == SIGQUIT, SignalState.isRepeated() {
        TerminalRestoring.restore()
        SuddenEnd.removeUnfinished()
        SignalAction.set(number, SIG_DFL, flags: 0)
        // Waits until this handler returns, and ends the process then.
        _ = raise(number)
    } else {
        var byte = UInt8(truncatingIfNeeded: number)
        // A full pipe holds thousands of signals that were not taken: another one changes nothing.
        _ = unsafe write(SignalState.pipe.load(ordering: .relaxed), &byte, 1)
    }
    errno = savedError
}
