import Foundation
import WireCore

/// Plays workloads to the audit. What it prints is the same in every run; `.ci/counts` counts the instructions of
/// `auditMeasured` under callgrind, so that making the packets is not counted. Its other task is to write captures for
/// the benchmarks of the whole program (``WriteCommand``).
///
///     wirebench WORKLOAD CONNECTIONS
///     wirebench opening
///     wirebench write SHAPE [OPTIONS] FILE
@main
struct Bench {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.count > 1, arguments[1] == "write" { return write(Array(arguments.dropFirst(2))) }
        if arguments.count > 1, arguments[1] == "opening" { return OpeningMeasure.run() }
        guard arguments.count == 3, let count = Int(arguments[2]), count > 0,
            let workload = Workload(arguments[1], clients: count)
        else {
            print("usage: wirebench \(Workload.all.joined(separator: "|")) CONNECTIONS")
            print("       wirebench opening")
            print("       wirebench \(WriteCommand.usage)")
            return
        }
        var session = Session(keyLog: workload.keyLog)
        // All clients of a round speak at the same time: packet 1 of each, then packet 2 of each.
        for index in workload.frames.indices {
            var batch = Batch()
            for client in 0..<count {
                batch.add(workload.frame(index, of: client), client: client, number: session.packets + client)
            }
            session.auditMeasured(batch)
        }
        let result = session.finishMeasured()
        let causes = result.ledger.causes
        print(
            "\(workload.name) connections \(result.connections) exchanges \(result.exchanges)",
            "packets \(session.packets) bytes \(result.ledger.bytes)",
            "message \(causes.up.message + causes.down.message)",
            "retransmission \(causes.up[.retransmission] + causes.down[.retransmission])",
            "findings \(result.findings.count) balanced \(result.ledger.balanced)")
    }
}

extension Bench {
    private static func write(_ words: [String]) {
        do {
            try WriteCommand(words).run()
        } catch {
            let text = (error as? WriteError)?.text ?? "\(error)"
            FileHandle.standardError.write(Data("wirebench: \(text); usage: wirebench \(WriteCommand.usage)\n".utf8))
            exit(1)
        }
    }
}

/// Frames behind each other in one buffer.
struct Batch {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [Int] = []

    /// A frame as this client's: its address and the packet's IP identification are replaced.
    mutating func add(_ frame: [UInt8], client: Int, number: Int) {
        let start = bytes.count
        bytes += frame
        // The client's port is the higher one (offset 34 of Ethernet and IPv4 without options).
        let isUp = (frame[34], frame[35]) > (frame[36], frame[37])
        let address = start + (isUp ? 26 : 30)
        // That of TCP, or of UDP.
        let (internetChecksum, segmentChecksum) = (start + 24, start + (frame[23] == 17 ? 40 : 50))
        replace(address, by: 0x0a01 + UInt16(client >> 16), correcting: [internetChecksum, segmentChecksum])
        replace(
            address + 2, by: UInt16(truncatingIfNeeded: client), correcting: [internetChecksum, segmentChecksum])
        replace(start + 18, by: UInt16(truncatingIfNeeded: number), correcting: [internetChecksum])
        ends.append(bytes.count)
    }

    /// Replaces two bytes and corrects the checksums that cover them (RFC 1624 §3).
    private mutating func replace(_ offset: Int, by value: UInt16, correcting checksums: [Int]) {
        let old = word(offset)
        for checksum in checksums {
            var sum = UInt32(~word(checksum)) + UInt32(~old) + UInt32(value)
            while sum > 0xffff { sum = (sum & 0xffff) + (sum >> 16) }
            store(~UInt16(sum), at: checksum)
        }
        store(value, at: offset)
    }

    private func word(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1]) }

    private mutating func store(_ value: UInt16, at offset: Int) {
        bytes[offset] = UInt8(value >> 8)
        bytes[offset + 1] = UInt8(truncatingIfNeeded: value)
    }
}

/// One audit under measurement.
struct Session: ~Copyable {
    private(set) var packets = 0
    private var auditor: Auditor
    private let file: Int

    init(keyLog: String) {
        let keys = KeyLog()
        unsafe keys.add(Array(keyLog.utf8).span.bytes)
        auditor = Auditor(keys: keys)
        file = auditor.addFile(CaptureFileSummary(path: "bench", format: "memory"))
    }

    @inline(never)
    mutating func auditMeasured(_ batch: borrowing Batch) {
        var start = 0
        for end in batch.ends {
            packets += 1
            let frame = CaptureFrame(
                number: packets, time: 1_795_168_800_000_000_000 + Int64(packets) * 10_000,
                capturedLength: end - start, originalLength: end - start, linkType: .ethernet)
            // As in a file, the next frame lies behind it.
            unsafe auditor.expect(batch.bytes.span.bytes.extracting(end..<batch.bytes.count))
            unsafe auditor.consume(frame, batch.bytes.span.bytes.extracting(start..<end), file: file)
            start = end
        }
    }

    @inline(never)
    mutating func finishMeasured() -> AuditResult { auditor.finish() }
}
