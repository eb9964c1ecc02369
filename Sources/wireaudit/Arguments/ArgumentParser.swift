import WireCore
import WireReport

/// Understands a command line. `exists` tells whether a file is there: it decides only which error is told.
package struct ArgumentParser {
    let exists: (String) -> Bool
    private var options: [(option: Option, value: String, spelling: String)] = []
    private var operands: [String] = []

    init(exists: @escaping (String) -> Bool) { self.exists = exists }

    /// The request, or a `UsageError` of one line.
    package static func parse(
        _ arguments: [String], exists: @escaping (String) -> Bool = { _ in true }
    ) throws(UsageError) -> Request {
        var parser = ArgumentParser(exists: exists)
        try parser.split(arguments)
        return try parser.request()
    }

    // MARK: Splitting

    private mutating func split(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                return
            }
            if argument.hasPrefix("--") {
                try long(argument, &rest)
            } else if argument.hasPrefix("-"), argument != "-" {
                try short(argument, &rest)
            } else {
                operands.append(argument)
            }
        }
    }

    private mutating func long(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = Option.named(name) else {
            let near = suggestion(for: name, among: Option.allCases.map(\.rawValue)).map { "--" + $0 }
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
        if options.contains(where: { $0.option == .version }) { return .version }
        let wantsHelp = options.contains { $0.option == .help }
        if operands.first == "help" {
            operands.removeFirst()
            guard let topic = operands.first else { return .help(nil) }
            guard let command = Command(rawValue: topic) else { throw unknownCommand(topic) }
            return .help(command)
        }
        var invocation = Invocation()
        let named = operands.first.flatMap { Command(rawValue: $0) }
        if let named {
            invocation.command = named
            operands.removeFirst()
        }
        if wantsHelp { return .help(named) }
        if named == nil, let first = operands.first { try checkIsNoCommand(first) }
        for (option, value, spelling) in options {
            try apply(option, value, spelling, to: &invocation)
        }
        guard !operands.isEmpty else {
            throw UsageError(message: "no capture file given; 'wireaudit --help' shows how")
        }
        if operands.count(where: { $0 == "-" }) > 1 {
            throw UsageError(message: "standard input (-) can be read once only")
        }
        invocation.files = operands
        return .run(invocation)
    }

    /// A first word that is no file, and looks like a command or stands before a file that is there, is a wrong
    /// command.
    private func checkIsNoCommand(_ word: String) throws(UsageError) {
        guard word != "-", !word.contains("/"), !word.contains("."), !exists(word) else { return }
        let isNear = suggestion(for: word, among: commandWords) != nil
        if isNear || operands.dropFirst().contains(where: { $0 == "-" || exists($0) }) {
            throw unknownCommand(word)
        }
    }

    private func unknownCommand(_ word: String) -> UsageError {
        if let near = suggestion(for: word, among: commandWords) { return unknown("command", word, near: near) }
        return UsageError(
            message: "unknown command '\(printable(word))'; commands are " + commandWords.joined(separator: ", "))
    }

    private var commandWords: [String] { Command.allCases.map(\.rawValue) + ["help"] }

    private func unknown(_ kind: String, _ word: String, near: String?) -> UsageError {
        let hint = near.map { "did you mean '\($0)'?" } ?? "'wireaudit --help' lists them"
        return UsageError(message: "unknown \(kind) '\(printable(word))'; \(hint)")
    }
}

// MARK: Values

extension ArgumentParser {
    private func apply(
        _ option: Option, _ value: String, _ spelling: String, to invocation: inout Invocation
    ) throws(UsageError) {
        let command = invocation.command
        guard option.description.commands.contains(command) else {
            let owners = option.description.commands.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "\(spelling) is an option of \(owners), not of \(command.rawValue)")
        }
        switch option {
        case .format: invocation.format = try word(value, of: command.formats, spelling)
        case .layer: invocation.layer = try word(value, of: WireLayer.allCases, spelling)
        case .setup: invocation.setup = try word(value, of: SetupPolicy.allCases, spelling)
        case .color: invocation.color = try word(value, of: ColorChoice.allCases, spelling)
        case .output: invocation.output = try text(value, spelling)
        case .filter: invocation.filter = try text(value, spelling)
        case .host: invocation.hosts.append(try text(value, spelling))
        case .api: invocation.apis.append(try text(value, spelling))
        case .template: invocation.templates.append(try path(value, spelling))
        case .top: invocation.top = value == "all" ? nil : try count(value, spelling, orAll: true)
        case .jobs: _ = try count(value, spelling, orAll: false)
        case .undoOffload: invocation.undoesOffload = true
        case .noBodyDecoding: invocation.decodesBodies = false
        case .quiet: invocation.quiet = true
        case .verbose: invocation.verbose = true
        case .version, .help: break
        }
    }

    private func path(_ value: String, _ spelling: String) throws(UsageError) -> String {
        guard value.hasPrefix("/") else {
            throw UsageError(message: "\(spelling) needs a path that begins with '/', such as /users/{name}")
        }
        return value
    }

    private func text(_ value: String, _ spelling: String) throws(UsageError) -> String {
        if value.isEmpty { throw UsageError(message: "\(spelling) needs a value that is not empty") }
        return value
    }

    private func word<Word: RawRepresentable<String>>(
        _ value: String, of words: [Word], _ spelling: String
    ) throws(UsageError) -> Word {
        if let word = words.first(where: { $0.rawValue == value }) { return word }
        let names = words.map(\.rawValue)
        let hint = suggestion(for: value, among: names).map { "did you mean '\($0)'?" }
        throw UsageError(
            message: "\(spelling) cannot be '\(printable(value))'; "
                + (hint ?? "it takes " + names.joined(separator: ", ")))
    }

    private func count(_ value: String, _ spelling: String, orAll: Bool) throws(UsageError) -> Int {
        if let number = Int(value), number > 0 { return number }
        let wanted = orAll ? "a positive number or 'all'" : "a positive number"
        throw UsageError(message: "\(spelling) needs \(wanted), not '\(printable(value))'")
    }
}

/// The word with everything that would break the one line of an error escaped.
func printable(_ word: String) -> String {
    word.unicodeScalars.reduce(into: "") { text, scalar in
        if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
            text += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        } else {
            text.unicodeScalars.append(scalar)
        }
    }
}
