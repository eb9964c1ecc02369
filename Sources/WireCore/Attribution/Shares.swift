/// Who pays: an exchange, or (index below 0) the connection itself. The serial number tells an exchange from a later one
/// in the same slot of the store.
struct Owner: Hashable, Sendable {
    var index: Int32
    var serial: UInt32

    static let connection = Owner(index: -1, serial: 0)
    /// The connection, for bytes of a TLS handshake: a packet that carries nothing else is all set-up.
    static let handshake = Owner(index: -2, serial: 0)
    /// Nobody: see `ShareList.watch`.
    fileprivate static let nobody = Owner(index: -3, serial: 0)
}

/// Bytes of one owner in something that several owners share.
struct Share: Sendable {
    var owner: Owner
    var bytes: Int
}

/// Shares of one packet, record or range, in the order of the bytes. An owner may stand in it more than once.
///
/// Nearly always there is one. The first stands beside the array of the others, which then takes no memory.
struct ShareList: Sendable {
    private var first = Share(owner: .connection, bytes: 0)
    private var others: [Share] = []
    private(set) var count = 0
    /// So many owners are found one by one.
    private static let few = 16

    @inline(__always) var isEmpty: Bool { count == 0 }

    @inline(__always)
    subscript(index: Int) -> Share {
        precondition(index >= 0 && index < count)
        return index == 0 ? first : others[index - 1]
    }

    @inline(__always)
    mutating func add(_ owner: Owner, _ bytes: Int) {
        if !addAsOnly(owner, bytes) { addOther(owner, bytes) }
    }

    /// Adds a share where there is none of another owner; false where there is.
    @inline(__always)
    mutating func addAsOnly(_ owner: Owner, _ bytes: Int) -> Bool {
        if count == 0 {
            first = Share(owner: owner, bytes: bytes)
            count = 1
        } else if count == 1, first.owner == owner {
            first.bytes += bytes
        } else {
            return false
        }
        return true
    }

    @inline(never)
    private mutating func addOther(_ owner: Owner, _ bytes: Int) {
        if count > 1, others[count - 2].owner == owner {
            others[count - 2].bytes += bytes
        } else {
            others.append(Share(owner: owner, bytes: bytes))
            count += 1
        }
    }

    @inline(__always)
    mutating func removeAll() {
        if count > 1 { others.removeAll(keepingCapacity: true) }
        count = 0
    }

    /// Two shares of nobody come first, until `unwatch`: so it never has one owner only, and whoever adds to it, or looks for
    /// one owner, takes the slow way, on which a trace is told.
    mutating func watch() {
        guard !isWatched else { return }
        if count > 0 { others.insert(first, at: 0) }
        first = Share(owner: .nobody, bytes: 0)
        others.insert(first, at: 0)
        count += 2
    }

    mutating func unwatch() {
        guard isWatched else { return }
        others.removeFirst()
        count -= 2
        if count > 0 { first = others.removeFirst() }
    }

    private var isWatched: Bool { count > 1 && first.owner == .nobody }

    /// One share for each owner, earliest owner first. What is the handshake's is the connection's.
    func merged() -> ShareList {
        if count == 1 {
            var list = self
            if first.owner == .handshake { list.first.owner = .connection }
            return list
        }
        if count == 2, self[0].owner != self[1].owner, self[0].owner.index >= -1, self[1].owner.index >= -1 {
            return self
        }
        var places: [Owner: Int] = [:]
        var list = ShareList()
        for index in 0..<count {
            let owner = self[index].owner == .handshake ? .connection : self[index].owner
            if let place = list.count <= ShareList.few ? list.place(of: owner) : places[owner] {
                list.enlarge(place, by: self[index].bytes)
            } else {
                list.add(owner, self[index].bytes)
                // So few are found without a table.
                if list.count == ShareList.few + 1 {
                    for place in 0..<list.count { places[list[place].owner] = place }
                } else if list.count > ShareList.few {
                    places[owner] = list.count - 1
                }
            }
        }
        return list
    }

    private func place(of owner: Owner) -> Int? {
        for place in 0..<count where self[place].owner == owner { return place }
        return nil
    }

    private mutating func enlarge(_ index: Int, by bytes: Int) {
        if index == 0 { first.bytes += bytes } else { others[index - 1].bytes += bytes }
    }

    /// Divides `amount` in proportion to the shares, in whole bytes by largest remainder, earlier owner first on ties
    /// (ByteLedger.md §5.2). The parts sum to `amount`.
    func divide(_ amount: Int, into parts: inout [Int]) {
        parts.removeAll(keepingCapacity: true)
        guard count > 1 else {
            if count == 1 { parts.append(amount) }
            return
        }
        let total = (0..<count).reduce(0) { $0 + self[$1].bytes }
        guard total > 0 else {
            parts.append(contentsOf: (0..<count).map { $0 == 0 ? amount : 0 })
            return
        }
        var rest = amount
        for index in 0..<count {
            let part = ShareList.product(amount, self[index].bytes, total).quotient
            parts.append(part)
            rest -= part
        }
        guard rest > 0 else { return }
        let order = (0..<count).sorted { left, right in
            let leftRemainder = ShareList.product(amount, self[left].bytes, total).remainder
            let rightRemainder = ShareList.product(amount, self[right].bytes, total).remainder
            return leftRemainder == rightRemainder ? left < right : leftRemainder > rightRemainder
        }
        for index in order.prefix(rest) { parts[index] += 1 }
    }

    private static func product(_ amount: Int, _ bytes: Int, _ total: Int) -> (quotient: Int, remainder: Int) {
        let product = amount.multipliedFullWidth(by: bytes)
        return total.dividingFullWidth(product)
    }
}

/// What a packet's headers cost, to be shared among the owners of its new payload.
struct HeaderCost: Sendable {
    /// Network and transport header bytes.
    var internet = 0
    /// Link and tunnel bytes.
    var link = 0
    /// Inferred header bytes that offload hid.
    var hidden = 0
}
