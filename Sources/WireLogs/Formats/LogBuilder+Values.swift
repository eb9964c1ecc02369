import WireNative

/// Values of a log's columns, of which what is wrong is noted.
extension LogBuilder {
    /// A number of bytes. Nil, with the reason noted, where it is none; of a column that the log lacks nothing is
    /// noted.
    ///
    /// - Parameter unit: bytes that the value counts; sizes in others than single bytes are rounded.
    package func size(
        _ value: LogValue, _ column: String, row: Int, minusOneIsUnknown: Bool = false, unit: Int = 1
    ) -> Int? {
        guard value != .absent else { return nil }
        guard var number = value.number else {
            note(value.isNothing ? "is empty" : "is not a number", column: column, row: row)
            return nil
        }
        if unit > 1, let bytes = number.rounded(times: unit) { number = DecimalNumber(bytes) }
        guard let size = number.integer else {
            note(number.isWhole ? "is implausibly large" : "is not a whole number", column: column, row: row)
            return nil
        }
        if minusOneIsUnknown, size == -unit { return nil }
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
    package func host(_ text: [UInt8], _ column: String, row: Int) -> Int32 {
        hostAndPort(text, column, row: row).0
    }

    /// Number of a host's name, and the port that stands behind it, 0 where none does.
    func hostAndPort(_ text: [UInt8], _ column: String, row: Int) -> (Int32, UInt16) {
        let (host, port) = LogURL.hostAndPort(text)
        return (number(host, column, row: row), port)
    }

    /// Number of a path, which may have a query, that stands apart from its URL.
    package func path(_ text: [UInt8], _ column: String, row: Int) -> Int32 {
        number(URLText.target(text), column, row: row)
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
    package func method(_ value: LogValue, row: Int) -> Int32 {
        guard let text = value.text, !text.isEmpty else { return -1 }
        return number(text.map(\.uppercased), "method", row: row)
    }

    /// A status code; 0, with the reason noted, where it is none.
    package func status(_ value: LogValue, _ column: String, row: Int) -> Int16 {
        guard !value.isNothing else { return 0 }
        guard let number = value.number?.integer, let status = Int16(exactly: number), 0...999 ~= status else {
            note("is not a status code", column: column, row: row)
            return 0
        }
        return status
    }

    /// A time; nil, with the reason noted, where it is none.
    ///
    /// - Parameter unit: what numbers count; nil: they tell it by their size.
    package func time(_ value: LogValue, _ column: String, row: Int, unit: LogUnit? = nil) -> LogTime? {
        if value == .absent { return nil }
        do throws(LogTime.Failure) {
            let time = if let unit { try LogTime(value, unit) } else { try LogTime(value) }
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
}

extension LogValue {
    /// Adds it to a sum of byte counts, which becomes nil where it is no count, or where the sum is beyond all sizes.
    package func add(to sum: inout Int?) {
        guard let before = sum, let count = number?.integer, 0...LogBuilder.sizeLimit ~= count,
            before + count <= LogBuilder.sizeLimit
        else {
            sum = nil
            return
        }
        sum = before + count
    }
}
