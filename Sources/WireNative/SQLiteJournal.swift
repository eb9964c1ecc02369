/// The rollback journal beside a database (file format §3), looked at before SQLite plays it back.
///
/// Its last bytes may name a super-journal, the file of a transaction over several databases. SQLite deletes that file,
/// whatever it is, when it plays the journal back. Apps do not write their logs in such transactions.
enum SQLiteJournal {
    static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Why the journal is not played back; nil where it can be, and where there is none.
    static func fault(besides database: String) -> String? {
        let path = database + "-journal"
        guard let size = SQLiteFiles.Print(path)?.size, let databaseSize = SQLiteFiles.Print(database)?.size else {
            return nil
        }
        if SQLiteFiles.bytes(path, magic.count, at: max(0, size - magic.count)) == magic {
            return "names a super-journal, a file that playing it back would delete"
        }
        // SQLite ignores a journal without a whole header: nothing of its transaction is in the database yet.
        let header = SQLiteFiles.bytes(path, 28)
        guard header.count == 28 else { return nil }
        func number(_ offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let pages = number(16)
        let sectorSize = number(20)
        let pageSize = number(24)
        // The pages that the database had are in it still or in the journal.
        guard isPowerOfTwo(sectorSize, in: 32...65_536), isPowerOfTwo(pageSize, in: 512...65_536),
            pages * pageSize <= databaseSize + size
        else { return "has a header whose sizes contradict the files" }
        return nil
    }

    private static func isPowerOfTwo(_ number: Int, in range: ClosedRange<Int>) -> Bool {
        range.contains(number) && number.nonzeroBitCount == 1
    }
}
