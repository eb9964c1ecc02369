import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: HTTP/1.1 in TLS")
struct TLSExchangeTests {
    @Test("opens every suite", arguments: TLSSuite.allCases)
    func opens(suite: TLSSuite) throws {
        var talk = LayeredConversation(suite)
        talk.exchange(0)
        talk.exchange(1, body: 40)
        let capture = talk.check()
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges.map(\.tlsVersion) == [suite.version.rawValue, suite.version.rawValue])
        #expect(capture.exchanges.map(\.flags) == [[], []])
        let tls = try #require(capture.connections[0].tls)
        #expect(tls.isDecrypted && tls.blindness == nil && tls.version == suite.version)
    }
}
