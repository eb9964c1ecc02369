import Testing
import WireCore

@testable import WireCapture

@Suite("Live capture")
struct LiveCaptureTests {
    @Test("frames of one interface come through as they are, numbered from 1, and are counted")
    func oneInterface() {
        let source = FakeSource(linkType: .raw)
        let capture = LiveCapture([source], FakeClock())
        source.put(5, 3, 9, length: 1500)
        #expect(capture.frames(limit: 2).map(\.time) == [5, 3])
        #expect(capture.longestWait == 0, "it may have more, which no descriptor tells")
        let last = capture.frames()
        #expect(last.map(\.number) == [3])
        #expect(last.first?.linkType == .raw)
        #expect(last.first?.originalLength == 1500)
        #expect(last.first?.capturedLength == 1)
        #expect(capture.longestWait == .max)
        #expect(capture.interfaces[0].packets == 3)
        #expect(capture.interfaces[0].bytes == 4500)
        #expect(capture.descriptors == [7])
        #expect(capture.frames(limit: 0).isEmpty)
        #expect(!capture.hasEnded)
    }

    @Test("frames of several interfaces come in the order of their times, numbered over all of them")
    func severalInterfaces() {
        let clock = FakeClock()
        let sources = [FakeSource("a", descriptor: 4), FakeSource("b", descriptor: 5, linkType: .raw)]
        let capture = LiveCapture(sources, clock)
        sources[0].put(10, 30, 50)
        sources[1].put(20, 40)
        #expect(capture.frames(limit: 2).map(\.time) == [10, 20])
        #expect(capture.longestWait == 0)
        let more = capture.frames()
        #expect(more.map(\.time) == [30, 40])
        #expect(more.map(\.number) == [3, 4])
        #expect(more.map(\.interface) == [0, 1])
        #expect(more.map(\.linkType) == [.ethernet, .raw])
        #expect(capture.longestWait == 110)
        clock.pass(milliseconds: 110)
        #expect(capture.longestWait == 0)
        #expect(capture.frames().map(\.time) == [50])
        #expect(capture.longestWait == .max)
        #expect(capture.interfaces.map(\.packets) == [3, 2])
        #expect(capture.descriptors == [4, 5])
    }

    @Test("with more bytes held than the limit, frames go on without waiting for the other interface")
    func heldBytes() {
        for (limit, count) in [(1 << 20, 0), (500, 99)] {
            let sources = [FakeSource("a"), FakeSource("b")]
            let capture = LiveCapture(sources, FakeClock(), heldBytesLimit: limit)
            for time in 0..<100 { sources[0].put(Int64(time)) }
            let frames = capture.frames()
            #expect(count == 0 ? frames.isEmpty : frames.count > 80 && frames.count < 100)
            #expect(frames.map(\.time) == Array(0..<Int64(frames.count)))
        }
    }

    @Test("a flood on one interface of two is held within bounds and all of it comes")
    func flood() {
        let sources = [FakeSource("a"), FakeSource("b")]
        let clock = FakeClock()
        let capture = LiveCapture(sources, clock)
        for time in 0..<10_000 { sources[0].put(Int64(time)) }
        var times: [Int64] = []
        for _ in 0..<200 {
            times += capture.frames(limit: 100).map(\.time)
            clock.pass(milliseconds: 2)
        }
        #expect(times == Array(0..<10_000))
    }

    @Test(
        "losses are told by the first frame captured after they were noticed, and by the interface", arguments: [1, 2])
    func losses(count: Int) {
        let clock = FakeClock()
        let sources = (0..<count).map { FakeSource("if\($0)") }
        let capture = LiveCapture(sources, clock)
        clock.wall = 1000
        capture.readStatistics()
        clock.wall = 2000
        sources[0].counts = LiveStatistics(received: 20, droppedByKernel: 4, droppedByInterface: 3)
        capture.readStatistics()
        sources[0].put(1500, 2000, 2001, 2002)
        var frames = capture.frames()
        clock.monotonic += 200_000_000
        frames += capture.frames()
        #expect(frames.map(\.droppedBefore) == [0, 0, 7, 0])
        let summary = capture.interfaces[0]
        #expect(summary.received == 20)
        #expect(summary.droppedByKernel == 4)
        #expect(summary.droppedByInterface == 3)
        #expect(capture.interfaces.map(\.dropped).reduce(0, +) == 7)
    }

    @Test("a system that does not count leaves the counts open")
    func noStatistics() {
        let source = FakeSource()
        source.counts = nil
        let capture = LiveCapture([source], FakeClock())
        capture.readStatistics()
        #expect(capture.interfaces[0].received == nil)
        source.counts = LiveStatistics(received: nil, droppedByKernel: 2, droppedByInterface: 0)
        capture.readStatistics()
        #expect(capture.interfaces[0].received == nil)
        #expect(capture.interfaces[0].dropped == 2)
    }

