import WireCore

@testable import WireCapture

/// An interface without a system: gives what a test puts into it.
final class FakeSource: LiveSource {
    struct Frame {
        var time: Int64
        var bytes: [UInt8]
        var length: Int
    }

    let summary: CaptureInterfaceSummary
    var descriptor: Int32?
    var longestWait: Int?
    var frames: [Frame] = []
    /// What it fails with when it has no frames.
    var fault: String?
    var counts: LiveStatistics? = LiveStatistics(received: 0, droppedByKernel: 0, droppedByInterface: 0)
    private(set) var isClosed = false

    init(_ name: String = "eth0", descriptor: Int32? = 7, linkType: LinkType = .ethernet) {
        summary = CaptureInterfaceSummary(name: name, linkType: linkType, snapshotLength: 262_144)
        self.descriptor = descriptor
    }

    /// Puts a frame of one byte into the buffer.
    func put(_ times: Int64..., length: Int = 60) {
        for time in times { frames.append(Frame(time: time, bytes: [UInt8(truncatingIfNeeded: time)], length: length)) }
    }

    func dispatch(limit: Int, _ body: (Int64, Int, RawSpan) -> Void) -> String? {
        let batch = frames.prefix(limit)
        for frame in batch { unsafe body(frame.time, frame.length, frame.bytes.span.bytes) }
        frames.removeFirst(batch.count)
        return batch.isEmpty ? fault : nil
    }

    func statistics() -> LiveStatistics? { counts }
    func close() { isClosed = true }
}

/// Clocks that a test sets, nanoseconds.
final class FakeClock: @unchecked Sendable {
    var monotonic: Int64 = 1_000_000_000
    var wall: Int64 = 0

    var clock: LiveClock { LiveClock(monotonic: { self.monotonic }, wall: { self.wall }) }

    func pass(milliseconds: Int64) {
        monotonic += milliseconds * 1_000_000
        wall += milliseconds * 1_000_000
    }
}

extension LiveCapture {
    convenience init(
        _ sources: [FakeSource], _ clock: FakeClock, bufferSize: Int = 1 << 20, heldBytesLimit: Int = 64 << 20
    ) {
        self.init(sources, bufferSize: bufferSize, heldBytesLimit: heldBytesLimit, clock: clock.clock)
    }

    /// What `drain` hands out.
    func frames(limit: Int = 1000) -> [CaptureFrame] {
        var frames: [CaptureFrame] = []
        let count = drain(limit: limit) { frame, bytes in
            precondition(bytes.byteCount == frame.capturedLength)
            frames.append(frame)
        }
        precondition(count == frames.count)
        return frames
    }
}
