import Foundation
import Testing
import WireTesting

@Suite("The program: annotate")
struct AnnotateProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let captures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Captures").standardizedFileURL

    /// The golden captures, with the key logs beside them.
    private static func inputs() throws -> [(capture: String, keys: [String])] {
        try FileManager.default.contentsOfDirectory(atPath: captures.path).sorted().compactMap { name in
            let folder = captures.appendingPathComponent(name).path
            guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder),
                let capture = files.first(where: { $0.hasPrefix("capture.pcap") })
            else { return nil }
            let keys = files.filter { $0.hasPrefix("keys") }.flatMap { ["--keys", "\(folder)/\($0)"] }
            return ("\(folder)/\(capture)", keys)
        }
    }

    @Test("comments add up to each packet, to the ledger by cause, and to each call's wire bytes, on all captures")
    func sums() throws {
        let inputs = try Self.inputs()
        #expect(inputs.count > 20)
        for (capture, keys) in inputs {
            let output = folder.path + "/annotated.pcapng"
            let run = try WireAuditProcess.run(["annotate", "--quiet"] + keys + [capture, "-o", output])
            #expect(run.status == 0 && run.errors == "", "\(capture): \(run.errors)")
            var sums = CommentSums()
            for packet in try AnnotatedPacket.read(output) { sums.add(packet, capture) }
            let common = ["--quiet", "--setup", "separate"] + keys + [capture]
            let audit = try object(try WireAuditProcess.run(["--format", "json"] + common).output)
            try sums.expectLedger(try #require(audit["ledger"] as? [String: Any]), capture)
            let exchanges = try WireAuditProcess.run(["exchanges", "--format", "ndjson"] + common).output
            for line in exchanges.split(separator: "\n") {
                let record = try object(String(line))
                // Bytes of calls that were not read stand with their connection.
                if record["unread"] is [String: Any] { continue }
                let wire = try ["up", "down"].reduce(0) { sum, direction in
                    let side = try #require(record[direction] as? [String: Any])
                    return sum + (try #require(side["wire"] as? Int))
                }
                let call = try "\(#require(record["connection"] as? Int))/\(#require(record["exchange"] as? Int))"
                #expect(sums.calls[call] == wire, "\(capture) \(call)")
                sums.calls[call] = nil
            }
            #expect(sums.calls.isEmpty, "\(capture): \(sums.calls)")
        }
    }

    @Test("of calls over QUIC each packet says to which its bytes belong")
    func datagrams() throws {
        let inputs = try Self.inputs().filter { $0.capture.contains("/h3-") }
        #expect(!inputs.isEmpty)
        for (capture, keys) in inputs {
            let output = folder.path + "/annotated.pcapng"
            let run = try WireAuditProcess.run(["annotate", "--quiet"] + keys + [capture, "-o", output])
            #expect(run.status == 0 && run.errors == "", "\(capture): \(run.errors)")
            let comments = try AnnotatedPacket.read(output).map { try #require($0.comments.first) }
            #expect(comments.allSatisfy { $0.contains("connection=") || $0.contains("duplicate=") }, "\(capture)")
            for cause in ["setup.quic=", "setup.tls=", " headers=", " body=", " ack="] {
                #expect(comments.contains { $0.contains(cause) }, "\(capture): \(cause)")
            }
        }
    }

    @Test("packets beyond the limit of claims say that their owner is not known, and no other packet changes")
    func limit() throws {
        let capture = try folder.write("a.pcap", SampleConversation().pcap())
        let (whole, part) = (folder.path + "/whole.pcapng", folder.path + "/part.pcapng")
        #expect(try WireAuditProcess.run(["annotate", capture, "-o", whole]).status == 0)
        let run = try WireAuditProcess.run(["annotate", "--limit", "claims=5", capture, "-o", part])
        #expect(run.status == 0 && run.errors.contains("see claims in 'wireaudit limits'"), "\(run.errors)")
        let (all, few) = (try AnnotatedPacket.read(whole), try AnnotatedPacket.read(part))
        #expect(all.count == few.count)
        let unknown = ["wireaudit: owner not known when written;"]
        for (one, other) in zip(all, few) { #expect(other.comments == one.comments || other.comments == unknown) }
        #expect(few.contains { $0.comments == unknown } && few.contains { $0.comments != unknown })
        #expect(!all.contains { $0.comments == unknown })
    }

    @Test("a capture that is annotated a second time has its new comments only")
    func twice() throws {
        for (capture, keys) in try Self.inputs().prefix(6) {
            let (first, second) = (folder.path + "/first.pcapng", folder.path + "/second.pcapng")
            #expect(try WireAuditProcess.run(["annotate", "--quiet"] + keys + [capture, "-o", first]).status == 0)
            #expect(try WireAuditProcess.run(["annotate", "--quiet"] + keys + [first, "-o", second]).status == 0)
            #expect(FileManager.default.contentsEqual(atPath: first, andPath: second), "\(capture)")
        }
    }

    @Test("the annotated capture is audited as the capture is")
    func sameAudit() throws {
        for (capture, keys) in try Self.inputs() {
            let output = folder.path + "/annotated.pcapng"
            _ = try WireAuditProcess.run(["annotate", "--quiet"] + keys + [capture, "-o", output])
            func ledger(_ path: String) throws -> NSDictionary {
                let audit = try object(
                    try WireAuditProcess.run(["--quiet", "--format", "json"] + keys + [path]).output)
                let apis = try #require(audit["apis"] as? [Any])
                return ["ledger": try #require(audit["ledger"]), "apis": apis]
            }
            #expect(try ledger(output) == ledger(capture), "\(capture)")
        }
    }

    @Test("comments, keys and other blocks of pcapng pass; ours comes before a packet's own comment")
    func otherBlocks() throws {
        for littleEndian in [true, false] {
            var file = BlockFile(littleEndian: littleEndian)
            file.section()
            file.block(1, file.u16(1) + file.u16(0) + file.u32(0) + file.option(1, "an interface") + file.u32(0))
            file.block(10, file.u32(0x544c_534b) + file.u32(4) + Array("# k\n".utf8))
            let frames = SampleConversation().packets().map { $0.frame() }
            for (index, frame) in frames.enumerated() {
                file.packet(frame, comment: index == 3 ? "of the user" : nil)
            }
            file.block(0xBAD, Array("1234".utf8))
            let capture = try folder.write("blocks.pcapng", file.bytes)
            let output = folder.path + "/annotated.pcapng"
            #expect(try WireAuditProcess.run(["annotate", capture, "-o", output]).status == 0)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: output)))
            let packets = try AnnotatedPacket.read(output)
            #expect(packets.map(\.bytes) == frames)
            #expect(packets[3].comments.count == 2 && packets[3].comments[1] == "of the user")
            #expect(packets[0].comments == ["wireaudit up: connection=0 setup.tcp=40 host=api.example.com; link=14;"])
            var expected = BlockFile(littleEndian: littleEndian)
            expected.section()
            expected.block(1, file.u16(1) + file.u16(0) + file.u32(0) + file.option(1, "an interface") + file.u32(0))
            expected.block(10, file.u32(0x544c_534b) + file.u32(4) + Array("# k\n".utf8))
            #expect(bytes.starts(with: expected.bytes))
            var last = BlockFile(littleEndian: littleEndian)
            last.block(0xBAD, Array("1234".utf8))
            #expect(bytes.suffix(last.bytes.count) == last.bytes[...])
        }
    }

    @Test("what cannot be annotated is refused in one line")
    func refusals() throws {
        let capture = try folder.write("a.pcap", SampleConversation().pcap())
        let cases: [([String], Int32, String)] = [
            ([capture], 64, "'annotate' needs -o OUT.pcapng"),
            ([capture, capture, "-o", "x"], 64, "'annotate' takes one capture"),
            (["-", "-o", folder.path + "/x"], 64, "annotate reads the capture twice"),
            ([capture, "-o", capture], 64, "the output would overwrite the input"),
            ([folder.path + "/none", "-o", folder.path + "/x"], 66, "cannot open"),
            ([capture, "-o", "/dev/full"], 74, "No space left"),
        ]
        for (arguments, status, message) in cases {
            let run = try WireAuditProcess.run(["annotate"] + arguments, input: capture)
            #expect(run.status == status && run.output == "", "\(arguments): \(run.errors)")
            #expect(run.errors.contains(message), "\(arguments): \(run.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/x"))
    }

    @Test("of a damaged capture everything before the damage is annotated")
    func damage() throws {
        let whole = SampleConversation().pcap()
        let capture = try folder.write("cut.pcap", Array(whole.dropLast(10)))
        let output = folder.path + "/annotated.pcapng"
        let run = try WireAuditProcess.run(["annotate", capture, "-o", output])
        #expect(run.status == 0 && run.errors.contains("truncated or damaged"))
        #expect(try AnnotatedPacket.read(output).count == SampleConversation().packets().count - 1)
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
