import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/3 fields")
struct HTTP3FieldTests {
    /// Requests and answers with an encoder of nghttp3's on each side. `order` says what comes first.
    private func script(capacity: Int = 4096, requests: UInt64 = 3, instructionsFirst: Bool) -> HTTP3Script {
        var script = HTTP3Script(capacity: capacity)
        script.send([2], HTTP3Script.clientEncoder, 0)
        script.send([2], HTTP3Script.serverEncoder, 1)
        let client = QPACKEncoder(capacity: capacity)
        let server = QPACKEncoder(capacity: capacity)
        for number in 0..<requests {
            let id = number * 4
            let up = client.encode(stream: id, HTTP3Script.request("/\(id)") + [("cookie", "taste=\(number / 2)")])
            let down = server.encode(stream: id, [(":status", "200"), ("server", "test"), ("etag", "\(number)")])
            let messages =
                [
                    (HTTP3Wire.frame(1, up.section), id, 0), (up.instructions, HTTP3Script.clientEncoder, 0),
                    (HTTP3Wire.frame(1, down.section) + HTTP3Wire.frame(0, [1, 2, 3]), id, 1),
                    (down.instructions, HTTP3Script.serverEncoder, 1),
                ] as [([UInt8], UInt64, Direction)]
            for index in instructionsFirst ? [1, 0, 3, 2] : [0, 1, 2, 3] {
                script.send(messages[index].0, messages[index].1, messages[index].2)
                if index % 2 == 0 { script.add(.finish, id, messages[index].2) }
            }
        }
        return script
    }

