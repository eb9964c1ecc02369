import Testing
import WireTesting

@testable import WireNative

@Suite("Opening TLS records")
struct TLSRecordDecryptorTests {
    typealias Protection = TLSRecordSealer.Protection

    private static func content(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 5 &+ 1) } }

    @Test("records of every length open, one after the other", arguments: Protection.all)
    func lengths(protection: Protection) throws {
        var sealer = TLSRecordSealer(protection, seed: 3)
        let decryptor = try #require(sealer.decryptor())
        let overhead = protection.cipher.overhead(
            version: protection.version, encryptThenMAC: protection.encryptThenMAC)
        var output: [UInt8] = []
        var sequence: UInt64 = 0
        for length in [0, 1, 15, 16, 17, 31, 32, 33, 1400, 16_384, 5] {
            for padding in [0, 1, 2, 14] {
                let content = Self.content(length)
                let record = sealer.seal(23, content, sequence: sequence, padding: padding)
                let opened = try #require(
                    decryptor.open(record, sequence, into: &output), "\(length) bytes, padding \(padding)")
                #expect(Array(output[opened.content]) == content)
                #expect(opened.contentType == 23)
                #expect(opened.lead == overhead.lead)
                #expect(opened.trail == sealer.trail)
                #expect(opened.trail >= overhead.trail)
                #expect(opened.lead + opened.content.count + opened.trail == record.count)
                #expect(output.count >= record.count)
                sequence += 1
            }
        }
    }

    @Test("sequence numbers count in all their bytes", arguments: Protection.all)
    func sequences(protection: Protection) throws {
        var output: [UInt8] = []
        for sequence: UInt64 in [0, 1, 255, 256, 0x0102_0304_0506_0708, .max] {
            var sealer = TLSRecordSealer(protection, seed: 5)
            let decryptor = try #require(sealer.decryptor())
            let record = sealer.seal(22, [1, 2, 3], sequence: sequence)
            for wrong in [sequence &+ 1, sequence &- 1, sequence ^ 0x8000_0000_0000_0000] {
                #expect(decryptor.open(record, wrong, into: &output) == nil)
            }
            #expect(decryptor.open(record, sequence, into: &output)?.contentType == 22)
        }
    }

    @Test("a record with any bit changed is not authentic, and changes nothing", arguments: Protection.all)
    func changedBits(protection: Protection) throws {
        var sealer = TLSRecordSealer(protection, seed: 7)
        let decryptor = try #require(sealer.decryptor())
        var output: [UInt8] = []
        for (sequence, length) in [0, 17].enumerated() {
            let record = sealer.seal(23, Self.content(length), sequence: UInt64(sequence), padding: 1)
            let accepted = (0..<record.count * 8).filter { bit in
                var changed = record
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                return decryptor.open(changed, UInt64(sequence), into: &output) != nil
            }
            #expect(accepted == [], "bits")
            let opened = try #require(decryptor.open(record, UInt64(sequence), into: &output))
            #expect(Array(output[opened.content]) == Self.content(length))
        }
    }

    @Test("a cut or lengthened record does not open, whatever length it says", arguments: Protection.all)
    func cutRecords(protection: Protection) throws {
        var sealer = TLSRecordSealer(protection, seed: 9)
        let decryptor = try #require(sealer.decryptor())
        let record = sealer.seal(23, Self.content(40), sequence: 0)
        var output: [UInt8] = []
        for count in 0..<record.count + 40 where count != record.count {
            var other = Array(record.prefix(count))
            other += [UInt8](repeating: 0, count: count - other.count)
            #expect(decryptor.open(other, 0, into: &output) == nil)
            guard count >= 5 else { continue }
            other[3] = UInt8((count - 5) >> 8)
            other[4] = UInt8((count - 5) & 0xFF)
            #expect(decryptor.open(other, 0, into: &output) == nil)
        }
        #expect(decryptor.open(record, 0, into: &output) != nil)
    }

    @Test("garbage gives nothing and does no harm", arguments: Protection.all)
    func garbage(protection: Protection) throws {
        let decryptor = try #require(TLSRecordSealer(protection, seed: 1).decryptor())
        var random = SeededRandom(seed: 0x7150)
        var output: [UInt8] = []
        for _ in 0..<100 {
            let length = random.oneIn(100) ? 0xFFFF : random.below(200)
            let record = random.bytes(3) + [UInt8(length >> 8), UInt8(length & 0xFF)] + random.bytes(length)
            #expect(decryptor.open(record, random.next(), into: &output) == nil)
            decryptor.skip(record)
        }
    }

    @Test("other keys open nothing", arguments: Protection.all)
    func wrongKeys(protection: Protection) throws {
        var sealer = TLSRecordSealer(protection, seed: 1)
        let other = try #require(TLSRecordSealer(protection, seed: 2).decryptor())
        var output: [UInt8] = []
        #expect(other.open(sealer.seal(23, [1, 2, 3], sequence: 0), 0, into: &output) == nil)
    }

    @Test("one output serves all records and is not made anew")
    func outputIsKept() throws {
        var output: [UInt8] = []
        var address = 0
        for protection in Protection.all {
            var sealer = TLSRecordSealer(protection, seed: 1)
            let decryptor = try #require(sealer.decryptor())
            for (sequence, length) in [3, 16_384, 900].enumerated() {
                let record = sealer.seal(23, Self.content(length), sequence: UInt64(sequence))
                let opened = try #require(decryptor.open(record, UInt64(sequence), into: &output))
                #expect(opened.content.lowerBound == 0)
                let now = unsafe output.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
                #expect(address == 0 || address == now)
                address = now
            }
        }
        #expect(output.count < 20_000)
    }
}
