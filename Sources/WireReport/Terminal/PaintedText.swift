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

/// A line that may hold colours, with spaces up to `width` columns.
func paddedPainted(_ line: String, _ width: Int) -> String {
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
func withoutColours(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    forEachScalar(line) { scalar, isColour in
        if !isColour { result.append(scalar) }
        return true
    }
    return String(result)
}
