/// How much a finding matters.
public enum FindingSeverity: String, Sendable, CaseIterable {
    /// Worth knowing; every number stays exact.
    case info
    /// The capture lacks something, so some content is unknown; every count is still exact.
    case dataLoss = "data-loss"
    /// The input contradicts itself.
    case error
}

/// Everything odd that an audit can meet, in one table. A finding explains totals; it never changes them.
public enum FindingCode: Int, CaseIterable, Sendable {
    case captureCut
    case captureDamaged
    case timeWentBack
    case capturedMoreThanOriginal
    case lengthBeyondFrame
    case lengthFromFrame
    case fragmentsIncomplete
    case fragmentLimit
    case connectionLimit
    case heldBytesLimit
    case streamGap
    case refusedSegment
    case headerSectionLimit
    case messageMalformed
    case decodeFailed
    case decodeLimit
    case apiLimit
    case pendingLimit
    case exchangeLimit
    case keyMissing
    case keyWrong
    case cipherUnsupported
    case capturedInPart
    case recordMalformed
    case recordLimit
    case handshakeMalformed
    case frameMalformed
    case streamMessageMalformed
    case fieldBlockMalformed
    case fieldsUnknown
    case fieldTableLimit
    case streamLimit
    case http3FrameMalformed
    case http3MessageMalformed
    case qpackMalformed
    case qpackFieldsUnknown
    case qpackLimit
    case http3StreamLimit
    case keyLogMalformed
    case keyLogLimit
    case inconsistentRetransmission
    case hopLimitJump
    case checksumWrong
    case resetRefused
    case synchronizeInside
    case endContradiction
    case urgentData
    case fragmentContradiction
    case headerDepth
    case framingAmbiguous
    case hostLimit
    case hostClientLimit
    case reuseLimit
    case nameLimit
    case lookupLimit
    case processLimit
    case appsDiffer
    case senderDiffers
    case quicFlowLimit
    case datagramLimit
    case quicFrameMalformed
    case quicFrameUnknown
    case quicRetryWrong
    case quicIDLimit
    case quicUnconfirmed
    case quicSearchLimit
    case blockLimit
    case tunnelFragment
    case sampledFrames
    case clockSkew
    case compressionRatio
    case proxyHeader
    case secrecyBeganBefore
    case captureFollows
    case fractionWrong
    case multipath
    case repeatUnproved
    case translated
    case countedElsewhere
    case translationUnproved
    case multipathApart
    case shoutcast

    /// Stable identifier in the outputs.
    public var code: String { Self.table[rawValue].0 }
    public var severity: FindingSeverity { Self.table[rawValue].1 }
    /// One sentence for a person.
    public var sentence: String { Self.table[rawValue].2 }

