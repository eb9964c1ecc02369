import Testing
import WireNative

@testable import WireCore

@Suite("Cipher suites")
struct CipherSuiteTests {
    @Test("known suites have their registered name, cipher and hash")
    func knownSuites() throws {
        let known: [(UInt16, String, RecordCipher?, TLSDigest)] = [
            (0x0005, "TLS_RSA_WITH_RC4_128_SHA", .rc4(mac: .sha1), .sha256),
            (0x000A, "TLS_RSA_WITH_3DES_EDE_CBC_SHA", .cbc(.tripleDES, mac: .sha1), .sha256),
            (0x0018, "TLS_DH_anon_WITH_RC4_128_MD5", .rc4(mac: .md5), .sha256),
            (0x002F, "TLS_RSA_WITH_AES_128_CBC_SHA", .cbc(.aes128, mac: .sha1), .sha256),
            (0x003B, "TLS_RSA_WITH_NULL_SHA256", .null(mac: .sha256), .sha256),
            (0x003D, "TLS_RSA_WITH_AES_256_CBC_SHA256", .cbc(.aes256, mac: .sha256), .sha256),
            (0x0088, "TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA", .cbc(.camellia256, mac: .sha1), .sha256),
            (0x0096, "TLS_RSA_WITH_SEED_CBC_SHA", .cbc(.seed, mac: .sha1), .sha256),
            (0x009C, "TLS_RSA_WITH_AES_128_GCM_SHA256", .aesGCM(keyLength: 16), .sha256),
            (0x009D, "TLS_RSA_WITH_AES_256_GCM_SHA384", .aesGCM(keyLength: 32), .sha384),
            (0x00A9, "TLS_PSK_WITH_AES_256_GCM_SHA384", .aesGCM(keyLength: 32), .sha384),
            (0x1301, "TLS_AES_128_GCM_SHA256", .aesGCM(keyLength: 16), .sha256),
            (0x1302, "TLS_AES_256_GCM_SHA384", .aesGCM(keyLength: 32), .sha384),
            (0x1303, "TLS_CHACHA20_POLY1305_SHA256", .chaCha20Poly1305, .sha256),
            (0x1304, "TLS_AES_128_CCM_SHA256", .aesCCM(keyLength: 16, tagLength: 16), .sha256),
            (0x1305, "TLS_AES_128_CCM_8_SHA256", .aesCCM(keyLength: 16, tagLength: 8), .sha256),
            (0xC012, "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", .cbc(.tripleDES, mac: .sha1), .sha256),
            (0xC013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", .cbc(.aes128, mac: .sha1), .sha256),
            (0xC024, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", .cbc(.aes256, mac: .sha384), .sha384),
            (0xC02B, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", .aesGCM(keyLength: 16), .sha256),
            (0xC02F, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", .aesGCM(keyLength: 16), .sha256),
            (0xC030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", .aesGCM(keyLength: 32), .sha384),
            (0xC045, "TLS_DHE_RSA_WITH_ARIA_256_CBC_SHA384", .cbc(.aria256, mac: .sha384), .sha384),
            (0xC061, "TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384", .ariaGCM(keyLength: 32), .sha384),
            (0xC08A, "TLS_ECDHE_RSA_WITH_CAMELLIA_128_GCM_SHA256", .camelliaGCM(keyLength: 16), .sha256),
            (0xC0A0, "TLS_RSA_WITH_AES_128_CCM_8", .aesCCM(keyLength: 16, tagLength: 8), .sha256),
            (0xC0AA, "TLS_PSK_DHE_WITH_AES_128_CCM_8", .aesCCM(keyLength: 16, tagLength: 8), .sha256),
            (0xC0AD, "TLS_ECDHE_ECDSA_WITH_AES_256_CCM", .aesCCM(keyLength: 32, tagLength: 16), .sha256),
            (0xC0B4, "TLS_SHA256_SHA256", .null(mac: .sha256), .sha256),
            (0xCCA8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", .chaCha20Poly1305, .sha256),
            (0xD001, "TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256", .aesGCM(keyLength: 16), .sha256),
            (0x0003, "TLS_RSA_EXPORT_WITH_RC4_40_MD5", nil, .sha256),
        ]
        for (identifier, name, cipher, digest) in known {
            let suite = try #require(CipherSuite.find(identifier), "\(name)")
            #expect(suite.identifier == identifier)
            #expect(suite.name == name)
            #expect(suite.cipher == cipher, "\(name)")
            #expect(suite.digest == digest, "\(name)")
            #expect(suite.isTLS13 == !name.contains("_WITH_"))
        }
    }

    @Test("every row of the table is whole, and no identifier or name is there twice")
    func table() {
        let members = CipherSuite.rows.reduce(0) { $0 + $1.members.description.split(separator: " ").count }
        let suites = CipherSuite.identifiers.compactMap { CipherSuite.find($0) }
        #expect(suites.count == members)
        #expect(Set(suites.map(\.name)).count == members)
        #expect(members > 330)
        for suite in suites {
            #expect(suite.name.hasPrefix("TLS_"))
            // What the name says about the cipher, once more.
            let lengths = suite.cipher?.lengths(version: suite.isTLS13 ? 0x0304 : 0x0303)
            if suite.name.contains("_256_") { #expect(lengths?.key == 32) }
            if suite.name.contains("_128_") { #expect(lengths?.key == 16) }
            if suite.name.hasSuffix("_CBC_SHA") { #expect(lengths == nil || lengths?.macKey == 20) }
            if suite.name.hasSuffix("_CBC_SHA256") { #expect(lengths?.macKey == 32) }
            if suite.name.hasSuffix("_CBC_SHA384") { #expect(lengths?.macKey == 48) }
            if suite.name.hasSuffix("_SHA384") { #expect(suite.digest == .sha384) }
            if suite.name.contains("_GCM_") { #expect(lengths == nil || lengths?.macKey == 0) }
        }
    }

    @Test("pseudo suites and reserved values are not in the table", arguments: [0, 0x00FF, 0x5600, 0x0A0A, 0xFFFF])
    func absent(identifier: UInt16) {
        #expect(CipherSuite.find(identifier) == nil)
    }

    @Test("what is certain about a record without keys")
    func overheads() throws {
        for (identifier, version, lead, trail) in [
            (0xC02F, 0x0303, 13, 16), (0x1301, 0x0304, 5, 17), (0x1303, 0x0304, 5, 17), (0x1305, 0x0304, 5, 9),
            (0xCCA8, 0x0303, 5, 16), (0xC0A0, 0x0303, 13, 8), (0xC09C, 0x0303, 13, 16), (0x002F, 0x0303, 21, 21),
            (0x002F, 0x0302, 21, 21), (0x002F, 0x0301, 5, 21), (0x000A, 0x0303, 13, 21), (0xC028, 0x0303, 21, 49),
            (0x0005, 0x0301, 5, 20), (0x003B, 0x0303, 5, 32), (0xC0B5, 0x0304, 5, 49), (0xC061, 0x0303, 13, 16),
        ] as [(UInt16, UInt16, Int, Int)] {
            let cipher = try #require(CipherSuite.find(identifier)?.cipher)
            for encryptThenMAC in [false, true] {
                let overhead = cipher.overhead(version: version, encryptThenMAC: encryptThenMAC)
                #expect(overhead.lead == lead && overhead.trail == trail, "\(identifier) \(version)")
            }
        }
    }

    // MARK: Connections

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = text.utf8.filter { $0 != 0x20 }
        var bytes: [UInt8] = []
        _ = unsafe digits.span.bytes.appendHexadecimal(to: &bytes)
        return bytes
    }

    private static func open(
        _ decryptor: RecordDecryptor?, _ record: [UInt8], _ sequence: UInt64
    ) -> (OpenedRecord, [UInt8])? {
        var output: [UInt8] = []
        let opened = unsafe decryptor?.open(record.span.bytes, sequence: sequence, into: &output)
        return opened.map { ($0, Array(output[$0.content])) }
    }

    @Test(
        "a client's records of TLS 1.0 to 1.2 open with its master secret",
        arguments: CipherSuiteConnection.blocks + CipherSuiteConnection.others)
    func connections(connection: CipherSuiteConnection) throws {
        let suite = try #require(CipherSuite.find(connection.suite))
        let cipher = try #require(suite.cipher)
        let secrets = connection.secrets.map(Self.bytes)
        let keys = try #require(
            TLSKeySchedule.keyBlock(
                master: secrets[0], clientRandom: secrets[1], serverRandom: secrets[2], version: connection.version,
                digest: suite.digest, cipher: cipher))
        func decryptor(encryptThenMAC: Bool) -> RecordDecryptor? {
            RecordDecryptor(
                cipher, version: connection.version, key: keys.clientKey, iv: keys.clientIV,
                macKey: keys.clientMACKey, encryptThenMAC: encryptThenMAC)
        }
        let records = connection.records.map(Self.bytes)
        let sound = decryptor(encryptThenMAC: connection.encryptThenMAC)
        let finished = try #require(Self.open(sound, records[0], 0))
        #expect(finished.0.contentType == 22)
        // Finished with twelve bytes of verification (RFC 5246 §7.4.9).
        #expect(finished.1.starts(with: [20, 0, 0, 12]) && finished.1.count == 16)
        let data = try #require(Self.open(sound, records[1], 1))
        #expect(data.0.contentType == 23 && data.1 == Array("hello".utf8))
        for (opened, record) in [(finished, records[0]), (data, records[1])] {
            #expect(opened.0.lead + opened.1.count + opened.0.trail == record.count)
            let certain = cipher.overhead(
                version: connection.version, encryptThenMAC: connection.encryptThenMAC)
            #expect(opened.0.lead == certain.lead && opened.0.trail >= certain.trail)
        }
        guard case .cbc = cipher else { return }
        #expect(Self.open(decryptor(encryptThenMAC: !connection.encryptThenMAC), records[0], 0) == nil)
    }

    @Test("a client's records of TLS 1.3 open with its traffic secrets", arguments: CipherSuiteConnection.latest)
    func latestConnections(connection: CipherSuiteConnection) throws {
        let suite = try #require(CipherSuite.find(connection.suite))
        let cipher = try #require(suite.cipher)
        #expect(suite.isTLS13)
        let texts = try zip(connection.secrets, connection.records).map { secret, record in
            let traffic = try #require(
                TLSKeySchedule.trafficKey(secret: Self.bytes(secret), cipher: cipher, digest: suite.digest))
            let decryptor = RecordDecryptor(
                cipher, version: 0x0304, key: traffic.key, iv: traffic.iv, macKey: [], encryptThenMAC: false)
            let opened = try #require(Self.open(decryptor, Self.bytes(record), 0))
            let trail = cipher.overhead(version: 0x0304, encryptThenMAC: false).trail
            // Padded or not.
            let isPadded = opened.0.trail > trail
            #expect(!isPadded || (opened.1.count + 1 + opened.0.trail - trail) % 64 == 0)
            return (opened.0.contentType, opened.1)
        }
        #expect(texts[0].0 == 22 && texts[0].1.starts(with: [20, 0, 0, UInt8(suite.digest.length)]))
        #expect(texts[1].0 == 23 && texts[1].1 == Array("hello".utf8))
    }
}
