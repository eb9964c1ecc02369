import WireNative

/// Text from a capture as a terminal may show it: what is no character of UTF-8, every control and escape, and whatever
/// reorders or hides text stands as `\xNN` or `\u{NNNN}`, international hosts in their characters. Without `unicode`
/// everything outside ASCII is escaped, and hosts stand as they were sent; without `hosts` they do so, too.
package func displayText(_ bytes: [UInt8], unicode: Bool = true, hosts: Bool = true) -> String {
    let bytes = unicode && hosts ? InternationalHost.unicode(bytes) ?? bytes : bytes
    var text = ""
    text.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
        switch decodeScalar(bytes.span, at: index) {
        case .invalid(let value):
            text += escaped(UInt32(value))
            index += 1
        case .scalar(let value, let length):
            if value < 0x80 || unicode, !isUnsafeForDisplay(value), let scalar = Unicode.Scalar(value) {
                text.unicodeScalars.append(scalar)
            } else {
                text += escaped(value)
            }
            index += length
        }
    }
    return text
}

package func displayText(_ text: String, unicode: Bool = true, hosts: Bool = true) -> String {
    displayText(Array(text.utf8), unicode: unicode, hosts: hosts)
}

/// A host in the characters that it encodes; nil where it encodes none.
package func unicodeHost(_ host: [UInt8]) -> [UInt8]? { InternationalHost.unicode(host) }

private func escaped(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return value < 0x100 ? "\\x" + (value < 16 ? "0" : "") + digits : "\\u{" + digits + "}"
}

/// Columns that a terminal gives to the text: two for East Asian wide characters and emoji, none for combining marks.
package func displayWidth(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + displayWidth($1) }
}

package func displayWidth(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    // A sign before this one becomes an emoji: some terminals give it a second column.
    if scalar.value == 0xFE0F { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FF,
        0x1F200...0x1F265, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        return 2
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
}

/// The text in at most `width` columns. An ellipsis takes the place of what is left out, after the first third: the
/// beginning of an API is its method, and its end (the last path segments) tells it from its neighbours.
package func shortened(_ text: String, to width: Int, ellipsis: String) -> String {
    guard displayWidth(text) > width else { return text }
    let room = width - displayWidth(ellipsis)
    guard room > 0 else { return String(ellipsis.prefix(max(width, 0))) }
    let scalars = Array(text.unicodeScalars)
    var head = 0
    var used = 0
    while head < scalars.count, used + displayWidth(scalars[head]) <= (room + 2) / 3 {
        used += displayWidth(scalars[head])
        head += 1
    }
    head = outsideEscape(scalars, head, isEnd: true)
    used = displayWidth(string(scalars[..<head]))
    var tail = scalars.count
    while tail > head, used + displayWidth(scalars[tail - 1]) <= room {
        used += displayWidth(scalars[tail - 1])
        tail -= 1
    }
    tail = outsideEscape(scalars, tail, isEnd: false)
    return string(scalars[..<head]) + ellipsis + string(scalars[tail...])
}

/// The place itself, or where it lies within an escape (`%C3`, `\x1b`, `\u{202e}`) the end of what can stand before it, or the
/// beginning of what can stand behind it.
func outsideEscape(_ scalars: [Unicode.Scalar], _ place: Int, isEnd: Bool) -> Int {
    for start in max(place - longestEscape + 1, 0)..<place {
        let end = start + escapeLength(scalars, start)
        if end > place { return isEnd ? start : end }
    }
    return place
}

/// Of `\u{10ffff}`.
private let longestEscape = 10

/// How long the escape is that begins at a place; 0 where none does.
private func escapeLength(_ scalars: [Unicode.Scalar], _ start: Int) -> Int {
    func areDigits(_ range: Range<Int>) -> Bool {
        range.upperBound <= scalars.count && range.allSatisfy { scalars[$0].properties.isASCIIHexDigit }
    }
    switch scalars[start] {
    case "%" where areDigits(start + 1..<start + 3): return 3
    case "\\" where scalars.count > start + 1 && scalars[start + 1] == "x" && areDigits(start + 2..<start + 4): return 4
    case "\\" where scalars.count > start + 2 && scalars[start + 1] == "u" && scalars[start + 2] == "{":
        return scalars[start...].prefix(longestEscape).firstIndex(of: "}").map { $0 + 1 - start } ?? 0
    default: return 0
    }
}

/// Scalars as a string.
func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
}

/// The name of an API in at most `width` columns. Whole segments at the end of the path stay, and the host as far as
/// there is room beside the last of them. What stands behind the path, an operation, stays with it.
package func shortenedAPI(_ text: String, to width: Int, ellipsis: String) -> String {
    guard displayWidth(text) > width else { return text }
    let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[2].hasPrefix("/") else { return shortenedRow(text, to: width, ellipsis: ellipsis) }
    let room = width - displayWidth(String(parts[0])) - 2
    let segments = parts[2].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let isOnly = segments.count == 1
    let left = isOnly ? "" : "/" + ellipsis
    let last = "/" + (segments.last ?? "") + (parts.count > 3 ? " " + parts[3] : "")
    let hostRoom = room - displayWidth(left) - displayWidth(last)
    guard hostRoom >= min(leastHost, displayWidth(String(parts[1]))) else {
        return shortened(text, to: width, ellipsis: ellipsis)
    }
    let host = beginning(String(parts[1]), to: hostRoom, ellipsis: ellipsis)
    var end = last
    var spare = hostRoom - displayWidth(host)
    for segment in segments.dropLast().reversed() {
        spare -= displayWidth(String(segment)) + 1
        guard spare >= 0 else { break }
        end = "/" + segment + end
    }
    return "\(parts[0]) \(host) \(left)\(end)"
}

/// What is no API: `https://host (encrypted)`. That it is encrypted shows in the row's other cells, too.
private func shortenedRow(_ text: String, to width: Int, ellipsis: String) -> String {
    let note = " (encrypted)"
    let host = text.hasSuffix(note) ? String(text.dropLast(note.count)) : text
    return shortened(host, to: width, ellipsis: ellipsis)
}

/// A host keeps at least so many columns, or it is not told as one.
private let leastHost = 10

/// The text in at most `width` columns, with an ellipsis for its end.
private func beginning(_ text: String, to width: Int, ellipsis: String) -> String {
    guard displayWidth(text) > width else { return text }
    let scalars = Array(text.unicodeScalars)
    var end = scalars.count
    while end > 0, displayWidth(string(scalars[..<end])) + displayWidth(ellipsis) > width { end -= 1 }
    return string(scalars[..<outsideEscape(scalars, end, isEnd: true)]) + ellipsis
}
