import WireNative

/// Compressed contents behind the codings that undo them.
enum ContentSeeds {
    static let all: [[UInt8]] = {
        let single: [(ContentCoding, [UInt8])] = [
            (.gzip, CompressedFixtures.gzip), (.deflate, CompressedFixtures.zlib),
            (.deflate, CompressedFixtures.rawDeflate), (.brotli, CompressedFixtures.brotli),
            (.zstd, CompressedFixtures.zstd), (.gzip, CompressedFixtures.emptyGzip),
            (.gzip, CompressedFixtures.gzip + CompressedFixtures.gzip), (.gzip, CompressedFixtures.gzipZeros),
            (.brotli, CompressedFixtures.brotliZeros), (.zstd, CompressedFixtures.zstdZeros),
            (.zstd, CompressedFixtures.zstdSmallWindow), (.zstd, CompressedFixtures.zstdLargeWindow),
        ]
        let chains: [[UInt8]] = [
            [2, ContentCoding.brotli.rawValue, ContentCoding.gzip.rawValue] + CompressedFixtures.brotliInGzip,
            [0] + Array(CompressedFixtures.text.prefix(100)), [0] + Array("né € 𐍈".utf8),
        ]
        return single.map { [1, $0.0.rawValue] + $0.1 } + chains
    }()
}
