import WireCore

extension CaptureSchemas {
    static let exchange = OutputSchema(
        "exchange", version: 2,
        about: "One HTTP exchange: a request, its response, and what both cost; or a call that could not be read.",
        command: "wireaudit exchanges --format ndjson",
        fields: exchangeNames + exchangeCosts + exchangeState)

    static let connection = OutputSchema(
        "connection", version: 2, about: "One connection.", command: "wireaudit connections --format ndjson",
        fields: connectionNames
            + bothDirections(segmentFields + costFields())
            + [
                .bytes("offload_hidden", "Headers that segmentation offload hid, both directions."), flags,
                interval(
                    "clock_lead",
                    "How far the clock of packets from the server is ahead; null where nothing was found."),
                lookup("Whose DNS answer, over HTTPS, TLS, QUIC or TCP, gave the server's address to this client."),
                app, pid, unicodeName("server_name"),
            ])
}

private let app = SchemaField.text(
    "app",
    "On whose behalf the connection was used, by most of its packets: the effective process where one is told, else the process; pid or uid and a number where it has no name. Null where the capture names none."
).orNull
private let process = SchemaField.text(
    "process", "The process whose socket it was, such as a service of the system that sends for an app."
).orNull
private let pid = SchemaField.count("pid", "Number of that process.", of: "process number").orNull

private func unicodeName(_ name: String) -> SchemaField {
    .text(
        name + "_unicode", "The characters that \(name) encodes (IDNA), as tables show it. Null where it encodes none."
    ).orNull
}

private let flags = SchemaField.list(
    "flags", of: .word(RecordFlags(rawValue: .max).names),
    "gap: bytes are missing. snapped: a frame was cut. no-start, no-end: the connection began before the capture, or went on after it. no-request, no-response: that message is missing. aborted: a message ended too early. reset: the connection was reset. upgraded, tunnel: another protocol followed. malformed: a message violates its syntax. pushed: HTTP/2 push. drops: the capturing program lost packets."
)

private func interval(_ name: String, _ meaning: String) -> SchemaField {
    .object(name, meaning, [.seconds("min", "Least value."), .seconds("max", "Greatest value.")]).orNull
}

private func lookup(_ meaning: String) -> SchemaField {
    .object(
        "lookup", meaning + " It owns its bytes itself: they are in no sum here. Null where no such answer was read.",
        [
            .count("connection", "Number of the connection that carried the answer.", of: "index"),
            .count("exchange", "Number of the exchange in it; null without HTTP.", of: "index").orNull,
        ]
    ).orNull
}

private let file = SchemaField.text("file", "Capture file of the first packet.")
private let connection = SchemaField.count("connection", "Number of the connection in the run, from 0.", of: "index")
private let endpoints: [SchemaField] = [
    .text("client", "Address and port of the client; IPv6 in brackets."),
    .text("server", "Address and port of the server."),
]

private let exchangeNames: [SchemaField] =
    [
        file, connection,
        .count("exchange", "Number of the exchange in its connection, from 0, in the order of requests.", of: "index"),
        .count("stream", "HTTP/2 or HTTP/3 stream.", of: "stream id").orNull,
        .moment("time", "First byte of the exchange: of the request, of a pushed one of its PUSH_PROMISE frame."),
        .seconds(
            "duration",
            "Time from the first to the last byte of the messages. Null where clock skew leaves it open; see duration_range."
        ).orNull,
        .seconds(
            "ttfb",
            "Time from the last byte of the request to the first byte of the final response. Null where one of them is missing, and where clock skew leaves it open; see ttfb_range."
        ).orNull,
    ] + endpoints + [
        .word("transport", ConnectionTransport.allCases.map(\.rawValue), "Transport protocol."),
        .text("tls", "TLS version, such as TLS 1.3; TLS where no ServerHello was read; null without TLS.").orNull,
        .text("http", "HTTP version: HTTP/0.9, HTTP/1.0, HTTP/1.1, HTTP/2 or HTTP/3.").orNull,
        .text("method", "Request method.").orNull,
        .text("host", "Host with its port, as the request names it.").orNull,
        .text("path", "Path of the target, without query.").orNull,
        .text("query", "Query of the target, without the question mark.").orNull,
        .text("target", "Request target as sent.").orNull,
        .text(
            "api",
            "Method, host and path with variable parts replaced, such as GET api.example /v1/orders/{id}, and the operation behind them, such as POST api.example /rpc getUser."
        ).orNull,
        .count("status", "Status code of the final response.", of: "status code").orNull,
    ]

