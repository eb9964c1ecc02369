import Testing
import WireTesting

@testable import WireCapture

@Suite("Counts of losses")
struct DropCountersTests {
    @Test(
        "a 32-bit count goes on beyond its range; one that steps back adds nothing until it is past its highest",
        arguments: [
            ([], 0), ([0], 0), ([7], 7), ([7, 7, 9], 9), ([0x7FFF_FFFF, 0xFFFF_FFFE, 5], 0x1_0000_0005),
            ([5000, 0, 5000], 5000), ([5000, 0, 4000, 6000], 6000), ([0, 0xFFFF_FFF0, 0, 8], 8),
        ] as [([UInt32], Int)])
    func wideCounter(values: [UInt32], total: Int) {
        var counter = WideCounter()
        var sum = 0
        for value in values {
            let increase = counter.advance(to: value)
            #expect(increase >= 0)
            sum += increase
        }
        #expect(counter.total == total)
        #expect(sum == total)
    }

    @Test("several wraps: random steps add up", arguments: 1...5 as ClosedRange<UInt64>)
    func wraps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var counter = WideCounter()
        var truth = 0
        for _ in 0..<200 {
            truth += random.below(1 << 30)
            _ = counter.advance(to: UInt32(truncatingIfNeeded: truth))
        }
        #expect(truth > 1 << 33)
        #expect(counter.total == truth, "seed \(seed)")
    }

    @Test("the first frame captured after the reading is told, those before it are not")
    func firstFrameAfter() {
        var marks = DropMarks()
        #expect(marks.isEmpty)
        marks.lost(0, time: 10, reading: 0)
        #expect(marks.isEmpty)
        marks.lost(5, time: 100, reading: 1)
        marks.lost(7, time: 200, reading: 2)
        #expect(marks.take(before: 99) == 0)
        #expect(marks.take(before: 100) == 0)
        #expect(marks.take(before: 101) == 5)
        #expect(marks.take(before: 150) == 0)
        #expect(marks.take(before: 1000) == 7)
        #expect(marks.isEmpty)
    }

    @Test("after the clock was set back, an empty buffer tells that frames are later")
    func clockSetBack() {
        var marks = DropMarks()
        marks.lost(5, time: 1_000_000, reading: 40)
        marks.lost(6, time: 1_000_100, reading: 50)
        marks.bufferWasEmpty(since: 39)
        #expect(marks.take(before: 3) == 0)
        marks.bufferWasEmpty(since: 40)
        #expect(marks.take(before: 3) == 5)
        marks.bufferWasEmpty(since: 60)
        #expect(marks.take(before: 3) == 6)
    }

    @Test(
        "whatever the readings and times are, no loss is told twice or forgotten",
        arguments: 1...20 as ClosedRange<UInt64>)
    func conserved(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var marks = DropMarks()
        var lost = 0
        var told = 0
        for step in 0..<2000 {
            if random.oneIn(3) {
                let count = random.below(4)
                lost += count
                marks.lost(count, time: Int64(random.below(500)), reading: Int64(step))
            } else if random.oneIn(30) {
                marks.bufferWasEmpty(since: Int64(step - random.below(100)))
            } else if random.oneIn(4) {
                told += marks.take(before: Int64(random.below(300)))
            }
        }
        told += marks.take(before: .max)
        #expect(told == lost, "seed \(seed)")
        #expect(marks.isEmpty)
    }
}
