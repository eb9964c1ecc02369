import Platform
import Synchronization

/// What is put in order when a signal ends the program: the unfinished result is removed, the progress line erased, and
/// processes that it started are ended with it.
///
/// The handler makes async-signal-safe calls only, on memory that was made before. After it the signal has its usual
/// effect, so whoever waits for the program sees what ended it.
package enum SuddenEnd {
    /// From inside: a trap, no memory left, an abort.
    private static let faultSignals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// Path of the unfinished result; nil when there is none. There is one at a time.
    nonisolated(unsafe) private static let unfinished = unsafe Atomic<UnsafeMutablePointer<CChar>?>(nil)
    private static let hasProgressLine = Atomic<Bool>(false)
    /// Captures come through a pipe, and were not interrupted yet.
    private static let readsPipe = Atomic<Bool>(false)
    /// Processes that this one started and that run; 0 in free places.
    nonisolated(unsafe) private static let children = unsafe makeChildren()
    /// So many processes can be ended with this one.
    static let mostChildren = 1024
    /// The actions that were replaced, by signal number.
    nonisolated(unsafe) private static let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    private static let erasing: StaticString = "\r\u{1B}[K"
    private static let waiting: StaticString =
        "wireaudit: interrupted: the report follows when the input ends (Ctrl-C again: no report)\n"
    private static let fault: StaticString = "wireaudit: ended by a fault: no memory left, or an error in the program\n"

    /// From now on signals are handled. Those that this process was told to ignore, as `nohup` does, stay so.
    static func watch() {
        // Makes the globals, so that the handler finds them.
        _ = unsafe (unfinished.load(ordering: .relaxed), hasProgressLine.load(ordering: .relaxed))
        _ = unsafe (actions, children, readsPipe.load(ordering: .relaxed), erasing, waiting, fault)
        for number in endingSignals + faultSignals {
            guard let old = SignalAction.current(number), !SignalAction.isIgnored(old) else { continue }
            unsafe actions[Int(number)] = old
            // A stack that overflowed needs another one, where there is one.
            SignalAction.set(number, handle, flags: Int32(SA_ONSTACK | SA_RESTART))
        }
    }

    /// The file of this name is made by `create`, and removed when the program ends before `forget`.
    static func remember(_ path: String, create: () -> Int32) -> Int32 {
        withSignalsBlocked { _ in
            let result = create()
            if result >= 0 {
                unsafe free(unfinished.exchange(strdup(systemName(path)), ordering: .sequentiallyConsistent))
            }
            return result
        }
    }

    /// Runs `body` without interruption by signals to this thread; those that come wait until it returns. Faults are handled at
    /// once: the system ends a process that blocks them.
    /// - Parameter body: takes the mask of signals that this thread has otherwise.
    private static func withSignalsBlocked<Result>(_ body: (sigset_t) -> Result) -> Result {
        var (blocked, before) = (sigset_t(), sigset_t())
        _ = unsafe sigfillset(&blocked)
        for number in faultSignals { _ = unsafe sigdelset(&blocked, number) }
        _ = unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body(before)
    }

    /// The result is whole, or removed.
    static func forget() {
        unsafe free(unfinished.exchange(nil, ordering: .sequentiallyConsistent))
    }

    /// Removes the unfinished result. Async-signal-safe.
    static func removeUnfinished() {
        guard let path = unsafe unfinished.exchange(nil, ordering: .sequentiallyConsistent) else { return }
        _ = unsafe unlink(path)
    }

    private static func makeChildren() -> UnsafeMutablePointer<Atomic<Int32>> {
        let places = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: mostChildren)
        for place in 0..<mostChildren { unsafe (places + place).initialize(to: Atomic(0)) }
        return unsafe places
    }

    /// The process that `start` makes is ended together with this one. Call it where no other thread takes signals: between
    /// start and entry a signal has to wait, or the new process would outlive this one.
    /// - Parameter start: takes the mask of signals that the process shall have, and gives the process or a negative error code.
    static func startChild(_ start: (sigset_t) -> Int32) -> Int32 {
        // Who started this process may ignore ends of processes: then nobody could wait for one.
        SignalAction.set(SIGCHLD, nil, flags: 0)
        return withSignalsBlocked { mask in
            let process = start(mask)
            if process > 0 { replaceChild(0, by: process) }
            return process
        }
    }

    /// Takes note of the end of a process that was started; nil without any.
    ///
    /// A process keeps its number until it is taken note of, and a signal has to wait meanwhile: the number may be another
    /// process's at once.
    static func awaitChild() -> (process: Int32, end: System.ProcessEnd)? {
        guard System.waitUntilAnyProcessEnds() else { return nil }
        return withSignalsBlocked { _ in
            guard let ended = System.takeEndedProcess() else { return nil }
            replaceChild(ended.process, by: 0)
            return ended
        }
    }

    private static func replaceChild(_ old: Int32, by new: Int32) {
        for place in 0..<mostChildren {
            let change = unsafe children[place].compareExchange(expected: old, desired: new, ordering: .relaxed)
            if change.exchanged { return }
        }
    }

    /// Async-signal-safe. With a signal that this process takes, and so do they: what it was told to ignore, they ignore, too.
    private static func endChildren(_ number: Int32) {
        for place in 0..<mostChildren {
            let process = unsafe children[place].load(ordering: .relaxed)
            if process > 0 { _ = kill(process, number) }
        }
    }

    static func noteProgressLine(_ isShown: Bool) { hasProgressLine.store(isShown, ordering: .relaxed) }

    /// Ctrl-C reaches both ends of a pipe. The program that captures ends, and its packets are reported.
    static func noteInputPipe(_ isRead: Bool) { readsPipe.store(isRead, ordering: .relaxed) }

    private static let handle: SignalAction.Handler = { number in
        let savedError = errno
        if number == SIGINT, readsPipe.exchange(false, ordering: .relaxed) {
            if hasProgressLine.exchange(false, ordering: .relaxed) { say(erasing) }
            say(waiting)
            errno = savedError
            return
        }
        endChildren(isFault(number) ? SIGTERM : number)
        removeUnfinished()
        if hasProgressLine.exchange(false, ordering: .relaxed) { say(erasing) }
        if isFault(number) { say(fault) }
        unsafe SignalAction.set(number, actions[Int(number)])
        // Waits until this handler returns; then it has its usual effect.
        _ = raise(number)
        errno = savedError
    }

    private static func isFault(_ number: Int32) -> Bool {
        switch number {
        case SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV: true
        default: false
        }
    }

    private static func say(_ text: StaticString) {
        _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
