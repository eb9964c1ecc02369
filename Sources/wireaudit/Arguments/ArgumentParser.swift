import Spelling
import WireEstimates
import WireRecords
import WireReport

/// Understands a command line. `exists` tells whether a file is there: it decides only which error is told. `isKeyLog`
/// looks into one: files behind `--keys` are what a shell made of a pattern.
package struct ArgumentParser {
    let exists: (String) -> Bool
    let isKeyLog: (String) -> Bool
    private var options: [(option: Option, value: String, spelling: String)] = []
    private var operands: [String] = []
    /// Of each operand, from the last on, the latest option before it that names a side.
    private var sides: [Option?] = []

    /// The request, or a `UsageError` of one line.
    package static func parse(
        _ arguments: [String], exists: @escaping (String) -> Bool = { _ in true },
        isKeyLog: @escaping (String) -> Bool = { _ in false }
    ) throws(UsageError) -> Request {
        var parser = ArgumentParser(exists: exists, isKeyLog: isKeyLog)
        try parser.split(arguments)
        // Behind all words, so that a command may follow them.
        for (option, value, _) in parser.options where option == .read { parser.addOperand(value) }
        return try parser.request()
    }

    // MARK: Splitting

    private mutating func split(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                for word in rest { addOperand(word) }
                return
            }
            if argument.hasPrefix("--") {
                try long(argument, &rest)
            } else if argument.hasPrefix("-"), argument != "-" {
                try short(argument, &rest)
            } else {
                addOperand(argument)
            }
        }
    }

    private mutating func addOperand(_ word: String) {
        if options.last?.option == .keys, isKeyLog(word) {
            options.append((.keys, word, "--keys"))
            return
        }
        operands.append(word)
        sides.append(options.last { $0.option == .before || $0.option == .after }?.option)
    }

    private mutating func long(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = Option.named(name) else {
            if let format = OutputFormat(rawValue: name) {
                throw UsageError(
                    message: "unknown option '--\(name)'; the format is chosen by --format \(format.rawValue)")
            }
            let near = nearestWord(to: name, among: Option.allCases.map(\.rawValue)).map { "--" + $0 }
            throw unknown("option", "--" + name, near: near)
        }
        try add(option, attached: parts.count > 1 ? String(parts[1]) : nil, spelling: "--" + name, &rest)
    }

    private mutating func short(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = Option.short(letter) else {
                let near = Option.allCases.first { $0.rawValue.first == letter }.map { "--" + $0.rawValue }
                throw unknown("option", "-\(letter)", near: near)
            }
            if case .none = option.description.value {
                options.append((option, "", "-\(letter)"))
            } else {
                try add(option, attached: letters.isEmpty ? nil : String(letters), spelling: "-\(letter)", &rest)
                return
            }
        }
    }

    private mutating func add(
        _ option: Option, attached: String?, spelling: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        if case .none = option.description.value {
            if attached != nil { throw UsageError(message: "\(spelling) takes no value") }
            options.append((option, "", spelling))
            return
        }
        guard let value = attached ?? rest.popFirst() else {
            throw UsageError(message: "\(spelling) needs a value")
        }
        options.append((option, value, spelling))
    }

    // MARK: Meaning

    private mutating func request() throws(UsageError) -> Request {
        if operands == ["version"] || options.contains(where: { $0.option == .version }) { return .version }
        let help = options.last { $0.option == .help }
        if operands.first == "help" {
            operands.removeFirst()
            guard let topic = operands.first, topic != "help" else { return .help(nil, isBrief: false) }
            guard let command = Command(rawValue: topic) else { throw unknownCommand(topic) }
            return .help(command, isBrief: false)
        }
        var invocation = Invocation()
        let named = operands.first.flatMap { Command(rawValue: $0) }
        if let named {
            invocation.command = named
            operands.removeFirst()
        }
        if let help { return .help(named, isBrief: help.spelling == "-h") }
        if named == nil, let first = operands.first { try checkIsNoCommand(first) }
        for (option, value, spelling) in options {
            try apply(option, value, spelling, to: &invocation)
        }
        if invocation.format == nil { invocation.format = invocation.formatOfOutput }
        try takeOperands(&invocation)
        try checkColumns(invocation)
        if let name = invocation.operations.named.first(where: invocation.redactedHeaders.contains) {
            throw UsageError(message: "--name-by shows the values of \(name), and --redact-header forbids it")
        }
        try checkExplanation(invocation)
        try checkPartial(invocation)
        try checkFleet(invocation)
        return .run(invocation)
    }

    /// Captures; before them a policy for `check`, or the name of an estimator.
    private mutating func takeOperands(_ invocation: inout Invocation) throws(UsageError) {
        if invocation.command == .estimators {
            guard operands.count <= 1 else { throw UsageError(message: "'estimators' takes one name at most") }
            invocation.estimators = operands.first
            return
        }
        if invocation.command == .completion { return try takeShell(&invocation) }
        if invocation.command == .schema { return try takeSchema(&invocation) }
        if invocation.command == .manual { return try takeTopic(&invocation) }
        if invocation.command == .interfaces || invocation.command == .limits {
            let command = invocation.command.rawValue
            guard operands.isEmpty else { throw UsageError(message: "'\(command)' takes options only") }
            return
        }
        if invocation.command == .live { return try checkLive(invocation, operands: operands) }
        if invocation.command == .check { try takePolicy(&invocation) }
        if invocation.command == .compare { try takeSides(&invocation) }
        guard !operands.isEmpty else { throw noPart(invocation) ?? noCapture(invocation) }
        if operands.contains("") { throw UsageError(message: "a file name is empty") }
        if operands.count(where: { $0 == "-" }) > 1 {
            throw UsageError(message: "standard input (-) can be read once only")
        }
        if invocation.command == .annotate {
            guard operands.count == 1 else { throw UsageError(message: "'annotate' takes one capture") }
            guard invocation.output != nil else {
                throw UsageError(message: "'annotate' needs -o OUT.pcapng, or -o - for standard output")
            }
        }
        invocation.files = operands
    }

    /// Two files, one for each side, or options that name sides with the files behind them.
    private mutating func takeSides(_ invocation: inout Invocation) throws(UsageError) {
        let hint = "; several files for a side: --before FILE... --after FILE..."
        if invocation.before.isEmpty, invocation.after.isEmpty {
            guard operands.count == 2 else {
                throw UsageError(message: "'compare' needs two captures or audits, before and after\(hint)")
            }
            (invocation.before, invocation.after) = ([operands[0]], [operands[1]])
            return
        }
        for (operand, side) in zip(operands, sides.suffix(operands.count)) {
            switch side {
            case .before?: invocation.before.append(operand)
            case .after?: invocation.after.append(operand)
            default: throw UsageError(message: "'\(printable(operand))' is on no side\(hint)")
            }
        }
        guard !invocation.before.isEmpty, !invocation.after.isEmpty else {
            let missing = invocation.before.isEmpty ? "before" : "after"
            throw UsageError(message: "'compare' has no --\(missing) files\(hint)")
        }
        operands = invocation.before + invocation.after
    }

    private func checkColumns(_ invocation: Invocation) throws(UsageError) {
        guard invocation.sdkColumns != nil, let format = invocation.sdkFormat, format != .columns else { return }
        throw UsageError(
            message:
                "--sdk-columns is for logs with columns of their own; leave out --sdk-format \(format.rawValue), or the columns"
        )
    }

    private func checkExplanation(_ invocation: Invocation) throws(UsageError) {
        guard invocation.explainedRow != nil else { return }
        guard !invocation.sdkLogs.isEmpty else {
            throw UsageError(message: "--explain-bounds is about a row of a log; give --sdk-log LOG")
        }
        guard invocation.format == nil || invocation.format == .table else {
            throw UsageError(message: "--explain-bounds is text; leave out --format")
        }
    }

    /// A partial result has sums that add up; what is found by looking at all calls of a capture at once does not.
    private func checkPartial(_ invocation: Invocation) throws(UsageError) {
        guard invocation.format == .partial, invocation.command != .merge else {
            if invocation.session == nil, invocation.records == nil { return }
            let option = invocation.session == nil ? "--records" : "--session"
            throw UsageError(message: "\(option) is for partial results; it needs --format partial")
        }
        if invocation.records != nil, invocation.session == nil {
            throw UsageError(message: "--records stores exchanges under the name of their session: give --session NAME")
        }
        if invocation.calibration != nil {
            throw UsageError(message: "--format partial has uncalibrated figures; leave out --calibration")
        }
        if !invocation.apps.isEmpty {
            throw UsageError(message: "--format partial has the sums of whole captures; leave out --app")
        }
        guard invocation.command == .audit else { return }
        if invocation.estimators != nil {
            throw UsageError(message: "estimators belong in 'wireaudit accuracy --format partial'")
        }
        if invocation.findsOpportunities || invocation.listsHeaderFields {
            throw UsageError(
                message: "--opportunities and --headers cannot be merged; leave them out of a partial result")
        }
    }

    private func noPart(_ invocation: Invocation) -> UsageError? {
        switch invocation.command {
        case .merge:
            UsageError(message: "no partial result given; 'wireaudit accuracy --format partial' writes them")
        case .fleet: UsageError(message: "no manifest given; 'wireaudit help fleet' shows what it is")
        default: nil
        }
    }

    /// One manifest, and a folder for the results.
    private func checkFleet(_ invocation: Invocation) throws(UsageError) {
        guard invocation.command == .fleet else { return }
        guard operands.count == 1, operands.first != "-" else {
            throw UsageError(message: "'fleet' takes one manifest, a file; its lines name the captures")
        }
        guard !invocation.plansOnly || invocation.from == nil else {
            throw UsageError(message: "--plan and --from cannot be used together")
        }
        guard invocation.output != nil || invocation.plansOnly else {
            throw UsageError(message: "'fleet' needs a folder for its results: -o FOLDER")
        }
    }

    private func noCapture(_ invocation: Invocation) -> UsageError {
        if let policy = invocation.policy, !policy.hasSuffix(".policy") {
            return UsageError(
                message: "no capture file given: '\(printable(policy))' was taken as the policy; "
                    + "put a policy before the captures, or give --max-… options")
        }
        return UsageError(message: "no capture file given (- reads standard input); 'wireaudit --help' shows how")
    }

    private func takeShell(_ invocation: inout Invocation) throws(UsageError) {
        let shells = CompletedShell.allCases.map(\.rawValue)
        guard operands.count == 1 else {
            throw UsageError(message: "'completion' needs the name of a shell: " + shells.joined(separator: ", "))
        }
        invocation.shell = try word(operands[0], of: CompletedShell.allCases, "the shell")
    }

    private func takeSchema(_ invocation: inout Invocation) throws(UsageError) {
        guard operands.count <= 1 else { throw UsageError(message: "'schema' takes the name of one output") }
        guard let name = operands.first else {
            if invocation.format == .json {
                throw UsageError(message: "'schema --format json' needs the name of an output")
            }
            return
        }
        guard let schema = OutputSchema.named(name) else {
            let names = OutputSchema.all.map(\.name)
            let hint = nearestWord(to: name, among: names).map { "did you mean '\($0)'?" }
            throw UsageError(
                message: "there is no output named '\(printable(name))'; "
                    + (hint ?? "there are " + names.joined(separator: ", ")))
        }
        invocation.schema = schema
    }

    private func takeTopic(_ invocation: inout Invocation) throws(UsageError) {
        guard operands.count <= 1 else { throw UsageError(message: "'manual' takes the name of one command") }
        guard let topic = operands.first else { return }
        guard let command = Command(rawValue: topic) else { throw unknownCommand(topic) }
        invocation.topic = command
    }

    /// The first operand is a policy where no option gives a bound, and wherever its name ends in `.policy`.
    private mutating func takePolicy(_ invocation: inout Invocation) throws(UsageError) {
        let hasBounds = !invocation.bounds.isEmpty || invocation.baseline != nil
        guard !hasBounds || operands.first?.hasSuffix(".policy") == true else { return }
        guard let policy = operands.first else {
            throw UsageError(message: "check needs bounds: a policy file, --max-… options or --baseline")
        }
        invocation.policy = policy
        operands.removeFirst()
    }

    /// A first word that is no file, and looks like a command or stands before a file that is there, is a wrong
    /// command.
    private func checkIsNoCommand(_ word: String) throws(UsageError) {
        guard word != "-", !word.contains("/"), !word.contains("."), !exists(word) else { return }
        let isNear = nearestWord(to: word, among: commandWords) != nil
        if isNear || operands.dropFirst().contains(where: { $0 == "-" || exists($0) }) {
            throw unknownCommand(word)
        }
    }

    private func unknownCommand(_ word: String) -> UsageError {
        if let near = nearestWord(to: word, among: commandWords) { return unknown("command", word, near: near) }
        return UsageError(
            message: "unknown command '\(printable(word))'; commands are " + commandWords.joined(separator: ", "))
    }

    private var commandWords: [String] { Command.allCases.map(\.rawValue) + ["help", "version"] }

    private func unknown(_ kind: String, _ word: String, near: String?) -> UsageError {
        let hint = near.map { "did you mean '\($0)'?" } ?? "'wireaudit --help' lists them"
        return UsageError(message: "unknown \(kind) '\(printable(word))'; \(hint)")
    }
}

/// A word of somebody else in a message.
func printable(_ word: String) -> String { displayText(word, hosts: false) }
