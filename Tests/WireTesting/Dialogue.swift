import WireCore

/// One TCP connection, written packet by packet; places in a direction are counted from its first byte after the SYN.
///
///     var talk = Dialogue()
///     talk.handshake()
///     talk.data(.client, "GET / HTTP/1.1\r\n\r\n")
///     talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
///     talk.close()
///     let capture = talk.audit()
///
/// Packets are a millisecond apart, have Ethernet headers (14 bytes), 20 bytes of IPv4 and 20 of TCP unless changed, and
/// each its own identification. A packet acknowledges all that the other side sent before, unless told otherwise.
public struct Dialogue: Sendable {
    public enum Side: Int, CaseIterable, Sendable {
        case client, server
        public var other: Side { self == .client ? .server : .client }
    }

    /// All frames so far. Take out, move, or change them to damage the capture.
    public var frames: [CapturedFrame] = []
    /// Time of the next packet, nanoseconds.
    public var time: Int64 = 1_000_000_000_000
    /// From one packet to the next.
    public var interval: Int64 = 1_000_000
    /// What all packets have in common, as the client sends them.
    public var template: PacketBuilder
    /// Sequence numbers of the SYNs, by side.
    public var initialSequence: [UInt32] = [1000, 5000]
    /// Bytes each side sent so far.
    public private(set) var sent = [0, 0]
    /// One more than the last byte where the FIN was sent.
    private var finished = [0, 0]
    private var identification: [UInt16] = [100, 200]

    public init(clientPort: UInt16 = 51_234) {
        template = PacketBuilder()
        template.sourcePort = clientPort
    }

    public func audit(_ options: AuditOptions = AuditOptions()) -> AuditedCapture {
        WireTesting.audit(frames, options)
    }

    /// Sends a packet. `position` is the place of its first byte; -1 is the SYN's.
    @discardableResult
    public mutating func send(
        _ side: Side, _ flags: TCPFlags, at position: Int, _ payload: [UInt8] = [], acknowledging: Int? = nil,
        _ change: (inout PacketBuilder) -> Void = { _ in }
    ) -> Int {
        let own = side.rawValue
        let other = side.other.rawValue
        var packet = template
        if side == .server {
            swap(&packet.source, &packet.destination)
            swap(&packet.sourcePort, &packet.destinationPort)
        }
        identification[own] &+= 1
        packet.identification = identification[own]
        packet.flags = flags
        packet.sequence = initialSequence[own] &+ 1 &+ UInt32(truncatingIfNeeded: position)
        if flags.contains(.ack) {
            let acknowledged = acknowledging ?? sent[other] + finished[other]
            packet.acknowledgment = initialSequence[other] &+ 1 &+ UInt32(truncatingIfNeeded: acknowledged)
        }
        packet.payload = payload
        change(&packet)
        frames.append(CapturedFrame(time: time, packet))
        time += interval
        return frames.count - 1
    }
}

// MARK: - Packets by their names

extension Dialogue {
    public mutating func syn(
        _ side: Side, _ payload: String = "", acknowledges: Bool? = nil,
        _ change: (inout PacketBuilder) -> Void = { _ in }
    ) {
        let answers = acknowledges ?? (side == .server)
        sent[side.rawValue] = max(sent[side.rawValue], payload.utf8.count)
        send(side, answers ? [.syn, .ack] : .syn, at: -1, Array(payload.utf8), acknowledging: 0, change)
    }

    /// SYN, SYN with ACK, ACK.
    public mutating func handshake() {
        syn(.client)
        syn(.server)
        ack(.client)
    }

    /// Payload; without a place, what comes next in its direction.
    public mutating func data(
        _ side: Side, _ payload: [UInt8], at position: Int? = nil, acknowledging: Int? = nil,
        _ change: (inout PacketBuilder) -> Void = { _ in }
    ) {
        let start = position ?? sent[side.rawValue]
        sent[side.rawValue] = max(sent[side.rawValue], start + payload.count)
        send(side, [.ack, .psh], at: start, payload, acknowledging: acknowledging, change)
    }

    public mutating func data(
        _ side: Side, _ payload: String, at position: Int? = nil, acknowledging: Int? = nil,
        _ change: (inout PacketBuilder) -> Void = { _ in }
    ) {
        data(side, Array(payload.utf8), at: position, acknowledging: acknowledging, change)
    }

    public mutating func ack(_ side: Side, upTo acknowledging: Int? = nil, window: UInt16 = 65_535) {
        send(side, .ack, at: sent[side.rawValue] + finished[side.rawValue], acknowledging: acknowledging) {
            $0.window = window
        }
    }

    public mutating func fin(_ side: Side, _ payload: String = "", acknowledging: Int? = nil) {
        let start = sent[side.rawValue]
        sent[side.rawValue] += payload.utf8.count
        send(side, [.ack, .fin], at: start, Array(payload.utf8), acknowledging: acknowledging)
        finished[side.rawValue] = 1
    }

    public mutating func rst(_ side: Side, _ payload: String = "") {
        send(side, [.rst, .ack], at: sent[side.rawValue], Array(payload.utf8))
    }

    /// FIN, FIN with ACK, ACK.
    public mutating func close() {
        fin(.client)
        fin(.server)
        ack(.client)
    }

    /// Bytes that the capture missed: they were sent, no frame holds them.
    public mutating func lose(_ side: Side, _ count: Int) { sent[side.rawValue] += count }
}
