import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: looks in the middle")
struct SnapshotTests {
    private func total(_ ledger: LedgerSummary) -> Int { ledger.causes.up.internet + ledger.causes.down.internet }
    private func link(_ ledger: LedgerSummary) -> Int { ledger.causes.up.link + ledger.causes.down.link }

    @Test(
        "a look has the layers of the capture so far, and no more causes than its end will have",
        arguments: 0..<10 as Range<UInt64>)
    func prefixes(seed: UInt64) {
        let whole = RandomCapture(seed: 3000 + seed).audit
        var random = SeededRandom(seed: seed)
        let places = Set((0..<12).map { _ in random.below(whole.frames.count + 1) })
        var snapshots: [Int: AuditSnapshot] = [:]
        _ = whole.run { auditor, index in
            if places.contains(index) { snapshots[index] = auditor.snapshot(recent: 3) }
        }
        for (count, snapshot) in snapshots {
            var audit = whole
            audit.frames = Array(whole.frames[..<count])
            let result = audit.run().capture.result
            let name = "seed \(3000 + seed), \(count) frames"
            #expect(snapshot.ledger.layers == result.ledger.layers, "\(name)")
            #expect(snapshot.ledger.other == result.ledger.other, "\(name)")
            #expect(snapshot.bytes == result.ledger.bytes && snapshot.packets == count, "\(name)")
            #expect(snapshot.connections == result.connections, "\(name)")
            #expect(snapshot.undecided >= 0, "\(name): \(snapshot.undecided)")
            #expect(total(snapshot.ledger) <= total(result.ledger), "\(name)")
            #expect(link(snapshot.ledger) <= link(result.ledger), "\(name)")
            #expect(snapshot.openConnections <= snapshot.keptConnections, "\(name)")
            #expect(snapshot.keptConnections <= snapshot.connections, "\(name)")
            #expect(snapshot.openExchanges <= snapshot.exchanges, "\(name)")
            #expect(snapshot.recent.count <= 3, "\(name)")
        }
    }

    @Test("when all connections have ended the rows are those of the result", arguments: 0..<12 as Range<UInt64>)
    func rowsInTheEnd(block: UInt64) {
        for seed in 4000 + block * 5..<4000 + block * 5 + 5 {
            var audit = RandomCapture(seed: seed).audit
            audit.options.idleLimit = 60_000_000_000
            // What is no TCP goes on for long enough that all is idle.
            var last = PacketBuilder()
            last.transport = .udp
            let end = (audit.frames.map(\.time).max() ?? 0) + 62_000_000_000
            for step in 0..<300 { audit.frames.append(CapturedFrame(time: end + Int64(step) * 300_000_000, last)) }
            var look = AuditSnapshot()
            let result = audit.run { auditor, index in
                if index == audit.frames.count { look = auditor.snapshot(content: [.hosts, .connections]) }
            }
            .capture.result
            #expect(look.keptConnections == 0 && look.openExchanges == 0 && look.undecided == 0, "seed \(seed)")
            #expect(look.recent.isEmpty && look.heldBytes == 0 && look.awaitingKeys == 0, "seed \(seed)")
            #expect(look.connections == result.connections && look.exchanges == result.exchanges, "seed \(seed)")
            #expect(look.ledger.causes == result.ledger.causes, "seed \(seed)")
            #expect(look.apis.map { "\($0)" } == result.apis.map { "\($0)" }, "seed \(seed)")
            #expect(look.hosts.map { "\($0)" } == result.hostRows.map { "\($0)" }, "seed \(seed)")
            #expect(look.connectionRecords.isEmpty, "seed \(seed)")
            #expect(look.findings.map { "\($0)" } == result.findings.map { "\($0)" }, "seed \(seed)")
        }
    }

    @Test(
        "hosts add up to the ledger at any time, and so do connections with those that ended",
        arguments: 0..<UInt64(Effort.rounds(10)))
    func hostsAndConnections(block: UInt64) {
        for seed in 6000 + block * 5..<6000 + block * 5 + 5 {
            var audit = RandomCapture(seed: seed).audit
            audit.options.hostLimit = 100
            // Nothing ends before the end.
            audit.options.idleLimit = .max
            audit.options.lingerLimit = .max
            audit.options.connectionLimit = 1000
            audit.options.lingerCountLimit = 1000
            var random = SeededRandom(seed: seed)
            let frames = audit.frames.count
            _ = audit.run { auditor, index in
                guard random.oneIn(4) || index == frames else { return }
                let look = auditor.snapshot(content: [.hosts, .connections])
                let hosts = look.hosts.reduce(into: Directions<CostVector>()) { $0 += $1.costs }
                let name = "seed \(seed), \(index) frames"
                #expect(hosts.up.internet == look.ledger.causes.up.internet, "\(name)")
                #expect(hosts.down.internet == look.ledger.causes.down.internet, "\(name)")
                #expect(look.hosts.reduce(0) { $0 + $1.connections } == look.connections, "\(name)")
                #expect(look.hosts.reduce(0) { $0 + $1.exchanges } == look.exchanges, "\(name)")
                guard look.connectionRecords.count == look.connections else { return }
                let records = look.connectionRecords.reduce(into: Directions<CostVector>()) { $0 += $1.costs }
                #expect(records.up.internet == look.ledger.causes.up.internet, "\(name)")
                #expect(records.down.internet == look.ledger.causes.down.internet, "\(name)")
            }
        }
    }

