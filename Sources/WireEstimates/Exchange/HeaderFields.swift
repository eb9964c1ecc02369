/// Fields whose names estimators and platforms treat in a way of their own.
public enum KnownField: UInt8, Sendable {
    case other
    case host, accept, acceptLanguage, acceptEncoding, userAgent, connection, contentLength, cookie
    case contentEncoding, contentType, transferEncoding, location

    /// A bit of its own in a set of known fields.
    var bit: UInt16 { 1 << UInt16(rawValue) }
}

/// The fields of one message in the order they were sent, with what each cost on the wire.
///
/// An estimator serialises fields anew from names and values; `wireLength` is what the sender really spent.
public struct HeaderFields: Sendable {
    public struct Field: Sendable, Equatable {
        private let nameStart: UInt32
        private let nameCount: UInt32
        private let valueStart: UInt32
        private let valueCount: UInt32
        private let sentCount: UInt32
        private let unfoldedCount: UInt32
        private let firstPlace: UInt32
        private let lineEndCount: UInt8
        public let known: KnownField

        /// Where the name lies in `bytes`.
        public var name: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameCount) }
        /// Where the value lies in `bytes`, without white space around it. A folded value holds its line ends.
        public var value: Range<Int> { Int(valueStart)..<Int(valueStart) + Int(valueCount) }
        /// Bytes of the field's line (or lines) as sent, line end included.
        public var wireLength: Int { Int(sentCount) }
        /// Bytes of the value once each fold is one space (RFC 9112 §5.2).
        public var valueLength: Int { Int(unfoldedCount) }
        /// Bytes of the line end as sent: 2, or 1 for a bare line feed.
        public var lineEnd: Int { Int(lineEndCount) }
        /// Index of the first field with the same name in any case: its own where it is the first.
        public var first: Int { Int(firstPlace) }
        var isFolded: Bool { unfoldedCount != valueCount }

        init(
            name: Range<Int>, value: Range<Int>, wireLength: Int, unfolded: Int, lineEnd: Int, known: KnownField,
            first: Int
        ) {
            nameStart = UInt32(truncatingIfNeeded: name.lowerBound)
            nameCount = UInt32(truncatingIfNeeded: name.count)
            valueStart = UInt32(truncatingIfNeeded: value.lowerBound)
            valueCount = UInt32(truncatingIfNeeded: value.count)
            sentCount = UInt32(clamping: wireLength)
            unfoldedCount = UInt32(truncatingIfNeeded: unfolded)
            lineEndCount = UInt8(clamping: lineEnd)
            firstPlace = UInt32(truncatingIfNeeded: first)
            self.known = known
        }
    }

    /// What the ranges refer to.
    public let bytes: [UInt8]
    public private(set) var fields: [Field] = []
    /// Known fields that are there.
    private var knownFields: UInt16 = 0
    /// A bit for each name that is there, by length and ends: most new names are seen to be new at once.
    private var nameMarks: UInt64 = 0
    /// First field of each name, once there are many.
    private var firstByName: [[UInt8]: Int] = [:]
    /// Up to so many fields are compared one by one.
    private static let comparedCount = 48

    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Takes the next field.
    ///
    /// - Parameters:
    ///   - name: where it lies in `bytes`.
    ///   - value: where it lies in `bytes`.
    ///   - wireLength: bytes of its line or lines.
    ///   - lineEnd: bytes of its line end; nil to look in `bytes`, where the line must begin with the name.
    public mutating func append(name: Range<Int>, value: Range<Int>, wireLength: Int, lineEnd: Int? = nil) {
        let name = name.clamped(to: 0..<bytes.count)
        let value = value.clamped(to: 0..<bytes.count)
        let known = knownField(name)
        let first = takeName(name, index: fields.count)
        if fields.isEmpty { fields.reserveCapacity(16) }
        fields.append(
            Field(
                name: name, value: value, wireLength: wireLength, unfolded: unfoldedLength(value),
                lineEnd: lineEnd ?? lineEndLength(name.lowerBound, wireLength), known: known, first: first))
        knownFields |= known.bit
    }

    /// Fields as a client would write them: `Name: value` and CRLF.
    public init(_ pairs: [(name: String, value: String)]) {
        var bytes: [UInt8] = []
        var ranges: [(Range<Int>, Range<Int>)] = []
        for pair in pairs {
            let start = bytes.count
            bytes += pair.name.utf8
            let middle = bytes.count
            bytes += pair.value.utf8
            ranges.append((start..<middle, middle..<bytes.count))
        }
        self.init(bytes: bytes)
        for (name, value) in ranges {
            append(name: name, value: value, wireLength: name.count + value.count + 4, lineEnd: 2)
        }
    }

    /// The first field of a known name.
    public func first(_ known: KnownField) -> Field? {
        contains(known) ? fields.first { $0.known == known } : nil
    }

    public func contains(_ known: KnownField) -> Bool { knownFields & known.bit != 0 }

    public func value(_ field: Field) -> ArraySlice<UInt8> { bytes[field.value] }
    public func name(_ field: Field) -> ArraySlice<UInt8> { bytes[field.name] }
}

