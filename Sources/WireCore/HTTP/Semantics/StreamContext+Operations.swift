/// What messages say of the operation that they are about, in their heads, queries and bodies.
///
/// Methods here are mutating though some only read: one that borrows is called with a copy of the whole context.
extension StreamContext {
    /// A head of HTTP/1 is whole: its fields begin at `fields`.
    mutating func recordHead(
        _ bytes: RawSpan, fields: Int, _ type: Range<Int>?, of index: Int, _ role: MessageRole
    ) {
        recordContentType(bytes, type, of: index, role)
        guard role == .request, mayNameOperation(index) else { return }
        var operation: Range<Int>?
        var best = Int.max
        if naming.fields.areNamed || isSOAP(index) {
            _ = HeaderSection.forEachLine(bytes, from: fields) { line, _ in
                guard let colon = bytes.firstByte(0x3A, from: line.lowerBound), colon < line.upperBound,
                    let rank = naming.fields.rank(bytes, line.lowerBound..<colon), rank < best
                else { return }
                (best, operation) = (rank, HeaderSection.trimmed(bytes, colon + 1..<line.upperBound))
            }
        }
        recordOperation(
            bytes, field: operation, isNamed: naming.fields.isNamed(best), type: type, of: index)
    }

    mutating func recordContentType(_ bytes: RawSpan, _ type: Range<Int>?, of index: Int, _ role: MessageRole) {
        exchanges[index, role].mediaType = type.map { mediaTypes.number(bytes, $0) } ?? MediaTypes.none
    }

    /// The head of a request was read, with the value of a field that may name its operation: one that the user named, or that
    /// of SOAP.
    mutating func recordOperation(
        _ bytes: RawSpan, field: Range<Int>?, isNamed: Bool, type: Range<Int>?, of index: Int
    ) {
        guard isNamed || mayNameOperation(index) else { return }
        let isAction = isSOAP(index)
        var value = isNamed ? field : nil
        if value == nil, isAction {
            value = field ?? (naming.showsTypes ? type.flatMap { action(bytes, $0) } : nil)
        }
        var operation = value.map { bytes.array($0) } ?? []
        if operation.count > 1, operation.first == 0x22, operation.last == 0x22 {
            operation = operation.dropFirst().dropLast()
        }
        if operation.isEmpty, naming.readsQueries { operation = operationOfQuery(index) ?? [] }
        if !operation.isEmpty { exchanges[index].operation = CallOperation.limited(operation) }
    }

    /// A field, the media type or the query of a request may say what it asks for. Of most none does.
    @inline(__always)
    private mutating func mayNameOperation(_ index: Int) -> Bool {
        naming.fields.areNamed || mediaTypes.kind(exchanges[index].request.mediaType) == .soap
            || queryOfGraphQL(index) != nil
    }

    /// The query of a request by GET with a parameter of GraphQL.
    private mutating func queryOfGraphQL(_ index: Int) -> Range<Int>? {
        let start = exchanges[index].methodLength
        guard start == 3, naming.readsQueries else { return nil }
        let end = start + exchanges[index].targetLength
        let bytes = unsafe exchanges[index].text.span.bytes.extracting(0..<end)
        guard let mark = bytes.firstByte(0x3F, from: start), QueryParameters.mayBeGraphQL(bytes, mark + 1..<end),
            bytes.hasBytes("GET", at: 0)
        else { return nil }
        return mark + 1..<end
    }

    /// A call of SOAP, whose fields are read.
    private mutating func isSOAP(_ index: Int) -> Bool {
        guard mediaTypes.kind(exchanges[index].request.mediaType) == .soap, naming.isOn else { return false }
        return !naming.hasPaths || isTold(index)
    }

    /// The parameter `action` of the media type of SOAP 1.2 (RFC 3902 §2).
    private func action(_ bytes: RawSpan, _ type: Range<Int>) -> Range<Int>? {
        var offset = type.lowerBound
        while let mark = bytes.firstByte(0x3B, from: offset), mark < type.upperBound {
            let parameter = HeaderSection.trimmed(bytes, mark + 1..<type.upperBound)
            if parameter.count > 7, bytes.hasBytesIgnoringCase("action=", at: parameter.lowerBound) {
                let start = parameter.lowerBound + 7
                let isQuoted = bytes.u8(start) == 0x22
                let end = bytes.firstByte(isQuoted ? 0x22 : 0x3B, from: start + (isQuoted ? 1 : 0)) ?? type.upperBound
                return HeaderSection.trimmed(bytes, start..<min(end + (isQuoted ? 1 : 0), type.upperBound))
            }
            offset = mark + 1
        }
        return nil
    }

    /// The operation of a GraphQL request by GET.
    private mutating func operationOfQuery(_ index: Int) -> [UInt8]? {
        guard queryOfGraphQL(index) != nil else { return nil }
        let text = exchanges[index].text
        let start = exchanges[index].methodLength
        let target = Exchange.target(text, start..<start + exchanges[index].targetLength, .other)
        guard let query = target.query, naming.includes(path: text[target.path]) else { return nil }
        let bytes = unsafe text.span.bytes
        return CallOperation(isWhole: true, isTold: naming.hasPaths).name { name in
            QueryParameters.value(of: name, bytes, query)
        }
    }

    /// What the body of a message is kept for; nil where it is not.
    mutating func use(ofBody role: MessageRole, of index: Int, isIdentity: Bool) -> KeptBody.Use? {
        if role == .response {
            // Only records name it.
            guard keepsRecords, isIdentity else { return nil }
            return mediaTypes.kind(exchanges[index].response.mediaType) == .dnsMessage ? .dnsMessage : nil
        }
        let kind = mediaTypes.kind(exchanges[index].request.mediaType)
        let hasSyntax = kind == .json || kind == .graphQL || naming.hasPaths
        guard hasSyntax, naming.isOn, exchanges[index].operation.isEmpty, !naming.hasPaths || isTold(index) else {
            return nil
        }
        return .operation(kind == .graphQL ? .graphQL : .json, isTold: naming.hasPaths)
    }

    /// The user named the path of the request.
    private mutating func isTold(_ index: Int) -> Bool {
        let text = exchanges[index].text
        let start = exchanges[index].methodLength
        let target = Exchange.target(text, start..<start + exchanges[index].targetLength, .other)
        return naming.includes(path: text[target.path])
    }

    /// A body has ended.
    mutating func record(_ body: MessageBody.End, of index: Int, _ role: MessageRole) {
        if let examined = body.examined { exchanges[index, role].examined = examined }
        if let operation = body.operation, role == .request { exchanges[index].operation = operation }
    }
}
