/// The addresses and ports of a connection, smaller endpoint first, so that both directions have the same key.
struct ConnectionKey: Equatable, Sendable {
    var addressHigh: InlineArray<2, UInt64>
    var addressLow: InlineArray<2, UInt64>
    /// Port of side 0 in the upper, of side 1 in the lower 16 bits; bit 32 is set for IPv6.
    var ports: UInt64

    /// Which side of the connection sent the packet: 0 or 1.
    private(set) var sender = 0

    init(high: InlineArray<2, UInt64>, low: InlineArray<2, UInt64>, ports: UInt64, sender: Int) {
        addressHigh = high
        addressLow = low
        self.ports = ports
        self.sender = sender
    }

    /// Of no connection.
    init() {
        addressHigh = [0, 0]
        addressLow = [0, 0]
        ports = 0
    }

    @inline(__always)
    init(_ packet: DecodedPacket) {
        self.init(
            packet.source, packet.destination,
            ports: UInt32(packet.sourcePort) << 16 | UInt32(packet.destinationPort))
    }

    /// `ports`: the source's in the upper half.
    @inline(__always)
    init(_ source: IPAddress, _ destination: IPAddress, ports both: UInt32) {
        let version: UInt64 = source.isVersion6 ? 1 << 32 : 0
        let (sourcePort, destinationPort) = (both >> 16, both & 0xFFFF)
        let swapped =
            source.low != destination.low
            ? source.low > destination.low
            : source.high != destination.high
                ? source.high > destination.high : sourcePort > destinationPort
        if swapped {
            addressHigh = [destination.high, source.high]
            addressLow = [destination.low, source.low]
            ports = version | UInt64(destinationPort) << 16 | UInt64(sourcePort)
            sender = 1
        } else {
            addressHigh = [source.high, destination.high]
            addressLow = [source.low, destination.low]
            ports = version | UInt64(both)
        }
    }

    /// Equal but for the sender.
    @inline(__always)
    static func == (left: ConnectionKey, right: ConnectionKey) -> Bool {
        left.addressLow[0] == right.addressLow[0] && left.addressLow[1] == right.addressLow[1]
            && left.ports == right.ports && left.addressHigh[0] == right.addressHigh[0]
            && left.addressHigh[1] == right.addressHigh[1]
    }

    /// A hash that an attacker cannot steer without knowing the seed: it is part of both factors of each product, so that
    /// nobody can choose addresses whose products meet, or are nothing.
    @inline(__always)
    func hash(seed: UInt64) -> UInt64 {
        let other = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xD6E8_FEB8_6659_FD93
        var hash = ConnectionKey.fold(addressLow[0] ^ seed, addressLow[1] ^ other)
        hash = ConnectionKey.fold(hash ^ addressHigh[0], (addressHigh[1] ^ other) &+ seed)
        return ConnectionKey.fold(hash ^ ports, other ^ 0xA076_1D64_78BD_642F)
    }

    /// Both halves of a product together.
    @inline(__always)
    private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.low ^ product.high
    }

    /// Parts that connections are shared out to.
    package static let partCount = 16

    /// The part that the connection belongs to, which depends on its addresses and ports alone.
    @inline(__always)
    var part: Int {
        var hash = (addressLow[0] &* 0x9E37_79B9_7F4A_7C15) ^ (addressLow[1] &* 0xBF58_476D_1CE4_E5B9)
        hash ^= (addressHigh[0] &* 0xA076_1D64_78BD_642F) ^ (addressHigh[1] &* 0xE703_7ED1_A0B4_28DB)
        hash ^= ports &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: ((hash ^ hash >> 32) &* 0x94D0_49BB_1331_11EB) >> 60)
    }

    func endpoint(side: Int) -> Endpoint {
        let port = side == 0 ? ports >> 16 : ports
        return Endpoint(
            address: IPAddress(
                high: addressHigh[side], low: addressLow[side], isVersion6: ports & (1 << 32) != 0),
            port: UInt16(truncatingIfNeeded: port))
    }
}

/// Finds a connection's index by its key: open addressing, linear probing, at most half full.
///
/// A slot holds a tag from the hash and an index; the keys themselves live with the connections. The tag also says
/// where an entry belongs.
struct ConnectionTable: ~Copyable {
    struct Slot: Sendable {
        var tag: UInt32 = 0
        var index: Int32 = -1
    }

    private var slots: UnsafeSlab<Slot>
    private var mask: Int
    private var count = 0
    let seed: UInt64

    init() {
        slots = ConnectionTable.emptySlots(1024)
        mask = 1023
        seed = UInt64.random(in: .min ... .max)
    }

    private static func emptySlots(_ count: Int) -> UnsafeSlab<Slot> {
        var slots = UnsafeSlab<Slot>(capacity: count)
        for _ in 0..<count { slots.append(Slot()) }
        return slots
    }

    @inline(__always)
    private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

    @inline(__always)
    private func home(_ tag: UInt32) -> Int { Int(tag) & mask }

    /// Index of the connection with this key, or -1.
    @inline(__always)
    func find(_ hash: UInt64, isMatch: (Int) -> Bool) -> Int {
        let tag = ConnectionTable.tag(hash)
        var place = home(tag)
        while true {
            let slot = slots[place]
            if slot.index < 0 { return -1 }
            if slot.tag == tag, isMatch(Int(slot.index)) { return Int(slot.index) }
            place = (place + 1) & mask
        }
    }

    /// Brings the slot where the search for a hash begins into the processor's cache.
    @inline(__always)
    func prefetch(_ hash: UInt64) { slots.prefetch(home(ConnectionTable.tag(hash))) }

    /// What `find` would most likely give, without a look at the connection; -1 where it is none for sure.
    @inline(__always)
    func likely(_ hash: UInt64) -> Int { find(hash) { _ in true } }

    mutating func insert(_ hash: UInt64, _ index: Int) {
        if (count + 1) * 2 > slots.count { grow() }
        place(Slot(tag: ConnectionTable.tag(hash), index: Int32(index)))
        count += 1
    }

    private mutating func place(_ slot: Slot) {
        var place = home(slot.tag)
        while slots[place].index >= 0 { place = (place + 1) & mask }
        slots[place] = slot
    }

    private mutating func grow() {
        var old = ConnectionTable.emptySlots(slots.count * 2)
        swap(&old, &slots)
        mask = slots.count - 1
        for index in 0..<old.count where old[index].index >= 0 { place(old[index]) }
    }

    /// Takes an entry out and closes the gap behind it, so that no marker of deleted slots is needed.
    mutating func remove(_ hash: UInt64, _ index: Int) {
        var hole = home(ConnectionTable.tag(hash))
        while slots[hole].index != Int32(index) {
            guard slots[hole].index >= 0 else { return }
            hole = (hole + 1) & mask
        }
        var cursor = (hole + 1) & mask
        while slots[cursor].index >= 0 {
            // The entry may move back if its home does not lie behind the hole (on the circle of slots).
            if (cursor - home(slots[cursor].tag)) & mask >= (cursor - hole) & mask {
                slots[hole] = slots[cursor]
                hole = cursor
            }
            cursor = (cursor + 1) & mask
        }
        slots[hole] = Slot()
        count -= 1
    }
}
