import Testing
import WireTesting

@testable import WireCore

@Suite("Message bodies")
struct MessageBodyTests {
    /// Examines bodies as a test says.
    private final class Examiner: BodyExaminer {
        final class Body: ExaminedBody, @unchecked Sendable {
            var facts = BodyFacts()
            var bytes: [UInt8] = []
            var isWhole: Bool?
            var isAbandoned = false
        }

        var isImmediate = true
        /// Bytes after which the body is refused.
        var limit = Int.max
        var refuses = false
        private(set) var bodies: [Body] = []

        func begin(_ outline: BodyOutline, limitReached: inout Bool) -> (any ExaminedBody)? {
            limitReached = refuses
            guard !refuses else { return nil }
            bodies.append(Body())
            return bodies.last
        }

        func take(_ body: any ExaminedBody, _ bytes: RawSpan, captured: Int) -> Bool {
            guard let body = body as? Body else { return false }
            body.bytes += bytes.array(0..<bytes.byteCount)
            return body.bytes.count <= limit
        }

        func end(_ body: any ExaminedBody, isWhole: Bool) {
            guard let body = body as? Body else { return }
            body.isWhole = isWhole
            if isWhole { body.facts.decoded = 10 * body.bytes.count }
        }

        func abandon(_ body: any ExaminedBody) { (body as? Body)?.isAbandoned = true }
    }

    private static let outline = BodyOutline(
        isRequest: false, codings: [.gzip], isLiterallyGzip: true, hasContentEncoding: true)

    private func receive(_ body: inout MessageBody, _ count: Int, _ bench: LayerBench) {
        unsafe body.receive([UInt8](repeating: 1, count: count).span.bytes, &bench.shard.streams)
    }

    @Test("nothing coded: its decoded size is its size, as long as all of it is counted")
    func countsIdentity() {
        let table: [(isIdentity: Bool, skip: SkipReason?, decoded: Int?)] = [
            (true, nil, 7), (false, nil, nil), (true, .truncated, 12), (true, .gap, nil), (false, .truncated, nil),
        ]
        for (isIdentity, skip, decoded) in table {
            let bench = LayerBench()
            var body = MessageBody()
            body.begin(isIdentity: isIdentity, nil, &bench.shard.streams)
            receive(&body, 3, bench)
            if let skip { body.skip(5, skip, bench.shard.streams) }
            receive(&body, 4, bench)
            #expect(body.byteCount == (skip?.isCounted == true ? 12 : 7))
            #expect(body.end(isWhole: true, &bench.shard.streams).decoded == decoded)
        }
    }

    @Test("an examined body's decoded size is what its examiner says, and missing where it is not whole")
    func examines() {
        for isWhole in [true, false] {
            let examiner = Examiner()
            let bench = LayerBench(examiner: examiner)
            var body = MessageBody()
            body.begin(isIdentity: false, Self.outline, &bench.shard.streams)
            for count in [1, 2, 3] { receive(&body, count, bench) }
            let end = body.end(isWhole: isWhole, &bench.shard.streams)
            #expect(end.decoded == (isWhole ? 60 : nil))
            #expect(end.examined === examiner.bodies[0])
            #expect(examiner.bodies[0].bytes.count == 6 && examiner.bodies[0].isWhole == isWhole)
            #expect(body.examined == nil && bench.findings.isEmpty)
            #expect(body.end(isWhole: isWhole, &bench.shard.streams).examined == nil, "It ends once.")
        }
    }

    @Test("facts that are not there yet are not asked for")
    func waitsForFacts() {
        let examiner = Examiner()
        examiner.isImmediate = false
        let bench = LayerBench(examiner: examiner)
        var body = MessageBody()
        body.begin(isIdentity: true, Self.outline, &bench.shard.streams)
        receive(&body, 4, bench)
        let end = body.end(isWhole: true, &bench.shard.streams)
        #expect(end.decoded == 4 && end.examined === examiner.bodies[0])
    }

    @Test("a limit of the examiner ends the examination, not the count")
    func reachesLimits() {
        let examiner = Examiner()
        examiner.limit = 5
        let bench = LayerBench(examiner: examiner)
        var body = MessageBody()
        body.begin(isIdentity: true, Self.outline, &bench.shard.streams)
        for _ in 0..<3 { receive(&body, 4, bench) }
        #expect(examiner.bodies[0].isAbandoned && examiner.bodies[0].bytes.count == 8)
        #expect(bench.findings[.decodeLimit] == 1)
        #expect(body.end(isWhole: true, &bench.shard.streams).decoded == 12)
        examiner.refuses = true
        body.begin(isIdentity: false, Self.outline, &bench.shard.streams)
        #expect(body.examined == nil)
        #expect(bench.findings[.decodeLimit] == 2)
    }

    @Test("what is skipped or abandoned is not examined any more")
    func abandons() {
        for reason in [SkipReason.gap, .truncated] {
            let examiner = Examiner()
            let bench = LayerBench(examiner: examiner)
            var body = MessageBody()
            body.begin(isIdentity: true, Self.outline, &bench.shard.streams)
            receive(&body, 2, bench)
            body.skip(3, reason, bench.shard.streams)
            receive(&body, 4, bench)
            #expect(examiner.bodies[0].isAbandoned && examiner.bodies[0].bytes.count == 2)
            #expect(body.end(isWhole: true, &bench.shard.streams).decoded == (reason.isCounted ? 9 : nil))
        }
    }

    @Test("a body that does not decode is a finding, unless a limit is the reason")
    func findsBrokenContent() {
        let bench = LayerBench(examiner: SilentExaminer())
        var body = MessageBody()
        for isWhole in [true, false] {
            body.begin(isIdentity: true, Self.outline, &bench.shard.streams)
            receive(&body, 2, bench)
            #expect(body.end(isWhole: isWhole, &bench.shard.streams).decoded == nil)
        }
        #expect(bench.findings == [.decodeFailed: 1])
    }

    /// Learns nothing of any body.
    private final class SilentExaminer: BodyExaminer {
        final class Body: ExaminedBody { let facts = BodyFacts() }

        let isImmediate = true
        func begin(_ outline: BodyOutline, limitReached: inout Bool) -> (any ExaminedBody)? { Body() }
        func take(_ body: any ExaminedBody, _ bytes: RawSpan, captured: Int) -> Bool { true }
        func end(_ body: any ExaminedBody, isWhole: Bool) {}
        func abandon(_ body: any ExaminedBody) {}
    }

    @Test("a place of a body is used again without a trace of the last one")
    func renews() {
        let bench = LayerBench(examiner: Examiner())
        var body = MessageBody()
        body.begin(isIdentity: true, Self.outline, &bench.shard.streams)
        receive(&body, 2, bench)
        body.declaredLength = 9
        body.renew()
        #expect(body.byteCount == 0 && !body.isIdentity && body.declaredLength == nil && body.examined == nil)
    }
}
