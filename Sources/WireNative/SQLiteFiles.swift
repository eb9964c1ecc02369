import CSQLite
import Platform

/// The files that make a database, without touching them more than reading does.
struct SQLiteFiles {
    /// What changes when a file is written.
    struct Print: Equatable {
        var size: Int
        var seconds: Int
        var nanoseconds: Int

        /// Of a regular file; nil where there is none.
        init?(_ path: String) {
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            size = Int(status.st_size)
            seconds = status.modificationTime.tv_sec
            nanoseconds = status.modificationTime.tv_nsec
        }
    }

    /// The database, with symbolic links resolved, because what lies beside it lies beside the file itself.
    let database: String
    static let magic = Array("SQLite format 3\0".utf8)
    /// A write-ahead log begins with a header; without a frame behind it there is nothing in it.
    private static let logHeaderSize = 32

    init(_ path: String) {
        database = SQLiteFiles.resolved(path)
    }

    /// Endings of the files beside the database that hold changes which are not in it, or must be undone.
    var sideFiles: [String] {
        var endings: [String] = []
        if let log = Print(database + "-wal"), log.size > SQLiteFiles.logHeaderSize { endings.append("-wal") }
        if SQLiteFiles.bytes(database + "-journal", 8) == SQLiteJournal.magic { endings.append("-journal") }
        return endings
    }

    var prints: [Print?] { ["", "-wal", "-journal"].map { Print(database + $0) } }

    private static func resolved(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Bytes of a regular file; fewer where it has fewer.
    static func bytes(_ path: String, _ count: Int, at offset: Int = 0) -> [UInt8] {
        guard Print(path) != nil else { return [] }
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { _ = close(file) }
        guard lseek(file, off_t(offset), SEEK_SET) >= 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        return Array(bytes[..<max(0, readSome(file, into: &bytes))])
    }

    /// One read: how many bytes it brought, negative on failure.
    static func readSome(_ file: Int32, into bytes: inout [UInt8]) -> Int {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Before queries, see `isReadingFault`.
    static func forgetErrors() { errno = 0 }

    /// A query ended because the system could not read. SQLite calls that damage where the reason is EIO.
    static func isReadingFault(_ code: Int32) -> Bool {
        code & 0xff == SQLITE_IOERR || code & 0xff == SQLITE_CORRUPT && errno == EIO
    }

    static var systemReason: String { unsafe String(cString: strerror(errno)) }
}

/// A folder of our own for a copy of a database. It goes with the object, with all that is in it.
final class SQLiteCopy {
    let folder: String
    private let hold: SignalHold?
    private var isRemoved = false
    var database: String { folder + "/log.sqlite" }

    /// - Parameter isBrief: it is removed again in a moment, and until then signals wait that would leave it behind.
    init(isBrief: Bool) throws(SQLiteError) {
        hold = isBrief ? SignalHold() : nil
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/wireaudit-XXXXXX").utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { bytes in
            unsafe bytes.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
        }
        guard made else {
            throw SQLiteError(
                kind: .cannotCopy,
                reason: "no folder for a copy of it can be made in \(parent): \(SQLiteFiles.systemReason)")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { remove() }

    /// Removes the files; what has them open can still read them. Once: then the names may be somebody else's.
    func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        for ending in ["", "-wal", "-journal", "-shm"] { unsafe unlink(database + ending) }
        unsafe rmdir(folder)
        hold?.release()
    }

    /// A signal came that ends the process: without a copy left behind.
    private func endIfAsked() {
        if hold?.isWaiting == true { remove() }
    }

    /// Copies a file into the folder, under the database's name with the ending.
    func add(_ ending: String, from path: String) throws(SQLiteError) {
        let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failure(SQLiteFiles.systemReason) }
        defer { _ = close(source) }
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        var failed: String?
        try add(ending) {
            let count = SQLiteFiles.readSome(source, into: &piece)
            if count < 0 { failed = SQLiteFiles.systemReason }
            return count > 0 ? Array(piece[..<count]) : nil
        }
        if let failed { throw failure(failed) }
    }

    /// Writes pieces as a file of the folder.
    func add(_ ending: String, pieces: () -> [UInt8]?) throws(SQLiteError) {
        let file = unsafe open(database + ending, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(SQLiteFiles.systemReason) }
        defer { _ = close(file) }
        while let piece = pieces() {
            endIfAsked()
            var written = 0
            while written < piece.count {
                let count = unsafe piece.withUnsafeBytes { bytes in
                    unsafe write(file, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure(SQLiteFiles.systemReason) }
                written += count
            }
        }
    }

    private func failure(_ reason: String) -> SQLiteError {
        SQLiteError(
            kind: .cannotCopy,
            reason: "it must be copied to be read, and that failed in \(folder): \(reason); TMPDIR names another place")
    }
}
