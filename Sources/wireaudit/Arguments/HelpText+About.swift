import WireLogs
import WireRecords

/// What each command does, at most 80 columns wide.
extension HelpText {
    static func about(_ command: Command) -> String {
        switch command {
        case .audit: auditAbout
        case .exchanges: exchangesAbout
        case .connections: connectionsAbout
        case .accuracy: accuracyAbout
        case .live: liveAbout
        case .check: checkAbout
        case .compare: compareAbout
        case .annotate: annotateAbout
        case .merge: mergeAbout
        case .fleet: fleetAbout
        case .doctor: doctorAbout
        case .estimators: estimatorsAbout
        case .interfaces: interfacesAbout
        case .limits: limitsAbout
        case .schema: schemaAbout
        case .completion: completionAbout
        case .manual: manualAbout
        }
    }

    static let programAbout = """
        Shows which HTTP API each byte of a packet capture belongs to, and why it was
        sent. Reads pcap and pcapng, plain or compressed with gzip or zstd; - is
        standard input. Several files are audited as one capture. Write ./name for a
        file that has the name of a command.
        """

    private static let auditAbout = """
        Prints a summary of the capture, the ledger of all its bytes by cause, and the
        APIs by wire bytes.

        formats: table (default), html (one page: verdict, opportunities, ledger, APIs,
        hosts, connections in time), md (for a pull request), json (schema
        wireaudit.audit/1, one line), csv (the APIs, with the fields of json), partial
        (exact sums for 'wireaudit merge').
        """

    private static let exchangesAbout = """
        Prints one record for each HTTP exchange (a request with its response) and all
        bytes that it cost.

        formats: table (default on a terminal), ndjson (default otherwise; schema
        wireaudit.exchange/2), csv (the same fields), har (HAR 1.2, with the record
        as _wireaudit), otlp (OpenTelemetry spans in OTLP JSON, one on each line).
        har and otlp leave out exchanges of which no request was captured, and say how
        many there are.

        Records are sorted by time, connection and exchange in a window of 16,384: an
        exchange that ends after so many others is printed late. Unknown values are
        null or absent, never 0.
        """

    private static let connectionsAbout = """
        Prints one record for each connection: all of its bytes, and the known
        properties of its TLS session.

        formats: table (default on a terminal), ndjson (default otherwise; schema
        wireaudit.connection/2), csv (the same fields).

        Records are sorted by connection number (order of first packets) in a window
        of 16,384: a connection that ends after so many others is printed late.
        """

    private static let accuracyAbout = """
        Compares byte counts of monitoring SDKs (from their logs, or simulated) with
        the capture: error by API, direction and cause, share of calls recorded, and
        which changes in the SDK would reduce the error most. The table has the main
        points of the first source; --full and html have all. With a log, reports for
        people (table, html, md) simulate only what --estimators names.

        formats: table (default), html (one self-contained page), md (for a pull
        request), json (schema wireaudit.accuracy/1), csv (one row per API, source,
        direction and truth), ndjson (each call, schema wireaudit.call/1, and each row
        of a log with its exchange, schema wireaudit.row/1), partial (exact sums for
        'wireaudit merge').

        \(broken("Logs: " + SDKLogFormat.titles.joined(separator: ", ") + ".", width: 80).joined(separator: "\n"))
        """

    private static let liveAbout = """
        Audits packets while they arrive. A terminal shows rates, the ledger, APIs and
        exchanges; ? lists the keys. Ctrl-C ends the capture and prints the report; a
        second Ctrl-C ends the program immediately.

        formats: table (default on a terminal: the screen, then the report), ndjson
        (default otherwise; finished exchanges, schema wireaudit.exchange/2), json (the
        audit at the end, schema wireaudit.audit/1).

        You need permission to capture; 'wireaudit interfaces' shows how to get it. As
        root, the program opens the interfaces and then switches to the user who
        called sudo, who owns all files that it writes.
        """

    private static let checkAbout = """
        Prints one line for each bound that is exceeded, and then ends with status 1.
        Bounds come from a policy file (the first operand) or from options. They apply
        to the logs, or without logs to the simulated estimators. Instead of captures it
        takes partial results, such as those of a fleet or of one of its groups.

        formats: table (default; one line per violation), junit (XML for CI systems).
        """

