import Testing
import WireLogs
import WireTesting

@testable import WireAccuracy
@testable import WireCore

@Suite("Bounds of figures whose calls nobody could read")
struct LogBoundsTests {
    private func bounds(_ session: HiddenSession, _ log: SDKLog) throws -> LogBounds {
        try #require(HostTotalTests.result(session.connections, [log]).logs.first?.bounds)
    }

    /// Letters only, so that each is an API of its own.
    private static func name(_ number: Int) -> String {
        "/call" + String(number).map { String(UnicodeScalar(UInt8(0x61 + Int(String($0))!))) }.joined()
    }

    struct Form: CustomTestStringConvertible {
        var isHTTP1: Bool
        var connections: Int
        var pause: Int
        var splits: Bool

        var testDescription: String {
            "HTTP/\(isHTTP1 ? "1.1" : "2"), \(connections) connections, pauses up to \(pause) ms"
                + (splits ? ", requests and responses apart" : "")
        }

        static let all = [true, false].flatMap { isHTTP1 in
            [(1, 400), (3, 400), (6, 20)].flatMap { connections, pause in
                [false, true].map { Form(isHTTP1: isHTTP1, connections: connections, pause: pause, splits: $0) }
            }
        }
    }

    @Test("hold the message of every row", arguments: Form.all)
    func holdMessages(form: Form) throws {
        var compared = 0
        for seed in UInt64(1)...40 {
            var session = HiddenSession(
                seed: seed, isHTTP1: form.isHTTP1, connections: form.connections, calls: 12, pause: form.pause)
            let ahead = Int64(session.random.below(8_000_000_000)) - 4_000_000_000
            let log = session.log(ahead: ahead, splits: form.splits, Self.name)
            let bounds = try bounds(session, log)
            guard let clock = bounds.clock else { continue }
            #expect(clock.contains(ahead), "seed \(seed)")
            #expect(bounds.refuted == 0, "seed \(seed)")
            for api in bounds.apis {
                let number = try #require(session.calls.indices.first { api.name.hasSuffix(" " + Self.name($0)) })
                let call = session.calls[number]
                for (side, message) in [(api.up, call.up), (api.down, call.down)] where side.rows > 0 {
                    compared += 1
                    #expect(side.least <= message && message <= side.most, "seed \(seed), \(api.name)")
                }
            }
        }
        #expect(compared > 40 * form.connections * 12)
    }

    @Test("hold the sums of APIs", arguments: Form.all)
    func holdSums(form: Form) throws {
        var compared = 0
        for seed in UInt64(1)...20 {
            var session = HiddenSession(
                seed: seed, isHTTP1: form.isHTTP1, connections: form.connections, calls: 12, pause: form.pause)
            let log = session.log(ahead: 0, splits: form.splits) { $0.isMultiple(of: 3) ? "/a" : "/b" }
            for api in try bounds(session, log).apis {
                let isFirst = api.name.hasSuffix(" /a")
                let own = session.calls.enumerated().filter { $0.offset.isMultiple(of: 3) == isFirst }.map(\.element)
                for (side, message) in [
                    (api.up, own.reduce(0) { $0 + $1.up }), (api.down, own.reduce(0) { $0 + $1.down }),
                ] where side.rows == own.count {
                    compared += 1
                    #expect(side.least <= message && message <= side.most, "seed \(seed), \(api.name)")
                }
            }
        }
        #expect(compared > 20)
    }

    @Test("are the messages where rows name their connection, however late or early they are")
    func ports() throws {
        var session = HiddenSession(seed: 17, isHTTP1: true, connections: 3, calls: 12, pause: 20)
        var log = session.log(ahead: 0, Self.name)
        for index in log.rows.indices { log.rows[index].clientPort = UInt16(40_000 + index / 12) }
        let bounds = try bounds(session, log)
        #expect(bounds.figures == 72 && bounds.refuted == 0)
        // Records as long as tickets, alerts or key updates leave doubt.
        #expect(bounds.exact > 40)
        // Marks of connections that are no ports tell nothing.
        for index in log.rows.indices { log.rows[index].clientPort = UInt16(1 + index) }
        log.rows[0].clientPort = 40_001
        #expect(try self.bounds(session, log).refuted == 0)
    }

    @Test("are withdrawn where request and response rows of a path are not as many")
    func unpaired() throws {
        var session = HiddenSession(seed: 19, isHTTP1: false, connections: 2, calls: 12, pause: 200)
        var log = session.log(ahead: 0, splits: true) { $0 < 12 ? "/whole" : "/lost" }
        log.rows.remove(at: log.rows.lastIndex { $0.kind == .request }!)
        let bounds = try bounds(session, log)
        #expect(bounds.unbounded.map(\.reason) == [.unpaired] && bounds.unbounded.first?.rows == 23)
        #expect(bounds.apis.first { $0.name.hasSuffix("/whole") }?.up.rows == 12)
        #expect(bounds.apis.first { $0.name.hasSuffix("/lost") }?.up.rows == 0)
    }

