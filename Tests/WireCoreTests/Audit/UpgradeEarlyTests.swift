import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: an upgrade before its request ended")
struct UpgradeEarlyTests {
    private static let request = """
        POST / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 30\r\n\r\n0123456789
        """

    @Test("101 and frames come while the request's head or body still does")
    func answeredEarly() {
        let frames: [HTTP2Frame] = [.settings(), .headers(1, [0x88]), .data(1, .filler(20), endStream: true)]
        let answer = Array("HTTP/1.1 101 x\r\nUpgrade: h2c\r\n\r\n".utf8) + frames.bytes
        let bytes = Array(Self.request.utf8)
        for length in 1...bytes.count {
            for goesOn in [false, true] {
                var talk = Dialogue()
                talk.handshake()
                talk.data(.client, Array(bytes[..<length]))
                talk.data(.server, answer)
                if goesOn {
                    talk.data(.client, Array(bytes[length...]) + .filler(20) + HTTP2Frame.preface)
                    talk.data(.client, [HTTP2Frame.settings(), .ping()].bytes)
                }
                talk.close()
                var isEmptyHanded = false
                let capture = audit(talk.frames, keys: "") { isEmptyHanded = $0.isEmptyHanded }
                #expect(isEmptyHanded, "\(length)")
                #expect(capture.contradictions == [], "\(length)")
            }
        }
    }
}
