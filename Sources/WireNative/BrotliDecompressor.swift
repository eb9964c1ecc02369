import CBrotli

/// Brotli (RFC 7932). Large windows, which the RFC does not have, are refused by the library.
@safe final class BrotliDecompressor: Decompressor {
    private var state: OpaquePointer?

    init() {
        unsafe state = BrotliDecoderCreateInstance(nil, nil, nil)
    }

    deinit {
        unsafe BrotliDecoderDestroyInstance(state)
    }

    var allowsFurtherStreams: Bool { false }

    func restart() -> Bool {
        unsafe BrotliDecoderDestroyInstance(state)
        unsafe state = BrotliDecoderCreateInstance(nil, nil, nil)
        return unsafe state != nil
    }

    func step(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        guard let state = unsafe state else { return DecompressorStep(outcome: .failed, consumed: 0, produced: 0) }
        var inputLeft = input.count
        var nextInput = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var outputLeft = output.count
        var nextOutput = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = unsafe BrotliDecoderDecompressStream(
            state, &inputLeft, &nextInput, &outputLeft, &nextOutput, nil)
        let outcome: DecompressorStep.Outcome
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: outcome = .ended
        // All input was read, but what came out of it did not find room.
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
            outcome = unsafe BrotliDecoderHasMoreOutput(state) != 0 ? .needsRoom : .needsInput
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: outcome = .needsRoom
        default: outcome = .failed
        }
        return DecompressorStep(
            outcome: outcome, consumed: input.count - inputLeft, produced: output.count - outputLeft)
    }
}
