import WireCore
import WireTesting

/// One TCP connection that is being written: its packets are planned exchange by exchange.
struct TrafficConnection {
    private enum Ending { case closed, reset, left }

    let clientAddress: UInt32
    let clientPort: UInt16
    let serverAddress: UInt32
    /// The packets planned last, and how many of them are written.
    private(set) var plan: [PlannedPacket] = []
    private(set) var written = 0
    private(set) var request = Message()
    private(set) var response = Message()
    /// The newest TCP timestamp of each direction (RFC 7323).
    var timestamps: (up: UInt32, down: UInt32) = (0, 0)

    private var upNext: UInt32
    private var downNext: UInt32
    private let roundTrip: Int64
    private let gap: Int64
    private var exchangesLeft: Int
    private let ending: Ending
    private var hasEnded = false
    /// When the last planned packet passes.
    private var end: Int64

    /// Plans the handshake.
    init(number: Int, at time: Int64, exchanges: Int, keepsOpen: Bool, _ random: inout SeededRandom) {
        clientAddress = 0x0a00_0000 + UInt32(number % 0xff_fffe) + 1
        clientPort = UInt16(32_768 + (number / 0xff_fffe) % 28_000)
        serverAddress = 0xc0a8_0001 + UInt32(random.below(16))
        upNext = UInt32(truncatingIfNeeded: random.next())
        downNext = UInt32(truncatingIfNeeded: random.next())
        roundTrip = Int64(random.logarithmic(200e3...40e6))
        gap = 2_000 + Int64(random.below(20_000))
        exchangesLeft = exchanges
        let chance = random.below(100)
        ending = keepsOpen || chance < 3 ? .left : chance < 7 ? .reset : .closed
        end = time + 25_000 + roundTrip
        add(time, isUp: true, .syn)
        upNext &+= 1
        add(time + 25_000, isUp: false, [.syn, .ack])
        downNext &+= 1
        add(end, isUp: true, .ack)
    }

    /// The time of the packet that is to be written next; nil when all that was planned is written.
    var nextTime: Int64? { written < plan.count ? plan[written].time : nil }

    /// The packet that is to be written next; it counts as written then.
    mutating func takeNext() -> PlannedPacket {
        written += 1
        return plan[written - 1]
    }

    /// Plans what follows; false when the connection has nothing more to say.
    mutating func planMore(
        _ messages: MessageWriter, think: ClosedRange<Double>, mayExchange: Bool, _ truth: inout TrafficTruth,
        _ random: inout SeededRandom
    ) -> Bool {
        guard !hasEnded else { return false }
        plan.removeAll(keepingCapacity: true)
        written = 0
        let start = end + Int64(random.logarithmic(think))
        guard exchangesLeft > 0, mayExchange else {
            planEnding(at: start)
            return !plan.isEmpty
        }
        exchangesLeft -= 1
        (request, response) = messages.exchange(&truth, &random)
        let asked = send(isUp: true, request.count, at: start, &truth, &random)
        let answered = send(
            isUp: false, response.count, at: asked + Int64(random.logarithmic(60e3...10e6)), &truth, &random)
        end = max(answered + roundTrip, plan.last.map(\.time) ?? 0)
        return true
    }

    /// Plans a message; when the receiver has it.
    private mutating func send(
        isUp: Bool, _ count: Int, at start: Int64, _ truth: inout TrafficTruth, _ random: inout SeededRandom
    ) -> Int64 {
        var transfer = TransferPlan(
            isUp: isUp, count: count, start: start, roundTrip: roundTrip, gap: gap, sequence: isUp ? upNext : downNext,
            acknowledgment: isUp ? downNext : upNext)
        transfer.make(&truth, &random)
        plan += transfer.packets
        if isUp { upNext &+= UInt32(count) } else { downNext &+= UInt32(count) }
        return transfer.delivered
    }

    private mutating func planEnding(at time: Int64) {
        hasEnded = true
        switch ending {
        case .left: return
        case .reset: add(time, isUp: true, [.ack, .rst])
        case .closed:
            add(time, isUp: true, [.ack, .fin])
            upNext &+= 1
            add(time + 60_000, isUp: false, [.ack, .fin])
            downNext &+= 1
            add(time + 60_000 + roundTrip, isUp: true, .ack)
        }
    }

    private mutating func add(_ time: Int64, isUp: Bool, _ flags: TCPFlags) {
        plan.append(
            PlannedPacket(
                time: time, isUp: isUp, flags: flags, sequence: isUp ? upNext : downNext,
                acknowledgment: flags.contains(.ack) ? isUp ? downNext : upNext : 0))
    }
}
