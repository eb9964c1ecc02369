import WireNative

/// From secrets to the keys of a side, and what happens when there are none.
extension TLSConnection {
    /// Whether protected records of the side can be opened; looks its keys up when they are awaited.
    func isReady(_ side: Int) -> Bool {
        switch sides[side].opening {
        case .closed: return false
        case .ready: return true
        case .awaited:
            prepare(side)
            return sides[side].opening == .ready
        }
    }

    /// A record cannot be opened for want of a key that the log does not have yet.
    func lacksKey(for header: RecordHeader, _ side: Int) -> Bool {
        let isProtected = header.contentType == RecordType.applicationData || hidesHandshake(side)
        guard isProtected, sides[side].opening == .awaited, let keys, let clientRandom = negotiation.clientRandom,
            sides[side].epoch == .early || negotiation.isSupported
        else { return false }
        let secrets = keys.secrets(clientRandom: clientRandom)
        switch sides[side].epoch {
        case .clear: return false
        case .early, .handshake: return secret(secrets ?? TLSSecrets(), side, sides[side].epoch) == nil
        case .application where negotiation.isTLS13: return secret(secrets ?? TLSSecrets(), side, .application) == nil
        case .application:
            let encrypted = negotiation.encryptedPremaster
            return negotiation.connectionKeys == nil && secrets?.master == nil && secrets?.premaster == nil
                && (encrypted.isEmpty || keys.premaster(encryptedPrefix: encrypted) == nil)
        }
    }

    private func prepare(_ side: Int) {
        guard let clientRandom = negotiation.clientRandom else { return giveUp(side, .noHandshake) }
        // Early data may come before anything was agreed on.
        guard sides[side].epoch == .early || negotiation.isSupported else { return giveUp(side, .unsupported) }
        guard let keys else { return giveUp(side, .noKeys) }
        let secrets = keys.secrets(clientRandom: clientRandom)
        switch sides[side].epoch {
        case .clear: giveUp(side, .noHandshake)
        case .early: prepareEarlyData(side, secrets)
        case .handshake: prepareTraffic(side, secrets)
        case .application:
            if negotiation.isTLS13 { prepareTraffic(side, secrets) } else { prepareConnection(side, secrets) }
        }
    }

