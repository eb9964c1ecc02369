import Testing
import WireNative
import WireTesting

@testable import WireCore

@Suite("Decoders of bodies: limits")
struct DecoderPoolTests {
    private static let outline = BodyOutline(
        isRequest: false, codings: [.gzip], isLiterallyGzip: true, hasContentEncoding: true)

    /// What became of a body of so many bytes: its size, that a limit cut it off, or that it was not begun.
    private func fate(_ pool: DecoderPool, _ size: Int) -> String {
        var limitReached = false
        guard let body = pool.begin(Self.outline, limitReached: &limitReached) else {
            return limitReached ? "not begun" : "not coded"
        }
        let coded = CompressedFileBuilder.gzip([UInt8](repeating: 0x61, count: size))
        guard unsafe pool.take(body, coded.span.bytes, captured: 0) else {
            pool.abandon(body)
            return "cut off"
        }
        pool.end(body, isWhole: true)
        return body.facts.limitReached ? "too large" : body.facts.decoded.map(String.init) ?? "unknown"
    }

    @Test("one body decodes to no more than its limit")
    func oneBody() {
        let pool = DecoderPool(outputLimit: 1000)
        #expect(fate(pool, 1000) == "1000")
        #expect(fate(pool, 1001) == "too large")
        #expect(fate(pool, 5) == "5")
    }

    @Test("all bodies decode to no more than a hundred times what was coded, and an allowance")
    func allBodies() {
        let pool = DecoderPool(outputLimit: 1 << 20, totalLimit: 500)
        #expect(fate(pool, 500) == "500")
        #expect(fate(pool, 100_000) == "too large")
        let coded = CompressedFileBuilder.gzip([UInt8](repeating: 0x61, count: 100_000)).count
        let fates = (0..<50).map { _ in fate(pool, 100_000) }
        let decoded = fates.compactMap(Int.init).reduce(0, +)
        #expect(decoded > 0 && decoded <= 52 * 100 * coded)
        let roomy = DecoderPool(outputLimit: 1 << 20, totalLimit: 100_000)
        #expect(fate(roomy, 100_000) == "100000")
        #expect(fate(roomy, 200) == "200")
    }

    @Test("decoders hold no more than their limit together")
    func memory() {
        let pool = DecoderPool(outputLimit: 1 << 20, memoryLimit: 1000)
        #expect(fate(pool, 5000) == "cut off")
        let roomy = DecoderPool(outputLimit: 1 << 20, memoryLimit: 1 << 20)
        #expect(fate(roomy, 5000) == "5000")
    }
}
