/// Records of exchanges, for whoever wants them.
extension ExchangeTracker {
    /// The record of an exchange, which may still change.
    func record(
        of index: Int, _ names: (api: [UInt8], host: [UInt8]), _ context: borrowing StreamContext
    ) -> ExchangeRecord {
        let exchange = context.exchanges[index]
        let client = client
        let costs = Directions(
            up: context.attribution.accounts[index].costs[client],
            down: context.attribution.accounts[index].costs[client.opposite])
        let lastTime = context.attribution.accounts[index].lastTime
        let isReversed = requester.map { $0 != client } ?? false
        let target = exchange.parsedTarget()
        let hasTarget = exchange.targetLength > 0
        let times = times(of: exchange, isReversed: isReversed, client)
        let decodedRequest = exchange.request.knownDecodedBody
        let decodedResponse = exchange.response.knownDecodedBody
        return ExchangeRecord(
            file: context.paths[connection.file], connection: connection.number, exchange: exchange.number,
            transport: connection.transport, stream: exchange.stream >= 0 ? exchange.stream : nil,
            tlsVersion: exchange.isSecure ? security?.handshake.known.version?.rawValue ?? "TLS" : nil,
            time: exchange.firstTime,
            duration: lastTime - exchange.firstTime, durationRange: times.durationRange,
            clocksDiffer: times.clocksDiffer, requestEnd: exchange.requestEndTime,
            timeToFirstByte: times.firstByte, timeToFirstByteRange: times.firstByteRange,
            responseEnd: exchange.response.isPresent
                ? exchange.responseEndTime ?? lastTime : nil,
            earlyClose: earlyClose(exchange),
            client: connection.key.sender(of: client), server: connection.key.sender(of: client.opposite),
            method: exchange.methodLength > 0 ? Array(exchange.method) : nil,
            host: names.host,
            path: hasTarget ? Array(exchange.text[target.path]) : nil,
            query: target.query.map { Array(exchange.text[$0]) },
            target: hasTarget ? Array(exchange.target) : nil, api: names.api,
            operation: exchange.operation.isEmpty ? nil : exchange.operation,
            status: exchange.status > 0 ? exchange.status : nil, costs: costs, isReversed: isReversed,
            decodedBody: isReversed
                ? Directions(up: decodedResponse, down: decodedRequest)
                : Directions(up: decodedRequest, down: decodedResponse),
            decodedHeaders: decodedHeaders(exchange, costs, isReversed: isReversed),
            insertedHeaders: isReversed
                ? Directions(up: exchange.response.inserted, down: exchange.request.inserted)
                : Directions(up: exchange.request.inserted, down: exchange.response.inserted),
            unseenBytes: context.attribution.accounts[index].unseen,
            request: exchange.request.isPresent ? facts(exchange.request, interim: 0, context) : nil,
            response: exchange.response.isPresent ? facts(exchange.response, interim: exchange.interim, context) : nil,
            requestHead: exchange.request.head, responseHead: exchange.response.head,
            requestFields: exchange.request.sentFields, responseFields: exchange.response.sentFields,
            requestBody: exchange.request.examined, responseBody: exchange.response.examined, flags: exchange.flags,
            process: process(context),
            connectionTime: connection.firstTime, serverName: security?.handshake.known.serverName)
    }

    /// Times from one direction to the other.
    private struct CrossTimes {
        var firstByte: Int64?
        var firstByteRange: ClosedRange<Int64>?
        var durationRange: ClosedRange<Int64>?
        var clocksDiffer = false
    }

    /// Where the clocks of the directions differ only intervals are known. Both messages of a pushed exchange have one.
    private func times(of exchange: Exchange, isReversed: Bool, _ client: Direction) -> CrossTimes {
        var times = CrossTimes()
        if let requestEnd = exchange.requestEndTime, let responseStart = exchange.responseStartTime {
            times.firstByte = responseStart - requestEnd
        }
        guard let lead = connection.clocks.lead(of: isReversed ? client : client.opposite),
            exchange.request.isPresent, exchange.response.isPresent, !exchange.flags.contains(.pushed)
        else {
            if let time = times.firstByte, time < 0 { times.firstByte = nil }
            return times
        }
        times.clocksDiffer = true
        times.firstByteRange = times.firstByte.flatMap { ClosedRange<Int64>.corrected($0, by: lead) }
        times.firstByte = nil
        // Behind its messages a stream of HTTP/2, or a tunnel, may have more in either direction.
        guard exchange.stream < 0, exchange.request.isComplete, exchange.response.isComplete,
            exchange.response.framing != .tunnel, let sentTime = exchange.requestEndTime,
            let endTime = exchange.responseEndTime
        else { return times }
        let sent = max(sentTime - exchange.firstTime, 0)
        let answered = ClosedRange<Int64>.corrected(endTime - exchange.firstTime, by: lead)
        times.durationRange = max(answered?.lowerBound ?? 0, sent)...max(answered?.upperBound ?? 0, sent)
        return times
    }

    private func decodedHeaders(
        _ exchange: Exchange, _ costs: Directions<CostVector>, isReversed: Bool
    ) -> Directions<Int?> {
        let isCompressed = exchange.stream >= 0
        let sent = isReversed ? Directions(up: costs.down, down: costs.up) : costs
        let request =
            exchange.request.isPresent ? isCompressed ? exchange.request.fieldBytes : sent.up[.headers] : nil
        let response =
            exchange.response.isPresent ? isCompressed ? exchange.response.fieldBytes : sent.down[.headers] : nil
        return isReversed ? Directions(up: response, down: request) : Directions(up: request, down: response)
    }

    private func facts(
        _ message: MessageState, interim: Int, _ context: borrowing StreamContext
    ) -> MessageFacts {
        MessageFacts(
            version: message.version.name, framing: message.framing, interim: interim, complete: message.isComplete,
            isCoded: message.isCoded,
            frames: message.version == .http2 || message.version == .http3
                ? FrameHeaderBytes(headerFrames: message.headerFrames, dataFrames: message.dataFrames) : nil,
            contentType: context.shownType(message.mediaType))
    }
}
