/// A line of OkHttp's HttpLoggingInterceptor (okhttp-logging-interceptor, HttpLoggingInterceptor.kt), behind whatever the
/// system's log writes before it.
struct OkHttpLine {
    /// What stands in the parentheses at the end of a line: `(45ms, 1234-byte body)`.
    struct Measure: Equatable {
        var milliseconds: Int?
        /// Bytes of the body; nil where they are not known.
        var size: Int?
        /// Its bytes before gzip was undone.
        var compressedSize: Int?
        /// The line says how long the body is, or that this is not known.
        var tellsLength = false
        /// There are no parentheses.
        var isBare = true
    }

    enum Content {
        case request(method: [UInt8], url: [UInt8], Measure)
        case requestEnd(method: [UInt8], Measure)
        case response(status: Int16, url: [UInt8], Measure)
        case responseEnd(Measure)
        /// The URL is nil where the line names none.
        case failure(url: [UInt8]?)
    }

    let content: Content
    /// What stands before it.
    let prefix: ArraySlice<UInt8>
    /// Process and thread by logcat; nil where it names none.
    let thread: UInt64?

    private static let sent = Array("--> ".utf8)
    private static let received = Array("<-- ".utf8)
    private static let end = Array("END ".utf8)
    private static let endOfResponse = Array("END HTTP".utf8)
    private static let failed = Array("HTTP FAILED: ".utf8)
    private static let schemes = ["http://", "https://"].map { Array($0.utf8) }

    /// Nil where the line is of something else, such as of a body.
    init?(_ line: ArraySlice<UInt8>) {
        let sent = line.firstRange(of: OkHttpLine.sent)
        let received = line.firstRange(of: OkHttpLine.received)
        guard let mark = [sent, received].compactMap(\.self).min(by: { $0.lowerBound < $1.lowerBound }) else {
            return nil
        }
        let text = line[mark.upperBound...]
        guard let content = mark == sent ? OkHttpLine.sent(text) : OkHttpLine.received(text) else { return nil }
        self.content = content
        prefix = line[..<mark.lowerBound]
        thread = OkHttpLine.thread(prefix)
    }

    /// Whether some line of the text begins a request.
    static func isIn(_ window: [UInt8]) -> Bool {
        var rest = window[...]
        while let mark = rest.firstRange(of: sent) {
            let line = rest[mark.upperBound...].prefix { $0 != 0x0A && $0 != 0x0D }
            if case .request? = sent(line) { return true }
            rest = rest[mark.upperBound...]
        }
        return false
    }

    // MARK: Contents

    private static func sent(_ text: ArraySlice<UInt8>) -> Content? {
        if text.starts(with: end) {
            let method = text.dropFirst(end.count).prefix { $0 != 0x20 }
            return isMethod(method) ? .requestEnd(method: Array(method), measure(text[method.endIndex...])) : nil
        }
        let method = text.prefix { $0 != 0x20 }
        let rest = text[method.endIndex...].dropFirst()
        guard isMethod(method), isURL(rest) else { return nil }
        let url = rest.prefix { $0 != 0x20 }
        return .request(method: Array(method), url: Array(url), measure(rest[url.endIndex...]))
    }

    private static func received(_ text: ArraySlice<UInt8>) -> Content? {
        if text.starts(with: endOfResponse) { return .responseEnd(measure(text)) }
        if text.starts(with: failed) { return .failure(url: lastURL(text)) }
        let digits = text.prefix { $0.isDigit }
        guard digits.count == 3, let url = firstURL(text[digits.endIndex...]) else { return nil }
        let status = digits.reduce(0) { $0 * 10 + Int16($1 - 0x30) }
        return .response(status: status, url: Array(url), measure(text[url.endIndex...]))
    }

    private static func isMethod(_ word: ArraySlice<UInt8>) -> Bool {
        1...20 ~= word.count && word.allSatisfy { 0x41...0x5A ~= $0 || $0 == 0x2D }
    }

    private static func isURL(_ text: ArraySlice<UInt8>) -> Bool { schemes.contains { text.starts(with: $0) } }

    /// The first word that is a URL: a reason phrase may stand before it.
    private static func firstURL(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        text.split(separator: 0x20).first { isURL($0) }
    }

    private static func lastURL(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        text.split(separator: 0x20).last { isURL($0) }.map { Array($0) }
    }

    private static let bytes = Array("-byte".utf8)
    private static let compressedBytes = Array("-gzipped-byte".utf8)
    private static let milliseconds = Array("ms".utf8)
    private static let unknownLength = Array("unknown-length".utf8)

    /// Reads `(3-byte body)`, `(22ms, unknown-length body)`, `(binary 9-byte body omitted)` and the like.
    private static func measure(_ text: ArraySlice<UInt8>) -> Measure {
        var measure = Measure()
        guard let open = text.firstIndex(of: 0x28) else { return measure }
        measure.isBare = false
        for word in text[(open + 1)...].split(whereSeparator: { [0x20, 0x2C, 0x29].contains($0) }) {
            if word.elementsEqual(unknownLength) {
                measure.tellsLength = true
            } else if let size = number(word, before: compressedBytes) {
                measure.compressedSize = size
            } else if word.suffix(bytes.count).elementsEqual(bytes) {
                measure.tellsLength = true
                measure.size = number(word, before: bytes)
            } else if let duration = number(word, before: milliseconds) {
                measure.milliseconds = duration
            }
        }
        return measure
    }

    private static func number(_ word: ArraySlice<UInt8>, before unit: [UInt8]) -> Int? {
        guard word.suffix(unit.count).elementsEqual(unit) else { return nil }
        var digits = word.dropLast(unit.count)
        guard let number = digits.consumeNumber(upTo: 15), digits.isEmpty else { return nil }
        return number
    }

    // MARK: Threads

    /// logcat writes `11-28 10:00:00.123  1234  5678 I Tag: `, Android Studio `2026-11-28 10:00:00.123  1234-5678  Tag …`.
    private static func thread(_ prefix: ArraySlice<UInt8>) -> UInt64? {
        let words = prefix.split(separator: 0x20).prefix(6)
        let clock = words.firstIndex { $0.first?.isDigit == true && $0.contains(0x3A) }
        guard let clock else { return nil }
        // A zone may stand behind the time.
        let rest = words[(clock + 1)...].drop { $0.first == 0x2B || $0.first == 0x2D }
        guard let first = rest.first else { return nil }
        var pair = first.split(separator: 0x2D)
        if pair.count == 1, let second = rest.dropFirst().first { pair.append(second) }
        guard pair.count == 2 else { return nil }
        let numbers = pair.compactMap { word -> Int? in
            var digits = word
            let number = digits.consumeNumber()
            return digits.isEmpty ? number : nil
        }
        return numbers.count == 2 ? UInt64(numbers[0]) << 32 | UInt64(numbers[1]) : nil
    }
}
