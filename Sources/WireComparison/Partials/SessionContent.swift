import WireCore
import WireStatistics

/// Sums over the records of an audit by which two recordings are told apart, whatever order the records come in.
public final class SessionContent: AuditSink {
    private var sum: UInt64 = 0
    /// Bytes of all connections that were sent and that no packet holds.
    private(set) var missing = 0

    public init() {}

    public func receive(_ record: ConnectionRecord) {
        missing &+= record.counts.up.unseen &+ record.counts.down.unseen
        take(UInt64(bitPattern: record.time), UInt64(bitPattern: Int64(record.costs.up.internet)), 1)
    }

    public func receive(_ record: ExchangeRecord) {
        take(UInt64(bitPattern: record.time), UInt64(bitPattern: Int64(record.costs.up.internet)), 2)
    }

    private func take(_ time: UInt64, _ bytes: UInt64, _ kind: UInt64) {
        var words = RandomWords(seed: time)
        var mixed = RandomWords(seed: words.next() ^ bytes &* 4 &+ kind)
        sum &+= mixed.next()
    }

    package var value: UInt64 { sum }
}

extension PartialResult {
    /// It is the result of this session and of no other.
    public func isOf(_ session: String) -> Bool {
        Array(sessions.keys) == [SessionID(Array("name:\(session)".utf8))]
    }

    /// Names the session that the sums are of. Without a name, the session is told by its content: the same recording
    /// is the same session, wherever its files lie.
    public mutating func setSession(_ name: String?, content: SessionContent) {
        rows[PartialKey(.capture)]?.set("missing", content.missing)
        let id: SessionID
        if let name {
            id = SessionID(Array("name:\(name)".utf8))
        } else {
            var text = "content:\(content.value)\n"
            for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
                text += "\(key.kind.rawValue) \(key.names) \(row.values.map { $0.map { String($0) } ?? "-" })\n"
            }
            id = SessionID(Array(text.utf8))
        }
        sessions = [id: name ?? String(id.text.prefix(16))]
        calls = calls.mapValues { $0.asSession(id) }
    }
}
