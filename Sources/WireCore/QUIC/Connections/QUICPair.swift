/// Addresses and ports of a datagram, whichever way it goes.
struct QUICPair: Hashable {
    var key: ConnectionKey

    static func == (one: Self, other: Self) -> Bool { one.key == other.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key.hash(seed: 0x9E37_79B9_7F4A_7C15)) }
}

extension QUICPair: SeededKey {
    @inline(__always)
    func hash(seed: UInt64) -> UInt64 { key.hash(seed: seed) }
}
