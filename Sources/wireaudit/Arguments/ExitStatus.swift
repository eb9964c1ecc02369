/// The meaning of each exit status (sysexits.h).
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    /// `check`, `compare`: a bound was exceeded.
    case exceeded = 1
    /// Wrong use of the command line.
    case usage = 64
    /// The input is not a capture or not a log, or is damaged before its first packet.
    case data = 65
    /// An input cannot be opened, or the system cannot read it to its end: what was read is reported.
    case noInput = 66
    /// An interface cannot be captured on now, or the system lacks what is needed.
    case unavailable = 69
    /// The ledger contradicts itself.
    case software = 70
    /// An output cannot be written.
    case output = 74
    /// No permission to capture, or to become another user.
    case permission = 77

    /// A few words for help and manual.
    var meaning: String {
        switch self {
        case .done: "done"
        case .exceeded: "check, compare: a bound is exceeded"
        case .usage: "usage error"
        case .data: "not a capture or log"
        case .noInput: "input cannot be read"
        case .unavailable: "interface not available"
        case .software: "ledger does not balance"
        case .output: "output cannot be written"
        case .permission: "no permission to capture"
        }
    }
}
