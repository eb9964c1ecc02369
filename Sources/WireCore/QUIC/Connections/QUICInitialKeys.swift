import WireNative

/// The keys of Initial packets, which anyone can make of the connection ID that the client chose first, or of that of a
/// Retry (RFC 9001 §5.2).
struct QUICInitialKeys {
    private struct Entry {
        var secret: QUICInitialSecret
        var isClient: Bool
        var keys: QUICKeys
    }

    private static let idLimit = 4

    private let derivation: QUICInitialDerivation

    /// Destination connection IDs of the client's first Initials, and of Retry.
    private var ids: [QUICConnectionID] = []
    private var entries: [Entry] = []
    /// The client's first Initial with its content, until it is asked for.
    private var first: (packet: QUICOpenedPacket, plain: [UInt8])?
    /// How many IDs were added.
    private(set) var count = 0

    /// `derivation`: of whoever has the connections.
    init(_ derivation: QUICInitialDerivation) { self.derivation = derivation }

    var isEmpty: Bool { ids.isEmpty }

    /// Adds an ID that keys may be made of; false where it is known.
    mutating func add(_ id: QUICConnectionID) -> Bool {
        guard !ids.contains(id) else { return false }
        if ids.count >= QUICInitialKeys.idLimit { ids.removeFirst() }
        ids.append(id)
        count += 1
        return true
    }

    /// The client's first Initial opened, and is to be read next.
    mutating func begin(_ initial: QUICFirstInitial) {
        guard add(initial.secret.id) else { return }
        entries.append(Entry(secret: initial.secret, isClient: true, keys: initial.keys))
        first = (initial.packet, initial.plain)
    }

    /// Whether a Retry answers one of the client's Initials, by its tag (RFC 9001 §5.8); nil where no Initial is known.
    func answers(_ retry: RawSpan, _ version: QUICVersion) -> Bool? {
        guard !ids.isEmpty else { return nil }
        let (key, nonce) = version.retrySecrets
        return ids.contains { QUICRetryTag.isRight(retry, originalID: $0.bytes, key: key, nonce: nonce) }
    }

    /// Anybody can send a Retry: one that was captured whole and whose tag is wrong changes nothing. Where no Initial of the
    /// client is known, the tag cannot be checked.
    func mayBelieve(retry packet: QUICPacket, _ bytes: RawSpan) -> Bool {
        guard packet.range.upperBound <= bytes.byteCount, let version = QUICVersion(packet.version) else { return true }
        return answers(bytes.extracting(packet.range), version) ?? true
    }

    /// Opens an Initial with the version of the packet first, then with those that the connection had. Some clients seal
    /// the first Initial of the version that was negotiated with the keys of the version before.
    mutating func open(
        _ content: RawSpan, numberOffset: Int, _ version: UInt32, _ versions: [QUICVersion], isClient: Bool,
        largest: UInt64?, into output: inout [UInt8]
    ) -> QUICOpenedPacket? {
        if isClient, let first {
            output = first.plain
            self.first = nil
            return first.packet
        }
        let known = QUICVersion(version)
        let order =
            known == nil ? [.version1] : versions.filter { $0 == known } + versions.filter { $0 != known }
        for version in order {
            for id in ids.reversed() {
                guard let index = place(version, id, isClient: isClient) else { continue }
                let opened = entries[index].keys.open(
                    content, numberOffset: numberOffset, largest: largest, isShort: false, into: &output)
                if let opened { return opened }
            }
        }
        return nil
    }

    private mutating func place(_ version: QUICVersion, _ id: QUICConnectionID, isClient: Bool) -> Int? {
        var secret: QUICInitialSecret?
        for (index, entry) in entries.enumerated() where entry.secret.version == version && entry.secret.id == id {
            if entry.isClient == isClient { return index }
            secret = entry.secret
        }
        guard let secret = secret ?? QUICInitialSecret(id, version, derivation),
            let keys = QUICKeys(secret, isClient: isClient, derivation)
        else { return nil }
        if entries.count >= 4 * QUICInitialKeys.idLimit { entries.removeFirst() }
        entries.append(Entry(secret: secret, isClient: isClient, keys: keys))
        return entries.count - 1
    }
}
