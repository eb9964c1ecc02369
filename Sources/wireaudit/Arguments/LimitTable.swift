import WireRecords

/// Every limit that can be set, in the order in which they are listed: this table checks the names of `--limit`, makes
/// `wireaudit limits`, and is what Limits.md shows.
extension Limit {
    package static let all: [Limit] = connections + segments + messages + bodies + secrets + packets + reports

    private static let connections = [
        Limit(
            "connections", .count(\.audit.connectionLimit), "open connections",
            beyond: "one of the longest idle connections is ended", .connectionLimit, isShared: true),
        Limit(
            "closed-connections", .count(\.audit.lingerCountLimit), "closed connections kept for late packets",
            beyond: "the oldest is dropped; late packets start a new record",
            told: "the flag no-start of that record",
            isShared: true),
        Limit(
            "closed-time", .time(\.audit.lingerLimit), "time for which closed connections are kept",
            beyond: "the connection is dropped; late packets start a new record",
            told: "the flag no-start of that record"),
        Limit(
            "idle-time", .time(\.audit.idleLimit), "time without packets of the connection, measured by other packets",
            beyond: "the connection is ended; later packets start a new record",
            told: "close: idle in its record, the flag no-start in the other"),
        Limit(
            "hosts", .count(\.audit.hostLimit), "rows of the host table",
            beyond: "further hosts share the row (other hosts)", .hostLimit),
        Limit(
            "host-clients", .count(\.audit.hostClientLimit), "pairs of host and client",
            beyond: "further clients count as new: the saving by reuse is underestimated", .hostClientLimit),
        Limit(
            "reuse", .count(\.audit.reuseLimit), "ended connections that wait until it is known which were needed",
            beyond: "longer ones count as needed: the saving by reuse is underestimated", .reuseLimit),
    ]

    private static let segments = [
        Limit(
            "held-bytes", .bytes(\.audit.heldBytesLimit), "bytes of a direction that wait for earlier packets",
            beyond: "the missing segment is treated as lost", .heldBytesLimit),
        Limit(
            "held-segments", .count(\.audit.heldSegmentLimit), "segments of a direction that wait for earlier packets",
            beyond: "the missing segment is treated as lost", .heldBytesLimit),
        Limit(
            "held-bytes-total", .bytes(\.audit.totalHeldBytesLimit), "bytes that wait for earlier packets",
            beyond: "the missing segment is treated as lost", .heldBytesLimit, isShared: true),
        Limit(
            "charges", .count(\.audit.chargeLimit), "costs of a direction that wait for their exchange",
            beyond: "further costs are booked to the connection", .pendingLimit),
    ]

    private static let messages = [
        Limit(
            "header-section", .bytes(\.audit.headerSectionLimit),
            "size of a header section (HTTP/2: of its decoded text)",
            beyond: "the message is not read further; in HTTP/2 its fields are unknown", .headerSectionLimit),
        Limit(
            "header-sections-total", .bytes(\.audit.totalHeadBytesLimit), "unfinished header sections",
            beyond: "as with header-section", .headerSectionLimit, isShared: true),
        Limit(
            "exchanges-kept", .count(\.audit.exchangeLimit),
            "answered exchanges of a connection that wait for late costs",
            beyond: "the oldest become final; their late costs are booked to the connection",
            told: "nothing; messages do not change"),
        Limit(
            "exchanges-open", .count(\.audit.unansweredLimit),
            "unanswered exchanges of a connection; with --setup even all of them",
            beyond: "the oldest is closed as it is", .exchangeLimit),
        Limit(
            "exchanges-total", .count(\.audit.totalExchangeLimit), "exchanges kept in memory",
            beyond: "only the latest two of each connection stay; the others become final", .exchangeLimit,
            isShared: true),
        Limit(
            "apis", .count(\.audit.apiLimit), "rows of the API table",
            beyond: "further APIs share the row (other APIs)", .apiLimit),
        Limit(
            "streams", .count(\.audit.streamLimit), "open streams of an HTTP/2 or HTTP/3 connection",
            beyond: "frames of further streams count as opaque bytes of the connection (HTTP/3: http3-stream-limit)",
            .streamLimit),
        Limit(
            "field-tables-total", .bytes(\.audit.totalFieldTableLimit), "tables of HTTP/2 and HTTP/3 field compression",
            beyond: "fields of that direction are unknown (HTTP/3: qpack-limit)", .fieldTableLimit, isShared: true),
    ]

    private static let bodies = [
        Limit(
            "decoded-body", .bytes(\.audit.decodedBodyLimit), "decoded size of a body",
            beyond: "it is unknown", .decodeLimit),
        Limit(
            "decoded-total", .bytes(\.audit.totalDecodedLimit),
            "decoded size of all bodies, plus 100 bytes for each coded body",
            beyond: "further sizes are unknown", .decodeLimit, isShared: true),
        Limit(
            "decoder-memory", .bytes(\.audit.decoderMemoryLimit), "memory of decoders in exchanges and live",
            beyond: "the decoded size of the body is unknown", .decodeLimit, isShared: true),
        Limit(
            "body-memory", .bytes(\.accuracy.content.held), "incomplete bodies that estimators need",
            beyond: "estimators that need the body have no figure", .decodeLimit),
    ]

