/// What was noted of exchanges before they were understood.
extension ClaimTrace {
    /// The latest bytes that an exchange has under one cause are of another.
    func reclassify(_ serial: UInt32, _ bytes: Int, from cause: Cause, to other: Cause, _ direction: Direction) {
        var rest = bytes
        change(serial, direction) { claim in
            guard rest > 0, claim.cause == cause else { return nil }
            let part = min(rest, claim.bytes)
            rest -= part
            return (part, other, claim.owner)
        }
    }

    /// All that an exchange has under one cause is the connection's, under another.
    func disown(_ serial: UInt32, _ cause: Cause, as other: Cause, _ direction: Direction) {
        change(serial, direction) { $0.cause == cause ? ($0.bytes, other, self.current.own) : nil }
    }

    /// All that it has is the connection's; its messages were not read.
    func disownAll(_ serial: UInt32, _ direction: Direction) {
        change(serial, direction) { claim in
            let isMessage = [.startLine, .headers, .framing, .body].contains(claim.cause)
            return (claim.bytes, isMessage ? .opaque : claim.cause, self.current.own)
        }
    }

    /// Bytes of a frame that the connection has under one cause are an exchange's. They were noted not long ago.
    func move(_ bytes: Int, _ cause: Cause, frame: Int, to serial: UInt32, _ direction: Direction) {
        var (rest, cursor) = (bytes, owners[Int(current.own)].latest)
        while rest > 0, cursor >= 0 {
            let index = Int(cursor)
            cursor = claims[index].previous
            guard Int(claims[index].frame) == frame, claims[index].cause == cause,
                claims[index].direction == direction.index
            else { continue }
            let part = min(rest, claims[index].bytes)
            claims[index].bytes -= part
            rest -= part
            append(owner(serial), cause, part, frame: frame, direction)
        }
    }

    /// All frames of the selected connection were captured before, and it ends. No exchange has a part of them.
    func withdraw() {
        var cursor = owners[Int(current.own)].latest
        while cursor >= 0 {
            let index = Int(cursor)
            cursor = claims[index].previous
            claims[index].bytes = 0
            noteDuplicate(Int(claims[index].frame))
        }
        end(connection: -1, client: Direction(0), host: [])
    }

    /// Goes through an exchange's claims of a direction, the latest first. The body says how many bytes of one are another's.
    private func change(
        _ serial: UInt32, _ direction: Direction, _ body: (Claim) -> (bytes: Int, cause: Cause, owner: Int32)?
    ) {
        var cursor = owners[Int(owner(serial))].latest
        while cursor >= 0 {
            let index = Int(cursor)
            let claim = claims[index]
            cursor = claim.previous
            guard claim.direction == direction.index, claim.bytes > 0, let change = body(claim) else { continue }
            claims[index].bytes -= change.bytes
            append(change.owner, change.cause, change.bytes, frame: Int(claim.frame), direction)
        }
    }
}
