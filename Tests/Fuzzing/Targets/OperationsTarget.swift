import WireTesting

@testable import WireCore

/// What names the operations of calls: JSON-RPC, GraphQL, and the parameters of a query.
///
/// Input: a byte that chooses syntax, and whether the content is whole and the call told; then the content. Parameters are its
/// lines.
enum OperationsTarget: FuzzTarget {
    static let name = "operations"
    static let longestInput = 8192
    static let memory = Bound(fixed: 1 << 20, perByte: 200)
    static let work = Bound(fixed: 1 << 20, perByte: 4000)

    /// A name with the sign of its cut, in the brackets of a batch.
    private static let longestName = CallOperation.nameLimit + 5

    static func run(_ input: [UInt8]) {
        var choices = Choices(input)
        let choice = choices.byte()
        let operation = CallOperation(isWhole: choice & 1 != 0, isTold: choice & 2 != 0)
        let content = choices.rest()
        walk(content)
        let documents = unsafe GraphQLDocument.operations(content.span.bytes) ?? []
        demand(documents.count <= content.count, "\(documents.count) operations in \(content.count) bytes")
        demand(documents.allSatisfy { !$0.isEmpty }, "an operation without name")
        let name = name(operation, choice >> 2, content)
        demand(name == self.name(operation, choice >> 2, content), "the same content has two names")
        demand(name.map { 1...longestName ~= $0.count } ?? true, "a name of \(name?.count ?? 0) bytes")
    }

    private static func name(_ operation: CallOperation, _ syntax: Int, _ content: [UInt8]) -> [UInt8]? {
        switch syntax % 3 {
        case 0: return unsafe operation.name(content.span.bytes, .json)
        case 1: return unsafe operation.name(content.span.bytes, .graphQL)
        default:
            let lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
            return operation.name { parameter in
                let names = ["operationName", "query", "documentId", "extensions"]
                let place = names.firstIndex(of: parameter.description) ?? names.count
                return place < lines.count && !lines[place].isEmpty ? Array(lines[place]) : nil
            }
        }
    }

    /// Walks over the values of a text: each step goes on, and none behind its end.
    private static func walk(_ content: [UInt8]) {
        var cursor = JSONCursor()
        while unsafe cursor.peek(content.span.bytes) != nil {
            let before = cursor.offset
            guard unsafe cursor.skipValue(content.span.bytes) else { return }
            demand(cursor.offset > before, "a value of no bytes")
            demand(cursor.offset <= content.count, "a value ends behind the text")
        }
    }
}
