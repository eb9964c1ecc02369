/// The addresses and ports of a connection, smaller endpoint first, so that both directions have the same key.
struct ConnectionKey: Equatable, Sendable {
    var addressHigh: InlineArray<2, UInt64>
    var addressLow: InlineArray<2, UInt64>
    /// Port of direction 0 in the upper, of direction 1 in the lower 16 bits; bit 32 is set for IPv6.
    var ports: UInt64

    /// The direction that the packet goes in.
    private(set) var sender = Direction(0)

    init(high: InlineArray<2, UInt64>, low: InlineArray<2, UInt64>, ports: UInt64, sender: Direction) {
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

    var isVersion6: Bool { ports & (1 << 32) != 0 }

    /// Whether both are between the same hosts, whatever the ports.
    func hasAddresses(of other: ConnectionKey) -> Bool {
        addressLow[0] == other.addressLow[0] && addressLow[1] == other.addressLow[1]
            && addressHigh[0] == other.addressHigh[0] && addressHigh[1] == other.addressHigh[1]
    }

    /// A hash that an attacker cannot steer without knowing the seed: it is part of both factors of each product, so that
    /// nobody can choose addresses whose products meet, or are nothing.
    @inline(__always)
    func hash(seed: UInt64) -> UInt64 {
        let other = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xD6E8_FEB8_6659_FD93
        var hash = UInt64.fold(addressLow[0] ^ seed, addressLow[1] ^ other)
        hash = UInt64.fold(hash ^ addressHigh[0], (addressHigh[1] ^ other) &+ seed)
        return UInt64.fold(hash ^ ports, other ^ 0xA076_1D64_78BD_642F)
    }

    /// Shards that connections are dealt out to.
    package static let shardCount = 16

    /// The shard that the connection belongs to, which depends on its addresses and ports alone.
    @inline(__always)
    var shard: Int {
        var hash = (addressLow[0] &* 0x9E37_79B9_7F4A_7C15) ^ (addressLow[1] &* 0xBF58_476D_1CE4_E5B9)
        hash ^= (addressHigh[0] &* 0xA076_1D64_78BD_642F) ^ (addressHigh[1] &* 0xE703_7ED1_A0B4_28DB)
        hash ^= ports &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: ((hash ^ hash >> 32) &* 0x94D0_49BB_1331_11EB) >> 60)
    }

    /// The endpoint with the lower port, where nothing else tells which one is the server.
    var likelyServer: Direction { sender(of: 0).port >= sender(of: 1).port ? 1 : 0 }

    /// Whether one of the endpoints has the port.
    @inline(__always)
    func has(port: UInt16) -> Bool {
        UInt16(truncatingIfNeeded: ports) == port || UInt16(truncatingIfNeeded: ports >> 16) == port
    }

    /// The endpoint that sends the direction.
    func sender(of direction: Direction) -> Endpoint {
        let port = direction.index == 0 ? ports >> 16 : ports
        return Endpoint(
            address: IPAddress(
                high: addressHigh[direction.index], low: addressLow[direction.index], isVersion6: isVersion6),
            port: UInt16(truncatingIfNeeded: port))
    }
}
