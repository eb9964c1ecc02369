import Testing
import WireCore
import WireTesting

@testable import WireCapture

@Suite("Keys inside of captures")
struct CaptureSecretsTests {
    private static let random = String(repeating: "ab", count: 32)
    private static let line = "CLIENT_RANDOM \(random) \(String(repeating: "cd", count: 48))\n"

    private func file(secretsAfter count: Int) -> [UInt8] {
        var file = PcapngFileBuilder()
        file.section()
        file.interface()
        for _ in 0..<count { file.simplePacket([UInt8](repeating: 0, count: 60)) }
        file.secrets(Array(Self.line.utf8))
        return file.bytes
    }

    @Test("a key that stands behind all frames is found when it is missed, and the file is read for it once")
    func behind() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.pcapng", file(secretsAfter: 20_000))
        let log = KeyLog()
        let follower = CaptureSecrets(paths: [path], beside: nil)
        #expect(follower.readMore(into: log))
        #expect(log.lineCount == 1)
        #expect(!follower.readMore(into: log))
    }

    @Test("a file that is gone or damaged by then brings what it can, and no trap")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let bytes = file(secretsAfter: 3)
        let whole = try folder.write("whole", bytes)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            let path = try folder.write("cut", Array(bytes[..<length]))
            let log = KeyLog()
            #expect(CaptureSecrets(paths: [path, folder.path + "/none", whole], beside: nil).readMore(into: log))
            #expect(log.lineCount == 1, "\(length) bytes")
        }
    }

    @Test("names and keys beyond what is held are passed over, and it is said; frames stay as they are")
    func passedOver() throws {
        let folder = try TemporaryFolder()
        let long = [UInt8](repeating: 0x20, count: CaptureParser.secretsLimit)
        let names = (0..<70_000).map { number in
            PcapngFileBuilder.Option(
                1, [10, 0, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] + Array("a".utf8) + [0])
        }
        let cases: [(blocks: (inout PcapngFileBuilder) -> Void, count: Int)] = [
            ({ $0.secrets(Array(Self.line.utf8)) }, 0),
            ({ $0.secrets(long) }, 1),
            ({ $0.secrets(long + long) }, 1),
            ({ $0.names([PcapngFileBuilder.Option(1, [10, 0, 0, 1, 0x61, 0])]) }, 0),
            ({ $0.names(names) }, 1),
            (
                {
                    $0.names(names)
                    $0.secrets(long)
                }, 2
            ),
        ]
        for (index, (blocks, count)) in cases.enumerated() {
            var file = PcapngFileBuilder()
            file.section()
            file.interface()
            blocks(&file)
            file.simplePacket([UInt8](repeating: 0, count: 60))
            let result = try CaptureAudit(paths: [folder.write("\(index).pcapng", file.bytes)]).run()
            #expect(result.files.map(\.packets) == [1])
            #expect(
                result.findings.filter { $0.code == .blockLimit }.map(\.count) == (count > 0 ? [count] : []), "\(index)"
            )
        }
    }
}
