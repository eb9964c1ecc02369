import WireLogs
import WireTesting

@testable import WireAccuracy
@testable import WireCore

/// Calls over TLS 1.3 connections that nobody can read, with the log that an app keeps of them: times and sizes are drawn.
struct HiddenSession {
    struct Call {
        var up: Int
        var down: Int
        /// First byte sent, and last byte received: nanoseconds.
        var start: Int64
        var end: Int64
    }

    static let host = Array("api.example".utf8)
    static let epoch: Int64 = 1_795_168_800_000_000_000
    private static let millisecond: Int64 = 1_000_000

    var random: SeededRandom
    let isHTTP1: Bool
    /// Pause between calls of a connection, at most so many milliseconds.
    let pause: Int
    private(set) var calls: [Call] = []
    private(set) var connections: [ConnectionRecord] = []

    init(seed: UInt64, isHTTP1: Bool, connections count: Int, calls: Int, pause: Int) {
        random = SeededRandom(seed: seed)
        (self.isHTTP1, self.pause) = (isHTTP1, pause)
        for number in 0..<count { addConnection(number, calls: calls) }
    }

    private mutating func milliseconds(_ most: Int) -> Int64 { Int64(random.below(most * 1_000_000 + 1)) }

    private mutating func addConnection(_ number: Int, calls count: Int) {
        let begin = HiddenSession.epoch + milliseconds(2000)
        var pieces = [
            HiddenPiece(time: begin, bytes: 2022, content: 2000, isFromClient: false),
            HiddenPiece(time: begin + HiddenSession.millisecond, bytes: 58, content: 36, isFromClient: true),
        ]
        var time = begin + 2 * HiddenSession.millisecond
        if random.oneIn(2) {
            for _ in 0..<2 { pieces.append(HiddenPiece(time: time, bytes: 277, content: 255, isFromClient: false)) }
        }
        time += HiddenSession.millisecond
        var last = time
        for _ in 0..<count {
            let end = addCall(at: time, &pieces)
            last = max(last, end)
            // HTTP/2 asks again before the answer has come.
            time = (isHTTP1 ? end : time) + HiddenSession.millisecond / 10 + milliseconds(pause)
        }
        if random.oneIn(2) { pieces.append(HiddenPiece(time: last + 1, bytes: 24, content: 2, isFromClient: false)) }
        pieces.sort { $0.time < $1.time }
        connections.append(record(number, pieces, begin...last + 1))
    }

    /// Returns when it ended.
    private mutating func addCall(at start: Int64, _ pieces: inout [HiddenPiece]) -> Int64 {
        var call = Call(up: 0, down: 0, start: start, end: start)
        for _ in 0...random.below(2) { call.up += add(true, call.end, &pieces) }
        call.end += milliseconds(40) + HiddenSession.millisecond
        for _ in 0...random.below(4) {
            call.down += add(false, call.end, &pieces)
            call.end += milliseconds(3)
        }
        // Node ends a chunked body with a record of five bytes.
        if random.oneIn(4) { call.down += add(false, call.end, &pieces, size: 5) }
        if !isHTTP1, random.oneIn(2) { _ = add(random.oneIn(2), call.end, &pieces, size: 13) }
        call.end += 1
        calls.append(call)
        return call.end
    }

    private mutating func add(_ isFromClient: Bool, _ time: Int64, _ pieces: inout [HiddenPiece], size: Int? = nil)
        -> Int
    {
        let size = size ?? 20 + random.below(1400)
        pieces.append(HiddenPiece(time: time, bytes: size + 22, content: size, isFromClient: isFromClient))
        return size
    }

    private func record(_ number: Int, _ pieces: [HiddenPiece], _ span: ClosedRange<Int64>) -> ConnectionRecord {
        var record = ConnectionRecord.blank
        (record.connection, record.time, record.duration) = (number, span.lowerBound, span.upperBound - span.lowerBound)
        record.serverName = HiddenSession.host
        record.client.port = UInt16(40_000 + number)
        record.server.port = 443
        var facts = TLSFacts()
        (facts.version, facts.handshakeWasRead, facts.blindness) = (.tls13, true, .noKeys)
        facts.offeredProtocols = isHTTP1 ? [] : [Array("h2".utf8), Array("http/1.1".utf8)]
        record.tls = facts
        var unnamed = UnnamedCalls()
        unnamed.decide(facts, client: 0)
        for piece in pieces {
            let direction: WireCore.Direction = piece.isFromClient ? 0 : 1
            _ = unnamed.begin(Int(piece.content), direction, at: piece.time, keeps: true)
            unnamed.end(direction, at: piece.time)
        }
        record.hidden = HiddenTraffic(
            pieces: pieces, calls: unnamed.areKnown ? unnamed.finish(showsLength: true) : nil, isComplete: true,
            showsContentLength: true)
        return record
    }

    // MARK: The log

    /// A row for each call: its start is noted early and its end late, by a clock that is ahead.
    mutating func log(ahead: Int64, splits: Bool = false, _ path: (Int) -> String) -> SDKLog {
        var log = SDKLog(path: "app.har", format: splits ? .dmNDJSON : .har, pathForm: .encoded)
        log.timeResolution = HiddenSession.millisecond
        let host = log.texts.number(HiddenSession.host)
        for (number, call) in calls.enumerated() {
            var row = LogRow(kind: splits ? .request : .exchange, number: log.rows.count + 1)
            (row.host, row.path) = (host, log.texts.number(Array(path(number).utf8)))
            row.method = log.texts.number(Array("GET".utf8))
            row.time = cut(call.start - milliseconds(4) + ahead)
            row.end = cut(call.end + milliseconds(4) + ahead)
            (row.up.total, row.down.total) = (call.up, call.down)
            guard splits else {
                log.rows.append(row)
                continue
            }
            var response = row
            (response.kind, response.time, response.number, response.up) = (
                .response, row.end, row.number + 1, LoggedBytes()
            )
            (row.end, row.down, response.end) = (.min, LoggedBytes(), .min)
            log.rows += [row, response]
        }
        return log
    }

    private func cut(_ time: Int64) -> Int64 { time - time % HiddenSession.millisecond }
}
