import WireNative

/// What a key of Multipath TCP gives: a digest is made of it, SHA-256, or SHA-1 in version 0 (RFC 8684 §3.2, RFC 6824 §3.2).
struct MultipathKey: Equatable, Sendable {
    /// By this others join its connection: the first 32 bits of the digest.
    let token: UInt32
    /// Number of the first byte that its endpoint sends, the lower half: the end of the digest, and one more.
    let firstNumber: UInt32

    init(_ key: [UInt8], version: UInt8) {
        let digest = version == 0 ? ShortDigest.sha1(key) : ShortDigest.sha256(key)
        token = digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        firstNumber = digest.suffix(4).reduce(0) { $0 << 8 | UInt32($1) } &+ 1
    }
}

/// The options of Multipath TCP of one segment (RFC 8684 §3).
struct MultipathOptions: Sendable {
    /// Says which numbers bytes of a subflow have in the connection (§3.3).
    struct Mapping: Equatable, Sendable {
        /// Number of the first byte, the lower half.
        var number: UInt32
        /// The place of that byte in the subflow, from 1.
        var place: UInt32
        /// Bytes; `nil` where the endpoints go back to plain TCP from there on (§3.7).
        var length: Int?
    }

    private enum Subtype {
        static let capable: UInt8 = 0
        static let join: UInt8 = 1
        static let data: UInt8 = 2
        static let fastClose: UInt8 = 7
    }

    /// Option kind.
    static let kind: UInt8 = 30

    /// There is one.
    private(set) var isPresent = false
    /// MP_CAPABLE: the segment opens a connection, or ends its handshake.
    private(set) var isCapable = false
    /// Of the sender, and of the receiver.
    private(set) var key: MultipathKey?
    private(set) var otherKey: MultipathKey?
    /// Length of the first data, which the keys came with.
    private(set) var firstLength: Int?
    /// MP_JOIN: a segment of a subflow's handshake.
    private(set) var isJoin = false
    /// The connection that a SYN joins, by the token of its receiver.
    private(set) var token: UInt32?
    /// Number of the next byte of the connection that the sender expects, the lower half.
    private(set) var acknowledgment: UInt32?
    private(set) var mapping: Mapping?
    /// Number of the end of the data (DATA_FIN), the lower half.
    private(set) var end: UInt32?
    /// MP_FASTCLOSE: the reset is that of the connection.
    private(set) var closesAll = false

    /// Reads a segment's TCP header, as far as it was captured.
    init(_ transport: RawSpan, headerLength: Int) {
        let end = min(headerLength, transport.byteCount)
        self.init(options: transport.extracting(min(20, end)..<end))
    }

    /// Reads the bytes behind the fixed header, until their end or the first option that is ill-formed.
    init(options: RawSpan) {
        var offset = 0
        while let (kind, range) = TCPOptions.next(options, &offset) {
            guard kind == Self.kind, range.count >= 3 else { continue }
            isPresent = true
            read(options.extracting(range))
        }
    }

    private mutating func read(_ option: RawSpan) {
        switch option.u8(2) >> 4 {
        case Subtype.capable: readKeys(option)
        case Subtype.join:
            isJoin = true
            if option.byteCount == 12 { token = option.be32(4) }
        case Subtype.data where option.byteCount >= 4: readSignal(option)
        case Subtype.fastClose: closesAll = true
        default: break
        }
    }

    /// Keys of both, and with the first data their length (§3.1).
    private mutating func readKeys(_ option: RawSpan) {
        isCapable = true
        let version = option.u8(2) & 0x0F
        if option.byteCount >= 12 { key = MultipathKey(option.array(4..<12), version: version) }
        if option.byteCount >= 20 { otherKey = MultipathKey(option.array(12..<20), version: version) }
        if option.byteCount >= 22 { firstLength = Int(option.be16(20)) }
    }

    /// A data sequence signal: acknowledgment of 4 or 8 bytes, number of 4 or 8, place in the subflow, length (§3.3).
    private mutating func readSignal(_ option: RawSpan) {
        let flags = option.u8(3)
        var offset = 4
        if flags & 0x01 != 0 {
            let length = flags & 0x02 == 0 ? 4 : 8
            guard option.byteCount >= offset + length else { return }
            acknowledgment = option.be32(offset + length - 4)
            offset += length
        }
        let numberLength = flags & 0x08 == 0 ? 4 : 8
        guard flags & 0x04 != 0, option.byteCount >= offset + numberLength + 6 else { return }
        let number = option.be32(offset + numberLength - 4)
        offset += numberLength
        var length = Int(option.be16(offset + 4))
        let isInfinite = length == 0
        if flags & 0x10 != 0, length > 0 {
            length -= 1
            end = number &+ UInt32(length)
        }
        // Without a place, or without bytes, it is the end of the data alone.
        let place = option.be32(offset)
        guard place > 0, length > 0 || isInfinite else { return }
        mapping = Mapping(number: number, place: place, length: isInfinite ? nil : length)
    }
}
