/// Segmentation offload.
extension QUICSide {
    /// Datagrams are at most so long where no card cuts them, bytes.
    private static let longestPiece = 1500
    private static let shortestPiece = 1200

    /// A short header has no length: a frame that holds several datagrams, which the network card would have cut, is cut
    /// where the tag of a packet proves it. The size of the first piece; nil where nothing shows that there are several.
    func segmentSize(_ bytes: RawSpan, _ packet: QUICPacket, _ output: inout [UInt8]) -> Int? {
        let count = packet.range.count
        guard count > QUICSide.shortestPiece, packet.range.upperBound <= bytes.byteCount,
            !keys[QUICSide.Level.application.rawValue].isEmpty
        else { return nil }
        for size in sizes where size < count && opens(size, packet, bytes, &output) { return size }
        let sizes = QUICSide.shortestPiece...QUICSide.longestPiece
        for size in sizes where size < count && opens(size, packet, bytes, &output) { return size }
        return nil
    }

    /// Whether the first bytes of a packet are one. Nothing is noted of it.
    private func opens(_ size: Int, _ packet: QUICPacket, _ bytes: RawSpan, _ output: inout [UInt8]) -> Bool {
        let range = packet.range.lowerBound..<packet.range.lowerBound + size
        let numberOffset = packet.numberOffset - packet.range.lowerBound
        guard size > numberOffset + 20 else { return false }
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
