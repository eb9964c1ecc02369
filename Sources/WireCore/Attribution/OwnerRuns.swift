/// Who owns the bytes of one direction, where messages do not lie in it one after another: HTTP/2 frames of several
/// streams, records of TLS. Runs of one owner, in the order of the stream.
///
/// - Invariant: runs are appended in order and without a gap. So units behind bytes that have no owner yet wait in
///   `deferred`, and `isBlocked` says whether there are such bytes.
final class OwnerRuns {
    private struct Run {
        var start: StreamPosition
        var owner: Owner
    }

    /// Acknowledged runs kept for retransmissions that come late.
    private static let retained = 256
    /// Most runs kept, acknowledged or not.
    private static let limit = 16_384

    /// Units lie in the stream itself, not in records of it.
    let isDirect: Bool
    /// The first byte whose owner stands here.
    let origin: StreamPosition
    /// The owners of all bytes before it were known, though the oldest may be forgotten.
    private(set) var end: StreamPosition
    /// Bytes at the end of what was read that belong to a unit which is not whole, such as a split frame header.
    var unresolved: [UnitPiece] = []
    /// Records that wait to be read.
    var waitingRecords = 0
    private var runs: [Run] = []
    /// Runs before this one were let go.
    private var head = 0
    private var deferred: [DeferredUnit] = []
    /// Units before this one were taken out.
    private var deferredHead = 0

    init(from start: StreamPosition, isDirect: Bool) {
        self.isDirect = isDirect
        origin = start
        end = start
    }

    /// Earlier bytes have no owner yet.
    @inline(__always)
    var isBlocked: Bool { !unresolved.isEmpty || waitingRecords > 0 }

    /// The bytes up to `position` belong to `owner`.
    @inline(__always)
    func append(_ owner: Owner, upTo position: StreamPosition) {
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
    func trim(acknowledged: StreamPosition) {
        while runs.count - head > 2 * OwnerRuns.retained {
            let isAcknowledged = runs[head + OwnerRuns.retained].start <= acknowledged
            guard isAcknowledged || runs.count - head > OwnerRuns.limit else { return }
            head += OwnerRuns.retained
            if head > runs.count / 2 {
                runs.removeFirst(head)
                head = 0
            }
        }
    }

    // MARK: Units behind bytes without an owner

    @inline(__always)
    var deferredCount: Int { deferred.count - deferredHead }

    func append(_ unit: DeferredUnit) { deferred.append(unit) }

    /// Takes out the first of those units, if it ends by that place.
    func takeDeferred(endingBy position: StreamPosition) -> DeferredUnit? {
        guard deferredHead < deferred.count, deferred[deferredHead].end <= position else { return nil }
        let unit = deferred[deferredHead]
        deferredHead += 1
        if deferredHead == deferred.count || (deferredHead >= 1024 && deferredHead * 2 > deferred.count) {
            deferred.removeFirst(deferredHead)
            deferredHead = 0
        }
        return unit
    }
}
