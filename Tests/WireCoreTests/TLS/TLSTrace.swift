@testable import WireCore

/// The records of a connection in the order of the capture, and its key log.
///
///     key <label>         lines of the key log; random, a slash, secret in hexadecimal follow
///     > 16…               a record of the client, which is side 0
///     < 16…               a record of the server
///
/// Lines that begin with two spaces go on with the one before.
struct TLSTrace: Sendable {
    struct Record: Sendable {
        var side: Direction
        var bytes: [UInt8]
    }

    var records: [Record] = []
    /// Lines of a key log: label, random, secret.
    var keyLines: [(label: String, random: String, secret: String)] = []

    init(_ text: String) {
        let joined = text.split(separator: "\n").reduce(into: [String]()) { lines, line in
            if line.hasPrefix("  ") { lines[lines.count - 1] += line.dropFirst(2) } else { lines.append(String(line)) }
        }
        for line in joined {
            let content = line.dropFirst(2)
            switch line.first {
            case ">": records.append(Record(side: 0, bytes: Self.bytes(content)))
            case "<": records.append(Record(side: 1, bytes: Self.bytes(content)))
            default:
                // "key LABEL<random>/<secret>": labels have no lower-case letters, the digits no upper-case ones.
                let parts = line.dropFirst(4).split(separator: "/")
                let random = parts[0].suffix(64)
                keyLines.append((String(parts[0].dropLast(64)), String(random), String(parts[1])))
            }
        }
    }

    static func bytes(_ digits: some StringProtocol) -> [UInt8] {
        let values = digits.utf8.compactMap(\.hexadecimalValue)
        return stride(from: 0, to: values.count - 1, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    /// A key log with the lines that `isKept` takes; `change` may replace a secret.
    func keyLog(
        _ isKept: (String) -> Bool = { _ in true }, changing change: (String, String) -> String = { $1 }
    ) -> KeyLog {
        let log = KeyLog()
        for line in keyLines where isKept(line.label) {
            let text = Array("\(line.label) \(line.random) \(change(line.label, line.secret))\n".utf8)
            unsafe log.add(text.span.bytes)
        }
        log.endOfInput()
        return log
    }

    /// What became of each record.
    struct Outcome: Equatable {
        var side: Direction
        var content: RecordProtection.RecordContent
        /// Content of application data.
        var data: [UInt8] = []
    }

    /// Gives all records to a connection as its plan says; those with an index in `missing` are not in the capture.
    func replay(_ connection: RecordProtection, missing: Set<Int> = []) -> [Outcome] {
        var output: [UInt8] = []
        return records.enumerated().map { index, record in
            guard let header = unsafe RecordHeader(record.bytes.span.bytes, at: 0) else {
                return Outcome(side: record.side, content: .encrypted(lead: 0, trail: 0))
            }
            if missing.contains(index) {
                return Outcome(side: record.side, content: connection.count(header, record.side, isMissing: true))
            }
            switch connection.plan(header, record.side) {
            case .counted:
                return Outcome(side: record.side, content: connection.count(header, record.side, isMissing: false))
            case .whole:
                let content = unsafe connection.open(record.bytes.span.bytes, record.side, into: &output)
                guard case .applicationData(let range, _, _) = content else {
                    return Outcome(side: record.side, content: content)
                }
                return Outcome(side: record.side, content: content, data: Array(output[range]))
            }
        }
    }

    func replay(keys: KeyLog?) -> (connection: RecordProtection, outcomes: [Outcome]) {
        let connection = RecordProtection(keys: keys)
        return (connection, replay(connection))
    }

    /// Bytes of each content, of all records in order; `data` only of application data.
    static func data(_ outcomes: [Outcome], side: Direction) -> [UInt8] {
        outcomes.filter { $0.side == side }.flatMap(\.data)
    }

    static let all: [TLSTrace] = [
        .rfc8448Simple, .rfc8448Resumed, .rfc8448Retry, .rfc8448Compatibility, .chained, .renegotiation, .keyUpdate,
        .earlyRejected, .earlyRetried,
    ]
}

extension TLSDirectionFacts {
    /// "type×count:bytes" of each message type.
    var messageText: String {
        messages.map { "\($0.type)×\($0.count):\($0.bytes)" }.joined(separator: " ")
    }
}
