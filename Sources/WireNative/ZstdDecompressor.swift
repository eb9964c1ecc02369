import CZstd

/// Zstandard (RFC 8878).
@safe final class ZstdDecompressor: Decompressor {
    /// Largest window of a content coding: 8 MiB (RFC 9659 §3).
    static let contentWindowLog: Int32 = 23
    /// Largest window of a file: what the zstd program itself takes without being told to take more, 128 MiB.
    static let fileWindowLog: Int32 = 27

    private let context: OpaquePointer?
    private let windowLog: Int32

    init(windowLog: Int32) {
        self.windowLog = windowLog
        unsafe context = ZSTD_createDCtx()
        if let context = unsafe context {
            unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLog)
        }
    }

    deinit {
        unsafe ZSTD_freeDCtx(context)
    }

    var allowsFurtherStreams: Bool { true }

    func restart() -> Bool {
        guard let context = unsafe context else { return false }
        return unsafe ZSTD_isError(ZSTD_DCtx_reset(context, ZSTD_reset_session_only)) == 0
    }

    func step(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        guard let context = unsafe context else {
            return DecompressorStep(outcome: .failed, consumed: 0, produced: 0)
        }
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        while true {
            let before = unsafe (source.pos, target.pos)
            let code = unsafe ZSTD_decompressStream(context, &target, &source)
            let (consumed, produced) = unsafe (source.pos, target.pos)
            let outcome: DecompressorStep.Outcome
            if ZSTD_isError(code) != 0 {
                outcome = .failed
            } else if code == 0 {
                outcome = .ended
            } else if produced == output.count {
                outcome = .needsRoom
            } else if consumed == input.count || before == (consumed, produced) {
                outcome = .needsInput
            } else {
                continue
            }
            return DecompressorStep(outcome: outcome, consumed: consumed, produced: produced)
        }
    }
}
