import WireCore
import WireTesting

/// The frames of the decoder's tests, and fragments.
enum FrameSeeds {
    static let all = fixtures + [fragments]

    private static let fixtures = FrameFixture.all.map { fixture in
        let number = fixture.linkType.rawValue
        let place = FramesTarget.linkTypes.firstIndex(of: number)
        let link = place.map { [UInt8($0), 0] } ?? [0xFF, 0] + [UInt8](be16: UInt16(truncatingIfNeeded: number))
        return link + fixture.bytes
    }

    /// Both halves of a datagram, each behind its length.
    private static let fragments = [0, 16].flatMap { start in
        var packet = PacketBuilder()
        let datagram = packet.transportBytes() + [UInt8](repeating: 0x61, count: 12)
        packet.transport = .other(6)
        packet.identification = 9
        packet.fragmentOffset = start
        packet.moreFragments = start == 0
        packet.payload = Array(datagram[start..<start + 16])
        let frame = packet.frame()
        return [0, 0x10, UInt8(frame.count)] + frame
    }
}
