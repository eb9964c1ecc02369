import WireTesting

@testable import WireCore

/// A random program of packets, records, claims, bytes that wait and costs that follow others, for one connection: runs
/// on an `Attribution` and on a `SlowLedger` at once.
///
/// Direct: units lie in the stream one after another, as frames of HTTP/2 in the clear. Else they lie in records.
final class AttributionProgram {
    /// What lies in the stream next.
    enum Element {
        case claim(Owner, Cause, Int)
        /// Bytes whose owner shows with the next element.
        case partial(Int)
        /// The owner of the bytes before shows with these.
        case resolve(Owner, Cause, Int)
        /// Nobody will know whose the bytes before were.
        case abandon
        /// A record that is read when it is whole.
        case record(lead: Int, content: [Element], trail: Int, isEarly: Bool)
        /// A record that is followed by length.
        case counted(Owner, Cause, Int)
        /// Records held as early data are read, or dropped.
        case decide(isAccepted: Bool)

        var count: Int {
            switch self {
            case .claim(_, _, let count), .partial(let count), .resolve(_, _, let count), .counted(_, _, let count):
                count
            case .abandon, .decide: 0
            case .record(let lead, let content, let trail, _): content.reduce(lead + trail) { $0 + $1.count }
            }
        }
    }

    /// A record that waits for its decision.
    struct Early {
        var unit: RecordUnit
        var content: [Element]
        var packet: PacketContext
    }

    let isDirect: Bool
    var random: SeededRandom
    var attribution = Attribution()
    let storage = UnsafePairStorage(repeating: ConnectionAccount())
    var model = SlowLedger()
    var owners: [Owner] = []

    /// By direction: elements to come, the bytes of the first that were consumed, pieces of a record that is not whole.
    var elements: [[Element]] = [[], []]
    var consumed = [0, 0]
    var pieces: [[UnitPiece]] = [[], []]
    var early: [[Early]] = [[], []]
    /// Places of bytes without an owner, in the slow ledger.
    var unresolved: [[Int]] = [[], []]
    var next = [0, 0]
    /// Packet of the slow ledger in which bytes are delivered, and whether one is that did not wait.
    var packet = 0
    var isDelivering = false

    /// Records read so far; their bytes' owners may show later.
    var records: [(lead: Int, trail: Int, start: Int, content: Int, direction: Direction)] = []
    /// Only records that are counted begin.
    var finishesElements = false
    /// Early data comes before all other content of its direction.
    var hasContent = [false, false]

    // What was entered, and where it is while it has no cause.
    var entered = 0
    var kept = 0
    var unread = 0
    var postponed: [(cost: DeferredCost, direction: Direction)] = []
    var failures: [String] = []

    init(seed: UInt64, isDirect: Bool) {
        self.isDirect = isDirect
        random = SeededRandom(seed: seed)
        attribution.connection = storage.pair
        for direction in Direction.both {
            attribution.connection[direction].runs = OwnerRuns(from: .zero, isDirect: isDirect)
        }
        for _ in 0..<5 { owners.append(attribution.openAccount()) }
    }

    // MARK: The invariant

    /// Bytes that have a cause.
    var attributed: Int {
        var sum = 0
        for index in 0..<attribution.accounts.count {
            for direction in Direction.both { sum += attribution.accounts[index].costs[direction].internet }
        }
        for direction in Direction.both {
            sum += attribution.connection[direction].unattributed.internet
        }
        return sum
    }

    /// Overhead of carriers, pending or being delivered.
    var overhead: Int {
        var sum = attribution.pending.slots.reduce(0) { sum, entry in
            guard entry.outstanding > 0 else { return sum }
            return sum + (entry.record.map { $0.lead + $0.trail } ?? entry.cost.internet)
        }
        for place in 0...attribution.depth {
            let carrier = place < attribution.depth ? attribution.outer[place] : attribution.carrier
            // The lowest stands for a packet, where one is being delivered.
            guard carrier.overhead < 0, place > 0 || isDelivering else { continue }
            sum += carrier.record.map { $0.lead + $0.trail } ?? carrier.cost.internet
        }
        return sum
    }

    /// Costs that were deferred.
    var deferredBytes: Int {
        postponed.reduce(0) { $0 + $1.cost.cost.internet + ($1.cost.cause == .ack ? 0 : $1.cost.end - $1.cost.start) }
    }

    /// Costs and units that wait for earlier bytes.
    var waitingCount: Int {
        Direction.both.reduce(0) {
            $0 + attribution.connection[$1].deferred.count + (attribution.connection[$1].runs?.deferredCount ?? 0)
        }
    }

    func check(_ step: String) {
        let waiting = Direction.both.reduce(0) { $0 + attribution.unresolvedCount($1) }
        let sum = attributed + overhead + kept + unread + waiting + deferredBytes
        if sum != entered { failures.append("\(step): \(sum) of \(entered) bytes") }
        for direction in Direction.both
        where attribution.connection[direction].deferred.count != postponed.filter({ $0.direction == direction }).count
        {
            failures.append("\(step): deferred costs of direction \(direction)")
        }
    }
}
