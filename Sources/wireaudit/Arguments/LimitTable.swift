/// Every limit that can be set, in the order in which they are listed: this table checks the names of `--limit`, makes
/// `wireaudit limits`, and is what the README shows.
extension Limit {
    package static let all: [Limit] = connections + segments + messages + bodies + secrets + packets + reports

    private static let connections = [
        Limit(
            "connections", .count(\.audit.connectionLimit), "open connections",
            beyond: "the one of a few that has been quiet longest is ended", .connectionLimit, isShared: true),
        Limit(
            "closed-connections", .count(\.audit.lingerCountLimit), "closed connections kept for late packets",
            beyond: "the oldest goes; what comes still makes a record of its own", told: "flag no-start of that record",
            isShared: true),
        Limit(
            "closed-time", .time(\.audit.lingerLimit), "how long they are kept",
            beyond: "the connection goes; what comes still makes a record of its own",
            told: "flag no-start of that record"),
        Limit(
            "idle-time", .time(\.audit.idleLimit), "time without packets, in which others came",
            beyond: "the connection ends; what comes still makes a record of its own",
            told: "the record's close is idle, the other's flag no-start"),
        Limit(
            "hosts", .count(\.audit.hostLimit), "rows of the host table",
            beyond: "further hosts share the row (other hosts)", .hostLimit),
        Limit(
            "host-clients", .count(\.audit.hostClientLimit), "pairs of host and client known to have been connected",
            beyond: "further ones count as first: what reuse would save is told too low", .hostClientLimit),
    ]

    private static let segments = [
        Limit(
            "held-bytes", .bytes(\.audit.heldBytesLimit), "bytes of a direction that wait for a missing segment",
            beyond: "the segment is given up as a hole", .heldBytesLimit),
        Limit(
            "held-segments", .count(\.audit.heldSegmentLimit), "segments of a direction that wait for a missing one",
            beyond: "the missing one is given up as a hole", .heldBytesLimit),
        Limit(
            "held-bytes-total", .bytes(\.audit.totalHeldBytesLimit), "bytes that wait for missing segments",
            beyond: "the segment that the direction waits for is given up as a hole", .heldBytesLimit, isShared: true),
        Limit(
            "gap-time", .time(\.audit.reorderingWindow),
            "how long a segment is waited for that the peer has acknowledged", beyond: "it is given up as a hole",
            .streamGap),
        Limit(
            "charges", .count(\.audit.chargeLimit), "costs of a direction that wait for the message they belong to",
            beyond: "further ones are the connection's", .pendingLimit),
    ]

    private static let messages = [
        Limit(
            "header-section", .bytes(\.audit.headerSectionLimit), "a header section; of HTTP/2 its decoded text",
            beyond: "the message is not read on; of HTTP/2 fields stay unknown", .headerSectionLimit),
        Limit(
            "header-sections-total", .bytes(\.audit.totalHeadBytesLimit), "unfinished header sections",
            beyond: "as with header-section", .headerSectionLimit, isShared: true),
        Limit(
            "exchanges-kept", .count(\.audit.exchangeLimit), "answered exchanges of a connection kept for late costs",
            beyond: "the oldest become final at once; late costs are the connection's",
            told: "nothing; no message changes"),
        Limit(
            "exchanges-open", .count(\.audit.unansweredLimit),
            "exchanges of a connection that wait for an answer, or with --setup even for its end",
            beyond: "the oldest becomes final as it is", .exchangeLimit),
        Limit(
            "exchanges-total", .count(\.audit.totalExchangeLimit), "exchanges kept, of all connections",
            beyond: "connections that go on keep their latest two; others become final as they are", .exchangeLimit,
            isShared: true),
        Limit(
            "apis", .count(\.audit.apiLimit), "rows of the API table",
            beyond: "further APIs share the row (other APIs)", .apiLimit),
        Limit(
            "streams", .count(\.audit.streamLimit), "streams of an HTTP/2 connection known at one time",
            beyond: "frames of further ones are the connection's, as opaque", .streamLimit),
        Limit(
            "field-tables-total", .bytes(\.audit.totalFieldTableLimit), "tables of HTTP/2 field compression",
            beyond: "fields of that direction stay unknown", .fieldTableLimit, isShared: true),
    ]

