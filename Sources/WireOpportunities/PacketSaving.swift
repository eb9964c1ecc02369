import WireCore

/// What headers of packets cost besides the bytes that they carry, where a message gets shorter: fewer bytes need fewer
/// packets.
enum PacketSaving {
    /// Sizes of network and transport headers: IP with TCP, with and without timestamps.
    private static func headerSizes(isVersion6: Bool) -> [Int] { isVersion6 ? [72, 60] : [52, 40] }
    static let headerSizes = headerSizes(isVersion6: false) + headerSizes(isVersion6: true)
    /// Ethernet's largest packet.
    static let largestPacket = 1500

    /// Of the headers of some calls' packets, those of packets that other calls share, which are sent for these, too.
    static func shared(of headers: Int, _ address: IPAddress) -> Int {
        let sizes = headerSizes(isVersion6: address.isVersion6)
        return sizes.contains { headers.isMultiple(of: $0) } ? 0 : headers % sizes[0]
    }

    /// Bytes of headers that `removed` bytes fewer save. `costs`: of the direction that carried the message.
    static func headers(removing removed: Int, from costs: CostVector) -> Int {
        let payload = costs.message + costs[.tlsRecords]
        let headers = costs[.tcpip]
        guard removed > 0, payload > 0, headers > 0 else { return 0 }
        // Packets that other messages share are filled up by these: fewer bytes need fewer of them, in proportion.
        guard headerSizes.contains(where: { headers.isMultiple(of: $0) }) else {
            return headers * min(removed, payload) / payload
        }
        let (size, count) = packets(headers, payload)
        return self.headers(removing: removed, from: payload, packets: count, headerSize: size)
    }

    /// Packets of a message that its sender may not have had all at once; nil of one that came as a whole. `time`: from its
    /// first packet to its last, nanoseconds.
    ///
    /// Packets far apart tell a stream, and the more of them there are than it fills, the closer they may be. Few only: a head
    /// and a last chunk may have packets of their own, a large body is written in pieces, and paths may take smaller packets.
    static func ofStream(_ costs: CostVector, time: Int64) -> Int? {
        let payload = costs.message + costs[.tlsRecords]
        guard payload > 0, costs[.tcpip] > 0 else { return nil }
        let (size, count) = packets(costs[.tcpip], payload)
        guard count > 2 else { return nil }
        let needed = (payload + largestPacket - size - 1) / (largestPacket - size)
        let least: Int64 = count > 2 * needed + 2 ? 5 : count > needed + 2 + needed / 16 ? 50 : 200
        return time / Int64(count - 1) >= least * 1_000_000 ? count : nil
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
