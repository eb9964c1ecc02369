import Spelling
import Testing
import WireCore
import WireEstimates
import WireReport
import wireaudit

@Suite("Arguments")
struct ArgumentTests {
    private func invocation(_ arguments: [String]) throws -> Invocation {
        let request = try ArgumentParser.parse(arguments)
        guard case .run(let invocation) = request else {
            Issue.record("\(arguments) is no run")
            return try #require(nil)
        }
        return invocation
    }

    private func message(_ arguments: [String], files: Set<String> = ["a.pcap"]) -> String? {
        do throws(UsageError) {
            _ = try ArgumentParser.parse(arguments, exists: { files.contains($0) })
            return nil
        } catch {
            return error.message
        }
    }

    @Test("a file alone is audited with the defaults")
    func defaults() throws {
        let found = try invocation(["a.pcap"])
        #expect(found.command == .audit)
        #expect(found.files == ["a.pcap"])
        #expect(found.format == nil && found.output == nil && found.filter == nil)
        #expect(found.layer == .ip && found.setup == .first && found.color == .auto)
        #expect(found.keys.isEmpty)
        #expect(found.hosts.isEmpty && found.apis.isEmpty && found.templates.isEmpty)
        #expect(!found.undoesOffload && found.decodesBodies && !found.quiet && !found.verbose)
        #expect(found.top == 20)
    }

    @Test("every option is understood in each of its spellings")
    func options() throws {
        func check(_ arguments: [String], _ holds: (Invocation) -> Bool) throws {
            let found = try invocation(arguments + ["a.pcap"])
            #expect(holds(found), "\(arguments)")
        }
        for spelling in [["--format", "json"], ["--format=json"]] { try check(spelling) { $0.format == .json } }
        for spelling in [["-o", "x"], ["-ox"], ["--output", "x"], ["--output=x"]] {
            try check(spelling) { $0.output == "x" }
        }
        try check(["-o", "-"]) { $0.output == "-" }
        try check(["--layer", "link"]) { $0.layer == .link }
        try check(["--setup=even"]) { $0.setup == .even }
        try check(["--setup", "separate"]) { $0.setup == .separate }
        try check(["--filter", "tcp port 80"]) { $0.filter == "tcp port 80" }
        try check(["--keys", "a.log", "--keys=b.log"]) { $0.keys == ["a.log", "b.log"] }
        for command in ["exchanges", "connections", "accuracy"] {
            try check([command, "--keys", "a.log"]) { $0.keys == ["a.log"] && $0.command.rawValue == command }
        }
        try check(["check", "--max-bias", "5%", "--keys", "a.log"]) { $0.keys == ["a.log"] && $0.command == .check }
        try check(["--host", "a", "--host=b"]) { $0.hosts == ["a", "b"] }
        try check(["--api", "GET *", "--api", "x=y"]) { $0.apis == ["GET *", "x=y"] }
        try check(["--template", "/u/{n}", "--template=/v"]) { $0.templates == ["/u/{n}", "/v"] }
        try check(["--rpc", "off"]) { $0.operations.calls == .off }
        try check(["--rpc", "off", "--rpc", "auto"]) { $0.operations.calls == .recognized }
        try check(["--rpc", "/a", "--rpc=/b/*"]) { $0.operations.calls == .paths(["/a", "/b/*"]) }
        try check(["--name-by", "header:X-Op", "--name-by=header:y"]) { $0.operations.named == ["x-op", "y"] }
        try check(["--undo-offload"]) { $0.undoesOffload }
        try check(["exchanges", "--redact-query"]) { $0.redactsQuery }
        for (word, orders, window) in [
            ("auto", true, 1_000_000_000), ("off", false, 1_000_000_000), ("250ms", true, 250_000_000),
        ] as [(String, Bool, Int64)] {
            try check(["--reorder", word]) {
                $0.limits.audit.ordersDirections == orders && $0.limits.audit.reorderingWindow == window
            }
        }
        try check(["exchanges", "--no-body-decoding"]) { !$0.decodesBodies && $0.command == .exchanges }
        try check(["--top", "5"]) { $0.top == 5 }
        try check(["--top=all"]) { $0.top == nil }
        try check(["--limit", "apis=5", "--limit=idle-time=1s"]) {
            $0.limits.audit.apiLimit == 5 && $0.limits.audit.idleLimit == 1_000_000_000
        }
        try check(["--jobs", "8"]) { $0.files == ["a.pcap"] }
        try check(["--color", "never"]) { $0.color == .never }
        try check(["--quiet", "--verbose"]) { $0.quiet && $0.verbose }
        try check(["--layer", "link", "--layer", "ip"]) { $0.layer == .ip }
    }

