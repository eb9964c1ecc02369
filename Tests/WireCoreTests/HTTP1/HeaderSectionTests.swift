import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/1: header section")
struct HeaderSectionTests {
    private func read(_ text: String) -> HeaderSection? {
        let bytes = Array(text.utf8)
        return unsafe HeaderSection.read(bytes.span.bytes, from: 0)
    }

    static let hosts: [(fields: String, host: String?)] = [
        ("Host: a\r\n", "a"), ("host:a\r\n", "a"), ("HOST: \t a.b:80 \t\r\n", "a.b:80"), ("Host:\r\n", nil),
        ("Host: a\r\nHost: b\r\n", "a"), ("Host:\r\nHost: b\r\n", "b"), ("X-Host: a\r\n", nil), ("Hosts: a\r\n", nil),
        ("Host:\r\n a\r\n", "a"), ("Host: a\n", "a"), ("Host a\r\n", nil), ("", nil),
    ]

    @Test("finds the host", arguments: hosts.indices)
    func findsHost(index: Int) throws {
        let (fields, host) = Self.hosts[index]
        let section = try #require(read(fields + "\r\nrest"))
        #expect(section.end == fields.utf8.count + 2)
        #expect(section.host.map { String(decoding: Array(fields.utf8)[$0], as: UTF8.self) } == host)
    }

    static let lengths: [(fields: String, length: Int?, isInvalid: Bool)] = [
        ("Content-Length: 5\r\n", 5, false), ("content-length:0005\r\n", 5, false),
        ("Content-Length: 5, 5\r\n", 5, false), ("Content-Length: 5\r\nContent-Length: 5\r\n", 5, false),
        ("Content-Length: 5, 6\r\n", 5, true), ("Content-Length: 5\r\nContent-Length: x\r\n", 5, true),
        ("Content-Length: -5\r\n", nil, true), ("Content-Length: +5\r\n", nil, true),
        ("Content-Length: 0x5\r\n", nil, true), ("Content-Length: 5 6\r\n", nil, true),
        ("Content-Length: 999999999999999999\r\n", 999_999_999_999_999_999, false),
        ("Content-Length: 9999999999999999999\r\n", nil, true), ("Content-Length:\r\n", nil, false),
        ("Content-Lengths: 5\r\n", nil, false), ("Content-Length:\r\n 5\r\n", 5, false),
        ("Content-Length: 5,\r\n", 5, false),
    ]

    @Test("reads the length", arguments: lengths.indices)
    func readsLength(index: Int) throws {
        let (fields, length, isInvalid) = Self.lengths[index]
        let section = try #require(read(fields + "\r\n"))
        #expect(section.contentLength == length)
        #expect(section.contentLengthIsInvalid == isInvalid)
    }

    static let codings: [(fields: String, hasTransferEncoding: Bool, isChunked: Bool, codings: Int, isUnknown: Bool)] =
        [
            ("Transfer-Encoding: chunked\r\n", true, true, 0, false),
            ("TRANSFER-ENCODING:CHUNKED\r\n", true, true, 0, false),
            ("Transfer-Encoding: gzip, chunked\r\n", true, true, 1, false),
            ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", true, true, 1, false),
            ("Transfer-Encoding: chunked, gzip\r\n", true, false, 1, false),
            ("Transfer-Encoding: chunked;q=1 ,\r\n", true, true, 0, false),
            ("Transfer-Encoding: xchunked\r\n", true, false, 0, true),
            ("Transfer-Encoding: identity\r\n", false, false, 0, false),
            ("Transfer-Encoding: identity, chunked\r\n", true, true, 0, false),
            ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", true, false, 0, false),
            ("Content-Encoding: gzip\r\n", false, false, 1, false),
            ("Content-Encoding: x-gzip, deflate, BR, zstd\r\n", false, false, 4, false),
            ("Content-Encoding: gzip, gzip, gzip, gzip, gzip\r\n", false, false, 4, true),
            ("Content-Encoding: compress\r\n", false, false, 0, true),
            ("Content-Encoding: identity\r\n", false, false, 0, false),
            ("Content-Encoding: br\r\nTransfer-Encoding: gzip, chunked\r\n", true, true, 2, false),
        ]

    @Test("reads the codings", arguments: codings.indices)
    func readsCodings(index: Int) throws {
        let expected = Self.codings[index]
        let section = try #require(read(expected.fields + "\r\n"))
        #expect(section.hasTransferEncoding == expected.hasTransferEncoding)
        #expect(section.endsInChunked == expected.isChunked)
        #expect(section.codings.count == expected.codings)
        #expect(section.codings.isUndecodable == expected.isUnknown)
    }

