import WireNative

/// What a header section says about framing and naming. Ranges are offsets in the bytes it was read from.
struct HeaderSection: Sendable {
    /// Offset after the empty line that ends the section.
    var end = 0
    var host: Range<Int>?
    var contentLength: Int?
    /// Content-Length values that differ from each other or are no number (RFC 9112 §6.3).
    var contentLengthIsInvalid = false
    var hasTransferEncoding = false
    /// The last transfer coding is chunked.
    var endsInChunked = false
    /// Content codings and, after them, transfer codings other than chunked: what was done to the body, in order.
    var codings = CodingList()
    /// There is a Content-Encoding field.
    var hasContentEncoding = false
    /// The first Content-Encoding field is the word `gzip` in lower case and nothing else.
    var isLiterallyGzip = false
    /// The last Content-Type field. Of HTTP/1 alone: `FieldSection` keeps its own.
    var contentType: Range<Int>?
    var hasUpgrade = false
    /// Upgrade names HTTP/2 (`h2c`, RFC 7540 §3.2).
    var namesHTTP2 = false
    /// The client waits with the body for an answer (RFC 9110 §10.1.1).
    var expectsContinue = false
    /// What programs read in different ways: a line without name, white space behind a name that matters (RFC 9112
    /// §5.1), a second host (§3.2), a coding or a word behind chunked (§6.1), the transfer coding `identity`.
    var isMalformed = false
}

/// Up to four codings in the order in which they were applied, without allocation.
struct CodingList: Sendable {
    private var storage = InlineArray<4, ContentCoding>(repeating: .gzip)
    private(set) var count = 0
    /// A coding that is not known, or more than four: the body cannot be decoded.
    var isUndecodable = false

    mutating func append(_ coding: ContentCoding) {
        guard count < 4 else {
            isUndecodable = true
            return
        }
        storage[count] = coding
        count += 1
    }

    mutating func append(_ other: CodingList) {
        for index in 0..<other.count { append(other.storage[index]) }
        if other.isUndecodable { isUndecodable = true }
    }

    var array: [ContentCoding] { (0..<count).map { storage[$0] } }
}

extension HeaderSection {
    /// Reads a whole header section that begins at `start`, right after the start line (RFC 9112 §5). Nil when its
    /// empty line has not come yet.
    ///
    /// Line ends may be a bare line feed (§2.2). A line that begins with white space continues the field before it
    /// (obs-fold, §5.2); values then span lines, and their reader treats line ends as white space.
    static func read(_ bytes: RawSpan, from start: Int) -> HeaderSection? {
        let section = readLines(bytes, from: start)
        return section.end > 0 ? section : nil
    }

    /// What the whole lines say; `end` is 0 where the empty line is missing.
    static func readLines(_ bytes: RawSpan, from start: Int) -> HeaderSection {
        var section = HeaderSection()
        var transferCodings = CodingList()
        let end = forEachLine(bytes, from: start) { line, _ in
            section.readField(bytes, line, &transferCodings)
        }
        section.end = end ?? 0
        section.codings.append(transferCodings)
        return section
    }

