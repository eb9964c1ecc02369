import Foundation
import Testing
import WireLogs
import WireTesting
import wireaudit

@Suite("Completion scripts and manual pages")
struct ManualTests {
    @Test("each script names every option of every command", arguments: CompletedShell.allCases)
    func scriptsAreComplete(shell: CompletedShell) {
        let text = CompletionScript.text(for: shell)
        for option in Option.allCases {
            let name = shell == .fish ? "-l \(option.rawValue) " : "--\(option.rawValue)"
            #expect(text.contains(name), "\(option)")
        }
        for command in Command.allCases { #expect(text.contains(command.rawValue)) }
        for limit in Limit.all { #expect(text.contains(limit.name + "="), "\(limit.name)") }
    }

    @Test("bash reads its script, and completes by it")
    func bash() throws {
        let script = CompletionScript.text(for: .bash)
        let lines: [(words: [String], offered: String)] = [
            (["exchanges", "--format", "nd"], "ndjson"), (["exch"], "exchanges"), (["--laye"], "--layer"),
            (["check", "--max-w"], "--max-wire-per-call --max-wire"), (["--limit", "key-w"], "key-wait="),
        ]
        for line in lines {
            let words = (["wireaudit"] + line.words).map { "'\($0)'" }.joined(separator: " ")
            let run = try Self.shell(
                script
                    + "\nCOMP_WORDS=(\(words)); COMP_CWORD=\(line.words.count); _wireaudit\necho \"${COMPREPLY[*]}\"\n")
            #expect(run == line.offered + "\n", "\(line.words)")
        }
    }

    /// What bash prints when it runs the text.
    private static func shell(_ text: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["--norc", "-c", text]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test("a page has its sections, names every option, and nothing in it is an accidental request")
    func pages() {
        let requests = [".TH", ".SH", ".TP", ".B", ".BR", ".PP", ".EX", ".EE"]
        for command in [nil] + Command.allCases.map(Optional.some) {
            let text = ManualPage.text(of: command)
            for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"] {
                #expect(text.contains(".SH \(section)\n"), "\(String(describing: command))")
            }
            for option in Option.allCases where option.description.commands.contains(command ?? .audit) {
                let name = option.rawValue.replacing("-", with: "\\-")
                #expect(text.contains("\\fB\\-\\-\(name)\\fP"), "\(String(describing: command)) \(option)")
            }
            for line in text.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
                #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
            }
        }
    }

    @Test("help and the article on accuracy name every format of logs as the program does")
    func logFormats() throws {
        let help = HelpText.of(.accuracy).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/wireaudit/Documentation.docc/Accuracy.md")
        let article = try String(contentsOf: path.standardizedFileURL, encoding: .utf8)
        #expect(Set(SDKLogFormat.titles).count == SDKLogFormat.titles.count)
        for format in SDKLogFormat.allCases {
            #expect(help.contains(format.title), "\(format)")
            #expect(article.contains("\n| \(format.title) |"), "\(format)")
        }
    }

    @Test("the program prints them; wrong operands are usage errors")
    func program() throws {
        let page = try WireAuditProcess.run(["manual", "exchanges"])
        #expect(page.status == 0 && page.output == ManualPage.text(of: .exchanges))
        let script = try WireAuditProcess.run(["completion", "zsh"])
        #expect(script.status == 0 && script.output == CompletionScript.text(for: .zsh))
        let errors = [
            (["completion"], "'completion' needs the name of a shell: bash, zsh, fish"),
            (["completion", "nushell"], "the shell cannot be 'nushell'; it takes bash, zsh, fish"),
            (["manual", "exchange"], "unknown command 'exchange'; did you mean 'exchanges'?"),
            (["manual", "audit", "live"], "'manual' takes the name of one command"),
            (["manual", "--top", "3"], "--top is an option of audit, accuracy, live, compare, merge, not of manual"),
        ]
        for (arguments, expected) in errors {
            let run = try WireAuditProcess.run(arguments)
            #expect(run.status == 64 && run.errors == "wireaudit: \(expected)\n", "\(run.errors)")
        }
    }
}
