/// What a GraphQL document (edition of October 2021, §2) calls its operation.
struct GraphQLDocument {
    private enum Token: Equatable {
        case name(Range<Int>)
        case mark(UInt8)
        case spread
        /// A number or a string.
        case value
        case end
        /// No token begins here, or its end is missing.
        case invalid
    }

    private var offset = 0

    /// The operations of a document: each by its name, else by its first field; where its selection begins with a fragment by its
    /// kind. Nil where the text is no document.
    static func operations(_ bytes: RawSpan) -> [[UInt8]]? {
        var document = GraphQLDocument()
        var names: [[UInt8]] = []
        while true {
            let token = document.next(bytes)
            if token == .end { return names }
            if case .name(let word) = token, isWord("fragment", bytes, word) {
                guard document.skipHead(bytes) != nil, document.skipBlock(bytes) else { return nil }
            } else {
                var kind = "query"
                guard let name = document.definition(token, bytes, &kind) else { return nil }
                names.append(name.isEmpty ? Array(kind.utf8) : bytes.array(name))
            }
        }
    }

    /// Reads an operation, of which the first token was read. Returns its name, or its first field; empty where it has neither.
    private mutating func definition(_ token: Token, _ bytes: RawSpan, _ kind: inout String) -> Range<Int>? {
        var name: Range<Int>?
        if case .name(let word) = token {
            guard
                let found = ["query", "mutation", "subscription"].first(where: {
                    GraphQLDocument.isWord($0, bytes, word)
                }),
                let head = skipHead(bytes)
            else { return nil }
            kind = found
            name = head.isEmpty ? nil : head
        } else if token != .mark(0x7B) {
            return nil
        }
        let field = firstField(bytes)
        return skipBlock(bytes) ? name ?? field : nil
    }

    /// Goes behind the brace that opens the selection of an operation or fragment. Returns the name before it, which may be
    /// empty; nil where something stands there that must not.
    private mutating func skipHead(_ bytes: RawSpan) -> Range<Int>? {
        var name = 0..<0
        var isFirst = true
        while true {
            switch next(bytes) {
            case .mark(0x7B): return name
            case .mark(0x28): if !skipBlock(bytes) { return nil }
            case .mark(0x40): guard case .name = next(bytes) else { return nil }
            case .name(let word) where isFirst: name = word
            case .name(let word) where GraphQLDocument.isWord("on", bytes, word):
                guard case .name = next(bytes) else { return nil }
            default: return nil
            }
            isFirst = false
        }
    }

    /// The field that a selection begins with, by its name in the schema; empty where a fragment is first.
    private func firstField(_ bytes: RawSpan) -> Range<Int> {
        var ahead = self
        guard case .name(let first) = ahead.next(bytes) else { return 0..<0 }
        guard ahead.next(bytes) == .mark(0x3A), case .name(let field) = ahead.next(bytes) else { return first }
        return field
    }

    /// Goes behind the end of what was opened; false where that is missing.
    private mutating func skipBlock(_ bytes: RawSpan) -> Bool {
        var depth = 1
        while depth > 0 {
            switch next(bytes) {
            case .mark(0x28), .mark(0x5B), .mark(0x7B): depth += 1
            case .mark(0x29), .mark(0x5D), .mark(0x7D): depth -= 1
            case .end, .invalid: return false
            default: break
            }
        }
        return true
    }

    // MARK: Tokens

    private mutating func next(_ bytes: RawSpan) -> Token {
        skipIgnored(bytes)
        guard offset < bytes.byteCount else { return .end }
        let byte = bytes.u8(offset)
        switch byte {
        case 0x41...0x5A, 0x5F, 0x61...0x7A:
            let start = offset
            while offset < bytes.byteCount, GraphQLDocument.isNameByte(bytes.u8(offset)) { offset += 1 }
            return .name(start..<offset)
        case 0x22: return skipString(bytes) ? .value : .invalid
        case 0x2D, 0x30...0x39:
            offset += 1
            while offset < bytes.byteCount, bytes.u8(offset) == 0x2E || GraphQLDocument.isNameByte(bytes.u8(offset)) {
                offset += 1
            }
            return .value
        case 0x2E:
            guard bytes.hasBytes("...", at: offset) else { return .invalid }
            offset += 3
            return .spread
        case 0x21, 0x24, 0x26, 0x28, 0x29, 0x3A, 0x3D, 0x40, 0x5B, 0x5D, 0x7B, 0x7C, 0x7D:
            offset += 1
            return .mark(byte)
        default: return .invalid
        }
    }

    /// White space, commas, comments and byte order marks mean nothing (§2.1.7).
    private mutating func skipIgnored(_ bytes: RawSpan) {
        while offset < bytes.byteCount {
            switch bytes.u8(offset) {
            case 0x09, 0x0A, 0x0D, 0x20, 0x2C: offset += 1
            case 0x23:
                while offset < bytes.byteCount, bytes.u8(offset) != 0x0A, bytes.u8(offset) != 0x0D { offset += 1 }
            case 0xEF where bytes.hasBytes("\u{FEFF}", at: offset): offset += 3
            default: return
            }
        }
    }

    /// A string, or one between three quotes, which may hold line ends and single quotes (§2.9.4).
    private mutating func skipString(_ bytes: RawSpan) -> Bool {
        let isBlock = bytes.hasBytes("\"\"\"", at: offset)
        offset += isBlock ? 3 : 1
        while offset < bytes.byteCount {
            if isBlock, bytes.hasBytes("\\\"\"\"", at: offset) {
                offset += 4
            } else if !isBlock, bytes.u8(offset) == 0x5C {
                offset += 2
            } else if isBlock ? bytes.hasBytes("\"\"\"", at: offset) : bytes.u8(offset) == 0x22 {
                offset += isBlock ? 3 : 1
                return true
            } else {
                offset += 1
            }
        }
        return false
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == 0x5F || byte.isASCIIDigit || (byte | 0x20) &- 0x61 < 26
    }

    private static func isWord(_ word: String, _ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        bytes.array(range).elementsEqual(word.utf8)
    }
}
