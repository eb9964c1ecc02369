/// How much a finding matters.
public enum FindingSeverity: String, Sendable {
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
    case fieldBlockMalformed
    case fieldsUnknown
    case fieldTableLimit
    case streamLimit
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
    case nameLimit
    case lookupLimit
    case quicFlowLimit
    case blockLimit

    /// Stable identifier in the outputs.
    public var code: String { Self.table[rawValue].0 }
    public var severity: FindingSeverity { Self.table[rawValue].1 }
    /// One sentence for a person.
    public var sentence: String { Self.table[rawValue].2 }

    private static let table: [(String, FindingSeverity, String)] = [
        ("capture-cut", .dataLoss, "The file ends inside a packet; everything before it was audited."),
        ("capture-damaged", .error, "A record cannot be right; reading of this file ended before it."),
        ("time-went-back", .info, "Timestamps go back; packets were taken as they came."),
        ("captured-more-than-original", .error, "A record holds more bytes than its original length says."),
        ("length-beyond-frame", .error, "IP lengths reach beyond the frame; they were cut to it."),
        ("length-from-frame", .info, "IP total length is 0 (offload); payload was taken from the frame's length."),
        ("fragments-incomplete", .dataLoss, "Fragments that never became a datagram; booked to other_ip."),
        ("fragment-limit", .dataLoss, "Too many open fragments; the oldest datagrams were given up."),
        ("connection-limit", .dataLoss, "Too many open connections; the longest idle ones were closed early."),
        ("held-bytes-limit", .dataLoss, "Too many bytes waited for a missing segment; it was given up as a hole."),
        ("stream-gap", .dataLoss, "Bytes that later packets prove were sent are in no captured packet."),
        ("refused-segment", .info, "Segments far outside any window, and payload of resets; no stream holds them."),
        ("header-section-limit", .error, "Header sections beyond a limit, their own or that of all, were not read on."),
        ("message-malformed", .error, "Bytes on an HTTP connection that are no HTTP message; booked as opaque."),
        ("decode-failed", .info, "A body does not decode by its content coding; its decoded size is unknown."),
        (
            "decode-limit", .info,
            "A body reached a limit of decoding, or of the memory for it; its decoded size is unknown."
        ),
        ("api-limit", .info, "Too many different APIs; the others share one row."),
        ("pending-limit", .info, "Too many charges waited for their owner; the connection paid them."),
        ("exchange-limit", .info, "Too many exchanges wait for their answers; the oldest were closed early."),
        ("tls-key-missing", .dataLoss, "A TLS connection is not in the key log; only its records are counted."),
        ("tls-key-wrong", .error, "A key does not open a TLS connection's records; they are counted only."),
        ("tls-unsupported", .dataLoss, "A TLS connection cannot be decrypted; only its records are counted."),
        ("tls-in-part", .dataLoss, "A TLS connection was not captured whole; some of it could not be opened."),
        ("tls-record-malformed", .error, "Bytes on a TLS connection that are no record; booked as opaque."),
        ("tls-record-limit", .dataLoss, "Too many bytes of unfinished TLS records; some were not opened."),
        ("tls-handshake-malformed", .error, "A TLS handshake message contradicts itself; it is only counted."),
        ("http2-frame-malformed", .error, "An HTTP/2 frame breaks RFC 9113; it is counted by its length."),
        ("hpack-malformed", .error, "A field block cannot be decompressed; its fields are unknown."),
        ("hpack-fields-unknown", .dataLoss, "An HTTP/2 connection was joined late; some fields are unknown."),
        ("hpack-limit", .dataLoss, "Too much memory for field compression; some fields stay unknown."),
        ("http2-stream-limit", .info, "Too many streams on one HTTP/2 connection; some are not told apart."),
        ("key-log-malformed", .info, "Lines of a key log cannot be read; they were passed over."),
        ("key-log-limit", .info, "The key log holds more lines than are kept; the rest was passed over."),
        ("inconsistent-retransmission", .error, "Bytes were sent again with other content; the first ones count."),
        ("hop-limit-jump", .info, "Hop limits far from those before; another host may have sent these packets."),
        ("checksum-wrong", .info, "Wrong TCP checksums; content is read when acknowledged, or from a better copy."),
        ("reset-refused", .info, "Resets outside of any window; they close no connection."),
        ("syn-in-connection", .info, "A SYN with another number on an open connection; a new one begins there."),
        ("end-contradiction", .error, "A direction has a FIN at two places, or bytes behind its FIN."),
        ("urgent-data", .info, "Urgent data; it is read as part of its stream."),
        ("fragment-contradiction", .error, "Fragments overlap, end twice or reach too far; first bytes count in IPv4."),
        ("header-depth", .info, "Too many headers inside one another; what the last holds was not looked at."),
        ("framing-ambiguous", .error, "Programs differ on the end or host of such a message; RFC 9112 decides here."),
        ("host-limit", .info, "Too many different hosts; the others share one row."),
        ("host-client-limit", .info, "Too many clients of hosts; what reuse of connections saves is told too low."),
        ("name-limit", .info, "Too many addresses with names; those known so far were forgotten."),
        ("lookup-limit", .info, "Too many DNS look-ups; those known so far were forgotten, no connection pays them."),
        ("quic-flow-limit", .info, "Too many QUIC flows; those known so far were forgotten and may count as udp."),
        ("block-limit", .dataLoss, "Names or keys in the file beyond a limit were passed over; they are not known."),
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
