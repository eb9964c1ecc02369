import Testing
import WireCore
import WireTesting

@testable import WireCapture

@Suite("Queue of held frames")
struct FrameQueueTests {
    @Test("random model: frames and bytes come out as they went in", arguments: 1...10 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = FrameQueue()
        var model: [(frame: HeldFrame, bytes: [UInt8])] = []
        var number = 0
        for _ in 0..<1000 {
            if random.oneIn(2) || (seed.isMultiple(of: 2) && model.count < 50) {
                number += 1
                let size = random.oneIn(200) ? random.below(262_145) : random.below(80)
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
                let frame = HeldFrame(
                    time: Int64(number), originalLength: size, droppedBefore: 0, fetched: Int64(number))
                unsafe queue.append(frame, bytes.span.bytes)
                model.append((frame, bytes))
            } else {
                #expect(queue.head == model.first?.frame)
                var taken: [(HeldFrame, [UInt8])] = []
                queue.takeFirst { frame, bytes in taken.append((frame, bytes.byteArray)) }
                #expect(taken.count == (model.isEmpty ? 0 : 1), "seed \(seed)")
                if !model.isEmpty {
                    let expected = model.removeFirst()
                    #expect(taken.first?.0 == expected.frame, "seed \(seed)")
                    #expect(taken.first?.1 == expected.bytes, "seed \(seed)")
                }
            }
            #expect(queue.heldBytes == model.reduce(0) { $0 + $1.bytes.count + FrameQueue.overhead })
        }
    }

    @Test("a frame larger than a slab is held whole, and frames without bytes are frames")
    func extremes() {
        var queue = FrameQueue()
        let sizes = [0, 3 << 20, 0, 1, 1 << 20, 1, 0]
        for (index, size) in sizes.enumerated() {
            let bytes = [UInt8](repeating: UInt8(index), count: size)
            unsafe queue.append(
                HeldFrame(time: Int64(index), originalLength: size, droppedBefore: 0, fetched: 0), bytes.span.bytes)
        }
        var seen: [Int] = []
        for index in sizes.indices {
            queue.takeFirst { frame, bytes in
                seen.append(bytes.byteCount)
                #expect(frame.time == Int64(index))
                #expect(Set(bytes.byteArray).isSubset(of: [UInt8(index)]))
            }
        }
        #expect(seen == sizes)
        #expect(queue.head == nil)
        #expect(queue.heldBytes == 0)
    }
}

extension RawSpan {
    var byteArray: [UInt8] { (0..<byteCount).map { u8($0) } }
}
