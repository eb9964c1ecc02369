/// One stream of a connection: of each direction, what was seen, and what waits for earlier bytes.
final class QUICStream {
    struct Half {
        var seen = QUICRanges()
        var pieces = QUICPieces()
        /// What was given to the reader last.
        var history = UnsafeReadHistory()
        /// How long the stream is, once a FIN or RESET_STREAM said so.
        var finalSize: UInt64?
        /// RESET_STREAM_AT: how much is delivered all the same, and the error.
        var reliable: (size: UInt64, errorCode: UInt64)?
        /// A FIN was seen.
        var hasFinal = false
        /// Nothing more is given to the reader.
        var isFinished = false

        /// Data has other content than the same bytes had before, as far as those are kept.
        func contradicts(_ content: RawSpan, at offset: UInt64) -> Bool {
            history.differs(from: content, at: StreamPosition(Int(offset))) || pieces.differ(from: content, at: offset)
        }

        /// A first end of the stream comes. False where it had one.
        mutating func end(at size: UInt64) -> Bool {
            guard !hasFinal else { return false }
            hasFinal = true
            finalSize = size
            return true
        }
    }

    /// The connection for as long as no exchange is known.
    var owner: Owner
    /// What the server sends on it, where that is DNS.
    private var answers: DNSStream?
    private var zero = Half()
    private var one = Half()

    init(owner: Owner) { self.owner = owner }

    subscript(direction: Direction) -> Half {
        _read { if direction.index == 0 { yield zero } else { yield one } }
        _modify { if direction.index == 0 { yield &zero } else { yield &one } }
    }

    /// DNS over QUIC (RFC 9250): the messages that end in these bytes of the server. Answers are short: one whose parts come
    /// out of order is not read.
    func readAnswers(_ bytes: RawSpan, at offset: UInt64, _ budget: ContentBudget) -> [DNSMessage] {
        let answers = self.answers ?? DNSStream(budget)
        self.answers = answers
        if offset == UInt64(answers.count) { return answers.receive(bytes) }
        answers.giveUp()
        return []
    }

    /// Only one endpoint sends on it (RFC 9000 §2.1).
    static func isUnidirectional(_ id: UInt64) -> Bool { id & 2 != 0 }

    /// The client opened it.
    static func isClients(_ id: UInt64) -> Bool { id & 1 == 0 }
}
