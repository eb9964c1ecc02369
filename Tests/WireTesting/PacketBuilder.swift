import WireCore

/// Builds one frame: a link header, IPv4 or IPv6, TCP or UDP, a payload. Change a copy's fields for the next frame.
///
///     var packet = PacketBuilder()
///     packet.flags = .syn
///     packet.options = [.maximumSegmentSize(1460), .windowScale(7)]
///     let bytes = packet.frame()
public struct PacketBuilder: Sendable {
    /// The header in front of IP.
    public enum Link: Sendable {
        case ethernet
        case raw
        case cooked
        /// Linux cooked version 2, seen at the interface of this index.
        case cooked2(interfaceIndex: UInt32)
        case null

        public var linkType: LinkType {
            switch self {
            case .ethernet: .ethernet
            case .raw: LinkType(rawValue: 101)
            case .cooked: LinkType(rawValue: 113)
            case .cooked2: LinkType(rawValue: 276)
            case .null: LinkType(rawValue: 0)
            }
        }
    }

    public enum Transport: Sendable {
        case tcp
        case udp
        /// Another protocol number; ports and TCP fields are left out.
        case other(UInt8)
    }

    public enum Option: Sendable {
        case maximumSegmentSize(UInt16)
        case windowScale(UInt8)
        case selectiveAcknowledgmentPermitted
        case timestamps(value: UInt32, echo: UInt32)
        case fastOpenCookie([UInt8])
        case noOperation
        /// Bytes as they stand, for options of another kind and ill-formed ones.
        case bytes([UInt8])
    }

    public var link = Link.ethernet
    /// VLAN identifiers, the outermost first; only with Ethernet and cooked headers.
    public var vlanTags: [UInt16] = []
    public var source = IPAddress(version4: 0x0a00_0001)
    public var destination = IPAddress(version4: 0x0a00_0002)
    public var transport = Transport.tcp
    public var sourcePort: UInt16 = 40_000
    public var destinationPort: UInt16 = 80
    public var sequence: UInt32 = 0
    public var acknowledgment: UInt32 = 0
    public var flags: TCPFlags = .ack
    public var window: UInt16 = 65_535
    /// TCP options in order; padded to a multiple of four.
    public var options: [Option] = []
    public var payload: [UInt8] = []
    public var identification: UInt16 = 0
    /// TTL or hop limit.
    public var timeToLive: UInt8 = 64
    /// The fragment's place in bytes, a multiple of 8. IPv6 fragments get a fragment header.
    public var fragmentOffset = 0
    public var moreFragments = false
    /// Replaces IP's total length (IPv4) or payload length (IPv6).
    public var lengthField: UInt16?
    /// Zero bytes up to the smallest Ethernet frame of 60 bytes.
    public var padsToMinimum = false
    /// Bytes after the IP packet: padding, or a frame check sequence.
    public var trailer: [UInt8] = []
    public var hasValidChecksums = true

    public init() {}

    public var linkType: LinkType { link.linkType }

    /// The whole frame.
    public func frame() -> [UInt8] {
        var bytes = linkHeader()
        bytes += internetPacket(transportBytes())
        if padsToMinimum, bytes.count < 60 { bytes += [UInt8](repeating: 0, count: 60 - bytes.count) }
        bytes += trailer
        return bytes
    }

    /// The transport header and what it carries.
    public func transportBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        let checksumOffset: Int
        let number: UInt8
        switch transport {
        case .other: return payload
        case .udp:
            bytes.reserveCapacity(8 + payload.count)
            bytes.append(be16: sourcePort)
            bytes.append(be16: destinationPort)
            bytes.append(be16: UInt16(truncatingIfNeeded: 8 + payload.count))
            bytes.append(be16: 0)
            checksumOffset = 6
            number = 17
        case .tcp:
            appendTCPHeader(to: &bytes)
            checksumOffset = 16
            number = 6
        }
        bytes += payload
        let pseudoHeader = pseudoHeader(protocolNumber: number, length: bytes.count)
        var checksum = Self.checksum(of: Self.sum(pseudoHeader) + Self.sum(bytes))
        if number == 17, checksum == 0 { checksum = 0xffff }
        bytes.replace(be16: written(checksum), at: checksumOffset)
        return bytes
    }

    private func appendTCPHeader(to bytes: inout [UInt8]) {
        let optionBytes = self.optionBytes()
        bytes.reserveCapacity(20 + optionBytes.count + payload.count)
        bytes.append(be16: sourcePort)
        bytes.append(be16: destinationPort)
        bytes.append(be32: sequence)
        bytes.append(be32: acknowledgment)
        bytes.append(UInt8((20 + optionBytes.count) / 4) << 4)
        bytes.append(flags.rawValue)
        bytes.append(be16: window)
        bytes.append(be32: 0)
        bytes += optionBytes
    }

    /// `content` behind this builder's IP header.
    public func internetPacket(_ content: [UInt8]) -> [UInt8] {
        source.isVersion6 ? version6Packet(content) : version4Packet(content)
    }

    /// The Internet checksum (RFC 1071).
    public static func checksum(_ bytes: [UInt8]) -> UInt16 { checksum(of: sum(bytes)) }

    private static func checksum(of sum: UInt64) -> UInt16 {
        var sum = sum
        while sum > 0xffff { sum = (sum & 0xffff) + (sum >> 16) }
        return ~UInt16(sum)
    }

    /// Sum of the words; a last byte alone is the first one of its word.
    private static func sum(_ bytes: [UInt8]) -> UInt64 {
        var sum: UInt64 = 0
        for index in stride(from: 1, to: bytes.count, by: 2) {
            sum += UInt64(bytes[index - 1]) << 8 | UInt64(bytes[index])
        }
        if bytes.count % 2 == 1, let last = bytes.last { sum += UInt64(last) << 8 }
        return sum
    }
}

