/// Ethernet headers that capturing programs put before raw IP packets, so that a file can have the link type of Ethernet. They
/// were on no wire.
enum InventedEthernet {
    /// Tools for the packet capture service of iOS write the same two bytes six times: pymobiledevice3 BE EF,
    /// libimobiledevice's relatives BE FE. Where the packet came from Ethernet they leave its own header.
    private static let marks: [UInt16] = [0xbeef, 0xbefe]
    /// PCAPdroid has addresses of 0, and at the frame's end up to three bytes of padding and a trailer: its magic number,
    /// the number and name of the app, and a check sum.
    private static let trailerMagic: UInt32 = 0x0107_2021
    private static let trailerLength = 32

    /// Whether addresses may be invented: the first two bytes stand twice. Real ones hardly ever have that.
    @inline(__always)
    static func mayBegin(_ bytes: RawSpan) -> Bool { bytes.le16(0) == bytes.le16(2) }

    /// Books an invented header, and its trailer, to what the capture machinery made up. `packet` is the frame's.
    static func reclassify(_ bytes: RawSpan, _ frame: CaptureFrame, _ packet: inout DecodedPacket) {
        guard frame.linkType == .ethernet, bytes.byteCount >= 14, packet.kind != .nonIP, mayBegin(bytes) else { return }
        let mark = bytes.be16(0)
        guard stride(from: 4, to: 12, by: 2).allSatisfy({ bytes.be16($0) == mark }) else { return }
        if mark == 0 {
            let trailer = frame.originalLength - trailerLength
            guard bytes.byteCount == frame.originalLength,
                (14 + trailerLength...17 + trailerLength).contains(packet.link),
                bytes.be32(trailer) == trailerMagic
            else { return }
            (packet.processCarrier, packet.processOffset) = (.trailer, trailer)
        } else if !marks.contains(mark) {
            return
        }
        packet.pseudo += packet.link
        packet.link = 0
    }
}
