import Testing
import WireCore
import WireTesting

/// Directions whose first captured packet has no payload, and whose SYN the capture does not hold.
@Suite("Audit: bare packets before a direction's first byte")
struct LateStartTests {
    struct Start: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var requests = 1
        var write: @Sendable (inout Dialogue) -> Void
    }

    private static func exchange(_ talk: inout Dialogue, at start: [Int]) {
        talk.data(.client, Sample.request, at: start[0], acknowledging: start[1])
        talk.data(.server, Sample.response, at: start[1], acknowledging: start[0] + 27)
        talk.send(.client, .ack, at: start[0] + 27, acknowledging: start[1] + 43)
    }

    static let starts = [
        Start(testDescription: "the client's keep-alive") {
            $0.send(.client, .ack, at: 0, acknowledging: 1)
            $0.send(.server, .ack, at: 1, acknowledging: 1)
            exchange(&$0, at: [1, 1])
        },
        Start(testDescription: "several keep-alives, and none answered") {
            for _ in 0..<3 { $0.send(.client, .ack, at: 0, acknowledging: 1) }
            exchange(&$0, at: [1, 1])
        },
        Start(testDescription: "keep-alives of both sides") {
            $0.send(.server, .ack, at: 0, acknowledging: 1)
            $0.send(.client, .ack, at: 1, acknowledging: 1)
            $0.send(.client, .ack, at: 0, acknowledging: 1)
            $0.send(.server, .ack, at: 1, acknowledging: 1)
            exchange(&$0, at: [1, 1])
        },
        Start(testDescription: "a keep-alive, then the end", requests: 0) {
            $0.send(.client, .ack, at: 0, acknowledging: 1)
            $0.send(.server, .ack, at: 1, acknowledging: 1)
            $0.send(.client, [.fin, .ack], at: 1, acknowledging: 1)
            $0.send(.server, [.fin, .ack], at: 1, acknowledging: 2)
            $0.send(.client, .ack, at: 2, acknowledging: 2)
        },
        Start(testDescription: "a keep-alive, then a request with FIN") {
            $0.send(.client, .ack, at: 0, acknowledging: 1)
            $0.send(.client, [.fin, .ack], at: 1, Array(Sample.request.utf8), acknowledging: 1)
            $0.data(.server, Sample.response, at: 1, acknowledging: 28)
        },
        Start(testDescription: "a bare ACK behind the FIN, then the FIN", requests: 0) {
            $0.send(.client, .ack, at: 101, acknowledging: 1)
            $0.send(.client, [.fin, .ack], at: 100, acknowledging: 1)
            $0.send(.server, .ack, at: 1, acknowledging: 101)
        },
        Start(testDescription: "a bare ACK behind the FIN, then what was before it", requests: 0) {
            $0.send(.client, .ack, at: 101, acknowledging: 1)
            $0.send(.client, [.fin, .ack], at: 50, [UInt8](repeating: 1, count: 50), acknowledging: 1)
            $0.send(.server, .ack, at: 1, acknowledging: 101)
        },
        Start(testDescription: "a bare ACK behind the FIN, then data before a FIN that was not captured", requests: 0) {
            $0.send(.client, .ack, at: 101, acknowledging: 1)
            $0.data(.client, [UInt8](repeating: 1, count: 50), at: 50, acknowledging: 1)
            $0.send(.server, .ack, at: 1, acknowledging: 101)
        },
        Start(testDescription: "the FIN's answer before the FIN, and a repeated FIN", requests: 0) {
            $0.send(.server, .ack, at: 1, acknowledging: 101)
            $0.send(.client, .ack, at: 101, acknowledging: 2)
            $0.send(.server, [.fin, .ack], at: 1, acknowledging: 101)
            $0.send(.client, [.fin, .ack], at: 100, acknowledging: 2)
        },
    ]

    @Test("miss nothing", arguments: starts)
    func missesNothing(start: Start) {
        var talk = Dialogue()
        start.write(&talk)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.findings(.streamGap) == 0)
        #expect(capture.connections.map { $0.counts.up.unseen + $0.counts.down.unseen } == [0])
        #expect(capture.connections.allSatisfy { !$0.flags.contains(.gap) })
        #expect(capture.exchanges.map(\.unseenBytes) == [Int](repeating: 0, count: start.requests))
        #expect(capture.exchanges.allSatisfy { !$0.flags.contains(.gap) && !$0.flags.contains(.malformed) })
        #expect(capture.exchanges.allSatisfy { $0.status == 200 })
    }

    @Test("a byte that two packets prove is missing all the same", arguments: [2, 3, 100])
    func findsRealGap(distance: Int) {
        var talk = Dialogue()
        talk.send(.client, .ack, at: 0, acknowledging: 1)
        talk.send(.server, .ack, at: 1, acknowledging: distance)
        talk.data(.client, Sample.request, at: distance, acknowledging: 1)
        talk.data(.server, Sample.response, at: 1, acknowledging: distance + 27)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.findings(.streamGap) > 0)
        #expect(capture.connections[0].counts.up.unseen == distance)
    }

    @Test("the answer to a keep-alive is not paid by the request behind it")
    func paysApart() {
        var talk = Dialogue()
        talk.send(.client, .ack, at: 0, acknowledging: 1)
        talk.send(.server, .ack, at: 1, acknowledging: 1)
        Self.exchange(&talk, at: [1, 1])
        let capture = talk.audit()
        #expect(capture.exchanges.map { $0.costs.down[.ack] } == [0])
        #expect(capture.exchanges.map { $0.costs.up[.ack] } == [40])
    }
}