    /// Calls with each field's line or folded lines, without and with the last line feed. Returns the offset after the
    /// empty line, or nil when that has not come yet.
    @inline(__always)
    static func forEachLine(_ bytes: RawSpan, from start: Int, _ body: (Range<Int>, Int) -> Void) -> Int? {
        var lineStart = start
        var lineFeeds = LineFeeds(from: start)
        while true {
            guard var lineFeed = lineFeeds.next(in: bytes) else { return nil }
            if lineFeed == lineStart || (lineFeed == lineStart + 1 && bytes.u8(lineStart) == 0x0D) {
                return lineFeed + 1
            }
            while lineFeed + 1 < bytes.byteCount, isWhiteSpace(bytes.u8(lineFeed + 1)) {
                guard let next = lineFeeds.next(in: bytes) else { return nil }
                lineFeed = next
            }
            body(lineStart..<lineFeed, lineFeed + 1)
            lineStart = lineFeed + 1
        }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Takes one field if its name is one that matters. The first letter and the place of the colon sort out nearly
    /// all others.
    @inline(__always)
    private mutating func readField(_ bytes: RawSpan, _ line: Range<Int>, _ transferCodings: inout CodingList) {
        switch bytes.u8(line.lowerBound).lowercasedASCII {
        case 0x68:  // h
            if let start = valueStart("host", bytes, line) { readHost(bytes, start..<line.upperBound) }
        case 0x63:  // c
            if let start = valueStart("content-length", bytes, line) {
                readContentLength(bytes, start..<line.upperBound)
            } else if let start = valueStart("content-encoding", bytes, line) {
                readContentEncoding(bytes, start..<line.upperBound)
            } else if let start = valueStart("content-type", bytes, line) {
                contentType = HeaderSection.trimmed(bytes, start..<line.upperBound)
            }
        case 0x74:  // t
            if let start = valueStart("transfer-encoding", bytes, line) {
                readTransferEncoding(bytes, start..<line.upperBound, &transferCodings)
            }
        case 0x65:  // e
            if let start = valueStart("expect", bytes, line) {
                let value = HeaderSection.trimmed(bytes, start..<line.upperBound)
                expectsContinue = value.count == 12 && bytes.hasBytesIgnoringCase("100-continue", at: value.lowerBound)
            }
        case 0x75:  // u
            if let start = valueStart("upgrade", bytes, line) {
                hasUpgrade = true
                let value = HeaderSection.trimmed(bytes, start..<line.upperBound)
                if value.count == 3, bytes.hasBytesIgnoringCase("h2c", at: value.lowerBound) { namesHTTP2 = true }
            }
        case 0x20, 0x09, 0x3A:
            isMalformed = true
        default:
            break
        }
    }

    /// Where the value begins, if the line begins with the name and its colon.
    @inline(__always)
    private mutating func valueStart(_ name: StaticString, _ bytes: RawSpan, _ line: Range<Int>) -> Int? {
        let length = name.utf8CodeUnitCount
        guard line.count > length else { return nil }
        let behind = bytes.u8(line.lowerBound + length)
        guard behind <= 0x3A, bytes.hasBytesIgnoringCase(name, at: line.lowerBound) else { return nil }
        return behind == 0x3A
            ? line.lowerBound + length + 1 : valueStart(behindSpaceAt: line.lowerBound + length, bytes, line)
    }

    /// White space before the colon: some programs take the field, some do not, and servers must refuse it.
    private mutating func valueStart(behindSpaceAt offset: Int, _ bytes: RawSpan, _ line: Range<Int>) -> Int? {
        var colon = offset
        while colon < line.upperBound, HeaderSection.isWhiteSpace(bytes.u8(colon)) { colon += 1 }
        guard colon > offset, colon < line.upperBound, bytes.u8(colon) == 0x3A else { return nil }
        isMalformed = true
        return colon + 1
    }

    /// `identity` was a coding up to RFC 2616 §3.6 and is none any more: clients go by Content-Length beside it, servers
    /// may refuse it.
    private mutating func readTransferEncoding(_ bytes: RawSpan, _ range: Range<Int>, _ list: inout CodingList) {
        if endsInChunked { isMalformed = true }
        let found = HeaderSection.readCodings(bytes, range, &list)
        guard found.isCoded || hasTransferEncoding else {
            isMalformed = true
            return
        }
        hasTransferEncoding = true
        endsInChunked = found.endsInChunked
        if found.isFollowed { isMalformed = true }
    }

    private mutating func readHost(_ bytes: RawSpan, _ range: Range<Int>) {
        let value = HeaderSection.trimmed(bytes, range)
        guard !value.isEmpty else { return }
        if host == nil { host = value } else { isMalformed = true }
    }

    mutating func readContentEncoding(_ bytes: RawSpan, _ range: Range<Int>) {
        let value = HeaderSection.trimmed(bytes, range)
        isLiterallyGzip = !hasContentEncoding && value.count == 4 && bytes.hasBytes("gzip", at: value.lowerBound)
        hasContentEncoding = true
        HeaderSection.readCodings(bytes, range, &codings)
    }

    static func trimmed(_ bytes: RawSpan, _ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, isBlank(bytes.u8(lower)) { lower += 1 }
        while upper > lower, isBlank(bytes.u8(upper - 1)) { upper -= 1 }
        return lower..<upper
    }

    /// White space, or part of a line end inside of a folded field. No other control character is either.
    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte <= 0x20 && (byte == 0x20 || byte == 0x0D || byte == 0x09 || byte == 0x0A)
    }

