import Foundation
import WireNative
import WireTesting

@testable import WireCore

/// What the captures of the repository give.
struct SeedCaptures {
    /// Capture files, cut where they are long.
    private(set) var files: [[UInt8]] = []
    private(set) var keyLogs: [[UInt8]] = []
    /// DNS messages of each capture, as `DNSTarget` takes them.
    private(set) var lookups: [[UInt8]] = []
    private(set) var logs: [[UInt8]] = []

    init(_ path: String) throws {
        let folder = URL(fileURLWithPath: path)
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
            let own = folder.appendingPathComponent(name)
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: own.path).sorted() else { continue }
            for name in names {
                let bytes = [UInt8](try Data(contentsOf: own.appendingPathComponent(name)))
                if name.hasPrefix("capture.") { add(bytes) }
                if name == "keys.log" { keyLogs.append(bytes) }
                if name == "traffic.ndjson" { logs.append(bytes) }
            }
        }
    }

    private mutating func add(_ file: [UInt8]) {
        files.append(Array(file.prefix(6000)))
        if file.count <= CaptureTarget.longestInput { files.append(file) }
        let format = unsafe StreamInflater.Format(firstBytes: file.span.bytes)
        let plain = format.map { Inflating($0).run(file, [0..<file.count], room: 30_000).content } ?? file
        var messages: [UInt8] = []
        for frame in parseCapture(plain).frames where messages.count < 2000 { messages += lookup(frame) }
        if !messages.isEmpty { lookups.append(messages) }
    }

    private func lookup(_ frame: ParsedCapture.Frame) -> [UInt8] {
        let packet = decode(frame.bytes, LinkType(rawValue: frame.linkType))
        guard packet.kind == .udp, packet.sourcePort == 53 || packet.destinationPort == 53 else { return [] }
        let range = packet.payloadOffset..<packet.payloadOffset + packet.payloadCaptured
        return [packet.sourcePort == 53 ? 1 : 0] + [UInt8](be16: UInt16(range.count)) + frame.bytes[range]
    }
}
