import WireCore

extension FieldVisitor where Self: ~Copyable {
    /// Every cause of one direction by name, then the sums over them.
    @inline(__always)
    package mutating func costs(_ costs: CostVector, _ options: ReportOptions, decoded: DecodedSizes? = nil) {
        integer("start_line", costs[.startLine])
        integer("headers", costs[.headers])
        integer("framing", costs[.framing])
        integer("body", costs[.body])
        if let decoded {
            integer("body_decoded", decoded.body)
            integer("headers_decoded", decoded.headers)
            integer("headers_inserted", decoded.inserted)
        }
        integer("tls_records", costs[.tlsRecords])
        integer("tcpip", costs[.tcpip])
        integer("quic", costs[.quic])
        integer("ack", costs[.ack])
        integer("retransmission", costs[.retransmission])
        begin("setup")
        integer("dns", costs[.setupDNS])
        integer("tcp", costs[.setupTCP])
        integer("tls", costs[.setupTLS])
        integer("quic", costs[.setupQUIC])
        integer("http", costs[.setupHTTP])
        end()
        integer("teardown", costs[.teardown])
        integer("keepalive", costs[.keepalive])
        integer("opaque", costs[.opaque])
        integer("offload", options.undoesOffload ? costs.offloadHidden : nil)
        integer("message", costs.message)
        integer("wire", options.wire(costs))
        integer("link", costs.link)
    }

    /// `costs` as an object of its own.
    package mutating func costs(
        _ name: StaticString, _ costs: CostVector, _ options: ReportOptions, decoded: DecodedSizes? = nil
    ) {
        begin(name)
        self.costs(costs, options, decoded: decoded)
        end()
    }
}

/// Sizes of one message after its codings were undone; nil where that could not be done.
package struct DecodedSizes {
    package var headers: Int?
    /// What a table of HTTP/3 was sent for its header fields, beside them.
    package var inserted: Int?
    package var body: Int?
}
