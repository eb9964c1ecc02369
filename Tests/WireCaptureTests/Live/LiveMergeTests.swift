import Testing
import WireCore
import WireTesting

@testable import WireCapture

@Suite("Order of several interfaces")
struct LiveMergeTests {
    private struct Out: Equatable {
        var interface: Int
        var time: Int64
    }

    private static func add(_ merge: inout LiveMerge, _ interface: Int, time: Int64, fetched: Int64 = 0, size: Int = 1)
    {
        let bytes = [UInt8](repeating: UInt8(interface), count: size)
        unsafe merge.add(
            HeldFrame(time: time, originalLength: size, droppedBefore: 0, fetched: fetched), bytes.span.bytes,
            interface: interface)
    }

    private static func release(_ merge: inout LiveMerge, now: Int64, limit: Int = .max) -> [Out] {
        var frames: [Out] = []
        let count = merge.release(limit: limit, now: now) { interface, frame, bytes in
            frames.append(Out(interface: interface, time: frame.time))
            #expect(Set(bytes.byteArray).isSubset(of: [UInt8(interface)]))
        }
        #expect(count == frames.count)
        return frames
    }

    @Test("a frame waits for the other interfaces, but not for longer than the patience")
    func waits() {
        var merge = LiveMerge(interfaces: 2, patience: 100, byteLimit: 1 << 20)
        #expect(merge.nextMoment == nil)
        Self.add(&merge, 0, time: 10, fetched: 1000)
        Self.add(&merge, 0, time: 30, fetched: 1000)
        #expect(Self.release(&merge, now: 1099) == [])
        #expect(merge.nextMoment == 1100)
        Self.add(&merge, 1, time: 20, fetched: 1050)
        #expect(Self.release(&merge, now: 1051) == [Out(interface: 0, time: 10), Out(interface: 1, time: 20)])
        #expect(Self.release(&merge, now: 1099) == [])
        #expect(Self.release(&merge, now: 1100) == [Out(interface: 0, time: 30)])
        #expect(merge.isEmpty)
    }

    @Test("equal times go by the order of the interfaces, and the limit is kept")
    func ties() {
        var merge = LiveMerge(interfaces: 3, patience: 100, byteLimit: 1 << 20)
        for interface in [2, 0, 1] { for _ in 0..<2 { Self.add(&merge, interface, time: 5) } }
        #expect(Self.release(&merge, now: 0, limit: 1).map(\.interface) == [0])
        #expect(Self.release(&merge, now: 100).map(\.interface) == [0, 1, 1, 2, 2])
    }

    @Test("nobody waits for an interface that ended; what it gave still has its turn")
    func ended() {
        var merge = LiveMerge(interfaces: 2, patience: 100, byteLimit: 1 << 20)
        Self.add(&merge, 0, time: 10)
        Self.add(&merge, 1, time: 5)
        Self.add(&merge, 0, time: 20)
        merge.end(1)
        #expect(Self.release(&merge, now: 0).map(\.time) == [5, 10, 20])
        merge.end(0)
        #expect(merge.isEmpty)
    }

    @Test("more than the limit of bytes is not held back")
    func byteLimit() {
        var merge = LiveMerge(interfaces: 2, patience: 1 << 40, byteLimit: 100_000)
        for time in 0..<300 {
            Self.add(&merge, 0, time: Int64(time), size: 1000)
            _ = Self.release(&merge, now: 0)
            #expect(merge.heldBytes <= 100_000)
        }
        #expect(merge.heldBytes > 90_000)
    }

    @Test("a clock set back by an hour: each interface keeps its order, and nothing waits longer than the patience")
    func clockSetBack() {
        var merge = LiveMerge(interfaces: 2, patience: 100, byteLimit: 1 << 20)
        Self.add(&merge, 0, time: 3_600_000, fetched: 0)
        var released: [Out] = []
        var leftAt: Int64?
        for now in stride(from: Int64(10), to: 1000, by: 10) {
            // The other interface never stops, with times from before.
            Self.add(&merge, 1, time: now, fetched: now)
            let frames = Self.release(&merge, now: now)
            if leftAt == nil, frames.contains(where: { $0.interface == 0 }) { leftAt = now }
            released += frames
        }
        #expect(leftAt == 100)
        let other = released.filter { $0.interface == 1 }.map(\.time)
        #expect(other == other.sorted())
        #expect(other.count >= 85)
    }

    @Test("random model with clocks that jump", arguments: 1...30 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = 1 + random.below(5)
        var merge = LiveMerge(interfaces: count, patience: 50, byteLimit: 20_000)
        var now: Int64 = 0
        var offset: Int64 = 0
        let jumps = seed.isMultiple(of: 2)
        var given = Array(repeating: [Int64](), count: count)
        var taken = Array(repeating: [Int64](), count: count)
        var order: [Int64] = []
        var fetched = Array(repeating: [Int64](), count: count)
        func note(_ frames: [Out]) {
            for frame in frames {
                taken[frame.interface].append(frame.time)
                order.append(frame.time)
                // Held no longer than the patience and the step between two calls.
                let moment = fetched[frame.interface][taken[frame.interface].count - 1]
                #expect(now - moment <= 50 + 5, "seed \(seed)")
            }
        }
        for _ in 0..<2000 {
            now += Int64(random.below(6))
            if jumps, random.oneIn(200) { offset += Int64(random.below(20_000)) - 10_000 }
            let interface = random.below(count)
            if !random.oneIn(4) {
                Self.add(&merge, interface, time: now + offset, fetched: now, size: random.below(60))
                given[interface].append(now + offset)
                fetched[interface].append(now)
            }
            note(Self.release(&merge, now: now, limit: random.oneIn(10) ? 1 : .max))
            note(Self.release(&merge, now: now))
        }
        for interface in 0..<count { merge.end(interface) }
        note(Self.release(&merge, now: now))
        #expect(taken == given, "seed \(seed)")
        #expect(merge.isEmpty)
        if !jumps { #expect(order == order.sorted(), "seed \(seed)") }
    }
}