    private static let table: [(String, FindingSeverity, String)] = [
        ("capture-cut", .dataLoss, "The file ends inside a packet; all packets before it were audited."),
        ("capture-damaged", .error, "A record is damaged; the audit of this file ends before it."),
        ("time-went-back", .info, "Timestamps go backwards; packets keep the order of the file."),
        ("captured-more-than-original", .error, "A record has more captured bytes than its original length."),
        ("length-beyond-frame", .error, "An IP length exceeds the frame; it was cut to the frame."),
        ("length-from-frame", .info, "IP total length is 0 (offload); the length of the frame was used."),
        ("fragments-incomplete", .dataLoss, "Fragments of incomplete IP datagrams; counted as other_ip."),
        ("fragment-limit", .dataLoss, "Too many incomplete IP datagrams; the oldest were discarded."),
        ("connection-limit", .dataLoss, "Too many open connections; the longest idle ones were ended early."),
        ("held-bytes-limit", .dataLoss, "Too many bytes waited for a missing segment; it was treated as lost."),
        ("stream-gap", .dataLoss, "Bytes are missing from the capture; later packets show that they were sent."),
        ("refused-segment", .info, "Segments far outside any window, or payload of resets; not part of any stream."),
        ("header-section-limit", .error, "A header section exceeds a limit; its message was not read further."),
        ("message-malformed", .error, "Bytes on an HTTP connection are not an HTTP message; counted as opaque."),
        ("decode-failed", .info, "A body does not match its content coding; its decoded size is unknown."),
        ("decode-limit", .info, "A body exceeds a limit for decoding; its decoded size is unknown."),
        ("api-limit", .info, "Too many APIs; further ones share one row."),
        ("pending-limit", .info, "Too many costs waited for their exchange; they stay with the connection."),
        ("exchange-limit", .info, "Too many exchanges waited for an answer; the oldest were ended early."),
        ("tls-key-missing", .dataLoss, "The key log has no key for a TLS connection; it is not decrypted."),
        ("tls-key-wrong", .error, "A key does not decrypt the records of its TLS connection."),
        ("tls-unsupported", .dataLoss, "wireaudit cannot decrypt the TLS of a connection."),
        ("tls-in-part", .dataLoss, "Parts of a TLS connection were not captured; some records are not decrypted."),
        ("tls-record-malformed", .error, "Bytes on a TLS connection are not a TLS record; counted as opaque."),
        ("tls-record-limit", .dataLoss, "Too many bytes of incomplete TLS records; some were not decrypted."),
        ("tls-handshake-malformed", .error, "A TLS handshake message is malformed; it was not decoded."),
        ("http2-frame-malformed", .error, "An HTTP/2 frame violates RFC 9113; it is counted by its length."),
        (
            "http2-message-malformed", .error,
            "An HTTP/2 message violates RFC 9113; it is read, and its exchange has the flag malformed."
        ),
        ("hpack-malformed", .error, "A field block cannot be decompressed; its fields are unknown."),
        (
            "hpack-fields-unknown", .dataLoss,
            "Earlier HTTP/2 field blocks were not captured; some fields are unknown."
        ),
        ("hpack-limit", .dataLoss, "The HPACK dynamic tables exceed a limit; some fields are unknown."),
        ("http2-stream-limit", .info, "Too many streams on an HTTP/2 connection; further ones have no exchange."),
        ("http3-frame-malformed", .error, "An HTTP/3 frame or stream violates RFC 9114; its bytes are counted."),
        (
            "http3-message-malformed", .error,
            "An HTTP/3 message violates RFC 9114; it is read, and its exchange has the flag malformed."
        ),
        ("qpack-malformed", .error, "QPACK data cannot be decompressed; fields that depend on it are unknown."),
        (
            "qpack-fields-unknown", .dataLoss,
            "QPACK data that HTTP/3 fields refer to was not captured; some fields are unknown."
        ),
        ("qpack-limit", .dataLoss, "The QPACK state of connections exceeds a limit; some fields are unknown."),
        ("http3-stream-limit", .info, "Too many streams on an HTTP/3 connection; further ones have no exchange."),
        ("key-log-malformed", .info, "Lines of a key log cannot be read; they were skipped."),
        ("key-log-limit", .info, "The key log has more lines than the limit; the others were skipped."),
        ("inconsistent-retransmission", .error, "A retransmission has different content; the first content counts."),
        ("hop-limit-jump", .info, "The TTL or hop limit changed a lot; another host may have sent these packets."),
        ("checksum-wrong", .info, "Wrong TCP checksum; the content is used once it is acknowledged or retransmitted."),
        ("reset-refused", .info, "Resets outside the window; they do not close the connection."),
        ("syn-in-connection", .info, "A SYN with a new sequence number in a connection; a new connection begins."),
        ("end-contradiction", .error, "A direction has two different FINs, or bytes after its FIN."),
        ("urgent-data", .info, "Urgent data; it is read as part of the stream."),
        ("fragment-contradiction", .error, "Fragments contradict one another; in IPv4 the first bytes count."),
        ("header-depth", .info, "Too many nested headers; the payload of the last was not read."),
        ("framing-ambiguous", .error, "Implementations disagree on the end or host of a message; see RFC 9112 §6.3."),
        ("host-limit", .info, "Too many hosts; further ones share one row."),
        ("host-client-limit", .info, "Too many clients; the saving by connection reuse is underestimated."),
        (
            "reuse-limit", .info,
            "Too many connections at one time, or pauses in one; the saving by connection reuse is underestimated."
        ),
        ("name-limit", .info, "Too many addresses with names; the names known so far were dropped."),
        ("lookup-limit", .info, "Too many DNS lookups; those known so far were dropped: they stay in dns, unlinked."),
        ("process-limit", .info, "Too many processes; packets of further ones count as of no app."),
        (
            "apps-differ", .info,
            "Packets of one connection name different apps; all of it counts to the one that most of them name."
        ),
        (
            "sender-differs", .info,
            "The sender's flags call packets retransmissions or keep-alives, and the bytes say otherwise, or the reverse."
        ),
        ("quic-flow-limit", .info, "Too many QUIC flows; those known so far were dropped and may count as udp."),
        ("udp-limit", .info, "Too many UDP endpoints or flows; further endpoints share one row."),
        ("quic-frame-malformed", .error, "A QUIC frame violates RFC 9000; the rest of its packet is not read."),
        ("quic-frame-unknown", .dataLoss, "A QUIC frame of an unknown type; the rest of its packet is not read."),
        ("quic-retry-wrong", .error, "A QUIC Retry has a wrong integrity tag; it is not believed."),
        ("quic-id-limit", .info, "Too many connection IDs of a QUIC connection; the oldest are forgotten."),
        ("quic-unconfirmed", .info, "QUIC Initials without an answer: the server name in them is only a claim."),
        ("quic-search-limit", .info, "Too much UDP or too many keys; late QUIC connections may count as udp."),
        ("block-limit", .dataLoss, "Names or keys in the file exceed a limit; some were skipped."),
        ("tunnel-fragment", .dataLoss, "Fragments of frames in a CAPWAP tunnel; they are not joined and count as UDP."),
        ("sampled-frames", .info, "sFlow samples: beginnings of frames seen elsewhere; they count as UDP only."),
        ("clock-skew", .info, "A connection's directions have different clocks; times across them are intervals."),
        ("compression-ratio", .info, "A file is over 1,000 times larger than its compressed form; all of it was read."),
        (
            "proxy-header", .info,
            "Connections begin with a PROXY header: the packets show the proxy's address, not its client's."
        ),
        (
            "tls-began-before", .dataLoss,
            "A TLS connection began before the capture, and some records are not decrypted; start the capture first."
        ),
        ("capture-follows", .info, "Another capture follows in the same file; both were read."),
        (
            "fraction-wrong", .error,
            "A time's fraction is a second or more: the file may hold nanoseconds as microseconds; its times are wrong."
        ),
        (
            "multipath-tcp", .dataLoss,
            "Of a connection over several paths (MPTCP) data are missing, or their place is unknown; its calls are flagged."
        ),
        (
            "repeats-unproved", .info,
            "Packets equal earlier ones; nothing proves them copies of the capture, so they count as sent."
        ),
        (
            "address-translation", .info,
            "Connections, or UDP flows, captured at both sides of an address translation; they count at one of them."
        ),
        (
            "counted-elsewhere", .info,
            "Connections count at another interface than --at says: they had gone on there before both sides showed the handshake."
        ),
        (
            "translation-unproved", .info,
            "Connections, or UDP flows, may be earlier ones behind an address translation; nothing proves it, so both count."
        ),
        (
            "multipath-apart", .dataLoss,
            "Paths of MPTCP whose handshake, or that of their connection, was not captured are not joined; what they carry is in no call, or in flagged ones."
        ),
        (
            "shoutcast", .info,
            "Answers begin with ICY instead of HTTP/1.0, as those of SHOUTcast servers do; they are read as HTTP/1.0."
        ),
    ]
}

