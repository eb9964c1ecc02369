import WireOpportunities
import WireRecords

/// Outputs about captures: the audit, its records, and two captures compared.
enum CaptureSchemas {
    static let audit = OutputSchema(
        "audit", version: 1, about: "The audit of a capture: all bytes by layer and cause, and what each API cost.",
        command: "wireaudit --format json",
        fields: captureHead() + [
            .object("ledger", "Every byte of the capture, once.", ledgerFields),
            .list("apis", of: .object(apiFields), "By wire bytes, largest first."),
            .list("hosts", of: .object(hostFields), "By wire bytes, largest first."),
            .list(
                "apps", of: .object(appFields),
                "By wire bytes, largest first, with all that is of none behind them; empty where the capture names no app. Without --app their wire adds up to the whole."
            ),
            .list(
                "content_types", of: .object(contentTypeFields),
                "Bodies of all exchanges by media type, largest first; empty with --host or --api."),
            .list(
                "counted_at", of: .object(countedPointFields),
                "Where connections, and UDP flows, count that were captured at several sides of an address translation, most first."
            ),
            .map(
                "estimators", keys: "the id of an estimator",
                of: .object([.text("title", "Display name."), .text("parameters", "Its parameters.")]),
                "Estimators of the APIs; null without --estimators."
            ).orNull,
            .object(
                "opportunities", "Bytes that need not have been spent; null without --opportunities.", opportunityFields
            ).orNull,
            .list(
                "header_fields", of: .object(headerRowFields),
                "What header fields cost, by API, those with most bytes as sent first; null without --headers."
            ).orNull,
            .list("warnings", of: .object(warningFields), "Findings, the most severe first."),
        ])
}

private let countedPointFields: [SchemaField] = [
    .text("file", "Its capture file."),
    .count("interface", "Its number, as packets or the file have it.", of: "number").orNull,
    .text("name", "Its name, as the file has it.").orNull,
    .count("connections", "Connections, and UDP flows, that count there."),
]

private let headerSideFields: [SchemaField] = [
    .count("messages", "Messages whose heads were read."),
    .bytes("sent", "Their heads as sent, with interim responses and in HTTP/2 and HTTP/3 trailers; compressed there."),
    .bytes(
        "other_sent",
        "Part of sent that is of no field: start lines, empty lines and interim responses of HTTP/1, prefixes of HTTP/3, what could not be read."
    ),
    .bytes("text", "Their heads as text: in HTTP/2 and HTTP/3 as HTTP/1 would spell them."),
    .bytes("other", "Part of text: start lines, empty lines, and what is no field."),
]

private let headerRowFields: [SchemaField] = [
    .text("api", "The API."), .text("host", "Its host."), .object("up", "Requests.", headerSideFields),
    .object("down", "Responses.", headerSideFields),
    .list(
        "fields",
        of: .object([
            .text("name", "Name of the field, in lower case; :authority of HTTP/2 and HTTP/3 is host."),
            .count("requests", "Lines in requests."),
            .bytes("up_sent", "What they took of the heads as sent."),
            .bytes("up", "Bytes of these lines as text; 0 for pseudo-header fields, which are start lines there."),
            .count("responses", "Lines in responses."), .bytes("down_sent", "What they took of the heads as sent."),
            .bytes("down", "Bytes of these lines as text."),
            .list("advice", of: .object(headerAdviceFields), "What would make it smaller, the largest saving first."),
        ]), "By bytes as sent, largest first."),
]

private let headerAdviceFields: [SchemaField] = [
    .word(
        "kind", HeaderAdvice.Kind.allCases.map(\.rawValue),
        "index: the dynamic table could have held it; plain-text: Huffman coding made it longer; spelling: another spelling is in the static table."
    ),
    .word("sender", ["client", "server"], "Who would have to change it."),
    .count("lines", "Lines that it is about."), .bytes("saving", "Bytes that they would have taken fewer."),
    .text("better", "The spelling that is in the static table; null for other kinds.").orNull,
]

