/// Why an estimate differs from the truth. Identifiers stand in every output.
public enum ErrorCause: Int, CaseIterable, Sendable {
    // Line ends.
    case startLineEnd, fieldLineEnd, emptyLine
    // Header fields and start line.
    case fieldsMissing, fieldsFormat, fieldsRewritten, fieldsNotCounted, startLineNotCounted, startLineRewritten
    case reasonGuessed
    case cookie, queryDropped, pathRewritten
    // Bodies.
    case bodyMissing, bodyRecompressed, bodyDecoded, encodingTest, expectedLength, chunkFraming, lastBlockOnly
    case headerCompression
    // Whole exchanges.
    case redirect, cache, retry, failure, scope, rowMissing, notJoined, notSampled, foreignHost,
        merge
    // Below HTTP.
    case tlsRecords, tcpip, handshake, acknowledgments, retransmission, dns, tunnel, offload, link
    case observer, attribution, rounding
    /// A log's figure that no known formula gives.
    case unexplained

    /// The short identifier, such as `H.missing`.
    public var name: String { ErrorCause.table[rawValue].0 }
    /// What it means, in a few plain words.
    public var meaning: String { ErrorCause.table[rawValue].1 }

    /// How large they are depends on what a body holds, not on the formula alone: the same SDK has more or less of them
    /// in another session.
    public var dependsOnBody: Bool {
        switch self {
        case .bodyMissing, .bodyRecompressed, .bodyDecoded, .encodingTest, .expectedLength, .chunkFraming,
            .lastBlockOnly:
            true
        default: false
        }
    }

    static let bodyCauses = allCases.filter(\.dependsOnBody)

    /// Causes below the messages: they separate the wire's truth from the messages'.
    public var isTransport: Bool {
        switch self {
        case .tlsRecords, .tcpip, .handshake, .acknowledgments, .retransmission, .dns, .tunnel, .offload, .link: true
        default: false
        }
    }

    private static let table: [(String, String)] = [
        ("T.line", "line end of the start line"), ("T.hdr", "line ends of header fields"),
        ("T.blank", "empty line after the header fields"),
        ("H.missing", "header fields that the hook cannot see"),
        ("H.format", "header fields counted in another format"),
        ("H.rewrite", "header fields rewritten by the platform"), ("H.none", "header fields not counted"),
        ("L.none", "start line not counted"), ("L.rewrite", "start line written anew"),
        ("L.reason", "reason phrase guessed by the SDK"),
        ("C.cookie", "cookies not counted, or not as sent"), ("U.query", "query string dropped"),
        ("U.path", "path decoded or shortened"),
        ("B.missing", "body not counted"), ("B.recompress", "body compressed again by another compressor"),
        ("B.decoded", "body counted after decompression"),
        ("B.encodingTest", "content coding not recognised, decompressed size counted"),
        ("B.expected", "expected length counted, not what came"), ("B.chunk", "chunk framing not counted"),
        ("B.lastChunkOnly", "last delivered block counted only"),
        ("P.h2", "HTTP/2 and HTTP/3: fields uncompressed, frames not counted"),
        ("R.redirect", "redirect hop lost or merged"), ("R.cache", "answered from a cache"),
        ("R.retry", "retries and interim responses not counted"),
        ("R.fail", "failed or cancelled exchange, recorded in part or not at all"),
        ("S.scope", "exchange invisible to the SDK"),
        ("S.row", "no row in the log"), ("S.join", "not joined: a row of its API found no call, or fits several"),
        ("S.sample", "left out by the log's sampling"), ("S.host", "host that the log never names"),
        ("S.merge", "concurrent exchanges merged"),
        ("X.tls", "TLS records, or tags of QUIC packets"), ("X.tcpip", "headers of packets"),
        ("X.handshake", "set-up (TCP/QUIC, TLS, HTTP), closing"), ("X.ack", "acknowledgments and keep-alives"),
        ("X.retrans", "retransmissions"), ("X.dns", "name resolution"),
        ("X.tunnel", "bytes after an upgrade or CONNECT"),
        ("X.offload", "packet headers hidden by segmentation offload (inferred)"), ("X.link", "link-layer headers"),
        ("O.observer", "traffic that the SDK itself adds or changes"), ("A.attrib", "counter is not per exchange"),
        ("Q.round", "rounding of the stored value"), ("?", "not explained by the log's known formulas"),
    ]
}
