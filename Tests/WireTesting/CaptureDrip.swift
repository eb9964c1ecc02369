import WireCore

/// What a parser made of a capture, in a form that can be compared.
public struct ParsedCapture: Equatable, Sendable {
    public struct Frame: Equatable, Sendable {
        public var number: Int
        public var time: Int64
        public var original: Int
        public var linkType: UInt32
        public var checkSequenceLength: Int
        public var interface: Int
        public var droppedBefore: Int
        public var process: UInt16
        public var senderFlags: UInt8
        public var bytes: [UInt8]

        public init(_ frame: CaptureFrame, _ bytes: [UInt8]) {
            number = frame.number
            time = frame.time
            original = frame.originalLength
            linkType = frame.linkType.rawValue
            checkSequenceLength = frame.checkSequenceLength
            interface = frame.interface
            droppedBefore = frame.droppedBefore
            process = frame.process
            senderFlags = frame.senderFlags
            self.bytes = bytes
        }
    }

    public var frames: [Frame] = []
    /// The last step.
    public var ending = CaptureParser.Step.end
    /// Where reading ended, or the record begins at which it had to.
    public var position = 0
    public var dropped: Int?
    public var names: [CaptureName] = []
    public var secrets: [UInt8] = []
    public var firstFollowing: Int?
    /// Their number, and the frame of the first.
    public var wrongFractions = [0, 0]
    /// Most bytes the parser wanted at one time.
    public var largestNeed = 0

    public var capturedBytes: Int { frames.reduce(0) { $0 + $1.bytes.count } }
}

/// Feeds a capture to the parser through a window that grows by `piece` bytes, as a slow pipe would; the buffer holds
/// nothing but the bytes that the parser has not passed yet, so a step that reads behind itself is found out.
public func parseCapture(
    _ file: [UInt8], piece: Int = .max, processes: ProcessDirectory? = ProcessDirectory()
) -> ParsedCapture {
    var parser = CaptureParser(processes: processes)
    var parsed = ParsedCapture()
    var start = 0
    var end = min(piece, file.count)
    var need = 0
    while true {
        // A need larger than the file ends with the file, so that a lying length costs no memory here.
        if need > 0 {
            end = min(file.count, max(end, start) + max(1, min(piece, file.count)))
            need = 0
        }
        let window = Array(file[min(start, end)..<end])
        let passed = max(0, start - end)
        guard passed == 0 || end == file.count else {
            need = 1
            continue
        }
        let step = unsafe parser.next(window.span.bytes, at: 0, endOfInput: end == file.count)
        if parser.hasNames { parsed.names += parser.removeNames() }
        switch step {
        case .frame(let data, let next):
            let frame = parser.frame
            parsed.frames.append(ParsedCapture.Frame(frame, Array(window[data..<data + frame.capturedLength])))
            start += next
        case .skipped(let next):
            start += next
        case .needMore(let count):
            parsed.largestNeed = max(parsed.largestNeed, count)
            need = count
        case .end, .cut, .damaged, .notACapture:
            parsed.ending = step
            parsed.position = parser.position
            parsed.dropped = parser.droppedFrames
            parsed.firstFollowing = parser.firstFollowing
            parsed.wrongFractions = [parser.wrongFractions.count, parser.wrongFractions.frame]
            parsed.secrets = parser.removeSecrets()
            return parsed
        }
    }
}
