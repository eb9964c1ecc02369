import Platform

/// Actions of signals; the structure differs between systems.
enum SignalAction {
    typealias Handler = @convention(c) (Int32) -> Void

    static func current(_ number: Int32) -> sigaction? {
        var action = sigaction()
        return unsafe sigaction(number, nil, &action) == 0 ? action : nil
    }

    static func set(_ number: Int32, _ action: sigaction) {
        var action = action
        _ = unsafe sigaction(number, &action, nil)
    }

    static func set(_ number: Int32, _ handler: Handler?, flags: Int32) {
        var action = sigaction()
        action.handler = handler
        action.sa_flags = flags
        _ = unsafe sigemptyset(&action.sa_mask)
        set(number, action)
    }

    static func isIgnored(_ action: sigaction) -> Bool {
        unsafe unsafeBitCast(action.handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
