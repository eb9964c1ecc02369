import Foundation
import WireCore

/// Writes TCP segments over IPv4 and Ethernet into a classic pcap file with microseconds.
struct PacketFile: ~Copyable {
    private static let room = 4 << 20
    /// Saturday, 21 November 2026, 10:12:08 UTC.
    private static let begin: Int64 = 1_795_255_928

    private let file: FileHandle
    private var buffer: [UInt8] = []
    private(set) var packets = 0
    private(set) var frameBytes = 0
    private(set) var bytes = 0

    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw WriteError(text: "cannot write \(path)") }
        self.file = file
        buffer.reserveCapacity(Self.room + 4096)
        // Magic number, version 2.4, no zone, snap length 262,144, Ethernet.
        for word: UInt32 in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 262_144, 1] { appendLittle(word) }
        bytes = buffer.count
    }

    mutating func write(_ packet: PlannedPacket, of connection: inout TrafficConnection) throws {
        let options = packet.flags.contains(.syn) ? 20 : 12
        let length = 54 + options + Int(packet.length)
        // Ethernet frames have at least 60 bytes without the check sequence.
        let padding = max(0, 60 - length)
        appendLittle(UInt32(Self.begin + packet.time / 1_000_000_000))
        appendLittle(UInt32(packet.time % 1_000_000_000 / 1000))
        appendLittle(UInt32(length + padding))
        appendLittle(UInt32(length + padding))
        let start = buffer.count
        appendHeaders(packet, of: connection, length: length - 14)
        appendOptions(packet, &connection)
        appendPayload(packet, packet.isUp ? connection.request : connection.response)
        seal(from: start, length: length)
        buffer.append(contentsOf: repeatElement(0, count: padding))
        packets += 1
        frameBytes += length + padding
        bytes += 16 + length + padding
        if buffer.count >= Self.room { try flush() }
    }

    mutating func finish() throws {
        try flush()
        try file.close()
    }

    private mutating func flush() throws {
        try file.write(contentsOf: Data(buffer))
        buffer.removeAll(keepingCapacity: true)
    }
}

// MARK: - Headers

extension PacketFile {
    /// Ethernet, IPv4 (Don't Fragment) and TCP, with checksums of zero.
    private mutating func appendHeaders(_ packet: PlannedPacket, of connection: TrafficConnection, length: Int) {
        let isUp = packet.isUp
        buffer.append(contentsOf: isUp ? [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1] : [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2])
        appendBig(UInt32(0x0800_4500))
        appendBig(UInt32(length) << 16 | UInt32(packets & 0xffff))
        appendBig(UInt32(0x4000_0006) | (isUp ? 52 : 64) << 8)
        appendBig(UInt16(0))
        appendBig(isUp ? connection.clientAddress : connection.serverAddress)
        appendBig(isUp ? connection.serverAddress : connection.clientAddress)
        appendBig(isUp ? connection.clientPort : 80)
        appendBig(isUp ? 80 : connection.clientPort)
        appendBig(packet.sequence)
        appendBig(packet.acknowledgment)
        let isFirst = packet.flags.contains(.syn)
        buffer.append(isFirst ? 0xa0 : 0x80)
        buffer.append(packet.flags.rawValue)
        // The window: behind the handshake times 512, so that nobody sends beyond it.
        appendBig(isFirst ? UInt16(64_240) : UInt16(501))
        appendBig(UInt32(0))
    }

    /// Timestamps on all; on a SYN segment size, selective acknowledgments and window scale too.
    private mutating func appendOptions(_ packet: PlannedPacket, _ connection: inout TrafficConnection) {
        let value = UInt32(truncatingIfNeeded: packet.time / 1_000_000) &+ (packet.isUp ? 700_000 : 90_000_000)
        let echo = packet.isUp ? connection.timestamps.down : connection.timestamps.up
        if packet.isUp { connection.timestamps.up = value } else { connection.timestamps.down = value }
        let isFirst = packet.flags.contains(.syn)
        buffer.append(contentsOf: isFirst ? [2, 4, 5, 180, 4, 2, 8, 10] : [1, 1, 8, 10])
        appendBig(value)
        appendBig(packet.flags.contains(.ack) ? echo : 0)
        if isFirst { buffer.append(contentsOf: [1, 3, 3, 9]) }
    }

    private mutating func appendPayload(_ packet: PlannedPacket, _ message: Message) {
        let (start, end) = (Int(packet.offset), Int(packet.offset + packet.length))
        guard end > start else { return }
        let head = message.head.count
        if start < head { buffer.append(contentsOf: message.head[start..<min(end, head)]) }
        if end > head { buffer.append(contentsOf: message.body[max(0, start - head)..<end - head]) }
    }

    /// Sets the checksums of IPv4 and TCP (RFC 1071).
    private mutating func seal(from start: Int, length: Int) {
        let internet = start + 14
        let (transport, end) = (start + 34, start + length)
        store(~fold(sum(internet, transport)), at: internet + 10)
        // The pseudo header: addresses, protocol, length (RFC 9293 §3.1).
        let pseudo =
            sum(internet + 12, transport) + UInt64(UInt16(6).bigEndian) + UInt64(UInt16(end - transport).bigEndian)
        store(~fold(pseudo + sum(transport, end)), at: transport + 16)
    }

    /// The bytes added up as words in the machine's order; an odd last byte is followed by a zero.
    private func sum(_ start: Int, _ end: Int) -> UInt64 {
        let bytes = unsafe buffer.span.bytes
        var sum: UInt64 = 0
        var offset = start
        while end - offset >= 8 {
            let word = bytes.le64(offset)
            sum += (word & 0xffff_ffff) + word >> 32
            offset += 8
        }
        while end - offset >= 2 {
            sum += UInt64(bytes.le16(offset))
            offset += 2
        }
        return offset < end ? sum + UInt64(bytes.u8(offset)) : sum
    }

    private func fold(_ value: UInt64) -> UInt16 {
        var sum = value
        while sum >> 16 != 0 { sum = sum & 0xffff + sum >> 16 }
        return UInt16(sum)
    }

    private mutating func store(_ value: UInt16, at offset: Int) {
        buffer[offset] = UInt8(truncatingIfNeeded: value)
        buffer[offset + 1] = UInt8(value >> 8)
    }

    private mutating func appendBig(_ value: UInt32) {
        appendLittle(value.byteSwapped)
    }

    private mutating func appendBig(_ value: UInt16) {
        buffer.append(UInt8(value >> 8))
        buffer.append(UInt8(truncatingIfNeeded: value))
    }

    private mutating func appendLittle(_ value: UInt32) {
        buffer.append(UInt8(truncatingIfNeeded: value))
        buffer.append(UInt8(truncatingIfNeeded: value >> 8))
        buffer.append(UInt8(truncatingIfNeeded: value >> 16))
        buffer.append(UInt8(truncatingIfNeeded: value >> 24))
    }
}
