/// One value of a database row, with the type that it has in that row.
public enum SQLiteValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case double(Double)
    /// As stored: UTF-8, unless whoever wrote it did not care.
    case text([UInt8])
    case blob([UInt8])
}

/// A table of a database, with its columns in their order.
public struct SQLiteTable: Sendable, Equatable {
    public var name: String
    public var columns: [String]
}

/// Why a database cannot be read at all.
public struct SQLiteError: Error, Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        case cannotOpen
        /// The file does not begin as SQLite databases do.
        case notADatabase
        case damaged
        /// Reading it could do harm, or takes more than is granted.
        case refused
        /// No private copy could be made of a database that has a write-ahead log or a rollback journal.
        case cannotCopy
    }

    public var kind: Kind
    /// One clause.
    public var reason: String
}
