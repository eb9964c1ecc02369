import WireCore

extension FieldVisitor where Self: ~Copyable {
    /// Every cause of one direction by name, then the sums over them.
    @inline(__always)
    package mutating func costs(_ costs: CostVector, _ options: ReportOptions, decoded: DecodedSizes? = nil) {
        message(costs, decoded)
        bytes(
            "tls_records",
            "Record headers, nonces, tags and padding around the message (RFC 8446 §5.2); in QUIC the tags of its packets.",
            costs[.tlsRecords])
        bytes(
            "tcpip",
            "IP and TCP headers, or IP and UDP headers, of packets that carry new bytes of the message; of a row of UDP all of them.",
            costs[.tcpip])
        bytes(
            "quic",
            "QUIC: headers and padding of packets with bytes of the message, headers of its STREAM frames, and frames that steer its stream.",
            costs[.quic])
        bytes(
            "ack",
            "Packets without payload that acknowledge, with IP and TCP headers; in QUIC ACK frames, wherever they ride.",
            costs[.ack])
        bytes(
            "retransmission",
            "Payload that was sent again, with the headers of its packets; in QUIC data of streams and of the handshake.",
            costs[.retransmission])
        setup(costs)
        bytes(
            "teardown", "Packets that close the connection, TLS alerts and CONNECTION_CLOSE included.", costs[.teardown]
        )
        bytes("keepalive", "Keep-alive and window probes, and the answers to them.", costs[.keepalive])
        bytes(
            "opaque", "Payload whose content is not known: unread TLS, other protocols, bytes behind a gap.",
            costs[.opaque])
        difference(
            "offload", "Headers that segmentation offload hid from the capture. Null without --undo-offload.",
            options.undoesOffload ? costs.offloadHidden : nil)
        part("message", "start_line + headers + framing + body.", costs.message, decoded)
        bytes(
            "wire",
            "message + tls_records + tcpip + quic + ack + retransmission + setup + teardown + keepalive + opaque: the IP packets. With --undo-offload plus offload; with --layer link plus link.",
            options.wire(costs))
        bytes(
            "link",
            "Link-layer and tunnel headers of these packets, without headers that the capture added. Part of wire with --layer link only.",
            costs.link)
    }

    @inline(__always)
    private mutating func message(_ costs: CostVector, _ decoded: DecodedSizes?) {
        part(
            "start_line",
            "Request line or status line with its line end; 0 in HTTP/2 and HTTP/3, whose pseudo-header fields are in headers.",
            costs[.startLine], decoded)
        part(
            "headers",
            "Header fields as sent, with line ends and the empty line, in HTTP/2 and HTTP/3 as compressed; interim (1xx) responses are included.",
            costs[.headers], decoded)
        part(
            "framing",
            "Bytes around the body: chunk sizes, their line ends, trailers; in HTTP/2 and HTTP/3 frame headers and padding.",
            costs[.framing], decoded)
        part("body", "Body as sent: still content-coded, without framing.", costs[.body], decoded)
        guard let decoded else { return }
        bytes(
            "body_decoded",
            "Body after its content codings were undone; null where that is not known, and of a tunnel in HTTP/2 and HTTP/3.",
            decoded.body)
        bytes(
            "headers_decoded", "Header fields as text, as in HTTP/1.1; null where that is not known.", decoded.headers)
        bytes(
            "headers_inserted",
            "HTTP/3: QPACK insertions that this message was the first to refer to. Part of setup.http of the connection, and of no sum here. Null where that is not known, and elsewhere.",
            decoded.inserted)
    }

    /// Bytes of the message; null of a call that was not read.
    @inline(__always)
    private mutating func part(
        _ name: StaticString, _ meaning: @autoclosure () -> String, _ value: Int, _ decoded: DecodedSizes?
    ) {
        describe(meaning(), .integer(unit: "bytes", least: 0), isNullable: decoded != nil)
        integer(name, decoded?.isRead ?? true ? value : nil)
    }

    @inline(__always)
    private mutating func setup(_ costs: CostVector) {
        begin("setup", "Bytes to open the connection, with all their headers.")
        bytes("dns", "DNS queries for the host, or their answers.", costs[.setupDNS])
        bytes("tcp", "TCP handshake.", costs[.setupTCP])
        bytes(
            "tls", "TLS handshake records and session tickets; in QUIC the data of CRYPTO frames.", costs[.setupTLS])
        bytes(
            "quic", "The rest of QUIC's handshake, and frames that keep the connection usable.", costs[.setupQUIC])
        bytes(
            "http", "HTTP/2 preface and SETTINGS; HTTP/3 control and QPACK streams; PROXY headers.", costs[.setupHTTP])
        end()
    }

    /// The causes, and beside them what offload hid.
    package mutating func sums(_ costs: CostVector, _ options: ReportOptions) {
        self.costs(costs, options)
        bytes("offload_hidden", "Headers that segmentation offload hid.", costs.offloadHidden)
    }
}

/// Sizes of one message after its codings were undone; nil where that could not be done.
package struct DecodedSizes {
    /// False: nobody could read the message, and no part of it is known.
    package var isRead = true
    package var headers: Int?
    /// What a table of HTTP/3 was sent for its header fields, beside them.
    package var inserted: Int?
    package var body: Int?
}
