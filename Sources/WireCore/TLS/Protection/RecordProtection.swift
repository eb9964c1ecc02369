import WireNative

/// Record protection of one TLS connection (RFC 8446 §5.2, RFC 5246 §6.2.3): takes records of both directions in the
/// order of the capture, counts each, and opens those that a key log has keys for.
///
/// Whoever cuts the stream into records asks `plan` at each header, then gives the record to `open`, or tells `count` of
/// it. A direction goes through these epochs:
///
///     TLS 1.3 client   clear ─▶ (early ─▶) handshake ─▶ application ⟲ KeyUpdate
///     TLS 1.3 server   clear ─▶ handshake ─▶ application ⟲ KeyUpdate
///     TLS 1.2 and earlier, both directions   clear ─▶ application ⟲ renegotiation
///
/// - Invariant: each record is counted once, by `open` or by `count`.
/// - Memory: about a kilobyte, and two to four kilobytes in each direction with keys in use.
final class RecordProtection {
    /// What to do with a record whose header is known.
    enum RecordPlan {
        /// Give it whole to `open`.
        case whole
        /// Nobody will open it: call `count`, and pass its bytes by.
        case counted(lead: Int, trail: Int)
    }

    /// What a record was.
    enum RecordContent: Equatable {
        /// All of the record is set-up: handshake messages, encrypted or not, and ChangeCipherSpec.
        case handshake
        case closeNotify
        /// Any other alert, one that cannot be read, and heartbeats: all of it is TLS's own.
        case alert
        /// `content` is a range of the output; `lead` and `trail` are the bytes of the record before and behind it.
        case applicationData(content: Range<Int>, lead: Int, trail: Int)
        /// What could not be opened, or has no known type; `lead` and `trail` are the bytes that certainly are no
        /// content.
        case encrypted(lead: Int, trail: Int)
    }

    let handshake: TLSHandshake
    let directions = ObjectPair(ProtectedDirection.init)
    /// Alerts as they came.
    var alerts: [(direction: Direction, level: UInt8, description: UInt8)] = []
    /// A record was opened, so that at least one key was right.
    var hasOpened = false
    /// Application data could be opened.
    var isDecrypted = false
    /// Why content could not be read, or not to the end; nil while all could.
    var blindness: TLSBlindness?
    /// Finds keys where no hello was read; nil where nobody looks for them.
    var lateKeys: LateKeySearch?
    /// Records and packets that were not read, where they are kept.
    var hidden: [HiddenPiece] = []
    /// The calls in them.
    var unnamed = UnnamedCalls()
    /// Some were not kept, because too many are.
    var hidesMore = false
    /// Records may wait for keys that are written while the capture is.
    var mayAwaitKeys = true

    /// - Parameter ordinal: place in the capture where the connection's first record was met.
    init(keys: KeyLog?, certificates: CertificateReader? = nil, ordinal: Int = 0) {
        handshake = TLSHandshake(keys: keys, certificates: certificates, ordinal: ordinal)
        guard keys == nil else { return }
        directions[0].reason = .noKeys
        directions[1].reason = .noKeys
    }

    var keys: KeyLog? { handshake.keys }

    /// The direction that the client sends; nil as long as no hello told.
    var client: Direction? { handshake.client }

    // MARK: Records

    /// What to do with a record. Keys are looked up here when they are first needed.
    func plan(_ header: RecordHeader, _ direction: Direction) -> RecordPlan {
        switch header.contentType {
        case RecordType.applicationData: return isReady(direction) ? .whole : counted(header, direction)
        case RecordType.handshake:
            if hidesHandshake(direction) { return isReady(direction) ? .whole : counted(header, direction) }
            return handshake.directions[direction].messages.isLost ? counted(header, direction) : .whole
        case RecordType.heartbeat: return counted(header, direction)
        default: return .whole
        }
    }

    @inline(__always)
    private func counted(_ header: RecordHeader, _ direction: Direction) -> RecordPlan {
        let overhead = directions[direction].count.overhead(header)
        return .counted(lead: overhead.lead, trail: overhead.trail)
    }

    /// Handshake records are encrypted under their own content type: TLS 1.2 and earlier, after ChangeCipherSpec.
    @inline(__always)
    func hidesHandshake(_ direction: Direction) -> Bool {
        directions[direction].epoch == .application && !handshake.negotiation.isTLS13
    }

    /// Counts a record that `plan` said to count only, or of which the capture lacks bytes (`isMissing`).
    func count(_ header: RecordHeader, _ direction: Direction, isMissing: Bool) -> RecordContent {
        if let overhead = directions[direction].count.pass(header) {
            return .encrypted(lead: overhead.lead, trail: overhead.trail)
        }
        directions[direction].count.tally(header)
        switch header.contentType {
        case RecordType.applicationData: return passData(header, direction)
        case RecordType.handshake:
            passHandshake(direction, isMissing: isMissing)
            return .handshake
        case RecordType.changeCipherSpec:
            takeChangeCipherSpec(direction)
            return .handshake
        default:
            passOther(direction)
            return .alert
        }
    }

    /// Takes a whole record, and opens it if it can. Content goes to the start of `output`.
    func open(_ record: RawSpan, _ direction: Direction, into output: inout [UInt8]) -> RecordContent {
        guard let header = RecordHeader(record, at: 0), record.byteCount >= header.recordLength else {
            return .encrypted(lead: min(RecordHeader.length, record.byteCount), trail: 0)
        }
        directions[direction].count.tally(header)
        let record = record.extracting(0..<header.recordLength)
        switch header.contentType {
        case RecordType.applicationData: return openData(record, header, direction, &output)
        case RecordType.handshake: return openHandshake(record, header, direction, &output)
        case RecordType.changeCipherSpec:
            return openChangeCipherSpec(record, direction, &output)
        case RecordType.alert: return openAlert(record, header, direction, &output)
        default:
            passOther(direction)
            return .alert
        }
    }

    /// The framing of the direction is lost: nothing more of it can be opened.
    func lose(_ direction: Direction, _ reason: TLSBlindness) {
        handshake.directions[direction].messages.lose()
        let reason = keys == nil ? .noKeys : reason
        directions[direction].bar(reason)
        if blindness == nil { blindness = reason }
    }

    /// Findings since the last call, each once in the life of the connection.
    func takeFindings() -> ArraySlice<FindingCode> { handshake.findings.takeNew() }
}
