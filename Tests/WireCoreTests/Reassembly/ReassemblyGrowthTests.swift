import Testing
import WireTesting

@testable import WireCore

/// Twice as many pieces take twice the work, in whatever order they come: a quadratic search takes four times as much.
@Suite("Growth of the work of reassembly")
struct ReassemblyGrowthTests {
    /// The order in which pieces come.
    enum Order: CaseIterable {
        case reversed, interleaved, shuffled, blocksReversed

        func places(_ count: Int) -> [Int] {
            switch self {
            case .reversed: return (0..<count).reversed()
            case .interleaved: return [1, 0].flatMap { stride(from: $0, to: count, by: 2) }
            case .shuffled:
                var random = SeededRandom(seed: 7)
                return (0..<count).shuffled(using: &random)
            case .blocksReversed:
                return stride(from: 0, to: count, by: 50).flatMap { ($0..<min($0 + 50, count)).reversed() }
            }
        }
    }

    private static let bound = 2.3

    /// How many times as many nodes are looked at for twice as many pieces. Each step of the work looks at one or more, so
    /// that this is the growth of the work, whatever the machine does besides.
    private static func growth(_ work: (Int) -> Void) -> Double {
        func visits(_ count: Int) -> Int {
            ([1, 2, 3] as [UInt64]).reduce(0) { sum, seed in
                let counter = ForestWork(seed: seed)
                ForestWork.$current.withValue(counter) { work(count) }
                #expect(counter.visits > count)
                return sum + counter.visits
            }
        }
        return Double(visits(8000)) / Double(visits(4000))
    }

    /// Takes segments of a stream, each of them once more, and then what all of them wait for.
    private static func assemble(_ places: [Int], length: Int) {
        var assembler = StreamAssembler()
        var segments = OutOfOrderSegments()
        var pieces = SegmentPieces()
        let content = [UInt8](repeating: 7, count: length)
        assembler.start(synchronize: SequenceNumber(0))
        func take(_ start: Int, _ length: Int) {
            let range = StreamPosition(start)..<StreamPosition(start + length)
            assembler.divide(range, segments, into: &pieces)
            for piece in pieces.new {
                let segment = OutOfOrderSegment(
                    start: StreamPosition(piece.lowerBound), end: StreamPosition(piece.upperBound),
                    bytes: Array(repeating: 7, count: piece.count))
                segments.insert(segment, into: &assembler.waiting)
            }
            if !pieces.repeated.isEmpty {
                let differs = unsafe segments.reconcile(assembler.waiting, range.lowerBound, content.span.bytes)
                #expect(!differs)
            }
        }
        for place in places { take(1 + place, length) }
        for place in places { take(1 + place, length) }
        // One packet of which little was captured may claim all that waits, again and again.
        for _ in places { assembler.divide(StreamPosition(1)..<assembler.highest, segments, into: &pieces) }
        #expect(pieces.new.isEmpty && pieces.repeated.count == 1)
        take(0, 1)
        while assembler.takeReady(&segments) != nil {}
        #expect(assembler.next.value == places.count + length && segments.byteCount == 0)
    }

    @Test("of TCP's payload", arguments: Order.allCases, [1, 3])
    func payload(order: Order, length: Int) {
        let growth = Self.growth {
            Self.assemble(order.places($0), length: length)
        }
        #expect(growth <= Self.bound, "\(order), \(length) bytes each")
    }

    /// Holds segments by what they acknowledge, asks for bytes after each, and takes them out: by a byte, or the first.
    private static func hold(_ places: [Int], isFirstLong: Bool) {
        var held = HeldSegments()
        var queue = HeldSegments.Queue()
        func insert(_ sequence: Int, _ acknowledgment: Int, _ payload: Int) {
            var segment = Segment()
            (segment.flags, segment.payload) = (.ack, payload)
            segment.sequence = SequenceNumber(0xffff_ff00).advanced(by: sequence)
            segment.acknowledgment = SequenceNumber(0xffff_f000).advanced(by: acknowledgment)
            held.insert(HeldSegment(segment: segment, ordinal: acknowledgment), into: &queue)
        }
        let before = SequenceNumber(0xffff_ff00).advanced(by: -100)
        // One that begins before all others: what is asked for lies between it and them.
        insert(-200, places.count, isFirstLong ? 50 : 1)
        for place in places {
            insert(place, place, 1)
            #expect(held.ordinal(with: before, in: queue) == nil)
            #expect(held.distanceToNext(behind: before, in: queue) ?? 0 >= 100)
        }
        var last = -1
        for (step, place) in places.enumerated() {
            if step % 2 == 0, place > last {
                let sequence = SequenceNumber(0xffff_ff00).advanced(by: place)
                let segment = held.remove(with: sequence, from: &queue)
                #expect(segment?.ordinal == place)
            } else if !queue.isEmpty {
                let ordinal = held.removeFirst(&queue).ordinal
                #expect(ordinal > last)
                last = ordinal
            }
        }
        while !queue.isEmpty { _ = held.removeFirst(&queue) }
        #expect(held.byteCount == 0 && queue.count == 0 && queue.byteCount == 0)
    }

    @Test("of TCP's segments that wait for the other direction", arguments: Order.allCases, [false, true])
    func otherDirection(order: Order, isFirstLong: Bool) {
        let growth = Self.growth {
            Self.hold(order.places($0), isFirstLong: isFirstLong)
        }
        #expect(growth <= Self.bound, "\(order)")
    }

    @Test("of QUIC's streams", arguments: Order.allCases)
    func streams(order: Order) {
        let growth = Self.growth { count in
            let content: [UInt8] = [7]
            var pieces = QUICPieces()
            for place in order.places(count) {
                unsafe pieces.hold(content.span.bytes, 0..<1, at: UInt64(1 + place))
                #expect(unsafe !pieces.differ(from: content.span.bytes, at: UInt64(1 + place)))
            }
            let gap = pieces.skipGap()
            var taken = 0
            while let piece = pieces.takeNext() { taken += piece.bytes.count }
            #expect(gap == 1 && taken == count && pieces.byteCount == 0)
        }
        #expect(growth <= Self.bound, "\(order)")
    }

    @Test("of QUIC's CRYPTO frames", arguments: [Order.reversed, .blocksReversed])
    func crypto(order: Order) {
        let growth = Self.growth { count in
            let content: [UInt8] = [7]
            var (stream, output, restarted) = (QUICCryptoStream(), [UInt8](), false)
            for place in order.places(count) {
                let new = unsafe stream.take(
                    content.span.bytes, 0..<1, at: UInt64(place), .init(), into: &output, restarted: &restarted)
                #expect(new == 1)
            }
            #expect(output.count == count && !restarted)
        }
        #expect(growth <= Self.bound, "\(order)")
    }

    @Test("of costs that wait for the bytes that they follow", arguments: Order.allCases)
    func costs(order: Order) {
        let growth = Self.growth { count in
            var costs = DeferredCosts()
            var chain = DeferredCosts.Chain()
            for place in order.places(count) {
                costs.append(DeferredCost(end: StreamPosition(1 + place), frame: UInt32(place)), to: &chain)
            }
            let taken = (0...count).flatMap { costs.takeAll(endingBy: StreamPosition($0), from: &chain).map(\.frame) }
            #expect(taken == (0..<UInt32(count)).map(\.self) && chain.isEmpty)
        }
        #expect(growth <= Self.bound, "\(order)")
    }
}
