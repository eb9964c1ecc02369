import WireCore
import WireRecords

/// The causes of one direction, as `costs` writes them.
///
/// - Parameter hasDecoded: with the sizes of the decoded message.
func costFields(hasDecoded: Bool = false) -> [SchemaField] {
    messageFields(hasDecoded: hasDecoded) + transportFields
}

private func messageFields(hasDecoded: Bool) -> [SchemaField] {
    [
        .bytes(
            "start_line",
            "Request line or status line with its line end; 0 in HTTP/2 and HTTP/3, whose pseudo-header fields are in headers."
        ),
        .bytes(
            "headers",
            "Header fields as sent, with line ends and the empty line, in HTTP/2 and HTTP/3 as compressed; interim (1xx) responses are included."
        ),
        .bytes(
            "framing",
            "Bytes around the body: chunk sizes, their line ends, trailers; in HTTP/2 and HTTP/3 frame headers and padding."
        ),
        .bytes("body", "Body as sent: still content-coded, without framing."),
    ]
        + (hasDecoded
            ? [
                .bytes(
                    "body_decoded",
                    "Body after its content codings were undone; null where that is not known, and of a tunnel in HTTP/2 and HTTP/3."
                )
                .orNull,
                .bytes("headers_decoded", "Header fields as text, as in HTTP/1.1; null where that is not known.")
                    .orNull,
                .bytes(
                    "headers_inserted",
                    "HTTP/3: QPACK insertions that this message was the first to refer to. Part of setup.http of the connection, and of no sum here. Null where that is not known, and elsewhere."
                )
                .orNull,
            ] : [])
}

private let transportFields: [SchemaField] = [
    .bytes(
        "tls_records",
        "Record headers, nonces, tags and padding around the message (RFC 8446 §5.2); in QUIC the tags of its packets."),
    .bytes(
        "tcpip",
        "IP and TCP headers, or IP and UDP headers, of packets that carry new bytes of the message; of a row of UDP all of them."
    ),
    .bytes(
        "quic",
        "QUIC: headers and padding of packets with bytes of the message, headers of its STREAM frames, and frames that steer its stream."
    ),
    .bytes(
        "ack",
        "Packets without payload that acknowledge, with IP and TCP headers; in QUIC ACK frames, wherever they ride."),
    .bytes(
        "retransmission",
        "Payload that was sent again, with the headers of its packets; in QUIC data of streams and of the handshake."),
    .object(
        "setup", "Bytes to open the connection, with all their headers.",
        [
            .bytes("dns", "DNS queries for the host, or their answers."), .bytes("tcp", "TCP handshake."),
            .bytes("tls", "TLS handshake records and session tickets; in QUIC the data of CRYPTO frames."),
            .bytes("quic", "The rest of QUIC's handshake, and frames that keep the connection usable."),
            .bytes("http", "HTTP/2 preface and SETTINGS; HTTP/3 control and QPACK streams; PROXY headers."),
        ]),
    .bytes("teardown", "Packets that close the connection, TLS alerts and CONNECTION_CLOSE included."),
    .bytes("keepalive", "Keep-alive and window probes, and the answers to them."),
    .bytes("opaque", "Payload whose content is not known: unread TLS, other protocols, bytes behind a gap."),
    .difference("offload", "Headers that segmentation offload hid from the capture. Null without --undo-offload.")
        .orNull,
    .bytes("message", "start_line + headers + framing + body."),
    .bytes(
        "wire",
        "message + tls_records + tcpip + quic + ack + retransmission + setup + teardown + keepalive + opaque: the IP packets. With --undo-offload plus offload; with --layer link plus link."
    ),
    .bytes(
        "link",
        "Link-layer and tunnel headers of these packets, without headers that the capture added. Part of wire with --layer link only."
    ),
]

/// Causes of an error of an estimate, by their ids.
func causeMap(_ name: String, _ meaning: String) -> SchemaField {
    .map(
        name, keys: "the id of a cause", of: .integer(unit: "bytes", least: nil),
        meaning + " Causes of 0 bytes are left out. Positive: the estimate is too high.")
}

let directionWords = ["up", "down"]

