/// Why an audit cannot be made at all. What goes wrong later than the first record of a file is no error but a finding:
/// everything before it is reported.
public enum CaptureError: Error, Equatable, Sendable {
    /// The input is missing, may not be read, is a directory, or is named twice.
    case cannotOpen(path: String, reason: String)
    /// The input was opened, and is no capture.
    case notACapture(path: String, reason: String)
    /// The filter expression does not compile.
    case filter(expression: String, reason: String)

    /// For people: what is wrong, where, and what to do about it.
    public var message: String {
        switch self {
        case .cannotOpen(let path, let reason): "cannot open \(Self.display(path)): \(reason)"
        case .notACapture(let path, let reason): "\(Self.display(path)) is not a capture: \(reason)"
        case .filter(let expression, let reason):
            "filter \"\(expression)\": \(reason); see the manual page pcap-filter(7) for the syntax"
        }
    }

    private static func display(_ path: String) -> String {
        path == "-" ? "standard input" : path
    }
}
