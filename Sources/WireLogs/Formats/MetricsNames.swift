/// Names in dumps of URLSessionTaskMetrics, as Apple's properties, as Pulse and as usual spellings of both.
enum MetricsNames {
    enum Field: Int, CaseIterable {
        // In the order of Pulse's array of sizes.
        case requestHeader, requestBodyBefore, requestBody, responseHeader, responseBody, responseBodyAfter
        case transferSize, timing, fetchStart, requestStart, responseEnd, fetchType
        case request, response, url, host, path, method, status, localPort, remotePort
    }

    /// In the order of the fields.
    private static let spellings: [(Field, [String])] = [
        (.requestHeader, ["requestHeaderBytesSent"]),
        (.requestBodyBefore, ["requestBodyBytesBeforeEncoding"]),
        (.requestBody, ["requestBodyBytesSent"]),
        (.responseHeader, ["responseHeaderBytesReceived"]),
        (.responseBody, ["responseBodyBytesReceived"]),
        (.responseBodyAfter, ["responseBodyBytesAfterDecoding"]),
        (.transferSize, ["transferSize"]),
        (.timing, ["timing", "timings"]),
        (.fetchStart, ["fetchStartDate", "fetchStart"]),
        (.requestStart, ["requestStartDate", "requestStart"]),
        (.responseEnd, ["responseEndDate", "responseEnd"]),
        (.fetchType, ["resourceFetchType", "fetchType", "type"]),
        (.request, ["request", "currentRequest", "originalRequest"]),
        (.response, ["response"]),
        (.url, ["url", "requestURL", "urlString", "requestURLString"]),
        (.host, ["host"]),
        (.path, ["path"]),
        (.method, ["method", "httpMethod", "requestMethod"]),
        (.status, ["status", "statusCode", "responseStatusCode"]),
        (.localPort, ["localPort"]),
        (.remotePort, ["remotePort"]),
    ]

    /// As Pulse writes it.
    static func name(_ field: Field) -> String { spellings[field.rawValue].1[0] }

    private static let fields: [[UInt8]: Field] = {
        var fields: [[UInt8]: Field] = [:]
        for (field, names) in spellings {
            for name in names { fields[RecordColumns.plain(Array(name.utf8))] = field }
        }
        return fields
    }()

    private static let countPrefix = Array("countof".utf8)

    static func field(_ name: [UInt8]) -> Field? {
        let plain = RecordColumns.plain(name)
        if let field = fields[plain] { return field }
        return plain.starts(with: countPrefix) ? fields[Array(plain.dropFirst(countPrefix.count))] : nil
    }

    /// Whether the name is one that only metrics have.
    static func isCharacteristic(_ name: [UInt8]) -> Bool {
        guard let field = field(name) else { return false }
        return field.rawValue <= Field.transferSize.rawValue
    }
}
