/// Builds a log row by row, and keeps count of what is wrong with it.
final class LogBuilder {
    /// Sizes beyond this are no sizes: nothing that large was ever sent, and sums of them would not be exact.
    static let sizeLimit = 1 << 53

    /// Bytes that are kept of a URL, path or host; servers take no longer ones.
    static let textLimit = 16 << 10

    /// Rows that could not be used, of which each is named.
    private static let rejectionLimit = 100_000

    private(set) var log: SDKLog
    let rowLimit: Int
    /// Texts that are not UTF-8, by number: each row that has one counts.
    private var otherTexts: Set<Int32> = []
    private var problemPlaces: [ProblemKey: Int] = [:]
    /// Of each row how its time is written.
    private var units: [LogTime.Unit] = []
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

    /// - Parameter rowLimit: most rows that are kept.
    init(path: String, format: SDKLogFormat, pathForm: SDKLog.PathForm, rowLimit: Int = .max) {
        self.rowLimit = rowLimit
        log = SDKLog(path: path, format: format, pathForm: pathForm)
    }

    // MARK: Problems

    /// Notes that the log is not there in full: what it lacks says nothing about what was recorded.
    func noteIncomplete(_ what: String) {
        log.isIncomplete = true
        note(what, row: nil)
    }

    /// Notes that the system could not read the log to its end.
    func noteReadingFault() { log.hasReadingFault = true }

    /// Counts something odd; of a column as "column what".
    func note(_ what: String, column: String? = nil, row: Int?) {
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

    // MARK: Values

    /// A number of bytes. Nil, with the reason noted, where it is none; of a column that the log lacks nothing is
    /// noted.
    func size(_ value: LogValue, _ column: String, row: Int, minusOneIsUnknown: Bool = false) -> Int? {
        guard value != .absent else { return nil }
        guard let number = value.number else {
            note(value.isNothing ? "is empty" : "is not a number", column: column, row: row)
            return nil
        }
        guard let size = number.integer else {
            note(number.isWhole ? "is implausibly large" : "is not a whole number", column: column, row: row)
            return nil
        }
        if size == -1, minusOneIsUnknown { return nil }
        guard size >= 0 else {
            note("is negative", column: column, row: row)
            return nil
        }
        guard size <= LogBuilder.sizeLimit else {
            note("is implausibly large", column: column, row: row)
            return nil
        }
        return size
    }

    /// Number of a host's name, lower case and without port.
    func host(_ text: [UInt8], _ column: String, row: Int) -> Int32 {
        number(LogURL.hostAndPort(text).0, column, row: row)
    }

    /// Number of a text, of which no more than the limit is kept.
    func number(_ text: [UInt8], _ column: String, row: Int) -> Int32 {
        if let number = log.texts.find(text) {
            if otherTexts.contains(number) { note("is not UTF-8", column: column, row: row) }
            return number
        }
        guard text.count < LogBuilder.textLimit else {
            note("is too long and was cut", column: column, row: row)
            return log.texts.number(Array(text.prefix(LogBuilder.textLimit)))
        }
        let number = log.texts.number(text)
        if !text.isUTF8 {
            otherTexts.insert(number)
            note("is not UTF-8", column: column, row: row)
        }
        return number
    }

    /// Fills host, path and port of a row from a URL; false, with the reason noted, where there is none.
    func setURL(_ text: [UInt8], _ column: String, of row: inout LogRow) -> Bool {
        // Readers that cut a text leave it as long as the limit.
        let isCut = text.count >= LogBuilder.textLimit
        guard let url = LogURL(isCut ? Array(text.prefix(LogBuilder.textLimit)) : text) else {
            note("is not a URL with a host", column: column, row: row.number)
            return false
        }
        if isCut, url.target.count < LogBuilder.textLimit {
            note("is too long and was cut", column: column, row: row.number)
        }
        row.host = number(url.host, column, row: row.number)
        row.path = number(url.target, column, row: row.number)
        row.serverPort = url.port
        row.isPlain = url.scheme.elementsEqual("http".utf8) || url.scheme.elementsEqual("ws".utf8)
        return true
    }

    /// Number of a method, upper case; -1 where there is none.
    func method(_ value: LogValue, row: Int) -> Int32 {
        guard let text = value.text, !text.isEmpty else { return -1 }
        return number(text.map(\.uppercased), "method", row: row)
    }

    /// A status code; 0, with the reason noted, where it is none.
    func status(_ value: LogValue, _ column: String, row: Int) -> Int16 {
        guard !value.isNothing else { return 0 }
        guard let number = value.number?.integer, let status = Int16(exactly: number), 0...999 ~= status else {
            note("is not a status code", column: column, row: row)
            return 0
        }
        return status
    }

    /// A time; nil, with the reason noted, where it is none.
    func time(_ value: LogValue, _ column: String, row: Int) -> LogTime? {
        if value == .absent { return nil }
        do throws(LogTime.Failure) {
            let time = try LogTime(value)
            switch time.zone {
            case .missing: note("has no time zone, UTC is assumed", column: column, row: row)
            case .unknown: note("has an unknown time zone, UTC is assumed", column: column, row: row)
            case .offset: break
            }
            return time
        } catch .outOfRange {
            note("is out of the range of times", column: column, row: row)
        } catch {
            note(value.isNothing ? "is empty" : "is not a time", column: column, row: row)
        }
        return nil
    }

    // MARK: Rows

    /// Adds a row whose time was written in this unit, as `written` where the row has a time that follows from it.
    func append(_ row: LogRow, unit: LogTime.Unit = .none, written: Int64? = nil) {
        guard log.rows.count < rowLimit else {
            log.isIncomplete = true
            note("rows beyond the limit log-rows are not read", row: row.number)
            return
        }
        log.rows.append(row)
        units.append(unit)
        unitCounts[Int(unit.rawValue)] += 1
        if unit != .none { measure(written ?? row.time) }
    }

    func setWriter(_ writer: HARWriter) { log.writer = writer }

    /// Changes the rows from a place on: what is told of them only behind them.
    func change(from place: Int, _ body: (inout LogRow) -> Void) {
        for index in log.rows.indices.dropFirst(place) { body(&log.rows[index]) }
    }

    /// Takes rows back: what is told of them only behind them.
    func remove(_ places: Set<Int>, _ what: String) {
        guard !places.isEmpty else { return }
        for place in places.sorted() {
            note(what, row: log.rows[place].number)
            unitCounts[Int(units[place].rawValue)] -= 1
        }
        let kept = log.rows.indices.filter { !places.contains($0) }
        (log.rows, units) = (kept.map { log.rows[$0] }, kept.map { units[$0] })
    }

    private func measure(_ time: Int64) {
        hasTimes = true
        while resolution > 1, time % resolution != 0 { resolution /= 10 }
    }

    /// The log, with what follows from all of its rows.
    func finish() -> SDKLog {
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
        let usual = log.rows[place].time
        for index in units.indices where units[index] == minority {
            let time = log.rows[index].time
            let other = shifted(time, by: shift)
            guard distance(other, usual) < distance(time, usual) else { continue }
            log.rows[index].time = other
            log.rows[index].end = shifted(log.rows[index].end, by: shift)
            units[index] = majority
            unitCounts[Int(minority.rawValue)] -= 1
            unitCounts[Int(majority.rawValue)] += 1
        }
    }

    private func distance(_ time: Int64, _ other: Int64) -> UInt64 {
        time > other ? UInt64(bitPattern: time &- other) : UInt64(bitPattern: other &- time)
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
