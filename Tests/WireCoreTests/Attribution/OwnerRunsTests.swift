import Testing
import WireTesting

@testable import WireCore

@Suite("Runs of owners")
struct OwnerRunsTests {
    /// Runs appended at random. Returns the owner of each byte behind the origin.
    private func fill(_ runs: OwnerRuns, _ count: Int, _ random: inout SeededRandom) -> [Owner] {
        var bytes: [Owner] = []
        for _ in 0..<count {
            let owner = Owner(index: Int32(random.below(4)) - 1, serial: 0)
            bytes += [Owner](repeating: owner, count: random.below(5))
            runs.append(owner, upTo: runs.origin + bytes.count)
        }
        return bytes
    }

    @Test("say of each byte who owns it, and how far", arguments: [1, 2, 3] as [UInt64])
    func findsOwners(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<100 {
            let runs = OwnerRuns(from: StreamPosition(random.below(50)), isDirect: true)
            let bytes = fill(runs, random.below(60), &random)
            for place in bytes.indices {
                let run = runs.find(runs.origin + place)
                let end = bytes[place...].firstIndex { $0 != bytes[place] } ?? bytes.count
                #expect(run.owner == bytes[place], "seed \(seed), round \(round)")
                #expect(run.end == runs.origin + end, "seed \(seed), round \(round)")
            }
            let behind = runs.find(runs.end)
            #expect(behind.owner == .connection && behind.end == .never)
            runs.append(Owner(index: 9, serial: 0), upTo: runs.origin)
            #expect(runs.end == runs.origin + bytes.count)
        }
    }

    @Test("forget acknowledged bytes only, and never the latest", arguments: [1, 2] as [UInt64])
    func trims(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let runs = OwnerRuns(from: .zero, isDirect: true)
        var bytes: [Owner] = []
        var acknowledged = 0
        for index in 0..<3000 {
            let owner = Owner(index: Int32(index % 7), serial: 0)
            bytes += [Owner](repeating: owner, count: 1 + random.below(3))
            runs.append(owner, upTo: StreamPosition(bytes.count))
            if random.oneIn(3) { acknowledged = max(acknowledged, bytes.count - 1500 - random.below(500)) }
            runs.trim(acknowledged: StreamPosition(acknowledged))
            guard index % 100 == 99 else { continue }
            for place in bytes.indices {
                let owner = runs.find(StreamPosition(place)).owner
                // Each run has at least one byte, and the last 256 runs stay.
                let mustStay = place >= min(acknowledged, bytes.count - 256)
                #expect(owner == bytes[place] || !mustStay && owner == .connection, "seed \(seed), byte \(place)")
            }
        }
        #expect(runs.find(.zero).owner == .connection, "The first byte was acknowledged long ago.")
    }

    @Test("keep a bounded number of runs that nobody acknowledges")
    func limits() {
        let runs = OwnerRuns(from: .zero, isDirect: true)
        for place in 0..<40_000 {
            runs.append(Owner(index: Int32(place % 2), serial: 0), upTo: StreamPosition(place + 1))
            runs.trim(acknowledged: .unset)
        }
        let known = (0..<40_000).filter { runs.find(StreamPosition($0)).owner != .connection }
        #expect(known.count <= 16_384)
        #expect(known.count > 16_384 - 512)
        #expect(known.last == 39_999 && known.first == 40_000 - known.count)
    }

    @Test("units that wait come out in order, each when its turn has come", arguments: [1, 2] as [UInt64])
    func takesDeferredUnits(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let runs = OwnerRuns(from: .zero, isDirect: false)
        var waiting: [Int] = []
        var end = 0
        for step in 0..<20_000 {
            if random.below(100) < 53 {
                end += 1 + random.below(4)
                waiting.append(end)
                runs.append(DeferredUnit(pieces: [], end: StreamPosition(end), owner: .connection))
            } else {
                let position = waiting.isEmpty ? end : waiting[0] - 1 + random.below(4)
                let unit = runs.takeDeferred(endingBy: StreamPosition(position))
                let isDue = waiting.first.map { $0 <= position } ?? false
                #expect(unit?.end.value == (isDue ? waiting.removeFirst() : nil), "seed \(seed), step \(step)")
            }
            #expect(runs.deferredCount == waiting.count, "seed \(seed), step \(step)")
        }
    }

    @Test("earlier bytes without an owner block what comes behind them")
    func blocks() {
        let runs = OwnerRuns(from: .zero, isDirect: false)
        #expect(!runs.isBlocked)
        runs.waitingRecords = 1
        #expect(runs.isBlocked)
        runs.waitingRecords = 0
        runs.unresolved = [UnitPiece(overhead: 0, start: .zero, count: 1, packet: PacketContext())]
        #expect(runs.isBlocked)
    }
}
