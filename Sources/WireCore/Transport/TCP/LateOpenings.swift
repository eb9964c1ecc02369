/// The first captured packets of TCP connections whose handshakes are not in the capture, of one shard.
///
/// Where two connections begin with the same sequence and acknowledgment numbers at one time, one of them may be the other
/// before or behind a translation of its addresses. One packet proves nothing, but the doubt is said.
struct LateOpenings {
    private struct Opening {
        var key: ConnectionKey
        var segment: Segment
        var place: FindingPlace
    }

    private var openings: [Opening] = []
    /// Of further connections nothing is said.
    private static let limit = 65_536
    private static let patience: Int64 = 500_000_000

    mutating func note(_ segment: Segment, _ key: ConnectionKey, at place: FindingPlace) {
        guard segment.flags.isDisjoint(with: [.syn, .rst]), segment.flags.contains(.ack), openings.count < Self.limit
        else { return }
        openings.append(Opening(key: key, segment: segment, place: place))
    }

    mutating func add(_ other: LateOpenings) { openings += other.openings }

    /// Adds a finding for each that may be an earlier one.
    func report(to findings: inout FindingSink) {
        let sorted = openings.sorted { Self.order($0) < Self.order($1) }
        for (one, other) in zip(sorted, sorted.dropFirst())
        where Self.numbers(one) == Self.numbers(other) && one.key != other.key
            && other.segment.payload == one.segment.payload && other.segment.time - one.segment.time <= Self.patience
        {
            findings.add(.translationUnproved, at: max(one.place, other.place))
        }
    }

    private static func numbers(_ opening: Opening) -> UInt64 {
        UInt64(opening.segment.sequence.rawValue) << 32 | UInt64(opening.segment.acknowledgment.rawValue)
    }

    private static func order(_ opening: Opening) -> (UInt64, Int64, Int, Int) {
        (numbers(opening), opening.segment.time, opening.place.file, opening.place.packet)
    }
}
