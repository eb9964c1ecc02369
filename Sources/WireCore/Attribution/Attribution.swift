/// Says whose the bytes are, and why they were on the wire, for the connections of a shard.
///
/// It knows no protocol. Readers *claim* bytes for an owner; packets and records *enter* as carriers of the bytes that are
/// delivered, and when they *leave* their overhead is shared among the owners of what they carried, in proportion.
/// Overhead of which a piece has no owner yet is *pending*; costs of bytes that were not delivered yet are *deferred*.
///
/// - Invariant: each byte that a carrier brought in has exactly one owner and one cause after the carrier left and all
///   that is pending or deferred was resolved. Until then it is counted there.
struct Attribution: ~Copyable {
    /// Of all owners of bytes, with one chain per connection. Untouched capacity costs no memory.
    var accounts = UnsafeSlab<OwnerAccount>(capacity: 1 << 11)
    private var freeAccounts: [Int32] = []
    private var nextSerial: UInt32 = 1
    /// Owners' accounts that are open.
    private(set) var openCount = 0
    /// The connection whose bytes are being delivered. Whoever delivers sets it before.
    var connection: UnsafePair<ConnectionAccount>
    /// When the bytes being delivered were captured.
    var packet = PacketContext()
    /// What carries the bytes that are being delivered: a record, else a packet; nothing between packets.
    var carrier = Carrier()
    /// `carrier` is in use.
    var isDelivering = false
    /// The carriers around it, from the outermost on: as many as `depth`.
    var outer = UnsafeSlab<Carrier>(capacity: 16)
    var depth = 0
    var pending = PendingOverheads()
    var deferred = DeferredCosts()
    private var parts: [Int] = []
    /// Notes which frame each byte is of; nil where nobody asked.
    private(set) var trace: ClaimTrace?
    /// There is a trace. Asked first: to look at the object itself takes longer.
    private(set) var isTraced = false
    /// Stands in for a connection before the first.
    private let noConnection = UnsafePairStorage(repeating: ConnectionAccount())

    init() {
        connection = noConnection.pair
    }

    /// From now on claims are noted with their frames.
    mutating func begin(_ trace: ClaimTrace) {
        self.trace = trace
        isTraced = true
    }

    // MARK: Owners

    mutating func openAccount() -> Owner {
        let serial = nextSerial
        nextSerial &+= 1
        openCount += 1
        if let index = freeAccounts.popLast() {
            accounts[Int(index)].serial = serial
            return Owner(index: index, serial: serial)
        }
        accounts.append(OwnerAccount())
        accounts[accounts.count - 1].serial = serial
        return Owner(index: Int32(accounts.count - 1), serial: serial)
    }

    mutating func closeAccount(_ index: Int32) {
        accounts[Int(index)].renew()
        freeAccounts.append(index)
        openCount -= 1
    }

    /// The owner whose account has this index; the connection, where it is below 0.
    @inline(__always)
    func owner(_ index: Int32) -> Owner {
        index < 0 ? .connection : Owner(index: index, serial: accounts[Int(index)].serial)
    }

    /// Whether the owner has an account that is open.
    @inline(__always)
    func isOpen(_ owner: Owner) -> Bool {
        owner.index >= 0 && accounts[Int(owner.index)].serial == owner.serial
    }

    // MARK: Claims

    /// Bytes that are being delivered are the owner's.
    @inline(__always)
    mutating func claim(_ owner: Owner, _ cause: Cause, _ count: Int, _ direction: Direction) {
        post(owner, cause, count, direction)
        share(owner, cause, count, direction)
        if isOpen(owner) {
            accounts[Int(owner.index)].lastTime = max(accounts[Int(owner.index)].lastTime, packet.time)
        }
    }

    /// The same for an owner whose account is known to be open.
    @inline(__always)
    mutating func claim(account index: Int32, _ cause: Cause, _ count: Int, _ direction: Direction) {
        let slot = Int(index)
        accounts[slot].costs.add(cause, count, direction)
        accounts[slot].lastTime = max(accounts[slot].lastTime, packet.time)
        share(Owner(index: index, serial: accounts[slot].serial), cause, count, direction)
    }

    /// Bytes that nobody can read: they may be the owner's, but do not show that it goes on.
    @inline(__always)
    mutating func claimUnread(_ owner: Owner, _ cause: Cause, _ count: Int, _ direction: Direction) {
        post(owner, cause, count, direction)
        share(owner, cause, count, direction)
    }