    private static let secrets = [
        Limit(
            "tls-records-total", .bytes(\.audit.totalRecordBytesLimit),
            "incomplete TLS records, and QUIC packets that wait for their keys",
            beyond: "the record is counted but not decrypted", .recordLimit, isShared: true),
        Limit(
            "early-data-total", .bytes(\.audit.totalEarlyDataLimit),
            "TLS early data that the server has not yet accepted or rejected",
            beyond: "it is counted, not read", .recordLimit, isShared: true),
        Limit(
            "key-wait", .time(\.audit.keyPatience), "time for which packets wait for a key",
            beyond: "they are counted, not read", .keyMissing),
        Limit(
            "key-lines", .count(\.audit.keyLineLimit), "lines with secrets in all key logs",
            beyond: "further lines are skipped; of a growing log the older half is dropped", .keyLogLimit),
        Limit(
            "key-bytes", .bytes(\.audit.keyBytesLimit), "size of the secrets in all key logs",
            beyond: "as with key-lines", .keyLogLimit),
    ]

    private static let packets = [
        Limit(
            "fragments", .count(\.audit.fragmentLimit), "incomplete IP datagrams",
            beyond: "the oldest stays in other_ip", .fragmentLimit),
        Limit(
            "fragment-bytes", .bytes(\.audit.fragmentBytesLimit), "bytes of incomplete IP datagrams",
            beyond: "the oldest stays in other_ip", .fragmentLimit),
        Limit(
            "fragment-time", .time(\.audit.fragmentPatience), "time for which a datagram waits for its fragments",
            beyond: "it stays in other_ip", .fragmentsIncomplete),
        Limit(
            "names", .count(\.audit.nameLimit), "addresses with a name",
            beyond: "all names are dropped: hosts may appear by address", .nameLimit),
        Limit(
            "lookups", .count(\.audit.lookupLimit),
            "DNS lookups that wait for their connection; DNS answers over HTTPS",
            beyond: "all are dropped: their bytes stay in dns, no link leads to them", .lookupLimit),
        Limit(
            "processes", .count(\.audit.processLimit), "processes that packets name; 65,535 at most",
            beyond: "packets of further ones count as of no app", .processLimit),
        Limit(
            "quic-connections", .count(\.audit.quicConnectionLimit), "open QUIC connections",
            beyond: "the longest idle of a few ends early", .connectionLimit),
        Limit(
            "quic-ids", .count(\.audit.quicIDLimit), "connection IDs of a QUIC connection",
            beyond: "the oldest are forgotten: packets to them go by their addresses", .quicIDLimit),
        Limit(
            "quic-flows", .count(\.audit.quicFlowLimit), "address pairs that carry QUIC or WireGuard",
            beyond: "all are dropped: packets without a long header or a handshake count as udp", .quicFlowLimit),
        Limit(
            "udp-endpoints", .count(\.audit.datagramEndpointLimit), "rows of UDP by server and port",
            beyond: "further endpoints share the row udp://(other endpoints)", .datagramLimit),
        Limit(
            "udp-flows", .count(\.audit.datagramFlowLimit), "address pairs of such UDP",
            beyond: "all are dropped: client and server of each are determined again", .datagramLimit),
        Limit(
            "quic-search-bytes", .bytes(\.audit.quicSearchLimit),
            "datagrams kept to find QUIC connections that began before the capture",
            beyond: "such connections are not found; their bytes count as udp", .quicSearchLimit),
        Limit(
            "quic-trials", .count(\.audit.quicTrialLimit), "openings tried to find the keys of such connections",
            beyond: "as with quic-search-bytes", .quicSearchLimit),
        Limit(
            "open-files", .count(\.audit.openFileLimit), "open input files",
            beyond: "files are closed and reopened when needed", told: "nothing; results do not change"),
    ]

    private static let reports = [
        Limit(
            "sorted-records", .count(\.accuracy.sortedRecords), "records that wait to be sorted",
            beyond: "a record that ends after so many others is printed late", told: "its time"),
        Limit(
            "page-calls", .count(\.pageCalls), "calls that the audit as a page shows one by one",
            beyond: "those with fewest bytes are in the sums only", told: "the page says how many"),
        Limit(
            "page-connections", .count(\.pageConnections), "connections that have a row in that page",
            beyond: "those with fewest bytes are in the sums only", told: "the page says how many"),
        Limit(
            "log-rows", .count(\.logRows), "rows of an SDK log",
            beyond: "further rows are skipped", told: "a warning with their number"),
        Limit(
            "log-texts", .bytes(\.logTexts), "texts of an SDK log, such as URLs, plus 64 bytes for each",
            beyond: "rows with further texts are skipped", told: "a warning with their number"),
        Limit(
            "kept-heads", .count(\.accuracy.headLimit), "exchanges whose header fields are kept for logs",
            beyond: "errors of further exchanges are not split by cause", told: "a log problem with their number"),
        Limit(
            "claims", .count(\.claims), "parts of packets that annotate notes, of one owner and cause each",
            beyond: "comments of further packets say that their owner is not known", told: "a warning with their number"
        ),
        Limit(
            "live-bytes", .bytes(\.liveBytes), "packets that wait for packets of other interfaces",
            beyond: "packets are audited without waiting, possibly out of order", .timeWentBack),
    ]
}
