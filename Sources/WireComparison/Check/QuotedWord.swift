/// A word in quotation marks for a message: not too long, and without control characters.
package func quoted(_ word: String) -> String {
    let scalars = word.unicodeScalars.prefix(120).map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }
    let isCut = word.unicodeScalars.count > 120
    return "\"" + String(String.UnicodeScalarView(scalars)) + (isCut ? "…\"" : "\"")
}
