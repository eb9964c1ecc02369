/// Wraps bytes as compressed files do, without compressing them: enough to test what undoes it.
public enum CompressedFileBuilder {
    /// One gzip member of stored deflate blocks (RFC 1951 §3.2.4, RFC 1952).
    public static func gzip(_ content: [UInt8]) -> [UInt8] {
        var file = ByteWriter()
        file.bytes = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        var offset = 0
        repeat {
            let end = min(offset + 65_535, content.count)
            file.bytes.append(end == content.count ? 1 : 0)
            file.u16(UInt16(end - offset))
            file.u16(~UInt16(end - offset))
            file.bytes += content[offset..<end]
            offset = end
        } while offset < content.count
        file.u32(checksum(content))
        file.u32(UInt32(truncatingIfNeeded: content.count))
        return file.bytes
    }

    /// One zstd frame of raw blocks, with a window of 1 MiB (RFC 8878 §3.1.1).
    public static func zstd(_ content: [UInt8]) -> [UInt8] {
        var file = ByteWriter()
        file.bytes = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x50]
        var offset = 0
        repeat {
            let end = min(offset + 100_000, content.count)
            let header = UInt32(end - offset) << 3 | (end == content.count ? 1 : 0)
            file.bytes += [UInt8(header & 0xff), UInt8(header >> 8 & 0xff), UInt8(header >> 16)]
            file.bytes += content[offset..<end]
            offset = end
        } while offset < content.count
        return file.bytes
    }

    /// One zstd frame of a raw block and blocks that repeat a zero (RFC 8878 §3.1.1.2.2): four bytes for 100,000.
    public static func zstd(_ start: [UInt8], zeros: Int) -> [UInt8] {
        var file = ByteWriter()
        file.bytes = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x50]
        func begin(_ count: Int, type: UInt32, isLast: Bool) {
            let header = UInt32(count) << 3 | type << 1 | (isLast ? 1 : 0)
            file.bytes += [UInt8(header & 0xff), UInt8(header >> 8 & 0xff), UInt8(header >> 16)]
        }
        begin(start.count, type: 0, isLast: zeros == 0)
        file.bytes += start
        for offset in stride(from: 0, to: zeros, by: 100_000) {
            begin(min(100_000, zeros - offset), type: 1, isLast: offset + 100_000 >= zeros)
            file.bytes.append(0)
        }
        return file.bytes
    }

    /// A gzip member of 4 MiB of zeros, as zlib makes it: no deflate is much shorter.
    public static let gzipZeros: (bytes: [UInt8], count: Int) = {
        let start: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xed, 0xc1, 1, 1, 0, 0, 0, 0x82, 0x20, 0xff, 0xaf, 0x6e, 0x48, 0x40, 1,
        ]
        let end: [UInt8] = [0x7c, 0x1b, 0x6a, 0x40, 0x47, 0x11, 0, 0, 0x40, 0]
        return (start + [UInt8](repeating: 0, count: 4063) + end, 4 << 20)
    }()

    /// CRC-32 as gzip has it (RFC 1952 §8), bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xedb8_8320 : remainder >> 1 }
        }
        return ~remainder
    }
}
