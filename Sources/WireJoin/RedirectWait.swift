/// How long a client may wait between a redirection and the request that follows it.
package enum RedirectWait {
    /// As long as a client may take to open a connection, nanoseconds.
    private static let connectTime: Int64 = 1_000_000_000

    /// How long behind a redirection a request may come and still be the one that follows it, where another request for its
    /// target came `usual` nanoseconds behind it: where connections are scarce, requests wait for one, and not in the order in
    /// which the app made them.
    package static func longest(usual: Int64) -> Int64 { max(connectTime, usual < .max / 4 ? 4 * usual : .max) }
}
