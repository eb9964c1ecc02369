/// Bytes whose owner was not known when they came, and units behind them.
extension Attribution {
    /// Bytes of a unit that is not whole: they wait at the end of the direction's runs.
    mutating func deferUnresolved(_ start: StreamPosition, _ count: Int, _ direction: Direction) {
        let piece = deferPiece(start, count)
        connection[direction].runs?.unresolved.append(piece)
    }

    /// How many bytes wait for their owner there.
    func unresolvedCount(_ direction: Direction) -> Int {
        connection[direction].runs?.unresolved.reduce(0) { $0 + $1.count } ?? 0
    }

    /// They belong to this owner for this cause, and what waited behind them gets its own.
    mutating func resolveUnresolved(_ owner: Owner, _ cause: Cause, _ direction: Direction) {
        let count = unresolvedCount(direction)
        guard count > 0 else { return }
        post(owner, cause, count, direction)
        if isTraced, let runs = connection[direction].runs {
            for piece in runs.unresolved { traceClaim(owner, cause, piece.count, at: piece.start, direction) }
        }
        resolveUnresolved(owner, direction)
    }

    /// The same where their cause is posted.
    private mutating func resolveUnresolved(_ owner: Owner, _ direction: Direction) {
        guard let runs = connection[direction].runs, !runs.unresolved.isEmpty else { return }
        let pieces = runs.unresolved
        runs.unresolved.removeAll(keepingCapacity: true)
        for piece in pieces {
            attributeDeferred(before: piece.start, direction)
            share(piece.overhead, owner, piece.count)
            if runs.isDirect { runs.append(owner, upTo: piece.end) }
            release(piece.overhead, direction)
        }
        attributeDeferred(direction)
    }

    /// Their unit will not be whole: the connection pays.
    mutating func abandonUnresolved(_ direction: Direction) {
        resolveUnresolved(.connection, .opaque, direction)
    }

    /// Units that lie before a place whose owner is to be noted next get theirs.
    mutating func attributeDeferred(before position: StreamPosition, _ direction: Direction) {
        guard let runs = connection[direction].runs else { return }
        while let unit = runs.takeDeferred(endingBy: position) {
            attribute(unit.pieces, upTo: unit.end, unit.owner, direction)
        }
    }

    /// Units behind bytes that had no owner get theirs.
    mutating func attributeDeferred(_ direction: Direction) {
        guard let runs = connection[direction].runs, !runs.isBlocked else { return }
        attributeDeferred(before: .never, direction)
    }
}
