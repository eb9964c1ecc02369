import WireCore

extension FieldVisitor where Self: ~Copyable {
    /// `tls` of a connection: null without TLS. Every single value is a column of CSV too; lists are JSON's alone.
    package mutating func tls(_ facts: TLSFacts?) {
        guard begin("tls", "What TLS shows; null without TLS.", isKnown: facts != nil) else { return }
        session(facts)
        count(
            "compatibility_ccs", "change_cipher_spec records of TLS 1.3.",
            facts?.ifHandshakeWasRead(\.compatibilityRecords))
        bytes("certificate_bytes", "Certificate message of the server.", facts?.certificateBytes)
        count("tickets", "NewSessionTicket messages.", facts?.knownTickets)
        count("key_updates", "KeyUpdate messages.", facts?.knownKeyUpdates)
        alerts(facts?.alerts ?? [])
        begin("close_notify", "Whether each direction was closed with an alert.")
        boolean("up", "By the client.", facts?.knownCloseNotify(\.up))
        boolean("down", "By the server.", facts?.knownCloseNotify(\.down))
        end()
        begin("records", "Records.")
        count("up", "By the client.", facts?.directions.up.records)
        count("down", "By the server.", facts?.directions.down.records)
        end()
        begin("messages", "Handshake messages by name.")
        messages("up", "By the client.", facts?.directions.up.messages ?? [])
        messages("down", "By the server.", facts?.directions.down.messages ?? [])
        end()
        direction("up", "Client to server.", facts?.directions.up)
        direction("down", "Server to client.", facts?.directions.down)
        end()
    }

    private mutating func session(_ facts: TLSFacts?) {
        word(
            "version", TLSVersion.allCases.map(\.rawValue), "Version that the server chose.", facts?.version?.rawValue)
        text("cipher", "Registered name of the cipher suite.", facts?.cipher)
        text("alpn", "Protocol that the server chose.", facts?.applicationProtocol)
        describe("Protocols that the client offered.", .list(SchemaElement(.text)), isNullable: false)
        texts("offered_alpn", facts?.offeredProtocols ?? [])
        boolean("resumed", "The handshake resumed an earlier session.", facts?.wasResumed)
        word(
            "resumption", TLSResumption.allCases.map(\.rawValue), "Mechanism of the resumption.",
            facts?.resumption?.rawValue)
        boolean("decrypted", "Application data was decrypted.", facts?.isDecrypted)
        word(
            "blindness", TLSBlindness.allCases.map(\.rawValue), "Reason why application data was not decrypted.",
            facts?.blindness?.rawValue)
        text("server_name", "Name in the client's server_name extension.", facts?.serverName)
        word(
            "early_data", TLSEarlyData.allCases.map(\.rawValue), "What became of early data.",
            facts?.earlyData?.rawValue)
        boolean(
            "hello_retry", "The server asked for another ClientHello.",
            facts?.ifHandshakeWasRead(\.helloRetryRequested))
    }

    /// Bytes of records by the content type that they show: these parts add up to all of the direction's records.
    private mutating func direction(
        _ name: StaticString, _ meaning: @autoclosure () -> String, _ facts: TLSDirectionFacts?
    ) {
        begin(name, meaning())
        bytes(
            "handshake", "Handshake records, by the outer content type; record headers are included.", facts?.handshake)
        bytes("application_data", "application_data records.", facts?.applicationData)
        bytes("alert", "alert records.", facts?.alert)
        bytes("change_cipher_spec", "change_cipher_spec records.", facts?.changeCipherSpec)
        bytes("other", "Other records.", facts?.other)
        end()
    }

    private mutating func messages(
        _ name: StaticString, _ meaning: @autoclosure () -> String, _ messages: [TLSMessageCount]
    ) {
        describe(
            meaning(), .map(SchemaElement(.object([])), keys: "the name of a message"), isNullable: false)
        let blank = TLSMessageCount(type: 0, count: 0, bytes: 0)
        elements(name, messages, blank: blank, key: \.handshakeName) { visitor, message in
            visitor.count("count", "Messages.", message.count)
            visitor.bytes("bytes", "Bytes of the messages, with message headers.", message.bytes)
        }
    }

    private mutating func alerts(_ alerts: [TLSAlert]) {
        describe("Alerts that could be read.", .list(SchemaElement(.object([]))), isNullable: false)
        let blank = TLSAlert(isFromClient: true, level: 0, description: 0)
        elements("alerts", alerts, blank: blank, key: nil) { visitor, alert in
            visitor.word("direction", ["up", "down"], "Who sent it.", alert.isFromClient ? "up" : "down")
            visitor.text("level", "warning, fatal, …", alertLevelName(alert.level))
            visitor.text("description", "Name of the alert.", alertName(alert.description))
        }
    }
}

extension TLSMessageCount {
    fileprivate var handshakeName: String { WireRecords.handshakeName(type) }
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