private let opportunityFields: [SchemaField] = [
    .bytes("computed_total", "What all computed ones save if applied together."),
    .bytes("wire", "All IP bytes of the capture: what shares are of."),
    .count("unread_calls", "Calls whose messages are incomplete: they were not looked at."),
    .list(
        "items", of: .object(opportunityItemFields),
        "By bytes, largest first. Reports for people describe the first seven."),
]

private let opportunityItemFields: [SchemaField] = [
    .word("kind", Opportunity.Kind.allCases.map(\.rawValue), "What would have to change."),
    .text("title", "The same as a heading."), .text("explanation", "What was seen, and what the figure assumes."),
    .boolean("computed", "From captured bytes. False: an estimate, which is in no sum."),
    .bytes("bytes", "IP bytes that would have been saved, both directions, without packets that only acknowledge."),
    .count("count", "Calls, or connections where the kind is about connections."),
    .list(
        "subjects",
        of: .object([
            .text("name", "API or host."), .bytes("bytes", "Its part of bytes."), .count("count", "Its part of count."),
        ]), "By bytes, largest first, five at most."),
    .count("further_subjects", "Subjects that are not listed."),
    .list("parts", of: .object(opportunityPartFields), "Calls or connections, by bytes, largest first, 1,000 at most."),
    .count("further_parts", "Part of count that is not in parts."),
    .difference("further_bytes", "Part of bytes that is not in parts."),
]

private let opportunityPartFields: [SchemaField] = [
    .count("connection", "Its connection, as in wireaudit.exchange and .connection.", of: "index"),
    .count("exchange", "Its number in the connection; null: set-up and closing of the connection.", of: "index").orNull,
    .moment("time", "First byte of the exchange or the connection."),
    .text("host", "Host of the request; of a connection its name.").orNull,
    .text("path", "Path of the target, without query.").orNull,
    .text("query", "Query of the target, without the question mark.").orNull,
    .bytes("bytes", "Its part of bytes."),
]

private let directions = bothDirections(
    costFields() + [.bytes("offload_hidden", "Headers that segmentation offload hid.")])

private let ledgerFields: [SchemaField] = [
    .boolean("balanced", "The causes and layers add up to all bytes. False is a defect of wireaudit."),
    .bytes("bytes", "Sum of the original lengths of all packets."),
    .bytes(
        "unread_frames",
        "Part of layers.non_ip: frames that nobody read and that are no protocol of the link itself, such as ARP: they are encrypted or of an unknown type, or their IP header is broken."
    ),
    .object(
        "layers", "By layer; they add up to bytes.",
        [
            .bytes("pseudo", "Headers that the capture added, such as of LINUX_SLL."),
            .bytes("link", "Link-layer headers, padding, trailers."),
            .bytes("tunnel", "Headers of tunnels."), .bytes("network", "IP headers."),
            .bytes("transport", "TCP, UDP and ICMP headers."),
            .bytes("payload", "Payload of these."), .bytes("non_ip", "Frames without IP."),
            .bytes("duplicate", "Frames captured more than once."),
        ]),
    .object("causes", "Bytes of TCP and QUIC, and of DNS for them, by cause.", directions),
    .object(
        "other", "IP bytes that are of no connection.",
        [
            .bytes("dns", "DNS that no connection followed."), .bytes("quic", "QUIC of no connection."),
            .bytes("wireguard", "WireGuard."),
            .bytes("udp", "Other UDP."), .bytes("icmp", "ICMP."), .bytes("other_ip", "Other protocols."),
        ]),
]

private let apiFields: [SchemaField] =
    [
        .text(
            "api",
            "Method, host and path with variable parts replaced. For TLS that was not read: https:// and the host, then (encrypted); if it is no HTTP, tls:// and (encrypted NAME) with the protocol that ALPN or the port names."
        ),
        .boolean("encrypted", "TLS that was not read: a host, not an API."), .count("exchanges", "Exchanges."),
    ] + directions + [
        .bytes("wire", "Sum of wire of both directions."), .bytes("message", "Sum of message of both directions."),
        .map(
            "estimates", keys: "the id of an estimator", of: .object(bothDirections(sumFields)),
            "Sums of estimates; null without --estimators."
        ).orNull,
    ]

