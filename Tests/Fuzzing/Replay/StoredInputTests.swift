import Foundation
import Testing
import WireTesting

/// A part of the inputs that the fuzzers stored, and every former failure, once; `.ci/fuzz replay` takes all. Each target runs in a
/// process of its own, because a property that does not hold ends it.
@Suite("Stored inputs of the fuzz targets") struct StoredInputTests {
    static let names = FuzzTargets.all.map { $0.name }

    @Test("keep every property", arguments: names) func keepProperties(name: String) async throws {
        let inputs = try StoredInputs(target: name)
        #expect(inputs.count > 10)
        await #expect(processExitsWith: .success) { [name] in
            let target = try #require(FuzzTargets.all.first { $0.name == name })
            try StoredInputs(target: name).runAll(target)
        }
    }

    @Test("belong to a target") func haveTargets() throws {
        let archives = try FileManager.default.contentsOfDirectory(atPath: StoredInputs.folder + "/Corpus")
        #expect(archives.sorted() == Self.names.map { $0 + ".tar.gz" }.sorted())
        let failures = try FileManager.default.contentsOfDirectory(atPath: StoredInputs.folder + "/Failures")
        #expect(Set(failures).isSubset(of: Self.names))
    }
}

/// The stored inputs of one target: `Corpus/TARGET.tar.gz` and the files in `Failures/TARGET`.
struct StoredInputs {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path

    private var inputs: [(name: String, bytes: [UInt8])] = []

    var count: Int { inputs.count }

    init(target: String) throws {
        let archive = try Data(contentsOf: URL(filePath: "\(Self.folder)/Corpus/\(target).tar.gz"))
        inputs = Self.members(
            Inflating(.gzip, limit: 1 << 24).run([UInt8](archive), [0..<archive.count], room: 1 << 16).content)
        inputs = inputs.indices.filter { $0 % Effort.step == 0 }.map { inputs[$0] }
        let failures = "\(Self.folder)/Failures/\(target)"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: failures))?.sorted() ?? [] {
            inputs.append((name, [UInt8](try Data(contentsOf: URL(filePath: "\(failures)/\(name)")))))
        }
    }

    /// Ends the process at the first property that does not hold; the name of the input is on standard error then.
    func runAll(_ target: any FuzzTarget.Type) {
        for (name, bytes) in inputs {
            runningInput = "\(target.name)/\(name)"
            target.run(bytes)
        }
    }

    /// The files of a tar archive (POSIX.1-1988 ustar): a header of 512 bytes, then the content, padded to 512.
    private static func members(_ archive: [UInt8]) -> [(name: String, bytes: [UInt8])] {
        var found: [(name: String, bytes: [UInt8])] = []
        var offset = 0
        while offset + 512 <= archive.count, archive[offset] != 0 {
            let name = String(decoding: archive[offset..<offset + 100].prefix { $0 != 0 }, as: UTF8.self)
            let digits = archive[offset + 124..<offset + 136].filter {
                (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0)
            }
            let length = digits.reduce(0) { $0 * 8 + Int($1 - UInt8(ascii: "0")) }
            let begin = offset + 512
            found.append((name, [UInt8](archive[begin..<begin + length])))
            offset = begin + (length + 511) / 512 * 512
        }
        return found
    }
}
