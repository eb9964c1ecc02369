/// sFlow version 5: beginnings of frames that a switch saw, one of so many, and sent to a collector.
///
/// They are no traffic of their own: the frames passed elsewhere. The datagram counts as the UDP that it is.
enum SampledFrames {
    static let port: UInt16 = 6343

    /// How many raw packet headers the datagram holds, as far as it was captured; 0 where it is no sFlow.
    static func count(_ packet: DecodedPacket, _ payload: RawSpan) -> Int {
        guard packet.destinationPort == port, payload.byteCount >= 28, payload.be32(0) == 5 else { return 0 }
        let address: Int
        switch payload.be32(4) {
        case 1: address = 4
        case 2: address = 16
        default: return 0
        }
        // Behind the agent's address: its part, a sequence number, its uptime, the number of samples.
        var offset = 8 + address + 16
        guard offset <= payload.byteCount else { return 0 }
        var left = payload.be32(offset - 4)
        var count = 0
        while left > 0, let sample = item(payload, offset) {
            left -= 1
            count += countHeaders(payload, format: payload.be32(offset), sample)
            offset = sample.upperBound
        }
        return count
    }

    /// Content of a sample or record whose format and length stand at `offset`, as far as it was captured.
    private static func item(_ payload: RawSpan, _ offset: Int) -> Range<Int>? {
        guard offset + 8 <= payload.byteCount else { return nil }
        let length = Int(payload.be32(offset + 4))
        return offset + 8..<min(offset + 8 + length, payload.byteCount)
    }

    /// Raw packet headers among the records of a flow sample, of the short or the expanded form.
    private static func countHeaders(_ payload: RawSpan, format: UInt32, _ sample: Range<Int>) -> Int {
        let head: Int
        switch format {
        case 1: head = 32
        case 3: head = 44
        default: return 0
        }
        guard sample.count >= head else { return 0 }
        var offset = sample.lowerBound + head
        var left = payload.be32(offset - 4)
        var count = 0
        while left > 0, offset + 8 <= sample.upperBound, let record = item(payload, offset) {
            left -= 1
            if payload.be32(offset) == 1 { count += 1 }
            offset = record.upperBound
        }
        return count
    }
}
