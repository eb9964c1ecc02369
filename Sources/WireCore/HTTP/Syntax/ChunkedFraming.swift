/// The chunked transfer coding (RFC 9112 §7.1), byte by byte where it is framing, by length where it is data.
///
///     chunk-size [ ;extension ] CRLF  data CRLF  ...  0 CRLF [ trailer fields ] CRLF
///     '------- framing ------------'       '---------- framing ---------------'
struct ChunkedFraming: Sendable {
    private enum State: Sendable {
        case size, sizeExtension, data, dataEnd, trailerLineStart, trailerLine
    }

    /// What a call claimed.
    enum Claim: Sendable {
        /// Framing bytes; more of the body follows.
        case framing(Int)
        /// Chunk data.
        case data(Int)
        /// Framing bytes up to the end of the message.
        case end(Int)
        /// What stands here is no chunk; nothing was claimed of it.
        case malformed
    }

    private var state = State.size
    /// While reading a size: its value so far. In data: bytes of the chunk still to come.
    private var remaining = 0
    private var digits = 0
    /// White space was seen behind the digits of a size.
    private var isPadded = false
    /// The byte before was a carriage return.
    private var isBehindReturn = false
    /// A line of a size or behind data did not end in CRLF, or a carriage return stood alone in it: programs differ on
    /// where such a line ends. Here it ends with its line feed.
    private(set) var isAmbiguous = false

    /// Bytes of chunk data still to come, or nil outside a chunk's data.
    var dataRemaining: Int? { state == .data ? remaining : nil }

    /// Takes `count` bytes of chunk data that are not there to be looked at. `count` is at most `dataRemaining`.
    mutating func skipData(_ count: Int) {
        remaining -= count
        if remaining == 0 { state = .dataEnd }
    }

    /// Claims bytes from `offset` on, at least one unless malformed.
    mutating func next(_ bytes: RawSpan, _ offset: Int) -> Claim {
        if state == .data {
            let count = min(remaining, bytes.byteCount - offset)
            skipData(count)
            return .data(count)
        }
        var position = offset
        while position < bytes.byteCount {
            let byte = bytes.u8(position)
            switch step(byte) {
            case .proceed: position += 1
            case .dataBegins: return .framing(position + 1 - offset)
            case .ends: return .end(position + 1 - offset)
            case .fails: return position > offset ? .framing(position - offset) : .malformed
            }
        }
        return .framing(position - offset)
    }

    private enum Step { case proceed, dataBegins, ends, fails }

    private mutating func step(_ byte: UInt8) -> Step {
        switch state {
        case .size: return stepSize(byte)
        case .sizeExtension:
            noteReturn(before: byte)
            return byte == 0x0A ? endSizeLine() : .proceed
        case .data: return .fails
        case .dataEnd:
            noteReturn(before: byte)
            if byte == 0x0D { return .proceed }
            guard byte == 0x0A else { return .fails }
            state = .size
            remaining = 0
            digits = 0
            isPadded = false
            return .proceed
        case .trailerLineStart:
            if byte == 0x0A { return .ends }
            if byte != 0x0D { state = .trailerLine }
            return .proceed
        case .trailerLine:
            if byte == 0x0A { state = .trailerLineStart }
            return .proceed
        }
    }

    /// A carriage return and a line feed stand together or not at all.
    private mutating func noteReturn(before byte: UInt8) {
        if isBehindReturn != (byte == 0x0A) { isAmbiguous = true }
        isBehindReturn = byte == 0x0D
    }

    private mutating func stepSize(_ byte: UInt8) -> Step {
        if let value = byte.hexadecimalValue {
            guard !isPadded else { return .fails }
            digits += 1
            // 15 digits are below 2⁶⁰: no size that a capture can hold is longer.
            guard remaining < 1 << 56 else { return .fails }
            remaining = remaining << 4 | value
            return .proceed
        }
        if byte == 0x20 || byte == 0x09 {
            isPadded = digits > 0
            if !isPadded { isAmbiguous = true }
            return .proceed
        }
        guard digits > 0 else { return .fails }
        if byte == 0x0A {
            isAmbiguous = true
            return endSizeLine()
        }
        guard byte == 0x0D || byte == 0x3B else { return .fails }
        isBehindReturn = byte == 0x0D
        state = .sizeExtension
        return .proceed
    }

    private mutating func endSizeLine() -> Step {
        guard remaining > 0 else {
            state = .trailerLineStart
            return .proceed
        }
        state = .data
        return .dataBegins
    }
}
