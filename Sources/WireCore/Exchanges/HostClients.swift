/// Which clients have had a connection to which host: whoever comes again could have used the one before.
///
/// Open addressing, linear probing, at most three quarters full: 40 bytes for each place.
struct HostClients {
    private struct Slot {
        var high: UInt64 = 0
        var low: UInt64 = 0
        /// Below 0: the place is free. Else twice the host's number, and one more for an IPv6 address.
        var host: Int = -1
        /// Place of the first packet of the pair's first connection, and what that cost to open and close.
        var connection = 0
        var cost = 0
    }

    /// Most pairs remembered. Connections of further ones count as first each time, so that nothing is said to be savable
    /// that may not be.
    private let limit: Int
    private let seed = UInt64.random(in: .min ... .max)
    private var slots = [Slot](repeating: Slot(), count: 64)
    private var count = 0
    /// The last connection was of a pair that there was no room for.
    private(set) var isFull = false

    init(limit: Int) { self.limit = limit }

    /// What the sum of savings grows by when a connection ends: its own cost, unless it is the client's first to the
    /// host. Connections may end in another order than they began in: when an earlier one than the first known ends, it
    /// takes that one's place, and the cost of that one is what could be saved.
    mutating func saving(host: Int, client: IPAddress, connection: Int, cost: Int) -> Int {
        let pair = Slot(
            high: client.high, low: client.low, host: 2 * host + (client.isVersion6 ? 1 : 0), connection: connection,
            cost: cost)
        let place = place(of: pair)
        isFull = false
        guard slots[place].host >= 0 else {
            isFull = count >= limit
            if !isFull { insert(pair, at: place) }
            return 0
        }
        guard connection < slots[place].connection else { return cost }
        let former = slots[place].cost
        slots[place] = pair
        return former
    }

    /// Where a pair stands, or the free place for it.
    private func place(of pair: Slot) -> Int {
        var place = Int(truncatingIfNeeded: hash(pair)) & (slots.count - 1)
        while slots[place].host >= 0 {
            let slot = slots[place]
            if slot.host == pair.host, slot.low == pair.low, slot.high == pair.high { break }
            place = (place + 1) & (slots.count - 1)
        }
        return place
    }

    private mutating func insert(_ pair: Slot, at place: Int) {
        slots[place] = pair
        count += 1
        guard count * 4 > slots.count * 3 else { return }
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.host >= 0 { slots[self.place(of: slot)] = slot }
    }

    /// Nobody can choose addresses that meet without knowing the seed.
    private func hash(_ pair: Slot) -> UInt64 {
        func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
            let product = (hash ^ value).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
            return product.low ^ product.high
        }
        return mix(mix(mix(seed, pair.low), pair.high), UInt64(truncatingIfNeeded: pair.host))
    }
}
