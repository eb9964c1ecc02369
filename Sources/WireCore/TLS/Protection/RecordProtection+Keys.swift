import WireNative

/// From secrets to the keys of a direction, and what happens when there are none.
extension RecordProtection {
    /// Whether protected records of the direction can be opened; looks its keys up when they are awaited.
    func isReady(_ direction: Direction) -> Bool {
        switch directions[direction].opening {
        case .closed: return mayJoin(direction)
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
            handshake.negotiation.clientRandom != nil,
            directions[direction].epoch == .early || handshake.negotiation.isSupported
        else { return false }
        let secrets = handshake.secrets
        switch directions[direction].epoch {
        case .clear: return false
        case .early, .handshake:
            return (secrets ?? TLSSecrets()).secret(of: directions[direction].epoch, isClient: direction == client)
                == nil
        case .application where handshake.negotiation.isTLS13:
            return (secrets ?? TLSSecrets()).secret(of: .application, isClient: direction == client) == nil
        case .application:
            let encrypted = handshake.negotiation.encryptedPremaster
            return handshake.negotiation.connectionKeys == nil && secrets?.master == nil && secrets?.premaster == nil
                && (encrypted.isEmpty || keys.premaster(encryptedPrefix: encrypted) == nil)
        }
    }

    func prepare(_ direction: Direction) {
        guard handshake.negotiation.clientRandom != nil || isJoined else { return giveUp(direction, .noHandshake) }
        // Early data may come before anything was agreed on.
        guard directions[direction].epoch == .early || handshake.negotiation.isSupported else {
            return giveUp(direction, .unsupported)
        }
        guard keys != nil else { return giveUp(direction, .noKeys) }
        let secrets = handshake.secrets
        switch directions[direction].epoch {
        case .clear: giveUp(direction, .noHandshake)
        case .early: prepareEarlyData(direction, secrets)
        case .handshake: prepareTraffic(direction, secrets)
        case .application:
            if handshake.negotiation.isTLS13 {
                prepareTraffic(direction, secrets)
            } else {
                prepareConnection(direction, secrets)
            }
        }
    }

    /// Counts the direction from here on. What was not there, or not right, is found and told.
    func giveUp(_ direction: Direction, _ reason: TLSBlindness) {
        directions[direction].close(reason)
        tell(reason)
    }

    private func tell(_ reason: TLSBlindness) {
        switch reason {
        case .keyMissing: handshake.findings.add(.keyMissing)
        case .keyWrong: handshake.findings.add(.keyWrong)
        case .unsupported: handshake.findings.add(.cipherUnsupported)
        case .noKeys, .noHandshake, .gap: return
        }
        if blindness == nil { blindness = reason }
    }

    /// A record that the keys in use should open is not authentic. If they never opened any, all keys are wrong.
    func refuseKeys(_ direction: Direction) {
        tell(.keyWrong)
        directions[direction].bar(.keyWrong)
        if !hasOpened { directions[direction.opposite].bar(.keyWrong) }
    }

    // MARK: TLS 1.2 and earlier

    private func prepareConnection(_ direction: Direction, _ secrets: TLSSecrets?) {
        guard let version = handshake.negotiation.version, let suite = handshake.negotiation.suite,
            let cipher = suite.cipher
        else {
            return giveUp(direction, .unsupported)
        }
        if handshake.negotiation.connectionKeys == nil {
            guard let master = masterSecret(secrets, version, suite) else { return giveUp(direction, .keyMissing) }
            handshake.negotiation.connectionKeys = TLSKeySchedule.keyBlock(
                master: master, clientRandom: handshake.negotiation.clientRandom ?? [],
                serverRandom: handshake.negotiation.serverRandom,
                version: version, digest: suite.digest, cipher: cipher)
        }
        guard let block = handshake.negotiation.connectionKeys else { return giveUp(direction, .unsupported) }
        let isClient = direction == client
        let decryptor = RecordDecryptor(
            cipher, version: version, key: isClient ? block.clientKey : block.serverKey,
            iv: isClient ? block.clientIV : block.serverIV,
            macKey: isClient ? block.clientMACKey : block.serverMACKey,
            encryptThenMAC: handshake.negotiation.encryptsThenMACs)
        guard let decryptor else { return giveUp(direction, .unsupported) }
        directions[direction].decryptor = decryptor
        directions[direction].opening = .ready
    }

    private func masterSecret(_ secrets: TLSSecrets?, _ version: UInt16, _ suite: CipherSuite) -> [UInt8]? {
        if let master = secrets?.master { return master }
        // With the extension it depends on every message of the handshake (RFC 7627), and key logs hold it then.
        guard !handshake.negotiation.hasExtendedMasterSecret, let clientRandom = handshake.negotiation.clientRandom
        else { return nil }
        let encrypted = handshake.negotiation.encryptedPremaster
        let premaster = secrets?.premaster ?? (encrypted.isEmpty ? nil : keys?.premaster(encryptedPrefix: encrypted))
        guard let premaster else { return nil }
        return TLSKeySchedule.masterSecret(
            premaster: premaster, clientRandom: clientRandom, serverRandom: handshake.negotiation.serverRandom,
            version: version, digest: suite.digest)
    }

    // MARK: TLS 1.3

    /// Early data: the cipher suite is that of the ticket, which nobody tells. Any offered one whose hash is as long as
    /// the secret may be it; authenticity decides.
    private func prepareEarlyData(_ direction: Direction, _ secrets: TLSSecrets?) {
        if let secret = secrets?.clientEarly {
            directions[direction].earlyDecryptors = handshake.negotiation.earlySuites.compactMap { suite in
                suite.digest.length == secret.count ? suite.trafficDecryptor(secret) : nil
            }
        }
        // Without any, records after the ServerHello may still be under a later key.
        let mayFind = handshake.negotiation.version != nil && !laterKeys(direction, secrets).isEmpty
        if directions[direction].earlyDecryptors.isEmpty { tell(.keyMissing) }
        if directions[direction].earlyDecryptors.isEmpty, !mayFind {
            directions[direction].close(.keyMissing)
        } else {
            directions[direction].opening = .ready
            directions[direction].reason = .keyMissing
        }
    }

    private func prepareTraffic(_ direction: Direction, _ secrets: TLSSecrets?) {
        guard let secrets else {
            guard handshake.mayHaveInnerSecrets else { return giveUp(direction, .keyMissing) }
            // The next record tells.
            directions[direction].opening = .ready
            return
        }
        let isApplication = directions[direction].epoch == .application
        guard let secret = secrets.secret(of: directions[direction].epoch, isClient: direction == client) else {
            // A log without handshake secrets: the records that the traffic secret does not open are the handshake.
            guard !isApplication, !laterKeys(direction, secrets).isEmpty else { return giveUp(direction, .keyMissing) }
            directions[direction].opening = .ready
            directions[direction].reason = .keyMissing
            return
        }
        guard let decryptor = handshake.negotiation.suite?.trafficDecryptor(secret) else {
            // A secret of another length than the hash belongs to another connection.
            return secret.count == handshake.negotiation.suite?.digest.length
                ? giveUp(direction, .unsupported) : refuseKeys(direction)
        }
        directions[direction].decryptor = decryptor
        directions[direction].trafficSecret = isApplication ? secret : []
        directions[direction].opening = .ready
    }

    /// Keys that may come after those in use, in their order.
    func laterKeys(_ direction: Direction, _ secrets: TLSSecrets?) -> [(epoch: TLSEpoch, secret: [UInt8])] {
        let epoch = directions[direction].epoch
        if epoch == .application { return nextSecret(direction).map { [(.application, $0)] } ?? [] }
        guard let secrets, handshake.negotiation.isTLS13, epoch != .clear else { return [] }
        let later: [TLSEpoch] = epoch == .early ? [.handshake, .application] : [.application]
        return later.compactMap { epoch in secrets.secret(of: epoch, isClient: direction == client).map { (epoch, $0) }
        }
    }

    private func nextSecret(_ direction: Direction) -> [UInt8]? {
        guard let suite = handshake.negotiation.suite, !directions[direction].trafficSecret.isEmpty else { return nil }
        return TLSKeySchedule.nextTrafficSecret(directions[direction].trafficSecret, digest: suite.digest)
    }

    /// KeyUpdate (RFC 8446 §4.6.3): the next generation of the sender's keys.
    func updateKeys(_ direction: Direction) {
        guard let secret = nextSecret(direction), let decryptor = handshake.negotiation.suite?.trafficDecryptor(secret)
        else {
            return
        }
        begin(.application, direction)
        directions[direction].opening = .ready
        directions[direction].decryptor = decryptor
        directions[direction].trafficSecret = secret
    }
}
