/// Streams in which messages do not lie one after another: how such a layer is recognised, and who pays for bytes whose
/// unit is not whole when they come.
extension Connection {
    /// What the beginning of a stream or tunnel shows.
    enum LayerVerdict {
        case none
        /// More bytes are needed.
        case maybe
        case tls
        case frames
        /// HTTP/2 from its first byte on, though the stream's own beginning was not seen.
        case preface
    }

    /// Longest beginning that is kept undecided, bytes: more than the preface of HTTP/2 has.
    private static let undecidedLimit = 64
    /// Bytes of another protocol behind which TLS is still looked for.
    private static let foreignPrefixLimit = 1 << 14

    /// Takes bytes of a run as the layer says. Returns how many: the layer may go away before the run ends.
    mutating func deliverLayered(
        _ run: RawSpan, at start: StreamPosition, _ side: Int, _ books: inout Books
    ) -> Int {
        guard let layer = sides[side].layer else { return 0 }
        switch layer.kind {
        case .undecided: return takeUndecided(run, at: start, side, layer, &books)
        case .tls: deliverRecords(run, at: start, side, layer, &books)
        case .frames: deliverContent(run, at: start, side, &books)
        }
        layer.owners.trim(acknowledged: sides[side].acknowledged)
        return run.byteCount
    }

    /// Hands a run of bytes that messages lie in to the direction's reader.
    mutating func deliverContent(_ run: RawSpan, at start: StreamPosition, _ side: Int, _ books: inout Books) {
        var offset = 0
        while offset < run.byteCount { offset += claim(run, offset, at: start + offset, side, &books) }
    }

    // MARK: Recognition

    /// Not in step: whether a layer begins with this run; if so, the direction has it afterwards.
    mutating func beginLayer(_ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int) -> Bool {
        if let layer = sides[side].layer { return enterFramesInside(run, offset, at: position, side, layer) }
        guard offset == 0 else { return false }
        if sides[side].isProbed { return enterLate(run, at: position, side) }
        let isStart = position == .zero && sides[side].assembler.startIsKnown
        let verdict = judgeLayer(run, offset, side, isStart ? .start : .middle)
        if verdict == .none, isStart || requestSide != nil { sides[side].isProbed = true }
        return enterLayer(verdict, at: position, side, isStart: isStart)
    }

    /// Behind a few bytes of another protocol, as of a proxy or of one that asks for TLS first, a hello may come.
    private mutating func enterLate(_ run: RawSpan, at position: StreamPosition, _ side: Int) -> Bool {
        guard requestSide == nil, position.value < Connection.foreignPrefixLimit || tls != nil,
            TLSProbe.judge(run, at: 0, isMidstream: false) == .yes
        else { return false }
        return enterLayer(.tls, at: position, side, isStart: true)
    }

    private mutating func enterLayer(
        _ verdict: LayerVerdict, at position: StreamPosition, _ side: Int, isStart: Bool
    ) -> Bool {
        switch verdict {
        case .none: return false
        case .maybe: sides[side].layer = StreamLayer(.undecided, origin: position)
        case .tls:
            sides[side].layer = StreamLayer(.tls, origin: position)
            sides[side].reader.state = .searching
        case .frames, .preface:
            sides[side].layer = StreamLayer(.frames, origin: position)
            if verdict == .preface { requestSide = side }
            beginFrames(side, isStart: isStart || verdict == .preface)
        }
        return true
    }

    /// Where bytes are that are judged: at the start of a stream or of a tunnel, in sight of it, or anywhere.
    private enum Place {
        case start, tunnel, middle
    }

    private func judgeLayer(_ run: RawSpan, _ offset: Int, _ side: Int, _ place: Place) -> LayerVerdict {
        var verdict = LayerVerdict.none
        let isStart = place != .middle
        let tls = TLSProbe.judge(run, at: offset, isMidstream: !isStart || self.tls != nil)
        switch tls {
        case .yes: return .tls
        case .maybe: if isStart { verdict = .maybe }
        case .no: break
        }
        let isClient = (requestSide ?? clientSide ?? side) == side
        // The preface is proof enough wherever it stands.
        if !isStart, http2?[side] == nil, HTTP2Probe.judgePreface(run, at: offset) == .yes { return .preface }
        if isStart, isClient {
            switch HTTP2Probe.judgePreface(run, at: offset) {
            case .yes: return .frames
            case .maybe: return .maybe
            case .no: break
            }
        }
        let mayCarryFrames = place == .tunnel || requestSide == nil || http2 != nil
        guard mayCarryFrames, !isClient || !isStart || clientSide == nil else { return verdict }
        switch HTTP2Probe.judgeFrames(run, at: offset, isFirst: isStart) {
        case .yes: return .frames
        case .maybe: return isStart ? .maybe : verdict
        case .no: return verdict
        }
    }

