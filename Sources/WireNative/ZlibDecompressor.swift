import CZlib

/// gzip (RFC 1952), zlib (RFC 1950) and raw deflate (RFC 1951) by zlib.
@safe final class ZlibDecompressor: Decompressor {
    enum Wrapper {
        case gzip
        /// zlib's or none, recognised by the first two bytes.
        case zlibOrNone
    }

    private let wrapper: Wrapper
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    /// First byte of a stream whose wrapper takes two bytes to recognise.
    private var heldByte: UInt8?
    private var wrapperKnown: Bool

    init(wrapper: Wrapper) {
        self.wrapper = wrapper
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        wrapperKnown = wrapper == .gzip
        let windowBits = wrapper == .gzip ? Self.gzipWindowBits : Self.zlibWindowBits
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        isReady = unsafe inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK
    }

    deinit {
        if isReady { unsafe inflateEnd(stream) }
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    /// zlib's way to say which wrapper: 15 is the largest window; 16 more means gzip, a negative number means none.
    private static let gzipWindowBits: Int32 = 31
    private static let zlibWindowBits: Int32 = 15
    private static let rawWindowBits: Int32 = -15

    var allowsFurtherStreams: Bool { wrapper == .gzip }

    func restart() -> Bool {
        guard isReady else { return false }
        heldByte = nil
        wrapperKnown = wrapper == .gzip
        return unsafe inflateReset2(stream, wrapper == .gzip ? Self.gzipWindowBits : Self.zlibWindowBits) == Z_OK
    }

    func step(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        guard isReady else { return DecompressorStep(outcome: .failed, consumed: 0, produced: 0) }
        guard !wrapperKnown else { return unsafe inflateSome(input, output) }
        guard let first = unsafe heldByte ?? input.first else {
            return DecompressorStep(outcome: .needsInput, consumed: 0, produced: 0)
        }
        let secondOffset = heldByte == nil ? 1 : 0
        guard input.count > secondOffset else {
            heldByte = first
            return DecompressorStep(outcome: .needsInput, consumed: input.count, produced: 0)
        }
        wrapperKnown = true
        let second = unsafe input[secondOffset]
        if !Self.isZlibHeader(first, second), unsafe inflateReset2(stream, Self.rawWindowBits) != Z_OK {
            return DecompressorStep(outcome: .failed, consumed: 0, produced: 0)
        }
        guard heldByte != nil else { return unsafe inflateSome(input, output) }
        heldByte = nil
        return unsafe inflateHeld(first, input, output)
    }

    /// Method 8, a window that exists, and a check value that makes the two bytes a multiple of 31 (RFC 1950 §2.2).
    private static func isZlibHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        first & 0x0f == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
    }

    /// Feeds the byte that was held while the wrapper was unknown, then the input.
    private func inflateHeld(
        _ byte: UInt8, _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        let first = unsafe withUnsafeBytes(of: byte) { unsafe inflateSome($0, output) }
        guard case .needsInput = first.outcome else {
            return DecompressorStep(outcome: first.outcome, consumed: 0, produced: first.produced)
        }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[first.produced...])
        var second = unsafe inflateSome(input, room)
        second.produced += first.produced
        return second
    }

    private func inflateSome(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> DecompressorStep {
        let inputCount = min(input.count, Int(UInt32.max))
        let outputCount = min(output.count, Int(UInt32.max))
        let source = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: source)
        unsafe stream.pointee.avail_in = UInt32(inputCount)
        unsafe stream.pointee.next_out = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(outputCount)
        let code = unsafe inflate(stream, Z_NO_FLUSH)
        let consumed = unsafe inputCount - Int(stream.pointee.avail_in)
        let produced = unsafe outputCount - Int(stream.pointee.avail_out)
        let outcome: DecompressorStep.Outcome
        switch code {
        case Z_STREAM_END: outcome = .ended
        // No progress was possible: for want of input, since the caller gives room.
        case Z_OK, Z_BUF_ERROR: outcome = produced == outputCount ? .needsRoom : .needsInput
        default: outcome = .failed
        }
        return DecompressorStep(outcome: outcome, consumed: consumed, produced: produced)
    }
}
