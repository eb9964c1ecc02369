import WireNative

/// What a field block said of its message (RFC 9113 §8), filled field by field and used again for the next one.
///
/// A block of few bytes can decode to megabytes. So the work on a field does not grow with its length beyond what its
/// first bytes take, and text is kept up to a limit; the counts go on.
struct FieldSection: Sendable {
    /// Text that was kept: values of pseudo-fields and Host, in no order. The ranges are offsets in it.
    private(set) var text: [UInt8] = []
    private(set) var methodRange: Range<Int>?
    private(set) var pathRange: Range<Int>?
    private(set) var authorityRange: Range<Int>?
    private(set) var schemeRange: Range<Int>?
    /// Of extended CONNECT (RFC 8441 §4).
    private(set) var protocolRange: Range<Int>?
    /// The first Host field.
    private(set) var hostRange: Range<Int>?
    /// The last Content-Type field that is not of unreasonable length.
    private(set) var contentTypeRange: Range<Int>?
    /// The field that names the operation, of those that may.
    private(set) var operationRange: Range<Int>?
    private(set) var status: Int?

    /// Fields, pseudo-fields too.
    private(set) var count = 0
    /// The fields as an HTTP/1.1 header section, bytes: each with its name, its value and four more, and two for the
    /// empty line. :authority counts as Host unless there is one; the other pseudo-fields are the start line's.
    /// Several Cookie fields count as one (RFC 9113 §8.2.3). Without the fields that are not known.
    private(set) var decodedSize = 2
    /// Fields came that refer to a part of the compression state from before the observer joined.
    private(set) var hasUnknownFields = false
    /// A field that must not be: see RFC 9113 §8.2 and §8.3.
    private(set) var isMalformed = false
    /// Text was not kept because of the limit.
    private(set) var isCut = false
    /// What the framing and content fields say.
    private(set) var framing = HeaderSection()

    private(set) var pseudoFields = PseudoFields()
    private var sawField = false
    private var sawHost = false
    private var authoritySize: Int?
    /// Bytes of all Cookie fields' values joined; nil without one.
    private var cookieSize: Int?
    private(set) var lines: FieldLines?
    /// What each field took as sent, when it is kept.
    private(set) var sent: SentFields?
    private let operationFields: OperationFields
    /// Its place among those.
    private(set) var operationRank = Int.max

    /// - Parameters:
    ///   - keepsText: keep what `head(isRequest:)` needs.
    ///   - keepsSizes: keep what each field took as sent.
    init(keepsText: Bool = false, keepsSizes: Bool = false, operationFields: OperationFields = .none) {
        lines = keepsText ? FieldLines() : nil
        sent = keepsSizes ? SentFields() : nil
        self.operationFields = operationFields
    }

    /// Forgets all fields. Small stores are kept for the next ones.
    mutating func reset(keepsText: Bool) {
        var kept = text
        text = []
        kept.removeAll(keepingCapacity: kept.capacity <= 4096)
        self = FieldSection(keepsText: keepsText, operationFields: operationFields)
        text = kept
    }

    /// The receiver lets the table of HTTP/2 hold so many bytes.
    mutating func recordTableLimit(_ size: Int) { sent?.tableLimit = size }

    /// The fields of this section of HTTP/3 begin behind so many bytes.
    mutating func recordPrefix(_ size: Int) { sent?.prefix = size }

    /// Takes the next field. An empty name stands for one that is not known.
    ///
    /// - Parameters:
    ///   - coding: how it was sent, where that is known.
    ///   - limit: bytes of text to keep of all fields together.
    mutating func add(name: RawSpan, value: RawSpan, _ coding: FieldCoding? = nil, limit: Int) {
        count += 1
        let room = limit - keptBytes
        if let coding { sent?.append(name, coding, room: room) }
        guard name.byteCount > 0 else {
            hasUnknownFields = true
            return
        }
        if name.u8(0) == 0x3A {
            addPseudoField(name, value, limit)
        } else {
            addField(name, value, limit)
        }
    }

    private mutating func addPseudoField(_ name: RawSpan, _ value: RawSpan, _ limit: Int) {
        guard let field = PseudoFields(name), !sawField, !pseudoFields.contains(field) else {
            isMalformed = true
            return
        }
        pseudoFields.insert(field)
        switch field {
        case .method: methodRange = keep(value, limit)
        case .path: pathRange = keep(value, limit)
        case .scheme: schemeRange = keep(value, limit)
        case .protocolName: protocolRange = keep(value, limit)
        case .status: readStatus(value)
        default:
            authorityRange = keep(value, limit)
            authoritySize = value.byteCount
            decodedSize += value.byteCount + 8
        }
        if value.byteCount == 0, field != .authority { isMalformed = true }
    }

    private mutating func readStatus(_ value: RawSpan) {
        var number = 0
        for offset in 0..<min(value.byteCount, 3) where value.u8(offset).isASCIIDigit {
            number = number * 10 + Int(value.u8(offset) - 0x30)
        }
        if value.byteCount == 3, number >= 100 {
            status = number
        } else {
            isMalformed = true
        }
    }

    private mutating func addField(_ name: RawSpan, _ value: RawSpan, _ limit: Int) {
        sawField = true
        if !FieldRules.allow(name, value) { isMalformed = true }
        let isCookie = name.byteCount == 6 && name.hasBytesIgnoringCase("cookie", at: 0)
        if isCookie, let size = cookieSize {
            decodedSize += value.byteCount + 2
            cookieSize = size + value.byteCount + 2
        } else {
            decodedSize += name.byteCount + value.byteCount + 4
            if isCookie { cookieSize = value.byteCount }
        }
        if name.byteCount == 4, name.hasBytesIgnoringCase("host", at: 0) { addHost(value, limit) }
        framing.readField(name, value)
        if value.byteCount <= HeaderSection.longestValue { keepNaming(name, value, limit) }
        let room = limit - keptBytes
        if let isKept = lines?.append(name, value, isCookie: isCookie, room: room), !isKept { isCut = true }
    }

    /// Keeps what says of which kind the content is, and what the operation is called.
    private mutating func keepNaming(_ name: RawSpan, _ value: RawSpan, _ limit: Int) {
        if name.byteCount == 12, name.hasBytesIgnoringCase("content-type", at: 0) {
            contentTypeRange = keep(value, limit)
        } else if let rank = operationFields.rank(name, 0..<name.byteCount), rank < operationRank {
            (operationRange, operationRank) = (keep(value, limit), rank)
        }
    }

    /// The first Host field takes the place of :authority.
    private mutating func addHost(_ value: RawSpan, _ limit: Int) {
        guard !sawHost else { return }
        sawHost = true
        hostRange = keep(value, limit)
        if let authoritySize { decodedSize -= authoritySize + 8 }
    }

    /// Bytes of text that are kept.
    var keptBytes: Int { text.count + (lines?.count ?? 0) }
    /// Bytes that are kept, of text and of sizes.
    var memory: Int { keptBytes + (sent?.memory ?? 0) }

    /// Keeps a value, or says that there was no room for it.
    private mutating func keep(_ value: RawSpan, _ limit: Int) -> Range<Int>? {
        guard value.byteCount <= limit - keptBytes else {
            isCut = true
            return nil
        }
        let start = text.count
        value.append(0..<value.byteCount, to: &text)
        return start..<text.count
    }
}
