import WireNative

/// Keys of a key log that may open a side's packets. They count key updates.
extension QUICSide {
    /// Opens a packet. The keys of its level are tried in turn; those that were not it are dropped then.
    mutating func open(
        _ content: RawSpan, _ numberOffset: Int, _ level: Level, _ space: Space, into plain: inout [UInt8]
    ) -> QUICOpenedPacket? {
        let (level, isShort, largest) = (level.rawValue, level == .application, self[space])
        for index in keys[level].indices {
            guard
                let opened = keys[level][index].open(
                    content, numberOffset: numberOffset, largest: largest, isShort: isShort, into: &plain)
            else { continue }
            if keys[level].count > 1 { keys[level] = [keys[level][index]] }
            return opened
        }
        return nil
    }

    /// Opens a packet of 1-RTT without knowing how long its connection ID is.
    ///
    /// - Parameter highest: that its number may have.
    /// - Returns: the packet, with that length.
    mutating func openFirst(
        _ content: RawSpan, _ idLengths: ClosedRange<Int>, _ highest: UInt64, into plain: inout [UInt8]
    ) -> (packet: QUICOpenedPacket, idLength: Int)? {
        var attempts = 0
        for var candidate in keys[Level.application.rawValue] {
            for length in idLengths where length + 1 < content.byteCount {
                let opened = candidate.join(
                    content, numberOffset: 1 + length, isShort: true, highest: highest, attempts: &attempts,
                    into: &plain)
                guard let opened else { continue }
                keys[Level.application.rawValue] = [candidate]
                return (opened, length)
            }
        }
        if attempts > 0 { lengthTries += 1 }
        return nil
    }
}
