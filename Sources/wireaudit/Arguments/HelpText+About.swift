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
        case .estimators: estimatorsAbout
        case .interfaces: interfacesAbout
        case .limits: limitsAbout
        }
    }

    private static let auditAbout = """
        The capture, the ledger of all its bytes, and the APIs by wire bytes.

        formats: table (default) for a person, json for programs
        (schema wireaudit.audit/1, one line).
        """

    private static let exchangesAbout = """
        One record for each HTTP exchange (a request with its response), with every
        byte it cost.

        formats: ndjson (default when the output is no terminal; one JSON object per
        line, schema wireaudit.exchange/1), csv (the same fields), table (default on a
        terminal).

        Sorted by time, connection, exchange. Records come when they end and are
        sorted in a window of 16,384: one that ends later than that comes late.
        Unknown values are null or left out, never 0.
        """

    private static let connectionsAbout = """
        One record for each TCP connection, with every byte of it, and what its TLS
        shows of itself.

        formats: ndjson (default when the output is no terminal; one JSON object per
        line, schema wireaudit.connection/1), csv (the same fields), table (default on
        a terminal).

        Sorted by connection number (order of first packets) in a window of 16,384
        connections: one that ends later than that comes late.
        """

    private static let accuracyAbout = """
        Holds what SDKs estimate, simulated from the wire or read from their logs,
        against the bytes on the wire: error per API, direction and cause, coverage,
        and what would repair most.

        formats: table (default), html (one file to look at), md (for a pull request),
        json (schema wireaudit.accuracy/1), csv (one row per API, source, direction and
        truth), ndjson (every single figure, schema wireaudit.call/1, and each row of a
        log with its exchange, schema wireaudit.row/1).

        Logs: SQLite, NDJSON or CSV of DMNetworkTrafficLog, HAR 1.2, metrics as JSON,
        CFNetwork summary lines, tables of NetworkEye, GodEye and DoKit.
        """

    private static let liveAbout = """
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

    private static let checkAbout = """
        Ends with status 1, and one line for each violation, where a bound is exceeded.
        Bounds stand in a policy file (the first operand) or are given as options; they
        hold for the logs where there are any, else for the simulated estimators.

        formats: table (default; a line per violation), junit (XML for CI systems).
        """

    private static let estimatorsAbout = """
        The estimators that can be simulated: what each sees, counts and misses, its
        parameters, and where its formula is from. With a name, that one in full.

        formats: table (default), json.
        """

    private static let interfacesAbout = """
        The interfaces of this computer: name, addresses, link type, state, whether this
        user may capture there, and if not, the command that grants it.

        formats: table (default), json (schema wireaudit.interfaces/1).
        """

    private static let limitsAbout = """
        Every limit of the program: how much is kept at one time, how long is waited,
        what is done beyond it, and how you learn of that. --limit NAME=VALUE sets one,
        for each command that audits.

        Numbers may end in k, M or G (thousands); sizes in B, kB, KiB, MB, MiB, GB, GiB;
        times in ms, s, min, h, d.

        formats: table (default), json (schema wireaudit.limits/1).
        """
}
