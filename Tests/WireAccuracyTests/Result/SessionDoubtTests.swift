import Testing

@testable import WireAccuracy
@testable import WireJoin

@Suite("Logs that may be of another session")
struct SessionDoubtTests {
    private static func doubt(_ seconds: Double, pairs: Int = 50, ports: Int = 0) -> SessionDoubt? {
        let clock = ClockFit(offset: Int64(seconds * 1e9), drift: 0, origin: 0, pairs: pairs, spread: 0)
        return SessionDoubt(clock, agreeingSizes: 12, ports: ports)
    }

    @Test("clocks of one session are near each other", arguments: [0, 0.3, -2, 7.9, -8])
    func near(seconds: Double) { #expect(Self.doubt(seconds) == nil) }

    @Test("a larger offset is a doubt, to either side", arguments: [8.1, -64, 86_400])
    func far(seconds: Double) throws {
        let doubt = try #require(Self.doubt(seconds))
        #expect(doubt.clockOffset == Int64(seconds * 1e9) && doubt.agreeingSizes == 12)
    }

    @Test("without pairs nothing is known of clocks, and ports of the client prove the session")
    func proven() {
        #expect(Self.doubt(64, pairs: 0) == nil)
        #expect(Self.doubt(64, ports: 3) == nil)
        #expect(Self.doubt(64, ports: 2) != nil)
    }
}
