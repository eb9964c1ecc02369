import Platform

/// A file, pipe or standard output that a capture is written to.
///
/// A regular file is locked as long as it is open, so that no second run writes into it, and it can be cut back. New
/// files are for their owner only: captures hold private data.
final class EvidenceFile {
    struct Failure: Error {
        var reason: String
        /// A file of that name is there already.
        var exists = false
    }

    /// What tells two files apart whatever their paths are.
    struct Identity: Equatable {
        var device: UInt64
        var node: UInt64
    }

    /// A pipe takes so many bytes at once when it takes any (POSIX `PIPE_BUF` on Linux).
    private static let pipePiece = 4096
    /// How long the reader of a pipe may not read, milliseconds. Nothing else is done meanwhile.
    private static let pipePatience: Int32 = 5000

    let path: String
    let identity: Identity
    let isRegular: Bool
    private let isPipe: Bool
    private var descriptor: Int32

    /// - Parameter isNew: no file of that name may be there; else its content is replaced.
    init(path: String, isNew: Bool) throws(Failure) {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (isNew ? O_EXCL : 0)
        let descriptor = path == "-" ? 1 : SystemCalls.open(path, flags, permissions: 0o600)
        guard descriptor >= 0 else { throw Failure(reason: SystemCalls.reason(), exists: errno == EEXIST) }
        var status = stat()
        let known = unsafe fstat(descriptor, &status) == 0
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(truncatingIfNeeded: status.st_ino))
        // What a shell connected to standard output may hold more than this capture.
        isRegular = known && path != "-" && status.st_mode & S_IFMT == S_IFREG
        isPipe = known && status.st_mode & S_IFMT == S_IFIFO
        self.descriptor = descriptor
        if let reason = known ? Self.problem(descriptor, isRegular: isRegular) : SystemCalls.reason() {
            _ = close()
            throw Failure(reason: reason)
        }
    }

    deinit { _ = close() }

    private static func problem(_ descriptor: Int32, isRegular: Bool) -> String? {
        if isatty(descriptor) == 1 { return "it is a terminal; name a file or a pipe" }
        guard isRegular else { return nil }
        // Some file systems have no locks: then the file is written without.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            return "another program is writing it"
        }
        return ftruncate(descriptor, 0) == 0 ? nil : SystemCalls.reason()
    }

    /// Writes all bytes, or as many as the system takes: how many, and why not all.
    func write(_ bytes: RawSpan) -> (count: Int, reason: String?) {
        unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                if isPipe, !waitUntilWritable(Self.pipePatience) { return (written, "no program reads from the pipe") }
                let end = isPipe ? min(written + Self.pipePiece, buffer.count) : buffer.count
                let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer[written..<end])
                let count = unsafe SystemCalls.write(descriptor, piece)
                if count > 0 {
                    written += count
                } else if count == 0 {
                    return (written, "the system accepts no more bytes")
                } else if errno == EAGAIN {
                    _ = waitUntilWritable(-1)
                } else if errno != EINTR {
                    return (written, SystemCalls.reason())
                }
            }
            return (written, nil)
        }
    }

    /// Takes back what lies behind so many bytes; a pipe has let it go.
    func cut(to length: Int) {
        guard isRegular else { return }
        _ = ftruncate(descriptor, off_t(length))
    }

    /// A regular file without a name: somebody deleted it, and its bytes go with this program.
    var isDeleted: Bool {
        guard isRegular else { return false }
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Why the system could not keep what was written; nil when it did.
    func close() -> String? {
        let open = descriptor
        descriptor = -1
        guard open >= 0, path != "-" else { return nil }
        return SystemCalls.close(open) == 0 || errno == EINTR ? nil : SystemCalls.reason()
    }

    /// Deletes a file, if it is still the one that had this identity. Why it could not be deleted; nil when it is gone.
    static func delete(_ path: String, _ identity: Identity) -> String? {
        var status = stat()
        guard unsafe lstat(systemName(path), &status) == 0 else { return errno == ENOENT ? nil : SystemCalls.reason() }
        let now = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(truncatingIfNeeded: status.st_ino))
        guard now == identity else { return "another file has taken its place" }
        return unsafe unlink(systemName(path)) == 0 || errno == ENOENT ? nil : SystemCalls.reason()
    }

    /// Within so many milliseconds; true also where writing would fail.
    private func waitUntilWritable(_ milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = unsafe poll(&entry, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }
}
