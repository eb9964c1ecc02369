import Testing
import WireCore
import WireTesting

@Suite("Audit: retransmissions")
struct RetransmissionTests {
    /// Every segment whose ends lie on a grid of four bytes, over a stream of which two pieces were seen: all ways in
    /// which a segment can touch, overlap, hold, or lie in what was seen.
    static let segments: [Range<Int>] = stride(from: 0, to: 40, by: 4).flatMap { lower in
        stride(from: lower + 4, through: 40, by: 4).map { lower..<$0 }
    }

    @Test(
        "what the sender's own flags call otherwise than the bytes is counted, and changes no number",
        arguments: [
            // None; of a socket; a retransmission; a keep-alive.
            ([0, 0], 0), ([8, 12], 0), ([8, 8], 1), ([12, 12], 1), ([12, 8], 2), ([8, 10], 1), ([0, 12], 0),
        ] as [([UInt8], Int)])
    func senderFlags(flags: [UInt8], otherwise: Int) {
        var talk = Dialogue()
        talk.handshake()
        let first = talk.frames.count
        talk.data(.client, Sample.post)
        talk.data(.client, Array(Sample.post.utf8), at: 0)
        talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
        let plain = talk.audit()
        for (place, flags) in flags.enumerated() { talk.frames[first + place].senderFlags = flags }
        let capture = talk.audit()
        #expect(capture.findings(.senderDiffers) == otherwise && plain.findings(.senderDiffers) == 0)
        #expect(capture.exchanges[0].costs == plain.exchanges[0].costs)
        #expect(capture.exchanges[0].costs.up[.retransmission] == Sample.post.utf8.count + 40)
    }

    @Test("books each byte once as new, and as repeated ever after", arguments: segments)
    func splitsOverlaps(segment: Range<Int>) {
        let stream = Array(Sample.post.utf8)
        var talk = Dialogue()
        var seen = Set<Int>()
        var (new, repeated, header, repeatedHeader) = (0, 0, 0, 0)
        talk.handshake()
        for range in [8..<16, 24..<32, segment, 0..<24, 20..<stream.count] {
            talk.data(.client, Array(stream[range]), at: range.lowerBound)
            let unseen = range.filter { !seen.contains($0) }.count
            seen.formUnion(range)
            new += unseen
            repeated += range.count - unseen
            if unseen > 0 { header += 40 } else { repeatedHeader += 40 }
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        let counts = capture.connections[0].counts.up
        #expect(counts.payloadNew == new)
        #expect(counts.payloadRepeated == repeated)
        #expect(counts.unseen == 0)
        let costs = capture.exchanges[0].costs.up
        #expect(costs.message == stream.count)
        #expect(costs[.body] == 20)
        #expect(costs[.retransmission] == repeated + repeatedHeader)
        #expect(costs[.tcpip] == header)
        #expect(capture.exchanges[0].request?.complete == true)
    }

    @Test("charges the owners of the original bytes")
    func chargesOwners() {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.exchange()
        talk.exchange()
        // All of the first response; ten bytes of the second response and twenty of the third.
        talk.data(.server, Sample.response, at: 0)
        talk.data(.server, Array(Array((Sample.response + Sample.response).utf8)[33..<63]), at: 43 + 33)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        // 40 header bytes in the proportion 10 : 20 are 13⅓ and 26⅔.
        #expect(capture.exchanges.map { $0.costs.down[.retransmission] } == [83, 10 + 13, 20 + 27])
        #expect(capture.connections[0].counts.down.retransmittedSegments == 2)
    }

    @Test("books what was sent before in a packet with new bytes to the old owner, and its headers to the new")
    func sharesMixedPacket() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request)
        talk.data(.client, Array(Sample.request.utf8.suffix(7)) + Array(Sample.request.utf8), at: 20)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].costs.up[.retransmission] == 7)
        #expect(capture.exchanges[0].costs.up[.tcpip] == 40)
        #expect(capture.exchanges[1].costs.up.lines == ["start_line": 16, "headers": 11, "tcpip": 40])
    }

    @Test("charges a retransmission of bytes that are still waiting for a hole to be filled")
    func chargesHeldBytes() {
        var talk = Dialogue()
        talk.handshake()
        talk.lose(.client, 27)
        talk.data(.client, Sample.request)
        talk.data(.client, Sample.request, at: 27)
        talk.data(.client, Sample.request, at: 0)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { $0.costs.up[.retransmission] } == [0, 67])
        #expect(capture.connections[0].counts.up.outOfOrderSegments == 1)
    }

    @Test("counts a late retransmission of an exchange that ended long ago")
    func chargesOldExchange() {
        var talk = Dialogue()
        talk.handshake()
        for _ in 0..<4 {
            talk.exchange()
            talk.time += 5_000_000_000
        }
        talk.data(.server, Sample.response, at: 43)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections[0].costs.down[.retransmission] == 83)
        #expect(capture.connections[0].counts.down.payloadRepeated == 43)
    }
}

