import WireComparison
import WireCore
import WireRecords

struct AuditHost {
    var host: HostSummary
    var options = ReportOptions()
    /// Of a report that was read: some of its TLS or QUIC was not read, and it is no row of connections.
    var hasUnread = false
    var isUDP = false
}

let auditHostFields: [Field<AuditHost>] =
    [
        .text(
            "host",
            "Host name or address; with the port where it is not the usual one. For UDP outside QUIC connections: the protocol that its bytes prove (else udp), name or address of the server, port, as in dtls://host:443."
        ) { $0.host.host }.reading(\.host.host),
        .wireText(
            "host_unicode", "The characters that host encodes (IDNA), as tables show it. Null where it encodes none."
        ) { unicodeHost(Array($0.host.host.utf8)) }.orNull,
        .texts(
            "protocols",
            "What its connections carried: HTTP/1, HTTP/2, HTTP/3, TLS and QUIC (not read). Empty if it is something else. Of UDP: what its bytes prove, else UDP."
        ) { $0.host.protocolNames }.reading { (row, reader) throws(OwnFileReader.Problem) in
            row.hasUnread = try reader.strings().contains(where: ProtocolSet.unread.names.contains)
        },
        .object("datagrams", "UDP outside QUIC connections; null in rows of connections.", datagramFields) {
            $0.host.datagrams
        }.orNull.reading { (row, reader) throws(OwnFileReader.Problem) in
            try reader.optionalObject { (reader, _) throws(OwnFileReader.Problem) in
                row.isUDP = true
                try reader.skip()
            }
        },
        .count("connections", "Connections.") { $0.host.connections }.reading(\.host.connections),
        .count("exchanges", "Exchanges.") { $0.host.exchanges }.reading(\.host.exchanges),
        .count("connections_without_exchange", "Connections in which no exchange was read.") {
            $0.host.connectionsWithoutExchange
        },
    ] + Field<AuditHost>.costs({ $0.options }, at: \.host.costs) + [
        .bytes("wire", "Sum of wire of both directions.") { $0.options.wire($0.host.costs) },
        .object(
            "unassigned", "Bytes of the host that no exchange caused.",
            Field<AuditHost>.costs({ $0.options }, at: \.host.unassigned)
        ) { $0 },
        .object("setup", "How connections to the host were opened.", setupFields) { $0.host.setup },
    ]

/// Packets of UDP.
private let datagramFields: [Field<DatagramSummary>] = [
    .count("up", "Packets to the server.") { $0.counts.up.packets },
    .count("down", "Packets from it.") { $0.counts.down.packets },
]

/// Bytes of the IP layer. `reuse_saving` says itself that it supposes something.
private let setupFields: [Field<SetupSummary>] = [
    .count("tls_connections", "Connections that began with TLS.") { $0.tlsConnections },
    .count("unread_connections", "TLS connections with application data of which none could be read.") {
        $0.unreadConnections
    },
    .count("cut_connections", "Those of the unread ones whose records tell calls apart: HTTP/1.1.") {
        $0.cutConnections
    },
    .count(
        "unnamed_calls",
        "About how many calls these records tell. Pipelined requests count as one; interim and early answers may add one."
    ) { $0.unnamedCalls },
    .count(
        "public_names",
        "Those of the unread ones whose clients offered Encrypted Client Hello: the host is the name that they show, which may be a public one in place of another."
    ) { $0.publicNames },
    .count("partly_read_connections", "TLS connections with application data of which some could be read.") {
        $0.partlyReadConnections
    },
    .count("silent_connections", "TLS connections without application data whose handshake did not fail.") {
        $0.silentConnections
    },
    .count(
        "failed_handshakes",
        "TLS connections whose handshake failed; not among the unread ones. If both hellos were read, it counts as full or resumed, too."
    ) { $0.failedHandshakes },
    .count("full_handshakes", "TLS handshakes of which both hellos were read and that resumed nothing.") {
        $0.fullHandshakes
    },
    .count("resumed_handshakes", "TLS handshakes that resumed a session.") { $0.resumedHandshakes },
    .bytes("certificate_bytes", "Certificates.") { $0.certificateBytes },
    .bytes("bytes", "Bytes of setup: DNS, TCP, TLS, QUIC, HTTP.") { $0.setupBytes },
    .count("exchanges", "Exchanges that these connections carried, to whatever host.") { $0.exchanges },
    .number("bytes_per_exchange", "bytes / exchanges.") {
        $0.exchanges > 0 ? Double($0.setupBytes) / Double($0.exchanges) : nil
    }.orNull, .bytes("teardown", "Closing of the connections.") { $0.teardownBytes },
    .object("reuse_saving", "What connections that are kept open would have saved.", savingFields) { $0 },
]

private let savingFields: [Field<SetupSummary>] = [
    .bytes("bytes", "Setup and teardown of connections that an idle one could have stood in for.") { $0.reuseSaving },
    .constant("computed_from", "ledger", "Source of the figure."),
    .text("supposing", "The assumption.") { _ in SetupSummary.supposition },
]
