/// Records of NetworkEye: the response's expected length is all that is stated of bytes.
struct NetworkEyeFormat: FixedRowFormat {
    private enum Place {
        static let identifier = 0, start = 1, end = 2, url = 3, method = 4, length = 5, status = 6
    }

    static let table = "nenetworkhttpeyes"
    static let columns = RecordColumns(
        [
            "myID", "startDateString", "endDateString", "requestURLString", "requestHTTPMethod",
            "responseExpectedContentLength", "responseStatusCode",
        ], needed: ["requestURLString", "responseExpectedContentLength", "startDateString"])
    /// The identifier is the start with a random number of up to 9.9 ms added.
    private static let identifierSpread: Int64 = 10_000_000

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) {
        guard var row = makeRow(values[Place.url], number, builder) else { return }
        row.method = builder.method(values[Place.method], row: number)
        row.status = builder.status(values[Place.status], "responseStatusCode", row: number)
        row.down.total = expectedLength(values[Place.length], row: number, builder)
        let identifier = values[Place.identifier].isNothing ? nil : try? LogTime(values[Place.identifier])
        let start = identifier ?? builder.time(values[Place.start], "startDateString", row: number)
        let end = builder.time(values[Place.end], "endDateString", row: number)
        if identifier != nil {
            builder.coarsestResolution = max(builder.coarsestResolution, NetworkEyeFormat.identifierSpread)
        }
        builder.append(row, start: start, end: end)
    }
}

/// Records of GodEye: as NetworkEye's, without times.
struct GodEyeFormat: FixedRowFormat {
    private enum Place {
        static let url = 0, method = 1, length = 2, status = 3
    }

    static let table = "t_natwork"
    static let columns = RecordColumns(
        ["requestURLString", "requestHTTPMethod", "responseExpectedContentLength", "responseStatusCode"],
        needed: ["requestURLString", "responseExpectedContentLength"])

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) {
        guard var row = makeRow(values[Place.url], number, builder) else { return }
        row.method = builder.method(values[Place.method], row: number)
        row.status = builder.status(values[Place.status], "responseStatusCode", row: number)
        row.down.total = expectedLength(values[Place.length], row: number, builder)
        builder.append(row)
    }
}

/// DoKit's flow model: one figure for each direction, as decimal texts.
struct DoKitFormat: FixedRowFormat {
    private enum Place {
        static let url = 0, method = 1, status = 2, start = 3, end = 4, up = 5, down = 6
    }

    static let columns = RecordColumns(
        ["url", "method", "statusCode", "startTime", "endTime", "uploadFlow", "downFlow"],
        needed: ["url", "uploadFlow", "downFlow"])

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) {
        guard var row = makeRow(values[Place.url], number, builder, column: "url") else { return }
        row.method = builder.method(values[Place.method], row: number)
        row.status = builder.status(values[Place.status], "statusCode", row: number)
        row.up.total = builder.size(values[Place.up], "uploadFlow", row: number)
        row.down.total = builder.size(values[Place.down], "downFlow", row: number)
        let start = builder.time(values[Place.start], "startTime", row: number)
        let end = builder.time(values[Place.end], "endTime", row: number)
        builder.append(row, start: start, end: end)
    }
}

extension RowFormat {
    /// A row for an exchange with this URL; nil, and the row rejected, where it has none.
    func makeRow(
        _ url: LogValue, _ number: Int, _ builder: LogBuilder, column: String = "requestURLString"
    ) -> LogRow? {
        guard let text = url.text else {
            builder.reject("is empty or missing", column: column, row: number)
            return nil
        }
        var row = LogRow(kind: .exchange, number: number)
        guard builder.setURL(text, column, of: &row) else {
            builder.reject("rows without host cannot be used", row: number)
            return nil
        }
        return row
    }

    /// `expectedContentLength` as the SDK stores it: -1, the platform's word for unknown, is what its sums add.
    fileprivate func expectedLength(_ value: LogValue, row: Int, _ builder: LogBuilder) -> Int? {
        if value.number?.integer == -1 { return -1 }
        return builder.size(value, "responseExpectedContentLength", row: row)
    }
}
