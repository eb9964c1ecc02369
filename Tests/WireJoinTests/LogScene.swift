import WireJoin
import WireLogs
import WireTesting

/// How a random log and its capture are made.
struct SceneOptions: Sendable {
    var calls = 400
    var apis = 12
    /// Mean time between calls, nanoseconds.
    var meanGap: Int64 = 200_000_000
    /// Calls of one API start, and end, at least so far apart.
    var spacing: Int64 = 12_000_000
    /// One call in so many starts a burst of up to eight, a few milliseconds apart.
    var burstIn = 6
    /// Rows of requests are up to so much before the first byte, rows of responses up to so much after the last.
    var lead: Int64 = 2_000_000
    var lag: Int64 = 3_000_000
    /// Of thousand rows: later still, by up to `lateBy`.
    var late = 0
    var lateBy: Int64 = 200_000_000
    /// Part of the calls, in percent, that is in the capture; and part that is in the log.
    var captured = 0..<100
    var logged = 0..<100
    var offset: Int64 = 0
    /// Parts per million.
    var drift = 0.0
    /// Of thousand rows.
    var lost = 0
    var duplicated = 0
    /// Of thousand calls: neither row is written.
    var unseen = 0
    /// Rows of hosts that are not in the capture, of thousand.
    var foreign = 0
    /// Rows of exchanges that are not in the capture, of thousand.
    var uncaptured = 0
    var shuffled = false
    /// One row for both directions.
    var wholeExchanges = false
    /// Rows have method, status and the client's port.
    var detailed = false
    var resolution: Int64 = 1

    init() {}

    init(_ change: (inout SceneOptions) -> Void) { change(&self) }
}

/// A random log with its capture, and which row is of which exchange.
struct LogScene {
    private(set) var log = SDKLog(path: "log", format: .dmNDJSON, pathForm: .decoded)
    private(set) var calls: [WireCall] = []
    /// By row: number of its exchange, -1 for none.
    private(set) var truth: [Int32] = []
    /// By row: the row repeats another one.
    private(set) var isCopy: [Bool] = []
    private var uncaptured = Set<Int>()
    private let options: SceneOptions
    private var random: SeededRandom
    private static let epoch: Int64 = 1_790_000_000_000_000_000
    private static let methods = ["GET", "POST"]

    init(_ options: SceneOptions, seed: UInt64) {
        self.options = options
        random = SeededRandom(seed: seed)
        makeCalls()
        makeRows()
    }

    /// Spoils what was made.
    mutating func change(_ body: (inout SDKLog, inout [WireCall]) -> Void) { body(&log, &calls) }

    // MARK: Calls

    private mutating func makeCalls() {
        var time = LogScene.epoch
        var inBurst = 0
        var lastStart = [Int64](repeating: 0, count: options.apis)
        var ends = [[Int64]](repeating: [], count: options.apis)
        while calls.count < options.calls {
            if inBurst > 0 {
                inBurst -= 1
                time += Int64(random.below(4_000_000))
            } else {
                time += gap()
                if random.oneIn(options.burstIn) { inBurst = 1 + random.below(8) }
            }
            for _ in 0..<8 {
                let api = min(random.below(options.apis), random.below(options.apis))
                let end = time + 5_000_000 + Int64(random.below(400_000_000))
                ends[api].removeAll { $0 < time - 1_000_000_000 }
                guard time - lastStart[api] >= options.spacing,
                    ends[api].allSatisfy({ abs($0 - end) >= options.spacing })
                else { continue }
                lastStart[api] = time
                ends[api].append(end)
                append(api, time, end)
                break
            }
        }
    }

    /// Exponential, by the number of halvings.
    private mutating func gap() -> Int64 {
        let halvings = Double(random.next().leadingZeroBitCount) + Double(random.below(1000)) / 1000
        return Int64(halvings * Double(options.meanGap) / 1.5) + Int64(random.below(1000))
    }

    private mutating func append(_ api: Int, _ start: Int64, _ end: Int64) {
        let fails = random.oneIn(40)
        let status: Int16 = fails ? 0 : [200, 200, 200, 302, 404][api % 5]
        calls.append(
            WireCall(
                number: calls.count, host: number("host\(api % 3)"), path: number("/api/\(api)"),
                method: number(LogScene.methods[api % 2]), status: status,
                clientPort: UInt16(40_000 + random.below(6)), serverPort: 443, start: start,
                end: fails ? .min : end))
    }

    private mutating func number(_ text: String) -> Int32 { log.texts.number(Array(text.utf8)) }

    // MARK: Rows

    private mutating func logTime(_ time: Int64) -> Int64 {
        let drifted = Double(time - LogScene.epoch) * options.drift / 1e6
        let exact = time + options.offset + Int64(drifted)
        let rest = exact % options.resolution
        return exact - (rest < 0 ? rest + options.resolution : rest)
    }

