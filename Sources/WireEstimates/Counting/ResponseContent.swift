/// What `expectedContentLength` says of a body that the platform decodes. Raw values are words of parameters.
enum ExpectedLengthRule: String, Sendable {
    /// −1.
    case unknown
    /// The field's number: the coded size.
    case contentLength
    /// The size after decoding.
    case decoded
}

extension ObservedResponse {
    /// Bytes of data that a client is given: without framing, after the platform undid codings. Of a response that was
    /// cut, what had come. Nil: not known.
    var delivered: Int? {
        if body.content == 0 { return 0 }
        if let decoded = body.decoded { return decoded }
        switch fields.contentCoding {
        case .none: return fields.hasOtherTransferCoding ? nil : body.content
        case .foreign: return body.content
        case .decodable: return nil
        }
    }

    /// `expectedContentLength`; −1 for an unknown length. Nil: it cannot be computed.
    func expectedLength(_ rule: ExpectedLengthRule) -> Int? {
        let length = fields.contains(.transferEncoding) ? nil : fields.contentLength
        guard fields.contentCoding == .decodable else { return length ?? -1 }
        switch rule {
        case .unknown: return -1
        case .contentLength: return length ?? -1
        case .decoded: return delivered
        }
    }

    /// `expectedContentLength`, and the size of the data where that is unknown. Nil: it cannot be computed.
    func expectedOrDelivered(_ rule: ExpectedLengthRule) -> (bytes: Int, cause: ErrorCause)? {
        guard let expected = expectedLength(rule) else { return nil }
        if expected != -1 { return (expected, .expectedLength) }
        return delivered.map { ($0, .bodyDecoded) }
    }

    /// Content-Encoding is the word `gzip`, in lower case and alone.
    var isLiterallyGzip: Bool {
        guard let field = fields.first(.contentEncoding), field.value.count == 4,
            fields.value(field).elementsEqual("gzip".utf8)
        else { return false }
        return fields.fields.count { $0.known == .contentEncoding } == 1
    }
}

/// Content codings in the eyes of the platform.
enum ContentCodingKind: Sendable {
    case none
    /// The platform undoes it.
    case decodable
    /// A coding that the platform does not know: data is delivered as it came.
    case foreign
}

extension HeaderFields {
    /// Longest Content-Length that is believed, bytes. Sums of more would not be safe.
    private static let lengthLimit = 1 << 40

    /// The number of Content-Length; nil where there is none, or none that is valid (RFC 9110 §8.6).
    var contentLength: Int? {
        guard contains(.contentLength) else { return nil }
        var length: Int?
        for field in fields where field.known == .contentLength {
            guard let number = number(field.value), length == nil || length == number else { return nil }
            length = number
        }
        return length
    }

    private func number(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.count <= 18 else { return nil }
        var number = 0
        for offset in range {
            let digit = bytes[offset] &- 0x30
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number <= HeaderFields.lengthLimit ? number : nil
    }

    var contentCoding: ContentCodingKind {
        guard contains(.contentEncoding) else { return .none }
        var kind = ContentCodingKind.none
        for field in fields where field.known == .contentEncoding {
            forEachWord(field.value) { word in
                if isEqual(word, "identity") { return }
                if kind != .foreign { kind = isDecodable(word) ? .decodable : .foreign }
            }
        }
        return kind
    }

    /// A transfer coding other than chunked.
    var hasOtherTransferCoding: Bool {
        guard contains(.transferEncoding) else { return false }
        var result = false
        for field in fields where field.known == .transferEncoding {
            forEachWord(field.value) { word in
                if !isEqual(word, "chunked"), !isEqual(word, "identity") { result = true }
            }
        }
        return result
    }

    private func isDecodable(_ word: Range<Int>) -> Bool {
        isEqual(word, "gzip") || isEqual(word, "br") || isEqual(word, "deflate") || isEqual(word, "zstd")
            || isEqual(word, "x-gzip")
    }

    /// Words between commas, without white space and parameters.
    private func forEachWord(_ range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, bytes[end] != 0x2C { end += 1 }
            var lower = start
            while lower < end, bytes[lower] <= 0x20 { lower += 1 }
            var upper = lower
            while upper < end, bytes[upper] > 0x20, bytes[upper] != 0x3B { upper += 1 }
            if lower < upper { body(lower..<upper) }
            start = end + 1
        }
    }

    /// Whether the value of a field begins with the lower-case text, in any case.
    func hasPrefix(_ field: Field, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        return field.value.count >= count
            && isEqual(field.value.lowerBound..<field.value.lowerBound + count, text)
    }

    /// Whether the value of a field holds the text, in this case.
    func contains(_ field: Field, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard field.value.count >= count else { return false }
        for start in field.value.lowerBound...(field.value.upperBound - count) {
            var offset = 0
            while offset < count, unsafe bytes[start + offset] == text.utf8Start[offset] { offset += 1 }
            if offset == count { return true }
        }
        return false
    }
}
