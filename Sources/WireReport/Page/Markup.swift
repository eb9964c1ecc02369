import WireRecords

/// HTML that is safe by its type: only literals of this program stand in it as they are. Every value put into one is
/// shown as `displayText` shows it (controls and reordering characters become visible escapes) and then escaped, so
/// that it is text both between tags and inside a quoted attribute.
package struct Markup: ExpressibleByStringInterpolation, Sendable {
    package private(set) var source: String

    package init() { source = "" }
    package init(stringLiteral value: String) { source = value }
    package init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }
    /// A constant of this program, such as a style sheet.
    init(constant: String) { source = constant }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            source.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ literal: String) { source += literal }
        package mutating func appendInterpolation(_ text: String) { source += escapedForHTML(displayText(text)) }
        package mutating func appendInterpolation(_ number: Int) { source += String(number) }
        package mutating func appendInterpolation(_ markup: Markup) { source += markup.source }
    }

    package static func + (left: Markup, right: Markup) -> Markup {
        var sum = left
        sum.source += right.source
        return sum
    }

    package static func += (left: inout Markup, right: Markup) { left.source += right.source }

    var isEmpty: Bool { source.isEmpty }
}

extension Sequence<Markup> {
    /// One after the other, with `separator` between them.
    func joined(_ separator: Markup = "") -> Markup {
        var all = Markup()
        for (index, part) in enumerated() {
            if index > 0 { all += separator }
            all += part
        }
        return all
    }
}

/// Text that no HTML parser takes for anything but text, in an element or in a quoted attribute.
package func escapedForHTML(_ text: String) -> String {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
        switch byte {
        case 0x26: escaped += Array("&amp;".utf8)
        case 0x3C: escaped += Array("&lt;".utf8)
        case 0x3E: escaped += Array("&gt;".utf8)
        case 0x22: escaped += Array("&quot;".utf8)
        case 0x27: escaped += Array("&#39;".utf8)
        default: escaped.append(byte)
        }
    }
    return String(decoding: escaped, as: UTF8.self)
}
