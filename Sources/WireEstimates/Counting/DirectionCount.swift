/// Builds what an SDK has for one direction together with the causes of its error.
///
/// Each part of a message (start line, header section, body) is taken by exactly one step. A step says what the SDK has
/// for the part and charges the difference to causes, piece by piece; the last piece is what remains of the part. So
/// the causes sum to what was counted − the message, whatever the message looks like.
///
/// A head of HTTP/2 has no parts on the wire. An SDK that counts any of it counts text: that is held against the text
/// that HTTP/1.1 would have, and then that text against the compressed fields and the frames (P.h2). One that counts
/// nothing of it lacks the compressed fields (H.none) and the frames (P.h2).
struct DirectionCount {
    /// What was counted so far, without the figure.
    private var counted = DirectionEstimate()

    var startLine: Int? {
        get { counted.startLine }
        set { counted.startLine = newValue }
    }
    var headers: Int? {
        get { counted.headers }
        set { counted.headers = newValue }
    }
    var body: Int? {
        get { counted.body }
        set { counted.body = newValue }
    }

    /// A piece of the message that cost `sent` and for which the SDK has so many bytes.
    @inline(__always)
    mutating func charge(_ bytes: Int, for sent: Int, _ cause: ErrorCause) {
        counted.causes.add(bytes - sent, to: cause)
    }

    /// The figure is for `original`, while `sent` was on the wire in this exchange.
    mutating func stand(for original: ObservedRequest, sent: ObservedRequest) {
        charge(original.message, for: sent.message, .redirect)
    }

    /// The estimate: the figure is the sum of what was counted.
    func finish() -> DirectionEstimate {
        var estimate = counted
        estimate.total = (startLine ?? 0) + (headers ?? 0) + (body ?? 0)
        return estimate
    }

    /// The estimate of an SDK that has no figure for the direction. Nothing may have been counted.
    func finishWithoutFigure() -> DirectionEstimate { counted }
}

/// What requests and responses have in common.
protocol ObservedMessage {
    var fields: HeaderFields { get }
    var startLine: Int { get }
    var headers: Int { get }
    var interim: Int { get }
    var body: ObservedBody { get }
    var http2: HTTP2Costs? { get }
    /// The start line is not counted.
    func skipStartLine(_ count: inout DirectionCount)
}

extension ObservedRequest: ObservedMessage {
    var interim: Int { 0 }
    func skipStartLine(_ count: inout DirectionCount) { count.skipRequestLine(of: self) }
}

extension ObservedResponse: ObservedMessage {
    func skipStartLine(_ count: inout DirectionCount) { count.skipStatusLine(of: self) }
}

extension ObservedExchange {
    /// The request that the task began with, as far as this exchange knows: what an SDK that keeps one record for a
    /// task and its redirections has as the request.
    var taskRequest: ObservedRequest? { request == nil ? nil : redirectedFrom ?? request }
}
