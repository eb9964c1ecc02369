/// Signals that come from outside and end a program that does not handle them: somebody wants the end, or a limit of the
/// system is reached.
package let endingSignals: [Int32] = {
    var signals = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGSYS,
    ]
    // Darwin has no others that end a program.
    #if !canImport(Darwin)
        signals += [SIGPOLL, SIGPWR, SIGSTKFLT]
        signals += __libc_current_sigrtmin()...__libc_current_sigrtmax()
    #endif
    return signals
}()
