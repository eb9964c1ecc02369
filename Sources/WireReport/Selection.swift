import WireCore

/// The user's choice of hosts and APIs. Patterns ignore case (of ASCII letters); one without `*` may stand anywhere in
/// the text, one with `*` must fit all of it. Of several patterns one must fit; hosts and APIs must both fit.
public struct Selection: Sendable {
    public let hosts: [String]
    public let apis: [String]
    private let hostPatterns: [[UInt8]]
    private let apiPatterns: [[UInt8]]

    public init(hosts: [String] = [], apis: [String] = []) {
        self.hosts = hosts
        self.apis = apis
        hostPatterns = hosts.map { lowercased(Array($0.utf8)) }
        apiPatterns = apis.map { lowercased(Array($0.utf8)) }
    }

    public var isEmpty: Bool { hosts.isEmpty && apis.isEmpty }

    func includes(host: [UInt8]) -> Bool { fits(host, hostPatterns) }

    package func includes(host: [UInt8], api: [UInt8]) -> Bool { fits(host, hostPatterns) && fits(api, apiPatterns) }

    /// A row of the API table: `method host path-template`.
    package func includes(api: String) -> Bool {
        let bytes = Array(api.utf8)
        let parts = bytes.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        return includes(host: parts.count > 1 ? Array(parts[1]) : bytes, api: bytes)
    }

    private func fits(_ text: [UInt8], _ patterns: [[UInt8]]) -> Bool {
        guard !patterns.isEmpty else { return true }
        let folded = lowercased(text)
        return patterns.contains { matches(folded, pattern: $0) }
    }
}

private func lowercased(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
}

/// `*` stands for any bytes; a pattern without one is looked for anywhere.
func matches(_ text: [UInt8], pattern: [UInt8]) -> Bool {
    let star = UInt8(0x2A)
    let pattern = pattern.contains(star) ? pattern : [star] + pattern + [star]
    var textIndex = 0
    var patternIndex = 0
    var retry: (pattern: Int, text: Int)?
    while textIndex < text.count {
        if patternIndex < pattern.count, pattern[patternIndex] == star {
            patternIndex += 1
            retry = (patternIndex, textIndex)
        } else if patternIndex < pattern.count, pattern[patternIndex] == text[textIndex] {
            patternIndex += 1
            textIndex += 1
        } else if let last = retry {
            retry = (last.pattern, last.text + 1)
            patternIndex = last.pattern
            textIndex = last.text + 1
        } else {
            return false
        }
    }
    return pattern[patternIndex...].allSatisfy { $0 == star }
}
