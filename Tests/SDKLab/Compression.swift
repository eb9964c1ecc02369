import CZlib
import Foundation

/// Gzip as SDKs call it: level 6, and nothing done to what is empty or compressed already.
enum Compression {
    static func gzip(_ data: Data) -> Data {
        guard !data.isEmpty, !data.starts(with: [0x1F, 0x8B]) else { return data }
        var stream = unsafe z_stream()
        let windowBits: Int32 = 31
        let state = unsafe deflateInit2_(
            &stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(state == Z_OK, "zlib gives no stream")
        defer { unsafe deflateEnd(&stream) }
        var input = [UInt8](data)
        var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(input.count))))
        unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                let end = unsafe deflate(&stream, Z_FINISH)
                precondition(end == Z_STREAM_END, "the output has room for all")
            }
        }
        return Data(output.prefix(Int(unsafe stream.total_out)))
    }
}
