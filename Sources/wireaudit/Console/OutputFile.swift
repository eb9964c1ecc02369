import WireRecords
import WireReport

/// Where results go. A closed pipe ends the program quietly; any other failure ends it with a message and status 74.
///
/// A result that goes to a file takes that file's place when it is whole (`PendingFile`). What is followed while it is
/// written, as the records of a live capture are, is written in place.
final class OutputFile {
    let isTerminal: Bool
    let descriptor: Int32
    private let name: String
    private let pending: PendingFile?
    /// Said behind a refusal of the system, such as who it refused.
    private let refusalHint: String
    /// Called before bytes go out, for what else may stand on the terminal.
    var beforeWriting: () -> Void = {}
    /// Called once when nothing more can be written, with the status to end with; what is written later is dropped.
    /// Nil: the program ends there and then.
    var ending: ((ExitStatus) -> Void)?
    private var hasEnded = false
    private var isEmptied: Bool

    /// Standard output for nil and "-". What cannot be written is told here, before the long work begins.
    /// - Parameter isFollowed: others read the file while it is written.
    convenience init(path: String?, isFollowed: Bool = false, refusalHint: String = "") {
        guard let path, path != "-" else {
            self.init(Console.standardOutput, "standard output")
            return
        }
        let opened: (Int32, PendingFile?)
        switch OutputPlace(path: path) {
        case .descriptor(let number): opened = (System.duplicate(number), nil)
        case .special: opened = (System.openForWriting(path), nil)
        case .file where isFollowed: opened = (System.openForWriting(path), nil)
        case .file(let place): opened = Self.pending(place, path, refusalHint)
        case .failed(let code): opened = (-code, nil)
        }
        if opened.0 < 0 { Self.stop(path, -opened.0, refusalHint) }
        self.init(opened.0, path, pending: opened.1, refusalHint: refusalHint, isEmptied: !isFollowed)
    }

    /// Standard error, where standard output is taken.
    static var standardError: OutputFile { OutputFile(Console.standardError, "standard error") }

    private init(
        _ descriptor: Int32, _ name: String, pending: PendingFile? = nil, refusalHint: String = "",
        isEmptied: Bool = true
    ) {
        self.descriptor = descriptor
        self.name = name
        self.pending = pending
        self.refusalHint = refusalHint
        self.isEmptied = isEmptied
        isTerminal = System.isTerminal(descriptor)
        if !System.isOpenForWriting(descriptor) {
            Console.stop("cannot write \(printable(name)): it is closed", .output)
        }
    }

    private static func pending(_ place: String, _ path: String, _ refusalHint: String) -> (Int32, PendingFile?) {
        do throws(PendingFile.Failure) {
            let file = try PendingFile(path: place)
            return (file.descriptor, file)
        } catch {
            let isRefused = error.isFolder && System.isRefusal(error.code)
            stop(path, error.code, (isRefused ? " in its folder" : "") + refusalHint)
        }
    }

    /// How a table is to look there.
    func style(_ color: ColorChoice) -> TerminalStyle {
        Console.style(for: descriptor, isTerminal: isTerminal, color: color)
    }

    /// The old content of a file stays until there is something to replace it.
    func write(_ bytes: Span<UInt8>) {
        emptyOnce()
        guard !bytes.isEmpty, !hasEnded else { return }
        beforeWriting()
        check(System.write(bytes, to: descriptor))
    }

    /// Nothing more follows. Closing tells of errors that the system found late.
    func finish() {
        emptyOnce()
        guard !hasEnded else { return }
        guard let pending else { return check(System.close(descriptor)) }
        let (code, isKept) = pending.commit()
        fail(code, isKept ? "; the whole result is in \(printable(pending.temporaryPath))" : "")
    }

    private func emptyOnce() {
        guard !isEmptied else { return }
        isEmptied = true
        check(System.empty(descriptor))
    }

    private func check(_ code: Int32) {
        if code == System.brokenPipe { end(.done) } else { fail(code) }
    }

    private func fail(_ code: Int32, _ remark: String = "") {
        guard code != 0 else { return }
        beforeWriting()
        pending?.discard()
        Console.say(Self.message(name, code, refusalHint) + remark)
        end(.output)
    }

    private func end(_ status: ExitStatus) {
        guard let ending else { System.exit(status) }
        hasEnded = true
        ending(status)
    }

    private static func stop(_ name: String, _ code: Int32, _ refusalHint: String) -> Never {
        // Said here, so that the text is gone before the program ends: handed on to what never returns, it would be a leak.
        Console.say(message(name, code, refusalHint))
        System.exit(.output)
    }

    private static func message(_ name: String, _ code: Int32, _ refusalHint: String) -> String {
        "cannot write \(printable(name)): \(System.reason(code))" + (System.isRefusal(code) ? refusalHint : "")
    }
}
