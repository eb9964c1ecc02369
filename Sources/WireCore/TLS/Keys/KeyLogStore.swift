import WireNative

/// The secrets of a key log. All of them lie in one array, each behind two bytes of length; what is looked up are places
/// in it.
struct KeyLogStore: SecretHolder {
    private struct ClientRandom: Hashable {
        var words: (UInt64, UInt64, UInt64, UInt64)

        init?(_ bytes: [UInt8]) {
            guard bytes.count == 32 else { return nil }
            let span = unsafe bytes.span.bytes
            words = (span.be64(0), span.be64(8), span.be64(16), span.be64(24))
        }

        static func == (one: Self, other: Self) -> Bool { one.words == other.words }

        func hash(into hasher: inout Hasher) {
            hasher.combine(words.0)
            hasher.combine(words.1)
            hasher.combine(words.2)
            hasher.combine(words.3)
        }
    }

    /// Places of a connection's secrets by `KeyLogSecret`; 0 where there is none.
    private typealias Places = InlineArray<7, UInt32>

    private var secrets: [UInt8] = [0]
    private var connections: [ClientRandom: Places] = [:]
    private var encryptedPremasters: [UInt64: UInt32] = [:]
    private var sessions: [[UInt8]: UInt32] = [:]
    private var scratch: [UInt8] = []

    /// Bytes of all secrets.
    var byteCount: Int { secrets.count }

    /// Keeps a secret under a key, both in hexadecimal digits that were found right.
    mutating func keep(_ label: KeyLogLabel, key: RawSpan, secret: RawSpan) {
        scratch.removeAll(keepingCapacity: true)
        guard key.appendHexadecimal(to: &scratch) else { return }
        switch label {
        case .encryptedPremaster:
            guard scratch.count == 8 else { return }
            let word = unsafe scratch.span.bytes.be64(0)
            encryptedPremasters[word] = place(secret, instead: encryptedPremasters[word] ?? 0)
        case .session:
            let session = scratch
            sessions[session] = place(secret, instead: sessions[session] ?? 0)
        case .secret(let kind):
            guard let random = ClientRandom(scratch) else { return }
            var places = connections[random] ?? Places(repeating: 0)
            places[kind.rawValue] = place(secret, instead: places[kind.rawValue])
            connections[random] = places
        }
    }

    /// Writes a secret over the one it replaces where both are of one length, else behind all others.
    private mutating func place(_ secret: RawSpan, instead old: UInt32) -> UInt32 {
        let length = secret.byteCount / 2
        scratch.removeAll(keepingCapacity: true)
        guard secret.appendHexadecimal(to: &scratch) else { return old }
        if old != 0, self.length(old) == length {
            for index in 0..<length { secrets[Int(old) + 2 + index] = scratch[index] }
            return old
        }
        let place = UInt32(secrets.count)
        secrets.append(UInt8(length >> 8))
        secrets.append(UInt8(length & 0xFF))
        secrets += scratch
        return place
    }

    private func length(_ place: UInt32) -> Int {
        Int(secrets[Int(place)]) << 8 | Int(secrets[Int(place) + 1])
    }

    private func secret(_ place: UInt32) -> [UInt8]? {
        guard place != 0 else { return nil }
        let start = Int(place) + 2
        return Array(secrets[start..<start + length(place)])
    }

    func secrets(_ clientRandom: [UInt8]) -> TLSSecrets? {
        guard let random = ClientRandom(clientRandom), let places = connections[random] else { return nil }
        return secrets(at: places)
    }

    private func secrets(at places: Places) -> TLSSecrets {
        func secret(_ kind: KeyLogSecret) -> [UInt8]? { self.secret(places[kind.rawValue]) }
        return TLSSecrets(
            master: secret(.master), premaster: secret(.premaster), clientEarly: secret(.clientEarly),
            clientHandshake: secret(.clientHandshake), serverHandshake: secret(.serverHandshake),
            clientTraffic: secret(.clientTraffic), serverTraffic: secret(.serverTraffic))
    }

    func premaster(_ encryptedPrefix: [UInt8]) -> [UInt8]? {
        guard encryptedPrefix.count == 8 else { return nil }
        let word = unsafe encryptedPrefix.span.bytes.be64(0)
        return secret(encryptedPremasters[word] ?? 0)
    }

    func master(_ session: [UInt8]) -> [UInt8]? { secret(sessions[session] ?? 0) }

    /// What it has of the latest `limit` connections of TLS 1.3 with secrets of application data, in the order of the log.
    func withTraffic(limit: Int) -> [TLSSecrets] {
        let client = KeyLogSecret.clientTraffic.rawValue
        let server = KeyLogSecret.serverTraffic.rawValue
        let found = connections.values.filter { $0[client] != 0 || $0[server] != 0 }
        let sorted = found.sorted { max($0[client], $0[server]) < max($1[client], $1[server]) }
        return sorted.suffix(limit).map(secrets(at:))
    }
}
