/// Connections of frames that come soon. What their packets look at is brought into the processor's cache one step for
/// each frame, because each step has to look at what the one before brought: the place in the table, the connection,
/// its sides, their exchange. With many connections open that is most of the time that a packet takes.
///
/// All of it is guessed: nothing that is found depends on it.
struct Outlook {
    /// Frames between the first step and the frame's turn. There are two for each step: some frames take little time.
    static let distance = 8

    private struct Expected {
        var part = -1
        var side = 0
        var hash: UInt64 = 0
        /// In the store; below 0 where none is known.
        var index = -1
    }

    private var expected = InlineArray<8, Expected>(repeating: Expected())
    private var latest = 0
    private var latestKey = ConnectionKey()

    /// Takes what is known of one more frame; nil where it seems to belong to no connection.
    @inline(__always)
    mutating func expect(_ key: ConnectionKey?, _ parts: borrowing UnsafeSlab<ConnectionPart>) {
        latest = (latest + 1) & 7
        expected[latest] = Expected()
        if let key, key != latestKey {
            latestKey = key
            let part = key.part
            let hash = parts[part].connections.prefetchPlace(key)
            expected[latest] = Expected(part: part, side: key.sender, hash: hash)
        }
        let second = (latest + 6) & 7
        if expected[second].part >= 0 {
            expected[second].index = parts[expected[second].part].connections.prefetchConnection(expected[second].hash)
        }
        let third = expected[(latest + 4) & 7]
        if third.index >= 0 { parts[third.part].connections.prefetchSides(third.index) }
        let fourth = expected[(latest + 2) & 7]
        if fourth.index >= 0 { parts[fourth.part].prefetchExchange(fourth.index, fourth.side) }
    }
}

extension PacketRouter {
    /// The connection that a frame to come belongs to, if it is built like the latest.
    @inline(__always)
    func glance(_ bytes: RawSpan) -> ConnectionKey? {
        let start = packet.networkOffset
        guard bytes.byteCount >= start + 40 else { return nil }
        let first = bytes.u8(start)
        if first == 0x45, bytes.u8(start + 9) == 6 {
            let addresses = bytes.be64(start + 12)
            let ports = bytes.be32(start + 20)
            duplicates.prefetch(
                ports: ports, numbers: bytes.be64(start + 24), identification: UInt32(bytes.be16(start + 4)))
            return ConnectionKey(
                IPAddress(version4: UInt32(truncatingIfNeeded: addresses >> 32)),
                IPAddress(version4: UInt32(truncatingIfNeeded: addresses)), ports: ports)
        }
        guard first >> 4 == 6, bytes.u8(start + 6) == 6, bytes.byteCount >= start + 60 else { return nil }
        let ports = bytes.be32(start + 40)
        duplicates.prefetch(ports: ports, numbers: bytes.be64(start + 44), identification: 0)
        return ConnectionKey(
            IPAddress(high: bytes.be64(start + 8), low: bytes.be64(start + 16), isVersion6: true),
            IPAddress(high: bytes.be64(start + 24), low: bytes.be64(start + 32), isVersion6: true), ports: ports)
    }
}

extension ConnectionStore {
    /// Returns the hash by which the connection is found.
    @inline(__always)
    func prefetchPlace(_ key: ConnectionKey) -> UInt64 {
        let hash = key.hash(seed: table.seed)
        table.prefetch(hash)
        return hash
    }

    /// Returns the place of the connection, or of that which a new one will have.
    @inline(__always)
    func prefetchConnection(_ hash: UInt64) -> Int {
        let index = table.find(hash) { _ in true }
        guard index >= 0 else { return nextPlace }
        if index != last { slots.prefetch(index, byteCount: MemoryLayout<Connection>.size) }
        return index
    }

    @inline(__always)
    func prefetchSides(_ index: Int) {
        guard index < slots.count, index != last else { return }
        slots[index].sides.prefetch()
    }
}

extension ConnectionPart {
    @inline(__always)
    func prefetchExchange(_ index: Int, _ side: Int) {
        guard index < connections.slots.count, index != connections.last else { return }
        let current = Int(connections.slots[index].sides[side].current)
        books.exchanges.slots.prefetch(current, byteCount: MemoryLayout<Exchange>.size)
    }
}

// What is let go of was not looked at for some time.
extension ConnectionStore {
    /// A connection, and its sides, which are to be ended soon.
    @inline(__always)
    func prefetchEnd(_ later: Int, _ next: Int, _ books: borrowing Books) {
        slots.prefetch(later, byteCount: MemoryLayout<Connection>.size)
        guard next >= 0, next < slots.count else { return }
        slots[next].sides.prefetchAll()
        books.exchanges.slots.prefetch(Int(slots[next].firstExchange), byteCount: MemoryLayout<Exchange>.size)
    }

    /// What is looked at soon because its time has come.
    @inline(__always)
    func prefetchDue(_ later: DueWheel.Entry, _ books: borrowing Books) {
        slots.prefetch(Int(later.place), byteCount: MemoryLayout<Connection>.size)
        books.exchanges.slots.prefetch(Int(later.owner.index), byteCount: MemoryLayout<Exchange>.size)
    }
}
