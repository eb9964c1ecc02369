/// IP protocol numbers (IANA "Assigned Internet Protocol Numbers") that the decoder acts on.
enum InternetProtocol {
    static let hopByHopOptions: UInt8 = 0
    static let icmp: UInt8 = 1
    static let version4: UInt8 = 4
    static let tcp: UInt8 = 6
    static let udp: UInt8 = 17
    static let version6: UInt8 = 41
    static let routing: UInt8 = 43
    static let fragment: UInt8 = 44
    static let genericRouting: UInt8 = 47
    static let authentication: UInt8 = 51
    static let icmp6: UInt8 = 58
    static let noNextHeader: UInt8 = 59
    static let destinationOptions: UInt8 = 60
    static let etherIP: UInt8 = 97
    static let mobility: UInt8 = 135
    static let hostIdentity: UInt8 = 139
    static let shim6: UInt8 = 140
    static let mpls: UInt8 = 137
}

/// One IP header with its options or extension headers, and the place of its packet in the frame.
///
///     start        transportOffset                 end
///     |  IP header, extensions  |  what it carries  |
///
/// Positions count from the frame's first byte; `start ≤ transportOffset ≤ end` holds always, and everything before
/// `transportOffset` was captured.
struct InternetHeader {
    var start: Int
    var transportOffset: Int
    /// End of the packet by its own length field, cut to the layer around it.
    var end: Int
    var protocolNumber: UInt8
    var hopLimit: UInt8 = 0
    var identification: UInt32 = 0
    /// It is a part of a datagram: its offset is not 0 or more fragments follow.
    var isFragment = false
    var fragmentOffset = 0
    var moreFragments = false
    /// `tooDeep`: another IP header is inside, one more than is followed.
    var oddities: PacketOddities = []
    var source = IPAddress()
    var destination = IPAddress()

    /// Reads the IP header to which a walk has come; nil when it was not captured whole or is nonsense.
    init?(_ bytes: RawSpan, _ walk: HeaderWalk) {
        guard walk.has(20) else { return nil }
        start = walk.offset
        transportOffset = start
        end = walk.end
        protocolNumber = 0
        switch bytes.u8(start) >> 4 {
        case 4: guard readVersion4(bytes, walk) else { return nil }
        case 6: guard readVersion6(bytes, walk) else { return nil }
        default: return nil
        }
        walkExtensions(bytes, captured: walk.captured)
    }

    /// The header of a reassembled datagram whose bytes begin after the IP header.
    init(reassembled packet: DecodedPacket, length: Int) {
        start = 0
        transportOffset = 0
        end = length
        protocolNumber = packet.protocolNumber
        hopLimit = packet.hopLimit
        identification = packet.identification
        source = packet.source
        destination = packet.destination
    }

    /// RFC 791 §3.1.
    private mutating func readVersion4(_ bytes: RawSpan, _ walk: HeaderWalk) -> Bool {
        let headerLength = Int(bytes.u8(start) & 0x0f) * 4
        let totalLength = Int(bytes.be16(start + 2))
        guard headerLength >= 20, walk.has(headerLength), totalLength == 0 || totalLength >= headerLength else {
            return false
        }
        transportOffset = start + headerLength
        setEnd(length: totalLength == 0 ? nil : totalLength, walk)
        identification = UInt32(bytes.be16(start + 4))
        let fragmentation = bytes.be16(start + 6)
        fragmentOffset = Int(fragmentation & 0x1fff) * 8
        moreFragments = fragmentation & 0x2000 != 0
        isFragment = fragmentOffset != 0 || moreFragments
        hopLimit = bytes.u8(start + 8)
        protocolNumber = bytes.u8(start + 9)
        source = IPAddress(version4: bytes.be32(start + 12))
        destination = IPAddress(version4: bytes.be32(start + 16))
        return true
    }

