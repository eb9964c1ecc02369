import Platform

/// Signals that would end the process wait until a file that nobody needs is removed again. Of the calling thread; held
/// and released there, for moments.
final class SignalHold {
    private var before = sigset_t()
    private var isHolding = true

    init() {
        var held = sigset_t()
        _ = unsafe sigemptyset(&held)
        for number in endingSignals { _ = unsafe sigaddset(&held, number) }
        _ = unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    }

    deinit { release() }

    /// One of them has come.
    var isWaiting: Bool {
        var pending = sigset_t()
        guard isHolding, unsafe sigpending(&pending) == 0 else { return false }
        return endingSignals.contains { unsafe sigismember(&pending, $0) == 1 }
    }

    /// What came has its effect now.
    func release() {
        guard isHolding else { return }
        isHolding = false
        _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
