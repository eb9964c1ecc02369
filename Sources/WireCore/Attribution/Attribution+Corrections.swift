/// Posts for the connection itself, and corrections of what was posted before it was understood.
extension Attribution {
    /// Bytes of the connection that are of no message, from `start` on.
    @inline(__always)
    mutating func postUnattributed(_ cause: Cause, _ bytes: Int, at start: StreamPosition, _ direction: Direction) {
        connection[direction].unattributed[cause] += bytes
        if isTraced { traceClaim(.connection, cause, bytes, at: start, direction) }
    }

    /// Bytes that nobody can read, from `start` on, which may be an owner's.
    @inline(__always)
    mutating func charge(
        _ owner: Owner, _ cause: Cause, _ bytes: Int, at start: StreamPosition, _ direction: Direction
    ) {
        guard owner.index >= 0 else { return postUnattributed(cause, bytes, at: start, direction) }
        post(owner, cause, bytes, direction)
        if isTraced { traceClaim(owner, cause, bytes, at: start, direction) }
    }

    /// The connection has what an owner has cost so far, and the owner's account is as if nothing had been posted to it.
    mutating func returnCosts(of account: Int) -> DirectionCosts {
        let costs = accounts[account].costs
        costs.add(to: &connection[0].unattributed, 0)
        costs.add(to: &connection[1].unattributed, 1)
        accounts[account].costs.clear()
        return costs
    }

    /// Bytes of an owner that were posted under one cause are of another.
    @inline(__always)
    mutating func reclassify(
        _ account: Int, _ bytes: Int, from cause: Cause, to other: Cause, _ direction: Direction
    ) {
        accounts[account].costs.add(cause, -bytes, direction)
        accounts[account].costs.add(other, bytes, direction)
        if isTraced { selected?.reclassify(accounts[account].serial, bytes, from: cause, to: other, direction) }
    }

    /// All that an owner has under one cause is the connection's, under another cause.
    mutating func disown(_ account: Int, _ cause: Cause, as other: Cause, _ direction: Direction) {
        let bytes = accounts[account].costs.bytes(cause, direction)
        accounts[account].costs.add(cause, -bytes, direction)
        connection[direction].unattributed[other] += bytes
        if isTraced { selected?.disown(accounts[account].serial, cause, as: other, direction) }
    }

    /// The connection pays what an owner had cost that turned out to be no exchange: its message bytes are unread.
    mutating func disownAll(_ account: Int, _ direction: Direction) {
        var costs = accounts[account].costs[direction]
        costs[.opaque] += costs.message
        for cause in [Cause.startLine, .headers, .framing, .body] { costs[cause] = 0 }
        connection[direction].unattributed += costs
        if isTraced { selected?.disownAll(accounts[account].serial, direction) }
    }

    /// A record that closes TLS, with its header, bytes.
    @inline(__always)
    func noteClosingRecord(_ bytes: Int, _ direction: Direction) {
        connection[direction].unattributed.closingRecords += bytes
    }
}
