extension DirectionCount {
    /// So many bytes for the content; its framing is not counted.
    mutating func countBody(_ counted: Int, of sent: ObservedBody, _ cause: ErrorCause) {
        charge(counted, for: sent.content, cause)
        charge(0, for: sent.framing, .chunkFraming)
        body = counted
    }

    /// The body without a figure, for that reason.
    mutating func skipBody(_ sent: ObservedBody, _ cause: ErrorCause) {
        charge(0, for: sent.content, cause)
        charge(0, for: sent.framing, .chunkFraming)
    }

    /// The head as text with its line ends, without interim responses.
    mutating func countWholeHead<Message: ObservedMessage>(of message: Message) {
        charge(0, for: message.interim, .retry)
        headers = message.startLine + message.headers - message.interim
        chargeFrames(of: message)
    }

    /// A request of which the SDK counts the body only.
    static func bodyOnly(
        _ request: ObservedRequest, counted: Int, cause: ErrorCause
    ) -> DirectionCount {
        var count = DirectionCount()
        count.skipHead(of: request)
        count.countBody(counted, of: request.body, cause)
        return count
    }

    /// A response of which the SDK counts the body only.
    static func bodyOnly(_ response: ObservedResponse, counted: Int, cause: ErrorCause) -> DirectionCount {
        var count = DirectionCount()
        count.skipHead(of: response)
        count.countBody(counted, of: response.body, cause)
        return count
    }

    /// The data that a client was given, and no head. Without response no data. Nil where its size is not known.
    static func delivered(_ response: ObservedResponse?) -> DirectionEstimate? {
        guard let response else { return zero }
        guard let data = response.delivered else { return nil }
        return bodyOnly(response, counted: data, cause: .bodyDecoded).finish()
    }

    /// A body of zero bytes, recorded although there was no message.
    static var zero: DirectionEstimate {
        var count = DirectionCount()
        count.body = 0
        return count.finish()
    }

    /// A response that an SDK which counts bodies lost.
    static func lost(_ response: ObservedResponse?, _ cause: ErrorCause) -> DirectionEstimate {
        var count = DirectionCount()
        if let response {
            count.skipHead(of: response)
            count.skipBody(response.body, cause)
        }
        return count.finishWithoutFigure()
    }
}

/// Where a request's body is when the SDK looks. Raw values are words of parameters.
enum RequestBodySource: String, Sendable {
    /// In the request's body stream: that is how a URL protocol gets it.
    case stream
    /// In the request's body data.
    case data
    /// Not in the request: upload tasks.
    case none
}

extension ObservedRequest {
    /// Bytes of the body that the app gave. Nil where the request was cut and does not say its length.
    var bodyGiven: Int? {
        guard !isComplete else { return body.content }
        guard !fields.contains(.transferEncoding), let length = fields.contentLength else { return nil }
        return max(length, body.content)
    }

    /// The estimate of an SDK that counts the body only, and of that what it finds where it looks.
    ///
    /// - Parameters:
    ///   - isFound: the SDK finds the body.
    ///   - sent: the request of this exchange, where the SDK's record is of another (`ObservedExchange.taskRequest`).
    /// - Returns: nil where the body's size is not known.
    func bodyEstimate(isFound: Bool, sent: ObservedRequest) -> DirectionEstimate? {
        guard let size = isFound ? bodyGiven : 0 else { return nil }
        var count = DirectionCount.bodyOnly(self, counted: size, cause: isFound ? .failure : .bodyMissing)
        count.stand(for: self, sent: sent)
        return count.finish()
    }

    var isPOST: Bool { method.count == 4 && method.elementsEqual("POST".utf8) }
}
