import WireCore

/// What an exchange's messages are, however the packets were cut that carried them.
struct MessageFactSheet: Equatable {
    var numbers: [Int?]
    var texts: [[UInt8]?]
    var request: MessageFacts?
    var response: MessageFacts?
    var flags: [String]
    var costs: [String: Int] = [:]

    /// Causes of payload bytes.
    static let causes: [Cause] = [.startLine, .headers, .framing, .body, .tlsRecords, .opaque]

    init(_ record: ExchangeRecord) {
        numbers = [
            record.connection, record.exchange, record.stream, record.status, record.isReversed ? 1 : 0,
            record.decodedBody.up, record.decodedBody.down, record.decodedHeaders.up, record.decodedHeaders.down,
            record.unseenBytes,
        ]
        texts = [
            record.method, record.host, record.path, record.query, record.target, record.api,
            record.tlsVersion.map { Array($0.utf8) },
        ]
        request = record.request
        response = record.response
        flags = record.flags.names
        for cause in Self.causes {
            costs["up " + cause.name] = record.costs.up[cause]
            costs["down " + cause.name] = record.costs.down[cause]
        }
    }
}

/// All that a record of an exchange says.
struct AllFacts: Equatable {
    var messages: MessageFactSheet
    var times: [Int64?]
    var costs: Directions<CostVector>
    var heads: [[UInt8]?]

    init(_ record: ExchangeRecord) {
        messages = MessageFactSheet(record)
        times = [record.time, record.duration, record.timeToFirstByte, record.responseEnd]
        costs = record.costs
        heads = [record.requestHead?.bytes, record.responseHead?.bytes]
    }
}

/// What a connection's streams are, however the packets were cut that carried them.
struct StreamFacts: Equatable {
    var exchanges: Int
    var applicationProtocol: String?
    var serverName: [UInt8]?
    var tls: TLSFacts?
    var flags: [String]
    var close: String
    var payload: [Int]

    init(_ record: ConnectionRecord) {
        exchanges = record.exchanges
        applicationProtocol = record.applicationProtocol
        serverName = record.serverName
        tls = record.tls
        flags = record.flags.names
        close = record.close.name
        payload = [record.counts.up.payloadNew, record.counts.down.payloadNew]
        for cause in MessageFactSheet.causes { payload += [record.costs.up[cause], record.costs.down[cause]] }
    }
}

/// All that a record of a connection says.
struct ConnectionFacts: Equatable {
    var streams: StreamFacts
    var counts: Directions<DirectionCounts>
    var costs: Directions<CostVector>
    var times: [Int64]

    init(_ record: ConnectionRecord) {
        streams = StreamFacts(record)
        counts = record.counts
        costs = record.costs
        times = [record.time, record.duration, Int64(record.firstPacket)]
    }
}
