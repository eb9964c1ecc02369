import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireNative
import WireTesting

@Suite("Bodies examined for estimators")
struct ContentExaminerTests {
    static let everything: ContentNeeds = [.decodedSizes, .recompression, .text]

    /// Gives a body to an examiner in pieces; nil where it is not wanted.
    private func examine(
        _ examiner: ContentExaminer, _ outline: BodyOutline, _ bytes: [UInt8], piece: Int = 1400, isWhole: Bool = true
    ) -> (any ExaminedBody)? {
        var limitReached = false
        guard let body = examiner.begin(outline, limitReached: &limitReached) else { return nil }
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + piece, bytes.count)
            #expect(examiner.take(body, unsafe bytes.span.bytes.extracting(offset..<end), captured: 1 << 30))
            offset = end
        }
        examiner.end(body, isWhole: isWhole)
        return body
    }

    private static func response(_ codings: [ContentCoding], isLiterallyGzip: Bool = false) -> BodyOutline {
        BodyOutline(
            isRequest: false, codings: codings, isLiterallyGzip: isLiterallyGzip,
            hasContentEncoding: !codings.isEmpty)
    }

    private static let gzipResponse = response([.gzip], isLiterallyGzip: true)

    private func gzipSize(_ content: [UInt8]) -> Int? {
        let measure = GzipMeasure()
        unsafe measure.consume(content.span.bytes)
        return measure.finish()
    }

    @Test("every number of workers learns the same of the same bodies", arguments: [1, 2, 3, 8])
    func facts(jobs: Int) {
        var random = SeededRandom(seed: 7)
        let examiner = ContentExaminer(needs: Self.everything, jobs: jobs)
        var expected: [(body: any ExaminedBody, content: [UInt8])] = []
        for round in 0..<60 {
            let size = random.below(round % 20 == 0 ? 2_000_000 : 6_000)
            let content = (0..<size).map { _ in UInt8(0x61 + random.below(6)) }
            let coded = CompressedFileBuilder.gzip(content)
            expected.append((examine(examiner, Self.gzipResponse, coded, piece: 1 + random.below(5000))!, content))
        }
        for (body, content) in expected {
            let facts = body.facts
            #expect(facts.decoded == content.count)
            #expect(facts.recompressed == gzipSize(content))
            #expect(facts.isText == true)
        }
        let work = examiner.contentWork
        #expect(work.decodedBodies == 60)
        #expect(work.recompressedBodies == 60)
        #expect(work.decodedBytes == expected.reduce(0) { $0 + $1.content.count })
    }

    @Test("an equal body is examined once", arguments: [1, 2])
    func memory(jobs: Int) {
        let examiner = ContentExaminer(needs: Self.everything, jobs: jobs)
        let content = Array("the same every time".utf8)
        let coded = CompressedFileBuilder.gzip(content)
        let bodies = (0..<5).map { _ in examine(examiner, Self.gzipResponse, coded)! }
        #expect(bodies.allSatisfy { $0.facts.decoded == content.count })
        #expect(examiner.contentWork.remembered == 4)
        #expect(examiner.contentWork.recompressedBodies == 1)
        // The same bytes under another coding are another body.
        let other = examine(examiner, Self.response([.brotli]), coded)!
        #expect(other.facts.decoded == nil)
        #expect(examiner.contentWork.undecodable == 1)
    }

    @Test("only what estimators need is looked at")
    func needs() {
        let sizes = ContentExaminer(needs: [.decodedSizes], jobs: 1)
        #expect(examine(sizes, Self.response([]), [1, 2, 3]) == nil)
        let body = examine(sizes, Self.gzipResponse, CompressedFileBuilder.gzip([1, 2, 3]))
        #expect(body?.facts.decoded == 3)
        #expect(body?.facts.recompressed == nil)
        #expect(body?.facts.isText == nil)
        let text = ContentExaminer(needs: [.text], jobs: 1)
        #expect(examine(text, Self.response([]), [0xFF])?.facts.isText == false)
        #expect(examine(text, Self.response([]), Array("ä".utf8), piece: 1)?.facts.isText == true)
    }

    @Test("strings of requests and of decoded responses are measured; other content has no length as a string")
    func strings() {
        let examiner = ContentExaminer(needs: [.strings], jobs: 1)
        let coded = examine(examiner, Self.gzipResponse, CompressedFileBuilder.gzip(Array("\"ä\"".utf8)))
        #expect(coded?.facts.string?.units == 3)
        #expect(coded?.facts.string?.quoted == 7)
        #expect(examine(examiner, Self.response([]), [0xFF])?.facts.string == nil)
    }

    @Test("bodies of requests and responses that have no coding are compressed, and equal ones have equal digests")
    func compressibility() {
        let content = Array(repeating: UInt8(0x61), count: 5000)
        let examiner = ContentExaminer(needs: [.compressibility, .digests], jobs: 1)
        let request = BodyOutline(isRequest: true, codings: [], isLiterallyGzip: false, hasContentEncoding: false)
        let bodies = [request, Self.response([])].map { examine(examiner, $0, content)! }
        for body in bodies { #expect(body.facts.gzipped == gzipSize(content)) }
        #expect(bodies[0].facts.digest != nil && bodies[0].facts.digest == bodies[1].facts.digest)
    }

    @Test("a request with a content coding is compressed as it was sent, other requests are not")
    func requests() {
        let examiner = ContentExaminer(needs: [.recompression], jobs: 1)
        let content = Array(repeating: UInt8(0x61), count: 5000)
        let coded = BodyOutline(isRequest: true, codings: [.gzip], isLiterallyGzip: true, hasContentEncoding: true)
        #expect(examine(examiner, coded, content)?.facts.recompressed == gzipSize(content))
        let gzip = CompressedFileBuilder.gzip(content)
        #expect(examine(examiner, coded, gzip)?.facts.recompressed == gzip.count)
        let plain = BodyOutline(isRequest: true, codings: [], isLiterallyGzip: false, hasContentEncoding: false)
        #expect(examine(examiner, plain, content) == nil)
    }

    @Test("a body that was cut gives what came out of it; a damaged or abandoned one gives nothing", arguments: [1, 2])
    func broken(jobs: Int) {
        let examiner = ContentExaminer(needs: Self.everything, jobs: jobs)
        let content = (0..<100_000).map { UInt8(0x61 + $0 % 7) }
        let coded = CompressedFileBuilder.gzip(content)
        let cut = examine(examiner, Self.gzipResponse, Array(coded.prefix(70_000)), isWhole: false)!
        let decoded = cut.facts.decoded
        #expect(decoded != nil && decoded! > 69_000 && decoded! < 70_000)
        #expect(cut.facts.recompressed == gzipSize(Array(content.prefix(decoded!))))
        var damaged = coded
        damaged[3000] = 0xEE
        damaged[12] ^= 0xFF
        #expect(examine(examiner, Self.gzipResponse, damaged)!.facts.decoded == nil)
        var limitReached = false
        let lost = examiner.begin(Self.gzipResponse, limitReached: &limitReached)!
        #expect(examiner.take(lost, unsafe coded.span.bytes, captured: 1))
        examiner.abandon(lost)
        #expect(lost.facts == BodyFacts())
    }

    @Test("bodies in coming, and what all decode to, have limits", arguments: [1, 2])
    func limits(jobs: Int) {
        var limits = ContentLimits()
        limits.held = 3000
        limits.decodedBody = 5000
        let examiner = ContentExaminer(needs: Self.everything, jobs: jobs, limits: limits)
        let coded = CompressedFileBuilder.gzip([UInt8](repeating: 0x61, count: 4000))
        var limitReached = false
        let body = examiner.begin(Self.gzipResponse, limitReached: &limitReached)!
        #expect(examiner.take(body, unsafe coded.span.bytes.extracting(first: 3000), captured: 1 << 30))
        // While that one is held there is no room for another.
        #expect(examiner.begin(Self.gzipResponse, limitReached: &limitReached) == nil && limitReached)
        #expect(!examiner.take(body, unsafe coded.span.bytes.extracting(3000..<coded.count), captured: 1 << 30))
        examiner.abandon(body)
        limitReached = false
        #expect(examine(examiner, Self.gzipResponse, Array(coded.prefix(2000)), isWhole: false) != nil)
        #expect(!limitReached)
        // A body that decodes to more than its limit has no size.
        limits.held = 1 << 20
        let large = ContentExaminer(needs: Self.everything, jobs: jobs, limits: limits)
        let whole = examine(large, Self.gzipResponse, CompressedFileBuilder.gzip(Array(repeating: 0x61, count: 5000)))!
        #expect(whole.facts.decoded == 5000)
        let beyond = examine(large, Self.gzipResponse, CompressedFileBuilder.gzip(Array(repeating: 0x62, count: 5001)))!
        #expect(beyond.facts.decoded == nil && large.contentWork.undecodable == 1)
    }

    @Test("a body of many pieces is decoded in order", arguments: [1, 3])
    func longBodies(jobs: Int) {
        let examiner = ContentExaminer(needs: Self.everything, jobs: jobs)
        let content = (0..<2_300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 7) & 0x7F }
        let coded = CompressedFileBuilder.gzip(content)
        let bodies = (0..<3).map { _ in examine(examiner, Self.gzipResponse, coded, piece: 65_536)! }
        for body in bodies {
            #expect(body.facts.decoded == content.count)
            #expect(body.facts.recompressed == gzipSize(content))
        }
    }
}
