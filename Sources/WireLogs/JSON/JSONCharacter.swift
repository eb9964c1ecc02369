/// Bytes of the JSON grammar, as `ByteCursor.peek` gives them.
enum JSONCharacter {
    package static let tab = 0x09
    static let lineFeed = 0x0A
    static let carriageReturn = 0x0D
    package static let space = 0x20
    package static let quote = 0x22
    package static let plus = 0x2B
    static let comma = 0x2C
    package static let minus = 0x2D
    package static let dot = 0x2E
    package static let zero = 0x30
    package static let nine = 0x39
    package static let colon = 0x3A
    static let openBracket = 0x5B
    static let backslash = 0x5C
    static let closeBracket = 0x5D
    package static let e = 0x65
    package static let f = 0x66
    package static let n = 0x6E
    package static let t = 0x74
    static let openBrace = 0x7B
    static let closeBrace = 0x7D
}