@Suite("Audit: order and holes")
struct ReorderingTests {
    @Test("gives the same costs for segments in any order", arguments: 0..<24)
    func reorders(permutation: Int) {
        let stream = Array(Sample.post.utf8)
        let pieces = [0..<10, 10..<40, 40..<48, 48..<68]
        var rest = Array(0..<4)
        var code = permutation
        var talk = Dialogue()
        talk.handshake()
        for count in (1...4).reversed() {
            let piece = pieces[rest.remove(at: code % count)]
            code /= count
            talk.data(.client, Array(stream[piece]), at: piece.lowerBound)
        }
        talk.data(.server, Sample.response)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(
            capture.exchanges[0].costs.up.lines
                == ["start_line": 17, "headers": 31, "body": 20, "tcpip": 160, "setup.tcp": 80])
        #expect(capture.exchanges.count == 1)
        #expect(capture.exchanges[0].request?.complete == true)
    }

    /// A response with a body of 30 bytes, of which ten in the middle are not seen; the client acknowledges all of it.
    private func dialogueWithHole() -> Dialogue {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request)
        talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n0123456789")
        talk.lose(.server, 10)
        talk.data(.server, "klmnopqrst")
        talk.ack(.client)
        return talk
    }

    @Test("counts only bytes that were seen, and says how many were not")
    func keepsHole() {
        var talk = dialogueWithHole()
        talk.time += 3_000_000_000
        talk.exchange()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.count == 2)
        #expect(capture.exchanges[0].unseenBytes == 10)
        #expect(capture.exchanges[0].flags.contains(.gap))
        #expect(capture.exchanges[0].costs.down[.body] == 20)
        #expect(capture.exchanges[0].response?.complete == false)
        #expect(capture.exchanges[0].decodedBody.down == nil)
        #expect(capture.exchanges[1].flags == [])
        #expect(capture.connections[0].counts.down.unseen == 10)
        #expect(capture.findings(.streamGap) == 1)
    }

    @Test("fills a hole long after it was acknowledged and given up")
    func fillsHoleLate() {
        var talk = dialogueWithHole()
        talk.time += 3_000_000_000
        talk.exchange()
        talk.data(.server, "abcdefghij", at: 49)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].unseenBytes == 0)
        #expect(capture.exchanges[0].costs.down[.body] == 30)
        #expect(capture.exchanges[0].costs.down[.tcpip] == 120)
        #expect(capture.connections[0].counts.down.unseen == 0)
        #expect(capture.connections[0].counts.down.payloadNew == 69 + 43)
        #expect(capture.connections[0].costs.down[.retransmission] == 0)
    }

    @Test("waits for what was acknowledged before it was captured")
    func waitsForReorderedCapture() {
        var talk = dialogueWithHole()
        talk.data(.client, Sample.request)
        talk.data(.server, "abcdefghij", at: 49)
        talk.data(.server, Sample.response)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { $0.flags.contains(.gap) } == [false, false])
        #expect(capture.exchanges.map { $0.response?.complete } == [true, true])
        #expect(capture.findings(.streamGap) == 0)
    }

    @Test("does not take data of the other direction for proof of loss")
    func ignoresOtherDirection() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request)
        talk.lose(.server, 20)
        talk.data(.server, Array(Sample.response.utf8.dropFirst(20)))
        talk.data(.client, Sample.request, acknowledging: 0)
        talk.time += 30_000_000_000
        talk.data(.client, Sample.request, acknowledging: 0)
        talk.data(.server, Array(Sample.response.utf8.prefix(20)), at: 0)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].response?.complete == true)
        #expect(capture.findings(.streamGap) == 0)
    }

    @Test("says so when the end of a message was acknowledged but not captured")
    func notesMissingTail() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request)
        talk.data(.server, Array(Sample.response.utf8.prefix(40)))
        talk.ack(.client, upTo: 43)
        talk.fin(.client)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].flags.contains(.gap))
        #expect(capture.exchanges[0].costs.down[.body] == 2)
    }

    @Test("counts as unseen only what lies between the first and the highest byte seen")
    func countsUnseenMidstream() {
        var talk = Dialogue()
        talk.lose(.client, 500)
        talk.data(.client, Sample.request)
        // Captured late: 20 bytes from before the capture's first one, and a hole of 30 behind them.
        talk.data(.client, [UInt8](repeating: 0x61, count: 20), at: 450)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections[0].counts.up.payloadNew == 47)
        #expect(capture.connections[0].counts.up.payloadRepeated == 0)
        #expect(capture.connections[0].counts.up.unseen == 30)
    }
}
