import WireCore

/// The field lists of a call as HTTP/2 sends them.
struct HeaderLists {
    typealias Field = (name: [UInt8], value: [UInt8])

    var request: [Field]
    var response: [Field]

    /// Fields of the connection, which HTTP/2 does not have (RFC 9113 §8.2.2), and Host, which `:authority` replaces.
    private static let dropped: Set<[UInt8]> = Set(
        ["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "host"].map { Array($0.utf8) })

    /// Nil where not all of the heads was read.
    init?(_ record: ExchangeRecord) {
        guard let request = record.requestHead, let response = record.responseHead, let target = record.target,
            let method = record.method, let status = record.status
        else { return nil }
        let scheme = Array((record.tlsVersion == nil ? "http" : "https").utf8)
        self.request =
            [
                (name: Array(":method".utf8), value: method), (Array(":scheme".utf8), scheme),
                (Array(":authority".utf8), record.host), (Array(":path".utf8), target),
            ] + HeaderLists.fields(request)
        self.response = [(name: Array(":status".utf8), value: Array("\(status)".utf8))] + HeaderLists.fields(response)
    }

    private static func fields(_ head: MessageHead) -> [Field] {
        var list: [Field] = []
        head.forEachField { field in
            let name = head.bytes[field.name].map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
            if !dropped.contains(name) { list.append((name, Array(head.bytes[field.value]))) }
        }
        return list
    }
}
