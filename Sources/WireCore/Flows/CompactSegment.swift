/// A routed segment while it waits for its shard, in less than half of the memory: what passes between threads comes out of
/// the processor's nearest memory, and there most of its price lies.
///
/// Only common segments fit in: those in one frame, with small headers, that open nothing and equal no other.
struct CompactSegment: Sendable {
    private var ordinal: Int
    private var steadyTime: Int64
    private var time: Int64
    private var bytesSoFar: Int
    private var addressHigh: InlineArray<2, UInt64>
    private var addressLow: InlineArray<2, UInt64>
    private var ports: UInt64
    private var number: UInt32
    private var sequence: UInt32
    private var acknowledgment: UInt32
    private var payload: UInt32
    private var identification: UInt32
    private var frameBytes: UInt32
    private var transportCaptured: UInt32
    private var offset: UInt32
    private var length: UInt32
    private var file: UInt16
    private(set) var buffer: UInt16
    private var internet: UInt16
    private var link: UInt16
    private var headerLength: UInt16
    private var pseudo: UInt16
    private var tunnel: UInt16
    private var transportOffset: UInt16
    private var window: UInt16
    private var process: UInt16
    private var flags: TCPFlags
    private var hopLimit: UInt8
    private var direction: UInt8

    @inline(__always)
    var key: ConnectionKey {
        ConnectionKey(high: addressHigh, low: addressLow, ports: ports, sender: Direction(Int(direction)))
    }

    /// Nil where it does not fit.
    @inline(__always)
    init?(_ routed: inout RoutedSegment) {
        let segment = routed.segment
        guard routed.kind == .segment, routed.lookup == 0, segment.frames == 1,
            segment.maximumSegmentSize == nil, !segment.hasMultipath, segment.cost.hidden == 0,
            segment.senderFlags == 0, routed.resemblance == nil,
            let number = UInt32(exactly: routed.number), let payload = UInt32(exactly: segment.payload),
            let frameBytes = UInt32(exactly: segment.frameBytes),
            let captured = UInt32(exactly: routed.transportCaptured), let offset = UInt32(exactly: routed.offset),
            let length = UInt32(exactly: routed.length), let file = UInt16(exactly: routed.file),
            let buffer = UInt16(exactly: routed.buffer), let internet = UInt16(exactly: segment.cost.internet),
            let link = UInt16(exactly: segment.cost.link), let header = UInt16(exactly: segment.headerLength),
            let pseudo = UInt16(exactly: routed.pseudo), let tunnel = UInt16(exactly: routed.tunnel),
            let transportOffset = UInt16(exactly: routed.transportOffset)
        else { return nil }
        (ordinal, steadyTime, time) = (routed.ordinal, routed.steadyTime, segment.time)
        bytesSoFar = routed.bytesSoFar
        (addressHigh, addressLow, ports) = (routed.key.addressHigh, routed.key.addressLow, routed.key.ports)
        (sequence, acknowledgment) = (segment.sequence.rawValue, segment.acknowledgment.rawValue)
        (self.number, self.payload, self.frameBytes) = (number, payload, frameBytes)
        (identification, window, process) = (segment.identification, segment.window, routed.process)
        (transportCaptured, self.offset, self.length) = (captured, offset, length)
        (self.file, self.buffer) = (file, buffer)
        (self.internet, self.link, headerLength) = (internet, link, header)
        (self.pseudo, self.tunnel, self.transportOffset) = (pseudo, tunnel, transportOffset)
        (flags, hopLimit) = (segment.flags, segment.hopLimit)
        direction = UInt8(truncatingIfNeeded: segment.direction.index)
    }

    /// Writes it into a routed segment that was taken from another of these, or is new.
    @inline(__always)
    func unpack(into routed: inout RoutedSegment) {
        (routed.ordinal, routed.steadyTime, routed.segment.time) = (ordinal, steadyTime, time)
        routed.bytesSoFar = bytesSoFar
        routed.key = ConnectionKey(high: addressHigh, low: addressLow, ports: ports, sender: Direction(Int(direction)))
        routed.segment.direction = Direction(Int(direction))
        routed.segment.sequence = SequenceNumber(sequence)
        routed.segment.acknowledgment = SequenceNumber(acknowledgment)
        routed.number = Int(number)
        routed.segment.payload = Int(payload)
        routed.segment.frameBytes = Int(frameBytes)
        routed.segment.identification = identification
        routed.segment.window = window
        routed.transportCaptured = Int(transportCaptured)
        (routed.offset, routed.length) = (Int(offset), Int(length))
        (routed.file, routed.buffer) = (Int(file), Int(buffer))
        routed.segment.cost = HeaderCost(internet: Int(internet), link: Int(link))
        routed.segment.headerLength = Int(headerLength)
        (routed.pseudo, routed.tunnel) = (Int(pseudo), Int(tunnel))
        routed.process = process
        routed.transportOffset = Int(transportOffset)
        (routed.segment.flags, routed.segment.hopLimit) = (flags, hopLimit)
    }
}
