import Platform

/// Other processes that run this program.
extension System {
    /// How a process ended.
    enum ProcessEnd: Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// Starts this program again with other arguments; standard input and output lead nowhere.
    /// - Parameters:
    ///   - errors: file for its standard error.
    ///   - signalMask: the signals that it blocks.
    /// - Returns: the process, or the negative error code.
    static func start(_ arguments: [String], errors: String, signalMask: sigset_t) -> Int32 {
        guard let program = executablePath() else { return -ENOENT }
        var actions = FileActions()
        actions.open(STDIN_FILENO, "/dev/null", O_RDONLY)
        actions.open(STDOUT_FILENO, "/dev/null", O_WRONLY)
        actions.open(STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC)
        return actions.spawn(program, arguments, signalMask: signalMask)
    }

    /// Whether no process could be started because there are too many, or too little memory is left.
    static func isShortage(_ code: Int32) -> Bool { code == EAGAIN || code == ENOMEM }

    /// Waits until a process that was started has ended; false without any. The process keeps its number.
    static func waitUntilAnyProcessEnds() -> Bool {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_ALL, 0, &information, WEXITED | WNOWAIT) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Takes a process that has ended from the system's list, without waiting; nil without any.
    static func takeEndedProcess() -> (process: Int32, end: ProcessEnd)? {
        var status: Int32 = 0
        let process = unsafe waitpid(-1, &status, WNOHANG)
        guard process > 0 else { return nil }
        let signal = status & 0x7F
        return (process, signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal))
    }

    /// Makes a folder unless it is there; 0, or the error code.
    static func makeFolder(_ path: String) -> Int32 {
        guard unsafe mkdir(systemName(path), 0o777) != 0 else { return 0 }
        let code = errno
        return code == EEXIST && fileKind(path) == .directory ? 0 : code
    }

    /// Locks a folder until this process ends; false where another has done that. Processes that it starts do not hold the
    /// lock. Where the file system has no locks, nothing is locked.
    static func lockFolder(_ path: String) -> Bool {
        let descriptor = unsafe open(systemName(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// Why nothing can be written to the folder: an error code; 0 where it can.
    static func writingCode(_ folder: String) -> Int32 {
        unsafe access(systemName(folder), W_OK | X_OK) == 0 ? 0 : errno
    }

    /// Size and time of the last change, by which a file is known again; nil without one.
    static func fileMark(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(systemName(path), &status) == 0 else { return nil }
        let time = status.modificationTime
        return "\(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
    }
}

/// What a new process does with its first descriptors.
@safe private struct FileActions: ~Copyable {
    private var actions: UnsafeMutablePointer<SpawnFileActions>
    private var texts: [UnsafeMutablePointer<CChar>]

    init() {
        unsafe texts = []
        unsafe actions = .allocate(capacity: 1)
        _ = unsafe posix_spawn_file_actions_init(actions)
    }

    deinit {
        _ = unsafe posix_spawn_file_actions_destroy(actions)
        unsafe actions.deallocate()
        for index in unsafe texts.indices { unsafe free(texts[index]) }
    }

    mutating func open(_ descriptor: Int32, _ path: String, _ flags: Int32) {
        let text = unsafe strdup(systemName(path))!
        unsafe texts.append(text)
        _ = unsafe posix_spawn_file_actions_addopen(actions, descriptor, text, flags, 0o666)
    }

    /// The process, or the negative error code.
    mutating func spawn(_ program: String, _ arguments: [String], signalMask: sigset_t) -> Int32 {
        var process: pid_t = 0
        var mask = signalMask
        let attributes = UnsafeMutablePointer<SpawnAttributes>.allocate(capacity: 1)
        _ = unsafe posix_spawnattr_init(attributes)
        defer {
            _ = unsafe posix_spawnattr_destroy(attributes)
            unsafe attributes.deallocate()
        }
        _ = unsafe posix_spawnattr_setsigmask(attributes, &mask)
        _ = unsafe posix_spawnattr_setflags(attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map {
            unsafe strdup(systemName($0))
        }
        unsafe pointers.append(nil)
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        let code = unsafe posix_spawn(&process, program, actions, attributes, &pointers, environ)
        return code == 0 ? process : -code
    }
}
