import Testing
import WireTesting

@testable import WireCore

@Suite("TLS: hellos")
struct HelloTests {
    typealias Build = HelloBuilder

    private func client(_ bytes: [UInt8]) -> ClientHello? { unsafe ClientHello(bytes.span.bytes) }
    private func server(_ bytes: [UInt8]) -> ServerHello? { unsafe ServerHello(bytes.span.bytes) }

    @Test("reads a ClientHello with all that is audited")
    func readsClientHello() throws {
        let extensions =
            Build.serverName("API.Example.com") + Build.protocols(["h2", "http/1.1"])
            + Build.fieldExtension(ExtensionType.sessionTicket, [1, 2, 3])
            + Build.fieldExtension(ExtensionType.earlyData, []) + Build.fieldExtension(0x0A0A, [0])
            + Build.fieldExtension(ExtensionType.preSharedKey, [0, 0])
        let hello = try #require(client(Build.clientHello(session: [9, 9], extensions: extensions)))
        #expect(hello.random == Build.clientRandom)
        #expect(hello.sessionIdentifier == [9, 9])
        #expect(hello.suitesOfTLS13 == [0x1301])
        #expect(hello.serverName == Array("api.example.com".utf8))
        #expect(hello.protocols == [Array("h2".utf8), Array("http/1.1".utf8)])
        #expect(hello.showsTicket && hello.offersEarlyData && hello.offersPreSharedKey && !hello.isMalformed)
    }

    @Test("an empty ticket extension only asks for a ticket")
    func readsEmptyTicket() throws {
        let extensions = Build.fieldExtension(ExtensionType.sessionTicket, [])
        #expect(try #require(client(Build.clientHello(extensions: extensions))).showsTicket == false)
    }

    @Test(
        "the number of the key that a hello in the hello was encrypted with",
        arguments: [([0, 0, 1, 0, 1, 7, 0, 0], 7), ([1], nil), ([0, 0, 1], nil), ([], nil)] as [([UInt8], UInt8?)])
    func readsHelloKey(content: [UInt8], key: UInt8?) throws {
        let extensions = Build.fieldExtension(ExtensionType.encryptedClientHello, content)
        let hello = try #require(client(Build.clientHello(extensions: extensions)))
        #expect(hello.helloKey == key && !hello.isMalformed)
    }

    @Test("hellos may end before the extensions", arguments: [nil, []] as [[UInt8]?])
    func readsWithoutExtensions(extensions: [UInt8]?) throws {
        #expect(try #require(client(Build.clientHello(extensions: extensions))).isMalformed == false)
        #expect(try #require(server(Build.serverHello(extensions: extensions))).isMalformed == false)
    }

    @Test(
        "names that are none are not taken, and the hello is read all the same",
        arguments: ["", "a b", "tab\t", "caf\u{E9}", String(repeating: "x", count: 256)])
    func refusesNames(name: String) throws {
        let hello = try #require(client(Build.clientHello(extensions: Build.serverName(name))))
        #expect(hello.serverName == nil)
        #expect(!hello.isMalformed)
    }

    @Test("keeps at most 16 protocols and 8 suites")
    func limitsLists() throws {
        let names = (0..<40).map { "p\($0)" }
        let suites = (0..<100).map { 0x1300 + $0 }
        let hello = try #require(client(Build.clientHello(suites: suites, extensions: Build.protocols(names))))
        #expect(hello.protocols.count == 16)
        #expect(hello.suitesOfTLS13 == (0..<8).map { UInt16(0x1300 + $0) })
        #expect(!hello.isMalformed)
    }

