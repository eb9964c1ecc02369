import WireCore

/// What compression would save of one body.
struct BodyCompression {
    enum Kind {
        /// The client offered gzip, and the server did not use it.
        case response
        /// The client did not offer it: whether the server can is not known.
        case unaskedResponse
        /// It was sent as it came to be: how often the server would end a part of the compressed content is not known.
        case streamedResponse
        case request
    }

    var kind: Kind
    /// Bytes that gzip made fewer here, with the headers of packets that are needed no more, minus the field that names the
    /// coding.
    var bytes: Int

    private static let field = "Content-Encoding: gzip\r\n".utf8.count
    /// What the end of each part of a compressed stream costs: an empty block (RFC 1951 §3.2.4), and the next block's head.
    private static let partEnd = 6

    /// Of the response; nil where nothing is saved. A server that sends content as it comes to be sends as many packets, each of
    /// which ends a part. A range is cut from the content as the server has it, so that nobody knows what compression makes of it.
    init?(response record: ExchangeRecord) {
        guard let request = record.requestHead, let response = record.responseHead, record.status != 206,
            !response.has("content-range"), !BodyCompression.isGRPC(response), record.response?.isCoded == false,
            let gzipped = record.responseBody?.facts.gzipped
        else { return nil }
        let costs = record.responseCosts
        let isOffered = BodyCompression.offersGzip(request)
        if let parts = PacketSaving.ofStream(costs, time: BodyCompression.responseTime(record)) {
            kind = isOffered ? .streamedResponse : .unaskedResponse
            bytes = costs[.body] - gzipped - BodyCompression.field - parts * BodyCompression.partEnd
            guard bytes > 0 else { return nil }
        } else {
            guard let bytes = BodyCompression.saving(gzipped, costs) else { return nil }
            kind = isOffered ? .response : .unaskedResponse
            self.bytes = bytes
        }
    }

    /// From the first byte of the response to its last; 0 where that is not known.
    private static func responseTime(_ record: ExchangeRecord) -> Int64 {
        guard let end = record.responseEnd, let asked = record.requestEnd, let wait = record.timeToFirstByte else {
            return 0
        }
        return end.subtractingReportingOverflow(asked &+ wait).partialValue
    }

    var opportunity: Opportunity.Kind {
        switch kind {
        case .response: .uncompressedBody
        case .unaskedResponse: .compressionOffer
        case .streamedResponse: .uncompressedStream
        case .request: .uncompressedRequest
        }
    }

    /// Of the request; nil where nothing is saved.
    init?(request record: ExchangeRecord) {
        guard record.request?.complete == true, record.request?.isCoded == false,
            record.requestHead.map(BodyCompression.isGRPC) != true, let gzipped = record.requestBody?.facts.gzipped,
            let bytes = BodyCompression.saving(gzipped, record.requestCosts)
        else { return nil }
        (kind, self.bytes) = (.request, bytes)
    }

    /// gRPC compresses each message by itself, as grpc-encoding says: Content-Encoding has no part in it.
    private static func isGRPC(_ head: MessageHead) -> Bool {
        guard let type = head.value("content-type") else { return false }
        let name = String(decoding: type.prefix { $0 != 0x3B && $0 > 0x20 }, as: UTF8.self).lowercased()
        return name == "application/grpc" || name.hasPrefix("application/grpc+")
    }

    private static func saving(_ gzipped: Int, _ costs: CostVector) -> Int? {
        let fewer = costs[.body] - gzipped - field
        return fewer > 0 ? fewer + PacketSaving.headers(removing: fewer, from: costs) : nil
    }

    /// RFC 9110 §12.5.3: a coding that is named, or the asterisk, without a weight of 0.
    private static func offersGzip(_ request: MessageHead) -> Bool {
        guard let value = request.value("accept-encoding") else { return false }
        var isOffered: Bool?
        var offersAll = false
        for member in listMembers(value) {
            let parts = member.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if name == "gzip" || name == "x-gzip" { isOffered = weight > 0 }
            if name == "*" { offersAll = weight > 0 }
        }
        return isOffered ?? offersAll
    }
}
