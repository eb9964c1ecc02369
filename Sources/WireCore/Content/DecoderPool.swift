import WireNative

/// Decodes bodies while they are delivered, to learn their decoded sizes. Decoders are used again one after another,
/// and bounded all together.
///
/// A decoder holds a window, up to 16 MiB for brotli, and a small body can decode to a huge one. Beyond the limits a
/// body's decoded size stays unknown; nothing else depends on it.
final class DecoderPool: BodyExaminer {
    /// A body with the decoder that it has while it lasts.
    private final class Body: ExaminedBody, @unchecked Sendable {
        var decoder: BodyDecoder?
        var facts = BodyFacts()

        init(_ decoder: BodyDecoder) { self.decoder = decoder }
    }

    /// What all bodies may decode to for each coded byte, on top of the allowance for a start.
    private static let decodedPerCoded = 100
    /// Decoders kept for reuse; one with a large window is let go.
    private static let spareLimit = 16
    private static let spareWindow = 256 << 10

    private let outputLimit: Int
    /// What all bodies may decode to for a start.
    private let totalLimit: Int
    /// What all decoders may hold together, bytes.
    private let memoryLimit: Int
    private var spare: [BodyDecoder] = []
    private var heldBytes = 0
    private var decodedBytes = 0
    private var codedBytes = 0

    /// - Parameters:
    ///   - outputLimit: largest decoded size of one body.
    ///   - totalLimit: what all bodies may decode to for a start.
    ///   - memoryLimit: what all decoders may hold together.
    init(outputLimit: Int, totalLimit: Int = 256 << 20, memoryLimit: Int = 24 << 20) {
        self.outputLimit = outputLimit
        self.totalLimit = totalLimit
        self.memoryLimit = memoryLimit
    }

    var isImmediate: Bool { true }

    /// What may still be decoded after so many coded bytes.
    private var allowance: Int {
        totalLimit + codedBytes * DecoderPool.decodedPerCoded - decodedBytes
    }

    func begin(_ outline: BodyOutline, limitReached: inout Bool) -> (any ExaminedBody)? {
        guard !outline.codings.isEmpty else { return nil }
        let limit = min(outputLimit, allowance)
        guard limit > 0 else {
            limitReached = true
            return nil
        }
        let decoder: BodyDecoder
        if let used = spare.popLast() {
            decoder = used
            decoder.reset(codings: outline.codings, outputLimit: limit)
        } else {
            decoder = BodyDecoder(codings: outline.codings, outputLimit: limit)
        }
        heldBytes += decoder.heldBytes
        return Body(decoder)
    }

    func take(_ body: any ExaminedBody, _ bytes: RawSpan, captured: Int) -> Bool {
        guard let decoder = (body as? Body)?.decoder else { return false }
        codedBytes += bytes.byteCount
        let heldBefore = decoder.heldBytes
        let decodedBefore = decoder.decodedSize
        decoder.consume(bytes)
        heldBytes += decoder.heldBytes - heldBefore
        decodedBytes += decoder.decodedSize - decodedBefore
        return heldBytes <= memoryLimit && allowance > 0
    }

    func end(_ body: any ExaminedBody, isWhole: Bool) {
        guard let body = body as? Body, let decoder = body.decoder else { return }
        body.facts.decoded = isWhole ? decoder.finish() : decoder.state == .failed ? nil : decoder.decodedSize
        body.facts.limitReached = decoder.state == .limitReached
        giveBack(body)
    }

    func abandon(_ body: any ExaminedBody) {
        guard let body = body as? Body else { return }
        giveBack(body)
    }

    private func giveBack(_ body: Body) {
        guard let decoder = body.decoder else { return }
        body.decoder = nil
        heldBytes -= decoder.heldBytes
        if spare.count < DecoderPool.spareLimit, decoder.heldBytes <= DecoderPool.spareWindow { spare.append(decoder) }
    }
}
