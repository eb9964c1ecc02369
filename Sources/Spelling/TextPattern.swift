/// A pattern ignores case (of ASCII letters). `*` stands for any text.
public struct TextPattern: Sendable, Equatable {
    public let text: String
    private let pattern: [UInt8]

    /// - Parameter anywhere: without `*`, the pattern may stand anywhere in a text; otherwise it must be all of it.
    public init(_ text: String, anywhere: Bool) {
        self.text = text
        let star = UInt8(ascii: "*")
        let folded = lowercased(Array(text.utf8))
        pattern = anywhere && !folded.contains(star) ? [star] + folded + [star] : folded
    }

    public func matches(_ text: String) -> Bool { matches(Array(text.utf8)) }

    /// Text from the wire, in any encoding.
    public func matches(_ bytes: [UInt8]) -> Bool {
        let text = lowercased(bytes)
        let star = UInt8(ascii: "*")
        var (textIndex, patternIndex) = (0, 0)
        var retry: (text: Int, pattern: Int)?
        while textIndex < text.count {
            if patternIndex < pattern.count, pattern[patternIndex] == star {
                patternIndex += 1
                retry = (textIndex, patternIndex)
            } else if patternIndex < pattern.count, pattern[patternIndex] == text[textIndex] {
                patternIndex += 1
                textIndex += 1
            } else if let last = retry {
                retry = (last.text + 1, last.pattern)
                (textIndex, patternIndex) = (last.text + 1, last.pattern)
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == star }
    }
}

private func lowercased(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
}
