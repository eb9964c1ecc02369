import Testing
import WireTesting

@testable import WireCore

@Suite("TLS: handshake messages in records")
struct HandshakeStreamTests {
    typealias Build = HelloBuilder

    /// All messages of a stream that comes in these pieces.
    private func messages(_ pieces: [[UInt8]]) -> [(type: UInt8, length: Int, body: [UInt8]?)] {
        var stream = HandshakeStream()
        var found: [(type: UInt8, length: Int, body: [UInt8]?)] = []
        for piece in pieces {
            var offset = 0
            while let message = unsafe stream.next(piece.span.bytes, &offset, end: piece.count) {
                found.append((message.type, message.length, message.isKept ? stream.body : nil))
                stream.forgetBody()
            }
            #expect(offset == piece.count)
        }
        return found
    }

    static let hello = Build.clientHello(extensions: Build.serverName("a.test"))
    static let stream =
        Build.message(1, hello) + Build.message(11, [UInt8](repeating: 3, count: 300)) + Build.message(14, [])
        + Build.message(0, []) + Build.message(2, Build.serverHello()) + Build.message(20, [1, 2, 3])

    private func check(_ found: [(type: UInt8, length: Int, body: [UInt8]?)], _ comment: Comment) {
        #expect(found.map(\.type) == [1, 11, 14, 0, 2, 20], comment)
        #expect(found.map(\.length) == [4 + Self.hello.count, 304, 4, 4, 4 + Build.serverHello().count, 7], comment)
        #expect(found.map(\.body) == [Self.hello, nil, nil, nil, Build.serverHello(), nil], comment)
    }

    @Test("finds the same messages at every split in two, and byte by byte")
    func splitsAnywhere() {
        for split in 0...Self.stream.count {
            check(messages([Array(Self.stream[..<split]), Array(Self.stream[split...])]), "\(split)")
        }
        check(messages(Self.stream.map { [$0] }), "byte by byte")
    }

    @Test("finds the same messages at random splits", arguments: UInt64(1)...3)
    func splitsAtRandom(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            var pieces: [[UInt8]] = [[]]
            for byte in Self.stream {
                if random.oneIn(20) { pieces.append([]) }
                pieces[pieces.count - 1].append(byte)
            }
            check(messages(pieces), "seed \(seed)")
        }
    }

    @Test(
        "a message of 16 MB is counted, not kept, whatever it says to be", arguments: [1, 2, 8, 11, 16, 77] as [UInt8])
    func keepsNoGiant(type: UInt8) {
        var stream = HandshakeStream()
        let header: [UInt8] = [type, 0xFF, 0xFF, 0xFF]
        let piece = [UInt8](repeating: 0, count: 1 << 14)
        var offset = 0
        #expect(unsafe stream.next(header.span.bytes, &offset, end: 4) == nil)
        var remaining = 0xFF_FFFF
        while remaining > 0 {
            offset = 0
            let count = min(remaining, piece.count)
            let message = unsafe stream.next(piece.span.bytes, &offset, end: count)
            #expect(stream.body.isEmpty)
            remaining -= count
            #expect((message == nil) == (remaining > 0))
            if let message { #expect(message.length == 1 << 24 + 3 && !message.isKept) }
        }
    }

    @Test("keeps a hello up to the limit, and no longer one")
    func keepsUpToLimit() {
        for (length, isKept) in [(HandshakeStream.keptLimit, true), (HandshakeStream.keptLimit + 1, false)] {
            let found = messages([Build.message(1, [UInt8](repeating: 0, count: length))])
            #expect(found.count == 1)
            #expect((found.first?.body != nil) == isKept)
        }
    }
}
