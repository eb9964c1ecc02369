import Testing
import WireNative
import WireTesting

@testable import WireCore

/// Vectors of RFC 9001 Appendix A and RFC 9369 Appendix A.
@Suite("QUIC: packet protection")
struct QUICVectorTests {
    private static let clientID = QUICConnectionID(hex: QUICVectors.clientID)
    private static let serverHello =
        "02000000000600405a020000560303eefce7f7b37ba1d1632e96677825ddf73988cfc79825df566dc5430b9a045a1200130100002e"
        + "00330024001d00209d3c940d89690b84d08a60993c144eca684d1081287c834d5311bcf32bb9da1a002b00020304"
    private static let serverInitials: [(QUICVersion, String)] = [
        (
            .version1,
            "cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a5816b6394100f37a1c69797554780bb38cc5a99f"
                + "5ede4cf73c3ec2493a1839b3dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73cc3f3bded74b562bfb19fb84022f8ef4cdd93795"
                + "d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc42158407dd074ee"
        ),
        (
            .version2,
            "dc6b3343cf0008f067a5502a4262b5004075d92faaf16f05d8a4398c47089698baeea26b91eb761d9b89237bbf87263017915358"
                + "230035f7fd3945d88965cf17f9af6e16886c61bfc703106fbaf3cb4cfa52382dd16a393e42757507698075b2c984c707f0a0812d"
                + "8cd5a6881eaf21ceda98f4bd23f6fe1a3e2c43edd9ce7ca84bed8521e2e140"
        ),
    ]

    private static func open(_ bytes: [UInt8], _ keys: inout QUICKeys) -> [UInt8]? {
        let span = unsafe bytes.span.bytes
        guard let packet = QUICPacket(span, at: 0, length: bytes.count, shortIDLength: 0),
            packet.range == 0..<bytes.count
        else { return nil }
        var output: [UInt8] = []
        let opened = keys.open(
            span, numberOffset: packet.numberOffset, largest: nil, isShort: packet.kind == .short, into: &output)
        return opened.map { Array(output[..<$0.count]) }
    }

    private static func protection(_ cipher: QUICCipher, _ secret: [UInt8]) -> QUICHeaderProtection? {
        guard let secret = QUICSecret(cipher, secret, prefix: "quic ") else { return nil }
        return QUICHeaderProtection(secret)
    }

    private static func keys(_ version: QUICVersion, isClient: Bool) -> QUICKeys? {
        let derivation = QUICInitialDerivation()
        return QUICInitialSecret(clientID, version, derivation).flatMap {
            QUICKeys($0, isClient: isClient, derivation)
        }
    }

