import WireNative

/// From secrets to the keys of a side, and what happens when there are none.
extension TLSConnection {
    /// Whether protected records of the side can be opened; looks its keys up when they are awaited.
    func isReady(_ direction: Direction) -> Bool {
        switch directions[direction].opening {
        case .closed: return false
        case .ready: return true
        case .awaited:
            prepare(direction)
            return directions[direction].opening == .ready
        }
    }

    /// A record cannot be opened for want of a key that the log does not have yet.
    func lacksKey(for header: RecordHeader, _ direction: Direction) -> Bool {
        let isProtected = header.contentType == RecordType.applicationData || hidesHandshake(direction)
        guard isProtected, directions[direction].opening == .awaited, let keys,
            let clientRandom = negotiation.clientRandom,
            directions[direction].epoch == .early || negotiation.isSupported
        else { return false }
        let secrets = keys.secrets(clientRandom: clientRandom)
        switch directions[direction].epoch {
        case .clear: return false
        case .early, .handshake:
            return (secrets ?? TLSSecrets()).secret(of: directions[direction].epoch, isClient: direction == client)
                == nil
        case .application where negotiation.isTLS13:
            return (secrets ?? TLSSecrets()).secret(of: .application, isClient: direction == client) == nil
        case .application:
            let encrypted = negotiation.encryptedPremaster
            return negotiation.connectionKeys == nil && secrets?.master == nil && secrets?.premaster == nil
                && (encrypted.isEmpty || keys.premaster(encryptedPrefix: encrypted) == nil)
        }
    }

    private func prepare(_ direction: Direction) {
        guard let clientRandom = negotiation.clientRandom else { return giveUp(direction, .noHandshake) }
        // Early data may come before anything was agreed on.
        guard directions[direction].epoch == .early || negotiation.isSupported else {
            return giveUp(direction, .unsupported)
        }
        guard let keys else { return giveUp(direction, .noKeys) }
        let secrets = keys.secrets(clientRandom: clientRandom)
        switch directions[direction].epoch {
        case .clear: giveUp(direction, .noHandshake)
        case .early: prepareEarlyData(direction, secrets)
        case .handshake: prepareTraffic(direction, secrets)
        case .application:
            if negotiation.isTLS13 { prepareTraffic(direction, secrets) } else { prepareConnection(direction, secrets) }
        }
    }

    /// Counts the side from here on. What was not there, or not right, is found and told.
    func giveUp(_ direction: Direction, _ reason: TLSBlindness) {
        directions[direction].close(reason)
        tell(reason)
    }

    private func tell(_ reason: TLSBlindness) {
        switch reason {
        case .keyMissing: find(.keyMissing)
        case .keyWrong: find(.keyWrong)
        case .unsupported: find(.cipherUnsupported)
        case .noKeys, .noHandshake, .gap: return
        }
        if known.blindness == nil { known.blindness = reason }
    }

    /// A record that the keys in use should open is not authentic. If they never opened any, all keys are wrong.
    func refuseKeys(_ direction: Direction) {
        tell(.keyWrong)
        directions[direction].bar(.keyWrong)
        if !hasOpened { directions[direction.opposite].bar(.keyWrong) }
    }

    // MARK: TLS 1.2 and earlier

    private func prepareConnection(_ direction: Direction, _ secrets: TLSSecrets?) {
        guard let version = negotiation.version, let suite = negotiation.suite, let cipher = suite.cipher else {
            return giveUp(direction, .unsupported)
        }
        if negotiation.connectionKeys == nil {
            guard let master = masterSecret(secrets, version, suite) else { return giveUp(direction, .keyMissing) }
            negotiation.connectionKeys = TLSKeySchedule.keyBlock(
                master: master, clientRandom: negotiation.clientRandom ?? [], serverRandom: negotiation.serverRandom,
                version: version, digest: suite.digest, cipher: cipher)
        }
        guard let block = negotiation.connectionKeys else { return giveUp(direction, .unsupported) }
        let isClient = direction == client
        let decryptor = RecordDecryptor(
            cipher, version: version, key: isClient ? block.clientKey : block.serverKey,
            iv: isClient ? block.clientIV : block.serverIV,
            macKey: isClient ? block.clientMACKey : block.serverMACKey, encryptThenMAC: negotiation.encryptsThenMACs)
        guard let decryptor else { return giveUp(direction, .unsupported) }
        directions[direction].decryptor = decryptor
        directions[direction].opening = .ready
    }

