/// TCP segments, UDP datagrams and fragments on their way into the books.
extension Auditor {
    @inline(__always)
    mutating func receiveSegment(_ packet: DecodedPacket, _ bytes: RawSpan, _ frame: CaptureFrame, _ file: Int) {
        receiveSegment(
            packet, bytes, frame, file, frames: 1, frameBytes: frame.originalLength, link: packet.linkBytes)
    }

    @inline(__always)
    private mutating func receiveSegment(
        _ packet: DecodedPacket, _ bytes: RawSpan, _ frame: CaptureFrame, _ file: Int, frames: Int, frameBytes: Int,
        link: Int
    ) {
        var segment = Segment()
        segment.time = frame.time
        segment.sequence = SequenceNumber(packet.sequence)
        segment.acknowledgment = SequenceNumber(packet.acknowledgment)
        segment.flags = packet.flags
        segment.payload = packet.payload
        segment.window = packet.window
        segment.identification = packet.identification
        segment.cost = HeaderCost(internet: packet.network + packet.transport, link: link)
        segment.frames = frames
        segment.frameBytes = frameBytes
        segment.headerLength = packet.transport
        if packet.flags.contains(.syn) { segment.maximumSegmentSize = maximumSegmentSize(packet, bytes) }
        let transport = bytes.extracting(packet.transportOffset..<packet.payloadOffset + packet.payloadCaptured)
        let place = connections.receive(&segment, packet, transport, frame, file, &books)
        guard place.isNew else { return }
        connections.introduce(place.index, packet, &books)
        if packet.processNameLength > 0 {
            let name = packet.processNameOffset..<packet.processNameOffset + packet.processNameLength
            connections.setProcessName(bytes.array(name), of: place.index)
        }
    }

    private func maximumSegmentSize(_ packet: DecodedPacket, _ bytes: RawSpan) -> Int? {
        let start = packet.transportOffset + 20
        let end = min(packet.transportOffset + packet.transport, bytes.byteCount)
        guard start < end else { return nil }
        return TCPOptions.parse(bytes.extracting(start..<end)).maximumSegmentSize
    }

    mutating func receiveDatagram(_ packet: DecodedPacket, _ bytes: RawSpan) {
        let payload = bytes.extracting(packet.payloadOffset..<packet.payloadOffset + packet.payloadCaptured)
        switch datagrams.classify(packet, payload) {
        case .dns:
            books.ledger.other.dns += packet.internetBytes
            if let message = DNSMessage(payload) { books.names.receive(message, packet) }
        case .quic: books.ledger.other.quic += packet.internetBytes
        case .other: books.ledger.other.udp += packet.internetBytes
        }
    }

    /// A fragment waits in `other_ip` until its datagram is whole; then all its bytes move to where they belong.
    mutating func receiveFragment(_ packet: DecodedPacket, _ bytes: RawSpan, _ frame: CaptureFrame, _ file: Int) {
        books.ledger.other.otherIP += packet.internetBytes
        let evicted = fragments.evicted
        let completed = fragments.add(packet, bytes, time: frame.time)
        if fragments.evicted > evicted { books.findings.add(.fragmentLimit, count: fragments.evicted - evicted) }
        guard let datagram = completed else { return }
        var whole = datagram.packet
        let content = unsafe datagram.bytes.span.bytes
        decoder.decodeTransport(content, into: &whole)
        whole.processNameLength = 0
        books.ledger.other.otherIP -= datagram.internetBytes
        moveLayers(of: datagram.sums, to: whole)
        switch whole.kind {
        case .tcp:
            receiveSegment(
                whole, content, frame, file, frames: datagram.frames, frameBytes: datagram.frameBytes,
                link: whole.linkBytes)
        case .udp: receiveDatagram(whole, content)
        case .icmp: books.ledger.other.icmp += whole.internetBytes
        default: books.ledger.other.otherIP += whole.internetBytes
        }
    }

    /// What the fragments were booked to gives way to what their datagram turned out to be.
    private mutating func moveLayers(of sums: FragmentReassembler.Sums, to whole: DecodedPacket) {
        books.ledger.layers.pseudo += whole.pseudo - sums.pseudo
        books.ledger.layers.link += whole.link - sums.link
        books.ledger.layers.tunnel += whole.tunnel - sums.tunnel
        books.ledger.layers.network += whole.network - sums.network
        books.ledger.layers.transport += whole.transport
        books.ledger.layers.payload += whole.payload - sums.payload
    }
}