    /// Bytes that are part of no message.
    @inline(__always)
    mutating func claimUnowned(_ count: Int, _ direction: Direction) {
        connection[direction].unattributed[.opaque] += count
        share(.connection, .opaque, count, direction)
    }

    /// The carrier has bytes of the owner. A trace is told on the slow way, which all carriers take then.
    @inline(__always)
    private mutating func share(_ owner: Owner, _ cause: Cause, _ count: Int, _ direction: Direction) {
        if !carrier.shares.addAsOnly(owner, count) { shareSlowly(owner, cause, count, direction) }
    }

    @inline(never)
    private mutating func shareSlowly(_ owner: Owner, _ cause: Cause, _ count: Int, _ direction: Direction) {
        if isTraced { traceClaim(owner, cause, count, direction) }
        carrier.shares.add(owner, count)
    }

    // MARK: Posting

    @inline(__always)
    mutating func post(_ owner: Owner, _ cause: Cause, _ bytes: Int, _ direction: Direction) {
        if isOpen(owner) {
            accounts[Int(owner.index)].costs.add(cause, bytes, direction)
        } else {
            connection[direction].unattributed[cause] += bytes
        }
    }

    @inline(__always)
    mutating func postLink(_ owner: Owner, _ bytes: Int, _ direction: Direction) {
        if isOpen(owner) {
            accounts[Int(owner.index)].costs.addLink(bytes, direction)
        } else {
            connection[direction].unattributed.link += bytes
        }
    }

    /// A packet, or a part of one, that is not delivered: all of it has one owner and one cause.
    @inline(__always)
    mutating func post(
        packet owner: Owner, _ cause: Cause, _ bytes: Int, link: Int, frame: Int, _ direction: Direction
    ) {
        post(owner, cause, bytes, direction)
        postLink(owner, link, direction)
        if isTraced { tracePost(owner, cause, bytes, frame: frame, direction) }
    }

    /// The same for set-up, teardown and keep-alives.
    @inline(__always)
    mutating func postOverhead(_ cause: Cause, _ bytes: Int, link: Int, frame: Int, _ direction: Direction) {
        connection[direction].addOverhead(cause, bytes, link: link)
        if isTraced { tracePost(.connection, cause, bytes, frame: frame, direction) }
    }

    mutating func postHidden(_ owner: Owner, _ bytes: Int, _ direction: Direction) {
        if isOpen(owner) {
            accounts[Int(owner.index)].costs[direction].offloadHidden += bytes
        } else {
            connection[direction].unattributed.offloadHidden += bytes
        }
    }

    /// Shares a packet's headers among the owners of its new payload.
    mutating func postHeaders(_ cost: HeaderCost, frame: Int, among shares: ShareList, _ direction: Direction) {
        if shares.count == 1, shares[0].owner == .handshake {
            if isTraced { tracePost(.connection, .setupTLS, cost.internet, frame: frame, direction) }
            connection[direction].addOverhead(.setupTLS, cost.internet, link: cost.link)
            connection[direction].unattributed.handshakeHeaders += cost.internet
            if cost.hidden > 0 { postHidden(.connection, cost.hidden, direction) }
            return
        }
        if shares.count < 2 {
            post(cost, .tcpip, frame: frame, among: shares, direction)
        } else {
            post(cost, .tcpip, frame: frame, among: shares.merged(), direction)
        }
    }

    /// Shares a packet's headers among different owners.
    mutating func post(
        _ cost: HeaderCost, _ cause: Cause, frame: Int, among shares: ShareList, _ direction: Direction
    ) {
        guard shares.count > 1 else {
            let owner = shares.isEmpty ? Owner.connection : shares[0].owner
            post(owner, cause, cost.internet, direction)
            if isTraced { tracePost(owner, cause, cost.internet, frame: frame, direction) }
            postLink(owner, cost.link, direction)
            if cost.hidden > 0 { postHidden(owner, cost.hidden, direction) }
            return
        }
        for (index, part) in divide(cost.internet, among: shares).enumerated() {
            post(shares[index].owner, cause, part, direction)
            if isTraced { tracePost(shares[index].owner, cause, part, frame: frame, direction) }
        }
        for (index, part) in divide(cost.link, among: shares).enumerated() {
            postLink(shares[index].owner, part, direction)
        }
        guard cost.hidden > 0 else { return }
        for (index, part) in divide(cost.hidden, among: shares).enumerated() {
            postHidden(shares[index].owner, part, direction)
        }
    }

    /// Whole parts of an amount for each share, in their order.
    mutating func divide(_ amount: Int, among list: ShareList) -> [Int] {
        list.divide(amount, into: &parts)
        return parts
    }
}
