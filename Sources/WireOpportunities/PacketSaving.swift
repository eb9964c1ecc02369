import WireCore

/// What headers of packets cost besides the bytes that they carry, where a message gets shorter: fewer bytes need fewer
/// packets.
enum PacketSaving {
    /// Sizes of network and transport headers: IPv4 and IPv6 with TCP, with and without timestamps.
    static let headerSizes = [52, 40, 72, 60]
    /// Ethernet's largest packet.
    static let largestPacket = 1500

    /// Bytes of headers that `removed` bytes fewer save. `costs`: of the direction that carried the message.
    static func headers(removing removed: Int, from costs: CostVector) -> Int {
        let payload = costs.message + costs[.tlsRecords]
        let headers = costs[.tcpip]
        guard removed > 0, payload > 0, headers > 0 else { return 0 }
        let (size, count) = packets(headers, payload)
        return self.headers(removing: removed, from: payload, packets: count, headerSize: size)
    }

    /// Packets of a message that came in more than it fills, so that its sender may not have had all of it at once; nil of one
    /// that its sender had. A head and a last chunk may have packets of their own, and a large body is written in pieces.
    static func ofStream(_ costs: CostVector) -> Int? {
        let payload = costs.message + costs[.tlsRecords]
        guard payload > 0, costs[.tcpip] > 0 else { return nil }
        let (size, count) = packets(costs[.tcpip], payload)
        let needed = (payload + largestPacket - size - 1) / (largestPacket - size)
        return count > needed + 2 + needed / 16 ? count : nil
    }

    /// The same for `payload` bytes in so many packets.
    static func headers(removing removed: Int, from payload: Int, packets count: Int, headerSize size: Int) -> Int {
        let left = max(payload - removed, 0)
        let room = largestPacket - size
        let isFull = count == (payload + room - 1) / room
        let needed = isFull ? (left + room - 1) / room : (count * left + payload - 1) / payload
        return (count - min(max(needed, 1), count)) * size
    }

    /// The size of a packet's headers, and how many packets there were: the size divides all of them.
    static func packets(_ headers: Int, _ payload: Int) -> (size: Int, count: Int) {
        var best: (size: Int, count: Int, distance: Int)?
        for size in headerSizes where headers.isMultiple(of: size) {
            let count = headers / size
            let room = largestPacket - size
            let distance = abs(count - (payload + room - 1) / room)
            if distance < best?.distance ?? .max { best = (size, count, distance) }
        }
        if let best { return (best.size, best.count) }
        // Headers of packets that carried other messages, too, were shared.
        let count = max(1, (headers + 26) / 52)
        return (headers / count, count)
    }
}
