/// Text from a capture as a terminal may show it: what is no character of UTF-8, every control and escape, and whatever
/// reorders or hides text stands as `\xNN` or `\u{NNNN}`. Without `unicode` everything outside ASCII does.
package func displayText(_ bytes: [UInt8], unicode: Bool = true) -> String {
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

package func displayText(_ text: String, unicode: Bool = true) -> String {
    displayText(Array(text.utf8), unicode: unicode)
}

private func escaped(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return value < 0x100 ? "\\x" + (value < 16 ? "0" : "") + digits : "\\u{" + digits + "}"
}

/// Columns that a terminal gives to the text: two for East Asian wide characters and emoji, none for combining marks.
package func displayWidth(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + displayWidth($1) }
}

func displayWidth(_ scalar: Unicode.Scalar) -> Int {
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
    var tail = scalars.count
    while tail > head, used + displayWidth(scalars[tail - 1]) <= room {
        used += displayWidth(scalars[tail - 1])
        tail -= 1
    }
    var result = String.UnicodeScalarView(scalars[..<head])
    result.append(contentsOf: ellipsis.unicodeScalars)
    result.append(contentsOf: scalars[tail...])
    return String(result)
}

/// The name of an API in at most `width` columns. Whole segments at the end of the path stay, and the host as far as
/// there is room beside the last of them.
package func shortenedAPI(_ text: String, to width: Int, ellipsis: String) -> String {
    guard displayWidth(text) > width else { return text }
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].hasPrefix("/") else { return shortenedRow(text, to: width, ellipsis: ellipsis) }
    let room = width - displayWidth(String(parts[0])) - 2
    let segments = parts[2].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let isOnly = segments.count == 1
    let left = isOnly ? "" : "/" + ellipsis
    let last = "/" + (segments.last ?? "")
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
    var scalars = text.unicodeScalars
    while !scalars.isEmpty, displayWidth(String(scalars)) + displayWidth(ellipsis) > width { scalars.removeLast() }
    return String(scalars) + ellipsis
}