    @Test("ends at the first empty line, whatever its line ends, and not before")
    func findsEnd() throws {
        for text in [
            "A: b\r\nC: d\r\n\r\n", "A: b\nC: d\n\n", "A: b\r\nC: d\n\r\n", "A: b\r\n c\r\n\td\r\n\r\n", "\r\n",
        ] {
            let bytes = Array((text + "Host: later\r\n\r\n").utf8)
            let section = try #require(unsafe HeaderSection.read(bytes.span.bytes, from: 0))
            #expect(section.end == text.utf8.count)
            #expect(section.host == nil)
            for count in 0..<text.utf8.count {
                let prefix = Array(bytes.prefix(count))
                #expect(unsafe HeaderSection.read(prefix.span.bytes, from: 0) == nil, "\(count) bytes of \(text)")
            }
        }
    }

    @Test("takes any bytes for what they are", arguments: [1, 2] as [UInt64])
    func survivesNoise(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "Host:", "Content-Length:", "Transfer-Encoding:", " ", "\t", "\r\n", "\n", "\r", ",", "5", "chunked", "é",
            ":",
        ]
        for round in 0..<3000 {
            let text = (0..<random.below(20)).map { _ in random.element(pieces) }.joined() + "\r\n\r\n"
            let section = read(text)
            // Where the empty line stands is found here by splitting at line feeds.
            var end = 0
            for line in text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false) {
                end += line.count + 1
                if line.isEmpty || Array(line) == [0x0d] { break }
            }
            #expect(section?.end == end, "seed \(seed), round \(round): \(text.debugDescription)")
        }
    }
}

@Suite("HTTP/1: chunks")
struct ChunkedFramingTests {
    /// The causes of the bytes: f for framing, d for data, e for the claim that ends the message, ! for malformed.
    private func claims(_ text: String, piece: Int) -> String {
        var framing = ChunkedFraming()
        let bytes = Array(text.utf8)
        var claims = ""
        var start = 0
        while start < bytes.count {
            let run = Array(bytes[start..<min(start + piece, bytes.count)])
            var offset = 0
            while offset < run.count {
                switch unsafe framing.next(run.span.bytes, offset) {
                case .framing(let count):
                    claims += String(repeating: "f", count: count)
                    offset += count
                case .data(let count):
                    claims += String(repeating: "d", count: count)
                    offset += count
                case .end(let count): return claims + String(repeating: "f", count: count) + "e"
                case .malformed: return claims + "!"
                }
            }
            start += piece
        }
        return claims
    }

    static let table: [(text: String, claims: String)] = [
        ("0\r\n\r\nX", "fffffe"), ("1\r\na\r\n0\r\n\r\n", "fffdfffffffe"), ("A\r\n0123456789\r\n", "fffddddddddddff"),
        ("a;x=y\r\n0123456789", "fffffffdddddddddd"), ("0001 \r\na", "fffffffd"), ("2\nab\n0\n\n", "ffddffffe"),
        ("0\r\nA: b\r\n\r\n", String(repeating: "f", count: 11) + "e"), ("\r\n", "!"), ("x", "!"), ("1x\r\n", "f!"),
        ("1\r\nab", "fffd!"), ("fffffffffffffff\r\n", String(repeating: "f", count: 17)),
        ("10000000000000000\r\n", String(repeating: "f", count: 15) + "!"), ("-1\r\n", "!"), (";\r\n", "!"),
        ("1;a\r;b\r\nx", "ffffffffd"),
    ]

    @Test("tell framing from data, in pieces of any size", arguments: table.indices)
    func tellsFraming(index: Int) {
        let (text, expected) = Self.table[index]
        for piece in 1...20 { #expect(claims(text, piece: piece) == expected, "pieces of \(piece)") }
    }

    @Test("follow data that is not there by its length")
    func skipsData() {
        var framing = ChunkedFraming()
        #expect(framing.dataRemaining == nil)
        let size = Array("10\r\n".utf8)
        _ = unsafe framing.next(size.span.bytes, 0)
        #expect(framing.dataRemaining == 16)
        framing.skipData(10)
        #expect(framing.dataRemaining == 6)
        framing.skipData(6)
        #expect(framing.dataRemaining == nil)
        let rest = Array("\r\n0\r\n\r\n".utf8)
        guard case .end(7) = unsafe framing.next(rest.span.bytes, 0) else {
            Issue.record("the last chunk was not found")
            return
        }
    }
}