let warningFields: [SchemaField] = [
    .text("code", "Stable id of the finding."),
    .word("severity", FindingSeverity.allCases.map(\.rawValue), "How much it matters."),
    .count("count", "How often it was found."), .text("file", "Capture file of the first occurrence.").orNull,
    .count("packet", "Packet number of the first occurrence in its file, from 1.", of: "packet number").orNull,
    .text("message", "The finding in one sentence."),
]

/// What every report of a capture begins with.
///
/// - Parameter others: further fields of `capture`.
func captureHead(others: [SchemaField] = []) -> [SchemaField] {
    [
        .text("version", "Version of wireaudit."),
        .object(
            "options", "Choices that change what is shown.",
            [
                .word("layer", WireLayer.allCases.map(\.rawValue), "Lowest layer that wire counts."),
                .word("setup", SetupPolicy.allCases.map(\.rawValue), "Which exchanges pay for connection setup."),
                .text("filter", "Packet filter (pcap-filter syntax).").orNull,
                .text("at", "Value of --at.").orNull,
                .boolean("undo_offload", "Headers that segmentation offload hid are added to wire."),
                .list("hosts", of: .text, "Values of --host."), .list("apis", of: .text, "Values of --api."),
                .list("apps", of: .text, "Values of --app."),
                .list("templates", of: .text, "Values of --template."),
                .list("rpc", of: .text, "Values of --rpc; none for auto."),
                .list("name_by", of: .text, "Header fields of --name-by, in lower case."),
                .list("files", of: .text, "Captures in the order given."),
            ]),
        .object("merged", "How the report of several sessions came about.", mergedFields).orNull,
        .object("capture", "What was read.", captureFields + others),
    ]
}

private let mergedFields: [SchemaField] = [
    .count("sessions", "Capture sessions."),
    .count("failed_sessions", "Sessions of the same fleet that could not be audited; they are in no figure."),
    .count("files", "Their capture files; capture.files has one entry for all."),
    .count("damaged_files", "Files that were audited only up to a damage."),
    .count("doubted_logs", "Logs that may be of another session than their capture."),
    SchemaField(name: "quantiles", type: .constant("buckets"), meaning: "Percentiles come from buckets, always."),
    .count("replicates", "Replicates of the bootstrap over sessions."),
    .count("fewest_sessions", "Sessions of a row from which on its interval resamples sessions, not calls."),
]

private let captureFields: [SchemaField] = [
    .list("files", of: .object(fileFields), "Capture files in the order given."),
    .list("interfaces", of: .object(interfaceCountFields), "Interfaces of a live capture; empty for files."),
    .list(
        "key_logs",
        of: .object([
            .text("path", "Path of the log, or the file it came in."), .count("secrets", "Secrets read."),
            .count("malformed", "Lines that are not of the format."),
            .text("fault", "Why it could not be read to its end.").orNull,
        ]), "TLS key logs. Secrets themselves are never written."),
]

private let fileFields: [SchemaField] = [
    .text("path", "Path as given."), .text("format", "pcap, pcapng, …").orNull,
    .text("compression", "gzip, zstd, …").orNull,
    .list("link_types", of: .text, "Link types by their registered names (LINKTYPE_ or DLT_ without the prefix)."),
    .count("packets", "Packets read."), .bytes("bytes", "Sum of the original lengths of the packets."),
    .bytes("captured_bytes", "Sum of the captured lengths of the packets."),
    .moment("first", "Time of the earliest packet.").orNull,
    .moment("last", "Time of the latest packet.").orNull,
    .count("dropped", "Packets that the capturing program lost, as far as the file says.").orNull,
    .count("snapped", "Packets cut by the snap length."), .count("filtered", "Packets that the filter refused."),
    .count("damaged_at", "Offset in the file where reading ended.", of: "bytes").orNull,
    .text("fault", "Reason why reading ended there.").orNull,
]

private let interfaceCountFields: [SchemaField] = [
    .text("name", "Name of the interface."), .text("description", "As the system describes it.").orNull,
    .text("link_type", "Link type by its registered name."),
    .bytes("snapshot_length", "Bytes captured of a packet at most."),
    .count("packets", "Packets read."), .bytes("bytes", "Sum of the original lengths of the packets."),
    .count("received", "Packets that passed the filter, as the system counts.").orNull,
    .count("dropped_by_kernel", "Packets lost because the buffer was full.").orNull,
    .count("dropped_by_interface", "Packets lost by the interface or its driver.").orNull,
    .text("fault", "Why capturing on it ended.").orNull,
]
