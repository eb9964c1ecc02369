import WireAccuracy
import WireEstimates

/// What the script reads: names, and the figures of every row as one text. It is JSON in a data block, so `<` and `&`
/// stand as escapes: no text in it can end the block.
///
/// A row is a list of whole numbers, each in signed digits of 32 (least first; the sign is the lowest bit, 32 is added
/// to every digit but the last), written with 64 letters. Rows are parted by `;`, ordered by API, source, direction.
struct PageData {
    let page: AccuracyPage

    func write(to buffer: inout OutputBuffer) {
        buffer.literal("{\"sources\":[")
        for (place, source) in page.sources.enumerated() {
            separate(&buffer, place)
            scriptString(page.label(source), &buffer)
        }
        buffer.literal("],\"causes\":[")
        for cause in ErrorCause.allCases {
            separate(&buffer, cause.rawValue)
            buffer.literal("[")
            scriptString(cause.name, &buffer)
            buffer.literal(",")
            scriptString(cause.meaning, &buffer)
            buffer.literal(cause.isTransport ? ",1]" : ",0]")
        }
        buffer.literal("],\"calls\":[")
        for (place, api) in page.index.apis.enumerated() {
            separate(&buffer, place)
            buffer.integer(page.calls(api: api))
        }
        buffer.literal("],\"apis\":[")
        for (place, api) in page.index.apis.enumerated() {
            separate(&buffer, place)
            scriptString(page.names[api], &buffer)
        }
        buffer.literal("],\"rows\":\"")
        rows(&buffer)
        buffer.literal("\"}")
    }

    private func separate(_ buffer: inout OutputBuffer, _ index: Int) {
        if index > 0 { buffer.literal(",") }
    }

    private func scriptString(_ text: String, _ buffer: inout OutputBuffer) {
        // Controls become visible escapes first, so what is left to escape is printable.
        var escaped = ""
        for scalar in displayText(text).unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "<": escaped += "\\u003c"
            case ">": escaped += "\\u003e"
            case "&": escaped += "\\u0026"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        buffer.literal("\"")
        buffer.string(escaped)
        buffer.literal("\"")
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
        for number in numbers { digits(number, &buffer) }
    }

    private func digits(_ number: Int, _ buffer: inout OutputBuffer) {
        let magnitude = min(UInt64(number.magnitude), 1 << 62)
        var rest = magnitude << 1 | (number < 0 ? 1 : 0)
        repeat {
            let digit = UInt8(truncatingIfNeeded: rest & 31)
            rest >>= 5
            buffer.byte(PageData.letter(digit | (rest > 0 ? 32 : 0)))
        } while rest > 0
    }

    private static func letter(_ digit: UInt8) -> UInt8 {
        switch digit {
        case 0..<26: 0x41 + digit
        case 26..<52: 0x61 + digit - 26
        case 52..<62: 0x30 + digit - 52
        case 62: 0x2D
        default: 0x5F
        }
    }
}