    private mutating func makeRows() {
        log.timeResolution = options.resolution
        var made: [(row: LogRow, truth: Int32, isCopy: Bool)] = []
        for call in calls {
            let percent = call.number * 100 / calls.count
            if !options.captured.contains(percent) || isOneOf(options.uncaptured) { uncaptured.insert(call.number) }
            if !options.logged.contains(percent) || isOneOf(options.unseen) { continue }
            for row in rows(of: call) {
                if isOneOf(options.lost) { continue }
                made.append((row, Int32(call.number), false))
                if isOneOf(options.duplicated) { made.append((row, Int32(call.number), true)) }
                if isOneOf(options.foreign) {
                    var other = row
                    other.host = number("elsewhere")
                    made.append((other, -1, false))
                }
            }
        }
        dropUncaptured(&made)
        if options.shuffled {
            made.shuffle(using: &random)
        } else {
            made.sort { $0.row.time < $1.row.time }
        }
        for (index, item) in made.enumerated() {
            var row = item.row
            row.number = index + 1
            log.rows.append(row)
            truth.append(item.truth)
            isCopy.append(item.isCopy)
        }
    }

    private mutating func isOneOf(_ thousandth: Int) -> Bool { random.below(1000) < thousandth }

    private mutating func lateness() -> Int64 {
        isOneOf(options.late) ? Int64(random.below(Int(options.lateBy))) : 0
    }

    private mutating func rows(of call: WireCall) -> [LogRow] {
        let start = logTime(call.start - Int64(random.below(Int(options.lead) + 1)) + lateness())
        let lag = Int64(random.below(Int(options.lag) + 1))
        let end = call.end == .min ? nil : logTime(call.end + lag + lateness())
        var rows: [LogRow] = []
        if options.wholeExchanges {
            var row = makeRow(.exchange, call, start)
            row.end = end ?? .min
            rows.append(row)
        } else {
            rows.append(makeRow(.request, call, start))
            if let end { rows.append(makeRow(.response, call, end)) }
        }
        return rows
    }

    private mutating func makeRow(_ kind: LogRow.Kind, _ call: WireCall, _ time: Int64) -> LogRow {
        var row = LogRow(kind: kind, number: 0)
        row.host = call.host
        row.path = call.path
        row.time = time
        if options.detailed {
            row.method = call.method
            row.clientPort = call.clientPort
            if kind != .request { row.status = call.status }
        }
        row.up.total = random.below(1_000_000)
        row.down.total = random.below(1_000_000)
        return row
    }

    /// Takes the calls of rows without exchange out of the capture.
    private mutating func dropUncaptured(_ made: inout [(row: LogRow, truth: Int32, isCopy: Bool)]) {
        if uncaptured.isEmpty { return }
        var numbers = [Int32](repeating: -1, count: calls.count)
        var kept: [WireCall] = []
        for call in calls where !uncaptured.contains(call.number) {
            numbers[call.number] = Int32(kept.count)
            kept.append(call)
            kept[kept.count - 1].number = kept.count - 1
        }
        calls = kept
        for index in made.indices where made[index].truth >= 0 {
            made[index].truth = numbers[Int(made[index].truth)]
        }
    }
}

/// How a matching compares with the truth. Which of several equal rows has the exchange does not matter.
struct SceneScore: Equatable, CustomStringConvertible {
    /// Pairs that exist, counted once for each exchange and kind of row.
    var existing = 0
    var found = 0
    /// Pairs that do not exist, by whether they were called ambiguous.
    var wrong = 0
    var wrongButAmbiguous = 0
    var ambiguous = 0
    /// Copies that are not called so, or rows that are called copies and are none.
    var wrongDuplicates = 0

    init(_ scene: LogScene, _ matching: LogMatching) {
        var existing = Set<Int64>()
        var found = Set<Int64>()
        var equalRows: [Int64: Int] = [:]
        for (index, row) in scene.log.rows.enumerated() {
            let truth = scene.truth[index]
            let key = Int64(truth) * 4 + Int64(row.kind.rawValue)
            if truth >= 0 { existing.insert(key) }
            if matching.fates[index] == .duplicate { equalRows[key, default: 0] += 1 }
            // Without an exchange for either, equal rows may be two calls.
            if scene.isCopy[index], truth >= 0 { equalRows[key, default: 0] -= 1 }
            if matching.fates[index] == .ambiguous { ambiguous += 1 }
            guard matching.exchanges[index] >= 0 else { continue }
            if matching.exchanges[index] == truth {
                found.insert(key)
            } else if matching.fates[index] == .ambiguous {
                wrongButAmbiguous += 1
            } else {
                wrong += 1
            }
        }
        self.existing = existing.count
        self.found = found.count
        wrongDuplicates = equalRows.values.reduce(0) { $0 + abs($1) }
    }

    var isExact: Bool { found == existing && wrong == 0 && wrongButAmbiguous == 0 }

    var description: String {
        "\(found) of \(existing) pairs, wrong \(wrong), wrong but ambiguous \(wrongButAmbiguous), "
            + "ambiguous \(ambiguous), duplicates off \(wrongDuplicates)"
    }
}
