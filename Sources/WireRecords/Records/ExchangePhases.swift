import WireCore

/// The time of an exchange, divided as HAR 1.2 divides it: its request is sent, the response is waited for, the response is
/// received. Nanoseconds, none of them negative. They sum to the duration where that is known.
package struct ExchangePhases {
    private(set) var send: Int64 = 0
    private(set) var wait: Int64 = 0
    private(set) var receive: Int64 = 0
    /// No phase lacks the time at which it ended.
    private(set) var areKnown = true

    package var sum: Int64 { send + wait + receive }

    package init(_ record: ExchangeRecord) {
        let sent = record.requestEnd.map { max($0 - record.time, 0) }
        guard let duration = record.knownDuration else {
            // Between clocks that differ only the time of one direction is known.
            (send, areKnown) = (sent ?? 0, false)
            return
        }
        guard record.response != nil else {
            // What was not sent by then is a request that the capture lost or that was given up.
            send = min(sent ?? duration, duration)
            wait = duration - send
            return
        }
        send = min(sent ?? 0, duration)
        areKnown = sent != nil
        // A response that began before its request had ended was not waited for.
        wait = min(record.timeToFirstByte ?? 0, duration - send)
        receive = duration - send - wait
    }
}