    @Test("options may stand before the command, between files, and not after --")
    func places() throws {
        let found = try invocation([
            "--format", "csv", "connections", "a.pcap", "--quiet", "-", "--", "--top", "b.pcap",
        ])
        #expect(found.command == .connections && found.format == .csv && found.quiet)
        #expect(found.files == ["a.pcap", "-", "--top", "b.pcap"])
        #expect(try invocation(["./exchanges"]).files == ["./exchanges"])
        #expect(try invocation(["audit", "exchanges"]).files == ["exchanges"])
    }

    @Test("help and version ask for themselves; -h is brief")
    func help() throws {
        for (arguments, expected) in [
            (["--help"], nil), (["-h"], nil), (["help"], nil), (["help", "exchanges"], .exchanges),
            (["help", "help"], nil), (["exchanges", "--help"], .exchanges), (["exchanges", "-h"], .exchanges),
            (["--help", "connections", "a.pcap"], .connections),
        ] as [([String], Command?)] {
            guard case .help(let command, let isBrief) = try ArgumentParser.parse(arguments) else {
                Issue.record("\(arguments) is no help")
                continue
            }
            #expect(command == expected)
            #expect(isBrief == arguments.contains("-h"))
        }
        guard case .version = try ArgumentParser.parse(["--version"]) else {
            Issue.record("--version is not understood")
            return
        }
    }

    static let commandList =
        "commands are audit, exchanges, connections, accuracy, live, check, compare, annotate, merge, fleet, doctor, estimators, "
        + "interfaces, limits, schema, completion, manual, help, version"

    @Test(
        "wrong use is told in one line with the nearest valid word",
        arguments: [
            ([], "no capture file given (- reads standard input); 'wireaudit --help' shows how"),
            (["exchanges"], "no capture file given (- reads standard input); 'wireaudit --help' shows how"),
            ([""], "a file name is empty"),
            (["a.pcap", ""], "a file name is empty"),
            (["--fromat", "json", "a.pcap"], "unknown option '--fromat'; did you mean '--format'?"),
            (["--undo", "a.pcap"], "unknown option '--undo'; did you mean '--undo-offload'?"),
            (["--key", "k", "a.pcap"], "unknown option '--key'; did you mean '--keys'?"),
            (["-k", "k", "a.pcap"], "unknown option '-k'; did you mean '--keys'?"),
            (["--keys", "-", "a.pcap"], "--keys needs a file, standard input (-) is for captures"),
            (["--keys=", "a.pcap"], "--keys needs a value that is not empty"),
            (["--reorder", "on", "a.pcap"], "--reorder takes auto, off or a time such as 500ms or 10s, not 'on'"),
            (["--reorder=1ns", "a.pcap"], "--reorder takes auto, off or a time such as 500ms or 10s, not '1ns'"),
            (["--reorder=400d", "a.pcap"], "--reorder takes auto, off or a time such as 500ms or 10s, not '400d'"),
            (["a.pcap", "--keys"], "--keys needs a value"),
            (
                ["--rpc", "on", "a.pcap"],
                "--rpc takes auto, off or a path that begins with '/', such as /rpc or /api/*, not 'on'"
            ),
            (
                ["--name-by", "X-Op", "a.pcap"],
                "--name-by takes header: and the name of a field, such as header:X-Operation, not 'X-Op'"
            ),
            (
                ["--name-by", "header:X-Op", "--redact-header", "x-op", "a.pcap"],
                "--name-by shows the values of x-op, and --redact-header forbids it"
            ),
            (
                ["estimators", "--keys", "k"],
                "--keys is an option of audit, exchanges, connections, accuracy, live, check, compare, annotate, doctor, not of estimators"
            ),
            (["-q", "a.pcap"], "unknown option '-q'; did you mean '--quiet'?"),
            (["-x", "a.pcap"], "unknown option '-x'; 'wireaudit --help' lists them"),
            (["exchnages", "a.pcap"], "unknown command 'exchnages'; did you mean 'exchanges'?"),
            (["inspect", "a.pcap"], "unknown command 'inspect'; \(Self.commandList)"),
            (["acuracy", "a.pcap"], "unknown command 'acuracy'; did you mean 'accuracy'?"),
            (
                ["accuracy", "--sdk-format", "dm-cvs", "a.pcap"],
                "--sdk-format cannot be 'dm-cvs'; did you mean 'dm-csv'?"
            ),
            (["accuracy", "--max-bias", "5%", "a.pcap"], "--max-bias is an option of check, not of accuracy"),
            (
                ["accuracy", "--format", "xml", "a.pcap"],
                "--format cannot be 'xml'; it takes table, html, md, json, csv, ndjson, partial"
            ),
            (["estimators", "--sdk-log", "a"], "--sdk-log is an option of accuracy, check, not of estimators"),
            (["estimators", "dm", "har"], "'estimators' takes one name at most"),
            (["check"], "check needs bounds: a policy file, --max-… options or --baseline"),
            (
                ["check", "a.policy"],
                "no capture file given (- reads standard input); 'wireaudit --help' shows how"
            ),
            (
                ["check", "--max-bias", "5%"],
                "no capture file given (- reads standard input); 'wireaudit --help' shows how"
            ),
            (
                ["check", "a.pcap"],
                "no capture file given: 'a.pcap' was taken as the policy; put a policy before the captures, "
                    + "or give --max-… options"
            ),
            (["help", "conections"], "unknown command 'conections'; did you mean 'connections'?"),
            (["--format", "jsno", "a.pcap"], "--format cannot be 'jsno'; did you mean 'json'?"),
            (["--format", "xml", "a.pcap"], "--format cannot be 'xml'; it takes table, html, md, json, csv, partial"),
            (["exchanges", "--format", "json", "a.pcap"], "--format cannot be 'json'; did you mean 'ndjson'?"),
            (
                ["--format", "har", "a.pcap"],
                "--format of 'audit' takes table, html, md, json, csv, partial; har is a format of exchanges"
            ),
            (
                ["exchanges", "--format", "html", "a.pcap"],
                "--format of 'exchanges' takes table, ndjson, csv, har, otlp; html is a format of audit, accuracy, "
                    + "compare, merge"
            ),
            (["--layer", "tcp", "a.pcap"], "--layer cannot be 'tcp'; it takes ip, link"),
            (["--layer", "3", "a.pcap"], "--layer cannot be '3'; it takes ip, link"),
            (["--setup", "firts", "a.pcap"], "--setup cannot be 'firts'; did you mean 'first'?"),
            (["--color", "on", "a.pcap"], "--color cannot be 'on'; it takes auto, always, never"),
            (["--top", "0", "a.pcap"], "--top needs a positive number or 'all', not '0'"),
            (["--jobs=-1", "a.pcap"], "--jobs needs a positive number, not '-1'"),
            (["--jobs", "all", "a.pcap"], "--jobs needs a positive number, not 'all'"),
            (["a.pcap", "-o"], "-o needs a value"), (["a.pcap", "--filter"], "--filter needs a value"),
            (["--host=", "a.pcap"], "--host needs a value that is not empty"),
            (["--quiet=1", "a.pcap"], "--quiet takes no value"),
            (
                ["connections", "--top", "3", "a.pcap"],
                "--top is an option of audit, accuracy, live, compare, merge, not of connections"
            ),
            (["--no-body-decoding", "a.pcap"], "--no-body-decoding is an option of exchanges, live, not of audit"),
            (["-", "-"], "standard input (-) can be read once only"),
            (["--bad\noption", "a.pcap"], "unknown option '--bad\\x0aoption'; 'wireaudit --help' lists them"),
        ])
    func errors(arguments: [String], expected: String) {
        #expect(message(arguments) == expected)
        #expect(message(arguments)?.contains("\n") == false)
    }