// MARK: - Parts

extension PacketBuilder {
    private func linkHeader() -> [UInt8] {
        var type: UInt16 = source.isVersion6 ? 0x86dd : 0x0800
        var tags: [UInt8] = []
        for tag in vlanTags.reversed() {
            tags = [UInt8](be16: tag) + [UInt8](be16: type) + tags
            type = 0x8100
        }
        switch link {
        case .ethernet:
            return [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1] + [UInt8](be16: type) + tags
        case .raw:
            return []
        case .cooked:
            return [0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0] + [UInt8](be16: type) + tags
        case .cooked2(let interfaceIndex):
            return [UInt8](be16: type) + [0, 0] + [UInt8](be32: interfaceIndex)
                + [0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0] + tags
        case .null:
            return [source.isVersion6 ? 30 : 2, 0, 0, 0]
        }
    }

    private var protocolNumber: UInt8 {
        switch transport {
        case .tcp: 6
        case .udp: 17
        case .other(let number): number
        }
    }

    private func version4Packet(_ content: [UInt8]) -> [UInt8] {
        let totalLength = lengthField ?? UInt16(truncatingIfNeeded: 20 + content.count)
        let fragmentation = UInt16(fragmentOffset / 8) | (moreFragments ? 0x2000 : 0)
        var packet: [UInt8] = []
        packet.reserveCapacity(20 + content.count)
        packet.append(be16: 0x4500)
        packet.append(be16: totalLength)
        packet.append(be16: identification)
        packet.append(be16: fragmentation)
        packet.append(be16: UInt16(timeToLive) << 8 | UInt16(protocolNumber))
        packet.append(be16: 0)
        packet.append(be32: UInt32(truncatingIfNeeded: source.low))
        packet.append(be32: UInt32(truncatingIfNeeded: destination.low))
        packet.replace(be16: written(Self.checksum(packet)), at: 10)
        packet += content
        return packet
    }

    private func version6Packet(_ content: [UInt8]) -> [UInt8] {
        var body = content
        var next = protocolNumber
        if fragmentOffset != 0 || moreFragments {
            let fragmentation = UInt16(fragmentOffset) | (moreFragments ? 1 : 0)
            body = [next, 0] + [UInt8](be16: fragmentation) + [UInt8](be32: UInt32(identification)) + content
            next = 44
        }
        let length = lengthField ?? UInt16(truncatingIfNeeded: body.count)
        return [0x60, 0, 0, 0] + [UInt8](be16: length) + [next, timeToLive] + addressBytes(source)
            + addressBytes(destination) + body
    }

    private func addressBytes(_ address: IPAddress) -> [UInt8] {
        var bytes: [UInt8] = []
        if address.isVersion6 {
            bytes.reserveCapacity(16)
            bytes.append(be32: UInt32(truncatingIfNeeded: address.high >> 32))
            bytes.append(be32: UInt32(truncatingIfNeeded: address.high))
            bytes.append(be32: UInt32(truncatingIfNeeded: address.low >> 32))
        }
        bytes.append(be32: UInt32(truncatingIfNeeded: address.low))
        return bytes
    }

    private func pseudoHeader(protocolNumber: UInt8, length: Int) -> [UInt8] {
        var bytes = addressBytes(source)
        bytes += addressBytes(destination)
        bytes.append(be32: UInt32(length))
        bytes.append(be32: UInt32(protocolNumber))
        return bytes
    }

    private func optionBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        for option in options {
            switch option {
            case .maximumSegmentSize(let size): bytes += [2, 4] + [UInt8](be16: size)
            case .windowScale(let shift): bytes += [3, 3, shift]
            case .selectiveAcknowledgmentPermitted: bytes += [4, 2]
            case .timestamps(let value, let echo): bytes += [8, 10] + [UInt8](be32: value) + [UInt8](be32: echo)
            case .fastOpenCookie(let cookie): bytes += [34, UInt8(2 + cookie.count)] + cookie
            case .noOperation: bytes.append(1)
            case .bytes(let raw): bytes += raw
            }
        }
        while bytes.count % 4 != 0 { bytes.append(1) }
        return bytes
    }

    private func written(_ checksum: UInt16) -> UInt16 {
        hasValidChecksums ? checksum : checksum ^ 0x5555
    }
}

extension [UInt8] {
    /// Two bytes, most significant first.
    public init(be16 value: UInt16) {
        self = [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    /// Four bytes, most significant first.
    public init(be32 value: UInt32) {
        self = []
        append(be32: value)
    }

    mutating func append(be16 value: UInt16) {
        append(UInt8(value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    mutating func append(be32 value: UInt32) {
        append(be16: UInt16(value >> 16))
        append(be16: UInt16(truncatingIfNeeded: value))
    }

    mutating func replace(be16 value: UInt16, at index: Int) {
        self[index] = UInt8(value >> 8)
        self[index + 1] = UInt8(truncatingIfNeeded: value)
    }
}
