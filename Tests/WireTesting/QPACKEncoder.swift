import CNghttp3

/// The field compression of one direction as nghttp3 does it (RFC 9204), for tests that need an encoder which is not ours.
@safe public final class QPACKEncoder {
    private let encoder: OpaquePointer

    /// - Parameters:
    ///   - capacity: of the dynamic table, bytes.
    ///   - blocked: streams that may wait for insertions.
    public init(capacity: Int, blocked: Int = 100) {
        var made: OpaquePointer?
        guard unsafe nghttp3_qpack_encoder_new(&made, capacity, nghttp3_mem_default()) == 0, let made = unsafe made
        else {
            preconditionFailure("no memory")
        }
        unsafe encoder = made
        unsafe nghttp3_qpack_encoder_set_max_dtable_capacity(encoder, capacity)
        unsafe nghttp3_qpack_encoder_set_max_blocked_streams(encoder, blocked)
    }

    deinit { unsafe nghttp3_qpack_encoder_del(encoder) }

    /// All sections so far were read.
    public func acknowledgeAll() { unsafe nghttp3_qpack_encoder_ack_everything(encoder) }

    /// The field section of a stream, and what goes to the encoder's stream before it can be read.
    public func encode(
        stream: UInt64, _ fields: [(String, String)]
    ) -> (section: [UInt8], instructions: [UInt8]) {
        var text: [UInt8] = []
        for field in fields { text += Array(field.0.utf8) + Array(field.1.utf8) }
        text.append(0)
        var prefix = unsafe nghttp3_buf()
        var lines = unsafe nghttp3_buf()
        var instructions = unsafe nghttp3_buf()
        unsafe text.withUnsafeMutableBufferPointer { text in
            var offset = 0
            var list: [nghttp3_nv] = unsafe []
            for field in fields {
                let name = unsafe text.baseAddress.map { unsafe $0 + offset }
                let value = unsafe name.map { unsafe $0 + field.0.utf8.count }
                unsafe list.append(
                    nghttp3_nv(
                        name: name, value: value, namelen: field.0.utf8.count, valuelen: field.1.utf8.count, flags: 0))
                offset += field.0.utf8.count + field.1.utf8.count
            }
            let status = unsafe nghttp3_qpack_encoder_encode(
                encoder, &prefix, &lines, &instructions, Int64(stream), &list, list.count)
            precondition(status == 0)
        }
        return unsafe (
            QPACKEncoder.take(&prefix) + QPACKEncoder.take(&lines), QPACKEncoder.take(&instructions)
        )
    }

    private static func take(_ buffer: inout nghttp3_buf) -> [UInt8] {
        let count = unsafe buffer.pos.map { unsafe buffer.last - $0 } ?? 0
        let bytes = unsafe Array(UnsafeBufferPointer(start: buffer.pos, count: count))
        unsafe nghttp3_buf_free(&buffer, nghttp3_mem_default())
        return bytes
    }
}
