import WireCore

/// Brings the frames of several interfaces into the order of their times.
///
/// Each interface's frames come in one after another and leave in that order. A frame leaves when every interface that
/// still lives has a later one waiting, or when it was taken from the system so long ago that an earlier one can no
/// longer come. Clocks may jump: then the order between interfaces is off for a moment, and nothing waits for longer.
struct LiveMerge {
    private var queues: [FrameQueue]
    private var isLiving: [Bool]
    /// Nanoseconds that a frame may wait for the others.
    private let patience: Int64
    /// With more bytes than this held, frames leave without waiting.
    private let byteLimit: Int
    private(set) var heldBytes = 0

    init(interfaces: Int, patience: Int64, byteLimit: Int) {
        queues = Array(repeating: FrameQueue(), count: interfaces)
        isLiving = Array(repeating: true, count: interfaces)
        self.patience = patience
        self.byteLimit = byteLimit
    }

    var isEmpty: Bool { heldBytes == 0 }
    var isFull: Bool { heldBytes > byteLimit }

    mutating func add(_ frame: HeldFrame, _ bytes: RawSpan, interface: Int) {
        let before = queues[interface].heldBytes
        queues[interface].append(frame, bytes)
        heldBytes += queues[interface].heldBytes - before
    }

    /// Nothing more comes from an interface; what it gave still has its turn.
    mutating func end(_ interface: Int) {
        isLiving[interface] = false
    }

    /// Hands out what may leave at a moment of the monotonic clock, at most `limit` frames; returns their number.
    mutating func release(limit: Int, now: Int64, _ body: (_ interface: Int, HeldFrame, RawSpan) -> Void) -> Int {
        var count = 0
        while count < limit, let turn = turn(), turn.leavesAt <= now {
            let before = queues[turn.interface].heldBytes
            queues[turn.interface].takeFirst { frame, bytes in body(turn.interface, frame, bytes) }
            heldBytes += queues[turn.interface].heldBytes - before
            count += 1
        }
        return count
    }

    /// The moment of the monotonic clock at which the next frame may leave; nil when none is held.
    var nextMoment: Int64? { turn()?.leavesAt }

    /// Whose frame is next, and from when on it may leave.
    private func turn() -> (interface: Int, leavesAt: Int64)? {
        var earliest: (interface: Int, frame: HeldFrame)?
        var oldest: (interface: Int, fetched: Int64)?
        var isWaiting = false
        for interface in queues.indices {
            guard let head = queues[interface].head else {
                if isLiving[interface] { isWaiting = true }
                continue
            }
            if head.time < earliest?.frame.time ?? .max || earliest == nil { earliest = (interface, head) }
            if head.fetched < oldest?.fetched ?? .max || oldest == nil { oldest = (interface, head.fetched) }
        }
        guard let earliest, let oldest else { return nil }
        let leavesAt = isWaiting && !isFull ? oldest.fetched &+ patience : .min
        // One that waited so long before the other came at all is not overtaken, whatever the times say.
        let isOvertaking = oldest.fetched &+ patience <= earliest.frame.fetched
        return (isOvertaking ? oldest.interface : earliest.interface, leavesAt)
    }
}