    @Test("sections that come before their insertions are booked at once and read later, as if they came behind")
    func blockedSections() {
        let ordered = script(instructionsFirst: true).play()
        let blocked = script(instructionsFirst: false)
        #expect(ordered.exchanges.map(\.target) == ["/0", "/4", "/8"])
        #expect(ordered.exchanges.map(\.decodedBody) == [[0, 3], [0, 3], [0, 3]])
        #expect(ordered.findings == [:] && ordered.isBalanced)
        #expect(blocked.play() == ordered)
        for size in [1, 2, 5] { #expect(blocked.dripped(size).play() == ordered) }
    }

    @Test("insertions are unknown where a section, or the table, was not seen whole")
    func insertionsUnknown() {
        let whole = script(instructionsFirst: true)
        #expect(whole.play().inserted.allSatisfy { $0[0] >= 0 && $0[1] >= 0 })
        for (stream, isTable) in [(UInt64(0), false), (HTTP3Script.clientEncoder, true)] {
            var damaged = whole
            var isFirst = true
            damaged.turns = whole.turns.map { turn in
                guard turn.stream == stream, turn.direction == 0, case .bytes(let bytes) = turn.step, bytes.count > 1,
                    isFirst
                else { return turn }
                isFirst = false
                return HTTP3Script.Turn(stream: turn.stream, direction: turn.direction, step: .skip(bytes.count))
            }
            let outcome = damaged.play()
            #expect(outcome.isBalanced)
            // Requests refer to what is missing, or to what the missing section may have referred to first.
            #expect(outcome.inserted.allSatisfy { $0[0] == -1 }, "\(isTable)")
            #expect(outcome.inserted.contains { $0[1] > 0 }, "\(isTable)")
        }
    }

    @Test("insertions count for the lowest stream that refers to them, whichever was read first")
    func insertionUses() {
        let outcome = script(instructionsFirst: true).play()
        let inserted = outcome.inserted.flatMap { $0 }.reduce(0, +)
        #expect(inserted > 0)
        var instructions = 0
        for turn in script(instructionsFirst: true).turns where turn.stream == 6 || turn.stream == 7 {
            if case .bytes(let bytes) = turn.step { instructions += bytes.count }
        }
        // The types of the streams and the capacities are no insertions.
        #expect(inserted <= instructions - 2 - 6)
        #expect(outcome.inserted[0][0] > outcome.inserted[1][0], "The first has most of what all refer to.")
        var uses = InsertionUses()
        uses.limit = 100
        for size in [10, 20, 30] { uses.append(bytes: size) }
        let late = Owner(index: 1, serial: 1)
        let early = Owner(index: 0, serial: 2)
        #expect(uses.note([0, 1], stream: 8, late).bytes == 30)
        let second = uses.note([1, 2, 7], stream: 4, early)
        #expect(second.bytes == 50 && second.taken.map(\.bytes) == [20] && second.taken[0].owner == late)
        #expect(uses.note([2], stream: 8, late).bytes == 0)
    }

    @Test("what never comes leaves its fields unknown, and all that needs no table known")
    func lostInstructions() {
        var script = script(instructionsFirst: true)
        script.turns.removeAll { $0.stream == HTTP3Script.clientEncoder || $0.stream == HTTP3Script.serverEncoder }
        let waiting = script.play()
        #expect(waiting.exchanges.allSatisfy { $0.flags.contains("gap") } && waiting.isBalanced)
        #expect(waiting.headers.allSatisfy { $0 == [nil, nil] })
        #expect(waiting.findings[.qpackFieldsUnknown] == 6)
        #expect(waiting.exchanges.map(\.costs) == self.script(instructionsFirst: true).play().exchanges.map(\.costs))
        for (stream, direction) in [(6, 0), (7, 1)] as [(UInt64, Direction)] {
            script.turns.insert(HTTP3Script.Turn(stream: stream, direction: direction, step: .bytes([2])), at: 2)
            script.turns.insert(HTTP3Script.Turn(stream: stream, direction: direction, step: .skip(9)), at: 3)
        }
        let lost = script.play()
        #expect(lost.exchanges.map(\.flags) == waiting.exchanges.map(\.flags))
        #expect(lost.exchanges.map(\.method) == waiting.exchanges.map(\.method))
        #expect(waiting.exchanges.map(\.method) == ["GET", "GET", "GET"])
    }

    @Test("before the receiver's SETTINGS sections wait, as those of early data")
    func earlyData() {
        let ordered = script(instructionsFirst: true)
        var early = ordered
        early.turns.append(early.turns.remove(at: 0))
        early.turns.append(early.turns.remove(at: 0))
        #expect(early.play() == ordered.play())
        early.turns.removeLast(2)
        let without = early.play()
        #expect(without.exchanges.map(\.method) == ["GET", "GET", "GET"] && without.isBalanced)
        #expect(without.headers.contains { $0[0] == nil })
    }

    @Test("a table that is too large, or instructions that are none, leave what needs no table")
    func unusableTables() {
        var large = HTTP3Script(capacity: 1 << 21)
        large.get(0)
        large.answer(0)
        let outcome = large.play()
        #expect(outcome.exchanges.map(\.status) == [200] && outcome.findings == [.qpackLimit: 2])
        var garbage = HTTP3Script(capacity: 100)
        garbage.send([2, 0, 0, 0], HTTP3Script.clientEncoder, 0)
        garbage.send(HTTP3Wire.frame(1, [2, 0, 0x80]), 0, 0)
        garbage.add(.finish, 0, 0)
        garbage.answer(0)
        let broken = garbage.play()
        #expect(broken.findings == [.qpackMalformed: 1, .qpackFieldsUnknown: 1] && broken.isBalanced)
        #expect(broken.exchanges.map(\.flags) == [["gap"]])
    }

    @Test("a section longer than the limit, and more that waits than may be kept, are not read")
    func limits() {
        var options = AuditOptions()
        options.headerSectionLimit = 100
        var script = HTTP3Script()
        script.get(0, [("long", String(repeating: "x", count: 200))])
        script.answer(0)
        let outcome = script.play(options)
        #expect(outcome.findings == [.headerSectionLimit: 1] && outcome.isBalanced)
        #expect(outcome.exchanges.map(\.status) == [200] && outcome.headers[0][0] == nil)
        var crowded = AuditOptions()
        crowded.totalHeadBytesLimit = AuditOptions.shardCount * 10
        let waiting = self.script(requests: 3, instructionsFirst: false)
        var late = waiting
        late.turns = waiting.turns.filter { $0.stream != 7 } + waiting.turns.filter { $0.stream == 7 }
        let full = late.play(crowded)
        #expect(full.findings[.qpackLimit] ?? 0 > 0 && full.isBalanced)
    }

    @Test("a reset waits behind a section that waits, and a tunnel's bytes are told when its request is read")
    func waitingEvents() {
        var script = HTTP3Script(capacity: 4096)
        let encoder = QPACKEncoder(capacity: 4096)
        let connect = encoder.encode(
            stream: 0, [(":method", "CONNECT"), (":authority", "proxied:443"), ("proxy-authorization", "Basic abcdef")])
        let get = encoder.encode(stream: 4, HTTP3Script.request("/4") + [("user-agent", "test/1.0 (of what waits)")])
        script.send(HTTP3Wire.frame(1, connect.section), 0, 0)
        script.data([1, 2, 3], 0, 0)
        script.send(HTTP3Wire.frame(1, get.section), 4, 0)
        script.send([0, 9, 1], 4, 0)
        script.add(.reset(0x10C), 4, 0)
        var ordered = script
        script.send([2] + connect.instructions + get.instructions, 6, 0)
        let last = script.turns.removeLast()
        ordered.turns.insert(last, at: 2)
        script.turns.append(last)
        for script in [ordered, script] {
            var script = script
            script.headers([(":status", "200")], 0, 1)
            script.add(.finish, 0, 0)
            script.add(.finish, 0, 1)
            let outcome = script.play()
            #expect(outcome.exchanges[0].costs[0] == "headers \(connect.section.count) framing 4 opaque 3")
            #expect(outcome.exchanges[0].flags == ["tunnel"])
            #expect(outcome.exchanges[1].flags == ["no-response", "aborted", "reset"] && outcome.isBalanced)
        }
    }

    @Test("a capture that begins inside the connection knows what needs no table, and sizes")
    func joinsLate() {
        var script = HTTP3Script(capacity: nil)
        script.add(.skip(30), 2, 0)
        script.add(.skip(40), 6, 0)
        script.add(.skip(100), 0, 0)
        script.headers([(":status", "200")], 0, 1)
        script.add(.finish, 0, 0)
        script.add(.finish, 0, 1)
        script.get(4)
        script.answer(4)
        let outcome = script.play(isLate: true)
        #expect(outcome.exchanges.map(\.flags) == [["no-start", "no-request"], []])
        #expect(outcome.exchanges.map(\.status) == [200, 200] && outcome.isBalanced)
    }
}
