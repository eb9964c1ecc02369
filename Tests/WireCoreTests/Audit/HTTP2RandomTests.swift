import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: random layers")
struct HTTP2RandomTests {
    @Test("costs each exchange what its frames, records and packets say", arguments: 0..<10 as Range<UInt64>)
    func agreesWithAccount(block: UInt64) {
        for seed in block * 4..<block * 4 + 4 {
            let model = RandomLayers(seed: seed)
            let name = "seed \(seed), \(model.suite?.rawValue ?? "clear"), \(model.hasFrames ? "HTTP/2" : "HTTP/1.1")"
            let capture = model.talk.check(name)
            #expect(capture.exchanges.allSatisfy { $0.flags.subtracting(.pushed).isEmpty }, "\(name)")
            #expect(capture.exchanges.allSatisfy { $0.status == 200 }, "\(name)")
            #expect(capture.result.findings.map(\.code) == [], "\(name)")
            let bodies = capture.exchanges.map { [$0.decodedBody.up, $0.decodedBody.down] }
            #expect(bodies == model.bodies.map { [$0.up, $0.down] }, "\(name)")
            let paths = capture.exchanges.map { $0.path.map { String(decoding: $0, as: UTF8.self) } }
            #expect(paths == model.bodies.indices.map { "/\($0)" }, "\(name)")
        }
    }
}
