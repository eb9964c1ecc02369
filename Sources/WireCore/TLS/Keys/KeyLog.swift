import WireNative

/// Brings more lines to a key log, such as a file that grows.
public protocol KeyLogFollower: AnyObject {
    /// Adds what is new to the log; false when there was nothing.
    func readMore(into log: KeyLog) -> Bool
}

/// Secrets of TLS connections, from text in the NSS key log format that browsers, libraries and curl write (RFC 9850).
///
/// Memory, about: 100 to 160 bytes per connection, and 50 bytes (TLS 1.2) to 200 or 250 bytes (TLS 1.3) for its secrets.
/// Both the number of secrets and their bytes have a limit. Where the log grows with the capture (`mayGrow`), the older
/// half gives way to what comes then; else what comes is dropped.
///
/// Connections in several threads may look secrets up at one time. Lines may be added while none does.
public final class KeyLog: SecretHolder, @unchecked Sendable {
    /// Where lines come from: bytes may be split anywhere, and those of several sources may alternate.
    public struct Source: SecretHolder {
        fileprivate var pending = KeyLogLine()
        /// What the line was counted as that has no end yet.
        fileprivate var unfinished = LineFate.nothing

        public init() {}
    }

    fileprivate enum LineFate { case nothing, kept, ignored, malformed, dropped }

    /// Lines with a secret that are kept.
    private let lineLimit: Int
    /// Bytes of secrets that are kept.
    private let byteLimit: Int
    /// Longest premaster secret, bytes: that of a Diffie-Hellman group of 8192 bits, with room for a PSK beside it.
    static let premasterLimit = 2048

    /// Lines with a secret, also where a later one replaced it.
    public private(set) var lineCount = 0 {
        didSet { noteUse() }
    }
    /// Lines with something else in the format, such as secrets of exporters.
    public private(set) var ignoredLines = 0
    /// Lines that are not in the format, or have secrets of wrong length.
    public private(set) var malformedLines = 0
    /// Lines with secrets that came when the log was full.
    public private(set) var droppedLines = 0
    /// Lines with secrets that gave way to newer ones.
    public private(set) var forgottenLines = 0
    /// A secret was of a connection of the capture.
    public private(set) var hasMatched = false
    /// Somebody gave keys, whether or not there are some in what was given.
    public var wasGiven = false {
        didSet { noteUse() }
    }
    /// Somebody gave keys, or there are some in the capture so far.
    private(set) var isInUse = false
    /// Keys may come later than the packets they are for: the capture is being made while it is read.
    public var mayGrow = false
    /// Asked for more when a connection's secrets are not there.
    public var follower: (any KeyLogFollower)?
    /// Lines of connections whose hello was seen are also collected, for whoever writes them on.
    public var collectsLines = false
    private var collector = KeyLogCollector()

    /// Where else the secret of a connection may stand that resumes a session.
    let sessions = SessionDirectory()

    /// Held while something is looked up, since the follower may bring lines then.
    private let lookup = Guarded(())
    private var source = Source()
    private var store = KeyLogStore()
    /// Lines in `store`.
    private var storedLines = 0
    /// Where the log grows: what `store` held before it was full.
    private var olderStore = KeyLogStore()
    private var olderLines = 0

    /// - Parameters:
    ///   - lineLimit: most lines with a secret that are kept.
    ///   - byteLimit: most bytes of secrets that are kept.
    public init(lineLimit: Int = 1_000_000, byteLimit: Int = 256 << 20) {
        self.lineLimit = lineLimit
        // Places in the store are 32 bits wide.
        self.byteLimit = min(byteLimit, 1 << 31)
    }

    /// No more secrets are taken.
    public var isFull: Bool { !mayGrow && (storedLines >= lineLimit || store.byteCount >= byteLimit) }

    /// Half of what may be kept is there: it becomes the older half.
    private func makeRoom() {
        guard mayGrow, storedLines >= lineLimit / 2 || store.byteCount >= byteLimit / 2 else { return }
        forgottenLines += olderLines
        olderStore = store
        olderLines = storedLines
        store = KeyLogStore()
        storedLines = 0
    }

    /// Lines that were collected since the last call, each with its line feed.
    public func takeCollected() -> [UInt8] { collector.take() }
    public var hasCollected: Bool { !collector.isEmpty }

    /// A ClientHello with this random was seen.
    func noteHello(clientRandom: [UInt8]) {
        guard collectsLines else { return }
        lookup.withLock { _ in collector.noteHello(clientRandom, stored(clientRandom)) }
    }

    /// Every datagram asks whether there are keys: one look is to tell.
    private func noteUse() { isInUse = wasGiven || lineCount > 0 }

    /// Somebody gave keys, or there are some in the capture.
    var hasAny: Bool {
        if wasGiven { return true }
        return lookup.withLock { _ in
            if lineCount == 0 { _ = follower?.readMore(into: self) }
            return lineCount > 0
        }
    }

    /// Takes the next bytes of the text.
    public func add(_ bytes: RawSpan) {
        add(bytes, of: &source)
    }

    /// The text is complete: a last line without line feed counts too.
    public func endOfInput() {
        endOfInput(of: &source)
    }

    /// Takes the next bytes of one source.
    public func add(_ bytes: RawSpan, of source: inout Source) {
        guard !bytes.isEmpty else { return }
        count(source.unfinished, -1)
        source.unfinished = .nothing
        var start = 0
        while let end = bytes.firstLineFeed(from: start) {
            let line = bytes.extracting(start..<end)
            if source.pending.isEmpty {
                take(line)
            } else {
                source.pending.append(line)
                takePending(of: &source)
            }
            start = end + 1
        }
        source.pending.append(bytes.extracting(start..<bytes.byteCount))
    }

