/// The end of a connection as its record and its host's row see it.
extension ExchangeTracker {
    /// Set-up, teardown and keep-alives go to exchanges as the policy says.
    func shareOverhead(_ context: inout StreamContext) {
        guard first >= 0, context.options.setup != .separate else { return }
        guard context.options.setup == .even else { return context.attribution.moveOverhead(to: Int(first)) }
        var shares = ShareList()
        var index = first
        repeat {
            shares.add(context.attribution.owner(index), 1)
            index = context.attribution.accounts[Int(index)].following
        } while index >= 0
        context.attribution.divideOverhead(among: shares)
    }

    /// Gives the connection out, with its record, and adds all that it and its exchanges cost to a sum.
    func complete(
        counts: (Direction) -> DirectionCounts, addingTo sum: inout Directions<CostVector>,
        _ context: inout StreamContext
    ) {
        let client = client
        security?.closeUnnamed(&context)
        let account = context.attribution.connection
        let own = account.own(client: client)
        var all = own
        all.up.add(account[client].attributed)
        all.down.add(account[client.opposite].attributed)
        noteUnread(&context)
        let setup = setupSummary(all)
        var use = ConnectionUse(self, setup, steering: all.up[.setupHTTP] + all.down[.setupHTTP])
        let (process, isDisputed) = connection.processes.leading(context.processes)
        if isDisputed { context.findings.add(.appsDiffer, at: place) }
        context.processSums.add(count, all, to: process)
        if use?.kind == .sequential, setup.tlsConnections > 0 { use?.cost += ConnectionUse.closingHeaders(own) }
        if let multiplexed { use?.cost += ConnectionUse.opening(multiplexed.control, all, own) }
        context.completed.add(
            CompletedConnection(
                host: host ?? serverText(context), client: connection.servedAddress(client: client),
                serverPort: connection.key.sender(of: client.opposite).port, ordinal: connection.ordinal, own: own,
                hidden: hiddenProtocol, protocols: ProtocolSet(self), setup: setup,
                use: use, transport: connection.transport, isLate: connection.flags.contains(.noStart),
                unfinished: unfinished, process: process
            ),
            at: context.findings)
        if let times = calls.times(of: use) { context.completed.add(times) }
        sum.up.add(all.up)
        sum.down.add(all.down)
        guard context.keepsRecords else { return }
        var record = record(all, Directions(up: counts(client), down: counts(client.opposite)), context)
        record.use = use
        if context.options.keepsHiddenPieces || context.options.keepsUnnamedCalls, let security {
            let unread = Directions(up: all.up[.opaque], down: all.down[.opaque])
            let hidden = security.removeHidden(
                client: client, unread: unread, isQUIC: connection.transport == .quic, isWhole: record.isWhole,
                &context)
            record.hidden = security.blindness == nil ? nil : hidden
        }
        context.completed.connectionRecords.append(record)
    }

    /// Whose the connection is.
    func process(_ context: borrowing StreamContext) -> CaptureProcess? {
        context.processes.process(connection.processes.leading(context.processes).number)
    }

    /// What TLS hides, where it hides all that the connection carried.
    var hiddenProtocol: HiddenProtocol? {
        guard count == 0, let security else { return nil }
        return HiddenProtocol(of: security, port: connection.key.sender(of: client.opposite).port)
    }

    /// Somebody who gave keys is told that they could not be used.
    private func noteUnread(_ context: inout StreamContext) {
        guard let blindness = security?.blindness, blindness == .noHandshake || blindness == .gap,
            context.keys.hasAny
        else { return }
        context.findings.add(connection.finding(of: blindness), at: place)
    }

    private var place: FindingPlace { FindingPlace(file: connection.file, packet: connection.firstPacket) }

    /// What setting the connection up took.
    @inline(__always)
    private func setupSummary(_ all: Directions<CostVector>) -> SetupSummary {
        var summary = SetupSummary()
        summary.setupBytes = all.up.setup + all.down.setup
        summary.teardownBytes = all.up[.teardown] + all.down[.teardown]
        summary.exchanges = count
        guard let facts = security?.facts(client: client) else { return summary }
        summary.tlsConnections = 1
        if facts.isDecrypted, facts.blindness != nil { summary.partlyReadConnections = 1 }
        if facts.handshakeFailure(close: connection.close) != nil {
            summary.failedHandshakes = 1
        } else if !facts.isDecrypted {
            if facts.blindness == nil { summary.silentConnections = 1 } else { summary.unreadConnections = 1 }
            summary.publicNames = facts.helloKey == nil ? 0 : summary.unreadConnections
            if let unnamed = security?.unnamed, unnamed.areKnown, hiddenProtocol == .http {
                (summary.cutConnections, summary.unnamedCalls) = (1, unnamed.count)
            }
        }
        summary.certificateBytes = facts.certificateBytes ?? 0
        guard facts.handshakeWasRead else { return summary }
        if facts.resumption == nil { summary.fullHandshakes = 1 } else { summary.resumedHandshakes = 1 }
        return summary
    }

    private func tlsFacts(_ context: borrowing StreamContext) -> TLSFacts? {
        guard var facts = security?.facts(client: client) else { return nil }
        if facts.blindness == .keyMissing, !context.keys.hasAny { facts.blindness = .noKeys }
        return facts
    }

    private var applicationProtocol: String? {
        if connection.transport == .quic { return security?.agreedProtocol ?? (multiplexed == nil ? nil : "h3") }
        if multiplexed != nil { return security == nil ? "h2c" : "h2" }
        return httpVersion.name?.lowercased()
    }

    func record(
        _ costs: Directions<CostVector>, _ counts: Directions<DirectionCounts>, _ context: borrowing StreamContext
    ) -> ConnectionRecord {
        let client = client
        let server = connection.key.sender(of: client.opposite)
        return ConnectionRecord(
            file: context.paths[connection.file], connection: connection.number, transport: connection.transport,
            firstPacket: connection.firstPacket, client: connection.key.sender(of: client), server: server,
            proxiedClient: connection.proxiedClient,
            serverName: connection.serverName(asked: security?.handshake.known.serverName, client: client, context),
            process: process(context),
            time: connection.firstTime, duration: connection.lastTime - connection.firstTime,
            clockLead: connection.clocks.lead(of: client.opposite), exchanges: count,
            applicationProtocol: applicationProtocol, tls: tlsFacts(context), close: connection.close,
            counts: counts, costs: costs,
            flags: connection.flags)
    }
}
