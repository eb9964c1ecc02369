/// Where results go. A closed pipe ends the program quietly; any other failure ends it with a message and status 74.
final class OutputFile {
    let isTerminal: Bool
    let descriptor: Int32
    private let name: String
    /// Called before bytes go out, for what else may stand on the terminal.
    var beforeWriting: () -> Void = {}
    private var isEmptied = false

    /// Standard output for nil and "-".
    init(path: String?) {
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

    /// The old content of a file stays until there is something to replace it.
    func write(_ bytes: Span<UInt8>) {
        emptyOnce()
        guard !bytes.isEmpty else { return }
        beforeWriting()
        check(System.write(bytes, to: descriptor))
    }

    /// Nothing more follows. Closing tells of errors that the system found late.
    func finish() {
        emptyOnce()
        check(System.close(descriptor))
    }

    private func emptyOnce() {
        guard !isEmptied else { return }
        isEmptied = true
        check(System.empty(descriptor))
    }

    private func check(_ code: Int32) {
        if code == System.brokenPipe { System.exit(.done) }
        if code != 0 { fail(code) }
    }

    private func fail(_ code: Int32) -> Never {
        beforeWriting()
        Console.say("cannot write \(printable(name)): \(System.reason(code))")
        System.exit(.output)
    }
}
