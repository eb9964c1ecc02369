import Dispatch
import WireEstimates
import WireLogs
import WireStatistics

/// Accuracy by source, API and direction while calls come in. Memory grows with the rows, not with the calls.
struct AccuracyTable {
    private struct Cell {
        var coverage = Coverage()
        var messageCauses = CauseLedger()
        var transport = CauseLedger()
        /// Reasons of exchanges that were not recorded: few, if any.
        var unseen: [(cause: ErrorCause, bytes: Int)] = []
        /// Of the error pool, against the messages; the next is against the wire.
        var errors: Int
        /// How the calls spread, for comparisons with other runs.
        var messageErrors = RelativeErrorSums()
        var wireErrors = RelativeErrorSums()
        var sizes = SizeSums()
        /// Of single APIs: totals are compared API by API.
        var completed = ErrorSums()
        var withoutBodies = ErrorSums()
        var failed = ErrorSums()
        var blocks = BlockSums()

        mutating func addCall(
            error: Int, truth: DirectionTruth, _ causes: CauseLedger, _ scale: inout BlockScale
        ) {
            blocks.add(size: truth.wire, at: truth.time, &scale)
            if truth.isFailed(causes) { return failed.add(error: error, truth: truth.message) }
            let rest = error &- causes.ofBodies
            completed.add(error: error, truth: truth.message)
            withoutBodies.add(error: rest, truth: truth.message)
            blocks.add(error: error, withoutBodies: rest, truth: truth.message, at: truth.time, &scale)
        }

        var callErrors: CallErrors {
            CallErrors(
                completed: completed.series, withoutBodies: withoutBodies.series, failed: failed.series)
        }
    }

    private var pool = ErrorPool()
    private var scale = BlockScale()
    private var cells: [Cell] = []
    /// By source and direction: cell of each API, -1 for none yet. The last place of all is the total's.
    private var places: [[Int32]]
    private var totals: [Int]
    private let sources: Int
    /// Applied to figures before they are counted.
    var correction: CalibrationCorrection?
    private var parts: [PartRow] = []
    private var encryption: [EncryptionRow] = []

    init(sources: Int) {
        self.sources = sources
        for source in 0..<sources {
            for direction in Direction.allCases {
                parts += MessagePart.allCases.map { PartRow(source: source, direction: direction, part: $0) }
                encryption.append(EncryptionRow(source: source, direction: direction))
            }
        }
        // One more for what the packets show.
        places = Array(repeating: [], count: (sources + 1) * 2)
        totals = []
        for _ in 0..<(sources + 1) * 2 { totals.append(makeCell()) }
    }

    private mutating func makeCell() -> Int {
        let errors = pool.addCell()
        _ = pool.addCell()
        cells.append(Cell(errors: errors))
        return cells.count - 1
    }

    private mutating func cell(_ source: Int, _ api: Int, _ direction: Direction) -> Int {
        let table = source * 2 + (direction == .up ? 0 : 1)
        while places[table].count <= api { places[table].append(-1) }
        if places[table][api] < 0 { places[table][api] = Int32(makeCell()) }
        return Int(places[table][api])
    }

    /// A call, whatever the sources have of it.
    mutating func count(api: Int, _ direction: Direction, _ truth: DirectionTruth) {
        for cell in [cell(sources, api, direction), totals[sources * 2 + (direction == .up ? 0 : 1)]] {
            cells[cell].coverage.count(truth, isRecorded: false)
        }
    }

    /// A recorded figure; no figure counts as nothing.
    mutating func add(
        _ estimate: Int, _ causes: CauseLedger, source: Int, api: Int, _ direction: Direction, _ truth: DirectionTruth
    ) {
        let corrected = correction?.correct(estimate, causes, source: source, api: api, direction, truth)
        let (message, wire) = corrected ?? (estimate, estimate)
        for cell in [cell(source, api, direction), totals[source * 2 + (direction == .up ? 0 : 1)]] {
            cells[cell].coverage.count(truth, isRecorded: true)
            cells[cell].messageCauses += causes
            cells[cell].transport += truth.transport
            pool.add(estimate: message, truth: truth.message, to: cells[cell].errors)
            pool.add(estimate: wire, truth: truth.wire, to: cells[cell].errors + 1)
            cells[cell].messageErrors.add(estimate: message, truth: truth.message)
            cells[cell].wireErrors.add(estimate: wire, truth: truth.wire)
            cells[cell].sizes.add(truth.wire)
        }
        cells[cell(source, api, direction)].addCall(error: message &- truth.message, truth: truth, causes, &scale)
    }

    /// The same figure by the parts of the message, where the source has both of them, and against what TLS made of it.
    mutating func addParts(
        head: Int?, body: Int?, total: Int, source: Int, _ direction: Direction, _ truth: DirectionTruth
    ) {
        let place = source * 2 + (direction == .up ? 0 : 1)
        if let head, let body {
            parts[place * 2].add(head, truth: truth.message - truth.body)
            parts[place * 2 + 1].add(body, truth: truth.body)
        }
        if let encrypted = truth.encrypted {
            encryption[place].add(total, before: truth.message, after: encrypted)
        }
    }

    /// Rows of parts and of encryption that have calls, by source, direction and part.
    var questionRows: (parts: [PartRow], encryption: [EncryptionRow]) {
        (parts.filter { $0.calls > 0 }, encryption.filter { $0.calls > 0 })
    }

