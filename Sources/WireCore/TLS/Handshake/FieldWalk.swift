/// A walk over the fields of a handshake message: integers, and vectors with their length in front (RFC 8446 §3.4).
/// Nil from any step means that the field does not fit into the range.
struct FieldWalk {
    private(set) var offset: Int
    let end: Int

    init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset == end }

    mutating func u8(_ bytes: RawSpan) -> UInt8? {
        take(1).map { bytes.u8($0.lowerBound) }
    }

    mutating func u16(_ bytes: RawSpan) -> UInt16? {
        take(2).map { bytes.be16($0.lowerBound) }
    }

    /// A run of bytes of a known length.
    mutating func take(_ count: Int) -> Range<Int>? {
        guard count >= 0, end - offset >= count else { return nil }
        defer { offset += count }
        return offset..<offset + count
    }

    /// Content of a vector with one byte of length.
    mutating func vector8(_ bytes: RawSpan) -> Range<Int>? {
        u8(bytes).flatMap { take(Int($0)) }
    }

    /// Content of a vector with two bytes of length.
    mutating func vector16(_ bytes: RawSpan) -> Range<Int>? {
        u16(bytes).flatMap { take(Int($0)) }
    }

    /// Content of a vector with three bytes of length.
    mutating func vector24(_ bytes: RawSpan) -> Range<Int>? {
        guard let high = u8(bytes), let low = u16(bytes) else { return nil }
        return take(Int(high) << 16 | Int(low))
    }
}

/// The extensions that tell something here (RFC 8446 §4.2).
enum ExtensionType {
    static let serverName: UInt16 = 0
    static let applicationProtocol: UInt16 = 16
    static let encryptThenMAC: UInt16 = 22
    static let extendedMasterSecret: UInt16 = 23
    /// RFC 8879 §3.
    static let compressCertificate: UInt16 = 27
    static let sessionTicket: UInt16 = 35
    static let encryptedClientHello: UInt16 = 0xFE0D
    static let preSharedKey: UInt16 = 41
    static let earlyData: UInt16 = 42
    static let supportedVersions: UInt16 = 43
    /// RFC 9001 §8.2.
    static let transportParameters: UInt16 = 57
}

/// Reads a ProtocolNameList (RFC 7301 §3.1), at most `limit` names of it. Nil when it contradicts itself.
func protocolNames(_ bytes: RawSpan, _ range: Range<Int>, limit: Int) -> [[UInt8]]? {
    var names: [[UInt8]] = []
    var outer = FieldWalk(range)
    guard let list = outer.vector16(bytes), outer.isAtEnd else { return nil }
    var walk = FieldWalk(list)
    while !walk.isAtEnd {
        guard let name = walk.vector8(bytes), !name.isEmpty else { return nil }
        if names.count < limit { names.append(bytes.array(name)) }
    }
    return names
}
