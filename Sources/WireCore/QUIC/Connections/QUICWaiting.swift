/// A datagram of which some packets cannot be opened yet, because what their keys are made of has not come.
struct QUICWaitingDatagram {
    enum Part {
        /// Packets in a row that were booked.
        case booked(QUICDatagramTally)
        case waiting(QUICPacket)
    }

    var datagram: QUICDatagram
    var bytes: [UInt8]
    /// In the order of the datagram.
    var parts: [Part]
    /// Bytes behind the last packet.
    var rest: Int
    var place: FindingPlace

    /// Packets that wait.
    var packets: [QUICPacket] {
        parts.compactMap { if case .waiting(let packet) = $0 { packet } else { nil } }
    }

    var isWaiting: Bool { parts.contains { if case .waiting = $0 { true } else { false } } }

    /// What its packets leave for the headers, once none waits.
    var tally: QUICDatagramTally {
        var sum = QUICDatagramTally()
        for case .booked(let tally) in parts { sum.add(tally) }
        return sum
    }
}

/// Datagrams of a connection that wait, and what was known when they were tried last.
struct QUICWaiting {
    /// In the order in which they came.
    private(set) var datagrams: [QUICWaitingDatagram] = []
    /// Nothing is waited for any more, for good.
    private(set) var isGivenUp = false
    /// The connection is counted among those that await keys.
    private(set) var isCounted = false
    private var known = 0

    var isEmpty: Bool { datagrams.isEmpty }

    /// Keeps a datagram. Returns whether what waits takes more memory than it may.
    mutating func hold(_ held: QUICWaitingDatagram, _ context: inout StreamContext) -> Bool {
        if datagrams.isEmpty, context.keys.mayGrow {
            context.awaitingKeys += 1
            isCounted = true
        }
        datagrams.append(held)
        context.buffered.records += held.bytes.count
        return context.buffered.records > context.options.limitPerShard(of: context.options.totalRecordBytesLimit)
    }

    /// Takes all out, to be tried again.
    mutating func takeAll() -> [QUICWaitingDatagram] {
        defer { datagrams = [] }
        return datagrams
    }

    /// A datagram was tried again, and waits on.
    mutating func keep(_ held: QUICWaitingDatagram) { datagrams.append(held) }

    mutating func giveUp() { isGivenUp = true }

    /// Where nothing waits any more, the connection awaits no keys.
    mutating func settle(_ context: inout StreamContext) {
        guard datagrams.isEmpty, isCounted else { return }
        context.awaitingKeys -= 1
        isCounted = false
    }

    /// Whether something is known that was not when the datagrams were tried last.
    mutating func isNews(_ known: Int) -> Bool {
        defer { self.known = known }
        return known != self.known
    }
}
