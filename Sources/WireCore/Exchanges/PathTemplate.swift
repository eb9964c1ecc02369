import WireNative

/// Replaces the path segments that identify something by `{id}`, so that calls of one API share one row.
///
/// Identifiers are: numbers, UUIDs, dates, hexadecimal tokens of 8 or more digits that hold a decimal digit, tokens of 8
/// or more characters of which two thirds are decimal digits, and base64-like tokens of 16 or more characters that mix
/// upper case, lower case and digits. A short file ending stays:
/// `/img/12345.png` becomes `/img/{id}.png`.
package struct PathTemplate: Sendable {
    private static let placeholder = Array("{id}".utf8)
    /// A user's pattern, split at `/`: `{name}` stands for any one segment.
    private let patterns: [[[UInt8]]]
    /// Names hold no values of URLs.
    private let redacts: Bool

    package init(patterns: [String] = [], redacts: Bool = false) {
        self.redacts = redacts
        self.patterns = patterns.map { pattern in
            PathTemplate.path(pattern).split(separator: 0x2F, omittingEmptySubsequences: false).map(Array.init)
        }
    }

    /// A pattern as names of APIs have it.
    package static func path(_ pattern: String) -> [UInt8] { PathText.normalized(pattern.utf8) }

    /// The name of an API as tables have it: method, host, and template of the path.
    package func apiName(method: [UInt8], host: [UInt8], path: [UInt8]) -> [UInt8] {
        var name = method + [0x20]
        let start = name.count
        name += host
        redact(&name, from: start)
        name.append(0x20)
        unsafe append(path.span.bytes, 0..<path.count, to: &name)
        return name
    }

    /// Takes the values out of a host's name, which is the end of `names`.
    @inline(__always)
    func redact(_ names: inout [UInt8], from start: Int) {
        if redacts { names.replaceSubrange(start..., with: RedactedURL.of(Array(names[start...]))) }
    }

    /// Appends the template of the path in `range` of `bytes`.
    @inline(__always)
    func append(_ bytes: RawSpan, _ range: Range<Int>, to output: inout [UInt8]) {
        if redacts || bytes.hasEscape(in: range) {
            appendNormalized(bytes, range, to: &output)
        } else {
            appendTemplate(bytes, range, to: &output)
        }
    }

    @inline(never)
    private func appendNormalized(_ bytes: RawSpan, _ range: Range<Int>, to output: inout [UInt8]) {
        let sent = bytes.array(range)
        let path = PathText.normalized(redacts ? RedactedURL.of(sent) : sent)
        unsafe appendTemplate(path.span.bytes, 0..<path.count, to: &output)
    }

    private func appendTemplate(_ bytes: RawSpan, _ range: Range<Int>, to output: inout [UInt8]) {
        for pattern in patterns where PathTemplate.matches(pattern, bytes, range) {
            for (index, segment) in pattern.enumerated() {
                if index > 0 { output.append(0x2F) }
                output.append(contentsOf: segment)
            }
            return
        }
        // What stays as it is is copied in pieces as long as possible.
        var copied = range.lowerBound
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            var digits = 0
            while end < range.upperBound {
                let byte = bytes.u8(end)
                if byte == 0x2F { break }
                if byte.isASCIIDigit { digits &+= 1 }
                end &+= 1
            }
            // Numbers are the most frequent ones.
            if digits > 0,
                let identifier = digits == end - start ? start..<end : PathTemplate.identifier(bytes, start..<end)
            {
                bytes.append(copied..<identifier.lowerBound, to: &output)
                output.append(contentsOf: PathTemplate.placeholder)
                copied = identifier.upperBound
            }
            start = end + 1
        }
        bytes.append(copied..<range.upperBound, to: &output)
    }

    private static func matches(_ pattern: [[UInt8]], _ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        for (index, segment) in pattern.enumerated() {
            guard start <= range.upperBound else { return false }
            let end = min(bytes.firstByte(0x2F, from: start) ?? range.upperBound, range.upperBound)
            let isLast = index == pattern.count - 1
            guard isLast == (end == range.upperBound) else { return false }
            let isVariable = segment.first == 0x7B && segment.last == 0x7D
            if isVariable ? start == end : segment != bytes.array(start..<end) { return false }
            start = end + 1
        }
        return true
    }

    /// The part of a segment that identifies something: all of it, or what stands before a short file ending.
    private static func identifier(_ bytes: RawSpan, _ segment: Range<Int>) -> Range<Int>? {
        var stem = segment
        if let dot = lastDot(bytes, segment), segment.upperBound - dot <= 6, dot > segment.lowerBound,
            isLetters(bytes, dot + 1..<segment.upperBound)
        {
            stem = segment.lowerBound..<dot
        }
        return isIdentifier(bytes, stem) ? stem : nil
    }

    private static func lastDot(_ bytes: RawSpan, _ range: Range<Int>) -> Int? {
        for offset in range.reversed() where bytes.u8(offset) == 0x2E { return offset }
        return nil
    }

    private static func isLetters(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        for offset in range where (bytes.u8(offset) | 0x20) &- 0x61 >= 26 && !bytes.u8(offset).isASCIIDigit {
            return false
        }
        return !range.isEmpty
    }

    /// Which characters a segment is made of.
    private struct Census {
        var digits = 0
        var lower = 0
        var upper = 0
        var hexadecimal = 0
        var hyphens = 0
        var tokenMarks = 0
        var others = 0
    }

    static func isIdentifier(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        let length = range.count
        if length < 8 { return length > 0 && range.allSatisfy { bytes.u8($0).isASCIIDigit } }
        var census = Census()
        for offset in range { count(bytes.u8(offset), in: &census) }
        guard census.others == 0, census.digits > 0 else { return false }
        if census.digits == length { return true }
        if isUUID(bytes, range, census) || isDate(bytes, range, census) { return true }
        if length >= 8, census.hexadecimal == length || census.digits * 3 >= length * 2 { return true }
        return length >= 16 && census.lower > 0 && census.upper > 0
    }

    private static func count(_ byte: UInt8, in census: inout Census) {
        switch byte {
        case 0x30...0x39:
            census.digits += 1
            census.hexadecimal += 1
        case 0x61...0x7A:
            census.lower += 1
            if byte <= 0x66 { census.hexadecimal += 1 }
        case 0x41...0x5A:
            census.upper += 1
            if byte <= 0x46 { census.hexadecimal += 1 }
        case 0x2D: census.hyphens += 1
        case 0x5F, 0x3D, 0x7E: census.tokenMarks += 1
        default: census.others += 1
        }
    }

    private static func isUUID(_ bytes: RawSpan, _ range: Range<Int>, _ census: Census) -> Bool {
        guard range.count == 36, census.hyphens == 4, census.hexadecimal == 32 else { return false }
        for place in [8, 13, 18, 23] where bytes.u8(range.lowerBound + place) != 0x2D { return false }
        return true
    }

    /// YYYY-MM-DD.
    private static func isDate(_ bytes: RawSpan, _ range: Range<Int>, _ census: Census) -> Bool {
        range.count == 10 && census.digits == 8 && census.hyphens == 2 && bytes.u8(range.lowerBound + 4) == 0x2D
            && bytes.u8(range.lowerBound + 7) == 0x2D
    }
}
