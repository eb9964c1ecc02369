import Testing
import WireNative

@Suite("Header compression, measured")
struct HPACKDeflaterTests {
    private func fields(_ pairs: [(String, String)]) -> [(name: [UInt8], value: [UInt8])] {
        pairs.map { (Array($0.0.utf8), Array($0.1.utf8)) }
    }

    @Test("sections take as many bytes as RFC 7541 C.4 has for them, one behind the other")
    func examples() throws {
        let deflater = try #require(HPACKDeflater())
        let host = (":authority", "www.example.com")
        #expect(deflater.size(of: fields([(":method", "GET"), (":scheme", "http"), (":path", "/"), host])) == 17)
        let second = [(":method", "GET"), (":scheme", "http"), (":path", "/"), host, ("cache-control", "no-cache")]
        #expect(deflater.size(of: fields(second)) == 12)
        let third = [
            (":method", "GET"), (":scheme", "https"), (":path", "/index.html"), host, ("custom-key", "custom-value"),
        ]
        #expect(deflater.size(of: fields(third)) == 24)
    }

    @Test("no field takes nothing, and more than the limit is not compressed")
    func limits() throws {
        let deflater = try #require(HPACKDeflater())
        #expect(deflater.size(of: []) == 0)
        let large = [(name: Array("x".utf8), value: [UInt8](repeating: 0x61, count: HPACKDeflater.largestSection))]
        #expect(deflater.size(of: large) == nil)
        #expect(deflater.size(of: fields([("x", "")])) != nil)
    }
}
