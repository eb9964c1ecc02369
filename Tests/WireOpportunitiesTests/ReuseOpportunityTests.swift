import Testing
import WireCore
import WireTesting

@testable import WireOpportunities

@Suite("Opportunity of reuse")
struct ReuseOpportunityTests {
    private static let options: AuditOptions = {
        var options = AuditOptions()
        options.keepsHeads = true
        return options
    }()

    /// Calls of one client, a connection each, that begin so far apart and take a second.
    private func frames(apart seconds: Double, hosts: Int) -> [CapturedFrame] {
        (0..<6).flatMap { number -> [CapturedFrame] in
            var talk = Dialogue(clientPort: UInt16(50_000 + number))
            talk.time += Int64(Double(number) * seconds * 1_000_000_000)
            talk.handshake()
            talk.data(.client, "GET /api\(number) HTTP/1.1\r\nHost: h\(number % hosts).test\r\n\r\n")
            talk.time += 1_000_000_000
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            talk.close()
            return talk.frames
        }.sorted { $0.time < $1.time }
    }

    @Test(
        "is what the table of set-up says, whatever the report is about",
        arguments: [(2.0, 1, 5), (2.0, 3, 3), (0.1, 1, 0), (0.1, 3, 0), (100, 1, 0)])
    func same(apart: Double, hosts: Int, needless: Int) {
        let all = frames(apart: apart, hosts: hosts)
        for api in [nil, "/api0", "/api5"] {
            let finder = OpportunityFinder(
                window: 16, includes: { record in api.map { record.target == Array($0.utf8) } ?? true })
            let result = audit(all, Self.options, sink: finder, examiner: nil)
            let found = finder.finish(result)
            let item = found.opportunities.first { $0.kind == .connectionReuse }
            let saving = result.hosts.reduce(0) { $0 + $1.setup.reuseSaving }
            #expect(saving == needless * 240)
            #expect(item?.bytes ?? 0 == saving && item?.count ?? 0 == needless)
            #expect(found.computedTotal == saving)
            for subject in item?.subjects ?? [] {
                #expect(result.hosts.first { $0.host == subject.name }?.setup.reuseSaving == subject.bytes)
            }
        }
    }

    @Test(
        "servers that close connections sooner than is supposed are told, unless the client was first",
        arguments: [
            (.server, 5, 5_000_000_000), (.server, 59, 59_000_000_000), (.server, 61, nil), (.client, 5, nil),
            (nil, 0, nil),
        ] as [(Dialogue.Side?, Int64, Int64?)])
    func serverCloses(by side: Dialogue.Side?, after seconds: Int64, idle: Int64?) {
        let frames = (0..<6).flatMap { number -> [CapturedFrame] in
            var talk = Dialogue(clientPort: UInt16(50_000 + number))
            talk.time += Int64(number) * 20_000_000_000
            talk.handshake()
            talk.data(.client, "GET /api\(number) HTTP/1.1\r\nHost: h.test\r\n\r\n")
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            talk.time += seconds * 1_000_000_000 - talk.interval
            guard let side else { return talk.frames }
            talk.fin(side)
            talk.time += 7_000_000_000
            talk.fin(side == .client ? .server : .client)
            return talk.frames
        }.sorted { $0.time < $1.time }
        let finder = OpportunityFinder(window: 16)
        let found = finder.finish(audit(frames, Self.options, sink: finder, examiner: nil))
        let item = found.opportunities.first { $0.kind == .connectionReuse }
        #expect(item?.count == 5)
        #expect(item?.serverCloses == idle.map { .init(count: 6, shortestIdle: $0) })
    }

    @Test("only hosts that the report is about are in it")
    func hosts() {
        let finder = OpportunityFinder(window: 16, includesHost: { $0 == "h1.test" })
        let result = audit(
            frames(apart: 2, hosts: 3), Self.options, sink: finder, examiner: nil)
        let found = finder.finish(result)
        let item = found.opportunities.first { $0.kind == .connectionReuse }
        #expect(item?.subjects == [.init(name: "h1.test", bytes: 240, count: 1)] && found.computedTotal == 240)
    }
}
