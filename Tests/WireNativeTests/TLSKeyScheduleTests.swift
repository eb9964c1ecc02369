import Testing

@testable import WireNative

enum HexadecimalText {
    /// The bytes of hexadecimal digits.
    static func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

@Suite("Key schedules of TLS")
struct TLSKeyScheduleTests {
    private func hex(_ text: String) -> [UInt8] { HexadecimalText.bytes(text) }

    @Test("secrets of TLS 1.3 as in RFC 8448 §3")
    func derivedSecrets() {
        let handshake = hex("1dc826e93606aa6fdc0aadc12f741b01046aa6b99f691ed221a9f0ca043fbeac")
        let master = hex("18df06843d13a08bf2a449844c5f8a478001bc4d4c627984d5a41da8d0402919")
        let hello = hex("860c06edc07858ee8e78f0e7428c58edd6b43f2ca3e6e95f02ed063cf0e1cad8")
        let finished = hex("9608102a0f1ccc6db6250b7b7e417b1a000eaada3daae4777a7686c9ff83df13")
        for (secret, label, context, expected) in [
            (handshake, "c hs traffic", hello, "b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21"),
            (handshake, "s hs traffic", hello, "b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38"),
            (master, "c ap traffic", finished, "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5"),
            (master, "s ap traffic", finished, "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643"),
        ] {
            let derived = TLSKeySchedule.expandLabel(
                secret: secret, label: label, context: context, length: 32, digest: .sha256)
            #expect(derived == hex(expected), "\(label)")
        }
    }

    @Test("keys and IVs of TLS 1.3 as in RFC 8448 §3 and §4")
    func trafficKeys() {
        for (secret, key, iv) in [
            (
                "b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38",
                "3fce516009c21727d0f2e4e86ee403bc", "5d313eb2671276ee13000b30"
            ),
            (
                "b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21",
                "dbfaa693d1762c5b666af5d950258d01", "5bd3c71b836e0b76bb73265f"
            ),
            (
                "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643",
                "9f02283b6c9c07efc26bb9f2ac92e356", "cf782b88dd83549aadf1e984"
            ),
            (
                "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5",
                "17422dda596ed5d9acd890e3c63f5051", "5b78923dee08579033e523d9"
            ),
            (
                "3fbbe6a60deb66c30a32795aba0eff7eaa10105586e7be5c09678d63b6caab62",
                "920205a5b7bf2115e6fc5c2942834f54", "6d475f0993c8e564610db2b9"
            ),
        ] {
            let traffic = TLSKeySchedule.trafficKey(
                secret: hex(secret), cipher: .aesGCM(keyLength: 16), digest: .sha256)
            #expect(traffic?.key == hex(key))
            #expect(traffic?.iv == hex(iv))
        }
    }

    @Test("a KeyUpdate of OpenSSL's: records before and behind it open")
    func keyUpdate() throws {
        let first = hex(
            "839bcb306546f5b0383f7ebe4786c17bc9c3d997900a7ae7a1db52ac01e7e0e7277f9dd2dbe7040c208617840c030285")
        let second = try #require(TLSKeySchedule.nextTrafficSecret(first, digest: .sha384))
        var output: [UInt8] = []
        func open(_ secret: [UInt8], _ record: String, _ sequence: UInt64) -> [UInt8]? {
            let cipher = RecordCipher.aesGCM(keyLength: 32)
            guard let traffic = TLSKeySchedule.trafficKey(secret: secret, cipher: cipher, digest: .sha384) else {
                return nil
            }
            let decryptor = RecordDecryptor(
                cipher, version: 0x0304, key: traffic.key, iv: traffic.iv, macKey: [], encryptThenMAC: false)
            return decryptor?.open(hex(record), sequence, into: &output).map { Array(output[$0.content]) }
        }
        #expect(open(first, "1703030017f18c1a829739b7587079ecfe7b990a8dce62d673597f55", 0) == Array("before".utf8))
        // A KeyUpdate message without request (RFC 8446 §4.6.3).
        #expect(open(first, "1703030016417dda3021c693787082e29a8f1a32c7d401c946a2ef", 1) == [24, 0, 0, 1, 0])
        let behind = "170303001657c0c8c15f9b100bdfcfb3abf40257deb9bec6a1c1b1"
        #expect(open(first, behind, 2) == nil)
        #expect(open(second, behind, 0) == Array("after".utf8))
    }

