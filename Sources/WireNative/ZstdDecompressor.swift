import CZstd

/// Zstandard (RFC 8878).
@safe final class ZstdDecompressor: Decompressor {
    /// Largest window of a content coding: 8 MiB (RFC 9659 §3).
    static let contentWindowLog: Int32 = 23
    /// Largest window of a file: what the zstd program itself takes without being told to take more, 128 MiB.
    static let fileWindowLog: Int32 = 27

    private let context: OpaquePointer?
    private let windowLog: Int32
    /// Bytes that the library asks for next, the header of the block behind them with them.
    private var wanted = startLength
    /// The output was full: there may be more without further input.
    private var isFull = false

    /// What it asks for at the start of a frame, and the length of a block's header (RFC 8878 §3.1.1.2).
    private static let startLength = 5
    private static let blockHeaderLength = 3

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
        wanted = Self.startLength
        isFull = false
        return unsafe ZSTD_isError(ZSTD_DCtx_reset(context, ZSTD_reset_session_only)) == 0
    }

    /// The library forgets what a call put out when the same call meets damage. So a call never gets more than one block:
    /// what comes before the damage is out already then.
    func step(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        guard let context = unsafe context else {
            return DecompressorStep(outcome: .failed, consumed: 0, produced: 0)
        }
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: 0, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        while true {
            let before = unsafe (source.pos, target.pos)
            let portion =
                isFull ? 0 : wanted > Self.blockHeaderLength ? wanted - Self.blockHeaderLength : max(1, wanted)
            unsafe source.size = unsafe source.pos + min(portion, input.count - source.pos)
            let code = unsafe ZSTD_decompressStream(context, &target, &source)
            let (consumed, produced) = unsafe (source.pos, target.pos)
            let wasFull = isFull
            isFull = produced == output.count
            let outcome: DecompressorStep.Outcome
            if ZSTD_isError(code) != 0 {
                outcome = .failed
            } else if code == 0 {
                outcome = .ended
                wanted = Self.startLength
            } else {
                wanted = code
                if isFull {
                    outcome = .needsRoom
                } else if consumed == input.count || (!wasFull && before == (consumed, produced)) {
                    outcome = .needsInput
                } else {
                    continue
                }
            }
            return DecompressorStep(outcome: outcome, consumed: consumed, produced: produced)
        }
    }
}
