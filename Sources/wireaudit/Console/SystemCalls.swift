import Platform

/// The few calls of the system that the command line needs, as safe functions.
package enum System {
    /// The words of the command line behind the program's name; names of files need not be UTF-8.
    static var arguments: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            guard let word = unsafe CommandLine.unsafeArgv[index] else { return nil }
            return unsafe fileName([UInt8](UnsafeRawBufferPointer(start: word, count: strlen(word))))
        }
    }

    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal; nil when it does not say.
    static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Why the path leads to no regular file that may be read; nil where it does.
    static func readingProblem(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(systemName(path), &status) == 0 else { return reason(errno) }
        switch status.st_mode & mode_t(S_IFMT) {
        case mode_t(S_IFREG): return unsafe access(systemName(path), R_OK) == 0 ? nil : reason(errno)
        case mode_t(S_IFDIR): return reason(EISDIR)
        default: return "it is not a regular file"
        }
    }

    /// Nanoseconds of a clock that only goes forward.
    static func monotonicTime() -> Int64 { time(CLOCK_MONOTONIC) }

    /// Nanoseconds since 1970-01-01 00:00 UTC, by a clock that can be set.
    static func wallTime() -> Int64 { time(CLOCK_REALTIME) }

    /// Processor time of this process, nanoseconds.
    static func processorTime() -> Int64 { time(CLOCK_PROCESS_CPUTIME_ID) }

    private static func time(_ clock: clockid_t) -> Int64 {
        var value = timespec()
        guard unsafe clock_gettime(clock, &value) == 0 else { return 0 }
        return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
    }

    enum FileContent {
        case content([UInt8])
        case tooLarge
        /// With the error code.
        case failed(Int32)
    }

    /// A whole small file.
    static func contents(of path: String, limit: Int) -> FileContent {
        let descriptor = unsafe open(systemName(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failed(errno) }
        defer { _ = close(descriptor) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe readSome($0, descriptor) }
            if count == 0 { return .content(content) }
            if count < 0 {
                if errno == EINTR { continue }
                return .failed(errno)
            }
            content += piece[..<count]
            if content.count > limit { return .tooLarge }
        }
    }

    private static func readSome(_ buffer: UnsafeMutableRawBufferPointer, _ descriptor: Int32) -> Int {
        unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }

    /// A closed pipe, and a file at the limit of its size, are then errors of `write`, which the program can speak of.
    static func ignoreFailedWrites() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }

    /// The system does not let this user.
    static func isRefusal(_ code: Int32) -> Bool { code == EACCES || code == EPERM }

    /// What the system says then.
    static var refusalReason: String { reason(EACCES) }

    static func reason(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    /// Writes all bytes; 0, or the error code.
    static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = unsafe Platform.write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                if count >= 0 {
                    written += count
                } else if errno == EAGAIN {
                    waitUntilWritable(descriptor)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    private static func waitUntilWritable(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
    }

    static func close(_ descriptor: Int32) -> Int32 {
        let result = Platform.close(descriptor)
        return result == 0 ? 0 : errno
    }

    /// An unfinished result goes with the program.
    static func exit(_ status: ExitStatus) -> Never {
        SuddenEnd.removeUnfinished()
        Platform.exit(status.rawValue)
    }
}
