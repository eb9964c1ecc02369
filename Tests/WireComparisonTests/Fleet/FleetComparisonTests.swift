import Testing
import WireTesting

@testable import WireAccuracy
@testable import WireComparison
@testable import WireStatistics

@Suite("Groups of a fleet")
struct FleetComparisonTests {
    /// Sessions whose calls share an error of their own; those of build 2 have more in the message and in the error.
    private func fleet(
        _ seed: UInt64, message: Int = 0, error: Int = 0, sessions: Int = 120, sources: [String] = ["sdk", "sdk"]
    ) throws -> FleetResult {
        var random = SeededRandom(seed: seed)
        var fleet = FleetResult(labels: ["build"])
        var manifest: [FleetSession] = []
        for number in 0..<sessions {
            var session = FleetSession(name: "s\(number)")
            session.labels = [("build", number % 2 == 0 ? "1" : "2")]
            manifest.append(session)
            let isNew = number % 2 == 1
            let shared = random.below(21) - 10
            var sums = CallSums()
            for _ in 0..<(3 + random.below(10)) {
                let truth = 300 + random.below(40) + (isNew ? message : 0)
                sums.coverage.calls += 1
                sums.coverage.messageBytes += truth
                sums.coverage.wireBytes += truth + 40
                sums.message.add(estimate: truth + shared + (isNew ? error : 0), truth: truth)
            }
            var part = PartialResult(.accuracy, choices: [:])
            if number % 2 < sources.count {
                part.calls[CallKey(source: sources[number % 2], api: nil, direction: .up)] = sums
            }
            sums.message = ErrorAccumulator()
            part.calls[CallKey(source: CallKey.packets, api: nil, direction: .up)] = sums
            part.setSession(session.name, content: SessionContent())
            try fleet.take(FleetRow(session), part)
        }
        fleet.sort(by: manifest)
        return fleet
    }

    @Test("have no significant difference without a change, in any of many fleets")
    func quiet() throws {
        for seed in 1...UInt64(Effort.rounds(60)) {
            let changes = FleetComparison(try fleet(seed)).changes
            #expect(changes.count == 3)
            #expect(changes.allSatisfy { !$0.isSignificant && $0.interval != nil }, "seed \(seed)")
        }
    }

    @Test("show a change with its size, and nothing else", arguments: [(40, 0), (0, 25)])
    func planted(message: Int, error: Int) throws {
        let changes = FleetComparison(try fleet(7, message: message, error: error)).changes
        for change in changes {
            let size = Double(change.measure == .error ? error : message)
            #expect(change.isSignificant == (size != 0), "\(change)")
            #expect(change.value == "2" && change.reference == "1")
            let interval = try #require(change.interval)
            #expect(interval.low - 2 <= size && size <= interval.high + 2, "\(change)")
        }
    }

    @Test(
        "show the growth of messages where groups have no source in common, or none at all",
        arguments: [[], ["log:dm-ndjson", "log:har"]])
    func withoutSources(sources: [String]) throws {
        let changes = FleetComparison(try fleet(5, message: 40, sources: sources)).changes
        #expect(changes.map(\.measure) == [.message, .wire])
        #expect(changes.allSatisfy { $0.isSignificant && $0.source == nil && abs($0.difference - 40) < 3 })
    }

    @Test("of few sessions have no interval and are never significant")
    func few() throws {
        let changes = FleetComparison(try fleet(3, message: 40, sessions: 30)).changes
        #expect(!changes.isEmpty && changes.allSatisfy { $0.interval == nil && !$0.isSignificant })
    }
}
