import WireNative

/// What exchanges and their servers are called in the tables and records.
extension ExchangeTracker {
    /// Longest name of an API or host in the tables, bytes; a longer one is cut.
    private static let nameLimit = 512

    /// The exchange's API and host, by what is known now.
    func names(of index: Int, _ context: borrowing StreamContext) -> (api: [UInt8], host: [UInt8]) {
        var text: [UInt8] = []
        let names = ExchangeTracker.appendNames(of: index, to: &text, server: serverText(context), context)
        return (Array(text[names.api]), Array(text[names.host]))
    }

    /// Appends the API, which holds the host's name; returns where they stand. Field by field, because a method of an
    /// exchange in the store would copy it; and of no tracker, for the same reason. `server`: the host of a request without one.
    static func appendNames(
        of index: Int, to names: inout [UInt8], server: @autoclosure () -> [UInt8], _ context: borrowing StreamContext
    ) -> (api: Range<Int>, host: Range<Int>) {
        let start = names.count
        let text = context.exchanges[index].text
        let kind = context.exchanges[index].methodKind
        let method = 0..<context.exchanges[index].methodLength
        let whole = method.upperBound..<method.upperBound + context.exchanges[index].targetLength
        let bytes = unsafe text.span.bytes
        let target = Exchange.target(text, whole, kind)
        if method.isEmpty { names.append(0x3F) } else { bytes.append(method, to: &names) }
        names.append(0x20)
        let hostStart = names.count
        Exchange.appendHostName(
            text, target.authority ?? whole.upperBound..<text.count, kind,
            isSecure: context.exchanges[index].isSecure, to: &names)
        if names.count == hostStart { names.append(contentsOf: server()) }
        context.template.redact(&names, from: hostStart)
        if names.count - hostStart > ExchangeTracker.nameLimit {
            names.removeLast(names.count - hostStart - ExchangeTracker.nameLimit)
        }
        let host = hostStart..<names.count
        if !target.path.isEmpty {
            names.append(0x20)
            context.template.append(bytes, target.path, to: &names)
        }
        if !context.exchanges[index].operation.isEmpty {
            names.append(0x20)
            names.append(contentsOf: context.exchanges[index].operation)
        }
        guard names.count - start > ExchangeTracker.nameLimit else { return (start..<names.count, host) }
        return ExchangeTracker.cut(&names, from: start, host)
    }

    /// Cuts an API's name that is too long, and keeps the host's as it is.
    private static func cut(
        _ names: inout [UInt8], from start: Int, _ host: Range<Int>
    ) -> (api: Range<Int>, host: Range<Int>) {
        // A copy: as a part of the names it would make them be copied when they change.
        let hostName = Array(names[host])
        names.removeLast(names.count - start - PathText.cut(names[start...], to: nameLimit))
        names.append(contentsOf: "…".utf8)
        let api = start..<names.count
        guard host.upperBound > start + nameLimit else { return (api, host) }
        names.append(contentsOf: hostName)
        return (api, api.upperBound..<names.count)
    }

    /// The server's DNS name, else its address; with the port where it is not that of a scheme.
    func serverText(_ context: borrowing StreamContext) -> [UInt8] {
        let server = connection.key.sender(of: client.opposite)
        let known = security?.handshake.known
        return server.text(name: connection.serverName(asked: known?.serverName, client: client, context))
    }
}

extension Endpoint {
    /// A server as tables name it: by its name, else by its address; with the port where it is not that of a scheme.
    func text(name: [UInt8]?) -> [UInt8] {
        let hasSchemePort = port == 80 || port == 443
        if let name { return hasSchemePort ? name : name + Array(":\(port)".utf8) }
        if hasSchemePort, !address.isVersion6 { return Array(address.description.utf8) }
        let text = description
        return Array(hasSchemePort ? text[..<text.lastIndex(of: ":")!].utf8 : text.utf8[...])
    }
}

extension ConnectionRecord {
    /// The name of the host whose row has the connection's own costs.
    public var hostName: [UInt8] { server.text(name: serverName) }
}
