/// What `URLSessionTaskTransactionMetrics` has for a message: heads with their line ends, bodies with framing.
extension DirectionCount {
    static func metrics(_ request: ObservedRequest) -> DirectionCount {
        var count = DirectionCount()
        count.countWholeHead(of: request, startLine: request.startLine)
        count.body = request.body.transferred
        return count
    }

    /// - Parameter chunkedBug: chunked bodies are reported as 0.
    static func metrics(_ response: ObservedResponse?, chunkedBug: Bool) -> DirectionCount {
        var count = DirectionCount()
        guard let response else { return zeroMetrics }
        count.countWholeHead(of: response, startLine: response.startLine)
        count.countTransferredBody(of: response, chunkedBug: chunkedBug)
        return count
    }

    private static var zeroMetrics: DirectionCount {
        var count = DirectionCount()
        count.headers = 0
        count.body = 0
        return count
    }

    private mutating func countTransferredBody(of response: ObservedResponse, chunkedBug: Bool) {
        if chunkedBug, response.body.framing > 0 {
            countBody(0, of: response.body, .bodyMissing)
        } else {
            body = response.body.transferred
        }
    }

    /// The body counts of the metrics alone.
    static func bodyMetrics(_ request: ObservedRequest) -> DirectionEstimate {
        var count = DirectionCount()
        count.skipRequestLine(of: request)
        count.skipFields(of: request)
        count.body = request.body.transferred
        return count.finish()
    }

    static func bodyMetrics(_ response: ObservedResponse?, chunkedBug: Bool) -> DirectionEstimate {
        guard let response else { return zero }
        var count = DirectionCount()
        count.skipStatusLine(of: response)
        count.skipFields(of: response)
        count.countTransferredBody(of: response, chunkedBug: chunkedBug)
        return count.finish()
    }
}

extension DirectionEstimate {
    /// Only the sum is recorded.
    var totalOnly: DirectionEstimate {
        var estimate = self
        estimate.startLine = nil
        estimate.headers = nil
        estimate.body = nil
        return estimate
    }
}
