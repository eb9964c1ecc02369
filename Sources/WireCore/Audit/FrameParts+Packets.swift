extension FrameParts {
    /// Of a packet of IP.
    init(_ packet: DecodedPacket) {
        self.init(
            pseudo: packet.pseudo, link: packet.link, tunnel: packet.tunnel,
            internet: packet.network + packet.transport + packet.payload)
    }
}

extension OtherTotals {
    /// The line that grew by a frame; nil where none did.
    func changed(since before: OtherTotals) -> FrameParts.Other? {
        if dns > before.dns { return .dns }
        if quic > before.quic { return .quic }
        if wireGuard > before.wireGuard { return .wireGuard }
        if udp > before.udp { return .udp }
        if icmp > before.icmp { return .icmp }
        // Fragments wait there, and may stay.
        return otherIP > before.otherIP ? .otherIP : nil
    }
}
