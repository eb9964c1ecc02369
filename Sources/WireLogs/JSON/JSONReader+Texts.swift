/// Strings, numbers and words.
extension JSONReader {
    private mutating func keep(_ byte: UInt8) {
        guard keepsText else { return }
        if text.count < textLimit { text.append(byte) } else { isTextCut = true }
    }

    private mutating func beginText() {
        text.removeAll(keepingCapacity: true)
        isTextCut = false
    }

    /// Reads a string; the place is its first quote.
    package mutating func string() throws(JSONError) {
        beginText()
        bytes.index += 1
        while true {
            keepPlainBytes()
            switch bytes.peek() {
            case JSONCharacter.quote:
                bytes.index += 1
                return
            case JSONCharacter.backslash:
                bytes.index += 1
                try escape()
            case -1: throw JSONError(.endsEarly, offset: offset)
            case JSONCharacter.lineFeed where layout == .lines: throw JSONError(.lineEndsEarly, offset: offset)
            case let byte where byte < 0x20:
                keep(UInt8(byte))
                bytes.index += 1
            default: break
            }
        }
    }

    /// Takes the bytes up to the next that does not stand for itself, as far as the piece goes.
    private mutating func keepPlainBytes() {
        let start = bytes.index
        let end = bytes.plainEnd
        bytes.index = end
        guard keepsText, start < end else { return }
        let room = textLimit - text.count
        text.append(contentsOf: bytes.piece[start..<min(end, start + room)])
        if end - start > room { isTextCut = true }
    }

    private mutating func escape() throws(JSONError) {
        let place = offset - 1
        let byte = bytes.peek()
        guard byte >= 0 else { throw JSONError(.endsEarly, offset: offset) }
        bytes.index += 1
        switch byte {
        case 0x62: keep(0x08)
        case 0x66: keep(0x0C)
        case 0x6E: keep(0x0A)
        case 0x72: keep(0x0D)
        case 0x74: keep(0x09)
        case JSONCharacter.quote, JSONCharacter.backslash, 0x2F: keep(UInt8(byte))
        case 0x75: try unicodeEscapes(place)
        default: throw JSONError(.badEscape, offset: place)
        }
    }

    /// Reads `\u` escapes; the place is behind the `u` of the first. A first half waits for its second.
    private mutating func unicodeEscapes(_ place: Int) throws(JSONError) {
        var unit = try fourDigits(place)
        while 0xD800..<0xDC00 ~= unit {
            guard bytes.peek() == JSONCharacter.backslash else { break }
            let next = offset
            bytes.index += 1
            guard bytes.peek() == 0x75 else {
                keep(scalar: 0xFFFD)
                return try escape()
            }
            bytes.index += 1
            let second = try fourDigits(next)
            if 0xDC00..<0xE000 ~= second {
                return keep(scalar: 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
            }
            keep(scalar: 0xFFFD)
            unit = second
        }
        keep(scalar: 0xD800..<0xE000 ~= unit ? 0xFFFD : unit)
    }

    private mutating func fourDigits(_ place: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = bytes.peek()
            guard byte >= 0 else { throw JSONError(.endsEarly, offset: offset) }
            guard let digit = hexadecimalDigit(UInt8(byte)) else { throw JSONError(.badEscape, offset: place) }
            value = value << 4 | UInt32(digit)
            bytes.index += 1
        }
        return value
    }

    /// Keeps the UTF-8 of a code point; nothing of it where it would be cut.
    private mutating func keep(scalar: UInt32) {
        guard keepsText, let scalar = Unicode.Scalar(scalar) else { return }
        if text.count + UTF8.width(scalar) > textLimit {
            isTextCut = true
        } else {
            text.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
    }

    /// Reads a number and checks its grammar.
    package mutating func number() throws(JSONError) {
        let start = offset
        beginText()
        if bytes.peek() == JSONCharacter.minus { takeNumberByte() }
        if bytes.peek() == JSONCharacter.zero { takeNumberByte() } else { try digits(start) }
        if bytes.peek() == JSONCharacter.dot {
            takeNumberByte()
            try digits(start)
        }
        if bytes.peek() | 0x20 == JSONCharacter.e {
            takeNumberByte()
            let sign = bytes.peek()
            if sign == JSONCharacter.minus || sign == JSONCharacter.plus { takeNumberByte() }
            try digits(start)
        }
        switch bytes.peek() {
        case JSONCharacter.zero...JSONCharacter.nine, JSONCharacter.dot, JSONCharacter.plus, JSONCharacter.minus,
            0x41...0x5A, 0x61...0x7A:
            throw JSONError(.badNumber, offset: start)
        default: break
        }
    }

    private mutating func digits(_ start: Int) throws(JSONError) {
        let first = bytes.peek()
        guard first >= 0 else { throw JSONError(.endsEarly, offset: offset) }
        guard JSONCharacter.zero...JSONCharacter.nine ~= first else { throw JSONError(.badNumber, offset: start) }
        while JSONCharacter.zero...JSONCharacter.nine ~= bytes.peek() { takeNumberByte() }
    }

    private mutating func takeNumberByte() {
        keep(bytes.piece[bytes.index])
        bytes.index += 1
    }

    package mutating func word(_ word: StaticString, _ kind: Kind) throws(JSONError) -> Kind {
        let start = offset
        for expected in word.description.utf8 {
            let byte = bytes.peek()
            guard byte >= 0 else { throw JSONError(.endsEarly, offset: offset) }
            guard byte == Int(expected) else { throw JSONError(.badWord, offset: start) }
            bytes.index += 1
        }
        endValue()
        return kind
    }

    private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