    @Test("secrets and keys of Initial packets are those of the appendix", arguments: 0..<2)
    func derivesInitialKeys(index: Int) throws {
        let version = QUICVersion.allCases[index]
        let first = try #require(
            QUICInitialDerivation().extract(salt: version.initialSalt, keyingMaterial: Self.clientID.bytes))
        for expected in QUICVectors.initialKeys[index] {
            func expand(_ secret: [UInt8], _ label: String, _ length: Int) -> [UInt8]? {
                TLSKeySchedule.expandLabel(
                    secret: secret, label: label, context: [], length: length, digest: .sha256)
            }
            let secret = try #require(expand(first, expected.label, 32))
            #expect(secret == [UInt8](hex: expected.secret))
            #expect(expand(secret, version.labelPrefix + "key", 16) == [UInt8](hex: expected.key))
            #expect(expand(secret, version.labelPrefix + "iv", 12) == [UInt8](hex: expected.iv))
            #expect(expand(secret, version.labelPrefix + "hp", 16) == [UInt8](hex: expected.header))
        }
    }

    @Test("the client's Initial opens, with its ClientHello and its padding", arguments: 0..<2)
    func opensClientInitial(index: Int) throws {
        let bytes = [UInt8](hex: QUICVectors.clientInitials[index])
        #expect(bytes.count == 1200)
        var keys = try #require(Self.keys(QUICVersion.allCases[index], isClient: true))
        let content = try #require(Self.open(bytes, &keys))
        let frame = [UInt8](hex: QUICVectors.clientHello)
        #expect(Array(content.prefix(frame.count)) == frame)
        #expect(content.count == 1162 && content.dropFirst(frame.count).allSatisfy { $0 == 0 })
        var others = try #require(Self.keys(QUICVersion.allCases[1 - index], isClient: true))
        #expect(Self.open(bytes, &others) == nil)
    }

    @Test("a Retry proves by its tag which Initial it answers", arguments: 0..<2)
    func checksRetry(index: Int) {
        let bytes = [UInt8](hex: QUICVectors.retries[index])
        let version = QUICVersion.allCases[index]
        var keys = QUICInitialKeys(QUICInitialDerivation())
        func answers(_ bytes: [UInt8], _ version: QUICVersion) -> Bool? {
            unsafe keys.answers(bytes.span.bytes, version)
        }
        #expect(answers(bytes, version) == nil)
        _ = keys.add(QUICConnectionID(hex: "8394c8f03e515709"))
        #expect(answers(bytes, version) == false)
        _ = keys.add(Self.clientID)
        #expect(answers(bytes, version) == true)
        #expect(answers(bytes, QUICVersion.allCases[1 - index]) == false)
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 1
            #expect(answers(damaged, version) == false, "byte \(place)")
        }
        #expect(answers(Array(bytes.prefix(10)), version) == false)
    }

    @Test("the server's Initial opens with keys that anybody can make", arguments: 0..<2)
    func opensServerInitial(index: Int) throws {
        let (version, text) = Self.serverInitials[index]
        let bytes = [UInt8](hex: text)
        var keys = try #require(Self.keys(version, isClient: false))
        #expect(Self.open(bytes, &keys) == [UInt8](hex: Self.serverHello))
        let span = unsafe bytes.span.bytes
        let read = QUICPacket(span, at: 0, length: bytes.count, shortIDLength: 0)
        let packet = try #require(read)
        #expect(packet.kind == .initial && packet.token.isEmpty && packet.destination.isEmpty)
        let source = QUICConnectionID(span, packet.source).bytes
        #expect(source == [UInt8](hex: "f067a5502a4262b5"))
        var others = try #require(Self.keys(version, isClient: true))
        #expect(Self.open(bytes, &others) == nil)
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 0x10
            #expect(Self.open(damaged, &keys) == nil, "byte \(place)")
        }
    }

    @Test("a ChaCha20 packet with a short header opens, and its number is the whole one", arguments: 0..<2)
    func opensChaCha20(index: Int) throws {
        let texts = [
            "4cfe4189655e5cd55c41f69080575d7999c25a5bfb", "5558b1c60ae7b6b932bc27d786f4bc2bb20f2162ba",
        ]
        let secret = [UInt8](hex: "9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b")
        var keys = try #require(QUICKeys(.chaCha20Poly1305, secret: secret, QUICVersion.allCases[index]))
        let bytes = [UInt8](hex: texts[index])
        var output: [UInt8] = []
        let opened = keys.open(
            unsafe bytes.span.bytes, numberOffset: 1, largest: 654_360_563, isShort: true, into: &output)
        #expect(opened?.number == 654_360_564 && opened?.count == 1 && output[0] == 1)
    }

    @Test("the mask of a client's Initial is that of the appendix")
    func masks() throws {
        let secret = [UInt8](hex: "c00cf151ca5be075ed0ebfb5c80323c42d6b7db67881289af4008f1f6c357aea")
        let protection = try #require(Self.protection(.aes128GCM, secret))
        let sample = [UInt8](hex: "d1b1c98dd7689fb8ec11d242b123dc9b")
        #expect(unsafe protection.mask(sample.span.bytes, sampleAt: 0) == 0x43_7B9A_EC36)
        #expect(unsafe protection.mask(sample.span.bytes, sampleAt: 1) == nil)
        #expect(Self.protection(.aes256GCM, secret) == nil)
    }

    @Test("packet numbers are those nearest to the expected one")
    func numbers() {
        // RFC 9000 §A.3.
        #expect(QUICKeys.number(0x9B32, bits: 16, largest: 0xA82F_30EA) == 0xA82F_9B32)
        #expect(QUICKeys.number(0, bits: 8, largest: nil) == 0)
        #expect(QUICKeys.number(0, bits: 8, largest: 255) == 256)
        #expect(QUICKeys.number(255, bits: 8, largest: 256) == 255)
        #expect(QUICKeys.number(0xFF, bits: 8, largest: (1 << 62) - 2) < 1 << 62)
    }
}

extension QUICConnectionID {
    init(hex text: String) {
        let bytes = [UInt8](hex: text)
        self.init(unsafe bytes.span.bytes, 0..<bytes.count)
    }
}

extension [UInt8] {
    /// Bytes of pairs of hexadecimal digits.
    init(hex text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
