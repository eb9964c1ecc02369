import Testing
import WireCore
import WireTesting

/// The smallest captures that `.ci/proof order` damages: one connection of eight different calls, read whole and damaged.
@Suite("Audit: damaged captures")
struct DamagedCaptureTests {
    /// What an exchange says of its two messages.
    private struct Claim: Equatable {
        var method: [UInt8]?
        var status: Int?
        var lines: [Int]
        var decoded: [Int?]

        init(_ record: ExchangeRecord) {
            (method, status) = (record.method, record.status)
            lines = [record.costs.up, record.costs.down].flatMap { costs in
                [Cause.startLine, .headers, .framing, .body].map { costs[$0] }
            }
            decoded = [record.decodedBody.up, record.decodedBody.down]
        }
    }

    /// Each request is sent when the answer to the one before has come, as most clients do.
    private static let calls: [(request: String, answer: [String])] = [
        ("GET /0 HTTP/1.1\r\nHost: h\r\n\r\n", ["HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n" + filler(40)]),
        ("HEAD /1 HTTP/1.1\r\nHost: h\r\n\r\n", ["HTTP/1.1 200 OK\r\nContent-Length: 700\r\n\r\n"]),
        (
            "POST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 30\r\n\r\n" + filler(30),
            ["HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"]
        ),
        ("GET /3 HTTP/1.1\r\nHost: h\r\n\r\n", ["HTTP/1.1 204 No Content\r\n\r\n"]),
        (
            "PUT /4 HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 20\r\n\r\n" + filler(20),
            ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 202 Accepted\r\nContent-Length: 3\r\n\r\nyes"]
        ),
        (
            "GET /5 HTTP/1.1\r\nHost: h\r\n\r\n",
            ["HTTP/1.1 203 Other\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n"]
        ),
        ("GET /6 HTTP/1.1\r\nHost: h\r\n\r\n", ["HTTP/1.1 206 Partial\r\nContent-Length: 9\r\n\r\n", filler(9)]),
        ("GET /7 HTTP/1.1\r\nHost: h\r\n\r\n", ["HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"]),
    ]

    private static func filler(_ count: Int) -> String { String(repeating: "b", count: count) }

    private static let frames: [CapturedFrame] = {
        var talk = Dialogue()
        talk.handshake()
        for call in calls {
            talk.data(.client, call.request)
            for part in call.answer { talk.data(.server, part) }
            talk.ack(.client)
        }
        talk.close()
        return talk.frames
    }()

    private static let whole: [[UInt8]: Claim] = Dictionary(
        uniqueKeysWithValues: audit(frames).exchanges.map { ($0.target ?? [], Claim($0)) })

    private static func isClient(_ frame: CapturedFrame) -> Bool { frame.bytes[26..<30] == frames[0].bytes[26..<30] }

    /// Calls that are neither equal nor flagged, and those that are gone without a flag of their connection.
    private func silent(_ frames: [CapturedFrame]) -> [String] {
        let capture = audit(frames)
        var wrong = capture.contradictions
        for record in capture.exchanges where record.flags.isEmpty {
            if record.target.flatMap({ Self.whole[$0] }) != Claim(record) {
                wrong.append("exchange \(record.exchange), status \(record.status ?? 0)")
            }
        }
        let isBroken = capture.connections.contains { !$0.flags.isDisjoint(with: [.gap, .snapped, .noStart, .noEnd]) }
        if capture.exchanges.count < Self.calls.count, !isBroken { wrong.append("\(capture.exchanges.count) calls") }
        return wrong
    }

    private func flagged(_ frames: [CapturedFrame]) -> Int { audit(frames).exchanges.count { !$0.flags.isEmpty } }

    @Test("the whole capture has its eight calls, unflagged")
    func isWhole() {
        #expect(silent(Self.frames) == [])
        #expect(flagged(Self.frames) == 0)
        #expect(Self.whole.values.map { $0.status ?? 0 }.sorted() == [200, 200, 201, 202, 203, 204, 206, 404])
    }

    @Test("one packet is missing: no more than two calls are flagged")
    func oneMissing() {
        for lost in Self.frames.indices {
            var frames = Self.frames
            frames.remove(at: lost)
            #expect(flagged(frames) <= 2, "without packet \(lost + 1)")
        }
    }

    @Test("any three of ten neighbours are missing: no call is wrong without a flag")
    func threeMissing() {
        let count = Self.frames.count
        for first in 0..<count {
            for second in first + 1..<min(first + 9, count) {
                for third in second + 1..<min(first + 10, count) {
                    var frames = Self.frames
                    for lost in [third, second, first] { frames.remove(at: lost) }
                    #expect(silent(frames) == [], "without packets \(first + 1), \(second + 1) and \(third + 1)")
                }
            }
        }
    }

    @Test("any two packets are snapped: no call is wrong without a flag", arguments: [60, 80])
    func twoSnapped(length: Int) {
        for first in Self.frames.indices {
            for second in first..<min(first + 8, Self.frames.count) {
                var frames = Self.frames
                for place in [first, second] where frames[place].bytes.count > length {
                    frames[place].originalLength = frames[place].bytes.count
                    frames[place].bytes.removeSubrange(length...)
                }
                #expect(silent(frames) == [], "packets \(first + 1) and \(second + 1) snapped")
            }
        }
    }

    @Test("two neighbours change places: nothing else changes, and no flag comes")
    func swapped() {
        for place in Self.frames.indices.dropLast() {
            var frames = Self.frames
            frames.swapAt(place, place + 1)
            let time = frames[place].time
            frames[place].time = frames[place + 1].time
            frames[place + 1].time = time
            #expect(silent(frames) == [], "packets \(place + 1) and \(place + 2) swapped")
            #expect(flagged(frames) == 0, "packets \(place + 1) and \(place + 2) swapped")
        }
    }

    @Test(
        "the clock of one direction is off: all calls are there, unflagged",
        arguments: [true, false], [-3.5, -1.5, -0.5, 0.5, 1.5, 3.5])
    func skewed(client: Bool, milliseconds: Double) {
        var frames = Self.frames
        for index in frames.indices where Self.isClient(frames[index]) == client {
            frames[index].time += Int64(milliseconds * 1_000_000)
        }
        // Stable: packets of a direction keep their order.
        frames = frames.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
            \.element)
        #expect(silent(frames) == [])
        #expect(flagged(frames) == 0)
        #expect(audit(frames).exchanges.count == Self.calls.count)
    }
}
