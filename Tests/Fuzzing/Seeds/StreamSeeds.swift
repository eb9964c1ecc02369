import WireTesting

@testable import WireCore

/// The messages and traces of the tests.
enum StreamSeeds {
    static let http1: [[UInt8]] = MessageCase.all.flatMap { messages in
        var text: [UInt8] = []
        var side = Dialogue.Side.client
        for turn in messages.turns {
            if turn.side != side { text.append(HTTP1Target.turn) }
            side = turn.side
            text += turn.bytes
        }
        return [[messages.closes ? 1 : 0] + text, [0x0D] + text]
    }

    static let keyLogs = TLSTrace.all.map(keyLog)

    /// Each trace with its key log in the input, and each record as it was.
    static let tls: [[UInt8]] = TLSTrace.all.map { trace in
        let log = keyLog(trace)
        var script: [UInt8] = [15, 4] + [UInt8](be16: UInt16(log.count)) + log
        for record in trace.records {
            script += [9 | UInt8(record.side.index) << 4] + [UInt8](be16: UInt16(record.bytes.count)) + record.bytes
        }
        return script
    }

    private static func keyLog(_ trace: TLSTrace) -> [UInt8] {
        trace.keyLines.flatMap { Array("\($0.label) \($0.random) \($0.secret)\n".utf8) }
    }

    /// The field blocks of RFC 7541, each in a HEADERS frame of its own, and alone.
    static let http2: [[UInt8]] = HPACKVectors.all.flatMap { conversation -> [[UInt8]] in
        var script: [UInt8] = [0]
        for (index, block) in conversation.blocks.enumerated() {
            script += [2, UInt8(index * 2 + 1 & 15) | 16, UInt8(block.bytes.count)] + block.bytes
        }
        return [script] + conversation.blocks.map(\.bytes)
    }
}