    private static let compareAbout = """
        Says what became larger or smaller between two sides: by API, cause and host, in
        bytes per call, and which APIs are new or gone. A side is a capture or an audit
        as JSON (wireaudit --format json), recognised by content; for several files a
        side use --before FILE... --after FILE...

        Of captures, chance is told from change by the spread of single calls. Audits
        hold sums only, so every difference counts.

        formats: table (default), html (one self-contained page), md (for a pull
        request), json (schema wireaudit.compare/1).
        """

    private static let annotateAbout = """
        Writes the capture again as pcapng, with a comment on each packet that says
        which call or connection its bytes belong to, and why they were sent. The
        numbers add up to the packet's length. Comments, keys and other blocks of the
        capture stay. In Wireshark, the display filter frame.comment finds packets:

          frame.comment contains "api=POST api.example.com /v1/orders;"
          frame.comment contains "connection=3 call=7 "
          frame.comment contains "retransmission="

        The file is read twice, so it cannot be a pipe. Opening and closing a
        connection is its own, as with --setup separate.
        """

    private static let mergeAbout = """
        Prints one report from partial results (--format partial of audit or accuracy),
        each of one capture session or of several. However sessions are divided, the
        report is the same. A session that comes twice is refused.

        Percentiles come from buckets and are at most 1/64 off. Intervals resample whole
        sessions where an API has 20 or more of them, otherwise calls.

        formats: table (default), html, md, json, csv; partial (the sums again, to be
        merged further); ndjson (a line for each part, which must be
        of one session: schema wireaudit.session/1).
        """

    private static let fleetAbout = """
        Audits all capture sessions of a manifest, several at a time, each in a process
        of its own: one that fails is a line of the result. A run that was interrupted
        goes on where it stopped.

        The manifest is CSV. Its first line names the columns: session and capture are
        needed, keys and log may be empty, all others are labels such as build, device
        or network. Several files of a session stand on lines of their own. Paths are
        relative to the manifest.

        The folder gets fleet.html and fleet.json (schema wireaudit.fleet/1): errors by
        group, what changed beyond chance, outliers; sessions.ndjson (schema
        wireaudit.session/1); records/day=…/session=… with the exchanges; fleet.part
        and groups/LABEL=VALUE.part for 'wireaudit merge' and 'wireaudit check'.

        Other programs can run the sessions on many machines: --plan prints how each
        session is audited, and --from makes the report of what they merged.
        """

    private static let doctorAbout = """
        Looks at the files of a session before a test day: captures, key logs and logs
        of an SDK, recognised by content, in folders or by name. Says what is missing,
        whether they are of one session, and what each report will be able to say.
        Status 65: there is no capture among them.

        formats: table (default), json (schema wireaudit.doctor/1).
        """

    private static let estimatorsAbout = """
        Lists the estimators that can be simulated: what each sees, counts and misses,
        its parameters and the source of its formula. With a name: all details of it.

        formats: table (default), json.
        """

    private static let interfacesAbout = """
        Lists the interfaces of this computer: name, addresses, link type, state,
        whether you may capture there, and if not, the command that permits it.

        formats: table (default), json (schema wireaudit.interfaces/1).
        """

    private static let schemaAbout = """
        Prints the fields of a machine-readable output: type, unit, meaning, and whether
        a field can be null. Without a name it lists the outputs, or with --format md
        prints the fields of all.

        formats: json (default; JSON Schema, draft 2020-12; units are in x-unit), md.
        """

    private static let completionAbout = """
        Prints a script that completes commands, options and their values. Install it
        where the shell looks for such scripts, as the examples show.
        """

    private static let manualAbout = """
        Prints the manual page of the program, or of a command, for man.
        """

    private static let limitsAbout = """
        Lists all limits: how much the program keeps, how long it waits, what happens
        when a limit is reached, and where this is reported. --limit NAME=VALUE sets
        one, in every command that audits a capture.

        Numbers may end in k, M or G (thousands); sizes in B, kB, KiB, MB, MiB, GB, GiB;
        times in ms, s, min, h, d.

        formats: table (default), json (schema wireaudit.limits/1).
        """
}
