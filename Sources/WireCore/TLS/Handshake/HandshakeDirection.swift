/// The handshake messages of one direction.
final class HandshakeDirection {
    var messages = HandshakeStream()
    /// A hello was its first message.
    var hasBegun = false
    var sawServerHelloDone = false
    /// Messages that could be read, by type, in order of first appearance.
    private(set) var counts: [TLSMessageCount] = []

    func tally(message type: UInt8, bytes: Int) {
        if let index = counts.firstIndex(where: { $0.type == type }) {
            counts[index].count += 1
            counts[index].bytes += bytes
        } else {
            counts.append(TLSMessageCount(type: type, count: 1, bytes: bytes))
        }
    }
}
