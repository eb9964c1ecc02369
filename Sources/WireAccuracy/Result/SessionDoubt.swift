import WireJoin

/// The clocks of log and capture differ by more than those of devices that ask a time server do. Another run of the same
/// test has the same calls, with the same sizes: rows of another session find exchanges as those of the same one do.
public struct SessionDoubt: Sendable, Equatable {
    /// How far the log's clock is ahead of the capture's, nanoseconds.
    public var clockOffset: Int64
    /// Different sizes of messages on which log and capture agree to the byte, the log's formula taken into account.
    public var agreeingSizes: Int

    /// The largest offset that clocks of one session are expected to have, nanoseconds.
    static let plausibleOffset: UInt64 = 8_000_000_000
    /// So many rows with the capture's own port numbers of the client cannot be of another session.
    private static let leastPorts = 3

    /// - Parameter ports: different port numbers of the client on which matched rows and exchanges agree.
    /// - Returns: nil where the clocks are near enough, or the ports prove the session.
    package init?(_ clock: ClockFit, agreeingSizes: Int, ports: Int) {
        guard clock.pairs > 0, clock.offset.magnitude > SessionDoubt.plausibleOffset, ports < SessionDoubt.leastPorts
        else { return nil }
        clockOffset = clock.offset
        self.agreeingSizes = agreeingSizes
    }

    public init(clockOffset: Int64, agreeingSizes: Int) {
        self.clockOffset = clockOffset
        self.agreeingSizes = agreeingSizes
    }
}
