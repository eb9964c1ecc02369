import Foundation
import Testing
import WireRecords

/// A packet block as it stands in an annotated capture; read here without any of the program's code.
struct AnnotatedPacket {
    var length: Int
    var bytes: [UInt8]
    var comments: [String]

    static func read(_ path: String) throws -> [AnnotatedPacket] {
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var packets: [AnnotatedPacket] = []
        var isLittle = true
        var offset = 0
        func number(_ place: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 << 8 | Int(file[place + (isLittle ? size - 1 - $1 : $1)]) }
        }
        while offset + 12 <= file.count {
            if file[offset..<offset + 4].elementsEqual([0x0A, 0x0D, 0x0D, 0x0A]) {
                isLittle = file[offset + 8] == 0x4D
                #expect(file[offset + 16..<offset + 24].allSatisfy { $0 == 0xFF })
            }
            let length = number(offset + 4, 4)
            try #require(length >= 12 && offset + length <= file.count && number(offset + length - 4, 4) == length)
            if number(offset, 4) == 6 {
                let captured = number(offset + 20, 4)
                var packet = AnnotatedPacket(
                    length: number(offset + 24, 4), bytes: Array(file[offset + 28..<offset + 28 + captured]),
                    comments: [])
                var option = offset + 28 + (captured + 3) & ~3
                while option + 4 <= offset + length - 4, number(option, 2) != 0 {
                    let size = number(option + 2, 2)
                    if number(option, 2) == 1 {
                        packet.comments.append(String(decoding: file[option + 4..<option + 4 + size], as: UTF8.self))
                    }
                    option += 4 + (size + 3) & ~3
                }
                packets.append(packet)
            }
            offset += length
        }
        return packets
    }
}

/// What the comments of a capture add up to.
struct CommentSums {
    /// By `up headers` and the like.
    var causes: [String: Int] = [:]
    /// By `connection/exchange`.
    var calls: [String: Int] = [:]
    /// What no connection owns, and layers beside IP.
    var others: [String: Int] = [:]

    mutating func add(_ packet: AnnotatedPacket, _ capture: String) {
        guard let comment = packet.comments.first, let head = comment.firstMatch(of: #/^wireaudit( up| down)?: /#)
        else {
            Issue.record("\(capture): no comment: \(packet.comments)")
            return
        }
        let direction = (head.1 ?? "").dropFirst()
        var total = 0
        for part in comment[head.range.upperBound...].split(separator: ";") {
            let owner = part.firstMatch(of: #/connection=(\d+)(?: call=(\d+))? /#)
            // Names come last.
            let sums = part[(owner?.range.upperBound ?? part.startIndex)...].prefix { $0 != "/" }
            for match in sums.matches(of: /(?:^| )([a-z_.]+)=(\d+)(?= |$)/) {
                let (name, bytes) = (String(match.1), Int(match.2) ?? 0)
                total += bytes
                if owner == nil {
                    others[name, default: 0] += bytes
                } else {
                    causes["\(direction) \(name)", default: 0] += bytes
                }
                if let owner, let call = owner.2 { calls["\(owner.1)/\(call)", default: 0] += bytes }
            }
        }
        #expect(total == packet.length, "\(capture): \(comment)")
    }

    func expectLedger(_ ledger: [String: Any], _ capture: String) throws {
        let causes = try #require(ledger["causes"] as? [String: [String: Any]])
        let derived = ["message", "wire", "link", "offload", "offload_hidden", "setup"]
        for (direction, side) in causes {
            var expected = side.filter { !derived.contains($0.key) }
            for (name, value) in side["setup"] as? [String: Any] ?? [:] { expected["setup." + name] = value }
            #expect(expected.count == 17)
            for (name, value) in expected {
                #expect(
                    self.causes["\(direction) \(name)", default: 0] == value as? Int, "\(capture): \(direction) \(name)"
                )
            }
        }
        for (name, value) in try #require(ledger["other"] as? [String: Int]) {
            #expect(others[name, default: 0] == value, "\(capture): \(name)")
        }
        let layers = try #require(ledger["layers"] as? [String: Int])
        for name in ["pseudo", "link", "tunnel", "non_ip", "duplicate"] {
            #expect(others[name, default: 0] == layers[name], "\(capture): \(name)")
        }
    }
}

/// Writes pcapng in either byte order.
struct BlockFile {
    let littleEndian: Bool
    var bytes: [UInt8] = []

    init(littleEndian: Bool) { self.littleEndian = littleEndian }

    func u16(_ value: UInt16) -> [UInt8] { ordered([UInt8(value >> 8), UInt8(value & 0xFF)]) }

    func u32(_ value: UInt32) -> [UInt8] {
        ordered((0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) })
    }

    private func ordered(_ bytes: [UInt8]) -> [UInt8] { littleEndian ? bytes.reversed() : bytes }

    private func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4) }

    func option(_ code: UInt16, _ text: String) -> [UInt8] {
        u16(code) + u16(UInt16(text.utf8.count)) + padded(Array(text.utf8))
    }

    mutating func section() {
        block(0x0A0D_0D0A, u32(0x1A2B_3C4D) + u16(1) + u16(0) + Array(repeating: 0xFF, count: 8))
    }

    mutating func packet(_ frame: [UInt8], comment: String?) {
        let size = u32(UInt32(frame.count))
        block(
            6, u32(0) + u32(0) + u32(1) + size + size + padded(frame) + (comment.map { option(1, $0) + u32(0) } ?? []))
    }

    mutating func block(_ type: UInt32, _ body: [UInt8]) {
        let length = u32(UInt32(12 + body.count))
        bytes += u32(type) + length + body + length
    }
}
