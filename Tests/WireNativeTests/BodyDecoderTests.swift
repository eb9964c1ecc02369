import Testing
import WireNative

@Suite("Decoded sizes of bodies")
struct BodyDecoderTests {
    struct Case: Sendable {
        var codings: [ContentCoding]
        var body: [UInt8]
        var size: Int
    }

    static let sound = [
        Case(codings: [.gzip], body: CompressedFixtures.gzip, size: 900),
        Case(codings: [.deflate], body: CompressedFixtures.zlib, size: 900),
        Case(codings: [.deflate], body: CompressedFixtures.rawDeflate, size: 900),
        Case(codings: [.brotli], body: CompressedFixtures.brotli, size: 900),
        Case(codings: [.zstd], body: CompressedFixtures.zstd, size: 900),
        Case(codings: [.brotli, .gzip], body: CompressedFixtures.brotliInGzip, size: 900),
        Case(codings: [], body: CompressedFixtures.text, size: 900),
        Case(codings: [.gzip], body: CompressedFixtures.emptyGzip, size: 0),
        Case(codings: [.gzip], body: CompressedFixtures.gzip + CompressedFixtures.gzip, size: 1800),
        Case(codings: [.gzip], body: CompressedFixtures.emptyGzip + CompressedFixtures.gzip, size: 900),
        Case(codings: [.zstd], body: CompressedFixtures.zstd + CompressedFixtures.zstd, size: 1800),
        // A skippable frame of four bytes between two others.
        Case(
            codings: [.zstd],
            body: CompressedFixtures.zstd + [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4] + CompressedFixtures.zstd,
            size: 1800),
        Case(codings: [.gzip], body: CompressedFixtures.gzipZeros, size: 1 << 20),
        Case(codings: [.brotli], body: CompressedFixtures.brotliZeros, size: 1 << 20),
        Case(codings: [.zstd], body: CompressedFixtures.zstdZeros, size: 1 << 20),
        Case(codings: [.zstd], body: CompressedFixtures.zstdSmallWindow, size: 1),
    ]

    @Test("every coding gives the decoded size, whole and in pieces of every length", arguments: sound.indices)
    func sizes(index: Int) {
        let test = Self.sound[index]
        let decoder = BodyDecoder(codings: [.gzip], outputLimit: 0)
        for piece in [test.body.count] + Array(1...min(60, test.body.count)) {
            decoder.reset(codings: test.codings, outputLimit: test.size)
            feed(test.body, to: decoder, piece: piece)
            #expect(decoder.finish() == test.size, "pieces of \(piece)")
            #expect(decoder.decodedSize == test.size)
            #expect(decoder.state == (test.codings.isEmpty ? .active : .ended))
        }
    }

    private static let coded = sound.indices.filter { !sound[$0].codings.isEmpty }

    @Test("a body that ends early has no decoded size", arguments: coded)
    func prefixes(index: Int) {
        let test = Self.sound[index]
        // Where a whole member or frame ends, the body so far is whole.
        let skippableFrame = 12
        let memberEnds = [
            CompressedFixtures.gzip.count, CompressedFixtures.emptyGzip.count, CompressedFixtures.zstd.count,
            CompressedFixtures.zstd.count + skippableFrame,
        ]
        for length in 1..<min(test.body.count, 200) where !memberEnds.contains(length) {
            let decoder = BodyDecoder(codings: test.codings, outputLimit: .max)
            feed(Array(test.body[..<length]), to: decoder, piece: 7)
            #expect(decoder.finish() == nil, "\(length) bytes")
            #expect(decoder.state == .active, "\(length) bytes")
        }
    }

    @Test("bytes behind the end are no part of the content", arguments: coded, [0x00, 0x1f, 0x28, 0x61])
    func trailingBytes(index: Int, byte: UInt8) {
        let test = Self.sound[index]
        for piece in [1, test.body.count, test.body.count + 1] {
            let decoder = BodyDecoder(codings: test.codings, outputLimit: .max)
            feed(test.body + [byte], to: decoder, piece: piece)
            #expect(decoder.finish() == nil)
            #expect(decoder.state != .ended)
        }
    }