private let exchangeCosts: [SchemaField] =
    bothDirections(costFields(hasDecoded: true)) + [
        .bytes(
            "unseen_bytes",
            "Bytes certainly of the exchange that no packet of the capture holds. An HTTP/2 exchange with the flag gap may lack more."
        ),
        .bytes("offload_hidden", "Headers that segmentation offload hid, both directions."),
    ]

private let messageFields: [SchemaField] = [
    .text("version", "HTTP version of the message, such as HTTP/1.1.").orNull,
    .word("framing", BodyFraming.allCases.map(\.name), "How the end of the body is told.")
        .orNull,
    .bytes("interim", "Bytes of interim (1xx) responses; part of headers."),
    .boolean("complete", "The message was read to its end."),
    .text("content_type", "Media type of the body, in lower case, without parameters.").orNull,
]

private let exchangeState: [SchemaField] = [
    .object("request", "The request; null where none was seen.", messageFields).orNull,
    .object("response", "The final response; null where none was seen.", messageFields).orNull,
    flags,
    interval(
        "duration_range",
        "Least and greatest duration, where clock skew between the directions leaves it open; else null."),
    interval(
        "ttfb_range", "Least and greatest ttfb, where clock skew between the directions leaves it open; else null."),
    lookup(
        "Of the first exchange of a connection: whose DNS answer, over HTTPS, TLS, QUIC or TCP, gave the server's address to this client."
    ),
    app, process, pid,
    .text(
        "operation",
        "What the request asks for beside its path: method of JSON-RPC, operation of GraphQL, SOAPAction, or a field of --name-by; of a batch all in brackets. Null where it names nothing."
    ).orNull,
    unicodeName("host"),
    .object(
        "unread",
        "Of a call that could not be read, told by TLS records alone: it has costs, but no method, path or api. Null of a call that was read.",
        [
            .word(
                "certainty", UnreadMessages.Certainty.allCases.map(\.rawValue),
                "exact: both messages are known to the byte. interval: records may hold bytes of no message. unknown: the capture lacks something of the connection."
            ),
            .object("up", "The request.", unreadMessage), .object("down", "The response.", unreadMessage),
        ]
    ).orNull,
    .map(
        "estimates", keys: "the id of an estimator",
        of: .nullable(
            SchemaElement(
                .object([
                    .object("up", "Of the request.", estimateFields).orNull,
                    .object("down", "Of the response.", estimateFields).orNull,
                    .text("unseen", "Id of the cause for which the SDK does not see this exchange; null where it does.")
                        .orNull,
                ]))),
        "What estimators make of it, null where nothing can be said. Null without --estimators."
    ).orNull,
]

private let unreadMessage: [SchemaField] = [
    .bytes("message_low", "Least bytes that the message can have.").orNull,
    .bytes("message_high", "Most bytes that the message can have.").orNull,
]

private let estimateFields: [SchemaField] = [
    .estimate("start_line", "Estimate of the start line.").orNull,
    .estimate("headers", "Estimate of the header fields.").orNull,
    .estimate("body", "Estimate of the body.").orNull, .estimate("total", "Estimate of the message.").orNull,
]

private let connectionNames: [SchemaField] =
    [
        file, connection,
        .word("transport", ConnectionTransport.allCases.map(\.rawValue), "Transport protocol."),
        .count("first_packet", "Number of its first packet in the file, from 1.", of: "packet number"),
    ] + endpoints + [
        .text(
            "proxied_client",
            "Address and port of the client that a PROXY header names: client is a proxy then. Null without one."
        ).orNull,
        .text("server_name", "Name of the server: from TLS, else from DNS or HTTP.").orNull,
        process,
        .moment("time", "First packet."), .seconds("duration", "Time from the first packet to the last packet.").orNull,
        .count("exchanges", "HTTP exchanges that were read."),
        .text("protocol", "Application protocol, such as http/1.1, h2 or h3.").orNull,
        .object("tls", "What TLS shows; null without TLS.", tlsFields).orNull,
        .word(
            "close", ConnectionClose.allCases.map(\.name),
            "How it ended: both FINs, a reset, closed (CONNECTION_CLOSE or stateless reset of QUIC), open at the end of the capture, or given up as idle."
        ),
    ]

