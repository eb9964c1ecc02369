import WireNative

/// A cipher suite as registered with IANA: what both endpoints agree on, and how it protects records.
struct CipherSuite: Sendable {
    let identifier: UInt16
    /// As registered, such as "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256".
    let name: String
    /// Nil: not supported, not even to count.
    let cipher: RecordCipher?
    /// Hash of the PRF of TLS 1.2 (RFC 5246 §5), or of HKDF in TLS 1.3. TLS 1.0 and 1.1 have a PRF of their own.
    let digest: TLSDigest
    let isTLS13: Bool

    /// The suite of a ServerHello; nil for one that is not in the table.
    static func find(_ identifier: UInt16) -> CipherSuite? {
        suites[identifier]
    }

    /// Suites that differ in how keys are exchanged only.
    struct Row {
        /// The end of their names.
        var ending: StaticString
        var cipher: RecordCipher?
        /// Key exchange and hexadecimal identifier of each; TLS 1.3 has no key exchange in the name.
        var members: StaticString

        init(_ ending: StaticString, _ cipher: RecordCipher?, _ members: StaticString) {
            self.ending = ending
            self.cipher = cipher
            self.members = members
        }
    }

    static let suites: [UInt16: CipherSuite] = {
        var suites: [UInt16: CipherSuite] = [:]
        for row in rows {
            for member in row.members.description.split(separator: " ") {
                let parts = member.split(separator: "=")
                guard parts.count == 2, let identifier = UInt16(parts[1], radix: 16) else { continue }
                suites[identifier] = CipherSuite(identifier, exchange: parts[0], row)
            }
        }
        return suites
    }()

    private init(_ identifier: UInt16, exchange: Substring, _ row: Row) {
        let ending = row.ending.description
        self.identifier = identifier
        isTLS13 = exchange == "-"
        name = isTLS13 ? "TLS_" + ending : "TLS_\(exchange)_WITH_\(ending)"
        cipher = row.cipher
        // SHA-256 but where the name says more; a shorter hash at the end of a name is the MAC's only.
        digest = ending.hasSuffix("SHA384") ? .sha384 : .sha256
    }
}
