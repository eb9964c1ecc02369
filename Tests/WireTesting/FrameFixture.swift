import WireCore

/// A frame and the layers that it must be split into.
package struct FrameFixture: Sendable {
    package struct Layers: Equatable, Sendable {
        package var pseudo = 0
        package var link = 0
        package var tunnel = 0
        package var network = 0
        package var transport = 0
        package var payload = 0

        package init(pseudo: Int, link: Int, tunnel: Int, network: Int, transport: Int, payload: Int) {
            self.pseudo = pseudo
            self.link = link
            self.tunnel = tunnel
            self.network = network
            self.transport = transport
            self.payload = payload
        }

        package init(_ packet: DecodedPacket) {
            self.init(
                pseudo: packet.pseudo, link: packet.link, tunnel: packet.tunnel, network: packet.network,
                transport: packet.transport, payload: packet.payload)
        }
    }

    package var name: String
    package var linkType: LinkType
    package var bytes: [UInt8]
    package var kind: DecodedPacket.Kind
    package var layers: Layers

    /// `headers` in front of `Bytes.tcp4` (50 bytes: 20 of IP, 20 of TCP, 10 of payload) unless other content is given.
    package init(
        _ name: String, _ linkType: UInt32, _ headers: [UInt8], _ content: [UInt8] = Bytes.tcp4, pseudo: Int = 0,
        link: Int = 0, tunnel: Int = 0, network: Int = 20, transport: Int = 20, payload: Int = 10,
        kind: DecodedPacket.Kind = .tcp
    ) {
        self.name = name
        self.linkType = LinkType(rawValue: linkType)
        self.bytes = headers + content
        self.kind = kind
        layers = Layers(
            pseudo: pseudo, link: link, tunnel: tunnel, network: network, transport: transport, payload: payload)
    }

    package var testDescription: String { name }
}

/// Decodes a frame of which `captured` bytes were captured.
package func decode(
    _ bytes: [UInt8], _ linkType: LinkType = .ethernet, original: Int? = nil, checkSequence: Int = 0
) -> DecodedPacket {
    // Every field is set to something wrong first, so that one left out shows.
    var packet = DecodedPacket()
    packet.pseudo = 7
    packet.tunnel = 7
    packet.identification = 7
    packet.fragmentOffset = 7
    packet.moreFragments = true
    packet.sourcePort = 7
    packet.sequence = 7
    packet.interfaceIndex = 7
    packet.processCarrier = .trailer
    packet.processOffset = 7
    packet.lengthFromFrame = true
    packet.lengthBeyondFrame = true
    let frame = CaptureFrame(
        number: 1, time: 0, capturedLength: bytes.count, originalLength: original ?? bytes.count, linkType: linkType,
        checkSequenceLength: checkSequence)
    unsafe PacketDecoder().decode(bytes.span.bytes, frame, into: &packet)
    return packet
}

/// Everything that a packet says, with positions counted from where the link header ends.
package func facts(_ packet: DecodedPacket, headerLength: Int) -> [UInt64] {
    let shift = packet.kind == .nonIP ? 0 : headerLength
    let numbers = [
        packet.tunnel, packet.network, packet.transport, packet.payload, packet.networkOffset - shift,
        packet.transportOffset - shift, packet.payloadOffset - shift, packet.payloadCaptured, packet.fragmentOffset,
        packet.moreFragments ? 1 : 0, packet.lengthFromFrame ? 1 : 0, packet.lengthBeyondFrame ? 1 : 0,
        Int(packet.kind.rawValue), Int(packet.protocolNumber), Int(packet.identification), Int(packet.sourcePort),
        Int(packet.destinationPort), Int(packet.sequence), Int(packet.acknowledgment), Int(packet.flags.rawValue),
        Int(packet.window), Int(packet.processCarrier.rawValue), packet.processOffset,
    ]
    return numbers.map { UInt64(bitPattern: Int64($0)) } + [
        packet.source.high, packet.source.low, packet.source.isVersion6 ? 1 : 0, packet.destination.high,
        packet.destination.low, packet.destination.isVersion6 ? 1 : 0,
    ]
}

