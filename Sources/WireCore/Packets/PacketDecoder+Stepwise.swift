/// The way for every frame that is not on the straight path: header by header.
extension PacketDecoder {
    @inline(never)
    func decodeStepwise(_ bytes: RawSpan, _ frame: CaptureFrame, into packet: inout DecodedPacket) {
        decodeLayers(bytes, frame, into: &packet)
        InventedEthernet.reclassify(bytes, frame, &packet)
    }

    private func decodeLayers(_ bytes: RawSpan, _ frame: CaptureFrame, into packet: inout DecodedPacket) {
        let original = max(0, frame.originalLength)
        if decodeStraight(bytes, frame.linkType, original, into: &packet) { return }
        packet = DecodedPacket()
        let captured = min(bytes.byteCount, original)
        let trailer = min(max(0, frame.checkSequenceLength), original)
        var walk = HeaderWalk(
            at: 0, end: original, trailer: trailer, captured: captured, next: .capture(frame.linkType))
        var found = walk.findInternet(bytes) ? InternetHeader(bytes, walk) : nil
        if found == nil, walk.returnToMislabelledInternet(bytes) { found = InternetHeader(bytes, walk) }
        packet.interfaceIndex = walk.interfaceIndex
        packet.processCarrier = walk.processCarrier
        packet.processOffset = walk.processOffset
        packet.pseudo = walk.pseudo
        guard let outer = found else {
            if walk.isTooDeep { packet.oddities = .tooDeep }
            if walk.isLinkControl { packet.oddities = .linkControl }
            packet.link = original - walk.pseudo
            return
        }
        let inner = innermost(bytes, from: outer, captured: captured)
        packet.link = outer.start - walk.pseudo + original - outer.end
        packet.tunnel = inner.start - outer.start + outer.end - inner.end
        packet.network = inner.transportOffset - inner.start
        packet.networkOffset = inner.start
        setInternet(inner, into: &packet)
        setTransport(bytes, inner, captured: captured, into: &packet)
    }

    /// Follows tunnels inward to the last IP header that is sound.
    func innermost(_ bytes: RawSpan, from outer: InternetHeader, captured: Int) -> InternetHeader {
        var header = outer
        var depth = 1
        while !header.isFragment, let inner = header.tunnelledHeader(bytes, captured: captured) {
            guard depth < Self.depthLimit else {
                header.oddities.insert(.tooDeep)
                break
            }
            depth += 1
            header = inner
        }
        if header.holdsTunnelFragment(bytes, captured: captured) { header.oddities.insert(.tunnelFragment) }
        return header
    }

    /// Stores the fields of the innermost IP header.
    func setInternet(_ header: InternetHeader, into packet: inout DecodedPacket) {
        packet.source = header.source
        packet.destination = header.destination
        packet.hopLimit = header.hopLimit
        packet.identification = header.identification
        packet.protocolNumber = header.protocolNumber
        packet.fragmentOffset = header.fragmentOffset
        packet.moreFragments = header.moreFragments
        packet.oddities = header.oddities
    }

    /// Decodes what follows the innermost IP header.
    func setTransport(
        _ bytes: RawSpan, _ header: InternetHeader, captured: Int, into packet: inout DecodedPacket
    ) {
        let start = header.transportOffset
        let size = header.end - start
        let readable = min(header.end, captured) - start
        packet.kind = .otherIP
        var transport = 0
        if header.isFragment {
            packet.kind = .fragment
        } else if header.protocolNumber == InternetProtocol.tcp, readable >= 20 {
            let length = Int(bytes.u8(start + 12) >> 4) * 4
            if length >= 20, length <= size {
                packet.kind = .tcp
                transport = length
                setSegment(bytes, at: start, into: &packet)
            }
        } else if header.protocolNumber == InternetProtocol.udp, readable >= 8 {
            packet.kind = .udp
            transport = 8
            packet.sourcePort = bytes.be16(start)
            packet.destinationPort = bytes.be16(start + 2)
        } else if header.protocolNumber == InternetProtocol.icmp || header.protocolNumber == InternetProtocol.icmp6 {
            packet.kind = .icmp
        }
        packet.transport = transport
        packet.payload = size - transport
        packet.transportOffset = start
        packet.payloadOffset = min(start + transport, captured)
        packet.payloadCaptured = max(0, readable - transport)
    }

    /// Stores the fields of a TCP header whose 20 fixed bytes were captured (RFC 9293 §3.1).
    private func setSegment(_ bytes: RawSpan, at start: Int, into packet: inout DecodedPacket) {
        packet.sourcePort = bytes.be16(start)
        packet.destinationPort = bytes.be16(start + 2)
        packet.sequence = bytes.be32(start + 4)
        packet.acknowledgment = bytes.be32(start + 8)
        packet.flags = TCPFlags(rawValue: bytes.u8(start + 13))
        packet.window = bytes.be16(start + 14)
    }
}
