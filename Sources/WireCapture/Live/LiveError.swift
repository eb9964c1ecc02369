import Platform

/// Why a live capture cannot begin. What goes wrong later is no error: the interface ends with a fault, and what came
/// before is reported.
public enum LiveError: Error, Equatable, Sendable {
    /// There is no interface of this name; `known` are those there are.
    case noInterface(name: String, known: [String])
    /// The system does not let this user capture; `remedy` is the command that changes that.
    case noPermission(interface: String, reason: String, remedy: String)
    case notUp(interface: String)
    /// The expression does not compile; `reason` are the library's words.
    case filter(expression: String, reason: String)
    /// Anything else, in the library's words.
    case cannotCapture(interface: String, reason: String)

    /// For people, in one line: what is wrong, where, and what to do about it.
    public var message: String { message(nearest: nil) }

    /// The same with the interface that the user may have meant, where its name was wrong.
    public func message(nearest: String?) -> String {
        switch self {
        case .noInterface(let name, _):
            let hint = nearest.map { "did you mean \($0)? " } ?? ""
            return "no interface is named \"\(name)\"; \(hint)'wireaudit interfaces' lists them"
        case .noPermission(let interface, let reason, let remedy):
            return "no permission to capture on \(interface): \(reason); to get it: \(remedy)"
        case .notUp(let interface):
            return "\(interface) is down; '\(interfaceStartCommand(interface))' starts it"
        case .filter(let expression, let reason):
            return "filter \"\(expression)\": \(reason); see the manual page pcap-filter(7) for the syntax"
        case .cannotCapture(let interface, let reason):
            return "cannot capture on \(interface): \(reason)"
        }
    }
}
