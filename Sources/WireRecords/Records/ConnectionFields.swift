import WireCore

extension FieldVisitor where Self: ~Copyable {
    /// The fields of `wireaudit.connection/2`, in order.
    package mutating func connection(_ record: ConnectionRecord, _ options: ReportOptions) {
        constant("schema", "wireaudit.connection/2")
        file(record.file, connection: record.connection)
        word(
            "transport", ConnectionTransport.allCases.map(\.rawValue), "Transport protocol.", record.transport.rawValue)
        count(
            "first_packet", "Number of its first packet in the file, from 1.", of: "packet number", record.firstPacket)
        endpoints(record.client, record.server)
        text(
            "proxied_client",
            "Address and port of the client that a PROXY header names: client is a proxy then. Null without one.",
            record.proxiedClient?.description)
        text("server_name", "Name of the server: from TLS, else from DNS or HTTP.", record.serverName)
        process(record.process?.name)
        moment("time", "First packet.", record.time)
        seconds("duration", "Time from the first packet to the last packet.", record.knownDuration)
        count("exchanges", "HTTP exchanges that were read.", record.exchanges)
        text("protocol", "Application protocol, such as http/1.1, h2 or h3.", record.applicationProtocol)
        tls(record.tls)
        word(
            "close", ConnectionClose.allCases.map(\.name),
            "How it ended: both FINs, a reset, closed (CONNECTION_CLOSE or stateless reset of QUIC), open at the end of the capture, or given up as idle.",
            record.close.name)
        let isTCP = record.transport == .tcp
        begin("up", "Client to server.")
        direction(record.counts.up, record.costs.up, options, isTCP: isTCP)
        end()
        begin("down", "Server to client.")
        direction(record.counts.down, record.costs.down, options, isTCP: isTCP)
        end()
        bytes("offload_hidden", "Headers that segmentation offload hid, both directions.", record.offloadHidden)
        flags(record.flags)
        range(
            "clock_lead", "How far the clock of packets from the server is ahead; null where nothing was found.",
            record.clockLead)
        lookup(
            "Whose DNS answer, over HTTPS, TLS, QUIC or TCP, gave the server's address to this client.", record.lookup)
        app(record.process?.app)
        processNumber(record.process?.pid)
        text(
            "server_name_unicode",
            "The characters that server_name encodes (IDNA), as tables show it. Null where it encodes none.",
            record.serverName.flatMap(unicodeHost))
    }

    private mutating func direction(
        _ counts: DirectionCounts, _ costs: CostVector, _ options: ReportOptions, isTCP: Bool
    ) {
        count("packets", "Packets of this direction, without DNS.", counts.packets)
        bytes("frames", "Sum of the original lengths of the packets.", counts.frames)
        bytes(
            "ip",
            "Sum of the IP lengths of the packets. wire = ip + setup.dns, with --undo-offload plus offload, with --layer link plus link.",
            counts.internet)
        bytes(
            "payload",
            "TCP or UDP payload, by IP lengths. What follows up to out_of_order_segments is null in QUIC.",
            counts.payload)
        bytes("payload_new", "Payload seen for the first time.", isTCP ? counts.payloadNew : nil)
        bytes("payload_repeated", "Payload that was sent before.", isTCP ? counts.payloadRepeated : nil)
        bytes(
            "payload_refused", "Payload of resets, and of segments far outside the window.",
            isTCP ? counts.payloadRefused : nil)
        bytes(
            "unseen", "Sequence space between the first and the last byte that no packet holds.",
            isTCP ? counts.unseen : nil)
        count("syn", "Packets with SYN.", isTCP ? counts.syn : nil)
        count("fin", "Packets with FIN.", isTCP ? counts.fin : nil)
        count("rst", "Packets with RST.", isTCP ? counts.rst : nil)
        count(
            "retransmitted_segments", "Segments that hold repeated payload.",
            isTCP ? counts.retransmittedSegments : nil)
        count(
            "out_of_order_segments", "Segments that came behind later ones.", isTCP ? counts.outOfOrderSegments : nil)
        self.costs(costs, options)
    }
}
