/// How a log records calls that were redirected.
public enum RedirectConvention: String, Sendable, CaseIterable {
    /// A row for each hop, with its own URL.
    case hops
    /// A row for each hop; that of the last response has the first URL.
    case firstURLOnLast = "first-url-on-last"
    /// A row for the call: the first URL with the last response.
    case task
}
