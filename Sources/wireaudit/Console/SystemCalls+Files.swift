import Platform

/// What is done with files by their names.
extension System {
    static let brokenPipe = EPIPE
    static let isDirectory = EISDIR
    static let noSuchFile = ENOENT
    static let tooManyLinks = ELOOP
    static let fileExistsCode = EEXIST
    static let notPermitted = EPERM

    static var processNumber: Int32 { getpid() }

    enum FileKind: Equatable {
        case regular, directory, other, missing
        /// It cannot be looked at; the error code.
        case failed(Int32)
    }

    /// What a path leads to.
    static func fileKind(_ path: String) -> FileKind {
        var status = stat()
        guard unsafe stat(systemName(path), &status) == 0 else { return errno == ENOENT ? .missing : .failed(errno) }
        switch status.st_mode & mode_t(S_IFMT) {
        case mode_t(S_IFREG): return .regular
        case mode_t(S_IFDIR): return .directory
        default: return .other
        }
    }

    static func fileExists(_ path: String) -> Bool { unsafe access(systemName(path), F_OK) == 0 }

    /// A pipe with a name.
    static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(systemName(path), &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFIFO)
    }

    /// Standard input, or a pipe with a name, ends when its writer does.
    static func isInputPipe(_ path: String) -> Bool {
        guard path == "-" else { return isPipe(path) }
        var status = stat()
        guard unsafe fstat(STDIN_FILENO, &status) == 0 else { return false }
        let kind = status.st_mode & mode_t(S_IFMT)
        return kind == mode_t(S_IFIFO) || kind == mode_t(S_IFSOCK)
    }

    /// Both paths lead to the same regular file.
    static func isSameFile(_ left: String, _ right: String) -> Bool { isSame(left, right, mode_t(S_IFREG)) }

    static func isSameFolder(_ left: String, _ right: String) -> Bool { isSame(left, right, mode_t(S_IFDIR)) }

    private static func isSame(_ left: String, _ right: String, _ kind: mode_t) -> Bool {
        var (first, second) = (stat(), stat())
        guard unsafe stat(systemName(left), &first) == 0 && stat(systemName(right), &second) == 0 else { return false }
        return first.st_mode & mode_t(S_IFMT) == kind && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// What a symbolic link says; nil for what is none.
    static func linkTarget(_ path: String) -> String? {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, initialized in
            count = unsafe buffer.withMemoryRebound(to: CChar.self) {
                unsafe readlink(systemName(path), $0.baseAddress!, $0.count)
            }
            initialized = max(count, 0)
        }
        return count > 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Opens a pipe or a device, or a regular file without emptying it: the descriptor, or the negative error code.
    static func openForWriting(_ path: String) -> Int32 {
        while true {
            let descriptor = unsafe open(systemName(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { return -errno }
        }
    }

    /// Makes a file that was not there: the descriptor, or the negative error code.
    static func create(_ path: String, permissions: mode_t) -> Int32 {
        let descriptor = unsafe open(systemName(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
        return descriptor >= 0 ? descriptor : -errno
    }

    /// Another descriptor of the same file, or the negative error code.
    static func duplicate(_ descriptor: Int32) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        return copy >= 0 ? copy : -errno
    }

    /// Names in a folder without `.` and `..`, in any order; none where it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(systemName(folder)) else { return [] }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { text in
                unsafe text.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: text.pointee)) {
                    unsafe String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes a folder that is empty; whether it could.
    static func removeFolder(_ path: String) -> Bool { unsafe rmdir(systemName(path)) == 0 }

    static func remove(_ path: String) -> Int32 { unsafe unlink(systemName(path)) == 0 ? 0 : errno }

    static func rename(_ path: String, to place: String) -> Int32 {
        unsafe Platform.rename(systemName(path), systemName(place)) == 0 ? 0 : errno
    }

    /// Empties a regular file; 0, or the error code. Pipes and devices have nothing to empty.
    static func empty(_ descriptor: Int32) -> Int32 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return errno }
        guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else { return 0 }
        return ftruncate(descriptor, 0) == 0 ? 0 : errno
    }
}

// MARK: Owners and permissions

extension System {
    /// Whose a file is, and who may do what with it.
    struct Ownership {
        var user: uid_t
        var group: gid_t
        var permissions: mode_t
    }

    static func ownership(_ path: String) -> Ownership? {
        var status = stat()
        guard unsafe stat(systemName(path), &status) == 0 else { return nil }
        return Ownership(user: status.st_uid, group: status.st_gid, permissions: status.st_mode & 0o777)
    }

    /// Gives a new file the owner and the permissions of another, as far as this user may. Where the group cannot be the
    /// same one, it may do what all others may, and no more.
    static func setOwner(_ descriptor: Int32, as old: Ownership) {
        var permissions = old.permissions
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return }
        if status.st_gid != old.group, fchown(descriptor, uid_t.max, old.group) != 0 {
            permissions &= 0o707 | (permissions & 0o007) << 3
        }
        if status.st_uid != old.user { _ = fchown(descriptor, old.user, gid_t.max) }
        _ = fchmod(descriptor, permissions)
    }

    /// Why a file may not be written; 0 where it may. Nothing is changed.
    static func writingProblem(_ path: String) -> Int32 {
        let descriptor = unsafe open(systemName(path), O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        return descriptor >= 0 ? close(descriptor) : errno
    }

    /// In a folder such as /tmp only the owner of a file, or of the folder, may put another one in its place.
    static func mayReplace(_ path: String, in folder: String) -> Bool {
        var (file, place) = (stat(), stat())
        guard unsafe stat(systemName(path), &file) == 0 && stat(systemName(folder), &place) == 0 else { return true }
        let user = geteuid()
        return place.st_mode & mode_t(S_ISVTX) == 0 || user == 0 || user == file.st_uid || user == place.st_uid
    }
}

// MARK: Standard streams

extension System {
    /// The first descriptors that a program without standard streams opens would be taken for them: messages would go
    /// into results. Places that cannot be read and written are put there instead.
    static func fillStandardStreams() {
        for (number, flags) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one.
            _ = unsafe open("/dev/null", flags)
        }
    }

    /// Something can be written to the descriptor.
    static func isOpenForWriting(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_RDONLY
    }
}