    /// RFC 8200 §3; a jumbogram's length stands in an option (RFC 2675 §2).
    private mutating func readVersion6(_ bytes: RawSpan, _ walk: HeaderWalk) -> Bool {
        guard walk.has(40) else { return false }
        transportOffset = start + 40
        protocolNumber = bytes.u8(start + 6)
        hopLimit = bytes.u8(start + 7)
        source = IPAddress(high: bytes.be64(start + 8), low: bytes.be64(start + 16), isVersion6: true)
        destination = IPAddress(high: bytes.be64(start + 24), low: bytes.be64(start + 32), isVersion6: true)
        let payloadLength = Int(bytes.be16(start + 4))
        if payloadLength != 0 || protocolNumber == InternetProtocol.noNextHeader {
            setEnd(length: 40 + payloadLength, walk)
        } else if let jumbo = jumboPayloadLength(bytes, captured: min(walk.captured, walk.end)) {
            setEnd(length: 40 + jumbo, walk)
        } else {
            setEnd(length: nil, walk)
        }
        return true
    }

    /// Places the packet's end by its length field, or by the layer around it when there is none. The length governs
    /// even over a declared frame check sequence: files exist that declare one and hold none.
    private mutating func setEnd(length: Int?, _ walk: HeaderWalk) {
        let withoutTrailer = max(transportOffset, walk.end - walk.trailer)
        if let length {
            let isBeyond = start + length > walk.end
            if isBeyond { oddities.insert(.lengthBeyondFrame) }
            end = isBeyond ? withoutTrailer : start + length
        } else {
            oddities.insert(.lengthFromFrame)
            end = withoutTrailer
        }
    }

    /// The length of a jumbogram from the hop-by-hop options that must follow the IPv6 header at once.
    private func jumboPayloadLength(_ bytes: RawSpan, captured: Int) -> Int? {
        guard protocolNumber == InternetProtocol.hopByHopOptions, transportOffset + 8 <= captured else { return nil }
        let optionsEnd = min(captured, transportOffset + 8 + Int(bytes.u8(transportOffset + 1)) * 8)
        var option = transportOffset + 2
        while option + 2 <= optionsEnd {
            let type = bytes.u8(option)
            if type == 0 {
                option += 1
                continue
            }
            if type == 0xc2, bytes.u8(option + 1) == 4, option + 6 <= optionsEnd {
                return Int(bytes.be32(option + 2))
            }
            option += 2 + Int(bytes.u8(option + 1))
        }
        return nil
    }

    /// Moves over IPv6 extension headers (RFC 8200 §4) and the authentication header (RFC 4302) of either version, as
    /// far as they were captured whole. A fragment ends the walk: what follows belongs to the datagram.
    mutating func walkExtensions(_ bytes: RawSpan, captured: Int) {
        let readable = min(captured, end)
        while !isFragment, transportOffset + 8 <= readable {
            let length: Int
            switch protocolNumber {
            case InternetProtocol.authentication:
                length = (Int(bytes.u8(transportOffset + 1)) + 2) * 4
            case InternetProtocol.fragment where source.isVersion6:
                length = 8
            case InternetProtocol.hopByHopOptions, InternetProtocol.routing, InternetProtocol.destinationOptions,
                InternetProtocol.mobility, InternetProtocol.hostIdentity, InternetProtocol.shim6:
                guard source.isVersion6 else { return }
                length = (Int(bytes.u8(transportOffset + 1)) + 1) * 8
            default:
                return
            }
            guard transportOffset + length <= readable else { return }
            if protocolNumber == InternetProtocol.fragment { readFragmentHeader(bytes) }
            protocolNumber = bytes.u8(transportOffset)
            transportOffset += length
        }
    }

    /// RFC 8200 §4.5. A fragment that is the whole datagram ("atomic", RFC 6946) is none.
    private mutating func readFragmentHeader(_ bytes: RawSpan) {
        let fragmentation = bytes.be16(transportOffset + 2)
        fragmentOffset = Int(fragmentation & 0xfff8)
        moreFragments = fragmentation & 1 != 0
        isFragment = fragmentOffset != 0 || moreFragments
        identification = bytes.be32(transportOffset + 4)
    }
}
