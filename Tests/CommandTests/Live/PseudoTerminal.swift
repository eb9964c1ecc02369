import Platform
import Testing

/// A terminal without a person: `terminal` is what a program sees, `person` sees what it writes and types.
final class PseudoTerminal {
    private var person: Int32
    let terminal: Int32

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        person = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(person >= 0)
        terminal = unsafe open(try Self.unlock(person), O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
        _ = fcntl(person, F_SETFL, O_NONBLOCK)
        resize(columns: columns, rows: rows)
    }

    /// The terminal's path.
    private static func unlock(_ person: Int32) throws -> String {
        #if canImport(Darwin)
            try #require(grantpt(person) == 0 && unlockpt(person) == 0)
            let name = try unsafe #require(ptsname(person))
            return unsafe String(cString: name)
        #else
            // The calls of POSIX for it are not to be seen here: these are what they do (TIOCSPTLCK, TIOCGPTN).
            var lock: Int32 = 0
            var number: UInt32 = 0
            let isOpen = unsafe ioctl(person, 0x4004_5431, &lock) == 0 && ioctl(person, 0x8004_5430, &number) == 0
            try #require(isOpen)
            return "/dev/pts/\(number)"
        #endif
    }

    deinit {
        hangUp()
        _ = close(terminal)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(person, UInt(TIOCSWINSZ), &size)
    }

    /// The person goes away.
    func hangUp() {
        if person >= 0 { _ = close(person) }
        person = -1
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(person, bytes, bytes.count)
    }

    /// What was written and not yet seen, at most so many bytes.
    func see(limit: Int = .max) -> String {
        var seen: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while seen.count < limit {
            let count = unsafe read(person, &piece, min(piece.count, limit - seen.count))
            guard count > 0 else { break }
            seen += piece[..<count]
        }
        return String(decoding: seen, as: UTF8.self)
    }

    /// Flags of input, output and lines, and whether the descriptor waits.
    var modes: [UInt] {
        var modes = termios()
        _ = unsafe tcgetattr(terminal, &modes)
        return [
            UInt(modes.c_iflag), UInt(modes.c_oflag), UInt(modes.c_lflag), UInt(modes.c_cflag),
            UInt(fcntl(terminal, F_GETFL)),
        ]
    }

    func has(_ flag: some BinaryInteger) -> Bool { modes[2] & UInt(flag) != 0 }
}