    /// Counts the side from here on. What was not there, or not right, is found and told.
    func giveUp(_ side: Int, _ reason: TLSBlindness) {
        sides[side].close(reason)
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
    func refuseKeys(_ side: Int) {
        tell(.keyWrong)
        sides[side].bar(.keyWrong)
        if !hasOpened { sides[1 - side].bar(.keyWrong) }
    }

    // MARK: TLS 1.2 and earlier

    private func prepareConnection(_ side: Int, _ secrets: TLSSecrets?) {
        guard let version = negotiation.version, let suite = negotiation.suite, let cipher = suite.cipher else {
            return giveUp(side, .unsupported)
        }
        if negotiation.connectionKeys == nil {
            guard let master = masterSecret(secrets, version, suite) else { return giveUp(side, .keyMissing) }
            negotiation.connectionKeys = TLSKeySchedule.keyBlock(
                master: master, clientRandom: negotiation.clientRandom ?? [], serverRandom: negotiation.serverRandom,
                version: version, digest: suite.digest, cipher: cipher)
        }
        guard let block = negotiation.connectionKeys else { return giveUp(side, .unsupported) }
        let isClient = side == clientSide
        let decryptor = RecordDecryptor(
            cipher, version: version, key: isClient ? block.clientKey : block.serverKey,
            iv: isClient ? block.clientIV : block.serverIV,
            macKey: isClient ? block.clientMACKey : block.serverMACKey, encryptThenMAC: negotiation.encryptsThenMACs)
        guard let decryptor else { return giveUp(side, .unsupported) }
        sides[side].decryptor = decryptor
        sides[side].opening = .ready
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
    func beginHandshakeKeys(server: Int) {
        sides[server].begin(.handshake)
        let client = 1 - server
        if sides[client].epoch == .early {
            // Without the early secret, the first record under another key ends the early data.
            if sides[client].opening == .closed, sides[client].reason == .keyMissing, known.earlyData != nil {
                sides[client].opening = .awaited
            }
        } else {
            // Records of the client that came before the ServerHello, in the order of the capture.
            let (sequence, unexamined) = (sides[client].sequence, sides[client].unexamined)
            sides[client].begin(.handshake)
            sides[client].sequence = sequence
            sides[client].unexamined = unexamined
        }
        guard keys != nil else {
            sides[server].close(.noKeys)
            sides[client].close(.noKeys)
            return
        }
    }

    /// Early data: the cipher suite is that of the ticket, which nobody tells. Any offered one whose hash is as long as
    /// the secret may be it; authenticity decides.
    private func prepareEarlyData(_ side: Int, _ secrets: TLSSecrets?) {
        if let secret = secrets?.clientEarly {
            sides[side].earlyDecryptors = negotiation.earlySuites.compactMap { suite in
                suite.digest.length == secret.count ? trafficDecryptor(secret, suite) : nil
            }
        }
        // Without any, records after the ServerHello may still be under a later key.
        let mayFind = negotiation.version != nil && !laterKeys(side, secrets).isEmpty
        if sides[side].earlyDecryptors.isEmpty { tell(.keyMissing) }
        if sides[side].earlyDecryptors.isEmpty, !mayFind {
            sides[side].close(.keyMissing)
        } else {
            sides[side].opening = .ready
            sides[side].reason = .keyMissing
        }
    }

    private func prepareTraffic(_ side: Int, _ secrets: TLSSecrets?) {
        guard let secrets else { return giveUp(side, .keyMissing) }
        let isApplication = sides[side].epoch == .application
        guard let secret = secret(secrets, side, sides[side].epoch) else {
            // A log without handshake secrets: the records that the traffic secret does not open are the handshake.
            guard !isApplication, !laterKeys(side, secrets).isEmpty else { return giveUp(side, .keyMissing) }
            sides[side].opening = .ready
            sides[side].reason = .keyMissing
            return
        }
        guard let decryptor = trafficDecryptor(secret, negotiation.suite) else {
            // A secret of another length than the hash belongs to another connection.
            return secret.count == negotiation.suite?.digest.length ? giveUp(side, .unsupported) : refuseKeys(side)
        }
        sides[side].decryptor = decryptor
        sides[side].trafficSecret = isApplication ? secret : []
        sides[side].opening = .ready
    }

    private func secret(_ secrets: TLSSecrets, _ side: Int, _ epoch: TLSSide.Epoch) -> [UInt8]? {
        let isClient = side == clientSide
        return switch epoch {
        case .clear: nil
        case .early: isClient ? secrets.clientEarly : nil
        case .handshake: isClient ? secrets.clientHandshake : secrets.serverHandshake
        case .application: isClient ? secrets.clientTraffic : secrets.serverTraffic
        }
    }

    func trafficDecryptor(_ secret: [UInt8], _ suite: CipherSuite?) -> RecordDecryptor? {
        guard let suite, let cipher = suite.cipher, suite.digest.length == secret.count,
            let traffic = TLSKeySchedule.trafficKey(secret: secret, cipher: cipher, digest: suite.digest)
        else { return nil }
        return RecordDecryptor(
            cipher, version: ProtocolVersion.tls13, key: traffic.key, iv: traffic.iv, macKey: [],
            encryptThenMAC: false)
    }

    /// Keys that may come after those in use, in their order.
    func laterKeys(_ side: Int, _ secrets: TLSSecrets?) -> [(epoch: TLSSide.Epoch, secret: [UInt8])] {
        let epoch = sides[side].epoch
        if epoch == .application { return nextSecret(side).map { [(.application, $0)] } ?? [] }
        guard let secrets, negotiation.isTLS13, epoch != .clear else { return [] }
        let later: [TLSSide.Epoch] = epoch == .early ? [.handshake, .application] : [.application]
        return later.compactMap { epoch in secret(secrets, side, epoch).map { (epoch, $0) } }
    }

    private func nextSecret(_ side: Int) -> [UInt8]? {
        guard let suite = negotiation.suite, !sides[side].trafficSecret.isEmpty else { return nil }
        return TLSKeySchedule.nextTrafficSecret(sides[side].trafficSecret, digest: suite.digest)
    }

    /// KeyUpdate (RFC 8446 §4.6.3): the next generation of the sender's keys.
    func updateKeys(_ side: Int) {
        guard let secret = nextSecret(side), let decryptor = trafficDecryptor(secret, negotiation.suite) else { return }
        sides[side].begin(.application)
        sides[side].opening = .ready
        sides[side].decryptor = decryptor
        sides[side].trafficSecret = secret
    }
}
