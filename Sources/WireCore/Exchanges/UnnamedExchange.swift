/// What is known of the messages of a call that nobody could read.
public struct UnreadMessages: Sendable, Equatable {
    /// In outputs.
    public enum Certainty: String, Sendable, CaseIterable {
        /// Both messages are known to the byte.
        case exact
        /// A message lies between two numbers.
        case interval
        /// The capture lacks something of the connection.
        case unknown
    }

    /// The least and the most that the messages can have taken, bytes. Nil: not known.
    public var up: ClosedRange<Int>?
    public var down: ClosedRange<Int>?

    public var certainty: Certainty {
        guard let up, let down else { return .unknown }
        return up.count == 1 && down.count == 1 ? .exact : .interval
    }
}

extension ConnectionRecord {
    /// Its calls that nobody could read, where records tell them apart: they have costs, but neither method nor path, and are
    /// of no API.
    public var unnamedExchanges: [ExchangeRecord] {
        guard let calls = hidden?.calls, let tls, !tls.isDecrypted,
            HiddenProtocol(
                selected: tls.applicationProtocol, offered: tls.offeredProtocols, port: server.port) == .http
        else { return [] }
        return calls.enumerated().map { place, call in unnamedExchange(call, number: exchanges + place) }
    }

    private func unnamedExchange(_ call: UnnamedCall, number: Int) -> ExchangeRecord {
        var record = ExchangeRecord(
            file: file, connection: connection, exchange: number, time: call.time.lowerBound,
            duration: call.time.upperBound - call.time.lowerBound, client: client, server: server,
            host: serverName ?? Array(server.address.description.utf8), api: [], costs: call.costs,
            decodedBody: Directions(up: nil, down: nil), decodedHeaders: Directions(up: nil, down: nil),
            unseenBytes: 0, flags: flags.intersection([.gap, .snapped, .drops]))
        record.transport = transport
        record.tlsVersion = tls?.version?.rawValue ?? "TLS"
        record.process = process
        record.clocksDiffer = clockLead != nil
        record.requestEnd = call.requestEnd
        if let answerStart = call.answerStart {
            record.responseEnd = call.time.upperBound
            let wait = answerStart - call.requestEnd
            if clockLead == nil, wait >= 0 { record.timeToFirstByte = wait }
        } else {
            record.flags.insert(.noResponse)
        }
        let isComplete = hidden?.isComplete == true
        record.unread = UnreadMessages(up: isComplete ? call.up : nil, down: isComplete ? call.down : nil)
        return record
    }
}

extension ExchangeRecord {
    /// The row of the API table in which its bytes stand: of a call that nobody could read that of its host.
    package var rowName: [UInt8] { unread == nil ? api : HiddenProtocol.http.rowName(host: host) }
}
