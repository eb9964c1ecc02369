/// What a number in a log's column counts.
package struct LogUnit: Sendable, Equatable {
    enum Kind: String { case time, size }

    /// As it is written in outputs.
    let word: String
    let kind: Kind
    /// Nanoseconds or bytes in one.
    let factor: Int
    /// Of ten, by which a unit of time is longer than a nanosecond.
    var power: Int { String(factor).utf8.count - 1 }

    private static let units: [(words: [String], unit: LogUnit)] = [
        (["seconds", "second", "secs", "sec"], LogUnit(word: "s", kind: .time, factor: 1_000_000_000)),
        (
            ["milliseconds", "millisecond", "millis", "milli", "msec"],
            LogUnit(word: "ms", kind: .time, factor: 1_000_000)
        ),
        (["microseconds", "microsecond", "micros", "usec", "µs"], LogUnit(word: "us", kind: .time, factor: 1000)),
        (["nanoseconds", "nanosecond", "nanos", "nsec"], LogUnit(word: "ns", kind: .time, factor: 1)),
        (["bytes", "byte", "octets"], LogUnit(word: "b", kind: .size, factor: 1)),
        (["kilobytes"], LogUnit(word: "kb", kind: .size, factor: 1000)),
        (["kibibytes"], LogUnit(word: "kib", kind: .size, factor: 1024)),
        (["megabytes"], LogUnit(word: "mb", kind: .size, factor: 1_000_000)),
        (["mebibytes"], LogUnit(word: "mib", kind: .size, factor: 1 << 20)),
    ]

    private init(word: String, kind: Kind, factor: Int) {
        (self.word, self.kind, self.factor) = (word, kind, factor)
    }

    /// A unit by one of its words, in any letter case.
    init?(word: some StringProtocol) {
        let word = word.lowercased()
        guard let (_, unit) = LogUnit.units.first(where: { $0.unit.word == word || $0.words.contains(word) }) else {
            return nil
        }
        self = unit
    }

    /// The unit that a word of a column's name is, as in `start_ms`, `durationMillis` and `KB sent`. A letter is one only at
    /// the end.
    init?(in name: String, _ kind: Kind) {
        let words = ColumnName(name).words
        let units = words.enumerated().compactMap { place, word in
            word.utf8.count > 1 || place == words.count - 1 ? LogUnit(word: word) : nil
        }
        guard let unit = units.last(where: { $0.kind == kind }) else { return nil }
        self = unit
    }
}

/// The name of a column, by its words: `reqBytes`, `req_bytes` and `req.bytes` have the same.
struct ColumnName {
    /// Lower case.
    let words: [String]

    init(_ name: String) {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                words.append(word)
                word = ""
                continue
            }
            // `reqBytes` and `URLPath`: a capital begins a word behind a small letter, or before one.
            let isBehindSmall = index > 0 && !characters[index - 1].isUppercase
            let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
            if character.isUppercase, isBehindSmall || isBeforeSmall {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        self.words = (words + [word]).filter { !$0.isEmpty }.map { $0.lowercased() }.reduce(into: []) { words, word in
            // `kB` and `MiB` are words though they have a capital within.
            if word == "b", let last = words.last, ["k", "ki", "m", "mi"].contains(last) {
                words[words.count - 1] += word
            } else {
                words.append(word)
            }
        }
    }
}
