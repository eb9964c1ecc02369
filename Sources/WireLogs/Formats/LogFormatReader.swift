import WireNative

/// Why a log is none of its format, in one clause.
struct LogRefusal: Error {
    var reason: String
    var isOpening = false

    init(_ reason: String, isOpening: Bool = false) {
        self.reason = reason
        self.isOpening = isOpening
    }
}

/// Reads a log in the format it has, or should have.
struct LogFormatReader {
    let path: String
    let bytes: LogBytes
    /// What the owner of the log says of its columns.
    let columns: LogColumns?
    let rowLimit: Int
    let textBudget: Int

    private static let databaseMark = Array("SQLite format 3\0".utf8)

    func read(_ wanted: SDKLogFormat?) throws(LogRefusal) -> SDKLog {
        let format = columns == nil ? wanted : .columns
        if bytes.window.starts(with: LogFormatReader.databaseMark) { return try readDatabase(format) }
        let sniffer = LogSniffer(window: SentryEnvelopes.lines(of: bytes.window), isWhole: bytes.isWhole)
        guard let format else {
            // What was recognised is kept even when none of its rows can be used: the counts say why.
            switch sniffer.find() {
            case .json(let format, let layout): return try readJSON(format, layout)
            case .csv(let format): return try readCSV(format)
            case .lines(let format): return try readLines(format)
            case .unknown(let reason): return try readColumns(sniffer, otherwise: reason)
            }
        }
        if let reason = sniffer.binaryReason { throw LogRefusal(reason) }
        if bytes.window.isEmpty { throw LogRefusal("it is empty") }
        switch format {
        case .dmSQLite, .networkeye, .godeye, .pulse, .chucker:
            throw LogRefusal("it does not have the header of an SQLite database")
        case .dmNDJSON, .metrics, .otlp, .qlog, .sentry, .datadog, .newrelic, .charles, .flutter:
            return try usable(readJSON(format, sniffer.jsonLayout))
        case .har, .netlog: return try readJSON(format, .document)
        case .dmCSV: return try readCSV(format)
        case .cfnetwork, .okhttpLog: return try readLines(format)
        case .columns: return try readColumns(sniffer)
        case .dokit:
            if case .csv = sniffer.find() { return try readCSV(format) }
            return try usable(readJSON(format, sniffer.jsonLayout))
        }
    }

    func usable(_ log: SDKLog) throws(LogRefusal) -> SDKLog {
        guard log.rows.isEmpty, log.rejectedRows > 0 else { return log }
        throw LogRefusal("none of its rows can be used (\(log.rejections.first?.what ?? ""))")
    }

    // MARK: Databases

    private func readDatabase(_ format: SDKLogFormat?) throws(LogRefusal) -> SDKLog {
        let database: SQLiteDatabase
        do throws(SQLiteError) {
            database =
                SQLiteDatabase.isDatabase(path)
                ? try SQLiteDatabase(path: path) : try SQLiteDatabase(pieces: { bytes.next() })
        } catch {
            let reason = error.kind == .damaged ? "it is a damaged SQLite database: " + error.reason : error.reason
            throw LogRefusal(reason, isOpening: error.kind == .cannotOpen || error.kind == .cannotCopy)
        }
        let candidates = format.map { [$0] } ?? [.pulse, .networkeye, .godeye, .chucker, .dmSQLite, .dokit, .columns]
        for candidate in candidates {
            let log: SDKLog? =
                switch candidate {
                case .pulse: readPulse(database)
                case .networkeye: read(database, candidate, NetworkEyeFormat(), named: NetworkEyeFormat.table)
                case .godeye: read(database, candidate, GodEyeFormat(), named: GodEyeFormat.table)
                case .chucker: read(database, candidate, ChuckerFormat(), named: ChuckerFormat.table)
                case .dmSQLite: read(database, candidate, DMFormat(), named: nil)
                case .dokit: read(database, candidate, DoKitFormat(), named: nil)
                case .columns: try readColumns(database)
                default: throw LogRefusal("it is an SQLite database")
                }
            if let log { return try usable(log) }
        }
        throw LogRefusal(description(database, format))
    }

    private func readPulse(_ database: SQLiteDatabase) -> SDKLog? {
        guard PulseStore.has(database) else { return nil }
        let builder = makeBuilder(.pulse)
        PulseStore(database: database, builder: builder).read()
        return finish(builder, database)
    }