    @Test("a missing file is left to the opening, unless its name looks like a command")
    func missingFiles() {
        #expect(message(["missing.pcap"]) == nil)
        #expect(message(["missing"]) == nil)
        #expect(message(["dir/exchange"]) == nil)
        #expect(message(["exchange"]) != nil)
        #expect(message(["exchange"], files: ["exchange"]) == nil)
    }

    @Test(
        "distances count edits and exchanged neighbours",
        arguments: [
            ("", "", 0), ("a", "", 1), ("json", "jsno", 1), ("json", "ndjson", 2), ("kitten", "sitting", 3),
            ("exchanges", "exchnages", 1),
        ])
    func distances(left: String, right: String, expected: Int) {
        #expect(editDistance(Array(left), Array(right)) == expected)
        #expect(editDistance(Array(right), Array(left)) == expected)
    }

    @Test("accuracy and check understand estimators, logs and bounds")
    func accuracyOptions() throws {
        func check(_ arguments: [String], _ holds: (Invocation) -> Bool) throws {
            #expect(holds(try invocation(arguments)), "\(arguments)")
        }
        try check([
            "accuracy", "--estimators", "dm:headers=min,har", "--sdk-log", "a.sqlite", "--sdk-log=b.har",
            "--no-recompression", "--jobs", "3", "--format", "html", "c.pcap",
        ]) {
            $0.command == .accuracy && $0.estimators == "dm:headers=min,har" && $0.sdkLogs == ["a.sqlite", "b.har"]
                && !$0.recompresses && $0.jobs == 3 && $0.format == .html && $0.files == ["c.pcap"]
        }
        try check(["check", "gate.txt", "a.pcap"]) { $0.policy == "gate.txt" && $0.files == ["a.pcap"] }
        try check(["check", "--max-bias", "5%", "a.pcap"]) {
            $0.policy == nil && $0.bounds.map(\.option) == ["--max-bias"] && $0.files == ["a.pcap"]
        }
        try check(["check", "--max-bias", "5%", "gate.policy", "a.pcap"]) {
            $0.policy == "gate.policy" && $0.bounds.count == 1 && $0.files == ["a.pcap"]
        }
        try check(["check", "--baseline", "old.json", "--tolerance", "1%", "a.pcap"]) {
            $0.baseline == "old.json" && $0.tolerance == "1%" && $0.policy == nil
        }
        try check(["estimators", "dm"]) { $0.command == .estimators && $0.estimators == "dm" && $0.files.isEmpty }
    }

