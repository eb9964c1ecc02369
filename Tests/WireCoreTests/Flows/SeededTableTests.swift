import Testing
import WireTesting

@testable import WireCore

@Suite("Tables of what others choose")
struct SeededTableTests {
    private static func id(_ number: Int, length: Int) -> QUICConnectionID {
        var bytes = [UInt8](repeating: 0, count: length)
        for index in 0..<min(length, 8) { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return unsafe QUICConnectionID(bytes.span.bytes, 0..<length)
    }

    @Test("a table of connection IDs holds what a dictionary holds, whatever is put in and taken out")
    func mirrorsDictionary() {
        var table = SeededTable<QUICConnectionID, Int>()
        var mirror: [QUICConnectionID: Int] = [:]
        var random = SeededRandom(seed: 20)
        for step in 0..<20_000 {
            let draw = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
            let id = Self.id(Int(draw[0]) | Int(draw[1] & 3) << 8, length: 2 + Int(draw[2] & 3) * 6)
            if draw[2] & 0x70 == 0 {
                table.remove(id)
                mirror[id] = nil
            } else {
                table.set(id, step)
                mirror[id] = step
            }
            #expect(table[id] == mirror[id])
        }
        #expect(mirror.count > 1000)
        for length in [2, 8, 14, 20] {
            for number in 0..<1024 {
                let id = Self.id(number, length: length)
                #expect(table[id] == mirror[id], "\(number) of \(length) bytes")
            }
        }
    }

    @Test("nobody can choose connection IDs that meet in one place without knowing the seed", arguments: 0..<3)
    func chosenIDs(shape: Int) {
        for seed in [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0] as [UInt64] {
            let hashes = (0..<4096).map { number in
                var bytes = [UInt8](repeating: 0, count: 20)
                let start = [0, 8, 16][shape]
                (bytes[start], bytes[start + 1]) = (UInt8(number >> 8), UInt8(number & 0xFF))
                return unsafe QUICConnectionID(bytes.span.bytes, 0..<20).hash(seed: seed)
            }
            #expect(Set(hashes).count == 4096)
            // The part of the hash that places are chosen by: of 4,096 thrown into 65,536 about 124 meet.
            let places = Set(hashes.map { $0 >> 32 & 0xFFFF })
            #expect(places.count > 3850, "shape \(shape), seed \(seed): \(places.count) places")
        }
    }

    @Test("a set of hashes holds what was put in, grows, and is emptied")
    func hashSet() {
        var set = HashSet()
        // Hashes with equal last bits begin their search at one place; 0 is a hash like others.
        let hashes = (0..<3000).map { UInt64($0) << 40 | UInt64($0 % 3) << 3 }
        #expect(set.isEmpty && !set.contains(0))
        for (index, hash) in hashes.enumerated() {
            #expect(!set.contains(hash))
            set.insert(hash)
            set.insert(hash)
            #expect(set.contains(hash) && set.count == index + 1)
        }
        #expect(hashes.allSatisfy { set.contains($0) } && !set.contains(1 << 63))
        set.removeAll()
        #expect(set.isEmpty && !hashes.contains { set.contains($0) })
        set.insert(7)
        #expect(set.contains(7) && set.count == 1)
    }
}