    @Test("an open connection of which TLS hides all stands in the row that it will have")
    func hiddenRows() {
        var hidden = 0
        for seed in 0..<24 as Range<UInt64> {
            let layers = RandomLayers(seed: seed)
            guard layers.suite != nil else { continue }
            var audit = WatchedAudit(frames: layers.talk.talk.frames)
            audit.options.lingerLimit = .max
            var look = AuditSnapshot()
            let result = audit.run { auditor, index in
                if index == audit.frames.count { look = auditor.snapshot(content: .hosts) }
            }
            .capture.result
            for row in result.apis where row.isEncrypted {
                hidden += 1
                let open = look.apis.first { $0.api == row.api }
                #expect(open?.isEncrypted == true && open?.costs == row.costs, "seed \(seed)")
            }
            #expect(look.hosts.map { "\($0.host) \($0.costs)" } == result.hosts.map { "\($0.host) \($0.costs)" })
        }
        #expect(hidden > 5)
    }

    @Test(
        "open exchanges stand in their API's row, with what the policy gives them of the set-up",
        arguments: SetupPolicy.allCases)
    func openRows(policy: SetupPolicy) throws {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.data(.client, "GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
        var audit = WatchedAudit(frames: talk.frames)
        audit.options.setup = policy
        var look = AuditSnapshot()
        _ = audit.run { auditor, index in if index == talk.frames.count { look = auditor.snapshot() } }
        let rows = look.apis.sorted { $0.api < $1.api }
        try #require(rows.map(\.api) == ["GET a /", "GET a /b"])
        #expect(rows.map(\.exchanges) == [1, 1])
        let setup = rows.map { $0.costs.up[.setupTCP] + $0.costs.down[.setupTCP] }
        switch policy {
        case .first: #expect(setup == [120, 0])
        case .even: #expect(setup == [60, 60])
        case .separate: #expect(setup == [0, 0])
        }
        #expect(look.exchanges == 2 && look.openExchanges == 1 && look.openConnections == 1)
        #expect(look.undecided == 0)
        #expect(look.recent.map(\.api) == [Array("GET a /".utf8)])
        #expect(look.recent[0].status == 200)
    }

    @Test("the latest answered exchanges come first, no more than asked for")
    func recent() {
        var audit = WatchedAudit(frames: [])
        for number in 0..<200 {
            var talk = Dialogue(clientPort: UInt16(20_000 + number))
            talk.time = 1_000_000_000_000 + Int64(number) * 10_000_000
            talk.handshake()
            talk.data(.client, "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
            talk.data(.server, Sample.response)
            audit.frames += talk.frames
        }
        _ = audit.run { auditor, index in
            guard index == audit.frames.count else { return }
            for count in [0, 1, 5, 32, 150, 500] {
                let paths = auditor.snapshot(recent: count).recent.map { $0.path ?? [] }
                // The first of each connection stays until that ends.
                #expect(paths == (0..<200).reversed().prefix(count).map { Array("/\($0)".utf8) }, "\(count)")
            }
            #expect(auditor.snapshot(recent: -1).recent.isEmpty)
        }
    }

    @Test("a snapshot that is brought up to date is what a new one would be", arguments: 0..<UInt64(Effort.rounds(20)))
    func updates(block: UInt64) {
        for seed in 5000 + block * 5..<5000 + block * 5 + 5 {
            let audit = RandomCapture(seed: seed).audit
            var random = SeededRandom(seed: seed)
            var kept = AuditSnapshot()
            _ = audit.run { auditor, index in
                guard random.oneIn(3) || index == audit.frames.count else { return }
                while !auditor.updateAPIs(of: &kept) {}
                auditor.update(&kept, recent: 5)
                let new = auditor.snapshot(recent: 5)
                func text(_ snapshot: AuditSnapshot) -> [String] {
                    var plain = snapshot
                    plain.apis = []
                    return ["\(plain)"] + snapshot.apis.map { "\($0)" }.sorted()
                }
                #expect(text(kept) == text(new), "seed \(seed), \(index) frames")
            }
        }
    }
}
