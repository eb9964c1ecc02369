/// Messages of DNS in a stream, each behind its length (RFC 7766 §8, RFC 7858 §3.3, RFC 9250 §4.2). Takes the direction of
/// the server, from its first byte on.
final class DNSStream {
    static let port: UInt16 = 53
    static let securePort: UInt16 = 853

    private var buffer: [UInt8] = []
    private let budget: ContentBudget
    /// Bytes taken.
    private(set) var count = 0
    /// Bytes are missing, or it is no DNS.
    private var isOver = false

    init(_ budget: ContentBudget) { self.budget = budget }

    deinit { budget.release(buffer.count) }

    /// Takes bytes. Returns the messages that end in them.
    func receive(_ bytes: RawSpan) -> [DNSMessage] {
        guard !isOver else { return [] }
        guard budget.reserve(bytes.byteCount) else {
            giveUp()
            return []
        }
        count += bytes.byteCount
        bytes.append(0..<bytes.byteCount, to: &buffer)
        var messages: [DNSMessage] = []
        var start = 0
        while buffer.count - start >= 2 {
            let length = Int(buffer[start]) << 8 | Int(buffer[start + 1])
            guard buffer.count - start - 2 >= length else { break }
            let kept = buffer
            guard let message = DNSStream.message(unsafe kept.span.bytes, start + 2..<start + 2 + length) else {
                giveUp()
                return messages
            }
            messages.append(message)
            start += 2 + length
        }
        buffer.removeFirst(start)
        budget.release(start)
        return messages
    }

    /// A port proves nothing: the sections must fill the message.
    private static func message(_ bytes: RawSpan, _ range: Range<Int>) -> DNSMessage? {
        let content = bytes.extracting(range)
        let evidence = DatagramEvidence(content, length: range.count, ports: (port, 0), known: [])
        return evidence.protocols == .dns ? DNSMessage(content) : nil
    }

    /// What follows is passed.
    func giveUp() {
        isOver = true
        budget.release(buffer.count)
        buffer = []
    }
}
