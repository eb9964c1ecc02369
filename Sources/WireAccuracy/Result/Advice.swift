import WireEstimates

/// What a change in the SDK would repair in one direction.
public struct Advice: Sendable, Equatable {
    /// The cause that the change removes; its advice says how.
    public var cause: ErrorCause
    /// Bytes that the cause adds to the source's figures over all calls; negative: that it lacks.
    public var bytes: Int
    /// Error over all calls that remains once only this change is made, bytes.
    public var remaining: Int
    /// Error over all calls that remains once this change and those before it in the list are made, bytes.
    public var remainingWithAbove: Int
    /// What the error is held against: message bytes of all calls, or wire bytes for causes below the messages.
    public var truth: Int

    /// remaining / truth; nil where there is no truth to divide by.
    public var relativeRemaining: Double? { truth == 0 ? nil : Double(remaining) / Double(truth) }
}

extension AccuracyRow {
    /// What to change, the change that repairs most bytes first: causes of wrong figures, and reasons why calls are not
    /// recorded at all. Errors are those of all calls against the messages, as if a call without record had 0 bytes.
    public var advice: [Advice] {
        var causes = messageCauses
        causes += unseen
        return advice(
            causes.posts.filter { $0.cause.isMendable }, message.errorTotal &+ unseen.sum,
            message.truthTotal &- unseen.sum)
    }

    /// The same for what no hook can see: what to read or to add instead. Below the messages errors are those of the
    /// recorded calls against the wire.
    public var allowances: [Advice] {
        advice(
            causes.posts.filter { !$0.cause.isMendable && $0.cause.advice != nil }, wire.errorTotal, wire.truthTotal)
    }

    private func advice(_ posts: [(cause: ErrorCause, bytes: Int)], _ error: Int, _ truth: Int) -> [Advice] {
        let sorted = posts.filter { $0.cause.advice != nil }.enumerated().sorted { left, right in
            left.element.bytes.magnitude != right.element.bytes.magnitude
                ? left.element.bytes.magnitude > right.element.bytes.magnitude : left.offset < right.offset
        }
        var left = error
        return sorted.map { _, post in
            left = left &- post.bytes
            return Advice(
                cause: post.cause, bytes: post.bytes, remaining: error &- post.bytes, remainingWithAbove: left,
                truth: truth)
        }
    }
}
