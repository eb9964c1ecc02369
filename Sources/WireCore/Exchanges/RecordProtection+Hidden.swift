extension RecordProtection {
    /// Keeps a packet of QUIC, which has one byte of header, one of packet number and 16 of its cipher at least (RFC 9000
    /// §17.3, RFC 9001 §5.3).
    @inline(__always)
    func keepHidden(packet bytes: Int, _ direction: Direction, _ context: inout StreamContext) {
        if context.options.keepsHiddenPieces { keepHidden(bytes, content: max(bytes - 18, 0), direction, &context) }
    }

    /// Keeps a record or packet that could not be read. Whether it is the client's is decided at the end: here it stands for
    /// the first of the two directions.
    func keepHidden(_ bytes: Int, content: Int, _ direction: Direction, _ context: inout StreamContext) {
        if context.options.keepsUnnamedCalls || context.options.keepsHiddenPieces {
            unnamed.end(direction, at: context.attribution.packet.time)
        }
        guard context.options.keepsHiddenPieces else { return }
        guard context.buffered.hiddenPieces < context.options.limitPerShard(of: context.options.hiddenPieceLimit) else {
            hidesMore = true
            return
        }
        context.buffered.hiddenPieces += 1
        hidden.append(
            HiddenPiece(
                time: context.attribution.packet.time, bytes: bytes, content: content,
                isFromClient: direction.index == 0))
    }

    /// Gives out what was kept.
    ///
    /// - Parameters:
    ///   - unread: what the books have as not read. Of TLS that is the content; of QUIC it has headers of datagrams, too.
    ///   - isWhole: the capture has the whole connection.
    func removeHidden(
        client: Direction, unread: Directions<Int>, isQUIC: Bool, isWhole: Bool, _ context: inout StreamContext
    ) -> HiddenTraffic {
        context.buffered.hiddenPieces -= hidden.count
        let showsLength = !isQUIC && handshake.negotiation.suite?.showsContentLength == true
        var traffic = HiddenTraffic(
            pieces: hidden, calls: unnamed.areKnown ? unnamed.finish(showsLength: showsLength) : nil, isComplete: false,
            showsContentLength: showsLength)
        hidden = []
        if client.index != 0 {
            for index in traffic.pieces.indices { traffic.pieces[index].isFromClient.toggle() }
        }
        let sums = Directions(up: unnamed.content[client], down: unnamed.content[client.opposite])
        // Nobody knows how long compressed content is.
        traffic.isComplete =
            isWhole && !hidesMore && !handshake.negotiation.compresses && (isQUIC || sums == unread)
        return traffic
    }
}
