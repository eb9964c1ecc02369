/// A bar of a waterfall: it begins where the one before ended.
///
/// The beginning lies on a whole cell, the length is told to an eighth of one; in ASCII to a half.
package func waterfallBar(start: Int, length: Int, of whole: Int, cells: Int, style: TerminalStyle) -> String {
    guard whole > 0, cells > 0, length > 0 else { return "" }
    let steps = style.unicode ? 8 : 2
    let size = max(scaled(length, of: whole, to: cells * steps), 1)
    let needed = (size + steps - 1) / steps
    let offset = min(scaled(start, of: whole, to: cells), max(cells - needed, 0))
    let full = min(size / steps, cells - offset)
    var bar = String(repeating: " ", count: offset) + String(repeating: style.unicode ? "█" : "#", count: full)
    let rest = size % steps
    if rest > 0, offset + full < cells {
        let parts: [Character] = style.unicode ? ["▏", "▎", "▍", "▌", "▋", "▊", "▉"] : ["-"]
        bar.append(parts[rest - 1])
    }
    return bar
}

/// `value` of `whole` in `steps`, exactly, for any sizes.
package func scaled(_ value: Int, of whole: Int, to steps: Int) -> Int {
    let part = min(value.magnitude, whole.magnitude)
    let wide = part.multipliedFullWidth(by: steps.magnitude)
    guard wide.high < whole.magnitude else { return steps }
    return Int(whole.magnitude.dividingFullWidth(wide).quotient)
}
