/// Ethernet type values (IEEE "EtherType" registry) that the decoder acts on.
enum EtherType {
    static let version4: UInt16 = 0x0800
    static let version6: UInt16 = 0x86dd
    static let transparentBridging: UInt16 = 0x6558
    static let ppp: UInt16 = 0x880b
    static let mpls: UInt16 = 0x8847
    static let mplsMulticast: UInt16 = 0x8848
    static let pppoeSession: UInt16 = 0x8864
    static let backboneService: UInt16 = 0x88e7
    static let ciscoMetadata: UInt16 = 0x8909
    /// VN-tag.
    static let virtualNetworkTag: UInt16 = 0x8926
    /// E-tag of IEEE 802.1BR.
    static let bridgePortTag: UInt16 = 0x893f
    /// NSH.
    static let serviceHeader: UInt16 = 0x894f

    /// Whether a VLAN tag follows (IEEE 802.1Q §9, and numbers in use before it gave one for stacked tags).
    static func isVirtualLAN(_ type: UInt16) -> Bool {
        type == 0x8100 || type == 0x88a8 || type == 0x9100 || type == 0x9200 || type == 0x9300
    }
}

/// Walks header by header from the beginning of a frame, or of what a tunnel carries, to the IP header inside.
///
/// Each step reads one header, moves `offset` behind it and names the next. `offset` never passes `end` or what was
/// captured, since every step first asks `has(_:)`. The steps live in extensions by family of headers.
struct HeaderWalk {
    /// The header that begins at `offset`.
    enum Header {
        /// The first header of a frame of this link type.
        case capture(LinkType)
        case ethernet
        /// What an Ethernet type announces.
        case etherType(UInt16)
        /// IEEE 802.2 LLC.
        case logicalLink
        case mpls
        case pppoe
        case ppp
        case wireless
        /// Network Service Header.
        case serviceHeader
        /// IP: the walk is at its goal.
        case internet
        /// Something without IP inside, or cut before IP.
        case none
    }

    /// Most headers in front of an IP header; more are nonsense.
    static let headerLimit = 24

    var next: Header
    var offset: Int
    /// End of the layer around, in bytes of the original frame.
    var end: Int
    /// Bytes just before `end` that are a frame check sequence.
    var trailer: Int
    /// Bytes that can be read.
    let captured: Int
    /// End of the headers that the capture machinery made up.
    var pseudo = 0
    var interfaceIndex: UInt32 = 0
    var processCarrier = ProcessCarrier.none
    var processOffset = 0
    /// The walk ended at `headerLimit` with more headers to come.
    private(set) var isTooDeep = false
    /// The walk ended at a protocol of the link itself.
    var isLinkControl = false
    /// The driver padded the 802.11 header to a multiple of four.
    var isWirelessHeaderPadded = false
    /// The two bytes of 802.11's frame control may be swapped, as some access points do in CAPWAP.
    var mayBeSwapped = false
    /// Where the first Ethernet header began and ended, to go back to should it be none.
    private var firstEthernet: (offset: Int, end: Int, trailer: Int)?

    init(at offset: Int, end: Int, trailer: Int = 0, captured: Int, next: Header) {
        self.offset = offset
        self.end = end
        self.trailer = trailer
        self.captured = captured
        self.next = next
    }

    /// Whether the next `count` bytes belong to the layer around and were captured.
    func has(_ count: Int) -> Bool {
        offset + count <= captured && offset + count <= end
    }

    /// Walks on until an IP header begins at `offset`; false when there is none.
    mutating func findInternet(_ bytes: RawSpan) -> Bool {
        for _ in 0..<Self.headerLimit {
            let header = next
            next = .none
            switch header {
            case .internet: return true
            case .none: return false
            case .capture(let linkType): stepIntoFrame(bytes, linkType)
            case .ethernet: stepEthernet(bytes)
            case .etherType(let type): stepEtherType(bytes, type)
            case .logicalLink: stepLogicalLink(bytes)
            case .mpls: stepLabels(bytes)
            case .pppoe: stepSession(bytes)
            case .ppp: stepPointToPoint(bytes)
            case .wireless: stepWireless(bytes)
            case .serviceHeader: stepServiceHeader(bytes)
            }
        }
        if case .internet = next { return true }
        if case .none = next { return false }
        isTooDeep = true
        return false
    }

