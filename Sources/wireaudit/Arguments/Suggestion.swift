/// The word that the user may have meant: the nearest by edits, the first of equals. Nil when none is near.
package func suggestion(for word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    let limit = max(2, word.count / 3)
    var best: (word: String, distance: Int)?
    for candidate in candidates {
        let isStart = word.count >= 2 && candidate.hasPrefix(word)
        let distance = isStart ? 1 : editDistance(word, candidate)
        guard distance <= limit, distance < max(word.count, candidate.count) else { continue }
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
}

/// Insertions, deletions, replacements, and exchanges of neighbours that make one word of the other.
package func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for (row, character) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            var distance = min(last[column + 1], current[column]) + 1
            distance = min(distance, last[column] + (character == other ? 0 : 1))
            if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                distance = min(distance, beforeLast[column - 1] + 1)
            }
            current.append(distance)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
