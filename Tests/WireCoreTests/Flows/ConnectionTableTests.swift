import Testing
import WireTesting

@testable import WireCore

@Suite("Connection table")
struct ConnectionTableTests {
    @Test("finds what a dictionary finds, through inserts and removals", arguments: [1, 2, 3] as [UInt64])
    func agreesWithDictionary(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = ConnectionTable()
        var model: [UInt64: Int] = [:]
        var keys: [UInt64] = []
        var free: [Int] = []
        for round in 0..<3_000 {
            if model.isEmpty || random.below(5) < 3 {
                // Few different places and tags, so that entries collide and runs wrap around the end.
                let place = UInt64(1000 + random.below(40)) << 32 | UInt64(random.below(64))
                let hash = random.oneIn(2) ? random.next() : place
                guard model[hash] == nil else { continue }
                let index = free.popLast() ?? keys.count
                if index == keys.count { keys.append(hash) } else { keys[index] = hash }
                table.insert(hash, index)
                model[hash] = index
            } else {
                let index = random.below(keys.count)
                guard model[keys[index]] == index else { continue }
                table.remove(keys[index], index)
                model[keys[index]] = nil
                free.append(index)
            }
            guard round % 100 == 0 || round > 2_990 else { continue }
            let absent = random.next()
            var finds = true
            for (hash, index) in model where table.find(hash, isMatch: { keys[$0] == hash }) != index { finds = false }
            #expect(finds, "seed \(seed), round \(round)")
            let found = table.find(absent) { keys[$0] == absent }
            #expect(found == -1, "seed \(seed), round \(round)")
        }
        #expect(model.count > 300)
    }

    @Test("a key is the same for both directions, and tells who sent", arguments: [false, true])
    func keysBothDirections(isVersion6: Bool) {
        let addresses: [UInt64] = [1, 2]
        var keys: [ConnectionKey] = []
        for source in addresses {
            for destination in addresses {
                for ports in [(80, 80), (80, 81), (81, 80)] as [(UInt16, UInt16)] {
                    var packet = DecodedPacket()
                    packet.source = IPAddress(high: isVersion6 ? source : 0, low: 7 - source, isVersion6: isVersion6)
                    packet.destination = IPAddress(
                        high: isVersion6 ? destination : 0, low: 7 - destination, isVersion6: isVersion6)
                    packet.sourcePort = ports.0
                    packet.destinationPort = ports.1
                    let key = ConnectionKey(packet)
                    swap(&packet.source, &packet.destination)
                    swap(&packet.sourcePort, &packet.destinationPort)
                    let back = ConnectionKey(packet)
                    #expect(key == back)
                    #expect(key.hash(seed: 5) == back.hash(seed: 5))
                    #expect(
                        key.sender(of: key.sender)
                            == Endpoint(
                                address: packet.destination, port: packet.destinationPort))
                    let isSelf = source == destination && ports.0 == ports.1
                    #expect(isSelf || key.sender != back.sender)
                    if !keys.contains(key) { keys.append(key) }
                }
            }
        }
        // 1↔1 and 2↔2 with ports 80↔80 and 80↔81, and 1↔2 with 80↔80, 80↔81, 81↔80.
        #expect(keys.count == 7)
    }

    /// Addresses whose words were chosen so that products with known factors meet, or are nothing.
    private static func chosen(_ index: UInt64, shape: Int) -> ConnectionKey {
        let factors: (UInt64, UInt64) = (0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB)
        // The inverse of the second factor: each step doubles the number of right bits.
        var inverse = factors.1
        for _ in 0..<6 { inverse = inverse &* (2 &- factors.1 &* inverse) }
        let high = 0x2001_0000_0000_0000 &+ index &* 0x10001
        let partner = high &* factors.0 &* inverse
        let words: [(high: UInt64, low: UInt64)] =
            switch shape {
            case 0: [(high, 1), (partner, 2)]
            case 1: [(1, high), (2, partner)]
            case 2: [(0, index), (0, 0xD6E8_FEB8_6659_FD93)]
            case 3: [(0xD6E8_FEB8_6659_FD93, index), (0, 0)]
            default: [(index, index), (index &+ 1, index &+ 1)]
            }
        return ConnectionKey(
            IPAddress(high: words[0].high, low: words[0].low, isVersion6: true),
            IPAddress(high: words[1].high, low: words[1].low, isVersion6: true), ports: 0x9C40_0050)
    }

    @Test("nobody can choose addresses that meet in one place without knowing the seed", arguments: 0..<5)
    func chosenAddresses(shape: Int) {
        for seed in [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0] as [UInt64] {
            let keys = (0..<4096).map { Self.chosen($0, shape: shape) }
            #expect(Set(keys.map { $0.hash(seed: seed) }).count == 4096)
            // The part of the hash that places are chosen by: of 4,096 thrown into 65,536 about 124 meet.
            let places = Set(keys.map { $0.hash(seed: seed) >> 32 & 0xFFFF })
            #expect(places.count > 3850, "shape \(shape), seed \(seed): \(places.count) places")
        }
        var classifier = DatagramClassifier()
        let long: [UInt8] = [0xC0, 0, 0, 0, 1, 8] + [UInt8](repeating: 0, count: 1200)
        for index in 0..<50 as Range<UInt64> {
            let key = Self.chosen(index, shape: shape)
            let payload = index == 0 ? long : Array(long[1...])
            #expect(
                unsafe classifier.classify(key, payload.span.bytes, length: payload.count, mayOpen: false)
                    == (index == 0 ? .quic(begins: true) : .unknown))
        }
    }
}
