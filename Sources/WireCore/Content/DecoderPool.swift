import WireNative

/// Decoders of message bodies: used again one after another, and bounded all together.
///
/// A decoder holds a window, up to 16 MiB for brotli, and a small body can decode to a huge one. Beyond the limits a
/// body's decoded size stays unknown; nothing else depends on it.
struct DecoderPool {
    /// What all decoders may hold together, bytes.
    private static let heldLimit = 96 << 20
    /// What all bodies may decode to, for a start and per captured byte.
    private static let decodedAllowance = 1 << 30
    private static let decodedPerCaptured = 100
    /// Decoders kept for reuse; one with a large window is let go.
    private static let spareLimit = 16
    private static let spareWindow = 256 << 10

    private let outputLimit: Int
    private var spare: [BodyDecoder] = []
    private var heldBytes = 0
    private var decodedBytes = 0

    init(outputLimit: Int) { self.outputLimit = outputLimit }

    /// What may still be decoded after so many captured bytes.
    private func allowance(captured: Int) -> Int {
        DecoderPool.decodedAllowance + captured * DecoderPool.decodedPerCaptured - decodedBytes
    }

    /// A decoder for the codings; nil when no more may be decoded.
    mutating func take(_ codings: [ContentCoding], captured: Int) -> BodyDecoder? {
        let limit = min(outputLimit, allowance(captured: captured))
        guard limit > 0 else { return nil }
        let decoder: BodyDecoder
        if let used = spare.popLast() {
            decoder = used
            decoder.reset(codings: codings, outputLimit: limit)
        } else {
            decoder = BodyDecoder(codings: codings, outputLimit: limit)
        }
        heldBytes += decoder.heldBytes
        return decoder
    }

    /// Feeds a decoder. Returns false when a limit is reached and the decoder is to be given back.
    mutating func feed(_ decoder: BodyDecoder, _ bytes: RawSpan, captured: Int) -> Bool {
        let heldBefore = decoder.heldBytes
        let decodedBefore = decoder.decodedSize
        decoder.consume(bytes)
        heldBytes += decoder.heldBytes - heldBefore
        decodedBytes += decoder.decodedSize - decodedBefore
        return heldBytes <= DecoderPool.heldLimit && allowance(captured: captured) > 0
    }

    mutating func giveBack(_ decoder: BodyDecoder) {
        heldBytes -= decoder.heldBytes
        if spare.count < DecoderPool.spareLimit, decoder.heldBytes <= DecoderPool.spareWindow { spare.append(decoder) }
    }
}
