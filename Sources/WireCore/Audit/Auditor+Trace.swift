/// An audit that notes of which frame each byte is. Apart from `consume`, so that other audits do not pay for it.
extension Auditor {
    /// From now on it is noted of which frame each byte is. Of one file, without batches; to be called before the first frame.
    package mutating func begin(_ trace: ClaimTrace) {
        router.trace = trace
        for shard in 0..<shards.count { shards[shard].context.streams.attribution.begin(trace) }
    }

    /// Takes one frame, in place of `consume`, where there is a trace.
    package mutating func consume(_ frame: CaptureFrame, _ bytes: RawSpan, file: Int, noting trace: ClaimTrace) {
        trace.note(parts(of: frame, bytes), frame: frame.number)
        if frame.time > router.flows.deadline, router.releaseOverdue(at: frame.time) { receiveReleased() }
        let (other, datagrams) = (router.ledger.other, datagramTotals)
        let route = receive(frame, bytes, file: file)
        trace.noteOther(
            router.ledger.other.changed(since: other) ?? datagramTotals.changed(since: datagrams), frame: frame.number)
        if route.contains(.released) { receiveReleased() }
    }

    var datagramTotals: OtherTotals { shards[AuditOptions.datagramShard].context.ledger.other }

    private func parts(of frame: CaptureFrame, _ bytes: RawSpan) -> FrameParts {
        var packet = DecodedPacket()
        router.decoder.decode(bytes, frame, into: &packet)
        guard packet.kind != .nonIP else { return FrameParts(whole: frame.originalLength, .nonIP) }
        return FrameParts(
            pseudo: packet.pseudo, link: packet.link, tunnel: packet.tunnel,
            internet: packet.network + packet.transport + packet.payload, header: packet.network)
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
