/// Where results go. A closed pipe ends the program quietly; any other failure ends it with a message and status 74.
final class OutputFile {
    let isTerminal: Bool
    let descriptor: Int32
    private let name: String
    /// Said behind a refusal of the system, such as who it refused.
    private let refusalHint: String
    /// Called before bytes go out, for what else may stand on the terminal.
    var beforeWriting: () -> Void = {}
    /// Called once when nothing more can be written, with the status to end with; what is written later is dropped.
    /// Nil: the program ends there and then.
    var ending: ((ExitStatus) -> Void)?
    private var hasEnded = false
    private var isEmptied = false

    /// Standard output for nil and "-".
    init(path: String?, refusalHint: String = "") {
        self.refusalHint = refusalHint
        if let path, path != "-" {
            name = path
            descriptor = System.openForWriting(path)
            isTerminal = descriptor >= 0 && System.isTerminal(descriptor)
            if descriptor < 0 { fail(-descriptor) }
        } else {
            name = "standard output"
            descriptor = Console.standardOutput
            isTerminal = System.isTerminal(descriptor)
            isEmptied = true
        }
    }

    /// Standard error, where standard output is taken.
    static var standardError: OutputFile { OutputFile(Console.standardError, "standard error") }

    private init(_ descriptor: Int32, _ name: String) {
        self.descriptor = descriptor
        self.name = name
        refusalHint = ""
        isTerminal = System.isTerminal(descriptor)
        isEmptied = true
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
        check(System.close(descriptor))
    }

    private func emptyOnce() {
        guard !isEmptied else { return }
        isEmptied = true
        check(System.empty(descriptor))
    }

    private func check(_ code: Int32) {
        guard code != 0 else { return }
        if code == System.brokenPipe { end(.done) } else { fail(code) }
    }

    private func fail(_ code: Int32) {
        beforeWriting()
        let hint = System.isRefusal(code) ? refusalHint : ""
        Console.say("cannot write \(printable(name)): \(System.reason(code))" + hint)
        end(.output)
    }

    private func end(_ status: ExitStatus) {
        guard let ending else { System.exit(status) }
        hasEnded = true
        ending(status)
    }
}
