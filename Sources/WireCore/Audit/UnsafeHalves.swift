/// Parts of the connections, and the accounts, for use by other threads than that which has the auditor.
@safe
package struct UnsafeHalves: @unchecked Sendable {
    private let parts: [UnsafeMutablePointer<ConnectionPart>]
    private let accounts: Accounts
    private let names: NameDirectory

    init(parts: [UnsafeMutablePointer<ConnectionPart>], accounts: Accounts, names: NameDirectory) {
        unsafe self.parts = parts
        self.accounts = accounts
        self.names = names
    }

    package var partCount: Int { unsafe parts.count }

    /// Lets a part take what is in the round for it. No other thread may use the part meanwhile; other parts may take
    /// theirs: the lane is reached by its address, because to change it through `lanes` would be to change them all.
    package func take(_ round: Round, part: Int) {
        let lane = unsafe round.content.lanes.address(of: part)
        unsafe parts[part].pointee.take(&lane.pointee, round.content.buffers)
    }

    /// Hands over what left the books in the round. To be called for one round after another.
    package func settle(_ round: Round) {
        var outboxes = [Outbox](repeating: Outbox(), count: round.content.lanes.count)
        for part in round.parts { swap(&outboxes[part], &round.content.lanes[part].outbox) }
        accounts.settle(&outboxes)
        for part in round.parts { swap(&outboxes[part], &round.content.lanes[part].outbox) }
        names.settle(round.content.lastOrdinal)
    }
}

extension Auditor {
    /// What threads need of this audit. They must not outlive it.
    package var halves: UnsafeHalves {
        var pointers = unsafe [UnsafeMutablePointer<ConnectionPart>]()
        for part in 0..<parts.count {
            let pointer = unsafe parts.address(of: part)
            unsafe pointers.append(pointer)
        }
        return unsafe UnsafeHalves(parts: pointers, accounts: accounts, names: router.names)
    }
}
