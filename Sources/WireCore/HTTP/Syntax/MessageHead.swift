/// The head of a message as it was sent: start line and header section.
public struct MessageHead: Sendable, Equatable {
    /// One field, where it lies in `bytes` (RFC 9112 §5).
    public struct Field: Sendable, Equatable {
        public var name: Range<Int>
        /// Without white space around it. A folded value holds its line ends.
        public var value: Range<Int>
        /// Its line, or its lines when it is folded, with line ends.
        public var line: Range<Int>
    }

    /// From the first byte of the start line to the end of the empty line.
    public let bytes: [UInt8]
    /// Bytes of the start line with its line end.
    public let startLine: Int

    /// Bytes of the start line without its line end.
    public var startLineText: Int {
        var end = startLine
        while end > 0, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }

    /// Calls with each line of the header section that is a field, in order. A line without a colon is none; its bytes
    /// are part of the section all the same.
    public func forEachField(_ body: (Field) -> Void) {
        let span = unsafe bytes.span.bytes
        _ = HeaderSection.forEachLine(span, from: startLine) { line, end in
            guard let colon = span.firstByte(0x3A, from: line.lowerBound), colon < line.upperBound else { return }
            var nameEnd = colon
            while nameEnd > line.lowerBound, span.u8(nameEnd - 1) <= 0x20 { nameEnd -= 1 }
            guard nameEnd > line.lowerBound else { return }
            body(
                Field(
                    name: line.lowerBound..<nameEnd, value: HeaderSection.trimmed(span, colon + 1..<line.upperBound),
                    line: line.lowerBound..<end))
        }
    }
}
