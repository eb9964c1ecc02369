import Testing

@testable import WireNative

/// Vectors of RFC 5869 Appendix A, of HKDF with SHA-256.
@Suite("HKDF")
struct HKDFTests {
    private struct Vector {
        var material: [UInt8]
        var salt: [UInt8]
        var info: [UInt8]
        var key: String
        var output: String
    }

    private static let vectors = [
        Vector(
            material: [UInt8](repeating: 0x0B, count: 22), salt: Array(0x00...0x0C), info: Array(0xF0...0xF9),
            key: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            output: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
        // Three blocks, and a salt that is longer than a block of the hash.
        Vector(
            material: Array(0x00...0x4F), salt: Array(0x60...0xAF), info: Array(0xB0...0xFF),
            key: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            output: "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"),
        Vector(
            material: [UInt8](repeating: 0x0B, count: 22), salt: [], info: [],
            key: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            output: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
    ]

    @Test("contexts that serve one secret after another give what RFC 5869 says each time")
    func vectors() throws {
        let derivation = QUICInitialDerivation()
        // In this order the salt changes, stays, and changes back.
        for index in [0, 1, 2, 2, 1, 0, 0] {
            let vector = Self.vectors[index]
            let key = derivation.extract(salt: vector.salt, keyingMaterial: vector.material)
            #expect(key == HexadecimalText.bytes(vector.key), "case \(index + 1)")
            let output = HexadecimalText.bytes(vector.output)
            let expander = SecretExpander(try #require(key), .sha256, derivation)
            let borrowed = expander?.expand(info: vector.info, length: output.count)
            #expect(borrowed == output, "case \(index + 1)")
            let prefix = expander?.expand(info: vector.info, length: 5)
            #expect(prefix == Array(output.prefix(5)), "case \(index + 1)")
            let own = KeyDerivation.expand(
                secret: HexadecimalText.bytes(vector.key), info: vector.info, length: output.count, digest: .sha256)
            #expect(own == output, "case \(index + 1)")
        }
    }

    @Test("two secrets at one time do not mix, whatever the order in which they were lent contexts")
    func lending() throws {
        let derivation = QUICInitialDerivation()
        let secrets = (0..<6).map { [UInt8](repeating: $0, count: 32) }
        let expected = secrets.map { KeyDerivation.expand(secret: $0, info: [1], length: 32, digest: .sha256) }
        #expect(Set(expected).count == secrets.count && !expected.contains(nil))
        for (one, other) in [(0, 1), (2, 3), (3, 2), (4, 5), (5, 5)] {
            let first = SecretExpander(secrets[one], .sha256, derivation)
            let second = SecretExpander(secrets[other], .sha256, derivation)
            let derived = [
                first?.expand(info: [1], length: 32), second?.expand(info: [1], length: 32),
                first?.expand(info: [1], length: 32),
            ]
            #expect(derived == [expected[one], expected[other], expected[one]])
        }
    }

    @Test("no more is expanded than 255 blocks, and nothing of no length")
    func limits() {
        func count(_ length: Int) -> Int? {
            SecretExpander([1], .sha256)?.expand(info: [], length: length)?.count
        }
        #expect(count(255 * 32) == 255 * 32)
        #expect(count(255 * 32 + 1) == nil && count(0) == nil && count(-1) == nil)
    }

    @Test("a key of no bytes takes the place of the one before")
    func emptyKey() throws {
        let context = try #require(HMACContext(.sha256))
        #expect(context.setKey([1, 2, 3]) && context.setKey([]))
        // HMAC with SHA-256 of nothing under no key.
        let expected = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect(context.code([]) == HexadecimalText.bytes(expected))
    }
}
