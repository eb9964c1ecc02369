/// Segmentation offload.
extension QUICSide {
    /// Datagrams are at most so long where no card cuts them, bytes.
    private static let longestPiece = 1500
    private static let usualPiece = 1200
    /// Packets in a row of which all sizes are tried in vain.
    private static let searchLimit = 16

    /// A short header has no length: a frame that holds several datagrams, which the network card would have cut, is cut
    /// where the tag of a packet proves it. The size of the first piece; nil where nothing shows that there are several.
    ///
    /// - Parameter first: a size that is tried before all others.
    mutating func segmentSize(
        _ bytes: RawSpan, _ packet: QUICPacket, trying first: Int? = nil, _ output: inout [UInt8]
    ) -> Int? {
        let count = packet.range.count
        // Header, number and tag.
        let shortest = packet.numberOffset - packet.range.lowerBound + 20
        guard count > shortest, packet.range.upperBound <= bytes.byteCount,
            !keys[QUICSide.Level.application.rawValue].isEmpty
        else { return nil }
        for size in [first ?? count, count] + sizes where size <= count && opens(size, packet, bytes, &output) {
            return size < count ? size : nil
        }
        guard failedSearches < QUICSide.searchLimit else { return nil }
        let usual = QUICSide.usualPiece...QUICSide.longestPiece
        for size in usual where size < count && opens(size, packet, bytes, &output) { return found(size) }
        for size in (shortest..<max(shortest, min(count, QUICSide.usualPiece))).reversed()
        where opens(size, packet, bytes, &output) {
            return found(size)
        }
        failedSearches += 1
        return nil
    }

    /// The packet that begins at `offset` in what is left of a frame. One with a short header ends at `end`, unless it only
    /// opens with another length.
    mutating func segment(
        at offset: Int, end: Int, of packet: QUICPacket, _ bytes: RawSpan, _ output: inout [UInt8]
    ) -> QUICPacket {
        let whole = packet.range.upperBound
        guard var part = QUICPacket(bytes, at: offset, length: whole, shortIDLength: packet.destination.count) else {
            var rest = packet
            (rest.range, rest.numberOffset) = (offset..<whole, -1)
            return rest
        }
        guard part.kind == .short else { return part }
        let size = segmentSize(bytes, part, trying: end - offset, &output)
        if let size { part.range = offset..<offset + size }
        return part
    }

    private mutating func found(_ size: Int) -> Int {
        failedSearches = 0
        return size
    }

    /// Whether the first bytes of a packet are one. Nothing is noted of it.
    private func opens(_ size: Int, _ packet: QUICPacket, _ bytes: RawSpan, _ output: inout [UInt8]) -> Bool {
        let range = packet.range.lowerBound..<packet.range.lowerBound + size
        let numberOffset = packet.numberOffset - packet.range.lowerBound
        guard size >= numberOffset + 20 else { return false }
        var keys = keys[QUICSide.Level.application.rawValue]
        let largest = self[.application]
        for index in keys.indices {
            let opened = keys[index].open(
                bytes.extracting(range), numberOffset: numberOffset, largest: largest, isShort: true, into: &output)
            if opened != nil { return true }
        }
        return false
    }
}