    /// An exchange that the source lacks.
    mutating func addUnseen(
        _ cause: ErrorCause, source: Int, api: Int, _ direction: Direction, _ truth: DirectionTruth
    ) {
        for cell in [cell(source, api, direction), totals[source * 2 + (direction == .up ? 0 : 1)]] {
            cells[cell].coverage.count(truth, isRecorded: false)
            cells[cell].sizes.add(truth.wire)
            if let place = cells[cell].unseen.firstIndex(where: { $0.cause == cause }) {
                cells[cell].unseen[place].bytes -= truth.message
            } else {
                cells[cell].unseen.append((cause, -truth.message))
            }
        }
        cells[cell(source, api, direction)].blocks.add(size: truth.wire, at: truth.time, &scale)
    }

    // MARK: Rows

    /// Rows by source, API and direction, and rows of all APIs together. Sources that make no statement about a
    /// direction have no row for it.
    func rows(seed: UInt64, jobs: Int) -> (rows: [AccuracyRow], totals: [AccuracyRow]) {
        var wanted: [(row: AccuracyRow, cell: Int)] = []
        var all: [(row: AccuracyRow, cell: Int)] = []
        for source in 0..<sources {
            let count = max(places[source * 2].count, places[source * 2 + 1].count)
            for api in 0..<count {
                for (side, direction) in Direction.allCases.enumerated() {
                    let table = places[source * 2 + side]
                    guard api < table.count, table[api] >= 0 else { continue }
                    wanted.append(
                        (AccuracyRow(source: source, api: api, direction: direction), Int(table[api])))
                }
            }
            for (side, direction) in Direction.allCases.enumerated() {
                let cell = totals[source * 2 + side]
                guard cells[cell].coverage.calls > 0 else { continue }
                all.append((AccuracyRow(source: source, api: nil, direction: direction), cell))
            }
        }
        let finished = finish(wanted + all, seed: seed, jobs: jobs)
        return (Array(finished.prefix(wanted.count)), Array(finished.dropFirst(wanted.count)))
    }

    /// The exact sums of all rows, with those over all APIs: what results of several sessions are merged from.
    func sums(_ sources: [AccuracySource], _ apis: [String]) -> [CallKey: CallSums] {
        var sums: [CallKey: CallSums] = [:]
        for (source, id) in (sources.map(\.id) + [CallKey.packets]).enumerated() {
            for (side, direction) in Direction.allCases.enumerated() {
                let table = source * 2 + side
                for (api, cell) in places[table].enumerated() where cell >= 0 {
                    let key = CallKey(source: id, api: apis[api], direction: direction)
                    sums[key] = self.sums(cells[Int(cell)])
                }
                guard cells[totals[table]].coverage.calls > 0 else { continue }
                sums[CallKey(source: id, api: nil, direction: direction)] =
                    self.sums(cells[totals[table]])
            }
        }
        return sums
    }

    private func sums(_ cell: Cell) -> CallSums {
        var sums = CallSums()
        sums.coverage = cell.coverage
        sums.messageCauses = cell.messageCauses
        sums.transport = cell.transport
        for (cause, bytes) in cell.unseen { sums.unseen[cause] += bytes }
        sums.message = pool.cells[cell.errors]
        sums.wire = pool.cells[cell.errors + 1]
        sums.messageErrors = cell.messageErrors
        sums.wireErrors = cell.wireErrors
        sums.sizes = cell.sizes
        sums.completed = cell.completed
        sums.withoutBodies = cell.withoutBodies
        sums.failed = cell.failed
        return sums
    }

    /// Statistics take far longer than all else here, so threads share them; no result depends on that.
    private func finish(_ wanted: [(row: AccuracyRow, cell: Int)], seed: UInt64, jobs: Int) -> [AccuracyRow] {
        let pieces = max(1, min(jobs, wanted.count / 64 + 1))
        let results = RowPieces(count: pieces)
        DispatchQueue.concurrentPerform(iterations: pieces) { piece in
            let range = wanted.count * piece / pieces..<wanted.count * (piece + 1) / pieces
            results.set(piece, range.map { finished(wanted[$0].row, cells[wanted[$0].cell], seed) })
        }
        return results.joined
    }

    private func finished(_ row: AccuracyRow, _ cell: Cell, _ seed: UInt64) -> AccuracyRow {
        var row = row
        row.coverage = cell.coverage
        row.message = pool.cells[cell.errors].statistics(seed: seed)
        row.wire = pool.cells[cell.errors + 1].statistics(seed: seed)
        row.messageCauses = cell.messageCauses
        row.causes = cell.messageCauses
        row.causes += cell.transport
        for (cause, bytes) in cell.unseen { row.unseen[cause] += bytes }
        row.spread = RowSpread(
            message: cell.messageErrors.spread, wire: cell.wireErrors.spread, size: cell.sizes.spread,
            calls: row.api == nil ? nil : cell.callErrors, blocks: cell.blocks.blocks(scale))
        return row
    }
}

extension Coverage {
    fileprivate mutating func count(_ truth: DirectionTruth, isRecorded: Bool) {
        calls += 1
        messageBytes += truth.message
        wireBytes += truth.wire
        guard isRecorded else { return }
        recordedCalls += 1
        recordedMessageBytes += truth.message
        recordedWireBytes += truth.wire
    }
}