    @Test("are exact for most calls of calm HTTP/1.1")
    func areExact() throws {
        var (exact, figures) = (0, 0)
        for seed in UInt64(1)...40 {
            var session = HiddenSession(seed: seed, isHTTP1: true, connections: 2, calls: 12, pause: 900)
            let bounds = try bounds(session, session.log(ahead: 1_234_567_890, Self.name))
            exact += bounds.exact
            figures += bounds.figures
        }
        #expect(figures == 40 * 24 * 2)
        #expect(exact * 10 > figures * 6)
    }

    @Test("refute figures of decoded bodies, and only those")
    func refute() throws {
        var session = HiddenSession(seed: 7, isHTTP1: false, connections: 2, calls: 20, pause: 900)
        var log = session.log(ahead: 0, Self.name)
        for index in log.rows.indices { log.rows[index].down.total = log.rows[index].down.total.map { $0 * 10 } }
        let bounds = try bounds(session, log)
        #expect(bounds.apis.allSatisfy { $0.up.refuted == 0 })
        #expect(bounds.apis.reduce(0) { $0 + $1.down.tooHigh } > 20)
    }

    @Test("have a least where no other call of HTTP/2 is near, if the log has every call")
    func loneCalls() throws {
        var (known, figures) = (0, 0)
        for seed in UInt64(1)...10 {
            var session = HiddenSession(seed: seed, isHTTP1: false, connections: 1, calls: 20, pause: 900)
            var log = session.log(ahead: 0, Self.name)
            let bounds = try bounds(session, log)
            #expect(bounds.refuted == 0, "seed \(seed)")
            figures += bounds.figures
            known += bounds.apis.reduce(0) { $0 + ($1.up.least > 0 ? 1 : 0) + ($1.down.least > 0 ? 1 : 0) }
            // A host that no connection named may have been called over this one.
            var coalesced = log
            coalesced.rows[10].host = coalesced.texts.number(Array("other.example".utf8))
            #expect(try self.bounds(session, coalesced).apis.contains { $0.down.least > 0 }, "seed \(seed)")
            coalesced.rows[10].time -= 60_000_000_000
            coalesced.rows[10].end += 60_000_000_000
            #expect(try self.bounds(session, coalesced).apis.allSatisfy { $0.down.least == 0 }, "seed \(seed)")
            // Its records are in no row's time.
            log.rows.remove(at: 10)
            #expect(try self.bounds(session, log).apis.allSatisfy { $0.up.least == 0 && $0.down.least == 0 })
        }
        #expect(known * 3 > figures && known < figures)
    }

    @Test("have a most that is what the bodies of other rows leave, which decides nothing")
    func bodies() throws {
        var session = HiddenSession(seed: 23, isHTTP1: false, connections: 2, calls: 12, pause: 20)
        var log = session.log(ahead: 0, Self.name)
        for (index, call) in session.calls.enumerated() {
            (log.rows[index].up.body, log.rows[index].down.body) = (call.up - 9, call.down - 9)
        }
        // A row that is there twice is no claim against itself.
        log.rows.append(log.rows[5])
        let bounds = try bounds(session, log)
        var narrowed = 0
        for api in bounds.apis {
            let number = try #require(session.calls.indices.first { api.name.hasSuffix(" " + Self.name($0)) })
            let call = session.calls[number]
            for (side, message) in [(api.up, call.up), (api.down, call.down)] {
                #expect(message <= side.mostGivenBodies && side.mostGivenBodies <= side.most, "\(api.name)")
                if side.mostGivenBodies < side.most { narrowed += 1 }
            }
        }
        #expect(bounds.refuted == 0 && narrowed > 20)
    }

    @Test("are withdrawn where the capture lacks bytes")
    func incomplete() throws {
        var session = HiddenSession(seed: 3, isHTTP1: true, connections: 1, calls: 12, pause: 400)
        var connections = session.connections
        connections[0].hidden?.isComplete = false
        let log = session.log(ahead: 0, Self.name)
        let bounds = try #require(HostTotalTests.result(connections, [log]).logs.first?.bounds)
        #expect(bounds.figures == 0)
        #expect(bounds.unbounded.map(\.reason) == [.incompleteCapture])
    }

    @Test("say nothing where no offset of the clocks stands out")
    func unknownClock() throws {
        var session = HiddenSession(seed: 5, isHTTP1: true, connections: 1, calls: 3, pause: 400)
        let bounds = try bounds(session, session.log(ahead: 0, Self.name))
        #expect(bounds.clock == nil)
        #expect(bounds.unbounded.map(\.reason) == [.clockUnknown])
    }

    @Test("find a clock that is hours off")
    func farClock() throws {
        var session = HiddenSession(seed: 11, isHTTP1: true, connections: 2, calls: 30, pause: 900)
        let ahead: Int64 = -7 * 3_600_000_000_000
        let bounds = try bounds(session, session.log(ahead: ahead, Self.name))
        #expect(try #require(bounds.clock).contains(ahead))
    }
}
