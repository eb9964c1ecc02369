/// What one call of a decompressor did.
struct DecompressorStep {
    enum Outcome {
        /// All input was taken and all that it gives was put out.
        case needsInput
        /// The output is full; the same input's rest, or none, may give more.
        case needsRoom
        /// The stream (gzip: member, zstd: frame) is complete. Input behind it was not taken.
        case ended
        /// The input is no stream of this format.
        case failed
    }

    var outcome: Outcome
    /// Bytes taken from the input.
    var consumed: Int
    /// Bytes put to the output.
    var produced: Int
}

/// One decompressing library behind one face. Its state is the library's; output goes to the caller's memory.
protocol Decompressor: AnyObject {
    func step(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep
    /// Makes it ready for the first byte of another stream. False when the library cannot.
    func restart() -> Bool
    /// Whether another stream may follow the one that ended and belongs to the same content.
    var allowsFurtherStreams: Bool { get }
}
