import Testing
import WireNative
import WireTesting

@testable import WireCore

@Suite("Certificate chains")
struct CertificateChainTests {
    typealias Build = HelloBuilder
    typealias Fixtures = CertificateFixtures

    private struct Case: CustomTestStringConvertible {
        var testDescription: String
        var certificates: [[UInt8]]
        var uses: [CertificateChain.Use]
    }

    private static let (leaf, intermediate, root) = (Fixtures.leaf, Fixtures.intermediate, Fixtures.root)

    private static let cases = [
        Case(testDescription: "no more than needed", certificates: [leaf, intermediate], uses: [.path, .path]),
        Case(testDescription: "a root", certificates: [leaf, intermediate, root], uses: [.path, .path, .root]),
        Case(
            testDescription: "a repetition", certificates: [leaf, intermediate, leaf, intermediate],
            uses: [.path, .path, .repetition, .repetition]),
        Case(
            testDescription: "an unrelated one", certificates: [leaf, Fixtures.other, intermediate],
            uses: [.path, .unrelated, .path]),
        Case(
            testDescription: "in another order", certificates: [leaf, root, intermediate], uses: [.path, .root, .path]),
        Case(testDescription: "signed by itself, and alone", certificates: [Fixtures.rsa], uses: [.path]),
        Case(testDescription: "the path is broken", certificates: [leaf, root], uses: [.path, .unrelated]),
    ]

    private func read(
        _ certificates: [[UInt8]], isTLS13: Bool = true, codings: [CertificateCoding] = []
    ) -> CertificateChain? {
        let body = Fixtures.message(certificates, isTLS13: isTLS13)
        return unsafe CertificateChain(body.span.bytes, isTLS13: isTLS13, codings: codings)
    }

    @Test("each certificate has its use, and its bytes as sent", arguments: cases, [true, false])
    private func uses(_ one: Case, isTLS13: Bool) throws {
        let chain = try #require(read(one.certificates, isTLS13: isTLS13))
        #expect(chain.parts.map(\.use) == one.uses)
        #expect(chain.parts.map(\.bytes) == one.certificates.map { $0.count + (isTLS13 ? 5 : 3) })
        let path = chain.parts.filter { $0.use == .path }.reduce(0) { $0 + $1.bytes }
        #expect(chain.unneeded == chain.parts.reduce(0) { $0 + $1.bytes } - path)
    }

    @Test("what the offered algorithms make of a message is what it saves; without an offer Brotli is tried")
    func compression() throws {
        let certificates = [Self.leaf, Self.intermediate, Self.root]
        let sent = Fixtures.message(certificates, isTLS13: true)
        let needed = Fixtures.message([Self.leaf, Self.intermediate], isTLS13: true)
        for coding in CertificateCoding.allCases {
            let saving = try #require(read(certificates, codings: [coding])?.compression)
            let sizes = try (#require(coding.size(of: sent)), #require(coding.size(of: needed)))
            #expect(sizes.0 < sent.count && sizes.1 < sizes.0)
            #expect(saving.isOffered && saving.saving == sent.count - 8 - sizes.0)
            #expect(saving.savingOfNeeded == needed.count - 8 - sizes.1)
        }
        let supposed = try #require(read(certificates)?.compression)
        let brotli = try #require(read(certificates, codings: [.brotli])?.compression)
        #expect(!supposed.isOffered && supposed.saving == brotli.saving)
        #expect(read(certificates, isTLS13: false)?.compression == nil)
    }

    @Test("keys and signatures of RSA are held against those of P-256")
    func elliptic() throws {
        // A key of 2,048 bits: 294 bytes with its algorithm, and 256 of signature.
        #expect(read([Fixtures.rsa])?.ellipticSaving == 294 - 91 + 256 - 71)
        #expect(read([Self.leaf, Self.intermediate])?.ellipticSaving == 0)
    }

    @Test("a message that is cut or changed anywhere gives a chain or none, and never traps", arguments: [true, false])
    func malformed(isTLS13: Bool) {
        let body = Fixtures.message([Self.leaf, Self.intermediate], isTLS13: isTLS13)
        for end in body.indices {
            let cut = Array(body[..<end])
            #expect(unsafe CertificateChain(cut.span.bytes, isTLS13: isTLS13, codings: []) == nil)
        }
        for end in 1..<Self.leaf.count {
            #expect(read([Array(Self.leaf[..<end]), Self.intermediate], isTLS13: isTLS13) == nil)
        }
        #expect(read([Self.leaf + [0]], isTLS13: isTLS13) == nil)
        var changed = body
        for index in body.indices {
            for bit: UInt8 in [1, 0x80] {
                changed[index] ^= bit
                let chain = unsafe CertificateChain(changed.span.bytes, isTLS13: false, codings: [])
                #expect((chain?.unneeded ?? 0) <= body.count)
                changed[index] = body[index]
            }
        }
        #expect(read([], isTLS13: isTLS13) == nil)
        #expect(read([[UInt8]](repeating: Self.leaf, count: 33), isTLS13: isTLS13) == nil)
    }

    private static func codings(_ numbers: [Int]) -> [UInt8] {
        Build.fieldExtension(ExtensionType.compressCertificate, Build.vector8(numbers.flatMap(Build.two)))
    }

    /// Gives a handshake two hellos and a Certificate message.
    private func handshake(isTLS13: Bool, offer: [UInt8], reads: Bool = true) -> TLSHandshake {
        let handshake = TLSHandshake(keys: nil, certificates: reads ? CertificateReader() : nil)
        let version = isTLS13 ? Build.fieldExtension(ExtensionType.supportedVersions, [3, 4]) : []
        let hello = Build.message(1, Build.clientHello(extensions: offer))
        let answer = Build.message(2, Build.serverHello(suite: isTLS13 ? 0x1301 : 0xC02F, extensions: version))
        let body = Fixtures.message([Self.leaf, Self.intermediate, Self.root], isTLS13: isTLS13)
        let flights: [(Direction, TLSEpoch, [UInt8])] = [
            (0, .clear, hello), (1, .clear, answer), (1, isTLS13 ? .handshake : .clear, Build.message(11, body)),
        ]
        for (direction, epoch, bytes) in flights {
            var offset = 0
            let span = unsafe bytes.span.bytes
            while handshake.next(span, &offset, end: bytes.count, direction, epoch: epoch) != nil {}
        }
        return handshake
    }

    @Test("a handshake reads the server's certificates where the audit asks for them", arguments: [true, false])
    func handshakes(isTLS13: Bool) throws {
        let chain = try #require(handshake(isTLS13: isTLS13, offer: Self.codings([2, 1, 9])).known.chain)
        #expect(chain.parts.map(\.use) == [.path, .path, .root])
        #expect(chain.compression?.isOffered == (isTLS13 ? true : nil))
        let bare = handshake(isTLS13: isTLS13, offer: []).known.chain
        #expect(bare?.compression?.isOffered == (isTLS13 ? false : nil))
        #expect(handshake(isTLS13: isTLS13, offer: [], reads: false).known.chain == nil)
    }

    @Test("an offer of compression that contradicts itself is a finding")
    func offers() {
        let wrong = Build.fieldExtension(ExtensionType.compressCertificate, [3, 0, 1, 0])
        let handshake = handshake(isTLS13: true, offer: wrong)
        #expect(Array(handshake.findings.takeNew()) == [.handshakeMalformed])
    }
}
