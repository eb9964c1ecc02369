/// Rows of Chucker's table of transactions (ChuckerTeam/chucker, HttpTransaction.kt), with the sums that its screens show:
/// `Headers.byteCount()` and the payload. Its URLs are decoded.
struct ChuckerFormat: FixedRowFormat {
    private enum Place {
        static let url = 0, method = 1, date = 2, upHeaders = 3, upPayload = 4, status = 5, downHeaders = 6
        static let downPayload = 7
    }

    static let table = "transactions"
    static let columns = RecordColumns(
        [
            "url", "method", "requestDate", "requestHeadersSize", "requestPayloadSize", "responseCode",
            "responseHeadersSize", "responsePayloadSize",
        ], needed: ["url", "requestDate", "requestHeadersSize", "responsePayloadSize"])

    func add(_ values: [LogValue], number: Int, to builder: LogBuilder) {
        guard var row = makeRow(values[Place.url], number, builder, column: "url") else { return }
        row.method = builder.method(values[Place.method], row: number)
        row.status = builder.status(values[Place.status], "responseCode", row: number)
        row.up = bytes(values, Place.upHeaders, Place.upPayload, number, builder)
        // Until a response is read to its end, the row has neither its status nor its sizes.
        if row.status > 0 { row.down = bytes(values, Place.downHeaders, Place.downPayload, number, builder) }
        // What it calls responseDate is when the head of the response came.
        let start = builder.time(values[Place.date], "requestDate", row: number)
        builder.append(row, start: start, end: nil)
    }

    /// A message without body has no payload; -1, a length that is not known, is what its sums add.
    private func bytes(
        _ values: [LogValue], _ headers: Int, _ payload: Int, _ number: Int, _ builder: LogBuilder
    ) -> LoggedBytes {
        var bytes = LoggedBytes()
        bytes.headers = builder.size(values[headers], ChuckerFormat.columns.names[headers], row: number)
        if values[payload] == .null {
            bytes.body = 0
        } else if values[payload].number?.integer == -1 {
            bytes.body = -1
        } else {
            bytes.body = builder.size(values[payload], ChuckerFormat.columns.names[payload], row: number)
        }
        if let headers = bytes.headers, let body = bytes.body { bytes.total = headers + body }
        return bytes
    }
}