    /// Reads the tables that are of the format; nil where there are none.
    private func read<Format: RowFormat>(
        _ database: SQLiteDatabase, _ format: SDKLogFormat, _ records: Format, named name: String?
    ) -> SDKLog? {
        let tables = SQLiteRecords.tables(database, records.columns).filter { table in
            name.map { table.name.lowercased() == $0 } ?? true
        }
        guard !tables.isEmpty else { return nil }
        let builder = makeBuilder(format)
        SQLiteRecords(database: database, builder: builder).read(tables, records)
        return finish(builder, database)
    }

    /// Says what of the database is not read.
    func finish(_ builder: LogBuilder, _ database: SQLiteDatabase) -> SDKLog {
        for (name, reason) in database.refusedTables.prefix(5) {
            builder.note("table \(name.prefix(100)) is not read: \(reason)", row: nil)
        }
        return finish(builder)
    }

    func description(_ database: SQLiteDatabase, _ format: SDKLogFormat?) -> String {
        if let (expected, actual) = database.shortfall {
            return "the database is truncated (\(actual) of \(expected) bytes), and no table can be read"
        }
        if PulseStore.isArchive(database) {
            return
                "it is an archive of Pulse, whose database is compressed with LZFSE and is not read; export the store as a"
                + " package (.pulse folder)"
        }
        func list(_ names: [String]) -> String {
            names.prefix(5).map { String($0.prefix(200)) }.joined(separator: ", ")
        }
        let names = list(database.tables.map(\.name))
        let refused = list(database.refusedTables.map { $0.name.prefix(100) + ": " + $0.reason })
        let what =
            (names.isEmpty ? "it has no tables that can be read" : "none of its tables has the columns (\(names))")
            + (refused.isEmpty ? "" : "; not read: " + refused)
        let columns: [String] =
            switch format {
            case .networkeye?: NetworkEyeFormat.columns.names
            case .godeye?: GodEyeFormat.columns.names
            case .chucker?: ChuckerFormat.columns.names
            case .dokit?: DoKitFormat.columns.names
            case .dmSQLite?: DMFormat.columns.names
            default: []
            }
        return "it is an SQLite database, but \(what)"
            + (columns.isEmpty ? "" : "; required columns: " + columns.joined(separator: ", "))
    }

    // MARK: Texts

    private func readJSON(_ format: SDKLogFormat, _ layout: JSONReader.Layout) throws(LogRefusal) -> SDKLog {
        let builder = makeBuilder(format)
        let envelopes = format == .sentry && layout == .lines ? SentryEnvelopes { bytes.next() } : nil
        let pieces: () -> [UInt8]? =
            format == .qlog
            ? QLog.pieces { bytes.next() } : envelopes.map { envelopes in { envelopes.next() } } ?? { bytes.next() }
        let reader = JSONReader(layout: layout, textLimit: LogBuilder.textLimit, pieces: pieces)
        var fault: JSONError?
        var isOfFormat = true
        switch format {
        case .har:
            var log = HARLog(reader, builder)
            do throws(JSONError) { try log.read() } catch { fault = error }
            isOfFormat = log.hasEntries
        case .metrics:
            var log = MetricsLog(reader, builder)
            if layout == .lines {
                log.readLines()
            } else {
                do throws(JSONError) { try log.readDocument() } catch { fault = error }
            }
            log.noteRowsWithoutHost()
            isOfFormat = log.count > 0 || log.isEmptyList
        case .otlp:
            var log = OTLPLog(reader, builder)
            if layout == .lines {
                log.readLines()
            } else {
                do throws(JSONError) { try log.readDocument() } catch { fault = error }
            }
            isOfFormat = log.count > 0 || log.hasList
        case .netlog:
            var log = NetLog(reader, builder)
            do throws(JSONError) { try log.read() } catch { fault = error }
            isOfFormat = log.hasEvents
        case .qlog:
            var log = QLog(reader, builder)
            if layout == .lines {
                log.readLines()
            } else {
                do throws(JSONError) { try log.readDocument() } catch { fault = error }
            }
            isOfFormat = log.hasEvents || log.hasList
            if log.isEarlyDraft {
                throw LogRefusal(
                    "it is qlog of a draft before 02, whose events are arrays (event_fields); later drafts and 0.3 are read"
                )
            }
        case .sentry: (isOfFormat, fault) = readNested(reader, SentryLog(), builder)
        case .datadog: (isOfFormat, fault) = readNested(reader, DatadogLog(), builder)
        case .newrelic: (isOfFormat, fault) = readNested(reader, NewRelicLog(), builder)
        case .charles: (isOfFormat, fault) = readNested(reader, CharlesLog(), builder)
        case .flutter: (isOfFormat, fault) = readNested(reader, FlutterLog(), builder)
        case .dokit: fault = readRecords(reader, DoKitFormat(), builder)
        default: fault = readRecords(reader, DMFormat(), builder)
        }
        if fault != nil, format != .har, format != .netlog { isOfFormat = false }
        guard isOfFormat || !builder.log.rows.isEmpty else {
            throw LogRefusal(fault?.message ?? LogFormatReader.lack(format))
        }
        if let fault { builder.noteIncomplete(fault.message + "; the rest is not read") }
        if envelopes?.isCut == true { builder.noteIncomplete("the log ends inside an item of an envelope") }
        return finish(builder)
    }

