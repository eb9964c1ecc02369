/// What time does with a connection, and its end.
extension QUICConnection {
    /// Looks whether the exchange is over by now, and gives it out then. Returns when to look again; nil for never.
    func retireIfOver(_ owner: Owner, at now: Int64, since: Int64, _ context: inout StreamContext) -> Int64? {
        if tracker.isKept(owner.index, context) { return nil }
        context.attribution.connection = account
        // ACKs that acknowledge nothing new still go to it.
        guard tracker.connection.closedTime != nil || !sides.concern(owner) else {
            return TimerWheel.nextLook(now, last: context.attribution.accounts[Int(owner.index)].lastTime, since: since)
        }
        let index = Int(owner.index)
        if let next = tracker.nextLook(index, at: now, since: since, .betweenMessages, context) { return next }
        return tracker.retireIfAcknowledged(
            index, at: now, since: since, DirectionPair(repeating: StreamPosition.never), &context)
    }

    /// Ends the connection. `reason`: its close, where none was seen.
    func end(_ reason: ConnectionClose, _ shard: inout ShardContext) {
        if tracker.connection.closedTime == nil { tracker.connection.close = reason }
        conclude(&shard)
        let counts = [self[0].counts, self[1].counts]
        tracker.complete(counts: { counts[$0.index] }, addingTo: &shard.ledger.causes, &shard.streams)
        if shard.streams.attribution.isTraced {
            let host = tracker.host ?? tracker.connection.serverName(client: client)
            shard.streams.attribution.traceEnd(tracker.connection.number, client: client, host: host)
        }
    }

    private func conclude(_ shard: inout ShardContext) {
        guard !isConcluded else { return }
        isConcluded = true
        shard.streams.attribution.connection = account
        shard.streams.attribution.packet = PacketContext(time: tracker.connection.lastTime)
        resumeWaiting(isLast: true, &shard.streams)
        if sides.giveUpACKs() { tracker.connection.flags.insert(.gap) }
        finishStreams(&shard.streams)
        if let lookup { shard.streams.attribution.pay(for: lookup, client: client) }
        lookup = nil
        let handshake = tracker.security?.handshake
        tracker.connection.startWasSeen = handshake?.negotiation.clientRandom != nil
        if !tracker.connection.isReadFromStart { tracker.connection.flags.insert(.noStart) }
        if tracker.connection.close == .open { tracker.connection.flags.insert(.noEnd) }
        if shard.streams.drops.contains(tracker.connection.firstTime, through: tracker.connection.lastTime) {
            tracker.connection.flags.insert(.drops)
        }
        let start = FindingPlace(file: tracker.connection.file, packet: tracker.connection.firstPacket)
        if sides.closedPackets > 0 {
            let isInPart = openedPackets > 0 || tracker.connection.flags.contains(.snapped)
            tracker.security?.noteClosedPackets(isInPart: isInPart, hasKeys: sides.hasKeys, from: start, &shard.streams)
        }
        if !isConfirmed, handshake?.known.serverName != nil {
            // Anybody can write an Initial: only an answer makes its name more than a claim.
            handshake?.known.serverName = nil
            shard.streams.findings.add(.quicUnconfirmed, at: start)
        }
        tracker.shareOverhead(&shard.streams)
        tracker.retireAll(&shard.streams)
    }
}

extension RecordProtection {
    /// Says why packets were not opened, as far as the capture tells. `isInPart`: others were, or some were not captured
    /// whole. `start`: where the connection begins.
    fileprivate func noteClosedPackets(
        isInPart: Bool, hasKeys: Bool, from start: FindingPlace, _ context: inout StreamContext
    ) {
        guard !isInPart else {
            blindness = .gap
            return
        }
        guard handshake.negotiation.clientRandom != nil else {
            blindness = .noHandshake
            return
        }
        blindness = hasKeys ? .keyWrong : .keyMissing
        if hasKeys {
            context.findings.add(.keyWrong, at: start)
        } else if context.keys.hasAny {
            context.findings.add(.keyMissing, at: start)
        }
    }
}
