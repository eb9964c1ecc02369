import Platform
import Synchronization

/// A file on disk, a pipe or standard input, read from front to back.
///
/// A regular file may be put to sleep: its descriptor is closed and opened again where reading was, when the next bytes
/// are asked for. So an audit of any number of files keeps few of them open (`OpenFiles`).
package final class InputFile {
    enum ReadResult {
        case bytes(Int)
        case end
        case failed(reason: String)
    }

    /// What tells two files apart whatever their paths are.
    struct Identity: Hashable {
        var device: UInt64
        var node: UInt64
    }

    package enum Kind: Equatable {
        case regular, directory, other, missing
        /// It cannot be looked at, for the system's reason.
        case hidden(String)
    }

    /// What a path leads to.
    package static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe stat(systemName(path), &status) == 0 else {
            return errno == ENOENT || errno == ENOTDIR ? .missing : .hidden(SystemCalls.reason())
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .regular
        case S_IFDIR: return .directory
        default: return .other
        }
    }

    /// The first bytes of standard input where they were looked at, until somebody reads them.
    private static let held = Mutex<[UInt8]>([])

    /// The first bytes of standard input, at most so many; who reads it next gets them too. Waits for them.
    package static func firstBytesOfStandardInput(_ count: Int) -> [UInt8] {
        held.withLock { held in
            while held.count < count {
                var bytes = [UInt8](repeating: 0, count: count - held.count)
                let read = unsafe bytes.withUnsafeMutableBytes { unsafe SystemCalls.read(0, $0) }
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { break }
                held += bytes[..<read]
            }
            return held
        }
    }

    let path: String
    /// Bytes of a regular file when it was opened; nil for pipes and terminals, whose end is not known before.
    let size: Int?
    let identity: Identity
    /// Bytes read so far.
    private(set) var position = 0
    private var descriptor: Int32
    /// Weak, because it holds the files that are open.
    private weak var openFiles: OpenFiles?

    /// A regular file can be opened again; what a pipe gave once is gone.
    var isReopenable: Bool { size != nil && path != "-" }

    /// Opens a file, or takes standard input for "-".
    init(path: String, among openFiles: OpenFiles) throws(CaptureError) {
        self.path = path
        self.openFiles = openFiles
        descriptor = path == "-" ? 0 : Self.open(path, among: openFiles)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: SystemCalls.reason()) }
        var status = stat()
        let known = unsafe fstat(descriptor, &status) == 0
        let problem: String? =
            if !known { SystemCalls.reason() } else { Self.problem(of: status, descriptor: descriptor) }
        let isRegular = known && status.st_mode & S_IFMT == S_IFREG
        size = isRegular ? Int(status.st_size) : nil
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(truncatingIfNeeded: status.st_ino))
        if let problem {
            if path != "-" { _ = SystemCalls.close(descriptor) }
            descriptor = -1
            throw .cannotOpen(path: path, reason: problem)
        }
        openFiles.opened(self)
    }

    deinit {
        if descriptor > 0 { _ = SystemCalls.close(descriptor) }
    }

    /// Reads into `buffer[range]`; fewer bytes than fit are no end.
    func read(into buffer: inout [UInt8], _ range: Range<Int>) -> ReadResult {
        if descriptor < 0, let reason = reopen() { return .failed(reason: reason) }
        if descriptor == 0, let count = takeHeld(into: &buffer, range) { return .bytes(count) }
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe SystemCalls.read(descriptor, UnsafeMutableRawBufferPointer(rebasing: bytes[range]))
            }
            if count > 0 {
                position += count
                return .bytes(count)
            }
            if count == 0 { return .end }
            if errno != EINTR { return .failed(reason: SystemCalls.reason()) }
        }
    }

    /// Takes what was looked at; nil where nothing is held.
    private func takeHeld(into buffer: inout [UInt8], _ range: Range<Int>) -> Int? {
        let taken = InputFile.held.withLock { held in
            let taken = Array(held.prefix(range.count))
            held.removeFirst(taken.count)
            return taken
        }
        guard !taken.isEmpty else { return nil }
        buffer.replaceSubrange(range.lowerBound..<range.lowerBound + taken.count, with: taken)
        position += taken.count
        return taken.count
    }

    /// Closes the descriptor for good, or until the next `read` of a regular file.
    func close() {
        openFiles?.closed(self)
        suspend()
    }

    /// Closes the descriptor and starts over with the next `read`.
    func rewind() {
        close()
        position = 0
    }

    /// Closes the descriptor until the next `read`.
    func suspend() {
        if descriptor > 0 { _ = SystemCalls.close(descriptor) }
        descriptor = -1
    }

    /// Opens the file again where reading was; what went wrong, or nil.
    private func reopen() -> String? {
        guard isReopenable else { return "it was closed" }
        descriptor = Self.open(path, among: openFiles)
        guard descriptor >= 0 else { return SystemCalls.reason() }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, lseek(descriptor, off_t(position), SEEK_SET) >= 0 else {
            return SystemCalls.reason()
        }
        let now = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(truncatingIfNeeded: status.st_ino))
        guard now == identity else { return "it was replaced by another file while it was read" }
        openFiles?.opened(self)
        return nil
    }

    /// Where the system has no descriptor left, files that can be opened again go to sleep, one after the other.
    private static func open(_ path: String, among openFiles: OpenFiles?) -> Int32 {
        while true {
            let descriptor = SystemCalls.open(path, O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
            let code = errno
            guard code == EINTR || (code == EMFILE && openFiles?.suspendOldest() == true) else {
                errno = code
                return -1
            }
        }
    }

    private static func problem(of status: stat, descriptor: Int32) -> String? {
        if status.st_mode & S_IFMT == S_IFDIR { return "it is a directory; name the capture files in it" }
        if descriptor == 0, isatty(0) == 1 {
            return "it is a terminal; pipe a capture into it: tcpdump -w - | wireaudit -"
        }
        return nil
    }
}

/// Keeps the number of open descriptors small: beyond the limit the file opened longest ago goes to sleep.
package final class OpenFiles {
    package static let standardLimit = 64

    private let limit: Int
    private var files: [InputFile] = []

    init(limit: Int = OpenFiles.standardLimit) { self.limit = max(limit, 1) }

    func opened(_ file: InputFile) {
        _ = files.count < limit || suspendOldest()
        files.append(file)
    }

    /// False when no open file can go to sleep.
    func suspendOldest() -> Bool {
        guard let index = files.firstIndex(where: \.isReopenable) else { return false }
        files.remove(at: index).suspend()
        return true
    }

    func closed(_ file: InputFile) {
        files.removeAll { $0 === file }
    }
}
