import Testing
import WireTesting

@testable import WireCore
@testable import WireOpportunities

@Suite("Savings of certificate chains")
struct ChainSavingTests {
    private static let path = [CertificateFixtures.leaf, CertificateFixtures.intermediate]

    /// A connection whose server sent these certificates, in full packets with headers of 52 bytes.
    private func connection(
        _ certificates: [[UInt8]], isTLS13: Bool = false, offered: [UInt16] = [], number: Int = 0,
        transport: ConnectionTransport = .tcp
    ) -> ConnectionRecord {
        let body = CertificateFixtures.message(certificates, isTLS13: isTLS13)
        var facts = TLSFacts()
        facts.version = isTLS13 ? .tls13 : .tls12
        facts.handshakeWasRead = true
        facts.chain = CertificateReader().read(body, isTLS13: isTLS13, offered: offered)
        facts.directions.down.messages = [
            TLSMessageCount(type: 2, count: 1, bytes: 90), TLSMessageCount(type: 11, count: 1, bytes: body.count + 4),
        ]
        let flight = 90 + body.count + 4 + (isTLS13 ? 27 : 10)
        // In TLS 1.2 the server's Finished comes later, in a packet of its own.
        let later = isTLS13 ? 0 : 51
        (facts.directions.down.handshake, facts.directions.down.changeCipherSpec) = isTLS13 ? (0, 0) : (flight + 45, 6)
        let packets = (flight + 1447) / 1448 + (later > 0 ? 1 : 0)
        var record = ConnectionRecord.blank
        record.connection = number
        record.transport = transport
        record.client = Endpoint(address: IPAddress(version4: 0x0A00_0001), port: UInt16(50_000 + number))
        record.server = Endpoint(address: IPAddress(version4: 0x0A00_0002), port: 443)
        record.serverName = Array("a.test".utf8)
        record.exchanges = 1
        record.tls = facts
        record.counts.down.packets = packets + 1
        record.counts.down.payload = flight + later
        record.counts.down.internet = flight + later + packets * 52 + 60
        record.costs.down[.setupTLS] = flight + later + packets * 52
        return record
    }

    @Test("certificates that are not needed cost their bytes, and the headers of packets that are needed no more")
    func unneeded() throws {
        let root = CertificateFixtures.root.count
        let small = try #require(ChainSaving(connection(Self.path + [CertificateFixtures.root])))
        #expect(small.unneeded == root + 3 && small.together == small.unneeded)
        #expect(ChainSaving(connection(Self.path))?.unneeded == 0)
        let roots = [[UInt8]](repeating: CertificateFixtures.root, count: 4)
        let large = try #require(ChainSaving(connection(Self.path + roots)))
        // 2,300 bytes in two packets, of which one remains.
        #expect(large.unneeded == 4 * (root + 3) + 52)
        #expect(ChainSaving(connection(Self.path + roots, transport: .quic))?.unneeded == 4 * (root + 3))
    }

    @Test("compression is computed where the client offered it, else estimated; together each byte counts once")
    func compression() throws {
        let certificates = Self.path + [CertificateFixtures.root]
        let offered = try #require(ChainSaving(connection(certificates, isTLS13: true, offered: [2])))
        #expect(offered.compression > 0 && offered.offer == 0)
        #expect(offered.together > offered.unneeded && offered.together < offered.unneeded + offered.compression)
        let other = try #require(ChainSaving(connection(certificates, isTLS13: true)))
        #expect(other.compression == 0 && other.offer == offered.compression && other.together == other.unneeded)
    }

    @Test("chains are summed by host; of connections that need not be opened they are in no total")
    func totals() {
        let certificates = Self.path + [CertificateFixtures.root]
        let finder = OpportunityFinder(window: 16)
        for number in 0..<3 { finder.receive(connection(certificates, number: number)) }
        let found = finder.finish(AuditResult())
        let saving = CertificateFixtures.root.count + 3
        #expect(found.opportunities.map(\.kind) == [.certificateChain] && found.computedTotal == 3 * saving)
        #expect(found.opportunities[0].subjects == [.init(name: "a.test", bytes: 3 * saving, count: 3)])
    }

    @Test("an RSA chain is held against P-256 as an estimate")
    func elliptic() {
        let finder = OpportunityFinder(window: 16)
        finder.receive(connection([CertificateFixtures.rsa]))
        let found = finder.finish(AuditResult())
        #expect(found.opportunities.map(\.kind) == [.ellipticCertificates])
        #expect(found.opportunities.allSatisfy { !$0.isComputed } && found.computedTotal == 0)
    }
}
