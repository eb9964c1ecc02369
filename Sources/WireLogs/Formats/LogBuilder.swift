/// Builds a log row by row, and keeps count of what is wrong with it.
package final class LogBuilder {
    /// Sizes beyond this are no sizes: nothing that large was ever sent, and sums of them would not be exact.
    package static let sizeLimit = 1 << 53

    /// Bytes that are kept of a URL, path or host; servers take no longer ones.
    static let textLimit = 16 << 10

    /// Rows that could not be used, of which each is named.
    private static let rejectionLimit = 100_000

    /// What the number of a text costs beside its bytes.
    private static let textCost = 64
    /// In place of a number: of a text beyond the budget. Rows that have it are not kept.
    static let beyondBudget: Int32 = -2

    private(set) var log: SDKLog
    package let rowLimit: Int
    /// Bytes that all texts together may take.
    package let textBudget: Int
    private var textBytes = 0
    /// Texts that are not UTF-8, by number: each row that has one counts.
    private var otherTexts: Set<Int32> = []
    private var problemPlaces: [ProblemKey: Int] = [:]
    /// Of each row how its time is written.
    private var units: [LogTime.Unit] = []
    /// Of each row what its figures are.
    private var definitions: [LogFigures] = []
    private var unitCounts = [Int](repeating: 0, count: 7)
    /// Largest power of ten, up to a second, of which all times are multiples.
    private var resolution: Int64 = 1_000_000_000
    private var hasTimes = false
    /// Times are known to be no finer than this.
    var coarsestResolution: Int64 = 0

    private struct ProblemKey: Hashable {
        var what: String
        var column: String?
    }

    /// - Parameters:
    ///   - rowLimit: most rows that are kept.
    ///   - textBudget: most bytes of all their texts.
    init(
        path: String, format: SDKLogFormat, pathForm: SDKLog.PathForm, rowLimit: Int = .max, textBudget: Int = .max
    ) {
        self.rowLimit = rowLimit
        self.textBudget = textBudget
        log = SDKLog(path: path, format: format, pathForm: pathForm)
    }

    // MARK: Problems

    /// Notes that the log is not there in full: what it lacks says nothing about what was recorded.
    func noteIncomplete(_ what: String) {
        log.isIncomplete = true
        note(what, row: nil)
    }

    /// Notes that a row's texts are beyond the budget.
    func noteBeyondBudget(row: Int?) {
        log.isIncomplete = true
        note("rows with texts beyond the limit log-texts are not read", row: row)
    }

    func recordPlatform(_ platform: ClientPlatform) {
        if !log.toldPlatforms.contains(platform) { log.toldPlatforms.append(platform) }
    }

    /// Notes that the system could not read the log to its end.
    func noteReadingFault() { log.hasReadingFault = true }

    /// Counts something odd; of a column as "column what".
    package func note(_ what: String, column: String? = nil, row: Int?) {
        let key = ProblemKey(what: what, column: column)
        if let place = problemPlaces[key] {
            log.problems[place].count += 1
        } else {
            problemPlaces[key] = log.problems.count
            let text = column.map { $0 + " " + what } ?? what
            log.problems.append(LogProblem(what: text, count: 1, firstRow: row))
        }
    }

    /// Counts a row that cannot be used at all.
    func reject(_ what: String, column: String? = nil, row: Int) {
        log.rejectedRows += 1
        if log.rejections.count < LogBuilder.rejectionLimit {
            log.rejections.append(LogRejection(row: row, what: column.map { $0 + " " + what } ?? what))
        }
        note(what, column: column, row: row)
    }

    // MARK: Texts

    /// Number of a text, of which no more than the limit is kept.
    package func number(_ text: [UInt8], _ column: String, row: Int) -> Int32 {
        if let number = log.texts.find(text) {
            if otherTexts.contains(number) { note("is not UTF-8", column: column, row: row) }
            return number
        }
        guard text.count < LogBuilder.textLimit else {
            note("is too long and was cut", column: column, row: row)
            return newNumber(Array(text.prefix(LogBuilder.textLimit)), row: row)
        }
        let number = newNumber(text, row: row)
        guard number >= 0 else { return number }
        if !text.isUTF8 {
            otherTexts.insert(number)
            note("is not UTF-8", column: column, row: row)
        }
        return number
    }

    /// Number of a text that may be new; `beyondBudget`, and that noted, where there is no room for it.
    private func newNumber(_ text: [UInt8], row: Int) -> Int32 {
        if let number = log.texts.find(text) { return number }
        let size = text.count + LogBuilder.textCost
        guard textBytes <= textBudget - size else {
            noteBeyondBudget(row: row)
            return LogBuilder.beyondBudget
        }
        textBytes += size
        return log.texts.number(text)
    }

    // MARK: Rows

    /// Adds a row whose time was written in this unit, as `written` where the row has a time that follows from it.
    package func append(
        _ row: LogRow, unit: LogTime.Unit = .none, written: Int64? = nil, figures: LogFigures = LogFigures()
    ) {
        guard log.rows.count < rowLimit else {
            log.isIncomplete = true
            note("rows beyond the limit log-rows are not read", row: row.number)
            return
        }
        // What is beyond the budget was noted.
        if [row.host, row.path, row.method].contains(LogBuilder.beyondBudget) { return }
        log.rows.append(row)
        units.append(unit)
        definitions.append(figures)
        unitCounts[Int(unit.rawValue)] += 1
        if unit != .none { measure(written ?? row.time) }
    }

    /// Adds a row with these times of its beginning and its end.
    package func append(_ row: LogRow, start: LogTime?, end: LogTime?, figures: LogFigures = LogFigures()) {
        var row = row
        row.time = start?.time ?? .min
        row.end = end?.time ?? .min
        // A row that has only an end is written in the unit of its end.
        let written = start ?? end
        append(row, unit: written?.unit ?? .none, written: written?.time, figures: figures)
    }

    func setColumns(_ columns: LogColumns) { log.columns = columns }

    func setWriter(_ writer: HARWriter) {
        log.writer = writer
        // It writes the URLs of its database, which are decoded.
        if writer == .chucker { log.pathForm = .decodedWithQuery }
    }

    /// Changes the rows from a place on: what is told of them only behind them.
    package func change(from place: Int, _ body: (inout LogRow) -> Void) {
        for index in log.rows.indices.dropFirst(place) { body(&log.rows[index]) }
    }

    /// Takes rows back: what is told of them only behind them.
    package func remove(_ places: Set<Int>, _ what: String) {
        guard !places.isEmpty else { return }
        for place in places.sorted() {
            note(what, row: log.rows[place].number)
            unitCounts[Int(units[place].rawValue)] -= 1
        }
        let kept = log.rows.indices.filter { !places.contains($0) }
        (log.rows, units) = (kept.map { log.rows[$0] }, kept.map { units[$0] })
        definitions = kept.map { definitions[$0] }
    }

    private func measure(_ time: Int64) {
        hasTimes = true
        while resolution > 1, time % resolution != 0 { resolution /= 10 }
    }

    /// The log, with what follows from all of its rows.
    package func finish() -> SDKLog {
        for direction in Direction.allCases { agreeOnFigures(direction) }
        agreeOnSeconds()
        noteOtherUnits()
        matchByPathWhereQueriesAreStripped()
        log.timeResolution = hasTimes ? max(resolution, coarsestResolution) : 0
        return log
    }

    /// A log of URLs in which no URL has a query was stripped of them: its paths alone are compared.
    private func matchByPathWhereQueriesAreStripped() {
        guard log.pathForm == .encodedWithQuery, !log.rows.isEmpty else { return }
        let paths = Set(log.rows.map(\.path)).filter { $0 >= 0 }
        if paths.allSatisfy({ !log.texts[$0].contains(0x3F) }) { log.pathForm = .encoded }
    }

    /// One formula is held against all rows of a log. Figures that most rows do not have are not judged by it.
    private func agreeOnFigures(_ direction: Direction) {
        var counts: [FigureDefinition: Int] = [:]
        for figures in definitions { figures[direction].map { counts[$0, default: 0] += 1 } }
        guard let largest = counts.values.max(),
            let usual = FigureDefinition.allCases.first(where: { counts[$0] == largest })
        else { return }
        log.figures[direction] = usual
        for index in log.rows.indices {
            guard let own = definitions[index][direction], own != usual else { continue }
            if direction == .up { log.rows[index].up = LoggedBytes() } else { log.rows[index].down = LoggedBytes() }
            note(
                "figures \(own.rawValue) are not judged: most \(direction == .up ? "requests" : "responses") have "
                    + usual.rawValue, row: log.rows[index].number)
        }
    }

    /// Seconds since 1970 and since 2001 can be confused where the one's range meets the other's. Rows that come nearer
    /// to most others when they are read like those are read so.
    private func agreeOnSeconds() {
        let reference = unitCounts[Int(LogTime.Unit.reference.rawValue)]
        let seconds = unitCounts[Int(LogTime.Unit.seconds.rawValue)]
        guard reference > 0, seconds > 0 else { return }
        let minority = reference < seconds ? LogTime.Unit.reference : .seconds
        let majority = reference < seconds ? LogTime.Unit.seconds : .reference
        let shift = minority == .reference ? -LogTime.referenceDate : LogTime.referenceDate
        guard let place = units.firstIndex(of: majority) else { return }
        let usual = log.rows[place].anyTime
        for index in units.indices where units[index] == minority {
            let time = log.rows[index].anyTime
            guard LogTime.distance(shifted(time, by: shift), usual) < LogTime.distance(time, usual) else { continue }
            log.rows[index].time = shifted(log.rows[index].time, by: shift)
            log.rows[index].end = shifted(log.rows[index].end, by: shift)
            units[index] = majority
            unitCounts[Int(minority.rawValue)] -= 1
            unitCounts[Int(majority.rawValue)] += 1
        }
    }

    private func shifted(_ time: Int64, by shift: Int64) -> Int64 {
        guard time != .min else { return time }
        let (sum, overflow) = time.addingReportingOverflow(shift)
        return overflow ? .min : sum
    }

    private func noteOtherUnits() {
        let counts = unitCounts.dropFirst()
        guard let most = counts.max(), counts.reduce(0, +) > most, let usual = counts.firstIndex(of: most) else {
            return
        }
        for (index, unit) in units.enumerated() where unit != .none && Int(unit.rawValue) != usual {
            note("times have a different unit than in most rows", row: log.rows[index].number)
        }
    }
}
