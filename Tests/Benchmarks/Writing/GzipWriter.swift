import CZlib

/// Compresses with zlib's default level into one gzip member.
enum GzipWriter {
    static func compress(_ content: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        // Window bits 31: a window of 32 KiB and a gzip header.
        let code = unsafe deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        precondition(code == Z_OK, "zlib cannot start")
        defer { unsafe deflateEnd(&stream) }
        var input = content
        var output = [UInt8](repeating: 0, count: unsafe Int(deflateBound(&stream, UInt(content.count))) + 32)
        let written = unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                let end = unsafe deflate(&stream, Z_FINISH)
                precondition(end == Z_STREAM_END, "zlib did not come to an end")
                return unsafe target.count - Int(stream.avail_out)
            }
        }
        output.removeLast(output.count - written)
        return output
    }
}
