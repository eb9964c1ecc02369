import WireTesting

@testable import WireCore

/// Writes down what it is told, and claims all bytes for one owner.
struct RecordingReader: StreamReader {
    struct Event: Equatable {
        enum Kind: Equatable {
            case bytes([UInt8])
            case skip(Int)
            case lose
            case miss
            case finish(isOrderly: Bool)
        }

        var kind: Kind
        var direction: Direction
        /// -1 where none was said.
        var position = -1
        var flag: RecordFlags = []
    }

    let owner: Owner
    private(set) var events: [Event] = []
    /// How far losses were said to reach.
    private(set) var furthestLoss = DirectionPair(repeating: StreamPosition.unset)
    /// Time of the packets of each run of bytes.
    private(set) var times: [Int64] = []

    init(owner: Owner) { self.owner = owner }

    /// Content of a direction with its positions.
    func content(_ direction: Direction) -> [(position: Int, bytes: [UInt8])] {
        events.compactMap { event in
            guard event.direction == direction, case .bytes(let bytes) = event.kind else { return nil }
            return (event.position, bytes)
        }
    }

    mutating func receive(
        _ bytes: RawSpan, at position: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) {
        context.attribution.claim(owner, .body, bytes.byteCount, direction)
        times.append(context.attribution.packet.time)
        events.append(
            Event(kind: .bytes(bytes.array(0..<bytes.byteCount)), direction: direction, position: position.value))
    }

    mutating func skip(
        _ count: Int, at position: StreamPosition, _ direction: Direction, _ reason: SkipReason,
        _ context: inout StreamContext
    ) -> SkipClaim {
        events.append(
            Event(kind: .skip(count), direction: direction, position: position.value, flag: reason.flag))
        return SkipClaim(owner: .connection, count: count, cause: .body)
    }

    mutating func lose(_ direction: Direction, _ reason: SkipReason, _ context: inout StreamContext) {
        events.append(Event(kind: .lose, direction: direction, flag: reason.flag))
    }

    mutating func extendLoss(_ direction: Direction, upTo position: StreamPosition) {
        furthestLoss[direction] = max(furthestLoss[direction], position)
    }

    mutating func miss(at position: StreamPosition?, _ direction: Direction, _ reason: SkipReason) {
        events.append(
            Event(kind: .miss, direction: direction, position: position?.value ?? -1, flag: reason.flag))
    }

    mutating func finish(_ direction: Direction, isOrderly: Bool, _ context: inout StreamContext) {
        events.append(Event(kind: .finish(isOrderly: isOrderly), direction: direction))
    }
}
