import WireNative

/// A packet that was opened, with what its frames need to know of it.
struct QUICContent {
    var packet: QUICOpenedPacket
    var space: QUICSide.Space
}

/// Which keys open a packet, and what long headers tell about connection IDs.
extension QUICConnection {
    private static let initialIDLimit = 4
    private static let versionLimit = 2

    /// What a long header shows: IDs, versions, a new beginning.
    func note(_ packet: QUICPacket, _ bytes: RawSpan, _ direction: Direction) {
        guard packet.kind != .short else { return }
        let isClients = direction == client
        let source = QUICConnectionID(bytes, packet.source)
        if packet.kind != .negotiation, packet.kind != .retry || !isClients {
            if source.count > 0 { newIDs.append((source, !isClients)) }
            if packet.kind != .retry { self[direction].idLength = source.count }
        }
        if let version = QUICVersion(packet.version), !versions.contains(version),
            versions.count < QUICConnection.versionLimit
        {
            versions.append(version)
        }
        switch packet.kind {
        case .initial where isClients, .unknown where isClients:
            noteInitial(QUICConnectionID(bytes, packet.destination))
        case .retry where !isClients:
            noteInitial(source)
            beginsAnew = true
        case .negotiation where !isClients: beginsAnew = true
        case .initial, .handshake:
            if !isClients { beginsAnew = false }
        default: break
        }
    }

    /// Once the server answered, the client's Initials go to the server's own ID, of which no keys are made.
    private func noteInitial(_ id: QUICConnectionID) {
        guard !initialIDs.contains(id), !isConfirmed || beginsAnew else { return }
        if initialIDs.count >= QUICConnection.initialIDLimit { initialIDs.removeFirst() }
        initialIDs.append(id)
        newIDs.append((id, true))
    }

    /// Opens a packet; nil where it was not captured whole, or no key opens it.
    func open(
        _ packet: QUICPacket, _ bytes: RawSpan, _ direction: Direction, _ context: borrowing StreamContext
    ) -> QUICContent? {
        guard packet.range.upperBound <= bytes.byteCount, packet.numberOffset >= 0 else { return nil }
        let content = bytes.extracting(packet.range)
        let numberOffset = packet.numberOffset - packet.range.lowerBound
        switch packet.kind {
        case .initial: return openInitial(content, numberOffset, packet.version, direction)
        case .handshake: return open(content, numberOffset, .handshake, .handshake, direction, context)
        case .earlyData: return open(content, numberOffset, .early, .application, direction, context)
        case .short: return open(content, numberOffset, .application, .application, direction, context)
        case .unknown: return openInitial(content, numberOffset, packet.version, direction)
        case .retry, .negotiation: return nil
        }
    }

    /// Keys that may open it are tried in turn; those that were not it are dropped then.
    private func open(
        _ content: RawSpan, _ numberOffset: Int, _ level: QUICSide.Level, _ space: QUICSide.Space,
        _ direction: Direction, _ context: borrowing StreamContext
    ) -> QUICContent? {
        if self[direction].keys[level.rawValue].isEmpty { findKeys(level, direction, context) }
        let largest = self[direction][space]
        // Taken out while they are used: they count key updates.
        var keys: [QUICKeys] = []
        swap(&keys, &self[direction].keys[level.rawValue])
        defer { swap(&keys, &self[direction].keys[level.rawValue]) }
        for index in keys.indices {
            guard
                let opened = keys[index].open(
                    content, numberOffset: numberOffset, largest: largest, isShort: level == .application, into: &plain)
            else { continue }
            if keys.count > 1 { keys = [keys[index]] }
            return noteOpened(opened, space, direction)
        }
        return nil
    }

    private func noteOpened(
        _ opened: QUICOpenedPacket, _ space: QUICSide.Space, _ direction: Direction
    ) -> QUICContent {
        self[direction].note(opened.number, space)
        if direction != client { isConfirmed = true }
        if space == .application {
            openedPackets += 1
            if openedPackets == 1 { tracker.security?.isDecrypted = true }
        }
        return QUICContent(packet: opened, space: space)
    }

