/// Small compressed contents, made once with the reference programs.
enum CompressedFixtures {
    /// What all the texts decode to: 900 bytes.
    static let text = Array(Array(repeating: Array(#"{"id":42,"name":"wire"},"#.utf8), count: 40).joined().prefix(900))

    static let gzip = bytes(
        "1f8b0800000000000203ab56ca4c51b23231d251ca4bcc4d55b2522acf2c4a55aad5a91e151f151f15a78b3800e4e4d27784030000")
    static let zlib = bytes(
        "78daab56ca4c51b23231d251ca4bcc4d55b2522acf2c4a55aad5a91e151f151f15a78b3800a99c0a40")
    static let rawDeflate = bytes("ab56ca4c51b23231d251ca4bcc4d55b2522acf2c4a55aad5a91e151f151f15a78b3800")
    static let brotli = bytes(
        "1b8303f82d8e77123e8c90905e6b5687a1b54819cdde0e4b73bb533a7dc9224396226d7251619c6093e72ca2b027")
    static let zstd = bytes(
        "28b52ffd608402050100c07b226964223a34322c226e616d65223a2277697265227d2c0100a4dd6a8e01")
    /// The brotli text once more in gzip.
    static let brotliInGzip = bytes(
        "1f8b0800000000000203012e00d1ff1b8303f82d8e77123e8c90905e6b5687a1b54819cdde0e4b73bb533a7dc9224396226d7251619c"
            + "6093e72ca2b02734e2811e2e000000")

    static let emptyGzip = bytes("1f8b080000000000020303000000000000000000")

    /// One mebibyte of zeros in 1051, 14 and 49 bytes.
    static let gzipZeros =
        bytes("1f8b0800000000000203edc13101000000c2a0f54f6d085fa0") + [UInt8](repeating: 0, count: 1016)
        + bytes("3e031cea38a700001000")
    static let brotliZeros = bytes("5bffff8f7f02201e0b0472ef1f00")
    static let zstdZeros = bytes(
        "28b52ffda0000010004c000008000100fcff39100202001000020010000200100002001000020010000200100003001000")

    /// One byte in zstd frames that promise a window of 1 MiB and of 64 MiB, which no content coding may want.
    static let zstdSmallWindow = bytes("28b52ffd005009000061")
    static let zstdLargeWindow = bytes("28b52ffd008009000061")

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.map { $0 < 0x3a ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
