import WireCore

/// Reads the frames of one capture file in the order of the file, from one buffer that is used again and again, unless
/// it was lent.
///
/// It stops where the caller wants it to: at a time (to merge files), when the buffer is used up (to report progress),
/// when names were found (to hand them on before the frames behind them).
package final class CaptureFileReader {
    package enum Pause {
        /// The next frame is later than the limit; it waits.
        case timeLimit
        /// All whole records in the buffer are delivered: `refill()`.
        case needsBytes
        /// Names of addresses or interfaces, or keys, were found.
        case names
        /// There is nothing more; `ending` says why.
        case finished
    }

    /// How the reading of a file ended.
    package enum Ending: Equatable {
        case complete
        /// In the middle of a record, or of the compressed stream.
        case cut
        case damaged
    }

    package let path: String
    let source: CaptureSource
    package private(set) var ending: Ending?

    private var parser: CaptureParser
    private var buffer: CaptureBuffer
    /// Of a buffer that no record is too long for.
    private let standardSize: Int
    /// Others may still look at the buffer.
    private var isLent = false
    /// Gives buffers in place of those that were lent.
    package var spareBuffer: (() -> CaptureBuffer?)?
    /// Bytes at the start of the buffer that are the file's.
    private var filled = 0
    /// Where in the buffer the parser goes on.
    private var offset = 0
    /// Where the bytes of the waiting frame begin, and the record behind it; nil when none waits.
    private var waiting: (dataOffset: Int, nextOffset: Int)?
    /// Bytes of the file to pass over before those that go to the buffer.
    private var bytesToSkip = 0
    /// Length that the buffer must hold from `offset` on.
    private var bytesNeeded = 0
    private var endOfInput = false
    private var fault: SourceFault?
    /// Start of the file, for saying what it looks like if it is no capture.
    private var firstBytes: [UInt8] = []

    /// - Parameter processes: gets the processes that the file names; nil where nobody asks.
    init(file: InputFile, bufferSize: Int, processes: ProcessDirectory? = nil) {
        parser = CaptureParser(processes: processes)
        path = file.path
        source = CaptureSource(file)
        standardSize = bufferSize
        buffer = CaptureBuffer([UInt8](repeating: 0, count: bufferSize))
    }

    var format: CaptureParser.Format? { parser.format }
    /// Frames parsed so far; the last of them may wait.
    var frameCount: Int { parser.frame.number }
    /// The frame that waits for its time; nil when none does.
    var waitingFrame: CaptureFrame? { waiting == nil ? nil : parser.frame }
    var declaredLinkType: LinkType? { parser.declaredLinkType }
    var droppedFrames: Int? { parser.droppedFrames }
    var blocksPassedOver: Int { parser.blocksPassedOver }
    var firstFollowing: Int? { parser.firstFollowing }
    var wrongFractions: (count: Int, frame: Int) { parser.wrongFractions }
    /// Offset in the decompressed file at which reading had to end; nil when it was read to its end.
    var damagedAt: Int? { ending == .cut || ending == .damaged ? parser.position : nil }

    /// Why the system could not read on; nil where the end is the file's own.
    var systemFault: String? {
        guard ending == .damaged, case .system(let reason)? = fault else { return nil }
        return reason
    }

    func removeNames() -> [CaptureName] { parser.removeNames() }
    func removeInterfaceNames() -> [(number: Int, name: [UInt8])] { parser.removeInterfaceNames() }
    func removeSecrets() -> [UInt8] { parser.removeSecrets() }

    /// Reads up to the first frame, which then waits; names before it wait too.
    func readToFirstFrame() throws(CaptureError) {
        while waiting == nil, ending == nil {
            if try drain(through: .min, holdingAll: true, { _, _, _, _ in }) == .needsBytes { refill() }
        }
    }

    /// Gives the file up.
    func abandon() {
        ending = .damaged
    }

    /// The buffer that the frames of the next `drain` lie in. It is not changed as long as others have it.
    package func lendBuffer() -> CaptureBuffer {
        isLent = true
        return buffer
    }

    /// Hands out frames up to and including the time `limit`, with their places in the buffer, and what lies in the
    /// place of the next frame; then says why it stopped.
    @inline(__always)
    package func drain(
        through limit: Int64, holdingAll: Bool = false,
        _ body: (CaptureFrame, RawSpan, Int, RawSpan) throws(CaptureError) -> Void
    ) throws(CaptureError) -> Pause {
        guard ending == nil else { return .finished }
        // Taken out while in use: an access through the object costs a check, and there are several for each frame.
        var parser = CaptureParser()
        swap(&parser, &self.parser)
        defer { swap(&parser, &self.parser) }
        let content = buffer.bytes
        let bytes = unsafe content.span.bytes.extracting(0..<filled)
        var offset = offset
        defer { self.offset = offset }
        while true {
            let frameOffset: Int
            let nextOffset: Int
            if let waiting {
                (frameOffset, nextOffset) = waiting
                self.waiting = nil
            } else {
                let step = parser.next(bytes, at: offset, endOfInput: endOfInput)
                guard case .frame(let data, let next) = step else {
                    if let pause = try handle(step, parser: parser, offset: &offset) { return pause }
                    continue
                }
                (frameOffset, nextOffset) = (data, next)
            }
            guard parser.frame.time <= limit, !holdingAll else {
                waiting = (frameOffset, nextOffset)
                return .timeLimit
            }
            let frame = parser.frame
            let following = min(nextOffset + frameOffset - offset, filled)
            try body(
                frame, bytes.extracting(frameOffset..<frameOffset + frame.capturedLength), frameOffset,
                bytes.extracting(following..<filled))
            offset = nextOffset
        }
    }

    /// What follows from a step that brought no frame: a reason to stop, or nil to go on.
    private func handle(
        _ step: CaptureParser.Step, parser: borrowing CaptureParser, offset: inout Int
    ) throws(CaptureError) -> Pause? {
        switch step {
        case .frame:
            return nil
        case .skipped(let nextOffset):
            bytesToSkip = max(0, nextOffset - filled)
            offset = min(nextOffset, filled)
            if parser.hasNames || parser.hasSecrets || parser.hasInterfaceNames { return .names }
            return bytesToSkip > 0 ? .needsBytes : nil
        case .needMore(let count):
            bytesNeeded = count
            return .needsBytes
        case .end:
            ending = fault.map(Self.ending(of:)) ?? .complete
        case .cut:
            ending = fault.map(Self.ending(of:)) ?? .cut
        case .damaged where parser.position > 0:
            ending = .damaged
        case .damaged, .notACapture:
            if case .system(let reason) = fault { throw .cannotOpen(path: path, reason: reason) }
            throw .notACapture(path: path, reason: fault?.reason ?? FileSignature.describe(firstBytes))
        }
        return .finished
    }

    private static func ending(of fault: SourceFault) -> Ending {
        if case .truncated = fault { return .cut }
        return .damaged
    }

    /// Brings more of the file into the buffer, behind the bytes that are still needed.
    package func refill() {
        moveRemainderToFront()
        while !endOfInput {
            if bytesToSkip > 0 {
                let passed = read(0..<min(bytesToSkip, buffer.bytes.count))
                bytesToSkip -= passed
                continue
            }
            if filled == buffer.bytes.count { grow() }
            filled += read(filled..<buffer.bytes.count)
            if filled >= bytesNeeded { break }
        }
        bytesNeeded = 0
        if firstBytes.isEmpty { firstBytes = Array(buffer.bytes[..<min(filled, 64)]) }
    }

    private func moveRemainderToFront() {
        let remainder = filled - offset
        // A buffer that a long record needed goes with that record: others would take as much memory for short ones.
        let isOversized = buffer.bytes.count > standardSize && max(remainder, bytesNeeded) <= standardSize
        if isOversized || isLent && !isKnownUniquelyReferenced(&buffer) {
            let size = isOversized ? standardSize : buffer.bytes.count
            let spare = spareBuffer?() ?? CaptureBuffer([])
            if spare.bytes.count != size { spare.bytes = [UInt8](repeating: 0, count: size) }
            goOn(with: spare)
        } else if remainder > 0, offset > 0 {
            unsafe buffer.bytes.withUnsafeMutableBytes { bytes in
                unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + remainder]))
            }
        }
        offset = 0
        filled = remainder
    }

    /// Makes room for a record longer than the buffer. A length is only what the record claims: the buffer grows with what
    /// the file really holds.
    private func grow() {
        let size = min(max(bytesNeeded, buffer.bytes.count + standardSize), 4 * buffer.bytes.count)
        goOn(with: CaptureBuffer([UInt8](repeating: 0, count: size)))
    }

    private func goOn(with other: CaptureBuffer) {
        let rest = buffer.bytes[offset..<filled]
        unsafe other.bytes.withUnsafeMutableBytes { bytes in
            unsafe rest.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
        }
        buffer = other
        isLent = false
    }

    /// Bytes read into this part of the buffer; 0 at the end of the input.
    private func read(_ range: Range<Int>) -> Int {
        switch source.read(into: &buffer.bytes, range) {
        case .bytes(let count):
            return count
        case .end:
            endOfInput = true
        case .broken(let fault):
            self.fault = fault
            endOfInput = true
        }
        return 0
    }
}
