import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

/// What the script reads: names, and the figures of every row as one text. A row is a list of whole numbers; rows are
/// parted by `;`, ordered by API, source, direction.
struct AccuracyData {
    let page: AccuracyPage

    func write(to buffer: inout OutputBuffer) {
        buffer.literal("{\"sources\":")
        buffer.scriptStrings(page.sources.map(page.label))
        buffer.literal(",\"causes\":")
        buffer.scriptList(ErrorCause.allCases) { cause, buffer in
            buffer.literal("[")
            buffer.scriptString(cause.name)
            buffer.literal(",")
            buffer.scriptString(cause.meaning)
            buffer.literal(cause.isTransport ? ",1]" : ",0]")
        }
        buffer.literal(",\"calls\":")
        buffer.scriptList(page.index.apis) { $1.integer(page.calls(api: $0)) }
        buffer.literal(",\"apis\":")
        buffer.scriptStrings(page.index.apis.map { page.names[$0] })
        buffer.literal(",\"rows\":\"")
        rows(&buffer)
        buffer.literal("\"}")
    }

    // MARK: Rows

    private func rows(_ buffer: inout OutputBuffer) {
        for api in page.index.apis {
            for source in page.sources {
                for direction in Direction.allCases {
                    if let row = page.index.row(source, api, direction) { figures(row, &buffer) }
                    buffer.literal(";")
                }
            }
        }
    }

    /// Numbers stand as differences from their neighbours, which makes most of them small.
    private func figures(_ row: AccuracyRow, _ buffer: inout OutputBuffer) {
        let (errors, wire) = (row.message, row.wire)
        let error = clampedDifference(errors.estimateTotal, errors.truthTotal)
        let mean = errors.count > 0 ? error / errors.count : 0
        var numbers = [
            row.coverage.calls, clampedDifference(row.coverage.calls, row.coverage.recordedCalls),
            clampedDifference(row.coverage.recordedCalls, errors.count), errors.truthTotal, error,
            clampedDifference(wire.truthTotal, errors.truthTotal),
            clampedDifference(row.coverage.messageBytes, errors.truthTotal),
            clampedDifference(row.coverage.wireBytes, wire.truthTotal),
        ]
        let absolute = nearest(errors.meanAbsolute * Double(errors.count))
        let sizes = [nearest(errors.p50), nearest(errors.p90), nearest(errors.p99), errors.maximum]
        numbers += [
            clampedDifference(absolute, Int(clamping: error.magnitude)),
            clampedDifference(nearest(errors.biasLow), mean),
            clampedDifference(nearest(errors.biasHigh), mean), clampedDifference(sizes[0], mean),
            clampedDifference(sizes[1], sizes[0]),
            clampedDifference(sizes[2], sizes[1]), clampedDifference(sizes[3], sizes[2]),
        ]
        let causes = row.causes.posts
        numbers.append(causes.count)
        for (cause, bytes) in causes { numbers += [cause.rawValue, bytes] }
        for (cause, bytes) in row.unseen.posts { numbers += [cause.rawValue, bytes] }
        for number in numbers { buffer.scriptDigits(number) }
    }
}
