import WireNative

/// Rows that several threads make, each its own piece.
final class RowPieces: Sendable {
    private let pieces: Guarded<[[AccuracyRow]]>

    init(count: Int) { pieces = Guarded(Array(repeating: [], count: count)) }

    func set(_ piece: Int, _ rows: [AccuracyRow]) { pieces.withLock { $0[piece] = rows } }

    var joined: [AccuracyRow] { pieces.withLock { Array($0.joined()) } }
}