    @Test("reads a ServerHello: the extension's version stands above the field's")
    func readsServerHello() throws {
        let extensions =
            Build.fieldExtension(ExtensionType.supportedVersions, [3, 4])
            + Build.fieldExtension(ExtensionType.preSharedKey, [0, 0])
        let newer = try #require(server(Build.serverHello(session: [1], suite: 0x1303, extensions: extensions)))
        #expect(newer.version == 0x0304 && newer.suite == 0x1303 && newer.selectsPreSharedKey)
        let older = try #require(
            server(
                Build.serverHello(
                    version: 0x0302, compression: 1,
                    extensions: Build.protocols(["h2"]) + Build.fieldExtension(ExtensionType.encryptThenMAC, [])
                        + Build.fieldExtension(ExtensionType.extendedMasterSecret, []))))
        #expect(older.version == 0x0302 && older.compressionMethod == 1 && older.applicationProtocol == [0x68, 0x32])
        #expect(older.encryptsThenMACs && older.hasExtendedMasterSecret && !older.isRetryRequest)
    }

    @Test("knows a HelloRetryRequest by its random")
    func readsRetryRequest() throws {
        let record = TLSTrace.rfc8448Retry.records[1].bytes
        #expect(try #require(server(Array(record[9...]))).isRetryRequest)
    }

    @Test("every prefix is refused, or read as far as it goes")
    func readsPrefixes() {
        let extensions = Build.serverName("a.test") + Build.protocols(["h2"])
        let whole = Build.clientHello(session: [1, 2], extensions: extensions)
        let fixed = 2 + 32 + 3 + 8
        for length in 0..<whole.count {
            let hello = client(Array(whole.prefix(length)))
            #expect((hello == nil) == (length < fixed), "\(length)")
            // Without its extensions a hello is whole as well.
            #expect(hello?.isMalformed ?? true == (length != fixed + 2), "\(length)")
        }
        let answer = Build.serverHello(session: [1, 2], extensions: Build.protocols(["h2"]))
        for length in 0..<answer.count {
            let hello = server(Array(answer.prefix(length)))
            #expect((hello == nil) == (length < 40), "\(length)")
            #expect(hello?.isMalformed ?? true == (length != 40), "\(length)")
        }
    }

    @Test("lying lengths and flipped bits never trap", arguments: UInt64(1)...4)
    func toleratesMutation(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let extensions = Build.serverName("a.test") + Build.protocols(["h2", "http/1.1"])
        let samples = [
            Build.clientHello(session: [1, 2], extensions: extensions), Build.serverHello(extensions: extensions),
            Array(TLSTrace.rfc8448Resumed.records[0].bytes[9...]), Build.version2Hello(challenge: Build.clientRandom),
        ]
        var read = [0, 0, 0]
        for _ in 0..<3000 {
            var bytes = random.element(samples)
            for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            if random.oneIn(3) { bytes.removeLast(random.below(bytes.count)) }
            let hellos = [
                client(bytes)?.random.count, server(bytes)?.random.count,
                unsafe ClientHello(version2: bytes.span.bytes)?.random.count,
            ]
            for (kind, length) in hellos.enumerated() where length != nil {
                #expect(length == 32)
                read[kind] += 1
            }
            _ = unsafe EncryptedExtensions(bytes.span.bytes)
        }
        #expect(read.allSatisfy { $0 > 100 }, "\(read)")
    }

    @Test("EncryptedExtensions: selected protocol, accepted early data, and what contradicts itself")
    func readsEncryptedExtensions() throws {
        let content = Build.protocols(["h2"]) + Build.fieldExtension(ExtensionType.earlyData, [])
        let bytes = Build.vector16(content)
        let extensions = try #require(unsafe EncryptedExtensions(bytes.span.bytes))
        #expect(extensions.applicationProtocol == [0x68, 0x32] && extensions.acceptsEarlyData)
        for length in 0..<bytes.count {
            let prefix = Array(bytes.prefix(length))
            #expect(unsafe EncryptedExtensions(prefix.span.bytes) == nil)
        }
    }

    @Test("SSL 2.0 framing: random, session and every prefix", arguments: [16, 24, 32])
    func readsVersion2(length: Int) throws {
        let challenge = [UInt8](1...UInt8(length))
        let record = Build.version2Hello(session: [UInt8](repeating: 7, count: 16), challenge: challenge)
        let hello = try #require(unsafe ClientHello(version2: record.span.bytes))
        #expect(hello.random == [UInt8](repeating: 0, count: 32 - length) + challenge)
        #expect(hello.sessionIdentifier.count == 16)
        for count in 0..<record.count {
            let prefix = Array(record.prefix(count))
            #expect(unsafe ClientHello(version2: prefix.span.bytes) == nil)
        }
    }
}