    /// Of the versions and IDs so far: those of the packet first. Some clients seal the first Initial of the version that
    /// was negotiated with the keys of the version before.
    private func openInitial(
        _ content: RawSpan, _ numberOffset: Int, _ version: UInt32, _ direction: Direction
    ) -> QUICContent? {
        let isClient = direction == client
        let known = QUICVersion(version)
        let order =
            known == nil ? [.version1] : versions.filter { $0 == known } + versions.filter { $0 != known }
        let largest = self[direction][.initial]
        for version in order {
            for id in initialIDs.reversed() {
                guard let index = initialKeys(version, id, isClient: isClient) else { continue }
                if let opened = initialKeys[index].keys.open(
                    content, numberOffset: numberOffset, largest: largest, isShort: false, into: &plain)
                {
                    return noteOpened(opened, .initial, direction)
                }
            }
        }
        return nil
    }

    private func initialKeys(_ version: QUICVersion, _ id: QUICConnectionID, isClient: Bool) -> Int? {
        if let index = initialKeys.firstIndex(where: {
            $0.version == version && $0.id == id && $0.isClient == isClient
        }) {
            return index
        }
        guard let keys = QUICKeys(initial: id, version, isClient: isClient) else { return nil }
        if initialKeys.count >= 4 * QUICConnection.initialIDLimit { initialKeys.removeFirst() }
        initialKeys.append((version, id, isClient, keys))
        return initialKeys.count - 1
    }

    // MARK: Keys of the key log

    /// Looks keys of a level up, where there are none.
    private func findKeys(_ level: QUICSide.Level, _ direction: Direction, _ context: borrowing StreamContext) {
        guard context.keys.isInUse, let handshake = tracker.security?.handshake,
            handshake.negotiation.clientRandom != nil,
            context.keys.mayGrow || self[direction].askedAt[level.rawValue] != context.keys.lineCount
        else { return }
        self[direction].askedAt[level.rawValue] = context.keys.lineCount
        guard let secrets = handshake.secrets else { return }
        let epoch: TLSEpoch = level == .early ? .early : level == .handshake ? .handshake : .application
        guard let secret = secrets.secret(of: epoch, isClient: direction == client) else { return }
        let suite = level == .early ? nil : handshake.negotiation.suite
        self[direction].keys[level.rawValue] = candidates(secret, suite)
    }

    /// The suite is not known before the ServerHello was read; nor which version was agreed on.
    private func candidates(_ secret: [UInt8], _ suite: CipherSuite?) -> [QUICKeys] {
        var ciphers = QUICCipher.candidates(secretLength: secret.count)
        if let suite, let cipher = QUICCipher(suite) { ciphers = [cipher] }
        return ciphers.flatMap { cipher in
            versions.reversed().compactMap { QUICKeys(cipher, secret: secret, $0) }
        }
    }

    // MARK: Segmentation offload

    /// Datagrams are at most so long where no card cuts them, bytes.
    private static let longestPiece = 1500
    private static let shortestPiece = 1200

    /// A short header has no length: a frame that holds several datagrams, which the network card would have cut, is cut
    /// where the tag of a packet proves it. The size of the first piece; nil where nothing shows that there are several.
    func segmentSize(_ bytes: RawSpan, _ packet: QUICPacket, _ direction: Direction) -> Int? {
        let count = packet.range.count
        guard count > QUICConnection.shortestPiece, packet.range.upperBound <= bytes.byteCount,
            !self[direction].keys[QUICSide.Level.application.rawValue].isEmpty
        else { return nil }
        for size in self[direction].sizes where size < count && opens(size, packet, bytes, direction) { return size }
        let sizes = QUICConnection.shortestPiece...QUICConnection.longestPiece
        for size in sizes where size < count && opens(size, packet, bytes, direction) { return size }
        return nil
    }

    /// Whether the first bytes of a packet are one. Nothing is noted of it.
    private func opens(_ size: Int, _ packet: QUICPacket, _ bytes: RawSpan, _ direction: Direction) -> Bool {
        let range = packet.range.lowerBound..<packet.range.lowerBound + size
        let numberOffset = packet.numberOffset - packet.range.lowerBound
        guard size > numberOffset + 20 else { return false }
        var keys = self[direction].keys[QUICSide.Level.application.rawValue]
        let largest = self[direction][.application]
        for index in keys.indices {
            let opened = keys[index].open(
                bytes.extracting(range), numberOffset: numberOffset, largest: largest, isShort: true, into: &plain)
            if opened != nil { return true }
        }
        return false
    }
}
