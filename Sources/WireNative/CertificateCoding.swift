import CBrotli
import CZlib
import CZstd

/// A compression of Certificate messages, by its number in TLS (RFC 8879 §7.3).
public enum CertificateCoding: UInt16, Sendable, CaseIterable {
    case zlib = 1
    case brotli = 2
    case zstd = 3

    /// Size of the content when the coding's library does its best; nil when it refuses.
    public func size(of content: [UInt8]) -> Int? {
        guard !content.isEmpty else { return nil }
        return unsafe content.withUnsafeBufferPointer { unsafe size($0) }
    }

    private func size(_ content: UnsafeBufferPointer<UInt8>) -> Int? {
        switch self {
        case .zlib:
            var size = compressBound(UInt(content.count))
            let isDone = unsafe CertificateCoding.withRoom(Int(size)) {
                unsafe compress2($0, &size, content.baseAddress, UInt(content.count), Z_BEST_COMPRESSION) == Z_OK
            }
            return isDone ? Int(size) : nil
        case .brotli:
            var size = BrotliEncoderMaxCompressedSize(content.count)
            let isDone = unsafe CertificateCoding.withRoom(size) {
                unsafe BrotliEncoderCompress(
                    BROTLI_MAX_QUALITY, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, content.count, content.baseAddress,
                    &size, $0) == BROTLI_TRUE
            }
            return isDone ? size : nil
        case .zstd:
            let room = ZSTD_compressBound(content.count)
            let size = unsafe CertificateCoding.withRoom(room) {
                unsafe ZSTD_compress($0, room, content.baseAddress, content.count, ZSTD_maxCLevel())
            }
            return ZSTD_isError(size) == 0 ? size : nil
        }
    }

    private static func withRoom<Result>(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>?) -> Result) -> Result {
        var room = [UInt8](repeating: 0, count: count)
        return unsafe room.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress) }
    }
}