    /// Narrows the layer around to `length` bytes from `offset`, if that many are there.
    mutating func narrow(to length: Int) {
        guard offset + length < end else { return }
        trailer = max(0, trailer - (end - offset - length))
        end = offset + length
    }

    /// Claims `count` bytes from `offset` as made up by the capture machinery and moves behind them; false when they
    /// were not all captured.
    mutating func skipPseudo(_ count: Int) -> Bool {
        pseudo = min(offset + count, end)
        guard has(count) else { return false }
        offset += count
        return true
    }

    // MARK: Ethernet

    private mutating func stepEthernet(_ bytes: RawSpan) {
        if firstEthernet == nil { firstEthernet = (offset, end, trailer) }
        stepTaggedEthernet(bytes, tagLength: 0)
    }

    /// Two addresses, a switch's own tag of `tagLength` bytes, and the type.
    mutating func stepTaggedEthernet(_ bytes: RawSpan, tagLength: Int) {
        guard has(14 + tagLength) else { return }
        let type = bytes.be16(offset + 12 + tagLength)
        offset += 14 + tagLength
        if type >= 0x0600 {
            next = .etherType(type)
        } else if type <= 1500 {
            // IEEE 802.3: the field is the length of what follows. Some offloads leave it 0.
            if type > 0 { narrow(to: Int(type)) }
            next = .logicalLink
        }
    }

    private mutating func stepEtherType(_ bytes: RawSpan, _ type: UInt16) {
        switch type {
        case EtherType.version4, EtherType.version6:
            next = .internet
        case _ where EtherType.isVirtualLAN(type):
            stepTag(bytes, length: 2)
        case EtherType.mpls, EtherType.mplsMulticast:
            next = .mpls
        case EtherType.pppoeSession:
            next = .pppoe
        case EtherType.ppp:
            next = .ppp
        case EtherType.transparentBridging:
            next = .ethernet
        case EtherType.backboneService:
            // IEEE 802.1ah: four bytes of tag, then the customer's frame.
            guard has(4) else { return }
            offset += 4
            next = .ethernet
        case EtherType.ciscoMetadata:
            stepCiscoMetadata(bytes)
        case EtherType.virtualNetworkTag:
            stepVirtualNetworkTag(bytes)
        case EtherType.bridgePortTag:
            stepTag(bytes, length: 6)
        case EtherType.serviceHeader:
            next = .serviceHeader
        default:
            isLinkControl = LinkControl.has(etherType: type)
        }
    }

    /// IEEE 802.2 with or without SNAP (RFC 1042), and the routed form of RFC 2684.
    private mutating func stepLogicalLink(_ bytes: RawSpan) {
        guard has(4) else { return }
        switch bytes.be32(offset) >> 8 {
        case 0xaaaa03:
            guard has(8) else { return }
            let organization = bytes.be32(offset + 2) & 0xff_ffff
            let type = bytes.be16(offset + 6)
            offset += 8
            // 00:00:00 and 00:00:f8 (IEEE 802.1H) say that an Ethernet type follows.
            if organization == 0 || organization == 0x0000f8 { next = .etherType(type) }
            isLinkControl = LinkControl.has(organization: organization, type)
        case 0x060603:
            offset += 3
            next = .internet
        case 0xfefe03 where bytes.u8(offset + 3) == 0xcc:
            offset += 4
            next = .internet
        case let service:
            isLinkControl = LinkControl.has(service: service)
        }
    }

    // MARK: Raw IP mislabelled as Ethernet

    /// Goes back to where Ethernet should have begun if a whole IPv4 packet begins there: some tools write raw IP
    /// under Ethernet's number. Asks for a valid header checksum and a total length that is the frame's.
    mutating func returnToMislabelledInternet(_ bytes: RawSpan) -> Bool {
        guard let firstEthernet else { return false }
        (offset, end, trailer) = firstEthernet
        let start = offset
        guard has(20), bytes.u8(start) >> 4 == 4 else { return false }
        let headerLength = Int(bytes.u8(start) & 0x0f) * 4
        guard headerLength >= 20, has(headerLength), start + Int(bytes.be16(start + 2)) == end - trailer else {
            return false
        }
        var sum: UInt32 = 0
        for word in stride(from: start, to: start + headerLength, by: 2) { sum += UInt32(bytes.be16(word)) }
        sum = (sum & 0xffff) + (sum >> 16)
        return (sum & 0xffff) + (sum >> 16) == 0xffff
    }
}
