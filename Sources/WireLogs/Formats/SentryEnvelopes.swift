/// Makes lines of JSON of Sentry's envelopes (develop.sentry.dev, Envelopes): a header on a line, and items of which each
/// has a header on a line and then a payload, which is so many bytes long as its header says, or else ends with its line.
///
/// Payloads of events, transactions and spans become one line each. Others, such as attachments, can hold anything and are
/// left out, but for their line ends: the numbers of lines stay. A text that is no envelope stays as it is.
final class SentryEnvelopes {
    /// Longest line that can be a header.
    private static let headerLimit = 64 << 10
    /// Longest payload of which the length is verified. Sentry takes no events beyond 1 MB.
    private static let payloadLimit = 64 << 20

    private enum State {
        case outside
        /// The header of an item, or of another envelope, is next.
        case items
        /// A line that is too long for a header, or a payload that ends with its line.
        case line(inEnvelope: Bool, isRead: Bool)
        /// So many bytes of a payload that is not read are left.
        case passing(Int)
    }

    /// The text ends within the payload of an item.
    private(set) var isCut = false
    private let input: () -> [UInt8]?
    private var bytes: [UInt8] = []
    private var start = 0
    private var hasEnded = false
    private var state = State.outside

    init(pieces: @escaping () -> [UInt8]?) { input = pieces }

    /// The lines of a text that is there whole.
    static func lines(of text: [UInt8]) -> [UInt8] {
        // Envelopes begin with an object on a line of its own.
        guard text.first == 0x7B else { return text }
        var pieces = [text]
        let envelopes = SentryEnvelopes { pieces.popLast() }
        var lines: [UInt8] = []
        while let piece = envelopes.next() { lines += piece }
        return lines
    }

    /// The next bytes; nil at the end.
    func next() -> [UInt8]? {
        guard fill(1) else {
            if case .passing(let count) = state, count > 0 { isCut = true }
            return nil
        }
        switch state {
        case .outside, .items: return nextHeader()
        case .line(let isInside, let isRead): return restOfLine(isInside, isRead)
        case .passing(let count): return pass(count)
        }
    }

    // MARK: Parts

    private func nextHeader() -> [UInt8] {
        var isInside = false
        if case .items = state { isInside = true }
        guard let end = lineEnd(SentryEnvelopes.headerLimit) else {
            state = .line(inEnvelope: false, isRead: true)
            return restOfLine(false, true)
        }
        let line = Array(bytes[start..<end])
        let taken = take(min(end + 1, bytes.count) - start)
        let header = SentryHeader(line)
        if let item = header?.item, isInside {
            beginPayload(item)
        } else if header?.isOfEnvelope == true {
            state = .items
        } else if !line.isEmpty {
            state = .outside
        }
        return taken
    }

    private func beginPayload(_ item: SentryHeader.Item) {
        guard let length = item.length else {
            state = .line(inEnvelope: true, isRead: item.isRead)
            return
        }
        guard item.isRead else {
            state = .passing(length)
            return
        }
        state = .line(inEnvelope: true, isRead: true)
        // Where the length does not lead to the end of a line it is wrong, and the payload is its line.
        guard length <= SentryEnvelopes.payloadLimit else { return }
        let isFilled = fill(length + 1)
        guard isFilled ? bytes[start + length] == 0x0A : bytes.count - start == length else { return }
        var ends: [UInt8] = []
        for place in start..<start + length where bytes[place] == 0x0A {
            bytes[place] = 0x20
            ends.append(0x0A)
        }
        bytes.insert(contentsOf: ends, at: start + length)
    }

    /// Up to the end of the line, as far as it is there.
    private func restOfLine(_ isInside: Bool, _ isRead: Bool) -> [UInt8] {
        let end = bytes[start...].firstIndex(of: 0x0A)
        if end != nil { state = isInside ? .items : .outside }
        let taken = take((end.map { $0 + 1 } ?? bytes.count) - start)
        return isRead ? taken : taken.filter { $0 == 0x0A }
    }

    private func pass(_ count: Int) -> [UInt8] {
        guard count > 0 else {
            state = .line(inEnvelope: true, isRead: false)
            return []
        }
        let taken = take(min(count, bytes.count - start))
        state = .passing(count - taken.count)
        return taken.filter { $0 == 0x0A }
    }

    // MARK: Bytes

    /// Brings so many bytes in; false where there are fewer.
    private func fill(_ count: Int) -> Bool {
        while bytes.count - start < count, !hasEnded {
            guard let piece = input() else {
                hasEnded = true
                break
            }
            if start > 0 {
                bytes.removeFirst(start)
                start = 0
            }
            bytes += piece
        }
        return bytes.count - start >= count
    }

    /// Where the line ends, or the text; nil where it has more bytes than `limit`.
    private func lineEnd(_ limit: Int) -> Int? {
        var looked = 0
        while true {
            if let end = bytes[(start + looked)...].firstIndex(of: 0x0A) { return end - start <= limit ? end : nil }
            looked = bytes.count - start
            guard looked <= limit else { return nil }
            guard fill(looked + 1) else { return bytes.count }
        }
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { start += count }
        return Array(bytes[start..<start + count])
    }
}

/// A line of an envelope that may be a header.
struct SentryHeader {
    struct Item {
        /// It can tell of requests.
        var isRead: Bool
        /// Nil: the payload ends with its line.
        var length: Int?
    }

    /// Nil where the line is no header of an item.
    private(set) var item: Item?
    private(set) var isOfEnvelope = false

    private static let readTypes = Set(["event", "transaction", "span"].map { Array($0.utf8) })
    /// Members of events, breadcrumbs and spans, which no header has.
    private static let contents = Set(
        [
            "breadcrumbs", "spans", "values", "items", "category", "op", "description", "data", "timestamp",
            "start_timestamp", "contexts", "exception", "message", "level",
        ].map { Array($0.utf8) })

    /// Nil where the line is no object.
    init?(_ line: [UInt8]) {
        guard line.last == 0x7D || line.last == 0x0D || line.last == 0x20 else { return nil }
        var reader = JSONReader(line, textLimit: 256)
        var type: [UInt8]?
        var length: Int?
        var (hasContents, hasEvent) = (false, false)
        do throws(JSONError) {
            guard try reader.advance() == .beginObject else { return nil }
            while try reader.advance() == .key {
                switch reader.text {
                case Name.type: if case .text(let text) = try reader.readValue() { type = text }
                case Name.length: if case .number(let number) = try reader.readValue() { length = number.integer }
                case Name.event:
                    hasEvent = true
                    try reader.skipValue()
                default:
                    if SentryHeader.contents.contains(reader.text) { hasContents = true }
                    try reader.skipValue()
                }
            }
            guard try reader.advance() == .end else { return nil }
        } catch {
            return nil
        }
        guard !hasContents else { return }
        if let type {
            guard !hasEvent else { return }
            let length = length.flatMap { 0...LogBuilder.sizeLimit ~= $0 ? $0 : nil }
            item = Item(isRead: SentryHeader.readTypes.contains(type), length: length)
        } else {
            isOfEnvelope = true
        }
    }

    private enum Name {
        static let type = Array("type".utf8)
        static let length = Array("length".utf8)
        static let event = Array("event_id".utf8)
    }
}