private let segmentFields: [SchemaField] = [
    .count("packets", "Packets of this direction, without DNS."),
    .bytes("frames", "Sum of the original lengths of the packets."),
    .bytes(
        "ip",
        "Sum of the IP lengths of the packets. wire = ip + setup.dns, with --undo-offload plus offload, with --layer link plus link."
    ),
    .bytes("payload", "TCP or UDP payload, by IP lengths. What follows up to out_of_order_segments is null in QUIC."),
    .bytes("payload_new", "Payload seen for the first time.").orNull,
    .bytes("payload_repeated", "Payload that was sent before.").orNull,
    .bytes("payload_refused", "Payload of resets, and of segments far outside the window.").orNull,
    .bytes("unseen", "Sequence space between the first and the last byte that no packet holds.").orNull,
    .count("syn", "Packets with SYN.").orNull, .count("fin", "Packets with FIN.").orNull,
    .count("rst", "Packets with RST.").orNull,
    .count("retransmitted_segments", "Segments that hold repeated payload.").orNull,
    .count("out_of_order_segments", "Segments that came behind later ones.").orNull,
]

private let tlsFields: [SchemaField] =
    [
        .word("version", TLSVersion.allCases.map(\.rawValue), "Version that the server chose.").orNull,
        .text("cipher", "Registered name of the cipher suite.").orNull,
        .text("alpn", "Protocol that the server chose.").orNull,
        .list("offered_alpn", of: .text, "Protocols that the client offered."),
        .boolean("resumed", "The handshake resumed an earlier session.").orNull,
        .word("resumption", TLSResumption.allCases.map(\.rawValue), "Mechanism of the resumption.").orNull,
        .boolean("decrypted", "Application data was decrypted.").orNull,
        .word("blindness", TLSBlindness.allCases.map(\.rawValue), "Reason why application data was not decrypted.")
            .orNull,
        .text("server_name", "Name in the client's server_name extension.").orNull,
        .word("early_data", TLSEarlyData.allCases.map(\.rawValue), "What became of early data.").orNull,
        .boolean("hello_retry", "The server asked for another ClientHello.").orNull,
        .count("compatibility_ccs", "change_cipher_spec records of TLS 1.3.").orNull,
        .bytes("certificate_bytes", "Certificate message of the server.").orNull,
        .count("tickets", "NewSessionTicket messages.").orNull, .count("key_updates", "KeyUpdate messages.").orNull,
        .list(
            "alerts",
            of: .object([
                .word("direction", directionWords, "Who sent it."), .text("level", "warning, fatal, …"),
                .text("description", "Name of the alert."),
            ]), "Alerts that could be read."),
        .object(
            "close_notify", "Whether each direction was closed with an alert.",
            [
                .boolean("up", "By the client.").orNull, .boolean("down", "By the server.").orNull,
            ]),
        .object(
            "records", "Records.", [.count("up", "By the client.").orNull, .count("down", "By the server.").orNull]),
        .object(
            "messages", "Handshake messages by name.",
            [
                .map("up", keys: "the name of a message", of: .object(handshakeFields), "By the client."),
                .map("down", keys: "the name of a message", of: .object(handshakeFields), "By the server."),
            ]),
    ]
    + bothDirections([
        .bytes("handshake", "Handshake records, by the outer content type; record headers are included.").orNull,
        .bytes("application_data", "application_data records.").orNull, .bytes("alert", "alert records.").orNull,
        .bytes("change_cipher_spec", "change_cipher_spec records.").orNull, .bytes("other", "Other records.").orNull,
    ])

private let handshakeFields: [SchemaField] = [
    .count("count", "Messages."), .bytes("bytes", "Bytes of the messages, with message headers."),
]
