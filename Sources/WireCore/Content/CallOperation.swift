import WireNative

/// The operation that the content of a request names: the method of JSON-RPC, the operation of GraphQL.
///
/// A name is given only where the content cannot mean another one. Of content that is cut that is often so, because the names
/// stand in front.
struct CallOperation {
    /// Content in which an operation may be named.
    enum Syntax: Sendable {
        case json, graphQL
    }

    /// Longest name, bytes; a longer one is cut.
    static let nameLimit = 128
    /// Bytes of a body that are read for it, as sent and decoded.
    static let contentLimit = 256 << 10
    /// Digits of a hash that stand for it.
    private static let hashDigits = 12

    /// All of the content is there.
    let isWhole: Bool
    /// The user says that the request is a call: names count without the marks of a protocol.
    let isTold: Bool

    /// The operation of a body; nil where it names none.
    func name(_ bytes: RawSpan, _ syntax: Syntax) -> [UInt8]? {
        switch syntax {
        case .graphQL: return isWhole ? CallOperation.onlyOperation(GraphQLDocument.operations(bytes)) : nil
        case .json:
            var cursor = JSONCursor(at: bytes.hasBytes("\u{FEFF}", at: 0) ? 3 : 0)
            return cursor.peek(bytes) == 0x5B ? batch(bytes, &cursor) : call(bytes, &cursor)
        }
    }

    /// The operation of a GraphQL request that stands in a query: `value` gives a parameter, decoded.
    func name(parameters value: (StaticString) -> [UInt8]?) -> [UInt8]? {
        var members = Members()
        members.operationName = value("operationName").map(CallOperation.limited)
        members.document = value("query")
        members.id = value("documentId")
        if let text = value("extensions") {
            var cursor = JSONCursor()
            unsafe members.readExtensions(text.span.bytes, &cursor)
        }
        return members.graphQLName(isWhole: true, isTold: isTold)
    }

    /// A document of several operations needs a name beside it.
    private static func onlyOperation(_ names: [[UInt8]]?) -> [UInt8]? {
        names?.count == 1 ? names?.first.map(limited) : nil
    }

    /// The different operations of a batch in the order of the alphabet, so that one set of them has one name.
    private func batch(_ bytes: RawSpan, _ cursor: inout JSONCursor) -> [UInt8]? {
        guard cursor.enter(bytes, 0x5B) else { return nil }
        var names: Set<[UInt8]> = []
        while cursor.nextElement(bytes) {
            guard let name = call(bytes, &cursor) else { return nil }
            names.insert(name)
        }
        // What a cut batch asked for behind the cut is not known. A call's own end was one of an object.
        guard cursor.isClosed, !names.isEmpty else { return nil }
        let list = names.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0x2C])
        return [0x5B] + CallOperation.limited(Array(list)) + [0x5D]
    }

    private func call(_ bytes: RawSpan, _ cursor: inout JSONCursor) -> [UInt8]? {
        guard cursor.enter(bytes, 0x7B) else { return nil }
        var members = Members()
        while let name = cursor.nextMember(bytes) {
            guard members.read(bytes, name, &cursor) else { break }
        }
        let isClosed = cursor.isClosed
        cursor = JSONCursor(at: cursor.offset)
        guard isClosed || !isWhole else { return nil }
        if let method = members.method, isTold || members.isRemoteCall { return method }
        return members.graphQLName(isWhole: isClosed, isTold: isTold)
    }

    /// A name, cut where it is too long, not within a character.
    static func limited(_ text: [UInt8]) -> [UInt8] {
        let end = PathText.cut(text, to: nameLimit)
        return end == text.count ? text : Array(text[..<end]) + Array("…".utf8)
    }

    /// The members of a call that matter. Of equal names the last counts, as most parsers have it.
    private struct Members {
        var method: [UInt8]?
        var operationName: [UInt8]?
        var document: [UInt8]?
        var hash: [UInt8]?
        var id: [UInt8]?
        private var hasVersion = false
        private var hasParameters = false
        private var hasNumber = false
        private var hasVariables = false

        /// JSON-RPC 2.0 names its version; JSON-RPC 1.0 has three members in each request.
        var isRemoteCall: Bool { hasVersion || (hasParameters && hasNumber) }

        /// Takes a member whose value is next; false where that has no end.
        mutating func read(_ bytes: RawSpan, _ range: Range<Int>, _ cursor: inout JSONCursor) -> Bool {
            let name = JSONCursor.text(bytes, range)
            let value = cursor
            guard cursor.skipValue(bytes) else { return false }
            var start = value
            switch String(decoding: name, as: UTF8.self) {
            case "jsonrpc": hasVersion = text(bytes, value) != nil
            case "method": method = text(bytes, value).map(CallOperation.limited)
            case "params": hasParameters = [0x5B, 0x7B].contains(start.peek(bytes))
            case "id": hasNumber = true
            case "operationName": operationName = text(bytes, value).map(CallOperation.limited)
            case "query": document = text(bytes, value)
            case "variables": hasVariables = start.peek(bytes) == 0x7B
            case "documentId": id = text(bytes, value)
            case "extensions": readExtensions(bytes, &start)
            default: break
            }
            return true
        }

        /// A string that is not empty; nil where another value stands.
        private func text(_ bytes: RawSpan, _ value: JSONCursor) -> [UInt8]? {
            var cursor = value
            return cursor.string(bytes).flatMap { $0.isEmpty ? nil : JSONCursor.text(bytes, $0) }
        }

        /// `{"persistedQuery": {"sha256Hash": …}}`
        mutating func readExtensions(_ bytes: RawSpan, _ cursor: inout JSONCursor) {
            guard cursor.enter(bytes, 0x7B) else { return }
            while let name = cursor.nextMember(bytes) {
                if bytes.array(name).elementsEqual("persistedQuery".utf8) {
                    var query = cursor
                    readHash(bytes, &query)
                }
                guard cursor.skipValue(bytes) else { return }
            }
        }

        private mutating func readHash(_ bytes: RawSpan, _ cursor: inout JSONCursor) {
            guard cursor.enter(bytes, 0x7B) else { return }
            while let name = cursor.nextMember(bytes) {
                var value = cursor
                if bytes.array(name).elementsEqual("sha256Hash".utf8) {
                    hash = value.string(bytes).map { JSONCursor.text(bytes, $0) }
                }
                guard cursor.skipValue(bytes) else { return }
            }
        }

        /// The name that the request gives; else what its only operation is called; else the hash or number of a document that
        /// the server knows.
        func graphQLName(isWhole: Bool, isTold: Bool) -> [UInt8]? {
            let operations = document.flatMap { unsafe GraphQLDocument.operations($0.span.bytes) }
            if let operationName {
                let hasDocument = document == nil ? hash != nil || id != nil || hasVariables : operations != nil
                return isTold || hasDocument ? operationName : nil
            }
            if let name = CallOperation.onlyOperation(operations) { return name }
            guard isWhole, document == nil else { return nil }
            if let hash, !hash.isEmpty { return Array("sha256:".utf8) + hash.prefix(CallOperation.hashDigits) }
            return id.map(CallOperation.shortened)
        }
    }

    /// A document's number as it is; a hash in it by its first digits.
    private static func shortened(_ id: [UInt8]) -> [UInt8] {
        let prefix = Array("sha256:".utf8)
        return id.starts(with: prefix) ? Array(id.prefix(prefix.count + hashDigits)) : limited(id)
    }
}
