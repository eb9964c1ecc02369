import CNghttp3

/// Undoes the field compression of one direction of an HTTP/3 connection (RFC 9204) for an observer, who sends nothing:
/// takes the encoder's stream and its field sections, in any order.
///
/// Memory: what the table holds, at most the capacity, with 240 bytes for each entry besides, where RFC 9204 counts 32
/// (§3.2.1), and a list of entries of a quarter of the largest capacity. A name of more than 256 bytes or a value of more
/// than 64 KB fails.
@safe public final class QPACKInflater {
    /// Largest capacity of a dynamic table that is followed, bytes.
    public static let largestTable = 1 << 20

    /// What became of a field section.
    public enum Outcome: Sendable {
        /// All fields were given.
        case read
        /// It refers to insertions that have not come. It can be read again.
        case blocked
        /// It cannot be decompressed. Nothing is read behind it.
        case failed
    }

    private let capacity: Int
    private let decoder: OpaquePointer
    private let section: OpaquePointer
    private var room: [UInt8] = []
    /// Bytes of the encoder's stream so far.
    private var receivedBytes = 0
    private var hasFailed = false

    /// - Parameter capacity: SETTINGS_QPACK_MAX_TABLE_CAPACITY of the endpoint that receives the sections: what they count
    ///   insertions by (RFC 9204 §4.5.1.1). Nil beyond `largestTable`, and without memory.
    public init?(capacity: Int) {
        guard (0...QPACKInflater.largestTable).contains(capacity) else { return nil }
        let memory = unsafe nghttp3_mem_default()
        var decoder: OpaquePointer?
        guard unsafe nghttp3_qpack_decoder_new(&decoder, capacity, Int.max, memory) == 0, let decoder = unsafe decoder
        else { return nil }
        var section: OpaquePointer?
        guard unsafe nghttp3_qpack_stream_context_new(&section, 0, memory) == 0, let section = unsafe section else {
            unsafe nghttp3_qpack_decoder_del(decoder)
            return nil
        }
        self.capacity = capacity
        unsafe self.decoder = decoder
        unsafe self.section = section
    }

    deinit {
        unsafe nghttp3_qpack_stream_context_del(section)
        unsafe nghttp3_qpack_decoder_del(decoder)
    }

    /// Insertions so far.
    public var insertCount: UInt64 { unsafe nghttp3_qpack_decoder_get_icnt(decoder) }

    /// Most that it and its table take, bytes: text is never more than the encoder's stream can hold after Huffman coding.
    public var memory: Int {
        let entries = min(Int(clamping: insertCount), capacity / 32)
        return 2048 + capacity / 4 + entries * 240 + min(capacity, receivedBytes * 2)
    }

    /// Takes the next bytes of the encoder's stream, without its type. False when they cannot be read: every later call
    /// fails at once.
    public func receive(_ instructions: RawSpan) -> Bool {
        guard !hasFailed else { return false }
        receivedBytes += instructions.byteCount
        let count = unsafe instructions.withUnsafeBytes { bytes in
            unsafe nghttp3_qpack_decoder_read_encoder(
                decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        hasFailed = count != instructions.byteCount
        drain()
        return !hasFailed
    }

    /// Reads a whole field section and calls with each field: name, value, and how it was sent. The spans are valid during
    /// the call. Fields of a section that fails may have been given before.
    ///
    /// - Parameter prefix: bytes of the section before its first field line (§4.5.1), which count with no field.
    public func read(_ bytes: RawSpan, prefix: Int, _ body: (RawSpan, RawSpan, FieldCoding) -> Void) -> Outcome {
        guard !hasFailed, bytes.byteCount > 0 else { return .failed }
        unsafe nghttp3_qpack_stream_context_reset(section)
        let outcome = unsafe bytes.withUnsafeBytes { unsafe read($0, prefix, body) }
        drain()
        if outcome == .failed { hasFailed = true }
        return outcome
    }

    private func read(
        _ bytes: UnsafeRawBufferPointer, _ prefix: Int, _ body: (RawSpan, RawSpan, FieldCoding) -> Void
    ) -> Outcome {
        var offset = 0
        var lineStart = prefix
        while true {
            var field = unsafe nghttp3_qpack_nv()
            var flags: UInt8 = 0
            let next = unsafe bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: UInt8.self)
            let count = unsafe nghttp3_qpack_decoder_read_request(
                decoder, section, &field, &flags, next, bytes.count - offset, 1)
            guard count >= 0 else { return .failed }
            offset += count
            let isEmitted = flags & UInt8(NGHTTP3_QPACK_DECODE_FLAG_EMIT) != 0
            if isEmitted {
                unsafe QPACKInflater.deliver(field, size: offset - lineStart, body)
                lineStart = offset
            }
            if flags & UInt8(NGHTTP3_QPACK_DECODE_FLAG_FINAL) != 0 { return .read }
            if flags & UInt8(NGHTTP3_QPACK_DECODE_FLAG_BLOCKED) != 0 { return .blocked }
            guard isEmitted || count > 0 else { return .failed }
        }
    }

    private static func deliver(_ field: nghttp3_qpack_nv, size: Int, _ body: (RawSpan, RawSpan, FieldCoding) -> Void) {
        let name = unsafe nghttp3_rcbuf_get_buf(field.name)
        let value = unsafe nghttp3_rcbuf_get_buf(field.value)
        let isNeverIndexed = unsafe field.flags & UInt8(NGHTTP3_NV_FLAG_NEVER_INDEX) != 0
        unsafe body(
            RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: name.base, count: name.len)),
            RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: value.base, count: value.len)),
            FieldCoding(size: size, isNeverIndexed: isNeverIndexed))
        unsafe nghttp3_rcbuf_decref(field.name)
        unsafe nghttp3_rcbuf_decref(field.value)
    }

    /// Throws away what a decoder would send: left to grow, it makes the decoder fail.
    private func drain() {
        let count = unsafe nghttp3_qpack_decoder_get_decoder_streamlen(decoder)
        guard count > 0 else { return }
        if room.count < count { room = [UInt8](repeating: 0, count: max(count, 64)) }
        unsafe room.withUnsafeMutableBufferPointer { room in
            var buffer = unsafe nghttp3_buf(
                begin: room.baseAddress, end: room.baseAddress.map { unsafe $0 + room.count }, pos: room.baseAddress,
                last: room.baseAddress)
            unsafe nghttp3_qpack_decoder_write_decoder(decoder, &buffer)
        }
    }
}
