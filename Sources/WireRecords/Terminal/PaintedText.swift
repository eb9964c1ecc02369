/// Columns of a line that may hold colours.
package func paintedWidth(_ line: String) -> Int {
    var width = 0
    forEachScalar(line) { scalar, isColour in
        if !isColour { width += displayWidth(scalar) }
        return true
    }
    return width
}

/// The beginning of a line that may hold colours, in at most `width` columns; the colours end with it. Of marks that
/// take no column four are left on a character: a text of nothing else would be a line without end.
package func clipped(_ line: String, to width: Int) -> String {
    guard line.utf8.count > width else { return line }
    var result = String.UnicodeScalarView()
    var used = 0
    var marks = 0
    var hasColours = false
    var isCut = false
    forEachScalar(line) { scalar, isColour in
        if isColour {
            hasColours = true
        } else {
            let columns = displayWidth(scalar)
            marks = columns == 0 ? marks + 1 : 0
            if marks > 4 { return true }
            isCut = used + columns > width
            guard !isCut else { return false }
            used += columns
        }
        result.append(scalar)
        return true
    }
    return String(result) + (hasColours && isCut ? "\u{1B}[0m" : "")
}

/// A line that may hold colours, in lines of at most `width` columns; where it has a space it is broken there. A colour
/// goes on in the next line.
package func broken(_ line: String, width: Int) -> [String] {
    guard line.utf8.count > width, paintedWidth(line) > width else { return [line] }
    var lines: [String] = []
    var rest = line
    let indent = String(repeating: " ", count: min(line.prefix { $0 == " " }.count + 2, width / 2))
    while paintedWidth(rest) > width {
        let end = lineEnd(rest, width: width)
        let colour = openColour(rest.unicodeScalars[..<end])
        lines.append(String(rest.unicodeScalars[..<end]) + (colour.isEmpty ? "" : "\u{1B}[0m"))
        rest = indent + colour + String(rest.unicodeScalars[end...].drop { $0 == " " })
    }
    return withoutColours(rest).allSatisfy { $0 == " " } ? lines : lines + [rest]
}

/// Where a line is broken: before the last space that is not of its indent, else where the width ends.
private func lineEnd(_ line: String, width: Int) -> String.Index {
    let scalars = line.unicodeScalars
    var (used, isColour, hasBegun) = (0, false, false)
    var space: String.Index?
    for index in scalars.indices {
        let scalar = scalars[index]
        if scalar == "\u{1B}" { isColour = true }
        if !isColour {
            if scalar == " ", hasBegun { space = index }
            if scalar != " " { hasBegun = true }
            used += displayWidth(scalar)
            if used > width { return space ?? index }
        }
        if scalar == "m" { isColour = false }
    }
    return scalars.endIndex
}

/// The colour that is on at the end; empty where none is.
private func openColour(_ scalars: Substring.UnicodeScalarView) -> String {
    guard let start = scalars.lastIndex(of: "\u{1B}"), let end = scalars[start...].firstIndex(of: "m") else {
        return ""
    }
    let colour = String(scalars[start...end])
    return colour == "\u{1B}[0m" ? "" : colour
}

/// A line that may hold colours, with spaces up to `width` columns.
package func paddedPainted(_ line: String, _ width: Int) -> String {
    line + String(repeating: " ", count: max(width - paintedWidth(line), 0))
}

/// Every scalar, and whether it is part of a colour; until the body returns false. Text from a capture holds no escape,
/// so each begins one of `TerminalStyle.paint`, and ends with its `m`.
private func forEachScalar(_ line: String, _ body: (Unicode.Scalar, Bool) -> Bool) {
    var isColour = false
    for scalar in line.unicodeScalars {
        if scalar == "\u{1B}" { isColour = true }
        guard body(scalar, isColour) else { return }
        if scalar == "m" { isColour = false }
    }
}

/// The line without its colours.
package func withoutColours(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    forEachScalar(line) { scalar, isColour in
        if !isColour { result.append(scalar) }
        return true
    }
    return String(result)
}
