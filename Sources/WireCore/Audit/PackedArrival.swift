/// An arrival while it waits for its part, in less than half of the memory: what passes between threads comes out of the
/// processor's nearest memory, and there most of its price lies.
///
/// Only common segments fit in: those in one frame, with small headers, that open nothing and bring no name.
struct PackedArrival: Sendable {
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
    private var flags: TCPFlags
    private var hopLimit: UInt8
    private var side: UInt8
    private var mayBeCopy: Bool

    @inline(__always)
    var key: ConnectionKey { ConnectionKey(high: addressHigh, low: addressLow, ports: ports, sender: Int(side)) }

    /// Nil where it does not fit.
    @inline(__always)
    init?(_ arrival: inout Arrival) {
        let segment = arrival.segment
        guard arrival.kind == .segment, arrival.lookup == nil, arrival.processNameLength == 0, segment.frames == 1,
            segment.maximumSegmentSize == nil, segment.cost.hidden == 0,
            let number = UInt32(exactly: arrival.number), let payload = UInt32(exactly: segment.payload),
            let frameBytes = UInt32(exactly: segment.frameBytes),
            let captured = UInt32(exactly: arrival.transportCaptured), let offset = UInt32(exactly: arrival.offset),
            let length = UInt32(exactly: arrival.length), let file = UInt16(exactly: arrival.file),
            let buffer = UInt16(exactly: arrival.buffer), let internet = UInt16(exactly: segment.cost.internet),
            let link = UInt16(exactly: segment.cost.link), let header = UInt16(exactly: segment.headerLength),
            let pseudo = UInt16(exactly: arrival.pseudo), let tunnel = UInt16(exactly: arrival.tunnel),
            let transportOffset = UInt16(exactly: arrival.transportOffset)
        else { return nil }
        (ordinal, steadyTime, time) = (arrival.ordinal, arrival.steadyTime, segment.time)
        bytesSoFar = arrival.bytesSoFar
        (addressHigh, addressLow, ports) = (arrival.key.addressHigh, arrival.key.addressLow, arrival.key.ports)
        (sequence, acknowledgment) = (segment.sequence.rawValue, segment.acknowledgment.rawValue)
        (self.number, self.payload, self.frameBytes) = (number, payload, frameBytes)
        (identification, window) = (segment.identification, segment.window)
        (transportCaptured, self.offset, self.length) = (captured, offset, length)
        (self.file, self.buffer) = (file, buffer)
        (self.internet, self.link, headerLength) = (internet, link, header)
        (self.pseudo, self.tunnel, self.transportOffset) = (pseudo, tunnel, transportOffset)
        (flags, hopLimit) = (segment.flags, segment.hopLimit)
        side = UInt8(truncatingIfNeeded: segment.side)
        mayBeCopy = arrival.mayBeCopy
    }

    /// Writes it into an arrival that was taken from another of these, or is new.
    @inline(__always)
    func unpack(into arrival: inout Arrival) {
        (arrival.ordinal, arrival.steadyTime, arrival.segment.time) = (ordinal, steadyTime, time)
        arrival.bytesSoFar = bytesSoFar
        arrival.key = ConnectionKey(high: addressHigh, low: addressLow, ports: ports, sender: Int(side))
        arrival.segment.side = Int(side)
        arrival.segment.sequence = SequenceNumber(sequence)
        arrival.segment.acknowledgment = SequenceNumber(acknowledgment)
        arrival.number = Int(number)
        arrival.segment.payload = Int(payload)
        arrival.segment.frameBytes = Int(frameBytes)
        arrival.segment.identification = identification
        arrival.segment.window = window
        arrival.transportCaptured = Int(transportCaptured)
        (arrival.offset, arrival.length) = (Int(offset), Int(length))
        (arrival.file, arrival.buffer) = (Int(file), Int(buffer))
        arrival.segment.cost = HeaderCost(internet: Int(internet), link: Int(link))
        arrival.segment.headerLength = Int(headerLength)
        (arrival.pseudo, arrival.tunnel) = (Int(pseudo), Int(tunnel))
        arrival.transportOffset = Int(transportOffset)
        (arrival.segment.flags, arrival.segment.hopLimit) = (flags, hopLimit)
        arrival.mayBeCopy = mayBeCopy
    }
}
