/// Splits one frame into its layers.
///
///     frame ──▶ capture headers ──▶ link headers ──▶ IP (──▶ tunnel ──▶ IP …) ──▶ TCP or UDP
///
/// Consumes a frame's captured bytes, fills a `DecodedPacket`. Whatever the bytes are, the six layer sizes are not
/// negative and add up to the frame's original length: they are differences of positions that only ever narrow,
/// `0 ≤ pseudo ≤ outer start ≤ inner start ≤ inner end ≤ outer end ≤ original length`.
///
/// Lengths come from IP's total length and the original length; what was captured only says what can be read.
public struct PacketDecoder: Sendable {
    /// Most IP headers inside one another; what a deeper one carries counts as its payload.
    static let depthLimit = 8

    public init() {}

    /// Decodes one frame.
    ///
    /// - Parameters:
    ///   - bytes: The captured bytes, `frame.capturedLength` of them.
    ///   - frame: What the capture says of the frame.
    ///   - packet: Receives the result. Every field is set anew; `frameBytes` equals `frame.originalLength`.
    public func decode(_ bytes: RawSpan, _ frame: CaptureFrame, into packet: inout DecodedPacket) {
        if frame.linkType == .ethernet, bytes.byteCount >= 14 + 40, !InventedEthernet.mayBegin(bytes) {
            let type = bytes.be16(12)
            if type == EtherType.version4 {
                if decodeStraightVersion4(bytes, at: 14, frame.originalLength, into: &packet) { return }
                if decodeDatagramVersion4(bytes, at: 14, frame.originalLength, into: &packet) { return }
            } else if type == EtherType.version6 {
                if decodeStraightVersion6(bytes, at: 14, frame.originalLength, into: &packet) { return }
                if decodeDatagramVersion6(bytes, at: 14, frame.originalLength, into: &packet) { return }
            }
        }
        decodeStepwise(bytes, frame, into: &packet)
    }

    /// Decodes the payload of a reassembled IP datagram.
    ///
    /// - Parameters:
    ///   - datagram: The datagram from its transport header on, as far as it is known.
    ///   - packet: A fragment's packet: IP fields and the sizes `pseudo`, `link`, `tunnel` and `network` are set, and
    ///     `payload` is the datagram's length (taken to be at least what is known of it). Kind, offsets (counted in
    ///     `datagram`), `transport`, `payload`, ports and TCP fields are set. IPv6 extension headers inside the
    ///     datagram move to `network`; if it holds a tunnelled IP packet, that one's fields and sizes take over and
    ///     all around it moves to `tunnel`. The sum of the sizes stays what it was.
    @inline(never)
    public func decodeTransport(_ datagram: RawSpan, into packet: inout DecodedPacket) {
        let captured = datagram.byteCount
        let length = max(packet.payload, captured)
        var outer = InternetHeader(reassembled: packet, length: length)
        outer.walkExtensions(datagram, captured: captured)
        // Fragments of fragments are not rejoined: all of the datagram stays payload.
        if outer.isFragment { outer = InternetHeader(reassembled: packet, length: length) }
        var inner = innermost(datagram, from: outer, captured: captured)
        if inner.isFragment { inner = outer }
        if inner.start != outer.start || inner.transportOffset != outer.transportOffset {
            packet.tunnel += packet.network + inner.start + length - inner.end
            packet.network = inner.transportOffset - inner.start
        } else {
            packet.network += outer.transportOffset
        }
        packet.networkOffset = inner.start
        setInternet(inner, into: &packet)
        setTransport(datagram, inner, captured: captured, into: &packet)
    }
}
