import WireCore

extension FieldVisitor where Self: ~Copyable {
    /// The fields of `wireaudit.connection/2`, in order.
    mutating func connection(_ record: ConnectionRecord, _ options: ReportOptions) {
        constant("schema", "wireaudit.connection/2")
        text("file", record.file)
        integer("connection", record.connection)
        integer("first_packet", record.firstPacket)
        endpoint("client", record.client)
        endpoint("server", record.server)
        text("server_name", record.serverName)
        text("process", record.process)
        seconds("time", record.time)
        seconds("duration", record.knownDuration)
        integer("exchanges", record.exchanges)
        text("protocol", record.applicationProtocol)
        tls(record.tls)
        text("close", record.close.name)
        direction("up", record.counts.up, record.costs.up, options)
        direction("down", record.counts.down, record.costs.down, options)
        integer("offload_hidden", record.offloadHidden)
        flags("flags", record.flags)
        range("clock_lead", record.clockLead)
    }

    private mutating func direction(
        _ name: StaticString, _ counts: DirectionCounts, _ costs: CostVector, _ options: ReportOptions
    ) {
        begin(name)
        integer("packets", counts.packets)
        integer("frames", counts.frames)
        integer("ip", counts.internet)
        integer("payload", counts.payload)
        integer("payload_new", counts.payloadNew)
        integer("payload_repeated", counts.payloadRepeated)
        integer("payload_refused", counts.payloadRefused)
        integer("unseen", counts.unseen)
        integer("syn", counts.syn)
        integer("fin", counts.fin)
        integer("rst", counts.rst)
        integer("retransmitted_segments", counts.retransmittedSegments)
        integer("out_of_order_segments", counts.outOfOrderSegments)
        self.costs(costs, options)
        end()
    }
}
