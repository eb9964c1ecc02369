/// The header fields that name operations, those of most weight first. Shared: each field block has a reference to them.
final class OperationFields: Sendable {
    static let none = OperationFields(named: [], others: [])

    /// In lower case.
    private let names: [[UInt8]]
    private let namedCount: Int

    /// - Parameters:
    ///   - named: those that the user named, which come first.
    ///   - others: those of protocols.
    init(named: [String], others: [String]) {
        names = (named + others).map { $0.utf8.map(\.lowercasedASCII) }
        namedCount = named.count
    }

    /// The user named some.
    var areNamed: Bool { namedCount > 0 }

    /// The user named that of a place: it counts whatever the content is.
    func isNamed(_ rank: Int) -> Bool { rank < namedCount }

    /// The place of a field among them; nil where it is none.
    func rank(_ bytes: RawSpan, _ name: Range<Int>) -> Int? {
        for rank in names.indices where names[rank].count == name.count {
            if zip(names[rank], name).allSatisfy({ bytes.u8($1).lowercasedASCII == $0 }) { return rank }
        }
        return nil
    }
}