    @Test("the PRF of TLS 1.2 with SHA-256 and SHA-384")
    func pseudorandom() {
        for (digest, secret, seed, expected) in [
            (
                .sha256, "9bbe436ba940f017b17652849a71db35", "a0ba9f936cda311827a6f796ffd5198c",
                """
                e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e \
                14baf9af0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5 \
                a72e5a5110fff70187347b66
                """
            ),
            (
                .sha384, "b80b733d6ceefcdc71566ea48e5567df", "cd665cf6a8447dd6ff8b27555edb7465",
                """
                7b0c18e9ced410ed1804f2cfa34a336a1c14dffb4900bb5fd7942107e81c83cde9ca0faa60be9fe34f82b123 \
                3c9146a0e534cb400fed2700884f9dc236f80edd8bfa961144c9e8d792eca722a7b32fc3d416d473ebc2c5fd \
                4abfdad05d9184259b5bf8cd4d90fa0d31e2dec479e4f1a26066f2eea9a69236a3e52655c9e9aee691c8f3a2 \
                6854308d5eaa3be85e0990703d73e56f
                """
            ),
        ] as [(TLSDigest, String, String, String)] {
            let expected = hex(expected)
            for length in [1, 16, 33, expected.count] {
                let result = TLSKeySchedule.pseudorandom(
                    secret: hex(secret), label: "test label", seed: hex(seed), length: length, 0x0303, digest)
                #expect(result == Array(expected[..<length]))
            }
        }
    }

    struct MasterCase: Sendable, CustomStringConvertible {
        var version: UInt16
        var digest: TLSDigest
        var isExtended: Bool
        var premaster: String
        var sessionHash: String
        var clientRandom: String
        var serverRandom: String
        var master: String

        var description: String { "version \(version), \(digest)\(isExtended ? ", extended" : "")" }
    }

    @Test("master secrets of connections to OpenSSL, whose premaster secret its RSA key opened", arguments: masters)
    func masterSecrets(example: MasterCase) {
        let plain = TLSKeySchedule.masterSecret(
            premaster: hex(example.premaster), clientRandom: hex(example.clientRandom),
            serverRandom: hex(example.serverRandom), version: example.version, digest: example.digest)
        let extended = TLSKeySchedule.extendedMasterSecret(
            premaster: hex(example.premaster), sessionHash: hex(example.sessionHash), version: example.version,
            digest: example.digest)
        #expect(plain?.count == 48 && extended?.count == 48)
        #expect((plain == hex(example.master)) == !example.isExtended)
        #expect((extended == hex(example.master)) == example.isExtended)
    }

