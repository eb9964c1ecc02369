import WireRecords

/// JSON in a page's data block, for its script: `<` and `&` stand as escapes, so that no text in it can end the block.
extension OutputBuffer {
    /// A text in quotes. Controls become visible escapes first, so what is left to escape is printable.
    mutating func scriptString(_ text: String) {
        var escaped = ""
        for scalar in displayText(text).unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "<": escaped += "\\u003c"
            case ">": escaped += "\\u003e"
            case "&": escaped += "\\u0026"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        literal("\"")
        string(escaped)
        literal("\"")
    }

    /// The elements with commas between them.
    mutating func scriptList<Element>(
        _ elements: some Sequence<Element>, _ write: (Element, inout OutputBuffer) -> Void
    ) {
        literal("[")
        var isFirst = true
        for element in elements {
            if !isFirst { literal(",") }
            isFirst = false
            write(element, &self)
        }
        literal("]")
    }

    mutating func scriptStrings(_ texts: some Sequence<String>) {
        scriptList(texts) { $1.scriptString($0) }
    }

    /// A whole number in signed digits of 32: least first; the sign is the lowest bit, 32 is added to every digit but the
    /// last, and each stands as one of 64 letters. Numbers follow each other without anything between them.
    mutating func scriptDigits(_ number: Int) {
        let magnitude = min(UInt64(number.magnitude), 1 << 62)
        var rest = magnitude << 1 | (number < 0 ? 1 : 0)
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest & 31)
            rest >>= 5
            byte(OutputBuffer.letter(digit | (rest > 0 ? 32 : 0)))
        } while rest > 0
    }

    private static func letter(_ digit: UInt8) -> UInt8 {
        switch digit {
        case 0..<26: 0x41 + digit
        case 26..<52: 0x61 + digit - 26
        case 52..<62: 0x30 + digit - 52
        case 62: 0x2D
        default: 0x5F
        }
    }
}
