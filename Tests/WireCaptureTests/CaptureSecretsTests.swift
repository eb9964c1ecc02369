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
}