    @Test("help fits 80 columns and names every option of its command")
    func helpText() {
        for command in [nil] + Command.allCases.map(Optional.some) {
            let text = HelpText.of(command)
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
            for option in Option.allCases where option.description.commands.contains(command ?? .audit) {
                #expect(text.contains("--" + option.rawValue))
            }
            #expect(text.contains("examples:"))
            let brief = HelpText.brief(command)
            #expect(brief.split(separator: "\n").allSatisfy { $0.count <= 80 })
            #expect(brief.count < text.count || text.count < 600)
            #expect(brief.contains(command.map { "wireaudit help \($0.rawValue)" } ?? "wireaudit --help"))
        }
    }

    @Test(
        "the ending of the output's name chooses the format where --format does not",
        arguments: [
            (["-o", "x.html", "a.pcap"], OutputFormat.html), (["-o", "x.HTM", "a.pcap"], .html),
            (["-o", "x.json", "a.pcap"], .json), (["exchanges", "-o", "x.csv", "a.pcap"], .csv),
            (["exchanges", "-o", "x.har", "a.pcap"], .har), (["exchanges", "-o", "x.json", "a.pcap"], .ndjson),
            (["exchanges", "-o", "x.csv", "--format", "har", "a.pcap"], .har),
            (["accuracy", "-o", "x.md", "a.pcap"], .md),
            (["-o", "x.csv", "a.pcap"], .csv), (["-o", "x.txt", "a.pcap"], nil), (["-o", "html", "a.pcap"], nil),
        ] as [([String], OutputFormat?)])
    func endings(arguments: [String], format: OutputFormat?) throws {
        #expect(try invocation(arguments).format == format)
    }

    @Test("-r names a capture as tcpdump has it, before or behind the command")
    func read() throws {
        #expect(try invocation(["-r", "a.pcap"]).files == ["a.pcap"])
        let found = try invocation(["-r", "a.pcap", "exchanges", "--format", "csv", "-rb.pcap"])
        #expect(found.command == .exchanges && found.files == ["a.pcap", "b.pcap"])
        let check = try invocation(["check", "-r", "a.pcap", "gate.policy"])
        #expect(check.policy == "gate.policy" && check.files == ["a.pcap"])
        #expect(message(["live", "-r", "a.pcap"])?.contains("-r is an option of audit") == true)
    }

    @Test("key logs behind --keys are what a shell made of a pattern; captures behind them are captures")
    func expandedKeys() throws {
        func parsed(_ arguments: [String]) throws -> Invocation? {
            let request = try ArgumentParser.parse(arguments, isKeyLog: { $0.hasSuffix(".keys") })
            guard case .run(let invocation) = request else { return nil }
            return invocation
        }
        let found = try parsed(["--keys", "a.keys", "b.keys", "c.keys", "x.pcap"])
        #expect(found?.keys == ["a.keys", "b.keys", "c.keys"] && found?.files == ["x.pcap"])
        let annotated = try parsed(["annotate", "--keys", "a.keys", "b.keys", "x.pcap", "-o", "-"])
        #expect(annotated?.keys == ["a.keys", "b.keys"] && annotated?.files == ["x.pcap"])
        #expect(try parsed(["x.pcap", "b.keys"])?.files == ["x.pcap", "b.keys"])
        #expect(try parsed(["--keys", "a.keys", "x.pcap", "b.keys"])?.keys == ["a.keys", "b.keys"])
    }

    @Test("a format spelled as an option points to --format, and 'version' is a word, too")
    func formatWords() throws {
        for format in ["json", "html", "csv", "md"] {
            #expect(message(["--\(format)", "a.pcap"])?.contains("--format \(format)") == true)
        }
        guard case .version = try ArgumentParser.parse(["version"]) else {
            Issue.record("no version")
            return
        }
    }
}
