/// Who owns the bytes of one direction, where messages do not lie in it one after another: HTTP/2 frames of several
/// streams, records of TLS. Runs of one owner, in the order of the stream.
struct OwnerRuns: Sendable {
    private struct Run: Sendable {
        var start: StreamPosition
        var owner: Owner
    }

    /// Acknowledged runs kept for retransmissions that come late.
    private static let retained = 256
    /// Most runs kept, acknowledged or not.
    private static let limit = 16_384

    private var runs: [Run] = []
    /// Runs before this one were let go.
    private var head = 0
    /// The owners of all bytes before it were known, though the oldest may be forgotten.
    private(set) var end: StreamPosition

    init(from start: StreamPosition) { end = start }

    /// The bytes up to `position` belong to `owner`.
    @inline(__always)
    mutating func append(_ owner: Owner, upTo position: StreamPosition) {
        guard position > end else { return }
        if head == runs.count || runs[runs.count - 1].owner != owner { runs.append(Run(start: end, owner: owner)) }
        end = position
    }

    /// The owner of a byte, and the position up to which it owns all bytes.
    func find(_ position: StreamPosition) -> (owner: Owner, end: StreamPosition) {
        guard position < end else { return (.connection, .never) }
        var low = head
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start <= position { low = middle + 1 } else { high = middle }
        }
        let runEnd = low < runs.count ? runs[low].start : end
        return low == head ? (.connection, runEnd) : (runs[low - 1].owner, runEnd)
    }

    /// Lets go of runs that nothing is likely to be charged to any more.
    mutating func trim(acknowledged: StreamPosition) {
        guard runs.count - head > 2 * OwnerRuns.retained else { return }
        let isAcknowledged = runs[head + OwnerRuns.retained].start <= acknowledged
        guard isAcknowledged || runs.count - head > OwnerRuns.limit else { return }
        head += OwnerRuns.retained
        if head > runs.count / 2 {
            runs.removeFirst(head)
            head = 0
        }
    }
}
