/// One TCP connection of those that a connection of Multipath TCP consists of.
struct Subflow {
    /// One direction, in the subflow's own numbers.
    struct Half {
        /// The sequence number behind that of its SYN.
        var start: SequenceNumber?
        /// One past the last place of its payload.
        private(set) var highest = 0
        var mappings = SubflowMappings()
        /// Sequence number of its FIN.
        var finish: SequenceNumber?

        /// The place of a sequence number near the last byte that came; nil while the start is not known.
        func position(of sequence: SequenceNumber) -> Int? {
            guard let start else { return nil }
            return highest + sequence.distance(from: start.advanced(by: highest))
        }

        /// The place that an option names, which counts from 1.
        func position(ofPlace place: UInt32) -> Int? {
            start.flatMap { position(of: $0.advanced(by: Int(place) - 1)) }
        }

        mutating func record(end: Int) { highest = max(highest, end) }
    }

    /// Its addresses and ports.
    let key: ConnectionKey
    /// Its directions, as the key orders them, are not those of the connection.
    let isSwapped: Bool
    /// By direction of the connection; two.
    private var halves = [Half(), Half()]
    /// It was reset.
    var isReset = false
    /// Its endpoints went back to plain TCP (RFC 8684 §3.7).
    var isPlain = false

    init(_ key: ConnectionKey, isSwapped: Bool) { (self.key, self.isSwapped) = (key, isSwapped) }

    /// A half, by the direction of the connection. Changed in place, as its mappings are many.
    subscript(direction: Direction) -> Half {
        _read { yield halves[direction.index] }
        _modify { yield &halves[direction.index] }
    }

    /// It carries nothing more, or was never answered.
    var isOver: Bool {
        isReset || halves.allSatisfy { $0.finish != nil } || halves.contains { $0.start == nil }
    }

    func direction(_ own: Direction) -> Direction { isSwapped ? own.opposite : own }

    /// Takes what a segment of the handshake says of the starts. `direction`: the connection's.
    mutating func recordStart(_ segment: Segment, _ direction: Direction) {
        let isSynchronize = segment.flags.contains(.syn)
        let own = segment.sequence.advanced(by: isSynchronize ? 1 : 0)
        if isSynchronize || self[direction].start == nil { self[direction].start = own }
        guard segment.flags.contains(.ack), self[direction.opposite].start == nil else { return }
        self[direction.opposite].start = segment.acknowledgment
    }
}
