import CZlib

/// The size that content has after gzip as monitoring SDKs apply it: zlib's default level (6), a 32 KiB window, memory
/// level 8, no name. Empty content, and content that is gzip already, they leave as it is. The compressed bytes are
/// thrown away. How the content is split does not change the size.
@safe public final class GzipMeasure {
    private static let roomSize = 32 << 10
    private static let gzipWindowBits: Int32 = 31
    private static let memoryLevel: Int32 = 8

    private let stream: UnsafeMutablePointer<z_stream>
    private let room: UnsafeMutablePointer<UInt8>
    private let isReady: Bool
    private var hasFailed = false
    /// Bytes taken so far, and the first two of them.
    private var taken = 0
    private var first: UInt8 = 0
    private var isGzip = false

    public init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe room = .allocate(capacity: Self.roomSize)
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        isReady =
            unsafe deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Self.gzipWindowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, size) == Z_OK
    }

    deinit {
        if isReady { unsafe deflateEnd(stream) }
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
        unsafe room.deallocate()
    }

    /// Makes it ready for other content.
    public func reset() {
        let code = isReady ? unsafe deflateReset(stream) : Z_STREAM_ERROR
        hasFailed = code != Z_OK
        taken = 0
        isGzip = false
    }

    /// Takes the next bytes of the content.
    public func consume(_ bytes: RawSpan) {
        guard isReady, !hasFailed, !bytes.isEmpty else { return }
        unsafe bytes.withUnsafeBytes { input in
            unsafe lookForGzip(input)
            taken += input.count
            guard !isGzip else { return }
            var offset = 0
            while offset < input.count, !hasFailed {
                let count = min(input.count - offset, 1 << 30)
                let piece = unsafe UnsafeRawBufferPointer(rebasing: input[offset..<offset + count])
                unsafe compress(piece, Z_NO_FLUSH)
                offset += count
            }
        }
    }

    /// Bytes that the compressed content has; nil when the library failed.
    public func finish() -> Int? {
        guard isReady, !hasFailed else { return nil }
        guard taken > 0, !isGzip else { return taken }
        unsafe compress(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH)
        return hasFailed ? nil : unsafe Int(stream.pointee.total_out)
    }

    /// The mark may come in two pieces; a first byte that was compressed already does no harm.
    private func lookForGzip(_ input: UnsafeRawBufferPointer) {
        guard taken < 2 else { return }
        if taken == 0 { unsafe first = input[0] }
        guard taken + input.count >= 2 else { return }
        let second = unsafe input[1 - taken]
        isGzip = first == 0x1F && second == 0x8B
    }

    private func compress(_ input: UnsafeRawBufferPointer, _ flush: Int32) {
        let source = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: source)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        repeat {
            unsafe stream.pointee.next_out = unsafe room
            unsafe stream.pointee.avail_out = UInt32(Self.roomSize)
            let code = unsafe deflate(stream, flush)
            if code == Z_STREAM_END { return }
            // No progress is possible: all input was taken before.
            if code == Z_BUF_ERROR, flush == Z_NO_FLUSH { return }
            guard code == Z_OK else {
                hasFailed = true
                return
            }
        } while unsafe stream.pointee.avail_out == 0 || stream.pointee.avail_in > 0 || flush == Z_FINISH
    }
}
