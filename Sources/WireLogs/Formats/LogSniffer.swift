/// Tells from its beginning what kind of log a text is.
struct LogSniffer {
    enum Finding: Equatable {
        case json(SDKLogFormat, JSONReader.Layout)
        case csv(SDKLogFormat)
        case lines(SDKLogFormat)
        /// One clause that says what it looks like instead.
        case unknown(String)
    }

    let window: [UInt8]
    let isWhole: Bool

    func find() -> Finding {
        if let reason = binaryReason { return .unknown(reason) }
        let text = start
        guard let first = text.first else { return .unknown("it is empty") }
        if first == QLog.separator { return .json(.qlog, .lines) }
        if first == 0x7B || first == 0x5B {
            let layout = jsonLayout
            guard let format = jsonFormat(layout) else {
                return .unknown("it is JSON without the members of such a log")
            }
            return .json(format, format == .har || format == .netlog ? .document : layout)
        }
        if window[...].firstRange(of: CFNetworkLog.mark) != nil { return .lines(.cfnetwork) }
        if let format = csvFormat { return .csv(format) }
        if OkHttpLine.isIn(window) { return .lines(.okhttpLog) }
        return .unknown("its text has neither known columns nor lines of CFNetwork's tasks or OkHttp's requests")
    }

    /// What it is when it is no text.
    var binaryReason: String? {
        if window.starts(with: [0xFF, 0xFE]) || window.starts(with: [0xFE, 0xFF]) {
            return "it is UTF-16 text; convert it to UTF-8"
        }
        let sample = window.prefix(4096)
        if LogSniffer.isWideText(sample) { return "it is UTF-16 text; convert it to UTF-8" }
        let controls = sample.count { $0 < 0x09 || 0x0E...0x1F ~= $0 && $0 != 0x1B }
        guard controls * 20 > sample.count else { return nil }
        // Encrypted bytes are all equally frequent; so are few other files without a known beginning.
        let zeros = sample.count { $0 == 0 }
        if sample.count >= 1024, Set(sample).count > 200, zeros * 50 < sample.count {
            return "it looks encrypted; a SQLCipher database, such as NetworkEye's, must be decrypted first"
                + " (sqlcipher: PRAGMA key, then sqlcipher_export)"
        }
        return "it is neither text nor an SQLite database"
    }

    /// UTF-16 without its mark: of the two bytes of nearly each unit, the same one is 0.
    private static func isWideText(_ sample: ArraySlice<UInt8>) -> Bool {
        var zeros = [0, 0]
        for (place, byte) in sample.enumerated() where byte == 0 { zeros[place & 1] += 1 }
        let units = sample.count / 2
        return units > 1 && zeros.max() ?? 0 > units * 3 / 4 && zeros.min() ?? 0 <= units / 50
    }

    var start: ArraySlice<UInt8> {
        (window.starts(with: [0xEF, 0xBB, 0xBF]) ? window.dropFirst(3) : window[...]).trimmingSpaces
    }

    // MARK: JSON

    /// How the values of a JSON text stand in it.
    var jsonLayout: JSONReader.Layout {
        guard start.first != 0x5B else { return .document }
        guard start.first != QLog.separator else { return .lines }
        var lines = JSONReader(window, layout: .lines, textLimit: 256)
        do throws(JSONError) {
            try lines.skipValue()
            return try lines.advance() == .end && isWhole ? .document : .lines
        } catch {
            // A value over several lines, or a broken line before sound ones.
            lines.skipLine()
            return isDocument(hasSecond: LogSniffer.hasValue(&lines)) ? .document : .lines
        }
    }

    /// The line that comes next is one whole value.
    private static func hasValue(_ lines: inout JSONReader) -> Bool {
        do throws(JSONError) {
            try lines.skipValue()
            _ = try lines.advance()
            return true
        } catch {
            return false
        }
    }

    /// Whether the text is one value, of which the end may be missing, or which is damaged behind its second line. A broken
    /// line before sound ones goes wrong before, or has a value in the second (`hasSecond`).
    private func isDocument(hasSecond: Bool) -> Bool {
        var document = JSONReader(window, textLimit: 256)
        do throws(JSONError) {
            try document.skipValue()
            return try document.advance() == .end
        } catch {
            let lines = window.prefix(error.offset).count { $0 == 0x0A }
            return error.kind == .endsEarly || error.kind != .textTooLong && lines > 1 && !hasSecond
        }
    }

    /// The format whose members are met first.
    private func jsonFormat(_ layout: JSONReader.Layout) -> SDKLogFormat? {
        var reader = JSONReader(window, layout: layout, textLimit: 256)
        var isHAR = false
        var dm = ColumnSet([])
        var doKit = ColumnSet([])
        var nested = LogSniffer.nested.map { _ in ColumnSet([]) }
        while true {
            do throws(JSONError) {
                let kind = try reader.advance()
                if kind == .end { return nil }
                guard kind == .key else { continue }
            } catch {
                guard reader.layout == .lines, error.kind != .endsEarly else { return nil }
                reader.skipLine()
                continue
            }
            let key = reader.text
            if reader.depth == 1, key == Array("log".utf8) { isHAR = true }
            if isHAR, reader.depth == 2, key == Array("entries".utf8) || key == Array("creator".utf8) { return .har }
            if NetLog.isCharacteristic(key, depth: reader.depth) { return .netlog }
            if reader.depth == 1, QLog.isCharacteristic(key) { return .qlog }
            if reader.depth == 1, OTLPLog.isCharacteristic(key) { return .otlp }
            if MetricsNames.isCharacteristic(key) { return .metrics }
            DMFormat.columns.place(key).map { dm.insert($0) }
            DoKitFormat.columns.place(key).map { doKit.insert($0) }
            if DoKitFormat.columns.fit(doKit) { return .dokit }
            if DMFormat.columns.fit(dm) { return .dmNDJSON }
            for (index, (format, columns)) in LogSniffer.nested.enumerated() {
                columns.place(key).map { nested[index].insert($0) }
                if columns.fit(nested[index]) { return format }
            }
        }
    }

    /// Names that tell formats whose records stand at any depth, wherever the names stand.
    private static let nested: [(SDKLogFormat, RecordColumns)] = [
        (.sentry, SentryLog.marks), (.datadog, DatadogLog.marks), (.newrelic, NewRelicLog.marks),
        (.charles, CharlesLog.marks), (.flutter, FlutterLog.marks),
    ]

    // MARK: CSV

    /// The first line.
    var header: [UInt8] { Array(start.prefix { $0 != 0x0A && $0 != 0x0D }) }

    private var csvFormat: SDKLogFormat? {
        if hasHeader(of: DMFormat.columns) { return .dmCSV }
        return hasHeader(of: DoKitFormat.columns) ? .dokit : nil
    }

    func hasHeader(of columns: RecordColumns) -> Bool {
        columns.fit(ColumnSet(CSVRecords.places(header, columns).compactMap(\.self)))
    }
}
