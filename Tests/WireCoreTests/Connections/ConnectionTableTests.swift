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
                        key.endpoint(side: key.sender)
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
}
