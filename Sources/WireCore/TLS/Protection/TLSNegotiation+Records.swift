import WireNative

/// What of a record is no content, by what was agreed on.
extension TLSNegotiation {
    /// Bytes of a protected record that certainly are no content.
    var overhead: (lead: Int, trail: Int) {
        guard let version, let cipher = suite?.cipher, version >= ProtocolVersion.tls10 else {
            return (RecordHeader.length, 0)
        }
        return cipher.overhead(version: version, encryptThenMAC: encryptsThenMACs)
    }

    /// The same for early data, whose cipher suite is not known: the least that any possible one has.
    var earlyOverhead: (lead: Int, trail: Int) {
        let trails = earlySuites.compactMap { suite in
            suite.cipher?.overhead(version: ProtocolVersion.tls13, encryptThenMAC: false).trail
        }
        return (RecordHeader.length, trails.min() ?? 0)
    }
}
