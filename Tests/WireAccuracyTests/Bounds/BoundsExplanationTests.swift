import Testing
import WireLogs
import WireTesting

@testable import WireAccuracy
@testable import WireCore

@Suite("What makes the bounds of a row")
struct BoundsExplanationTests {
    private static func name(_ number: Int) -> String {
        "/call" + String(number).map { String(UnicodeScalar(UInt8(0x61 + Int(String($0))!))) }.joined()
    }

    private func explanation(_ row: Int, _ session: HiddenSession, _ log: SDKLog) throws -> LogSummary {
        var options = AccuracyOptions()
        options.explainedRow = row
        return try #require(HostTotalTests.result(session.connections, [log], options: options).logs.first)
    }

    @Test("its records add up to the most, and hold its call", arguments: [true, false])
    func records(isHTTP1: Bool) throws {
        var explained = 0
        for seed in UInt64(1)...10 {
            var session = HiddenSession(seed: seed, isHTTP1: isHTTP1, connections: 2, calls: 12, pause: 400)
            let log = session.log(ahead: 500_000_000, Self.name)
            let summary = try explanation(5, session, log)
            guard summary.bounds?.clock != nil else { continue }
            let found = try #require(summary.explanation)
            #expect(found.row == 5 && found.name.hasSuffix(Self.name(4)))
            #expect(isHTTP1 ? found.basis == .callsInTime : [.recordsInTime, .alone].contains(found.basis))
            #expect(found.connections.map(\.number) == [0, 1])
            let window = try #require(found.window)
            let call = session.calls[4]
            #expect(window.lowerBound <= call.start && call.end <= window.upperBound)
            for (figure, direction) in [(found.figures.up, WireLogs.Direction.up), (found.figures.down, .down)] {
                let sum = found.records.filter { $0.direction == direction }.reduce(0) { $0 + $1.content }
                #expect(try #require(figure).message.upperBound == sum, "seed \(seed), \(direction)")
            }
            for record in found.records {
                #expect(record.reason == .credit ? record.content <= 13 : window.contains(record.time))
            }
            #expect(found.neighbours.allSatisfy { $0.window.overlaps(window) && $0.row != 5 })
            explained += 1
        }
        #expect(explained > 5)
    }

    @Test("is its place where rows name their connection")
    func place() throws {
        var session = HiddenSession(seed: 17, isHTTP1: true, connections: 3, calls: 12, pause: 20)
        var log = session.log(ahead: 0, Self.name)
        for index in log.rows.indices { log.rows[index].clientPort = UInt16(40_000 + index / 12) }
        let found = try #require(try explanation(15, session, log).explanation)
        #expect(found.basis == .place(3, of: 12))
        #expect(found.connections == [BoundsExplanation.Connection(number: 1, clientPort: 40_001, calls: 12)])
    }

    @Test("is a reason where there are none")
    func reason() throws {
        var session = HiddenSession(seed: 5, isHTTP1: true, connections: 1, calls: 3, pause: 400)
        let log = session.log(ahead: 0, Self.name)
        #expect(try explanation(2, session, log).explanation?.basis == LogBounds.Reason.clockUnknown.asBasis)
        #expect(try explanation(99, session, log).explanation == nil)
    }
}

extension LogBounds.Reason {
    fileprivate var asBasis: BoundsExplanation.Basis { .none(self) }
}
