/// Records of an exchange and a connection, for whoever wants them.
extension Connection {
    func record(_ exchange: Exchange, _ costs: Directions<CostVector>, _ books: borrowing Books) -> ExchangeRecord {
        let client = resolvedClientSide
        let isReversed = requestSide.map { $0 != client } ?? false
        let target = exchange.parsedTarget()
        let hasTarget = exchange.targetLength > 0
        var timeToFirstByte: Int64?
        if let requestEnd = exchange.requestEndTime, let responseStart = exchange.responseStartTime,
            responseStart >= requestEnd
        {
            timeToFirstByte = responseStart - requestEnd
        }
        let decodedRequest = exchange.request.isComplete ? exchange.request.decodedBody : nil
        let decodedResponse = exchange.response.isComplete ? exchange.response.decodedBody : nil
        return ExchangeRecord(
            file: books.paths[file], connection: number, exchange: exchange.number, time: exchange.firstTime,
            duration: exchange.lastTime - exchange.firstTime, timeToFirstByte: timeToFirstByte,
            responseEnd: exchange.response.isPresent
                ? exchange.responseEndTime ?? exchange.lastTime : nil,
            client: key.endpoint(side: client), server: key.endpoint(side: 1 - client),
            method: exchange.methodLength > 0 ? Array(exchange.method) : nil,
            host: books.tables.hostName(exchange.host),
            path: hasTarget ? Array(exchange.text[target.path]) : nil,
            query: target.query.map { Array(exchange.text[$0]) },
            target: hasTarget ? Array(exchange.target) : nil, api: books.tables.apiName(exchange.api),
            status: exchange.status > 0 ? exchange.status : nil, costs: costs, isReversed: isReversed,
            decodedBody: isReversed
                ? Directions(up: decodedResponse, down: decodedRequest)
                : Directions(up: decodedRequest, down: decodedResponse),
            unseenBytes: exchange.unseen,
            request: exchange.request.isPresent ? facts(exchange.request, interim: 0) : nil,
            response: exchange.response.isPresent ? facts(exchange.response, interim: exchange.interim) : nil,
            requestHead: exchange.request.head, responseHead: exchange.response.head,
            requestBody: exchange.request.examined, responseBody: exchange.response.examined, flags: exchange.flags)
    }

    private func facts(_ message: MessageState, interim: Int) -> MessageFacts {
        MessageFacts(
            version: message.version.name, framing: message.framing, interim: interim, complete: message.isComplete,
            isCoded: message.isCoded)
    }

    /// Writes what the connection itself paid into its host's row, and all of it into the ledger.
    mutating func bookConnection(_ books: inout Books) {
        let client = resolvedClientSide
        let server = 1 - client
        var own = Directions(up: sides[client].own, down: sides[server].own)
        own.up.link += sides[client].overheadLink
        own.down.link += sides[server].overheadLink
        let host = Int(books.tables.host(hostOfConnection(books), limit: books.options.apiLimit))
        books.tables.hostRows[host].connections += 1
        if exchangeCount == 0 { books.tables.hostRows[host].connectionsWithoutExchange += 1 }
        books.tables.hostRows[host].costs += own
        books.tables.hostRows[host].unassigned += own
        var all = own
        all += Directions(up: sides[client].settled, down: sides[server].settled)
        books.ledger.causes += all
        books.connectionCount += 1
        guard let sink = books.sink else { return }
        sink.receive(record(all, books))
    }

    /// The host of the connection's exchanges, else of its server.
    private func hostOfConnection(_ books: borrowing Books) -> [UInt8] {
        exchangeHost >= 0 ? books.tables.hostName(exchangeHost) : serverText(books)
    }

    private func record(_ costs: Directions<CostVector>, _ books: borrowing Books) -> ConnectionRecord {
        let client = resolvedClientSide
        let serverEndpoint = key.endpoint(side: 1 - client)
        return ConnectionRecord(
            file: books.paths[file], connection: number, firstPacket: firstPacket, client: key.endpoint(side: client),
            server: serverEndpoint, serverName: serverName ?? books.names.name(of: serverEndpoint.address),
            process: processName.isEmpty ? nil : String(decoding: processName, as: UTF8.self), time: firstTime,
            duration: lastTime - firstTime, exchanges: exchangeCount,
            applicationProtocol: httpVersion.name.map { "http/" + $0 }, close: close,
            counts: Directions(up: sides[client].counts, down: sides[1 - client].counts), costs: costs, flags: flags)
    }
}