    @Test("a removed interface ends after its last frames, the others go on")
    func removed() {
        let clock = FakeClock()
        let sources = [FakeSource("a", descriptor: 4), FakeSource("b", descriptor: 5)]
        let capture = LiveCapture(sources, clock)
        sources[0].fault = "The interface disappeared"
        sources[0].counts?.droppedByKernel = 9
        #expect(capture.frames().isEmpty)
        #expect(capture.descriptors == [5])
        #expect(capture.interfaces[0].fault == "The interface disappeared")
        #expect(capture.longestWait <= 110)
        sources[0].put(3)
        sources[1].put(7, 8)
        #expect(capture.frames().map(\.time) == [3])
        clock.pass(milliseconds: 110)
        _ = capture.frames()
        #expect(sources[0].isClosed)
        #expect(capture.interfaces[0].droppedByKernel == 9)
        sources[1].put(9)
        clock.pass(milliseconds: 1)
        #expect(capture.frames().map(\.time) == [9], "nobody waits for one that ended")
        #expect(!capture.hasEnded)
        sources[1].fault = "gone too"
        _ = capture.frames()
        clock.pass(milliseconds: 110)
        _ = capture.frames()
        #expect(capture.hasEnded)
        #expect(capture.longestWait == .max)
        #expect(capture.descriptors.isEmpty)
        #expect(capture.interfaces.map(\.packets) == [1, 3])
    }

    @Test("at the end comes what is from before it, and nothing later", arguments: [1, 2])
    func stop(count: Int) {
        let clock = FakeClock()
        clock.wall = 1000
        let sources = (0..<count).map { FakeSource("if\($0)") }
        let capture = LiveCapture(sources, clock)
        sources[0].put(900)
        capture.beginStop()
        #expect(!capture.isDrained)
        #expect(capture.longestWait == 110)
        var times = capture.frames().map(\.time)
        sources[0].put(1000, 1001, 1002)
        times += capture.frames().map(\.time)
        #expect(sources[0].isClosed, "a later frame tells that no earlier one comes")
        clock.pass(milliseconds: 111)
        times += capture.frames().map(\.time)
        #expect(times == [900, 1000])
        #expect(capture.isDrained)
        #expect(!sources.map(\.isClosed).contains(false))
        #expect(capture.interfaces[0].packets == 2)
    }

    @Test("without frames the end comes when the system has surely delivered what it had")
    func stopOfSilence() {
        let clock = FakeClock()
        let source = FakeSource()
        let capture = LiveCapture([source], clock)
        capture.beginStop()
        clock.pass(milliseconds: 109)
        #expect(capture.frames().isEmpty)
        #expect(!capture.isDrained)
        #expect(capture.longestWait == 1)
        clock.pass(milliseconds: 1)
        #expect(capture.frames().isEmpty)
        #expect(capture.isDrained)
    }

    @Test("a clock set back before the end does not make it endless")
    func stopWithClockSetBack() {
        let clock = FakeClock()
        clock.wall = 1_000_000
        let source = FakeSource()
        let capture = LiveCapture([source], clock, bufferSize: 1)
        source.put(900_000)
        _ = capture.frames()
        clock.wall = 1000
        capture.beginStop()
        // Frames without end, all of them "earlier".
        source.frames = Array(
            repeating: FakeSource.Frame(time: 1500, bytes: [UInt8](repeating: 0, count: 1500), length: 1500),
            count: 5000)
        var count = 0
        for _ in 0..<100 where !capture.isDrained { count += capture.frames(limit: 100).count }
        #expect(capture.isDrained)
        #expect(count >= 699 && count <= 800, "about 1 MiB: \(count)")
    }

    @Test("closing reads the counters a last time, and can be done twice")
    func close() {
        let source = FakeSource()
        let capture = LiveCapture([source], FakeClock())
        source.counts?.droppedByKernel = 3
        capture.close()
        capture.close()
        #expect(source.isClosed)
        #expect(capture.interfaces[0].droppedByKernel == 3)
        #expect(capture.frames().isEmpty)
        #expect(capture.hasEnded)
        #expect(capture.interfaces[0].fault == nil)
    }

    @Test("an interface that cannot be polled is looked at by time")
    func unpolled() {
        let source = FakeSource(descriptor: nil)
        source.longestWait = 10
        let capture = LiveCapture([source], FakeClock())
        #expect(capture.descriptors.isEmpty)
        #expect(capture.longestWait == 10)
    }

    @Test("an interface is closed when the capture is let go")
    func letGo() {
        let source = FakeSource()
        do { _ = LiveCapture([source], FakeClock()) }
        #expect(source.isClosed)
    }
}
