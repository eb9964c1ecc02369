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
        guard let place = places[identifier] else { return nil }
        let row = rows[place.row]
        let exchange = Array(row.members.description.utf8)[place.exchange]
        return CipherSuite(identifier, exchange: String(decoding: exchange, as: UTF8.self), row)
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

    /// Where a suite stands in the table: its name is made when it is asked for.
    private struct Place {
        var row: Int
        /// Of the key exchange in the members' text.
        var exchange: Range<Int>
    }

    private static let places: [UInt16: Place] = {
        var places: [UInt16: Place] = [:]
        for (row, members) in rows.map({ Array($0.members.description.utf8) }).enumerated() {
            for member in members.split(separator: UInt8(ascii: " ")) {
                guard let sign = member.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let digits = String(decoding: member[(sign + 1)...], as: UTF8.self)
                guard let identifier = UInt16(digits, radix: 16) else { continue }
                places[identifier] = Place(row: row, exchange: member.startIndex..<sign)
            }
        }
        return places
    }()

    /// Of all suites in the table.
    static var identifiers: some Collection<UInt16> { places.keys }

    private init(_ identifier: UInt16, exchange: String, _ row: Row) {
        let ending = row.ending.description
        self.identifier = identifier
        isTLS13 = exchange == "-"
        name = isTLS13 ? "TLS_" + ending : "TLS_\(exchange)_WITH_\(ending)"
        cipher = row.cipher
        // SHA-256 but where the name says more; a shorter hash at the end of a name is the MAC's only.
        digest = ending.hasSuffix("SHA384") ? .sha384 : .sha256
    }
}
