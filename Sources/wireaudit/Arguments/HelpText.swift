/// Help, at most 80 columns wide; the list of options comes from the table that the parser uses.
package enum HelpText {
    package static func of(_ command: Command?) -> String {
        guard let command else { return program }
        return """
            usage: \(usage(command))

            \(about(command))

            options:
            \(options(of: command))

            examples:
            \(examples(command))

            """
    }

    private static func usage(_ command: Command) -> String {
        switch command {
        case .audit: "wireaudit [audit] [options] FILE..."
        case .check: "wireaudit check POLICY|--max-… [options] FILE..."
        case .live: "wireaudit live -i IFACE [options]"
        case .estimators: "wireaudit estimators [options] [NAME]"
        case .interfaces: "wireaudit interfaces [options]"
        default: "wireaudit \(command.rawValue) [options] FILE..."
        }
    }

    private static var program: String {
        let commands =
            Command.allCases.map { "  " + padded($0.rawValue, 13) + $0.summary } + [
                "  " + padded("help", 13) + "help on a command: wireaudit help exchanges"
            ]
        return """
            usage: wireaudit [command] [options] FILE...

            Tells where every byte of a packet capture went: to which HTTP API, and why.
            Reads pcap and pcapng, plain or compressed by gzip or zstd; - is standard input.
            Several files are one audit. A file with the name of a command: ./name.

            commands:
            \(commands.joined(separator: "\n"))

            options of the audit:
            \(options(of: .audit))

            examples:
            \(examples(.audit))

            exit status: 0 done, 1 check: a bound was exceeded, 64 usage, 65 not a capture
            or no log, 66 input cannot be opened, 69 an interface cannot be captured on now,
            70 ledger out of balance, 74 output cannot be written, 77 no permission

            """
    }

    private static func about(_ command: Command) -> String {
        switch command {
        case .audit:
            """
            The capture, the ledger of all its bytes, and the APIs by wire bytes.

            formats: table (default) for a person, json for programs
            (schema wireaudit.audit/1, one line).
            """
        case .exchanges:
            """
            One record for each HTTP exchange (a request with its response), with every
            byte it cost.

            formats: ndjson (default when the output is no terminal; one JSON object per
            line, schema wireaudit.exchange/1), csv (the same fields), table (default on a
            terminal).

            Sorted by time, connection, exchange. Records come when they end and are
            sorted in a window of 16,384: one that ends later than that comes late.
            Unknown values are null or left out, never 0.
            """
        case .connections:
            """
            One record for each TCP connection, with every byte of it, and what its TLS
            shows of itself.

            formats: ndjson (default when the output is no terminal; one JSON object per
            line, schema wireaudit.connection/1), csv (the same fields), table (default on
            a terminal).

            Sorted by connection number (order of first packets) in a window of 16,384
            connections: one that ends later than that comes late.
            """
        case .accuracy:
            """
            Holds what SDKs estimate, simulated from the wire or read from their logs,
            against the bytes on the wire: error per API, direction and cause, coverage,
            and what would repair most.

            formats: table (default), html (one file to look at), md (for a pull request),
            json (schema wireaudit.accuracy/1), csv (one row per API, source, direction and
            truth), ndjson (every single figure, schema wireaudit.call/1).

            Logs: SQLite, NDJSON or CSV of DMNetworkTrafficLog, HAR 1.2, metrics as JSON,
            CFNetwork summary lines, tables of NetworkEye, GodEye and DoKit.
            """
        case .live:
            """
            Audits packets while they arrive. On a terminal: a screen with rates, the
            ledger, APIs and exchanges; ? shows its keys. Ctrl-C ends it with the report of
            all that was seen; a second Ctrl-C ends at once.

            formats: table (default on a terminal: the screen, then the report), ndjson
            (default elsewhere; finished exchanges, schema wireaudit.exchange/1), json (the
            audit at the end, schema wireaudit.audit/1).

            Needs the right to capture: 'wireaudit interfaces' tells how to get it. As root
            it opens the interfaces, then becomes the user who called sudo: files are
            written as that user.
            """
        case .check:
            """
            Ends with status 1, and one line for each violation, where a bound is exceeded.
            Bounds stand in a policy file (the first operand) or are given as options; they
            hold for the logs where there are any, else for the simulated estimators.

            formats: table (default; a line per violation), junit (XML for CI systems).
            """
        case .estimators:
            """
            The estimators that can be simulated: what each sees, counts and misses, its
            parameters, and where its formula is from. With a name, that one in full.

            formats: table (default), json.
            """
        case .interfaces:
            """
            The interfaces of this computer: name, addresses, link type, state, whether this
            user may capture there, and if not, the command that grants it.

            formats: table (default), json (schema wireaudit.interfaces/1).
            """
        }
    }

    private static func examples(_ command: Command) -> String {
        switch command {
        case .audit:
            """
              wireaudit shop.pcapng
              wireaudit --keys secrets.log app.pcapng
              wireaudit --layer link --top all monday.pcap.gz tuesday.pcap.gz
              tcpdump -i eth0 -w - | wireaudit --format json -o audit.json -
            """
        case .exchanges:
            """
              wireaudit exchanges shop.pcapng | jq 'select(.status >= 500) | .api'
              wireaudit exchanges --format csv --host api.example.com -o api.csv shop.pcap
              wireaudit exchanges --api 'POST * /v1/orders*' shop.pcapng
            """
        case .connections:
            """
              wireaudit connections shop.pcapng
              wireaudit connections --format csv -o connections.csv shop.pcapng
              wireaudit connections shop.pcapng | jq 'select(.down.payload_repeated > 0)'
            """
        case .accuracy:
            """
              wireaudit accuracy shop.pcapng
              wireaudit accuracy --sdk-log app.sqlite --format html -o app.html shop.pcapng
              wireaudit accuracy --estimators dmurlprotocol:headers=min,har shop.pcapng
            """
        case .live:
            """
              wireaudit live -i eth0
              wireaudit live -i wlan0 --filter 'tcp port 443' --keys secrets.log
              wireaudit live -i any -w day.pcapng --rotate 100MB,1h,24files
              wireaudit live -i eth0 --duration 10min --format json -o audit.json
            """
        case .check:
            """
              wireaudit check accuracy.policy --sdk-log app.sqlite shop.pcapng
              wireaudit check --max-bias 5% --min-coverage 98% --sdk-log app.har shop.pcap
              wireaudit check accuracy.policy --format junit -o check.xml shop.pcapng
            """
        case .estimators:
            """
              wireaudit estimators
              wireaudit estimators dmurlprotocol
            """
        case .interfaces:
            """
              wireaudit interfaces
              wireaudit interfaces --format json | jq -r '.interfaces[].name'
            """
        }
    }

    private static func options(of command: Command) -> String {
        Option.allCases.filter { $0.description.commands.contains(command) }
            .flatMap { lines($0, command) }.joined(separator: "\n")
    }

    private static func lines(_ option: Option, _ command: Command) -> [String] {
        let description = option.description
        var name = "  " + (description.short.map { "-\($0), " } ?? "    ") + "--" + option.rawValue
        switch description.value {
        case .none: break
        case .text(let valueName): name += " " + valueName
        case .count(let valueName, _): name += " " + valueName
        case .word(let words): name += " " + words.joined(separator: "|")
        }
        var help = description.help
        if option == .format {
            name = "      --format " + command.formats.map(\.rawValue).joined(separator: "|")
            help = "form of the output"
        }
        let column = 26
        let text = broken(help, width: 80 - column)
        var lines: [String] = []
        if name.count + 2 > column {
            lines.append(name)
        } else {
            lines.append(padded(name, column) + text[0])
        }
        for line in name.count + 2 > column ? text[...] : text.dropFirst() {
            lines.append(String(repeating: " ", count: column) + line)
        }
        return lines
    }

    private static func broken(_ text: String, width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 1))
    }
}