    /// What a text of the format has, and this one has not.
    private static func lack(_ format: SDKLogFormat) -> String {
        switch format {
        case .har: "it has no log.entries"
        case .otlp: "it has no span"
        case .netlog, .qlog: "it has no events"
        case .sentry: "it has no network breadcrumb or span"
        case .datadog: "it has no resource event"
        case .newrelic: "it has no MobileRequest event"
        case .flutter: "it has no request of an HTTP profile"
        default: "it has no transaction"
        }
    }

    /// What went wrong with a document.
    func readRecords<Format: RowFormat>(
        _ reader: JSONReader, _ format: Format, _ builder: LogBuilder
    ) -> JSONError? {
        var records = JSONRecords(reader, format, builder)
        guard reader.layout == .document else {
            records.readLines()
            return nil
        }
        do throws(JSONError) { try records.readDocument() } catch { return error }
        return nil
    }

    /// Whether there were records, and what went wrong with a document.
    private func readNested<Format: NestedFormat>(
        _ reader: JSONReader, _ format: Format, _ builder: LogBuilder
    ) -> (hasRecords: Bool, fault: JSONError?) {
        var records = NestedRecords(reader, format, builder)
        if reader.layout == .document {
            do throws(JSONError) { try records.readDocument() } catch { return (records.count > 0, error) }
        } else {
            records.readLines()
        }
        return (records.count > 0 || records.hasEmptyList, nil)
    }

    private func readCSV(_ format: SDKLogFormat) throws(LogRefusal) -> SDKLog {
        let builder = makeBuilder(format)
        let lines = LineReader(limit: 1 << 20, pieces: { bytes.next() })
        let sniffer = LogSniffer(window: bytes.window, isWhole: bytes.isWhole)
        let columns = format == .dokit ? DoKitFormat.columns : DMFormat.columns
        guard sniffer.hasHeader(of: columns) else {
            let wanted = columns.names.joined(separator: ", ")
            throw LogRefusal("its first line does not name the columns; known are \(wanted)")
        }
        var records = CSVRecords(lines, separator: CSVRecords.separator(sniffer.header), builder: builder)
        if format == .dokit { records.read(DoKitFormat()) } else { records.read(DMFormat()) }
        return finish(builder)
    }

    private func readLines(_ format: SDKLogFormat) throws(LogRefusal) -> SDKLog {
        let builder = makeBuilder(format)
        if format == .okhttpLog {
            var log = OkHttpLog(builder, pieces: { bytes.next() })
            log.read()
            guard log.requests > 0 else { throw LogRefusal("no line begins a request of OkHttp (--> GET https://...)") }
            return finish(builder)
        }
        var log = CFNetworkLog(builder, pieces: { bytes.next() })
        log.read()
        guard log.summaries > 0 else { throw LogRefusal("no line has a task summary") }
        return finish(builder)
    }

    // MARK: Results

    func makeBuilder(_ format: SDKLogFormat) -> LogBuilder {
        let form: SDKLog.PathForm
        switch format {
        case .dmSQLite, .dmNDJSON, .dmCSV: form = .decoded
        case .chucker: form = .decodedWithQuery
        default: form = .encodedWithQuery
        }
        return LogBuilder(path: path, format: format, pathForm: form, rowLimit: rowLimit, textBudget: textBudget)
    }

    func finish(_ builder: LogBuilder) -> SDKLog {
        if let fault = bytes.source.fault { builder.noteIncomplete("the file is read in part: " + fault) }
        if bytes.source.hasReadingFault { builder.noteReadingFault() }
        if builder.log.rows.isEmpty, builder.log.problems.isEmpty { builder.note("the log has no rows", row: nil) }
        return builder.finish()
    }
}