/// What is wrong with a packet's sizes and positions, whatever the frame was; nil if nothing is.
package func inconsistency(_ packet: DecodedPacket, captured: Int, original: Int) -> String? {
    let layers = FrameFixture.Layers(packet)
    let sizes = [layers.pseudo, layers.link, layers.tunnel, layers.network, layers.transport, layers.payload]
    if packet.frameBytes != original { return "layers sum to \(packet.frameBytes), the frame has \(original)" }
    if sizes.contains(where: { $0 < 0 }) { return "negative size in \(layers)" }
    if packet.payloadCaptured < 0 || packet.payloadCaptured > packet.payload {
        return "\(packet.payloadCaptured) of \(packet.payload) payload bytes captured"
    }
    if packet.payloadOffset + packet.payloadCaptured > captured { return "payload beyond the captured bytes" }
    if packet.payloadOffset < packet.transportOffset || packet.transportOffset < packet.networkOffset {
        return "positions out of order"
    }
    if packet.processCarrier != .none, packet.processOffset + 32 > captured {
        return "process beyond the captured bytes"
    }
    if packet.kind == .nonIP, layers.tunnel + packet.internetBytes != 0 { return "IP bytes in a frame without IP" }
    if packet.kind != .nonIP, layers.network < 20 { return "IP without a header" }
    return nil
}

/// Headers as byte sequences. Numbers that a test does not look at are arbitrary.
package enum Bytes {
    /// IPv4, TCP from port 40000 to 80 without options, ten bytes of payload.
    package static let tcp4: [UInt8] = internet(PacketBuilder())
    /// The same over IPv6.
    package static let tcp6: [UInt8] = internet(version6Builder)

    package static var version6Builder: PacketBuilder {
        var builder = PacketBuilder()
        builder.source = IPAddress(high: 0x2001_0db8_0000_0000, low: 1, isVersion6: true)
        builder.destination = IPAddress(high: 0x2001_0db8_0000_0000, low: 2, isVersion6: true)
        return builder
    }

    private static func internet(_ builder: PacketBuilder) -> [UInt8] {
        var builder = builder
        builder.payload = [UInt8](repeating: 0x61, count: 10)
        return builder.internetPacket(builder.transportBytes())
    }

    package static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] { (0..<count).flatMap { _ in bytes } }

    package static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    package static func ethernet(_ type: UInt16) -> [UInt8] {
        [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1] + [UInt8](be16: type)
    }

    /// `content` behind an IPv4 header.
    package static func version4(_ protocolNumber: UInt8, _ content: [UInt8]) -> [UInt8] {
        var builder = PacketBuilder()
        builder.transport = .other(protocolNumber)
        builder.source = IPAddress(version4: 0xc0a8_0001)
        builder.destination = IPAddress(version4: 0xc0a8_0002)
        return builder.internetPacket(content)
    }

    /// `content` behind an IPv6 header.
    package static func version6(_ nextHeader: UInt8, _ content: [UInt8]) -> [UInt8] {
        var builder = version6Builder
        builder.transport = .other(nextHeader)
        return builder.internetPacket(content)
    }

    /// `content` behind IPv4 and UDP.
    package static func datagram(from source: UInt16 = 50_000, to destination: UInt16, _ content: [UInt8]) -> [UInt8] {
        let length = [UInt8](be16: UInt16(8 + content.count))
        return version4(17, [UInt8](be16: source) + [UInt8](be16: destination) + length + [0, 0] + content)
    }

    package static let snap: [UInt8] = [0xaa, 0xaa, 3, 0, 0, 0, 8, 0]
    /// An 802.11 data frame's header of 24 bytes, from the station to the access point.
    package static let wireless: [UInt8] = [0x08, 0x01] + zeros(22)

    /// PKTAP's header; `effective` is nil where it tells of no other process.
    package static func processTap(
        _ linkType: UInt8, name: String, pid: UInt8 = 0, effective: (pid: UInt8, name: String)? = nil
    ) -> [UInt8] {
        var bytes = zeros(108)
        bytes[0] = 108
        bytes[4] = 1
        bytes[8] = linkType
        bytes[52] = pid
        bytes.replaceSubrange(56..<56 + name.utf8.count, with: name.utf8)
        bytes.replaceSubrange(84..<88, with: effective.map { [$0.pid, 0, 0, 0] } ?? repeated([0xFF], 4))
        let other = effective?.name.utf8 ?? "".utf8
        bytes.replaceSubrange(88..<88 + other.count, with: other)
        return bytes
    }
}

/// Who a frame is of.
package func process(of bytes: [UInt8], _ linkType: LinkType = .ethernet) -> CaptureProcess? {
    let directory = ProcessDirectory()
    return directory.process(unsafe directory.number(of: decode(bytes, linkType), bytes.span.bytes))
}
