/// One coding of a body's stack: a decompressor, the memory it puts its output to, and where it stands.
@safe final class DecoderStage {
    /// Output of one step. Larger gains nothing; a stack holds one per coding.
    private static let roomSize = 32 << 10

    let coding: ContentCoding
    /// Bytes put out since the restart.
    private(set) var producedSize = 0
    /// No input came since the restart.
    private(set) var isUntouched = true
    /// The last byte taken was the last of a stream.
    private(set) var hasEnded = false

    private let decompressor: any Decompressor
    private let room: UnsafeMutableRawBufferPointer

    init(_ coding: ContentCoding) {
        self.coding = coding
        unsafe room = .allocate(byteCount: Self.roomSize, alignment: 16)
        switch coding {
        case .gzip: decompressor = ZlibDecompressor(wrapper: .gzip)
        case .deflate: decompressor = ZlibDecompressor(wrapper: .zlibOrNone)
        case .brotli: decompressor = BrotliDecompressor()
        case .zstd: decompressor = ZstdDecompressor(windowLog: ZstdDecompressor.contentWindowLog)
        }
    }

    deinit {
        unsafe room.deallocate()
    }

    /// Makes the stage ready for another body; false when the library cannot.
    func restart() -> Bool {
        defer {
            producedSize = 0
            isUntouched = true
            hasEnded = false
        }
        return isUntouched || decompressor.restart()
    }

    /// Prepares for so many bytes more: behind the end of a stream, for another stream. False when none may follow.
    func accepts(_ count: Int) -> Bool {
        guard hasEnded, count > 0 else { return true }
        hasEnded = false
        return decompressor.allowsFurtherStreams && decompressor.restart()
    }

    func step(_ input: UnsafeRawBufferPointer) -> DecompressorStep {
        guard unsafe !input.isEmpty || !isUntouched else {
            return DecompressorStep(outcome: .needsInput, consumed: 0, produced: 0)
        }
        isUntouched = false
        let step = unsafe decompressor.step(input, room)
        producedSize += step.produced
        hasEnded = step.outcome == .ended
        return step
    }

    /// The bytes that the last step put out; valid until the next.
    func output(_ count: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: room[..<count])
    }
}