    /// One or several equal numbers (RFC 9110 §8.6); anything else is invalid. The first number stands.
    mutating func readContentLength(_ bytes: RawSpan, _ range: Range<Int>) {
        HeaderSection.forEachElement(bytes, range) { element in
            var value = 0
            for offset in element {
                // 18 digits are below 2⁶⁰: no capture holds a longer body. Zeros in front count for nothing.
                guard bytes.u8(offset).isASCIIDigit, value < 100_000_000_000_000_000 else {
                    contentLengthIsInvalid = true
                    return
                }
                value = value * 10 + Int(bytes.u8(offset) - 0x30)
            }
            if contentLength == nil {
                contentLength = value
            } else if contentLength != value {
                contentLengthIsInvalid = true
            }
        }
    }

    /// Appends the codings of a list field. Returns whether there is any but `identity`, whether `chunked` is the last
    /// element, and whether another, or a word that is no parameter, is behind it.
    @discardableResult
    private static func readCodings(
        _ bytes: RawSpan, _ range: Range<Int>, _ list: inout CodingList
    ) -> (isCoded: Bool, endsInChunked: Bool, isFollowed: Bool) {
        var isCoded = false
        var endsInChunked = false
        var isFollowed = false
        forEachElement(bytes, range) { element in
            var name = element
            for offset in element where bytes.u8(offset) == 0x3B || isBlank(bytes.u8(offset)) {
                name = element.lowerBound..<offset
                break
            }
            let rest = trimmed(bytes, name.upperBound..<element.upperBound)
            if endsInChunked || (!rest.isEmpty && bytes.u8(rest.lowerBound) != 0x3B) { isFollowed = true }
            endsInChunked = false
            if name.count == 8, bytes.hasBytesIgnoringCase("identity", at: name.lowerBound) { return }
            isCoded = true
            switch name.count {
            case 2 where bytes.hasBytesIgnoringCase("br", at: name.lowerBound): list.append(.brotli)
            case 4 where bytes.hasBytesIgnoringCase("gzip", at: name.lowerBound): list.append(.gzip)
            case 4 where bytes.hasBytesIgnoringCase("zstd", at: name.lowerBound): list.append(.zstd)
            case 6 where bytes.hasBytesIgnoringCase("x-gzip", at: name.lowerBound): list.append(.gzip)
            case 7 where bytes.hasBytesIgnoringCase("deflate", at: name.lowerBound): list.append(.deflate)
            case 7 where bytes.hasBytesIgnoringCase("chunked", at: name.lowerBound): endsInChunked = true
            default: list.isUndecodable = true
            }
        }
        return (isCoded, endsInChunked, isFollowed)
    }

    /// Calls with each element of a comma-separated list, without white space around it; empty ones are left out
    /// (RFC 9110 §5.6.1).
    private static func forEachElement(_ bytes: RawSpan, _ range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = range.lowerBound
        while start <= range.upperBound {
            var end = start
            while end < range.upperBound, bytes.u8(end) != 0x2C { end += 1 }
            let element = trimmed(bytes, start..<end)
            if !element.isEmpty { body(element) }
            start = end + 1
        }
    }
}