extension HeaderFields {
    /// Whether the range holds the text, in any case. The text must be in lower case.
    func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        for offset in 0..<range.count
        where unsafe HeaderFields.lowercased(bytes[range.lowerBound + offset]) != text.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Whether the range holds the lower-case text, in any case.
    func isEqual(_ range: Range<Int>, _ text: [UInt8]) -> Bool {
        guard range.count == text.count else { return false }
        for offset in 0..<range.count
        where HeaderFields.lowercased(bytes[range.lowerBound + offset]) != text[offset] { return false }
        return true
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    private func lowercased(_ range: Range<Int>) -> [UInt8] { bytes[range].map { HeaderFields.lowercased($0) } }

    /// Index of the first field with the name; notes the name.
    private mutating func takeName(_ name: Range<Int>, index: Int) -> Int {
        let mark = nameMark(name)
        let isNew = nameMarks & mark == 0
        nameMarks |= mark
        if !isNew {
            for earlier in 0..<min(index, HeaderFields.comparedCount) where isSame(fields[earlier].name, name) {
                return earlier
            }
        }
        guard index >= HeaderFields.comparedCount else { return index }
        let key = lowercased(name)
        if let first = firstByName[key] { return first }
        firstByName[key] = index
        return index
    }

    private func nameMark(_ name: Range<Int>) -> UInt64 {
        guard let start = name.first, let end = name.last else { return 1 }
        let ends = Int(HeaderFields.lowercased(bytes[start])) &* 7 &+ Int(HeaderFields.lowercased(bytes[end])) &* 13
        return 1 << UInt64((ends &+ name.count &* 5) & 63)
    }

    private func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count
        where HeaderFields.lowercased(bytes[left.lowerBound + offset])
            != HeaderFields.lowercased(bytes[right.lowerBound + offset])
        {
            return false
        }
        return true
    }

    private func lineEndLength(_ start: Int, _ wireLength: Int) -> Int {
        let last = start &+ wireLength &- 1
        guard last > 0, last < bytes.count, bytes[last] == 0x0A else { return 2 }
        return bytes[last - 1] == 0x0D ? 2 : 1
    }

    /// White space that holds a line feed is a fold and counts as one space.
    private func unfoldedLength(_ value: Range<Int>) -> Int {
        var lineFeeds = 0
        for offset in value { lineFeeds &+= bytes[offset] == 0x0A ? 1 : 0 }
        guard lineFeeds > 0 else { return value.count }
        var length = 0
        var space = 0
        var isFold = false
        for offset in value {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0D:
                space += 1
            case 0x0A:
                isFold = true
            default:
                length += (isFold ? 1 : space) + 1
                space = 0
                isFold = false
            }
        }
        return length + (isFold ? 1 : space)
    }

    private func knownField(_ name: Range<Int>) -> KnownField {
        switch name.count {
        case 4: isEqual(name, "host") ? .host : .other
        case 6: isEqual(name, "accept") ? .accept : isEqual(name, "cookie") ? .cookie : .other
        case 8: isEqual(name, "location") ? .location : .other
        case 10: isEqual(name, "user-agent") ? .userAgent : isEqual(name, "connection") ? .connection : .other
        case 12: isEqual(name, "content-type") ? .contentType : .other
        case 14: isEqual(name, "content-length") ? .contentLength : .other
        case 15:
            isEqual(name, "accept-encoding")
                ? .acceptEncoding : isEqual(name, "accept-language") ? .acceptLanguage : .other
        case 16: isEqual(name, "content-encoding") ? .contentEncoding : .other
        case 17: isEqual(name, "transfer-encoding") ? .transferEncoding : .other
        default: .other
        }
    }
}
