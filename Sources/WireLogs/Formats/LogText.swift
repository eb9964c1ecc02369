/// Small steps with the texts of logs, which are bytes.
extension UInt8 {
    var isDigit: Bool { 0x30...0x39 ~= self }
    package var isLetter: Bool { 0x61...0x7A ~= self | 0x20 }
    package var lowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
    package var uppercased: UInt8 { 0x61...0x7A ~= self ? self & 0xDF : self }
}

extension ArraySlice<UInt8> {
    /// Without spaces, tabs and line ends around it.
    package var trimmingSpaces: ArraySlice<UInt8> {
        var rest = self
        while let byte = rest.first, byte == 0x20 || 0x09...0x0D ~= byte { rest.removeFirst() }
        while let byte = rest.last, byte == 0x20 || 0x09...0x0D ~= byte { rest.removeLast() }
        return rest
    }

    /// Offset of the first place where the text stands.
    func firstRange(of text: [UInt8]) -> Range<Int>? {
        guard let first = text.first, text.count <= count else { return nil }
        var index = startIndex
        let last = endIndex - text.count
        while index <= last {
            if self[index] == first, self[index..<index + text.count].elementsEqual(text) {
                return index..<index + text.count
            }
            index += 1
        }
        return nil
    }

    /// The digits at the start as a number, taken off; nil where there are none, or more than `limit`.
    mutating func consumeNumber(upTo limit: Int = 9) -> Int? {
        var value = 0
        var count = 0
        while let byte = first, byte.isDigit {
            guard count < limit else { return nil }
            value = value * 10 + Int(byte - 0x30)
            count += 1
            removeFirst()
        }
        return count > 0 ? value : nil
    }

    /// Consumes a byte off the start if it is this one.
    package mutating func consume(_ byte: UInt8) -> Bool {
        guard first == byte else { return false }
        removeFirst()
        return true
    }
}

extension [UInt8] {
    /// The text for people.
    var display: String { String(decoding: self, as: UTF8.self) }

    var isUTF8: Bool { allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil }
}
