/// The error of all calls in one direction, estimated from a sample of them.
public struct SampledError: Sendable, Equatable {
    /// Calls of the capture, and their message bytes.
    public var calls: Int
    public var bytes: Int
    /// Calls of them that the log has a figure for.
    public var sampled: Int
    /// In total, bytes, with the ends of its 95 % interval.
    public var error: Int
    public var low: Int
    public var high: Int

    /// Of the message bytes; nil where there are none.
    public func relative(_ error: Int) -> Double? { bytes > 0 ? Double(error) / Double(bytes) : nil }
}

extension LogSummary {
    /// A log with a random part of the calls.
    public struct Sample: Sendable {
        /// Share of the calls.
        public var share: Double
        public var up: SampledError?
        public var down: SampledError?
    }
}