private let sumFields: [SchemaField] = [
    .estimate("total", "Sum of the estimates.").orNull, .count("calls", "Calls for which the estimator has a figure."),
]

private let hostFields: [SchemaField] =
    [
        .text(
            "host",
            "Host name or address; with the port where it is not the usual one. For UDP outside QUIC connections: the protocol that its bytes prove (else udp), name or address of the server, port, as in dtls://host:443."
        ),
        .text("host_unicode", "The characters that host encodes (IDNA), as tables show it. Null where it encodes none.")
            .orNull,
        .list(
            "protocols", of: .text,
            "What its connections carried: HTTP/1, HTTP/2, HTTP/3, TLS and QUIC (not read). Empty if it is something else. Of UDP: what its bytes prove, else UDP."
        ),
        .object(
            "datagrams", "UDP outside QUIC connections; null in rows of connections.",
            [.count("up", "Packets to the server."), .count("down", "Packets from it.")]
        ).orNull,
        .count("connections", "Connections."),
        .count("exchanges", "Exchanges."),
        .count("connections_without_exchange", "Connections in which no exchange was read."),
    ] + directions + [
        .bytes("wire", "Sum of wire of both directions."),
        .object("unassigned", "Bytes of the host that no exchange caused.", directions),
        .object("setup", "How connections to the host were opened.", setupFields),
    ]

private let appFields: [SchemaField] =
    [
        .text(
            "app",
            "The effective process where one is told, else the process; null: what no packet names an app of, and what is of no connection and no UDP."
        ).orNull,
        .count("connections", "Connections."), .count("exchanges", "Exchanges in them."),
    ] + directions + [
        .bytes("wire", "Sum of wire of both directions; where app is null, all that is left of the whole.")
    ]

private let contentTypeFields: [SchemaField] = [
    .text("type", "Media type in lower case, without parameters; null: the messages tell none.").orNull,
    .count("requests", "Bodies from clients that are not empty."), .count("responses", "Bodies from servers."),
    .bytes("up", "Body bytes from clients, as sent, without framing."), .bytes("down", "Body bytes from servers."),
    .bytes("bytes", "Sum of both."),
]

private let setupFields: [SchemaField] = [
    .count("tls_connections", "Connections that began with TLS."),
    .count("unread_connections", "TLS connections with application data of which none could be read."),
    .count("cut_connections", "Those of the unread ones whose records tell calls apart: HTTP/1.1."),
    .count(
        "unnamed_calls",
        "About how many calls these records tell. Pipelined requests count as one; interim and early answers may add one."
    ),
    .count("partly_read_connections", "TLS connections with application data of which some could be read."),
    .count("silent_connections", "TLS connections without application data whose handshake did not fail."),
    .count(
        "failed_handshakes",
        "TLS connections whose handshake failed; not among the unread ones. If both hellos were read, it counts as full or resumed, too."
    ),
    .count("full_handshakes", "TLS handshakes of which both hellos were read and that resumed nothing."),
    .count("resumed_handshakes", "TLS handshakes that resumed a session."),
    .bytes("certificate_bytes", "Certificates."),
    .bytes("bytes", "Bytes of setup: DNS, TCP, TLS, QUIC, HTTP."),
    .count("exchanges", "Exchanges that these connections carried, to whatever host."),
    .number("bytes_per_exchange", "bytes / exchanges.").orNull, .bytes("teardown", "Closing of the connections."),
    .object(
        "reuse_saving", "What connections that are kept open would have saved.",
        [
            .bytes("bytes", "Setup and teardown of connections that an idle one could have stood in for."),
            SchemaField(name: "computed_from", type: .constant("ledger"), meaning: "Source of the figure."),
            .text("supposing", "The assumption."),
        ]),
]
