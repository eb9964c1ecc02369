/// Bytes of the JSON grammar, as `ByteCursor.peek` gives them.
enum JSONCharacter {
    static let tab = 0x09
    static let lineFeed = 0x0A
    static let carriageReturn = 0x0D
    static let space = 0x20
    static let quote = 0x22
    static let plus = 0x2B
    static let comma = 0x2C
    static let minus = 0x2D
    static let dot = 0x2E
    static let zero = 0x30
    static let nine = 0x39
    static let colon = 0x3A
    static let openBracket = 0x5B
    static let backslash = 0x5C
    static let closeBracket = 0x5D
    static let e = 0x65
    static let f = 0x66
    static let n = 0x6E
    static let t = 0x74
    static let openBrace = 0x7B
    static let closeBrace = 0x7D
}
