/// The word that the user may have meant: the nearest by edits, the first of equals. Nil when none is near. What is the
/// beginning of a word, or a larger part of it, is near.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
    let word = Array(word.lowercased())
    guard word.count <= 100 else { return nil }
    // Of three letters two changed leave nothing of the word.
    let limit = word.count < 4 ? 1 : max(2, word.count / 3)
    var best: (word: String, distance: Int)?
    for candidate in candidates where candidate.utf8.count <= 200 {
        let letters = Array(candidate.lowercased())
        let isPart =
            (word.count >= 2 && letters.starts(with: word)) || (word.count >= 3 && letters.contains(word))
        let distance = isPart ? 1 : editDistance(word, letters)
        guard distance <= limit, distance < max(word.count, letters.count) else { continue }
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
}

/// Insertions, deletions, replacements, and exchanges of neighbours that make one word of the other.
package func editDistance(_ left: [Character], _ right: [Character]) -> Int {
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
