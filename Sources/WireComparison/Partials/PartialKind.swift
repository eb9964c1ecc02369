import WireCore

/// How a column of several parts becomes one value.
enum PartialMerging: Sendable {
    /// The sum; unknown where a part does not know its own.
    case sum
    /// The least or greatest value that any part has.
    case least, greatest
}

/// What a row of sums is about. Raw values stand in partial results.
public enum PartialKind: String, CaseIterable, Sendable {
    /// The capture as a whole, with the ledger.
    case capture
    case linkType = "link_type"
    case finding
    case api
    case host
    /// UDP of an endpoint.
    case udp
    /// What packets name an app of.
    case app
    /// Exchanges that count, of an API.
    case calls
    case leftOut = "left_out"
    case source
    case formula
    case log
    case problem
    case unreadHost = "unread_host"
    case port
    case hostLog = "host_log"
    case failed
    case part
    case encryption
    case screen
    case work
    /// Sessions of a fleet that could not be audited: they have no sums.
    case failedSessions = "failed_sessions"

    package var order: Int { PartialKind.places[self] ?? 0 }

    private static let places = Dictionary(
        uniqueKeysWithValues: PartialKind.allCases.enumerated().map { ($0.element, $0.offset) })

    /// Names of the columns and how they merge, in the order of the values.
    var columns: [(name: String, merging: PartialMerging)] { PartialKind.table[order] }

    /// Names of the columns, in the order of a row's values.
    public var columnNames: [String] { columns.map(\.name) }

    /// Place of a column; nil where there is none of that name.
    package func place(_ column: String) -> Int? { PartialKind.columnPlaces[order][column] }

    private static let table = allCases.map(columns)

    private static let columnPlaces = table.map { columns in
        Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($0.element.name, $0.offset) })
    }

    private static func sums(_ names: [String]) -> [(name: String, merging: PartialMerging)] {
        names.map { ($0, .sum) }
    }

    private static func span(_ names: [String]) -> [(name: String, merging: PartialMerging)] {
        [("first", .least), ("last", .greatest)] + sums(names)
    }

    private static func columns(_ kind: PartialKind) -> [(name: String, merging: PartialMerging)] {
        switch kind {
        case .capture:
            return span(
                [
                    "files", "packets", "bytes", "captured_bytes", "dropped", "snapped", "filtered", "damaged",
                    "missing", "key_logs", "key_secrets", "key_malformed", "connections", "quic_connections",
                    "late_connections", "exchanges", "compared", "read_exchanges", "unfinished_exchanges",
                ]
                    + layers.map { "layer." + $0 } + costs("cause") + others.map { "other." + $0 } + costs("owned")
                    + ["unread_frames"])
        case .linkType: return sums(["files"])
        case .finding: return sums(["count", "sessions"])
        case .api: return [("encrypted", .greatest)] + sums(["exchanges"] + costs("cost"))
        case .host:
            return sums(
                ["connections", "exchanges", "without_exchange"] + protocols + costs("cost") + costs("unassigned")
                    + setup)
        case .udp: return sums(datagramProtocols + sides(["packets", "bytes", "payload", "link"]))
        case .app: return sums(["connections", "exchanges"] + costs("cost"))
        case .calls: return sums(["count"])
        case .leftOut: return sums(["count"])
        case .source:
            return [("is_log", .greatest), ("is_exact_on_http1", .greatest)]
                + sums(["sessions", "unknown", "unstated", "added_bytes"])
        case .formula:
            return sums([
                "sessions", "fitting_exact", "fitting_compared", "confirming_exact", "confirming_compared",
                "guessed_reasons",
            ])
        case .log: return [("incomplete", .greatest)] + sums(logSums)
        case .problem: return sums(["count"])
        case .unreadHost: return span(["connections"] + sides(["wire", "setup", "application"]))
        case .port: return sums(["sessions"])
        case .hostLog: return span(["rows", "rows_outside"] + sides(["rows", "bytes"]))
        case .failedSessions: return sums(["count"])
        case .failed: return sums(["connections", "alerts", "wire_up", "wire_down"])
        case .part: return [("max", .greatest)] + sums(["calls", "exact_calls", "truth", "estimate"])
        case .encryption: return sums(["calls", "estimate", "before", "after"])
        case .screen: return sums(sides(["rows", "length", "unread_rows", "messages", "message_bytes"]))
        case .work:
            return sums([
                "decoded_bodies", "coded_bytes", "decoded_bytes", "recompressed_bodies", "recompressed_bytes",
                "remembered", "undecodable",
            ])
        }
    }

    package static let layers = ["pseudo", "link", "tunnel", "network", "transport", "payload", "non_ip", "duplicate"]
    package static let others = ["dns", "quic", "wireguard", "udp", "icmp", "other_ip"]
    package static let protocols = (0..<8).map { "protocol.\($0)" }
    static let datagramProtocols = (0..<DatagramProtocols.count).map { "protocol.\($0)" }
    package static let setup = [
        "tls_connections", "full_handshakes", "resumed_handshakes", "unread_connections", "partly_read_connections",
        "failed_handshakes", "silent_connections", "setup_exchanges", "certificate_bytes", "setup_bytes",
        "teardown_bytes", "reuse_saving", "cut_connections", "unnamed_calls", "public_names",
    ]
    static let logSums = [
        "sessions", "rows", "matched", "ambiguous", "ambiguous_up_low", "ambiguous_up_high", "ambiguous_down_low",
        "ambiguous_down_high", "duplicates", "without_exchange", "foreign_host", "host_total", "partly_read",
        "outside_capture", "tls_failed", "not_selected", "rejected", "doubted", "exchanges_unseen", "exchanges_total",
        "unseen_message_bytes", "unseen_wire_bytes", "explained_figures", "compared_figures", "exchanges_not_joined",
        "exchanges_invisible", "exchanges_foreign_host", "foreign_host_wire_bytes", "merged_hops",
    ]

    package static func sides(_ names: [String]) -> [String] {
        ["up.", "down."].flatMap { side in names.map { side + $0 } }
    }

    /// Bytes by cause in both directions, and what stands beside the causes.
    package static func costs(_ name: String) -> [String] {
        sides(Cause.allCases.map(\.name) + ["link", "offload_hidden", "handshake_headers", "closing_records"])
            .map { "\(name).\($0)" }
    }
}