    @Test("hashes of handshake messages by version")
    func sessionHashes() {
        let text = Array("abc".utf8)
        let short = hex("900150983cd24fb0d6963f7d28e17f72a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(TLSKeySchedule.sessionHash(of: text, version: 0x0301, digest: .sha256) == short)
        #expect(TLSKeySchedule.sessionHash(of: text, version: 0x0302, digest: .sha384) == short)
        #expect(
            TLSKeySchedule.sessionHash(of: text, version: 0x0303, digest: .sha256)
                == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(TLSKeySchedule.sessionHash(of: text, version: 0x0303, digest: .sha384)?.count == 48)
        #expect(TLSKeySchedule.sessionHash(of: [], version: 0x0303, digest: .sha256)?.count == 32)
    }

    @Test("lengths that make no sense give nothing, and nothing traps")
    func refusals() {
        func expand(_ secret: [UInt8], _ label: String, _ context: [UInt8], _ length: Int) -> [UInt8]? {
            TLSKeySchedule.expandLabel(
                secret: secret, label: label, context: context, length: length, digest: .sha256)
        }
        let secret = [UInt8](repeating: 1, count: 32)
        #expect(expand(secret, "key", [], 16)?.count == 16)
        #expect(expand(secret, "key", [], 0) == [])
        #expect(expand(secret, "key", [], -1) == nil)
        #expect(expand(secret, "key", [], 0x10000) == nil)
        #expect(expand(secret, "key", [], 256 * 32) == nil)
        #expect(expand(secret, String(repeating: "x", count: 250), [], 16) == nil)
        #expect(expand(secret, "key", [UInt8](repeating: 0, count: 256), 16) == nil)
        #expect(expand(secret, "key", [UInt8](repeating: 0, count: 255), 16)?.count == 16)
        for length in 0..<100 {
            let odd = [UInt8](repeating: 1, count: length)
            _ = expand(odd, "key", [], 16)
            _ = TLSKeySchedule.nextTrafficSecret(odd, digest: .sha384)
            _ = TLSKeySchedule.masterSecret(
                premaster: odd, clientRandom: odd, serverRandom: [], version: 0x0303, digest: .sha256)
            _ = TLSKeySchedule.extendedMasterSecret(
                premaster: odd, sessionHash: odd, version: 0x0301, digest: .sha256)
        }
        for version: UInt16 in [0x0300, 0x0304, 0, 0xFFFF] {
            let keys = TLSKeySchedule.keyBlock(
                master: secret, clientRandom: secret, serverRandom: secret, version: version, digest: .sha256,
                cipher: .aesGCM(keyLength: 16))
            #expect(keys == nil)
        }
    }

    @Test("a key block is cut in the order of RFC 5246 §6.3")
    func keyBlockOrder() throws {
        let master = [UInt8](repeating: 9, count: 48)
        let client = [UInt8](repeating: 1, count: 32)
        let server = [UInt8](repeating: 2, count: 32)
        for (cipher, version) in [
            (.cbc(.aes128, mac: .sha1), 0x0301), (.cbc(.tripleDES, mac: .sha1), 0x0302),
            (.aesGCM(keyLength: 32), 0x0303), (.chaCha20Poly1305, 0x0303), (.null(mac: .sha256), 0x0303),
        ] as [(RecordCipher, UInt16)] {
            let keys = try #require(
                TLSKeySchedule.keyBlock(
                    master: master, clientRandom: client, serverRandom: server, version: version, digest: .sha384,
                    cipher: cipher))
            let parts = [
                keys.clientMACKey, keys.serverMACKey, keys.clientKey, keys.serverKey, keys.clientIV, keys.serverIV,
            ]
            let lengths = cipher.lengths(version: version)
            let expected = [lengths.macKey, lengths.macKey, lengths.key, lengths.key, lengths.iv, lengths.iv]
            #expect(parts.map(\.count) == expected)
            let block = TLSKeySchedule.pseudorandom(
                secret: master, label: "key expansion", seed: server + client, length: expected.reduce(0, +), version,
                .sha384)
            #expect(parts.flatMap(\.self) == block)
        }
    }

