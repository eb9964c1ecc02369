import Foundation
import Testing
import WireCapture
import WireCore
import WireNative

/// One folder of `Captures/`.
struct CaptureCase: Sendable, CustomTestStringConvertible {
    var name: String
    /// The folder's path.
    var path: String

    var testDescription: String { name }

    /// Every case there is, by name. A checkout without them is no checkout: the tests over the list need all of these.
    static let all: [CaptureCase] = {
        let captures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Captures")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: captures.path)) ?? []
        return names.filter { !$0.contains(".") }.sorted()
            .map { CaptureCase(name: $0, path: captures.appendingPathComponent($0).path) }
    }()

    /// Its key log, where it has one.
    var keys: [String] {
        let log = path + "/keys.log"
        return FileManager.default.fileExists(atPath: log) ? [log] : []
    }

    func audit() throws -> RecordedAudit {
        try RecordedAudit([path + "/" + truth().capture.file], keys: keys)
    }

    /// Reads the file of this name in the case's folder; a missing one fails the test.
    func read(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + file)))
    }

    func truth() throws -> GroundTruth {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(GroundTruth.self, from: Data(try read("truth.json")))
    }
}

/// An audit with all its records, in the order of their numbers.
struct RecordedAudit {
    var result: AuditResult
    var connections: [ConnectionRecord]
    var exchanges: [ExchangeRecord]

    /// The records in the order in which they came, with all their costs.
    var transcript: [String]

    init(
        _ paths: [String], keys: [String] = [], jobs: Int = 1, keepsHiddenPieces: Bool = false,
        keepsUnnamedCalls: Bool = false, keepsFields: Bool = false
    ) throws {
        let keeper = RecordKeeper()
        var options = AuditOptions()
        options.decodesBodies = true
        (options.keepsHiddenPieces, options.keepsUnnamedCalls) = (keepsHiddenPieces, keepsUnnamedCalls)
        (options.keepsHeads, options.keepsFieldSizes) = (keepsFields, keepsFields)
        result = try CaptureAudit(paths: paths, options: options, keys: keys, jobs: jobs).run(sink: keeper)
        transcript = keeper.transcript
        connections = keeper.connections.sorted { $0.connection < $1.connection }
        exchanges = keeper.exchanges.sorted { ($0.connection, $0.exchange) < ($1.connection, $1.exchange) }
    }
}

/// The capture itself, of a compressed file or a plain one.
func decompressed(_ file: [UInt8]) throws -> [UInt8] {
    guard let format = unsafe StreamInflater.Format(firstBytes: file.span.bytes) else { return file }
    let inflater = StreamInflater(format: format)
    var buffer = [UInt8](repeating: 0, count: 4 << 20)
    guard case .produced(let count) = unsafe inflater.inflate(file.span.bytes, into: &buffer, 0..<buffer.count),
        inflater.consumed == file.count, inflater.mayEnd
    else {
        throw CocoaError(.fileReadCorruptFile)
    }
    return Array(buffer[..<count])
}

private final class RecordKeeper: AuditSink {
    var exchanges: [ExchangeRecord] = []
    var connections: [ConnectionRecord] = []
    private(set) var transcript: [String] = []

    func receive(_ record: ExchangeRecord) {
        exchanges.append(record)
        var words = record
        // Objects are described by nothing of theirs.
        (words.requestBody, words.responseBody) = (nil, nil)
        transcript.append("\(words) \(text(record.costs)) \(String(describing: record.responseBody?.facts))")
    }

    func receive(_ record: ConnectionRecord) {
        connections.append(record)
        transcript.append("\(record) \(text(record.costs))")
    }

    private func text(_ costs: Directions<CostVector>) -> String {
        [costs.up, costs.down].map { cost in
            Cause.allCases.map { String(cost[$0]) }.joined(separator: " ")
                + " \(cost.link) \(cost.offloadHidden) \(cost.handshakeHeaders) \(cost.closingRecords)"
        }
        .joined(separator: " / ")
    }
}
