import Testing
import WireNative
import WireTesting

@Suite("Padding, chaining and limits of TLS records")
struct TLSRecordPaddingTests {
    typealias Protection = TLSRecordSealer.Protection

    private static func open(_ sealer: TLSRecordSealer, _ record: [UInt8]) -> OpenedRecord? {
        var output: [UInt8] = []
        return sealer.decryptor()?.open(record, 0, into: &output)
    }

    @Test(
        "padding bytes must all be right though the MAC is",
        arguments: Protection.all.filter { if case .cbc = $0.cipher { true } else { false } })
    func blockPadding(protection: Protection) {
        guard case .cbc(let block, let digest) = protection.cipher else {
            Issue.record("no cipher in blocks")
            return
        }
        var sealer = TLSRecordSealer(protection, seed: 1)
        let content: [UInt8] = [1, 2, 3]
        let mac = protection.encryptThenMAC ? [] : sealer.mac(digest, 23, content, 0)
        let needed = block.blockLength - 1 - (content + mac).count % block.blockLength
        for blocks in [0, 1, (255 - needed) / block.blockLength] {
            let count = needed + blocks * block.blockLength
            let padding = [UInt8](repeating: UInt8(count), count: count + 1)
            let sound = sealer.seal(23, content, sequence: 0, plain: content + mac + padding)
            #expect(Self.open(TLSRecordSealer(protection, seed: 1), sound)?.content == 0..<3)
            for index in [0, count / 2, count - 1, count] where index >= 0 {
                var sealer = TLSRecordSealer(protection, seed: 1)
                var wrong = padding
                wrong[index] ^= 0x40
                let record = sealer.seal(23, content, sequence: 0, plain: content + mac + wrong)
                #expect(Self.open(sealer, record) == nil, "byte \(index) of \(count + 1)")
            }
            sealer = TLSRecordSealer(protection, seed: 1)
        }
        // More padding than there is room for.
        let all = [UInt8](repeating: 0xFF, count: 2 * block.blockLength)
        let record = sealer.seal(23, content, sequence: 0, plain: all)
        #expect(Self.open(TLSRecordSealer(protection, seed: 1), record) == nil)
    }

    @Test(
        "in TLS 1.3 the type is what is in front of the zeros",
        arguments: Protection.all.filter { $0.version == 0x0304 })
    func innerType(protection: Protection) {
        var sealer = TLSRecordSealer(protection, seed: 1)
        let zeros = [UInt8](repeating: 0, count: 1000)
        for (inner, content, type) in [
            ([22], 0, 22), ([22] + zeros, 0, 22), ([0, 22], 1, 22), ([0, 0, 21] + zeros, 2, 21),
            (zeros + [23], 1000, 23),
        ] as [([UInt8], Int, UInt8)] {
            let opened = Self.open(sealer, sealer.seal(23, [], sequence: 0, plain: inner))
            #expect(opened?.content == 0..<content)
            #expect(opened?.contentType == type)
            let tag = protection.cipher.overhead(version: 0x0304, encryptThenMAC: false).trail - 1
            #expect(opened?.trail == inner.count - content + tag)
        }
        for inner in [[], [0], zeros] as [[UInt8]] {
            #expect(Self.open(sealer, sealer.seal(23, [], sequence: 0, plain: inner)) == nil)
        }
    }

    @Test("TLS 1.0 goes on behind a record that was skipped, and behind one that was tried in vain")
    func chaining() throws {
        for isSplit in [false, true] {
            let protection = Protection(
                cipher: .cbc(.aes128, mac: .sha1), version: 0x0301, encryptThenMAC: isSplit)
            var sealer = TLSRecordSealer(protection, seed: 1)
            let decryptor = try #require(sealer.decryptor())
            let records = (0..<4).map { sealer.seal(23, [UInt8($0)], sequence: UInt64($0)) }
            var output: [UInt8] = []
            #expect(decryptor.open(records[1], 1, into: &output) == nil)
            #expect(decryptor.open(records[0], 0, into: &output) != nil)
            #expect(decryptor.open(records[1], 9, into: &output) == nil)
            decryptor.skip(records[1])
            #expect(decryptor.open(records[2], 2, into: &output) != nil)
            decryptor.skip(Array(records[1].dropLast()))
            #expect(decryptor.open(records[3], 3, into: &output) != nil)
        }
    }

    @Test("what no version has, and what libcrypto lacks, gives no decryptor")
    func unsupported() {
        let protections: [(RecordCipher, UInt16)] = [
            (.aesGCM(keyLength: 16), 0x0302), (.chaCha20Poly1305, 0x0301), (.cbc(.aes128, mac: .sha1), 0x0304),
            (.cbc(.aes128, mac: .sha1), 0x0300), (.null(mac: .sha256), 0x0304), (.rc4(mac: .sha1), 0x0303),
            (.camelliaGCM(keyLength: 16), 0x0303), (.cbc(.seed, mac: .sha1), 0x0303),
            (.cbc(.idea, mac: .sha1), 0x0301), (.cbc(.des, mac: .md5), 0x0301), (.aesGCM(keyLength: 24), 0x0303),
            (.aesCCM(keyLength: 16, tagLength: 7), 0x0303), (.aesGCM(keyLength: 16), 0x0305),
            (.aesGCM(keyLength: 16), 0xFEFD),
        ]
        for (cipher, version) in protections {
            let sealer = TLSRecordSealer(Protection(cipher: cipher, version: version), seed: 1)
            #expect(sealer.decryptor() == nil, "\(cipher) \(version)")
        }
    }

    @Test("keys of other lengths give no decryptor")
    func keyLengths() {
        for protection in Protection.all {
            let sealer = TLSRecordSealer(protection, seed: 1)
            func decryptor(_ key: [UInt8], _ iv: [UInt8], _ macKey: [UInt8]) -> RecordDecryptor? {
                RecordDecryptor(
                    protection.cipher, version: protection.version, key: key, iv: iv, macKey: macKey,
                    encryptThenMAC: false)
            }
            #expect(decryptor(sealer.key, sealer.iv, sealer.macKey) != nil)
            #expect(decryptor(sealer.key + [0], sealer.iv, sealer.macKey) == nil)
            #expect(decryptor(sealer.key, sealer.iv + [0], sealer.macKey) == nil)
            #expect(decryptor(sealer.key, sealer.iv, sealer.macKey + [0]) == nil)
        }
    }

    @Test("no text of what holds keys shows a key")
    func secrecy() throws {
        let keys = try #require(
            TLSKeySchedule.keyBlock(
                master: [UInt8](repeating: 0x77, count: 48), clientRandom: [UInt8](repeating: 1, count: 32),
                serverRandom: [UInt8](repeating: 2, count: 32), version: 0x0303, digest: .sha256,
                cipher: .aesGCM(keyLength: 16)))
        let decryptor = try #require(
            TLSRecordSealer(Protection(cipher: .aesGCM(keyLength: 16), version: 0x0304), seed: 1).decryptor())
        for value in [keys, decryptor, Optional(keys) as Any, [keys]] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, String(describing: value), String(reflecting: value), "\(value)"] {
                #expect(!text.contains("0x") && !text.contains("[\(keys.clientKey[0])"))
                #expect(!text.contains("\(keys.clientKey[0]), \(keys.clientKey[1])"))
                #expect(!text.contains("- \(keys.clientKey[0])\n"))
            }
        }
    }
}
