import WireNative

/// What a key log says about one connection.
struct TLSSecrets: Sendable, Equatable, SecretHolder {
    /// TLS 1.2 and earlier (RFC 5246 §8.1), 48 bytes.
    var master: [UInt8]?
    /// TLS 1.2 and earlier, when the log has the secret before the master secret.
    var premaster: [UInt8]?
    /// TLS 1.3 (RFC 8446 §7.1), all as long as the cipher suite's hash.
    var clientEarly: [UInt8]?
    var clientHandshake: [UInt8]?
    var serverHandshake: [UInt8]?
    var clientTraffic: [UInt8]?
    var serverTraffic: [UInt8]?
}

extension TLSSecrets {
    /// Nothing is missing to open every record but early data, which need not be there.
    var isComplete: Bool {
        if master != nil || premaster != nil { return true }
        return clientHandshake != nil && serverHandshake != nil && clientTraffic != nil && serverTraffic != nil
    }

    /// Those that are known.
    var all: [(KeyLogSecret, [UInt8])] {
        let places: [(KeyLogSecret, [UInt8]?)] = [
            (.master, master), (.premaster, premaster), (.clientEarly, clientEarly),
            (.clientHandshake, clientHandshake), (.serverHandshake, serverHandshake), (.clientTraffic, clientTraffic),
            (.serverTraffic, serverTraffic),
        ]
        return places.compactMap { place in place.1.map { (place.0, $0) } }
    }

    /// What is missing is taken from `other`.
    func completed(with other: TLSSecrets) -> TLSSecrets {
        TLSSecrets(
            master: master ?? other.master, premaster: premaster ?? other.premaster,
            clientEarly: clientEarly ?? other.clientEarly, clientHandshake: clientHandshake ?? other.clientHandshake,
            serverHandshake: serverHandshake ?? other.serverHandshake,
            clientTraffic: clientTraffic ?? other.clientTraffic, serverTraffic: serverTraffic ?? other.serverTraffic)
    }
}