    /// The first bytes behind CONNECT or 101 show what runs inside.
    mutating func enterTunnel(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) -> Int {
        guard sides[side].layer == nil else {
            sides[side].reader.state = .tunnel
            return 0
        }
        if offset > 0 {
            // A layer begins with a run of its own.
            return deliverTunnelStart(run.extracting(offset..<run.byteCount), at: position, side, &books)
        }
        let verdict = judgeLayer(run, offset, side, .tunnel)
        guard verdict != .none else {
            sides[side].reader.state = .tunnel
            return 0
        }
        openTunnel(verdict, at: position, side, &books)
        return 0
    }

    /// The tunnel carries a layer, or may.
    private mutating func openTunnel(
        _ verdict: LayerVerdict, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) {
        let index = Int(sides[side].current)
        if verdict != .maybe { leaveExchange(at: position, side, &books) }
        _ = enterLayer(verdict, at: position, side, isStart: true)
        if verdict == .frames, index >= 0, books.exchanges.slots[index].flags.contains(.upgraded) {
            adoptUpgraded(index, &books)
        }
    }

    private mutating func deliverTunnelStart(
        _ rest: RawSpan, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) -> Int {
        _ = enterTunnel(rest, 0, at: position, side, &books)
        if sides[side].layer != nil { return deliverLayered(rest, at: position, side, &books) }
        return 0
    }

    /// What comes is no longer the exchange's that opened the tunnel.
    private mutating func leaveExchange(at position: StreamPosition, _ side: Int, _ books: inout Books) {
        let index = Int(sides[side].current)
        guard index >= 0 else { return }
        books.exchanges.slots[index].ranges[side].end = position
        sides[side].current = -1
    }

    // MARK: Undecided beginnings

    private mutating func takeUndecided(
        _ run: RawSpan, at start: StreamPosition, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) -> Int {
        let count = min(run.byteCount, Connection.undecidedLimit - layer.buffer.count)
        keep(run, 0..<count, at: start, side, layer, &books)
        var place = Place.start
        if case .tunnelStart = sides[side].reader.state { place = .tunnel }
        let verdict = judgeLayer(unsafe layer.buffer.span.bytes, 0, side, place)
        if verdict != .maybe || layer.buffer.count >= Connection.undecidedLimit { decide(verdict, side, layer, &books) }
        return count
    }

    /// Delivers again what had been kept, now that it is known what it is.
    private mutating func decide(_ verdict: LayerVerdict, _ side: Int, _ layer: StreamLayer, _ books: inout Books) {
        let bytes = layer.buffer
        let pieces = layer.pieces
        let origin = layer.origin
        books.recordBytes -= bytes.count
        sides[side].layer = nil
        let isFound = verdict == .tls || verdict == .frames
        if case .tunnelStart = sides[side].reader.state {
            if isFound { openTunnel(verdict, at: origin, side, &books) } else { sides[side].reader.state = .tunnel }
        } else if isFound {
            _ = enterLayer(verdict, at: origin, side, isStart: true)
        } else {
            sides[side].isProbed = true
        }
        for piece in pieces {
            let offset = piece.start - origin
            deliverPiece(
                unsafe bytes.span.bytes.extracting(offset..<offset + piece.count), piece, side, &books)
        }
    }

    /// Delivers bytes that were kept, as if their packet had just come.
    mutating func deliverPiece(_ run: RawSpan, _ piece: UnitPiece, _ side: Int, _ books: inout Books) {
        guard piece.debt != books.carrier.debt else {
            deliver(run, run.byteCount, at: piece.start, side, &books)
            release(piece.debt, side, &books)
            return
        }
        let outer = (carrier: books.carrier, moment: books.moment)
        var shares = ShareList()
        swap(&books.shares, &shares)
        books.carrier = Carrier(debt: piece.debt)
        books.moment = piece.moment
        swap(&books.shares, &books.debts.slots[Int(piece.debt)].shares)
        deliver(run, run.byteCount, at: piece.start, side, &books)
        leaveDebt(side, &books)
        swap(&books.shares, &shares)
        books.carrier = outer.carrier
        books.moment = outer.moment
    }

    /// Decides what is undecided, because nothing more will come.
    mutating func flushUndecided(_ side: Int, _ books: inout Books) {
        guard let layer = sides[side].layer, layer.kind == .undecided else { return }
        decide(.none, side, layer, &books)
    }

    // MARK: Where content begins

    /// Whether the first of the bytes that messages lie in is at `position`, in sight of the stream's beginning.
    func isFirstContent(_ position: StreamPosition, _ side: Int) -> Bool {
        guard sides[side].assembler.startIsKnown else { return false }
        guard let layer = sides[side].layer else { return position == .zero }
        return layer.contentStart == position
    }

    /// Nothing of the bytes that messages lie in has come yet, though the stream was watched from its beginning.
    func hasNoContentYet(_ side: Int) -> Bool {
        guard sides[side].assembler.startIsKnown else { return false }
        guard let layer = sides[side].layer else { return sides[side].assembler.next == .zero }
        return layer.contentStart == nil
    }
}