    /// One source is complete.
    public func endOfInput(of source: inout Source) {
        if source.unfinished == .nothing { takePending(of: &source) }
        source = Source()
    }

    /// One source has no more for now. A line without line feed counts as it is; it is taken anew, and counted once, when
    /// more of it comes.
    public func pause(_ source: inout Source) {
        guard source.unfinished == .nothing else { return }
        source.unfinished = unsafe source.pending.isTooLong ? .malformed : keep(source.pending.bytes.span.bytes)
        count(source.unfinished, 1)
    }

    private func takePending(of source: inout Source) {
        if source.pending.isTooLong {
            malformedLines += 1
        } else {
            unsafe take(source.pending.bytes.span.bytes)
        }
        source.pending.clear()
    }

    private func take(_ line: RawSpan) {
        count(line.byteCount > KeyLogLine.limit ? .malformed : keep(line), 1)
    }

    private func count(_ fate: LineFate, _ change: Int) {
        switch fate {
        case .nothing: break
        case .kept: lineCount += change
        case .ignored: ignoredLines += change
        case .malformed: malformedLines += change
        case .dropped: droppedLines += change
        }
    }

    private func keep(_ line: RawSpan) -> LineFate {
        var fields = KeyLogFields(line)
        guard let label = fields.next() else { return .nothing }
        guard let key = fields.next(), let secret = fields.next(), fields.next() == nil else { return .malformed }
        let name = line.extracting(label)
        var keyDigits = line.extracting(key)
        var secretDigits = line.extracting(secret)
        guard var label = KeyLogLabel(name) else {
            let hasForm = KeyLogLabel.isPossible(name) && keyDigits.isHexadecimal && secretDigits.isHexadecimal
            return hasForm ? .ignored : .malformed
        }
        if case .encryptedPremaster = label, keyDigits.hasBytes(KeyLogLabel.sessionMark, at: 0),
            secretDigits.hasBytes(KeyLogLabel.masterMark, at: 0)
        {
            label = .session
            keyDigits = keyDigits.extracting(droppingFirst: KeyLogLabel.sessionMark.utf8CodeUnitCount)
            secretDigits = secretDigits.extracting(droppingFirst: KeyLogLabel.masterMark.utf8CodeUnitCount)
        }
        guard keyDigits.byteCount.isMultiple(of: 2), label.allows(keyLength: keyDigits.byteCount / 2),
            secretDigits.byteCount.isMultiple(of: 2),
            label.allows(length: secretDigits.byteCount / 2), keyDigits.isHexadecimal, secretDigits.isHexadecimal
        else { return .malformed }
        guard !isFull else { return .dropped }
        makeRoom()
        store.keep(label, key: keyDigits, secret: secretDigits)
        storedLines += 1
        if collectsLines { collector.note(line, label, key: keyDigits) }
        return .kept
    }

    // MARK: Looking up

    /// What is known of the connection with this client random (RFC 5246 §7.4.1.2); the follower is asked once when that
    /// is not enough for the whole connection.
    func secrets(clientRandom: [UInt8]) -> TLSSecrets? {
        lookup.withLock { _ in
            var found = stored(clientRandom)
            if found?.isComplete != true, follower?.readMore(into: self) == true { found = stored(clientRandom) }
            if found != nil { hasMatched = true }
            return found
        }
    }

    /// The master secret of the session with this identifier, as that of the connection with this client random.
    func secrets(session: [UInt8], clientRandom: [UInt8]) -> TLSSecrets? {
        lookup.withLock { _ in
            guard let master = store.master(session) ?? olderStore.master(session) else { return nil }
            hasMatched = true
            let secrets = TLSSecrets(master: master)
            if collectsLines { collector.recordSession(clientRandom, secrets) }
            return secrets
        }
    }

    /// A secret opened a connection whose hello does not name it, or was not captured.
    func recordMatch() { lookup.withLock { _ in hasMatched = true } }

    private func stored(_ clientRandom: [UInt8]) -> TLSSecrets? {
        let found = store.secrets(clientRandom)
        if let found, found.isComplete { return found }
        guard let older = olderStore.secrets(clientRandom) else { return found }
        return found?.completed(with: older) ?? older
    }

    /// What may open a connection of TLS 1.3 whose hello was not captured, the oldest first: of the latest `limit`
    /// connections. The follower is asked for more before.
    func secretsWithTraffic(limit: Int) -> [TLSSecrets] {
        lookup.withLock { _ in
            _ = follower?.readMore(into: self)
            let newer = store.withTraffic(limit: limit)
            return olderStore.withTraffic(limit: limit - newer.count) + newer
        }
    }

    /// The premaster secret that the client encrypted for the server (RFC 5246 §7.4.7.1), by the first eight bytes of the
    /// encrypted form.
    func premaster(encryptedPrefix: [UInt8]) -> [UInt8]? {
        lookup.withLock { _ in
            var found = storedPremaster(encryptedPrefix)
            if found == nil, follower?.readMore(into: self) == true { found = storedPremaster(encryptedPrefix) }
            if found != nil { hasMatched = true }
            if collectsLines, let found { collector.notePremaster(encryptedPrefix, found) }
            return found
        }
    }

    private func storedPremaster(_ encryptedPrefix: [UInt8]) -> [UInt8]? {
        store.premaster(encryptedPrefix) ?? olderStore.premaster(encryptedPrefix)
    }
}