/// How often a finding was met, and where first.
public struct FindingCount: Sendable {
    public var code: FindingCode
    public var count: Int
    /// File in which it was met first.
    public var file: String
    /// Packet at which it was met first, numbered from 1 in its file; 0 where none is meant.
    public var packet: Int

    public init(code: FindingCode, count: Int, file: String, packet: Int) {
        self.code = code
        self.count = count
        self.file = file
        self.packet = packet
    }
}

/// Where a finding is met.
struct FindingPlace: Comparable, Sendable {
    /// Index of the file.
    var file = 0
    /// Number of the packet in it, from 1.
    var packet = 0

    @inline(__always)
    static func < (one: Self, other: Self) -> Bool {
        one.file != other.file ? one.file < other.file : one.packet < other.packet
    }
}

/// Collects findings. Its size is fixed by the table of codes.
struct FindingSink: Sendable {
    private struct Tally: Sendable {
        var count = 0
        var first = FindingPlace()
    }

    private var tallies = [Tally](repeating: Tally(), count: FindingCode.allCases.count)
    /// Where the audit is, or was with what it looks at now.
    var place = FindingPlace()
    /// Place in the order in which the audit takes what comes.
    var ordinal = 0

    mutating func add(_ code: FindingCode, count: Int = 1) {
        add(Tally(count: count, first: place), at: code.rawValue)
    }

    /// Adds a finding of something that began there, and is found only now.
    mutating func add(_ code: FindingCode, at place: FindingPlace) {
        add(Tally(count: 1, first: place), at: code.rawValue)
    }

    /// Adds what another sink has met.
    mutating func add(_ other: FindingSink) {
        for (index, tally) in other.tallies.enumerated() where tally.count > 0 {
            add(tally, at: index)
        }
    }

    /// What waited for something is found late, but was met where it waited: the order of the calls says nothing.
    private mutating func add(_ tally: Tally, at index: Int) {
        let count = tallies[index].count
        if count == 0 || tally.first < tallies[index].first { tallies[index] = tally }
        tallies[index].count = count + tally.count
    }

    /// All findings met, in the order of the table.
    func summary(paths: [String]) -> [FindingCount] {
        FindingCode.allCases.compactMap { code in
            let tally = tallies[code.rawValue]
            guard tally.count > 0 else { return nil }
            let file = tally.first.file < paths.count ? paths[tally.first.file] : ""
            return FindingCount(code: code, count: tally.count, file: file, packet: tally.first.packet)
        }
    }
}
