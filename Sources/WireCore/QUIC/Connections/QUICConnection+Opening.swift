import WireNative

/// A packet that was opened, with what its frames need to know of it.
struct QUICContent {
    var packet: QUICOpenedPacket
    var space: QUICSide.Space
    /// A packet of the side and space had the same number before.
    var isRepeated: Bool
}

/// Which keys open a packet, and what long headers tell about connection IDs.
extension QUICConnection {
    /// What a long header shows: IDs, versions, a new beginning.
    func note(_ packet: QUICPacket, _ bytes: RawSpan, _ direction: Direction, _ context: inout StreamContext) {
        guard packet.kind != .short else { return }
        guard packet.kind != .retry || initialKeys.mayBelieve(retry: packet, bytes) else {
            return context.findings.add(.quicRetryWrong)
        }
        let isClients = direction == client
        let source = QUICConnectionID(bytes, packet.source)
        if packet.kind != .negotiation, packet.kind != .retry || !isClients {
            if source.count > 0 {
                newIDs.append(
                    QUICKnownID(id: source, to: direction.opposite, sequence: packet.kind == .retry ? nil : 0))
            }
            if packet.kind != .retry { self[direction].record(source: source) }
        }
        if let version = QUICVersion(packet.version), !versions.contains(version) { versions.append(version) }
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

    /// Its first Initial, which is received next, opened.
    func begin(_ initial: QUICFirstInitial) {
        initialKeys.begin(initial)
        newIDs.append(QUICKnownID(id: initial.secret.id, to: client))
    }

    /// Once the server answered, the client's Initials go to the server's own ID, of which no keys are made.
    private func noteInitial(_ id: QUICConnectionID) {
        guard !isConfirmed || beginsAnew, initialKeys.add(id) else { return }
        newIDs.append(QUICKnownID(id: id, to: client))
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
        case .short where join != nil ? self[direction][.application] == nil : sides.lackIDLength(packet, direction):
            return openFirst(content, direction, context)
        case .short: return open(content, numberOffset, .application, .application, direction, context)
        case .unknown: return openInitial(content, numberOffset, packet.version, direction)
        case .retry, .negotiation: return nil
        }
    }

    private func open(
        _ content: RawSpan, _ numberOffset: Int, _ level: QUICSide.Level, _ space: QUICSide.Space,
        _ direction: Direction, _ context: borrowing StreamContext
    ) -> QUICContent? {
        if self[direction].keys[level.rawValue].isEmpty { findKeys(level, direction, context) }
        var opened = self[direction].open(content, numberOffset, level, space, into: &plain)
        if opened == nil { opened = openByInnerHello(content, numberOffset, level, space, direction) }
        return opened.map { noteOpened($0, space, direction) }
    }

    /// The random that names the connection in the key log is encrypted: its secrets are those that open the packet.
    private func openByInnerHello(
        _ content: RawSpan, _ numberOffset: Int, _ level: QUICSide.Level, _ space: QUICSide.Space,
        _ direction: Direction
    ) -> QUICOpenedPacket? {
        guard join == nil, level != .early, self[direction].keys[level.rawValue].isEmpty,
            let handshake = tracker.security?.handshake
        else { return nil }
        let epoch: TLSEpoch = level == .handshake ? .handshake : .application
        var opened: QUICOpenedPacket?
        _ = handshake.findInnerSecrets { secrets in
            guard let secret = secrets.secret(of: epoch, isClient: direction == client) else { return false }
            self[direction].keys[level.rawValue] = QUICKeys.candidates(secret, handshake.negotiation.suite, versions)
            opened = self[direction].open(content, numberOffset, level, space, into: &plain)
            return opened != nil
        }
        if opened == nil { self[direction].keys[level.rawValue] = [] }
        // The other keys were asked for in vain before.
        for direction in Direction.both where opened != nil { self[direction].askedAt = [-1, -1, -1] }
        return opened
    }

    private func noteOpened(
        _ opened: QUICOpenedPacket, _ space: QUICSide.Space, _ direction: Direction
    ) -> QUICContent {
        let isRepeated = !self[direction].record(opened.number, space)
        if direction != client { isConfirmed = true }
        if space == .application {
            openedPackets += 1
            if openedPackets == 1 { tracker.security?.isDecrypted = true }
        }
        return QUICContent(packet: opened, space: space, isRepeated: isRepeated)
    }

    private func openInitial(
        _ content: RawSpan, _ numberOffset: Int, _ version: UInt32, _ direction: Direction
    ) -> QUICContent? {
        let opened = initialKeys.open(
            content, numberOffset: numberOffset, version, versions, isClient: direction == client,
            largest: self[direction][.initial], into: &plain)
        return opened.map { noteOpened($0, .initial, direction) }
    }

    // MARK: Keys of the key log

    /// Looks keys of a level up, where there are none.
    func findKeys(_ level: QUICSide.Level, _ direction: Direction, _ context: borrowing StreamContext) {
        let epoch: TLSEpoch = level == .early ? .early : level == .handshake ? .handshake : .application
        let isClient = direction == client
        if let join {
            guard let secret = join.secrets.secret(of: epoch, isClient: isClient) else { return }
            let keys = QUICKeys(join.cipher, secret: secret, join.version)
            self[direction].keys[level.rawValue] = keys.map { [$0] } ?? []
            return
        }
        guard context.keys.isInUse, let handshake = tracker.security?.handshake,
            handshake.negotiation.clientRandom != nil,
            context.keys.mayGrow || self[direction].askedAt[level.rawValue] != context.keys.lineCount
        else { return }
        self[direction].askedAt[level.rawValue] = context.keys.lineCount
        guard let secret = handshake.secrets?.secret(of: epoch, isClient: isClient) else { return }
        let suite = level == .early ? nil : handshake.negotiation.suite
        self[direction].keys[level.rawValue] = QUICKeys.candidates(secret, suite, versions)
    }

    /// The secrets of a connection that the capture joins late were found. `direction`: that of the packet that proved
    /// them.
    func take(_ join: QUICJoin, _ direction: Direction) {
        self.join = join
        let client = join.isFromClient ? direction : direction.opposite
        tracker.connection.client = client
        tracker.requester = client
        tracker.security?.handshake.client = client
        self[direction.opposite].idLength = join.idLength
        if !versions.contains(join.version) { versions.append(join.version) }
        for direction in Direction.both {
            for level in 0..<3 { self[direction].keys[level] = [] }
        }
    }

    /// The first packet of a direction that is met, before its receiver's first long header: neither the length of its
    /// connection ID nor, where the capture begins inside the connection, its number need be known.
    private func openFirst(
        _ content: RawSpan, _ direction: Direction, _ context: borrowing StreamContext
    ) -> QUICContent? {
        if self[direction].keys[QUICSide.Level.application.rawValue].isEmpty {
            findKeys(.application, direction, context)
        }
        let receiver = direction.opposite
        let lengths = self[receiver].idLength.map { $0...$0 } ?? 0...QUICConnectionID.longest
        let highest: UInt64 = join == nil ? 0 : 1 << 20
        guard let (opened, length) = self[direction].openFirst(content, lengths, highest, into: &plain) else {
            return nil
        }
        self[receiver].idLength = length
        if length > 0 { newIDs.append(QUICKnownID(id: QUICConnectionID(content, 1..<1 + length), to: direction)) }
        return noteOpened(opened, .application, direction)
    }
}
