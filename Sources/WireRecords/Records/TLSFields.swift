import WireCore

extension FieldVisitor where Self: ~Copyable {
    /// `tls` of a connection: null without TLS. Every single value is a column of CSV too; lists are JSON's alone.
    package mutating func tls(_ facts: TLSFacts?) {
        guard begin("tls", isKnown: facts != nil) else { return }
        text("version", facts?.version?.rawValue)
        text("cipher", facts?.cipher)
        text("alpn", facts?.applicationProtocol)
        listed { $0.texts("offered_alpn", facts?.offeredProtocols ?? []) }
        boolean("resumed", facts?.wasResumed)
        text("resumption", facts?.resumption?.rawValue)
        boolean("decrypted", facts?.isDecrypted)
        text("blindness", facts?.blindness?.rawValue)
        text("server_name", facts?.serverName)
        text("early_data", facts?.earlyData?.rawValue)
        boolean("hello_retry", facts?.ifHandshakeWasRead(\.helloRetryRequested))
        integer("compatibility_ccs", facts?.ifHandshakeWasRead(\.compatibilityRecords))
        integer("certificate_bytes", facts?.certificateBytes)
        integer("tickets", facts?.knownTickets)
        integer("key_updates", facts?.knownKeyUpdates)
        listed { $0.alerts(facts?.alerts ?? []) }
        begin("close_notify")
        boolean("up", facts?.knownCloseNotify(\.up))
        boolean("down", facts?.knownCloseNotify(\.down))
        end()
        begin("records")
        integer("up", facts?.directions.up.records)
        integer("down", facts?.directions.down.records)
        end()
        listed { $0.messages(facts?.directions) }
        direction("up", facts?.directions.up)
        direction("down", facts?.directions.down)
        end()
    }

    /// Bytes of records by the content type that they show: these parts add up to all of the direction's records.
    private mutating func direction(_ name: StaticString, _ facts: TLSDirectionFacts?) {
        begin(name)
        integer("handshake", facts?.handshake)
        integer("application_data", facts?.applicationData)
        integer("alert", facts?.alert)
        integer("change_cipher_spec", facts?.changeCipherSpec)
        integer("other", facts?.other)
        end()
    }
}

extension JSONFields {
    fileprivate mutating func messages(_ directions: Directions<TLSDirectionFacts>?) {
        begin("messages")
        messages("up", directions?.up.messages ?? [])
        messages("down", directions?.down.messages ?? [])
        end()
    }

    private mutating func messages(_ name: StaticString, _ messages: [TLSMessageCount]) {
        begin(name)
        for message in messages {
            begin(name: handshakeName(message.type))
            integer("count", message.count)
            integer("bytes", message.bytes)
            end()
        }
        end()
    }

    fileprivate mutating func alerts(_ alerts: [TLSAlert]) {
        beginArray("alerts")
        for alert in alerts {
            beginElement()
            text("direction", alert.isFromClient ? "up" : "down")
            text("level", alertLevelName(alert.level))
            text("description", alertName(alert.description))
            end()
        }
        endArray()
    }
}

extension TLSFacts {
    /// Nil where the hellos that would tell were not read.
    fileprivate func ifHandshakeWasRead<Value>(_ fact: KeyPath<TLSFacts, Value>) -> Value? {
        handshakeWasRead ? self[keyPath: fact] : nil
    }

    /// Messages behind the handshake, which only keys show, could be read.
    private var showsLaterMessages: Bool { isDecrypted || (version == .tls13 && certificateBytes != nil) }

    /// TLS 1.3 sends tickets encrypted.
    fileprivate var knownTickets: Int? {
        handshakeWasRead && (version != .tls13 || showsLaterMessages) ? tickets : nil
    }

    /// Before TLS 1.3 there were none.
    fileprivate var knownKeyUpdates: Int? {
        handshakeWasRead && (version != .tls13 || showsLaterMessages) ? keyUpdates : nil
    }

    /// One that was seen was sent; that none was is known only where alerts can be read.
    fileprivate func knownCloseNotify(_ direction: KeyPath<Directions<Bool>, Bool>) -> Bool? {
        closeNotify[keyPath: direction] ? true : showsLaterMessages ? false : nil
    }

    fileprivate var wasResumed: Bool? { resumption != nil ? true : handshakeWasRead ? false : nil }
}