    private static let bodies = [
        Limit(
            "decoded-body", .bytes(\.audit.decodedBodyLimit), "decoded size of a body",
            beyond: "it stays unknown", .decodeLimit),
        Limit(
            "decoded-total", .bytes(\.audit.totalDecodedLimit),
            "decoded sizes of all bodies, beside 100 bytes for each coded one",
            beyond: "further ones stay unknown", .decodeLimit, isShared: true),
        Limit(
            "decoder-memory", .bytes(\.audit.decoderMemoryLimit), "what the decoders of exchanges and live hold",
            beyond: "that body's decoded size stays unknown", .decodeLimit, isShared: true),
        Limit(
            "body-memory", .bytes(\.accuracy.content.held), "bodies in coming that estimators wait for",
            beyond: "that body is not looked at; estimators that need it have no figure", .decodeLimit),
    ]

    private static let secrets = [
        Limit(
            "tls-records-total", .bytes(\.audit.totalRecordBytesLimit), "TLS records that have not come whole",
            beyond: "the record is counted, not opened", .recordLimit, isShared: true),
        Limit(
            "early-data-total", .bytes(\.audit.totalEarlyDataLimit),
            "early data of TLS that waits for the server's word, and the records",
            beyond: "it is counted, not read", .recordLimit, isShared: true),
        Limit(
            "key-wait", .time(\.audit.keyPatience), "how long packets wait for a key that is still to be written",
            beyond: "they are counted, not read", .keyMissing),
        Limit(
            "key-lines", .count(\.audit.keyLineLimit), "lines with a secret of all key logs",
            beyond: "further ones are passed over; of a log that grows the older half goes", .keyLogLimit),
        Limit(
            "key-bytes", .bytes(\.audit.keyBytesLimit), "secrets of all key logs",
            beyond: "as with key-lines", .keyLogLimit),
    ]

    private static let packets = [
        Limit(
            "fragments", .count(\.audit.fragmentLimit), "datagrams that wait for fragments",
            beyond: "the oldest stays in other_ip", .fragmentLimit),
        Limit(
            "fragment-bytes", .bytes(\.audit.fragmentBytesLimit), "bytes held for them",
            beyond: "the oldest stays in other_ip", .fragmentLimit),
        Limit(
            "fragment-time", .time(\.audit.fragmentPatience), "how long a datagram waits for its last fragment",
            beyond: "it stays in other_ip", .fragmentsIncomplete),
        Limit(
            "names", .count(\.audit.nameLimit), "addresses with a name",
            beyond: "all are forgotten: hosts may stand there by address", .nameLimit),
        Limit(
            "lookups", .count(\.audit.lookupLimit), "DNS look-ups and the connections that they were for",
            beyond: "all are forgotten: their bytes stay in dns", .lookupLimit),
        Limit(
            "quic-flows", .count(\.audit.quicFlowLimit), "address pairs that carry QUIC",
            beyond: "all are forgotten: packets without a long header count as udp", .quicFlowLimit),
        Limit(
            "open-files", .count(\.audit.openFileLimit), "input files open at one time",
            beyond: "the one opened longest ago is closed until its turn comes", told: "nothing; nothing is lost"),
    ]

    private static let reports = [
        Limit(
            "sorted-records", .count(\.accuracy.sortedRecords), "records that wait to be sorted",
            beyond: "one that ends later than so many others comes late", told: "nothing but its time"),
        Limit(
            "log-rows", .count(\.logRows), "rows of an SDK log",
            beyond: "further ones are passed over", told: "a warning with their number"),
        Limit(
            "kept-heads", .count(\.accuracy.headLimit), "exchanges whose heads are kept for logs",
            beyond: "errors of further ones are not told by cause", told: "a problem of the log with their number"),
        Limit(
            "live-bytes", .bytes(\.liveBytes), "packets held while several interfaces wait for one another",
            beyond: "they go on without waiting, maybe out of order", .timeWentBack),
    ]
}
