/// Keys that are written while the capture is: packets that come before their key wait for it, for a while.
extension Connection {
    /// Whether a record must wait for its key. From here on all of the connection waits, so that requests stay in front
    /// of their answers.
    mutating func awaitKey(
        _ header: RecordHeader?, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) -> Bool {
        guard books.keys.mayGrow, !keysAreGivenUp, let header, let tls, tls.lacksKey(for: header, side) else {
            return false
        }
        if keyAwaitedSince == nil {
            keyAwaitedSince = lastTime
            keyAwaitedAt = books.findings.place
            books.awaitingKeys += 1
        }
        layer.stage = .awaitingKey
        return true
    }

    /// After each packet, and when keys came: goes on if the key is there, or if it was waited for long enough.
    mutating func checkAwaitedKey(at time: Int64, _ books: inout Books) {
        guard let since = keyAwaitedSince else { return }
        let isCrowded = isCrowded(0, books) || isCrowded(1, books)
        if isCrowded || time - since > books.options.keyPatience {
            giveUpKeys(&books)
        } else if !lacksAnyKey {
            resumeRecords(&books)
        }
    }

    private var lacksAnyKey: Bool {
        guard let tls else { return false }
        return (0..<2).contains { side in
            guard let layer = sides[side].layer, case .awaitingKey = layer.stage, layer.buffer.count >= 5 else {
                return false
            }
            guard let header = RecordHeader(unsafe layer.buffer.span.bytes, at: 0) else { return false }
            return tls.lacksKey(for: header, side)
        }
    }

    /// What waited is read without a key.
    mutating func giveUpKeys(_ books: inout Books) {
        guard keyAwaitedSince != nil else { return }
        keysAreGivenUp = true
        resumeRecords(&books)
    }

    private mutating func resumeRecords(_ books: inout Books) {
        keyAwaitedSince = nil
        books.awaitingKeys -= 1
        // What is found now was met there.
        let place = books.findings.place
        books.findings.place = keyAwaitedAt
        defer { books.findings.place = place }
        for side in 0..<2 {
            guard let layer = sides[side].layer, case .awaitingKey = layer.stage else { continue }
            let bytes = layer.buffer
            let start = layer.bufferStart
            let pieces = forgetKept(layer, &books)
            layer.stage = .header
            for piece in pieces {
                let offset = piece.start - start
                deliverPiece(
                    unsafe bytes.span.bytes.extracting(offset..<offset + piece.count), piece, side, &books)
            }
        }
        drainBoth(&books)
        settleCharges(&books)
    }
}
