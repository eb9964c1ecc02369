import WireCore
import WireTesting

/// A packet that will be captured.
struct PlannedPacket {
    /// Nanoseconds since the capture began.
    var time: Int64
    var isUp: Bool
    var flags: TCPFlags
    var sequence: UInt32
    var acknowledgment: UInt32
    /// The part of the message it carries.
    var offset: Int32 = 0
    var length: Int32 = 0
}

/// How one message travels: in windows that grow, with losses and their repair, every second segment acknowledged.
///
/// The capture point is at the server: the client's acknowledgments come a round trip later, the server's at once.
struct TransferPlan {
    static let segmentSize = 1448
    private static let serverDelay: Int64 = 30_000
    private static let windows = (first: 10, largest: 64)

    var isUp: Bool
    var count: Int
    var start: Int64
    var roundTrip: Int64
    /// Between two segments of a window.
    var gap: Int64
    /// Sequence number of the message's first byte.
    var sequence: UInt32
    /// What the sender has got from the other side.
    var acknowledgment: UInt32
    private(set) var packets: [PlannedPacket] = []
    /// When the receiver has the whole message.
    private(set) var delivered: Int64 = 0

    init(
        isUp: Bool, count: Int, start: Int64, roundTrip: Int64, gap: Int64, sequence: UInt32, acknowledgment: UInt32
    ) {
        self.isUp = isUp
        self.count = count
        self.start = start
        self.roundTrip = roundTrip
        self.gap = gap
        self.sequence = sequence
        self.acknowledgment = acknowledgment
    }

    /// A segment at the capture point.
    private struct Arrival {
        var time: Int64
        var index: Int
        /// False when it is lost behind the capture point.
        var arrives = true
    }

    mutating func make(_ truth: inout TrafficTruth, _ random: inout SeededRandom) {
        var arrivals = sendings(&truth, &random)
        if zip(arrivals, arrivals.dropFirst()).contains(where: { $0.time > $1.time }) {
            arrivals.sort { $0.time < $1.time }
        }
        receive(arrivals)
        if zip(packets, packets.dropFirst()).contains(where: { $0.time > $1.time }) {
            packets.sort { $0.time < $1.time }
        }
    }

    /// All segments with their fates: of 10,000, 50 are captured, lost and captured again, 20 overtaken by up to three
    /// others, 5 lost before they are captured.
    private func sendings(_ truth: inout TrafficTruth, _ random: inout SeededRandom) -> [Arrival] {
        let segments = (count + Self.segmentSize - 1) / Self.segmentSize
        var arrivals: [Arrival] = []
        arrivals.reserveCapacity(segments + 4)
        var (window, sent, begin) = (Self.windows.first, 0, start)
        for index in 0..<segments {
            if sent == window {
                begin += max(roundTrip, Int64(window) * gap)
                window = min(window * 2, Self.windows.largest)
                sent = 0
            }
            let time = begin + Int64(sent) * gap
            let repair = time + roundTrip + roundTrip / 2
            sent += 1
            switch random.below(10_000) {
            case 0..<50:
                arrivals.append(Arrival(time: time, index: index, arrives: false))
                arrivals.append(Arrival(time: repair, index: index))
                truth.resentSegments += 1
                truth.resentBytes += length(of: index)
            case 50..<70 where index + 1 < segments:
                let late = Int64(1 + random.below(3)) * gap + gap / 2
                arrivals.append(Arrival(time: time + late, index: index))
                truth.lateSegments += 1
            case 70..<75 where index + 1 < segments:
                arrivals.append(Arrival(time: repair, index: index))
                truth.lateSegments += 1
            default: arrivals.append(Arrival(time: time, index: index))
            }
        }
        return arrivals
    }

    private func length(of index: Int) -> Int { min(Self.segmentSize, count - index * Self.segmentSize) }

    /// What the capture point sees of the segments, and of the receiver's answers to them.
    private mutating func receive(_ arrivals: [Arrival]) {
        let segments = (count + Self.segmentSize - 1) / Self.segmentSize
        var (next, unacknowledged) = (0, 0)
        var early: Set<Int> = []
        packets.reserveCapacity(arrivals.count + arrivals.count / 2 + 1)
        for arrival in arrivals {
            addSegment(arrival)
            guard arrival.arrives else { continue }
            delivered = max(delivered, arrival.time)
            guard arrival.index == next else {
                // Out of order, or again: said at once (RFC 5681 §4.2).
                if arrival.index > next { early.insert(arrival.index) }
                addAcknowledgment(of: next, at: arrival.time)
                continue
            }
            let fillsHole = !early.isEmpty
            next += 1
            while early.remove(next) != nil { next += 1 }
            unacknowledged += 1
            // The end of a request is acknowledged by the response.
            let isEnd = next == segments
            if isUp && isEnd || !(fillsHole || isEnd || unacknowledged == 2) { continue }
            unacknowledged = 0
            addAcknowledgment(of: next, at: arrival.time)
        }
    }

    private mutating func addSegment(_ arrival: Arrival) {
        let (offset, length) = (arrival.index * Self.segmentSize, length(of: arrival.index))
        packets.append(
            PlannedPacket(
                time: arrival.time, isUp: isUp, flags: offset + length == count ? [.ack, .psh] : .ack,
                sequence: sequence &+ UInt32(offset), acknowledgment: acknowledgment, offset: Int32(offset),
                length: Int32(length)))
    }

    private mutating func addAcknowledgment(of segments: Int, at time: Int64) {
        let bytes = min(segments * Self.segmentSize, count)
        packets.append(
            PlannedPacket(
                time: time + (isUp ? Self.serverDelay : roundTrip), isUp: !isUp, flags: .ack,
                sequence: acknowledgment, acknowledgment: sequence &+ UInt32(bytes)))
    }
}
