import Testing
import WireTesting

@testable import WireCore

@Suite("Timer wheel")
struct TimerWheelTests {
    /// A wheel beside a plain list of what is due.
    private struct SlowWheel {
        var wheel = TimerWheel()
        var due: [(step: Int64, number: Int)] = []
        private var current: Int64?
        private var next = 0

        static func step(_ time: Int64) -> Int64 { Int64((Double(time) / Double(TimerWheel.step)).rounded(.down)) }

        mutating func add(at time: Int64) {
            let now = current ?? Self.step(time)
            wheel.add(TimerWheel.Entry(place: 0, number: next, owner: .connection), at: time)
            due.append((max(Self.step(time), now) + 1, next))
            next += 1
        }

        /// Goes to a time. Returns what is wrong.
        mutating func turn(to time: Int64) -> String? {
            let target = Self.step(time)
            while let (entries, at) = wheel.turn(to: time) {
                let step = at / TimerWheel.step
                if step * TimerWheel.step != at || step > target || step <= current ?? .min { return "step \(step)" }
                current = step
                let expected = due.filter { $0.step <= step }.map(\.number)
                due.removeAll { $0.step <= step }
                if entries.map(\.number).sorted() != expected {
                    return "\(entries.map(\.number)) instead of \(expected)"
                }
            }
            if current == nil { current = target }
            current = max(current ?? target, target)
            if let late = due.first(where: { $0.step <= target }) { return "\(late) is late" }
            return wheel.count == due.count ? nil : "\(wheel.count) instead of \(due.count)"
        }

        mutating func fallBack(to time: Int64) -> Bool {
            guard wheel.fallBack(to: time) else { return false }
            current = Self.step(time)
            let step = Self.step(time + TimerWheel.lateSegmentWindow) + 1
            due = due.map { (step, $0.number) }
            return true
        }
    }

    @Test("entries are due in the step behind their time, near and far, in order", arguments: [1, 2, 3, 4] as [UInt64])
    func agreesWithList(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<40 {
            var slow = SlowWheel()
            var now = Int64(random.below(1 << 40))
            #expect(slow.turn(to: now) == nil)
            for step in 0..<120 {
                for _ in 0..<random.below(4) {
                    let ahead = Int64(random.below([1, 1_000_000_000, 5_000_000_000, 90_000_000_000][random.below(4)]))
                    slow.add(at: now + ahead - Int64(random.oneIn(5) ? random.below(3_000_000_000) : 0))
                }
                now += Int64(random.below([1, 250_000_000, 2_000_000_000, 20_000_000_000][random.below(4)]))
                if let failure = slow.turn(to: now) {
                    Issue.record("seed \(seed), round \(round), step \(step): \(failure)")
                    break
                }
                if random.oneIn(25) {
                    now -= Int64(random.below(100_000_000_000))
                    for _ in 0..<200 where slow.fallBack(to: now) { break }
                }
            }
        }
    }

    @Test("nothing is due before the first time was heard of, and times before 1970 are times too")
    func begins() {
        var wheel = TimerWheel()
        wheel.add(TimerWheel.Entry(place: 1, number: 2, owner: .connection), at: -1)
        #expect(wheel.turn(to: -1_000_000_000) == nil)
        #expect(wheel.turn(to: -1_000_000_000) == nil)
        var steps: [Int64] = []
        while let (entries, time) = wheel.turn(to: 0) {
            if !entries.isEmpty { steps.append(time) }
        }
        #expect(steps == [0] && wheel.count == 0)
        #expect(TimerWheel.startOfStep(-1) == -TimerWheel.step)
        #expect(TimerWheel.startOfStep(0) == 0 && TimerWheel.startOfStep(TimerWheel.step) == TimerWheel.step)
    }

    @Test("a few packets far behind do not set the clock back, many do")
    func fallsBack() {
        var wheel = TimerWheel()
        _ = wheel.turn(to: 100_000_000_000)
        wheel.note(100_000_000_000)
        #expect(wheel.earliestTime == 90_000_000_000 && wheel.nextTime == 100_250_000_000)
        for number in 0..<160 {
            wheel.add(TimerWheel.Entry(place: 0, number: number, owner: .connection), at: 130_000_000_000)
        }
        let answers = (0..<11).map { _ in wheel.fallBack(to: 1_000_000_000) }
        #expect(answers == [Bool](repeating: false, count: 10) + [true])
        #expect(wheel.count == 160)
        var times: [Int64] = []
        while let (entries, time) = wheel.turn(to: 3_250_000_000) {
            if !entries.isEmpty { times.append(time) }
        }
        #expect(times == [3_250_000_000] && wheel.count == 0)
    }

    @Test("what is quiet for long is looked at less often; the time of the first look counts where the clock went back")
    func looksAgain() {
        let second: Int64 = 1_000_000_000
        let table: [(now: Int64, last: Int64, since: Int64, next: Int64)] = [
            (10 * second, 10 * second, 0, 10 * second + second / 2),
            (10 * second, 8 * second, 0, 10 * second + second / 2),
            (10 * second, 2 * second, 0, 12 * second), (100 * second, 0, 0, 125 * second),
            (10 * second, 90 * second, 6 * second, 11 * second),
        ]
        for (now, last, since, next) in table { #expect(TimerWheel.nextLook(now, last: last, since: since) == next) }
    }
}
