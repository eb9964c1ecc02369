import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/3 in any order")
struct HTTP3ModelTests {
    /// A random connection: requests with all that a message can have, compressed by nghttp3. Nothing is acknowledged, so
    /// nothing that sections refer to is evicted, whatever comes first.
    private func script(_ random: inout SeededRandom) -> (script: HTTP3Script, statuses: [Int], bodies: [[Int]]) {
        let capacity = random.element([0, 200, 4096])
        var script = HTTP3Script(capacity: capacity)
        let encoders = [QPACKEncoder(capacity: capacity), QPACKEncoder(capacity: capacity)]
        script.send([2], HTTP3Script.clientEncoder, 0)
        script.send([2], HTTP3Script.serverEncoder, 1)
        var statuses: [Int] = []
        var bodies: [[Int]] = []
        for number in 0..<(1 + random.below(6)) {
            let id = UInt64(number) * 4
            let status = random.element([200, 204, 404, 500])
            statuses.append(status)
            let heads = [
                [HTTP3Script.request("/\(id)", method: "POST") + fields(&random)],
                (random.oneIn(3) ? [[(":status", "103")] + fields(&random)] : [])
                    + [[(":status", "\(status)")] + fields(&random)],
            ]
            var sizes: [Int] = []
            for direction in Direction.both {
                sizes.append(
                    message(
                        heads[direction.index], id, direction, encoders[direction.index], &script, &random))
            }
            bodies.append(sizes)
        }
        return (script, statuses, bodies)
    }

    /// Some of names that nghttp3 inserts into its table, some that it does not.
    private func fields(_ random: inout SeededRandom) -> [(String, String)] {
        (0..<random.below(5)).map { _ in
            (random.element(["user-agent", "server", "accept", "origin", "x-other"]), "value \(random.below(6))")
        }
    }

    /// Returns the bytes of its body.
    private func message(
        _ heads: [[(String, String)]], _ id: UInt64, _ direction: Direction, _ encoder: QPACKEncoder,
        _ script: inout HTTP3Script, _ random: inout SeededRandom
    ) -> Int {
        let instructions = direction == 0 ? HTTP3Script.clientEncoder : HTTP3Script.serverEncoder
        func section(_ fields: [(String, String)]) {
            let coded = encoder.encode(stream: id, fields)
            if !coded.instructions.isEmpty { script.send(coded.instructions, instructions, direction) }
            script.send(HTTP3Wire.frame(1, coded.section), id, direction)
        }
        var size = 0
        if random.oneIn(4) { script.send(HTTP3Wire.frame(0x21 + 0x1F * 3, random.bytes(3)), id, direction) }
        for head in heads { section(head) }
        for _ in 0..<random.below(4) {
            let count = random.below(90)
            size += count
            script.data(random.bytes(count), id, direction)
            if random.oneIn(5) { script.send(HTTP3Wire.frame(0x40, []), id, direction) }
        }
        if random.oneIn(4) { section([("trailer", "\(random.below(3))")]) }
        script.add(.finish, id, direction)
        return size
    }

    @Test(
        "streams come to the same in whatever order their packets are captured",
        arguments: 1...40 as ClosedRange<UInt64>)
    func anyOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (script, statuses, bodies) = script(&random)
        let whole = script.play()
        #expect(whole.isBalanced && whole.findings == [:], "seed \(seed)")
        #expect(whole.exchanges.map(\.status) == statuses, "seed \(seed)")
        #expect(whole.exchanges.map { $0.decodedBody.map { $0 ?? -1 } } == bodies, "seed \(seed)")
        #expect(whole.exchanges.allSatisfy { $0.flags.isEmpty }, "seed \(seed)")
        for _ in 0..<6 {
            let shuffled = script.dripped(1 + random.below(30)).shuffled(&random).play()
            #expect(shuffled.isBalanced && shuffled.findings == [:], "seed \(seed)")
            #expect(shuffled.connection == whole.connection, "seed \(seed)")
            #expect(sorted(shuffled) == sorted(whole), "seed \(seed)")
        }
    }

    /// Exchanges by target, whatever order they began in.
    private func sorted(_ outcome: HTTP3Outcome) -> [String] {
        outcome.exchanges.indices.map {
            "\(outcome.exchanges[$0]) \(outcome.headers[$0]) \(outcome.inserted[$0]) \(outcome.interim[$0])"
        }.sorted()
    }

    @Test("garbage, resets and gaps keep each byte booked once", arguments: 1...60 as ClosedRange<UInt64>)
    func garbage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var script = script(&random).script.dripped(1 + random.below(40)).shuffled(&random)
        for _ in 0..<(1 + random.below(12)) {
            let place = random.below(script.turns.count)
            switch random.below(5) {
            case 0:
                if case .bytes(var bytes) = script.turns[place].step {
                    bytes[random.below(bytes.count)] = UInt8(random.below(256))
                    script.turns[place].step = .bytes(bytes)
                }
            case 1: script.turns[place].step = .skip(1 + random.below(50))
            case 2: script.turns[place].step = random.oneIn(2) ? .reset(UInt64(random.below(300))) : .stop
            case 3: script.turns[place].step = .bytes(random.bytes(1 + random.below(20)))
            default:
                let id = UInt64(random.below(40))
                script.turns.insert(
                    HTTP3Script.Turn(
                        stream: id, direction: Direction(random.below(2)),
                        step: .bytes(random.bytes(1 + random.below(9)))),
                    at: place)
            }
        }
        for isLate in [false, true] { #expect(script.play(isLate: isLate).isBalanced, "seed \(seed)") }
    }
}
