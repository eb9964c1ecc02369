import WireCore

extension FieldVisitor where Self: ~Copyable {
    /// The fields of `wireaudit.exchange/2`, in order.
    package mutating func exchange(_ record: ExchangeRecord, _ options: ReportOptions) {
        constant("schema", "wireaudit.exchange/2")
        text("file", record.file)
        integer("connection", record.connection)
        integer("exchange", record.exchange)
        integer("stream", record.stream)
        seconds("time", record.time)
        seconds("duration", record.knownDuration)
        seconds("ttfb", record.timeToFirstByte)
        endpoint("client", record.client)
        endpoint("server", record.server)
        text("transport", record.transport.rawValue)
        text("tls", record.tlsVersion)
        text("http", record.httpVersion)
        text("method", record.method)
        text("host", record.host.isEmpty ? nil : record.host)
        text("path", record.path)
        text("query", record.query)
        text("target", record.target)
        text("api", record.api.isEmpty ? nil : record.api)
        integer("status", record.status)
        let headers = record.decodedHeaders
        let inserted = record.insertedHeaders
        let body = record.decodedBody
        costs(
            "up", record.costs.up, options,
            decoded: DecodedSizes(headers: headers.up, inserted: inserted.up, body: body.up))
        costs(
            "down", record.costs.down, options,
            decoded: DecodedSizes(headers: headers.down, inserted: inserted.down, body: body.down))
        integer("unseen_bytes", record.unseenBytes)
        integer("offload_hidden", record.offloadHidden)
        message("request", record.request)
        message("response", record.response)
        flags("flags", record.flags)
        range("duration_range", record.durationRange)
        range("ttfb_range", record.timeToFirstByteRange)
        lookup(record.lookup)
        text("app", record.process?.app)
        text("process", record.process?.name)
        integer("pid", record.process?.pid)
        text("operation", record.operation)
        text("host_unicode", unicodeHost(record.host))
        unread(record.unread)
    }

    /// What records tell of a call that nobody could read.
    private mutating func unread(_ messages: UnreadMessages?) {
        guard begin("unread", isKnown: messages != nil) else { return }
        text("certainty", messages?.certainty.rawValue)
        bounds("up", messages?.up)
        bounds("down", messages?.down)
        end()
    }

    private mutating func bounds(_ name: StaticString, _ message: ClosedRange<Int>?) {
        begin(name)
        integer("message_low", message?.lowerBound)
        integer("message_high", message?.upperBound)
        end()
    }

    /// Where the server's address comes from. What that cost stands there, and in no sum here.
    package mutating func lookup(_ link: LookupLink?) {
        guard begin("lookup", isKnown: link != nil) else { return }
        integer("connection", link?.connection)
        integer("exchange", link?.exchange)
        end()
    }

    private mutating func message(_ name: StaticString, _ facts: MessageFacts?) {
        guard begin(name, isKnown: facts != nil) else { return }
        text("version", facts?.version)
        text("framing", facts?.framing.name)
        integer("interim", facts?.interim)
        boolean("complete", facts?.complete)
        text("content_type", facts?.contentType)
        end()
    }
}