    static let masters = [
        MasterCase(
            version: 0x0301, digest: .sha256, isExtended: true,
            premaster:
                "0301c1291d9d014e85a73ccd84052a8273c3c586cf11a97ab23331ed32160b068e35bb49d432c61d0efed91f16e659da",
            sessionHash:
                "5371238b1b66395420d9c800c04ba84d82121aff812b493b98b65e7e483a7e3f4a15730b",
            clientRandom: "14ec2ca94c56e14442f7b7930b5ba4d6e0943dfedde2bcc7518adc6d9b70284c",
            serverRandom: "7e0aa6d72dd4134180246ae6cef37f8149c5d0203d02af8a696c8a7f452dd52f",
            master:
                "029d964c8ce02afaad9b119494b14389ce87c3a18296374af9f430a30388753e760e84886128db944b968c6ce4010998"),
        MasterCase(
            version: 0x0301, digest: .sha256, isExtended: false,
            premaster:
                "0301dd2fece8d1596d9ff802a633f03bba63509345a86041d0d598fc1023a4a43873d515c3943f7b25afbfc4d70888ad",
            sessionHash:
                "b5cf81a4a5cd31b7349120ea87128e79f7a666d432945cd885e55b901d9606d7af56ad8e",
            clientRandom: "d9d8f25249286381b5922f4280382d2887341e8ac4944f19b75efa77847ea66a",
            serverRandom: "396ea19982bc3014dc6dc7d7b0a7cd845c9308e0c257de2333421fdee9034e3f",
            master:
                "14d7024a44cb4a779be3aa797e2f749c3be49fdfa378741a76d87fae8db8fca671cf1fab538ad3aba633bb10816f59a1"),
        MasterCase(
            version: 0x0303, digest: .sha256, isExtended: true,
            premaster:
                "0303116ddadec719c2054e6170023963fbffb3b7f09228a3631686723c518ae650e2542f788f87e3d95b4a888f822ed5",
            sessionHash:
                "7edf659e3d98df5a9d1778ca26f9d3f72f8bfcd8edc5162acdf5a205bfdb7e9b",
            clientRandom: "4da8b081fdc83e57af15acd2ebcda6dde1064bd80ccfe0e09b4ba041631013c1",
            serverRandom: "ba13ec0ec14af7b05d0a57d572aa93e59c1a7f7412b26e3a0c8ddd50771aa32a",
            master:
                "268fa2db63e761f9d55ae9a99e76f342b5568062cbbd7560c998e4a9d8d78d88491d9a1ba25bf4c5d9f08138b07bef89"),
        MasterCase(
            version: 0x0303, digest: .sha256, isExtended: false,
            premaster:
                "03032050fc3a8cd9ddfe2dd9aa3b5cba2b74bcaf0612983ba6e8662604529492895992868c52ee7bdad7fbddf952e582",
            sessionHash:
                "b7ae51d2649b0c3ec8122a110d529aa3fc5406a60ee259900e4ab8cb536d948e",
            clientRandom: "60b5f6358a1122c4da790fa9c11f68716d88db1362e7b4e1e4fd658310365a56",
            serverRandom: "ab26113ec17dcf3c97292fe3c7c524dd0fa524dc1a5fae177d224fe804682e0a",
            master:
                "d1c3dc6226a463591e7e690b1a786cbac7e08524ea0ea053d30b66f35fb99bdf006e51b7e0b2343daa1effae7e28bf9a"),
        MasterCase(
            version: 0x0303, digest: .sha384, isExtended: true,
            premaster:
                "0303ad2a2f2d9393a70977ad2005ede612b27aee25b8c52533ecc76fe7c5ac58fd1c07deba7af51f1747dbc93d91bdd4",
            sessionHash:
                "5daf902daaa0d8620634f87d85a2828b269b4f53f7ec67cd617100bed542a067e8488ebb15e6e6bc7241cf04aa817466",
            clientRandom: "308d48b9de07c4ac7e69fc9295b913885fdaf6a737b4a15c5be1d15108db4b14",
            serverRandom: "9888120411dd633a2e078822e62a4dbd9b5529a74ce1b8ace622e6a39ad7ead4",
            master:
                "e4d3dccc77aa79205fa45361383baa631f6b985da7d17a544a476a08d43fc83bf3e160642f838f4a14f673151439f87d"),
        MasterCase(
            version: 0x0303, digest: .sha384, isExtended: false,
            premaster:
                "0303477d23c1f1c692d813b62cf10895eda658d84b9b8c339b11821007e3d9ffca16167471808ac832b5e00d137d7737",
            sessionHash:
                "fd7f5d3478b602d0fda16e91479ef2bde8e14a7629d19807e804d4181391bdd3426bd7080257fef59c0e60f91fd40ef7",
            clientRandom: "7d7f5ad08e2d1ff5118aa3ba00ed0130b9d6d415e37d1d547744fe5112f229ca",
            serverRandom: "cf61cee01462715c7aea828344f46cf2201b9e439e9c7c748c53bc9439d73720",
            master:
                "e57a6986d6306ff4a9e376760659efe9681ae47bf2040f1a4268c3985154b391af4616d47e5144657dc0ba173c094277"),
    ]
}
