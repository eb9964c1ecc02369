import Foundation
import WireCapture
import WireCore

/// A pcapng file taken apart without the reader's help.
struct WrittenBlock {
    var type: UInt32
    var body: [UInt8]

    static let sectionHeader: UInt32 = 0x0a0d_0d0a
    static let interface: UInt32 = 1
    static let statistics: UInt32 = 5
    static let packet: UInt32 = 6
    static let secrets: UInt32 = 10

    func u16(_ offset: Int) -> Int { Int(body[offset]) | Int(body[offset + 1]) << 8 }
    func u32(_ offset: Int) -> Int { u16(offset) | u16(offset + 2) << 16 }
    func u64(_ offset: Int) -> Int { u32(offset) | u32(offset + 4) << 32 }
    /// A time in two halves, the high one first.
    func time(_ offset: Int) -> Int { u32(offset) << 32 | u32(offset + 4) }

    /// Options from this offset on, by code; nil where they are not laid out as they should be.
    func options(from start: Int) -> [Int: [UInt8]]? {
        var options: [Int: [UInt8]] = [:]
        var offset = start
        while offset + 4 <= body.count {
            let (code, length) = (u16(offset), u16(offset + 2))
            if code == 0 { return length == 0 && offset + 4 == body.count ? options : nil }
            guard offset + 4 + length <= body.count, options[code] == nil else { return nil }
            options[code] = Array(body[offset + 4..<offset + 4 + length])
            offset += 4 + (length + 3) / 4 * 4
        }
        return offset == body.count && options.isEmpty ? options : nil
    }

    /// The blocks of a file; nil where it is not made of whole blocks.
    static func blocks(of bytes: [UInt8]) -> [WrittenBlock]? {
        var blocks: [WrittenBlock] = []
        var offset = 0
        while offset < bytes.count {
            guard offset + 12 <= bytes.count else { return nil }
            let head = WrittenBlock(type: 0, body: Array(bytes[offset..<offset + 8]))
            let length = head.u32(4)
            guard length >= 12, length % 4 == 0, offset + length <= bytes.count else { return nil }
            let trailer = WrittenBlock(type: 0, body: Array(bytes[offset + length - 4..<offset + length]))
            guard trailer.u32(0) == length else { return nil }
            blocks.append(
                WrittenBlock(type: UInt32(head.u32(0)), body: Array(bytes[offset + 8..<offset + length - 4])))
            offset += length
        }
        return blocks
    }
}

func fileBytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

/// What stands in a folder, by name.
func fileNames(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

extension CaptureInterfaceSummary {
    static func sample(
        _ name: String = "eth0", linkType: LinkType = .ethernet, received: Int? = nil, kernel: Int = 0,
        interface: Int = 0
    ) -> CaptureInterfaceSummary {
        var summary = CaptureInterfaceSummary(name: name, linkType: linkType, snapshotLength: 262_144)
        summary.received = received
        summary.droppedByKernel = kernel
        summary.droppedByInterface = interface
        return summary
    }
}

extension CaptureFrame {
    static func sample(
        _ number: Int, seconds: Int64 = 1_800_000_000, nanoseconds: Int64 = 0, length: Int, original: Int? = nil,
        interface: Int = 0, dropped: Int = 0
    ) -> CaptureFrame {
        CaptureFrame(
            number: number, time: seconds * 1_000_000_000 + nanoseconds, capturedLength: length,
            originalLength: original ?? length, linkType: .ethernet, interface: interface, droppedBefore: dropped)
    }
}

/// A file of `Captures/`.
func storedCapture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Captures/" + name).path
}

/// All that an audit booked, as a text to compare.
func booked(_ result: AuditResult) -> String {
    let apis = result.apis.sorted { $0.api < $1.api }.map { "\($0)" }
    let hosts = result.hosts.sorted { $0.host < $1.host }.map { "\($0)" }
    return (["\(result.ledger)", "\(result.connections) \(result.exchanges)"] + apis + hosts).joined(separator: "\n")
}

/// Writes all packets of a capture as if they came from the first interface.
func copy(_ path: String, to writer: CaptureWriter) throws {
    var inputs = try CaptureInputs(paths: [path])
    while let turn = inputs.nextTurn() {
        let pause = try turn.reader.drain(through: turn.limit) { frame, bytes, _, _ throws(CaptureError) in
            writer.write(frame, bytes)
        }
        if pause == .needsBytes { turn.reader.refill() }
    }
}
