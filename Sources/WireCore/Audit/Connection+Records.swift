/// Records of an exchange and a connection, for whoever wants them.
extension Connection {
    func record(
        _ exchange: Exchange, _ costs: Directions<CostVector>, _ names: (api: [UInt8], host: [UInt8]),
        _ books: borrowing Books
    ) -> ExchangeRecord {
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
            file: books.paths[file], connection: number, exchange: exchange.number,
            stream: exchange.stream >= 0 ? Int(exchange.stream) : nil,
            tlsVersion: exchange.isSecure ? tls?.known.version ?? "unknown" : nil, time: exchange.firstTime,
            duration: exchange.lastTime - exchange.firstTime, timeToFirstByte: timeToFirstByte,
            responseEnd: exchange.response.isPresent
                ? exchange.responseEndTime ?? exchange.lastTime : nil,
            client: key.endpoint(side: client), server: key.endpoint(side: 1 - client),
            method: exchange.methodLength > 0 ? Array(exchange.method) : nil,
            host: names.host,
            path: hasTarget ? Array(exchange.text[target.path]) : nil,
            query: target.query.map { Array(exchange.text[$0]) },
            target: hasTarget ? Array(exchange.target) : nil, api: names.api,
            status: exchange.status > 0 ? exchange.status : nil, costs: costs, isReversed: isReversed,
            decodedBody: isReversed
                ? Directions(up: decodedResponse, down: decodedRequest)
                : Directions(up: decodedRequest, down: decodedResponse),
            decodedHeaders: decodedHeaders(exchange, costs, isReversed: isReversed), unseenBytes: exchange.unseen,
            request: exchange.request.isPresent ? facts(exchange.request, interim: 0) : nil,
            response: exchange.response.isPresent ? facts(exchange.response, interim: exchange.interim) : nil,
            requestHead: exchange.request.head, responseHead: exchange.response.head,
            requestBody: exchange.request.examined, responseBody: exchange.response.examined, flags: exchange.flags)
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

    private func facts(_ message: MessageState, interim: Int) -> MessageFacts {
        MessageFacts(
            version: message.version.name, framing: message.framing, interim: interim, complete: message.isComplete,
            isCoded: message.isCoded,
            frames: message.version == .http2
                ? FrameCounts(headerFrames: message.headerFrames, dataFrames: message.dataFrames) : nil)
    }

    /// Gives the connection out, with its record, and writes all that it cost into the ledger.
    mutating func bookConnection(_ books: inout Books) {
        let client = resolvedClientSide
        let server = 1 - client
        var own = Directions(up: sides[client].own, down: sides[server].own)
        own.up.link += sides[client].overheadLink
        own.down.link += sides[server].overheadLink
        var all = own
        all += Directions(up: sides[client].settled, down: sides[server].settled)
        noteUnread(&books)
        books.outbox.add(
            ConnectionSettlement(
                host: exchangeHost ?? serverText(books), client: key.endpoint(side: client).address, ordinal: ordinal,
                own: own, isEncrypted: isEncrypted, setup: setupSummary(all), hasExchanges: exchangeCount > 0),
            at: books.findings)
        books.ledger.causes += all
        if books.keepsRecords { books.outbox.connectionRecords.append(record(all, books)) }
    }

    /// TLS hides all that the connection carried.
    private var isEncrypted: Bool {
        guard let tls else { return false }
        return exchangeCount == 0 && !tls.known.isDecrypted && tls.known.blindness != nil
    }

    /// Somebody who gave keys is told that they could not be used.
    private func noteUnread(_ books: inout Books) {
        guard let blindness = tls?.known.blindness, blindness == .noHandshake || blindness == .gap,
            books.keys.hasAny
        else { return }
        let place = books.findings.place
        books.findings.place = FindingPlace(file: file, packet: firstPacket)
        books.findings.add(.capturedInPart)
        books.findings.place = place
    }

    /// What setting the connection up took.
    private func setupSummary(_ all: Directions<CostVector>) -> SetupSummary {
        var summary = SetupSummary()
        summary.setupBytes = all.up.setup + all.down.setup
        summary.teardownBytes = all.up[.teardown] + all.down[.teardown]
        summary.exchanges = exchangeCount
        guard let facts = tls?.known else { return summary }
        summary.tlsConnections = 1
        if facts.isDecrypted, facts.blindness != nil { summary.partlyReadConnections = 1 }
        if tls?.facts(client: resolvedClientSide).handshakeFailure(close: close) != nil {
            summary.failedHandshakes = 1
        } else if !facts.isDecrypted, facts.blindness != nil {
            summary.unreadConnections = 1
        }
        summary.certificateBytes = facts.certificateBytes ?? 0
        guard facts.handshakeWasRead else { return summary }
        if facts.resumption == nil { summary.fullHandshakes = 1 } else { summary.resumedHandshakes = 1 }
        return summary
    }

    private func tlsFacts(_ books: borrowing Books) -> TLSFacts? {
        guard var facts = tls?.facts(client: resolvedClientSide) else { return nil }
        if facts.blindness == .keyMissing, !books.keys.hasAny { facts.blindness = .noKeys }
        return facts
    }

    private var applicationProtocol: String? {
        if http2 != nil { return tls == nil ? "h2c" : "h2" }
        return httpVersion.name.map { "http/" + $0 }
    }

    private func record(_ costs: Directions<CostVector>, _ books: borrowing Books) -> ConnectionRecord {
        let client = resolvedClientSide
        let serverEndpoint = key.endpoint(side: 1 - client)
        return ConnectionRecord(
            file: books.paths[file], connection: number, firstPacket: firstPacket, client: key.endpoint(side: client),
            server: serverEndpoint,
            serverName: tls?.known.serverName ?? serverName ?? books.name(of: serverEndpoint.address),
            process: processName.isEmpty ? nil : String(decoding: processName, as: UTF8.self), time: firstTime,
            duration: lastTime - firstTime, exchanges: exchangeCount,
            applicationProtocol: applicationProtocol, tls: tlsFacts(books), close: close,
            counts: Directions(up: sides[client].counts, down: sides[1 - client].counts), costs: costs, flags: flags)
    }
}