    private func masterSecret(_ secrets: TLSSecrets?, _ version: UInt16, _ suite: CipherSuite) -> [UInt8]? {
        if let master = secrets?.master { return master }
        // With the extension it depends on every message of the handshake (RFC 7627), and key logs hold it then.
        guard !negotiation.hasExtendedMasterSecret, let clientRandom = negotiation.clientRandom else { return nil }
        let encrypted = negotiation.encryptedPremaster
        let premaster = secrets?.premaster ?? (encrypted.isEmpty ? nil : keys?.premaster(encryptedPrefix: encrypted))
        guard let premaster else { return nil }
        return TLSKeySchedule.masterSecret(
            premaster: premaster, clientRandom: clientRandom, serverRandom: negotiation.serverRandom,
            version: version, digest: suite.digest)
    }

    // MARK: TLS 1.3

    /// A ServerHello of TLS 1.3 was read: the server's records are protected from here on, the client's as soon as it
    /// has answered, or sent the last of its early data.
    func beginHandshakeKeys(server: Direction) {
        directions[server].begin(.handshake)
        let client = server.opposite
        if directions[client].epoch == .early {
            // Without the early secret, the first record under another key ends the early data.
            if directions[client].opening == .closed, directions[client].reason == .keyMissing, known.earlyData != nil {
                directions[client].opening = .awaited
            }
        } else {
            // Records of the client that came before the ServerHello, in the order of the capture.
            let (sequence, unexamined) = (directions[client].sequence, directions[client].unexamined)
            directions[client].begin(.handshake)
            directions[client].sequence = sequence
            directions[client].unexamined = unexamined
        }
        guard keys != nil else {
            directions[server].close(.noKeys)
            directions[client].close(.noKeys)
            return
        }
    }

    /// Early data: the cipher suite is that of the ticket, which nobody tells. Any offered one whose hash is as long as
    /// the secret may be it; authenticity decides.
    private func prepareEarlyData(_ direction: Direction, _ secrets: TLSSecrets?) {
        if let secret = secrets?.clientEarly {
            directions[direction].earlyDecryptors = negotiation.earlySuites.compactMap { suite in
                suite.digest.length == secret.count ? suite.trafficDecryptor(secret) : nil
            }
        }
        // Without any, records after the ServerHello may still be under a later key.
        let mayFind = negotiation.version != nil && !laterKeys(direction, secrets).isEmpty
        if directions[direction].earlyDecryptors.isEmpty { tell(.keyMissing) }
        if directions[direction].earlyDecryptors.isEmpty, !mayFind {
            directions[direction].close(.keyMissing)
        } else {
            directions[direction].opening = .ready
            directions[direction].reason = .keyMissing
        }
    }

    private func prepareTraffic(_ direction: Direction, _ secrets: TLSSecrets?) {
        guard let secrets else { return giveUp(direction, .keyMissing) }
        let isApplication = directions[direction].epoch == .application
        guard let secret = secrets.secret(of: directions[direction].epoch, isClient: direction == client) else {
            // A log without handshake secrets: the records that the traffic secret does not open are the handshake.
            guard !isApplication, !laterKeys(direction, secrets).isEmpty else { return giveUp(direction, .keyMissing) }
            directions[direction].opening = .ready
            directions[direction].reason = .keyMissing
            return
        }
        guard let decryptor = negotiation.suite?.trafficDecryptor(secret) else {
            // A secret of another length than the hash belongs to another connection.
            return secret.count == negotiation.suite?.digest.length
                ? giveUp(direction, .unsupported) : refuseKeys(direction)
        }
        directions[direction].decryptor = decryptor
        directions[direction].trafficSecret = isApplication ? secret : []
        directions[direction].opening = .ready
    }

    /// Keys that may come after those in use, in their order.
    func laterKeys(_ direction: Direction, _ secrets: TLSSecrets?) -> [(epoch: TLSDirection.Epoch, secret: [UInt8])] {
        let epoch = directions[direction].epoch
        if epoch == .application { return nextSecret(direction).map { [(.application, $0)] } ?? [] }
        guard let secrets, negotiation.isTLS13, epoch != .clear else { return [] }
        let later: [TLSDirection.Epoch] = epoch == .early ? [.handshake, .application] : [.application]
        return later.compactMap { epoch in secrets.secret(of: epoch, isClient: direction == client).map { (epoch, $0) }
        }
    }

    private func nextSecret(_ direction: Direction) -> [UInt8]? {
        guard let suite = negotiation.suite, !directions[direction].trafficSecret.isEmpty else { return nil }
        return TLSKeySchedule.nextTrafficSecret(directions[direction].trafficSecret, digest: suite.digest)
    }

    /// KeyUpdate (RFC 8446 §4.6.3): the next generation of the sender's keys.
    func updateKeys(_ direction: Direction) {
        guard let secret = nextSecret(direction), let decryptor = negotiation.suite?.trafficDecryptor(secret) else {
            return
        }
        directions[direction].begin(.application)
        directions[direction].opening = .ready
        directions[direction].decryptor = decryptor
        directions[direction].trafficSecret = secret
    }
}
