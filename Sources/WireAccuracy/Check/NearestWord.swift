/// The word that may have been meant: the nearest by edits, the first of equals. Nil when none is near.
func nearestWord(to word: String, among words: [String]) -> String? {
    let word = word.lowercased()
    guard word.utf8.count <= 100 else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in words where candidate.utf8.count <= 200 {
        let isPart = word.utf8.count >= 3 && candidate.lowercased().contains(word)
        let distance = isPart ? 1 : edits(Array(word.utf8), Array(candidate.lowercased().utf8))
        guard distance <= max(2, word.utf8.count / 3), distance < word.utf8.count else { continue }
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
}

/// Insertions, deletions and replacements that make one text of the other.
private func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var last = Array(0...right.count)
    for (row, byte) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            let replaced = last[column] + (byte == other ? 0 : 1)
            current.append(min(replaced, last[column + 1] + 1, current[column] + 1))
        }
        last = current
    }
    return last[right.count]
}

/// A word in quotation marks for a message: not too long, and without control characters.
func quoted(_ word: String) -> String {
    let scalars = word.unicodeScalars.prefix(120).map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }
    let isCut = word.unicodeScalars.count > 120
    return "\"" + String(String.UnicodeScalarView(scalars)) + (isCut ? "…\"" : "\"")
}
