/// A word of a policy's line.
struct PolicyWord: Equatable {
    var text: String
    /// Character in the line, from 1.
    var column: Int
    /// Quoted words are never keywords.
    var isQuoted = false

    /// The keyword it may be, in lower case.
    var keyword: String? { isQuoted ? nil : text.lowercased() }

    /// As it may be written in a policy.
    var source: String {
        guard isQuoted else { return text }
        return "\"" + text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}

/// Splits a line into words. Blanks separate them; `<=` and `>=` stand alone whatever is around them; text in double
/// quotes is one word, with `\"` and `\\` for a quote and a backslash; `#` before a word begins a comment.
func policyWords(_ line: some StringProtocol) throws(PolicyError) -> [PolicyWord] {
    let characters = Array(line.unicodeScalars)
    var words: [PolicyWord] = []
    var index = 0
    while index < characters.count {
        let character = characters[index]
        if isBlank(character) {
            index += 1
        } else if character == "#" {
            return words
        } else if character == "\"" {
            words.append(try quotedWord(characters, &index))
        } else if isComparison(character) {
            let start = index
            while index < characters.count, isComparison(characters[index]) || characters[index] == "=" { index += 1 }
            words.append(PolicyWord(text: text(characters[start..<index]), column: start + 1))
        } else {
            let start = index
            while index < characters.count, !isBlank(characters[index]), !isComparison(characters[index]),
                characters[index] != "\""
            {
                index += 1
            }
            words.append(PolicyWord(text: text(characters[start..<index]), column: start + 1))
        }
    }
    return words
}

private func quotedWord(_ characters: [Unicode.Scalar], _ index: inout Int) throws(PolicyError) -> PolicyWord {
    let start = index
    var content = String.UnicodeScalarView()
    index += 1
    while index < characters.count, characters[index] != "\"" {
        if characters[index] == "\\", index + 1 < characters.count, isEscapable(characters[index + 1]) { index += 1 }
        content.append(characters[index])
        index += 1
    }
    guard index < characters.count else {
        throw PolicyError("the quotation mark is not closed in this line", column: start + 1)
    }
    index += 1
    return PolicyWord(text: String(content), column: start + 1, isQuoted: true)
}

private func text(_ characters: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(characters))
}

private func isEscapable(_ character: Unicode.Scalar) -> Bool { character == "\"" || character == "\\" }

private func isBlank(_ character: Unicode.Scalar) -> Bool { character == " " || character == "\t" }

private func isComparison(_ character: Unicode.Scalar) -> Bool { character == "<" || character == ">" }
