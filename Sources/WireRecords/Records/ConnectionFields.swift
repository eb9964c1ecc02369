import WireCore

extension FieldVisitor where Self: ~Copyable {
    /// The fields of `wireaudit.connection/2`, in order.
    package mutating func connection(_ record: ConnectionRecord, _ options: ReportOptions) {
        constant("schema", "wireaudit.connection/2")
        text("file", record.file)
        integer("connection", record.connection)
        text("transport", record.transport.rawValue)
        integer("first_packet", record.firstPacket)
        endpoint("client", record.client)
        endpoint("server", record.server)
        text("proxied_client", record.proxiedClient?.description)
        text("server_name", record.serverName)
        text("process", record.process?.name)
        seconds("time", record.time)
        seconds("duration", record.knownDuration)
        integer("exchanges", record.exchanges)
        text("protocol", record.applicationProtocol)
        tls(record.tls)
        text("close", record.close.name)
        let isTCP = record.transport == .tcp
        direction("up", record.counts.up, record.costs.up, options, isTCP: isTCP)
        direction("down", record.counts.down, record.costs.down, options, isTCP: isTCP)
        integer("offload_hidden", record.offloadHidden)
        flags("flags", record.flags)
        range("clock_lead", record.clockLead)
        lookup(record.lookup)
        text("app", record.process?.app)
        integer("pid", record.process?.pid)
        text("server_name_unicode", record.serverName.flatMap(unicodeHost))
    }

    private mutating func direction(
        _ name: StaticString, _ counts: DirectionCounts, _ costs: CostVector, _ options: ReportOptions, isTCP: Bool
    ) {
        begin(name)
        integer("packets", counts.packets)
        integer("frames", counts.frames)
        integer("ip", counts.internet)
        integer("payload", counts.payload)
        integer("payload_new", isTCP ? counts.payloadNew : nil)
        integer("payload_repeated", isTCP ? counts.payloadRepeated : nil)
        integer("payload_refused", isTCP ? counts.payloadRefused : nil)
        integer("unseen", isTCP ? counts.unseen : nil)
        integer("syn", isTCP ? counts.syn : nil)
        integer("fin", isTCP ? counts.fin : nil)
        integer("rst", isTCP ? counts.rst : nil)
        integer("retransmitted_segments", isTCP ? counts.retransmittedSegments : nil)
        integer("out_of_order_segments", isTCP ? counts.outOfOrderSegments : nil)
        self.costs(costs, options)
        end()
    }
}
