import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/2 frames in early data")
struct EarlyFramesTests {
    @Test(
        "a frame header that two early records share, with other records waiting behind them", arguments: [2, 3, 4, 6],
        [false, true])
    func ownsSplitFrames(records: Int, isLate: Bool) {
        var encoder = HTTP2FieldEncoder()
        let frames: [HTTP2Frame] = [.settings(), .headers(1, encoder.request("/early"), endStream: true)]
        var peers = TLSPeers(.aes128GCM13, protocols: ["h2"])
        let flights = peers.earlyHandshake(HTTP2Frame.preface + frames.bytes, records: records)
        let bench = LayerBench(keys: RecordLayerBench.keys(peers.keyLog))
        bench.deliver(flights[0].bytes, 0)
        // A record in clear, which waits for its turn behind the early ones.
        if isLate { bench.deliver(flights[2].records[0], 0) }
        bench.deliver(flights[1].bytes, 1)
        // Each byte of an early record's content is the preface's, or the exchange's from its HEADERS frame on.
        var place = flights[0].records[0].count
        var offset = 0
        let own = HTTP2Frame.preface.count + frames[0].bytes.count
        for record in flights[0].records.dropFirst() {
            for index in 0..<record.count - 22 {
                let owner = bench.owner(at: place + 5 + index, 0)
                #expect(owner == (offset < own ? -1 : 0), "content byte \(offset), owner \(owner)")
                offset += 1
            }
            place += record.count
        }
        #expect(bench.shard.streams.attribution.pending.count == 0)
    }
}

extension LayerBench {
    func owner(at place: Int, _ direction: Direction) -> Int {
        Int(shard.streams.attribution.owner(at: StreamPosition(place), direction).index)
    }
}