    @Test("content that is not what its coding says fails", arguments: [ContentCoding.gzip, .deflate, .brotli, .zstd])
    func wrongContent(coding: ContentCoding) {
        let decoder = BodyDecoder(codings: [coding], outputLimit: .max)
        feed([UInt8](repeating: 0xff, count: 64), to: decoder, piece: 64)
        #expect(decoder.state == .failed)
        #expect(decoder.finish() == nil)
        // Nothing that follows changes that.
        feed(CompressedFixtures.gzip, to: decoder, piece: 64)
        #expect(decoder.state == .failed)
    }

    @Test("a changed checksum fails")
    func checksum() {
        for (coding, body) in [(ContentCoding.gzip, CompressedFixtures.gzip), (.deflate, CompressedFixtures.zlib)] {
            var changed = body
            changed[body.count - (coding == .gzip ? 5 : 1)] ^= 1
            let decoder = BodyDecoder(codings: [coding], outputLimit: .max)
            feed(changed, to: decoder, piece: 11)
            #expect(decoder.state == .failed)
        }
    }

    @Test("an empty body is empty in every coding")
    func emptyBody() {
        let decoder = BodyDecoder(codings: [.gzip, .brotli], outputLimit: 0)
        feed([], to: decoder, piece: 1)
        #expect(decoder.finish() == 0)
        #expect(decoder.decodedSize == 0)
    }

    @Test("decoding stops soon behind the limit", arguments: [ContentCoding.gzip, .brotli, .zstd])
    func limit(coding: ContentCoding) {
        let body =
            switch coding {
            case .gzip: CompressedFixtures.gzipZeros
            case .brotli: CompressedFixtures.brotliZeros
            default: CompressedFixtures.zstdZeros
            }
        let decoder = BodyDecoder(codings: [coding], outputLimit: 1 << 20)
        feed(body, to: decoder, piece: body.count)
        #expect(decoder.finish() == 1 << 20)
        decoder.reset(codings: [coding], outputLimit: 1 << 20 - 1)
        feed(body, to: decoder, piece: body.count)
        #expect(decoder.state == .limitReached)
        #expect(decoder.finish() == nil)
        decoder.reset(codings: [coding], outputLimit: 100_000)
        feed(body, to: decoder, piece: body.count)
        #expect(decoder.state == .limitReached)
        #expect(decoder.decodedSize > 100_000)
        #expect(decoder.decodedSize <= 100_000 + 65_536)
    }

    @Test("the limit holds between two codings too")
    func limitBetween() {
        // Skippable zstd frames give nothing, however many bytes they have; deflate carries them as they are.
        let frame: [UInt8] = [0x50, 0x2a, 0x4d, 0x18, 42, 0, 0, 0] + [UInt8](repeating: 7, count: 42)
        let frames = Array(Array(repeating: frame, count: 100).joined())
        let length = [UInt8(frames.count & 0xff), UInt8(frames.count >> 8)]
        let body = [0x01] + length + length.map { ~$0 } + frames
        for (limit, size, state) in [(5000, 0, BodyDecoder.State.ended), (4999, nil, .limitReached)] as [(Int, Int?, _)]
        {
            let decoder = BodyDecoder(codings: [.zstd, .deflate], outputLimit: limit)
            feed(body, to: decoder, piece: 33)
            #expect(decoder.finish() == size)
            #expect(decoder.state == state)
        }
    }

    @Test("zstd windows beyond 8 MiB are refused in a body")
    func largeWindow() {
        let decoder = BodyDecoder(codings: [.zstd], outputLimit: .max)
        feed(CompressedFixtures.zstdLargeWindow, to: decoder, piece: 100)
        #expect(decoder.state == .failed)
    }

    @Test("a stack of more codings than anybody needs is not undone")
    func manyCodings() {
        let decoder = BodyDecoder(codings: Array(repeating: .gzip, count: 10_000), outputLimit: .max)
        #expect(decoder.state == .failed)
        decoder.reset(codings: [.gzip], outputLimit: .max)
        feed(CompressedFixtures.gzip, to: decoder, piece: 10)
        #expect(decoder.finish() == 900)
    }

    private func feed(_ body: [UInt8], to decoder: BodyDecoder, piece: Int) {
        var offset = 0
        while offset < body.count {
            let end = min(offset + piece, body.count)
            unsafe decoder.consume(body.span.bytes.extracting(offset..<end))
            offset = end
        }
    }
}
