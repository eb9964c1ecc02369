/// What is not certain of the counts in `URLSessionTaskTransactionMetrics`.
struct MetricsRules: Sendable {
    /// Chunked response bodies are reported as 0.
    var hasChunkedBug = false
    /// The headers of HEADERS and CONTINUATION frames belong to the head.
    var countsHeaderFrames = true
    /// All other framing belongs to the message: padding, priorities and the stream's control frames.
    var countsOtherFraming = false

    /// Every byte that was sent for the message.
    static let wholeMessage: MetricsRules = {
        var rules = MetricsRules()
        rules.countsOtherFraming = true
        return rules
    }()
}

/// What `URLSessionTaskTransactionMetrics` has for a message: heads as transferred, bodies with framing.
///
/// In HTTP/2 that is the compressed fields, and with the body the headers of DATA frames. Padding, priorities and the
/// stream's control frames are in no count of the system.
extension DirectionCount {
    static func metrics(_ request: ObservedRequest, _ rules: MetricsRules) -> DirectionCount {
        var count = DirectionCount()
        count.countTransferredHead(of: request, rules)
        count.countTransferredBody(of: request, rules)
        return count
    }

    static func metrics(_ response: ObservedResponse?, _ rules: MetricsRules) -> DirectionCount {
        var count = DirectionCount()
        guard let response else { return zeroMetrics }
        count.countTransferredHead(of: response, rules)
        count.countTransferredResponseBody(of: response, rules)
        return count
    }

    private static var zeroMetrics: DirectionCount {
        var count = DirectionCount()
        count.headers = 0
        count.body = 0
        return count
    }

    /// The head without its frames' bytes that belong to the body.
    private mutating func countTransferredHead<Message: ObservedMessage>(of message: Message, _ rules: MetricsRules) {
        guard let http2 = message.http2 else { return countWholeHead(of: message) }
        charge(0, for: message.interim, .retry)
        let other = rules.countsOtherFraming ? http2.otherFraming : 0
        let frames = (rules.countsHeaderFrames ? http2.headerFrames : 0) + other
        charge(frames, for: http2.framing, .headerCompression)
        headers = http2.fieldBlocks - message.interim + frames
    }

    /// The body with its framing. What heads charge of DATA frames comes back here.
    private mutating func countTransferredBody<Message: ObservedMessage>(of message: Message, _ rules: MetricsRules) {
        let frames = message.http2?.dataFrames ?? 0
        charge(frames, for: 0, .headerCompression)
        body = message.body.transferred + frames
    }

    private mutating func countTransferredResponseBody(of response: ObservedResponse, _ rules: MetricsRules) {
        if rules.hasChunkedBug, response.body.framing > 0 {
            countBody(0, of: response.body, .bodyMissing)
        } else {
            countTransferredBody(of: response, rules)
        }
    }

    /// The body counts of the metrics alone.
    static func bodyMetrics(_ request: ObservedRequest, _ rules: MetricsRules) -> DirectionEstimate {
        var count = DirectionCount()
        count.skipHead(of: request)
        count.countTransferredBody(of: request, rules)
        return count.finish()
    }

    static func bodyMetrics(_ response: ObservedResponse?, _ rules: MetricsRules) -> DirectionEstimate {
        guard let response else { return zero }
        var count = DirectionCount()
        count.skipHead(of: response)
        count.countTransferredResponseBody(of: response, rules)
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
