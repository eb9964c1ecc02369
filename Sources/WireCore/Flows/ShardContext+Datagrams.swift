/// What a shard books beside its connections, and takes back.
extension ShardContext {
    /// Where a packet of QUIC is counted that is no connection's.
    mutating func straySeat(_ routed: RoutedSegment, _ payload: RawSpan) -> DatagramTable.Seat {
        let overflows = strays.overflows
        let context = (names: streams.names, ordinal: streams.findings.ordinal)
        let seat = strays.seat(
            routed.key, payload, length: routed.segment.payload, proved: .quic, process: routed.process
        ) {
            context.names.name(of: $0, at: context.ordinal)
        }
        if strays.overflows > overflows { streams.findings.add(.datagramLimit) }
        return seat
    }

    /// Books a datagram that is no connection's.
    mutating func book(_ routed: RoutedSegment) { book(routed, routed.datagramCounts) }

    /// It is a connection's after all.
    mutating func takeBack(_ routed: RoutedSegment) { book(routed, -routed.datagramCounts) }

    private mutating func book(_ routed: RoutedSegment, _ counts: DatagramCounts) {
        guard let seat = routed.seat else { return }
        if routed.kind == .datagram {
            ledger.other.quic += counts.internet
            strays.add(counts, at: seat)
        } else {
            ledger.other.udp += counts.internet
            let none = DatagramCounts()
            add(Directions(up: seat.isUp ? counts : none, down: seat.isUp ? none : counts), to: seat.row)
        }
    }

    /// The frame was captured twice: what was attributed to its layers is taken back.
    mutating func bookCopy(_ routed: RoutedSegment) {
        moveToDuplicates(routed)
        streams.attribution.trace?.noteDuplicate(routed.number)
    }

    mutating func moveToDuplicates(_ routed: RoutedSegment) {
        ledger.moveToDuplicates(routed)
    }

    /// A connection pays for lookups.
    mutating func pay(_ cost: LookupCost) {
        for part in cost.parts {
            ledger.other.dns -= part.counts.internet
            add(Directions(up: -part.counts.up, down: -part.counts.down), to: part.row)
        }
    }

    /// Takes back what a connection has paid.
    mutating func refund(_ cost: LookupCost) {
        for part in cost.parts {
            ledger.other.dns += part.counts.internet
            add(part.counts, to: part.row)
        }
    }

    /// The same for the message in the frame that is taken now.
    mutating func payLate(_ cost: LookupCost) {
        pay(cost)
        let bytes = cost.bytes
        streams.attribution.trace?.noteLookup(
            cost.serial, frame: frame, bytes.up + bytes.down, isAnswer: bytes.down > 0)
    }

    private mutating func add(_ counts: Directions<DatagramCounts>, to row: Int32) {
        datagrams[row, default: Directions()] += counts
    }
}

extension LedgerSummary {
    /// A frame, or several as one, were captured elsewhere too: takes back what was attributed to their layers.
    mutating func moveToDuplicates(_ routed: RoutedSegment) {
        let segment = routed.segment
        layers.pseudo -= routed.pseudo
        layers.tunnel -= routed.tunnel
        layers.link -= segment.cost.link - routed.tunnel
        layers.transport -= segment.headerLength
        layers.network -= segment.cost.internet - segment.headerLength
        layers.payload -= segment.payload
        layers.duplicate += segment.frameBytes
    }
}

extension RoutedSegment {
    fileprivate var datagramCounts: DatagramCounts {
        DatagramCounts(
            packets: segment.frames, internet: segment.cost.internet + segment.payload, payload: segment.payload,
            link: segment.cost.link)
    }
}
